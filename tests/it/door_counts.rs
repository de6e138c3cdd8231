//! What a door counts: the entries of each station, and how many of a group have entered.

use serde_json::{Value, json};
use taquilla_domain::{
    config::{GROUP_TICKETS_MAX, ID_MAX, NAME_MAX},
    person::Person,
    status::Category,
};
use taquilla_rules::boxoffice;

use crate::harness::{World, event, order, ticket, ticket_type, with};

both_engines![
    the_entries_of_a_station_follow_every_move,
    a_station_may_have_the_longest_name,
    a_bad_station_is_named,
    a_group_is_counted_as_it_enters,
    scans_decided_together_count_on,
    only_what_the_door_admits_is_of_the_group,
    a_ticket_that_was_passed_on_stays_in_its_group,
    the_largest_orders_are_not_counted,
];

/// What `counts` answers about a station: entered there, entered in all, to come.
async fn counts(world: &World, token: &str, station: &str) -> (i64, i64, i64) {
    let station: String = url::form_urlencoded::byte_serialize(station.as_bytes()).collect();
    let answer = world.client.get(&format!("/door/v1/counts?station={station}"), token).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let counts = answer.json();
    let number = |name: &str| counts[name].as_i64().unwrap();
    (number("entered_here"), number("entered"), number("to_come"))
}

/// Sends scans of these codes in one upload, which one move decides, and gives their answers.
async fn upload(world: &World, token: &str, station: &str, scans: &[(&str, &str)]) -> Vec<Value> {
    let scans: Vec<Value> =
        scans.iter().map(|(code, scan_id)| json!({"code": code, "scan_id": scan_id, "station": station})).collect();
    let answer = world
        .client
        .post("/door/v1/scans", &[("authorization", &format!("Bearer {token}"))], &json!({"scans": scans}))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["results"].as_array().unwrap().clone()
}

/// Scans a code and gives its outcome and what is told of its group.
async fn scan(world: &World, token: &str, code: &str) -> (String, Value) {
    let answers = upload(world, token, "Gate 1", &[(code, &format!("{code} at {:?}", world.now()))]).await;
    world.step(std::time::Duration::from_secs(1));
    (answers[0]["outcome"].as_str().unwrap().to_owned(), answers[0]["ticket"]["group"].clone())
}

fn told(outcome: &str, group: Value) -> (String, Value) {
    (outcome.to_owned(), group)
}

fn entered(entered: i64, of: i64) -> Value {
    json!({"entered": entered, "of": of})
}

fn of_order(id: &str, order_id: &str, ticket_type_id: &str) -> Value {
    with(ticket(id, "ev", ticket_type_id), json!({"order_id": order_id}))
}

async fn the_entries_of_a_station_follow_every_move(world: World) {
    let producer = world.producer("pr_a").await;
    let (tenant, now) = (producer.tenant, world.now());
    let at = |station: &str| json!({"checked_in_at": "2026-10-31T22:00:00Z", "checked_in_by": station});
    let mut lines = vec![
        event("ev"),
        event("ev_other"),
        ticket_type("tt", "ev"),
        with(ticket_type("tt_beer", "ev"), json!({"category": "merchandise"})),
        ticket_type("tt_other", "ev_other"),
        order("or", "ev", "tt"),
        of_order("PAID", "or", "tt"),
        ticket("BEER", "ev", "tt_beer"),
        with(ticket("OTHER", "ev_other", "tt_other"), at("Gate 1")),
        with(ticket("INSIDE", "ev", "tt"), at("Gate 1")),
        with(ticket("NOWHERE", "ev", "tt"), json!({"checked_in_at": "2026-10-31T22:00:00Z"})),
        with(with(ticket("STAFF", "ev", "tt"), at("Gate 1")), json!({"hidden": true})),
        with(with(ticket("GONE", "ev", "tt"), at("Gate 1")), json!({"cancelled_at": "2026-10-31T23:00:00Z"})),
    ];
    lines.extend((0..6).map(|number| ticket(&format!("T{number}"), "ev", "tt")));
    world.import(tenant, &lines).await;
    let (gate, _) = world.door(tenant, "ev", &[Category::Ticket]).await;
    let (all, _) = world.door(tenant, "ev", &[]).await;
    assert_eq!(counts(&world, &gate, "Gate 1").await, (1, 2, 7), "an import counts, at its stations");

    upload(&world, &gate, "Gate 1", &[("T0", "a"), ("T0", "b"), ("T1", "c"), ("NO-SUCH", "d")]).await;
    upload(&world, &gate, "Gate 2", &[("T2", "e"), ("T1", "f"), ("PAID", "g")]).await;
    upload(&world, &all, "Gate 1", &[("BEER", "h")]).await;
    assert_eq!(counts(&world, &gate, "Gate 1").await, (3, 6, 3));
    assert_eq!(counts(&world, &all, " Gate 1 ").await, (4, 7, 3), "what the link admits, and no more");
    assert_eq!(counts(&world, &gate, "Gate 2").await, (2, 6, 3));
    assert_eq!(counts(&world, &gate, "gate 2").await, (0, 6, 3), "an unknown station");
    let without = world.client.get("/door/v1/counts", &gate).await.json();
    assert_eq!(without, json!({"entered": 6, "to_come": 3, "entered_here": null, "inside": []}));

    boxoffice::cancel(&world.store, tenant, "T0", now).await.unwrap();
    boxoffice::hide(&world.store, tenant, "T2", now).await.unwrap();
    assert_eq!(counts(&world, &gate, "Gate 1").await, (2, 4, 3));
    assert_eq!(counts(&world, &gate, "Gate 2").await, (1, 4, 3));
    boxoffice::refund(&world.store, tenant, "or", now).await.unwrap();
    assert_eq!(counts(&world, &gate, "Gate 2").await, (0, 3, 3));
    let later = [with(ticket("LATER", "ev", "tt"), at("Gate 1")), with(ticket("NEW", "ev", "tt"), at("Gate 9"))];
    world.import(tenant, &later).await;
    assert_eq!(counts(&world, &gate, "Gate 1").await, (3, 5, 3), "a second import adds to a station");
    assert_eq!(counts(&world, &gate, "Gate 9").await, (1, 5, 3));
    assert_eq!(world.findings().await, []);
}

async fn a_station_may_have_the_longest_name(world: World) {
    let producer = world.producer("pr_a").await;
    // Neither name can be made shorter by compressing it: PostgreSQL takes 2,704 bytes of a row into an index.
    let letters = |from: u32, number: usize| -> String { (from..).filter_map(char::from_u32).take(number).collect() };
    let (item, station) = (letters(0x1F000, ID_MAX), letters(0x20000, NAME_MAX));
    world.import(producer.tenant, &[event("ev"), ticket_type(&item, "ev"), ticket("T", "ev", &item)]).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    upload(&world, &gate, &station, &[("T", "s")]).await;
    assert_eq!(counts(&world, &gate, &station).await, (1, 1, 0));
}

async fn a_bad_station_is_named(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev")]).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    let long = format!("station={}", "x".repeat(NAME_MAX + 1));
    for query in ["station=", "station=+", "station=a%00b", "station=%FF", "station=a&station=b", &long] {
        let (status, code, param) = world.client.get(&format!("/door/v1/counts?{query}"), &gate).await.problem();
        assert_eq!((status, code.as_str(), param.as_deref()), (400, "invalid_parameter", Some("station")), "{query}");
    }
    let (status, code, param) = world.client.get("/door/v1/counts?statoin=Gate", &gate).await.problem();
    assert_eq!((status, code.as_str(), param.as_deref()), (400, "unknown_parameter", Some("statoin")));
}

async fn a_group_is_counted_as_it_enters(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev"), order("or", "ev", "tt"), order("or_one", "ev", "tt")];
    lines.extend((0..4).map(|number| of_order(&format!("T{number}"), "or", "tt")));
    lines.extend([of_order("ONLY", "or_one", "tt"), ticket("ALONE", "ev", "tt")]);
    world.import(producer.tenant, &lines).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;

    let first = upload(&world, &gate, "Gate 1", &[("T0", "first")]).await;
    assert_eq!(first[0]["ticket"]["group"], entered(1, 4));
    assert_eq!(first[0]["first_scan"], Value::Null);
    assert_eq!(scan(&world, &gate, "T2").await, told("admitted", entered(2, 4)));
    assert_eq!(scan(&world, &gate, "T0").await, told("already_scanned", entered(2, 4)));
    assert_eq!(scan(&world, &gate, "ONLY").await, told("admitted", Value::Null));
    assert_eq!(scan(&world, &gate, "ALONE").await, told("admitted", Value::Null));
    assert_eq!(upload(&world, &gate, "Gate 1", &[("T0", "first")]).await, first, "a scan keeps its answer");

    boxoffice::cancel(&world.store, producer.tenant, "T3", world.now()).await.unwrap();
    assert_eq!(scan(&world, &gate, "T3").await, told("cancelled", Value::Null));
    assert_eq!(scan(&world, &gate, "T1").await, told("admitted", entered(3, 3)), "a cancelled one is not waited for");
    boxoffice::refund(&world.store, producer.tenant, "or", world.now()).await.unwrap();
    assert_eq!(scan(&world, &gate, "T1").await, told("refunded", Value::Null));
}

async fn scans_decided_together_count_on(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    for name in ["A", "B"] {
        lines.push(order(&format!("or_{name}"), "ev", "tt"));
        lines.extend((0..3).map(|number| of_order(&format!("{name}{number}"), &format!("or_{name}"), "tt")));
    }
    world.import(producer.tenant, &lines).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    let scans = [("A0", "1"), ("B0", "2"), ("A1", "3"), ("A0", "4"), ("A2", "5"), ("B1", "6"), ("A0", "1")];
    let answers = upload(&world, &gate, "Gate 1", &scans).await;
    let groups: Vec<&Value> = answers.iter().map(|answer| &answer["ticket"]["group"]).collect();
    let expected = [(1, 3), (1, 3), (2, 3), (2, 3), (3, 3), (2, 3), (1, 3)].map(|(has, of)| entered(has, of));
    assert_eq!(groups, expected.iter().collect::<Vec<_>>());
    assert_eq!(answers[3]["first_scan"]["station"], "Gate 1", "the fourth is told of the first");
    assert_eq!(world.findings().await, []);
}

async fn only_what_the_door_admits_is_of_the_group(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![
        event("ev"),
        ticket_type("tt", "ev"),
        ticket_type("tt_vip", "ev"),
        with(ticket_type("tt_beer", "ev"), json!({"category": "merchandise"})),
        order("or", "ev", "tt"),
        with(of_order("STAFF", "or", "tt"), json!({"hidden": true})),
        of_order("BEER", "or", "tt_beer"),
        of_order("VIP", "or", "tt_vip"),
    ];
    lines.extend((0..3).map(|number| of_order(&format!("T{number}"), "or", "tt")));
    world.import(producer.tenant, &lines).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[Category::Ticket]).await;
    let (bar, _) = world.door(producer.tenant, "ev", &[Category::Merchandise]).await;
    let (all, _) = world.door(producer.tenant, "ev", &[]).await;
    assert_eq!(scan(&world, &gate, "T0").await, told("admitted", entered(1, 4)));
    assert_eq!(scan(&world, &gate, "BEER").await, told("not_here", Value::Null));
    assert_eq!(scan(&world, &bar, "BEER").await, told("admitted", Value::Null), "the only one of its kind");
    assert_eq!(scan(&world, &all, "VIP").await, told("admitted", entered(3, 5)));
    assert_eq!(scan(&world, &gate, "STAFF").await, told("admitted", Value::Null), "a staff code is in no count");
    assert_eq!(scan(&world, &gate, "T1").await, told("admitted", entered(3, 4)));
}

async fn a_ticket_that_was_passed_on_stays_in_its_group(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev"), order("or", "ev", "tt")];
    lines.extend((0..3).map(|number| of_order(&format!("T{number}"), "or", "tt")));
    world.import(producer.tenant, &lines).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    let bea = Person { name: "Bea".into(), ..Person::default() };
    let new = boxoffice::transfer(&world.store, producer.tenant, "T0", &bea, world.now()).await.unwrap();
    assert_eq!(scan(&world, &gate, "T0").await, told("transferred", Value::Null));
    assert_eq!(scan(&world, &gate, "T1").await, told("admitted", entered(1, 3)));
    assert_eq!(scan(&world, &gate, &new).await, told("admitted", entered(2, 3)));
}

async fn the_largest_orders_are_not_counted(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    for (name, tickets) in [("L", GROUP_TICKETS_MAX), ("XL", GROUP_TICKETS_MAX + 1)] {
        lines.push(order(name, "ev", "tt"));
        lines.extend((0..tickets).map(|number| of_order(&format!("{name}-{number}"), name, "tt")));
    }
    world.import(producer.tenant, &lines).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    let of = i64::try_from(GROUP_TICKETS_MAX).unwrap();
    assert_eq!(scan(&world, &gate, "L-7").await, told("admitted", entered(1, of)));
    assert_eq!(scan(&world, &gate, "XL-7").await, told("admitted", Value::Null));
}
