//! Guests without a code: found by name, order or e-mail address, and let in by the rules of a scan.

use std::time::Duration;

use serde_json::{Value, json};
use taquilla_domain::{
    config::{GUEST_SEARCH_EVERY, GUEST_SEARCHES, GUESTS_FOUND, SEARCH_POLL},
    door_link::{LinkOption, NewDoorLink},
    role::BuiltInRole,
    status::Category,
    text::Name,
};

use crate::harness::{Answer, Producer, Staff, World, event, order, problem, ticket, ticket_type, until, with, words};

both_engines![
    a_link_finds_few_guests_and_no_codes,
    a_guest_without_a_code_enters_as_with_one,
    a_party_enters_at_once_each_by_a_scan_of_its_own,
    a_station_that_asks_first_writes_nothing_until_somebody_says_so,
    staff_let_guests_in_by_hand,
    those_who_may_still_come_are_found_first,
];

const BY_HAND: &str = "/dashboard/p/pr_a/door/ev/by-hand";

/// An event with guests of many kinds, whom searches find.
async fn a_night(world: &World) -> (Producer, Staff) {
    let producer = world.producer("pr_a").await;
    let ana = json!({
        "name": "Ana Ruiz", "email": "ana.ruiz@example.com", "phone": "+34 600 123 456", "identity_document": "X1234567",
    });
    let held = |id: &str, kind: &str| with(ticket(id, "ev", kind), json!({"attendee": ana}));
    let mut lines = vec![
        event("ev"),
        event("ev_other"),
        with(ticket_type("tt", "ev"), json!({"name": "General"})),
        with(ticket_type("tt_beer", "ev"), json!({"name": "Beer", "category": "merchandise"})),
        ticket_type("tt_other", "ev_other"),
        with(
            order("or_anabel", "ev", "tt"),
            json!({"items": [{"ticket_type_id": "tt", "quantity": 2, "unit_price": 25}]}),
        ),
        with(held("CODEONE", "tt"), json!({"order_id": "or_anabel"})),
        with(held("CODETWO", "tt"), json!({"order_id": "or_anabel", "attendee": {"name": "Bruno Salas"}})),
        with(held("CODEGONE", "tt"), json!({"cancelled_at": "2026-10-02", "attendee": {"name": "Gala Ortiz"}})),
        with(held("CODEHIDDEN", "tt"), json!({"hidden": true})),
        held("CODEBEER", "tt_beer"),
        with(ticket("CODEOTHER", "ev_other", "tt_other"), json!({"attendee": ana})),
    ];
    let many = json!({"attendee": {"name": "Olga Nieto"}});
    lines.extend((0..GUESTS_FOUND + 5).map(|number| with(ticket(&format!("MANY-{number}"), "ev", "tt"), many.clone())));
    world.import(producer.tenant, &lines).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    world.step(SEARCH_POLL);
    // The last of them is found, so all are.
    let is_found = async |q: &str| staff.get(&format!("{BY_HAND}?q={q}")).await.text.contains("/by-hand/");
    assert!(until(async || is_found("olga").await && is_found("ruiz").await && is_found("salas").await).await);
    (producer, staff)
}

async fn desk(world: &World, producer: &Producer) -> String {
    let new = NewDoorLink {
        options: [LinkOption::ByName].into_iter().collect(),
        label: Name::parse("Desk").unwrap(),
        ..World::new_door("ev", &[Category::Ticket])
    };
    world.door_link(producer.tenant, new).await.0
}

async fn call(world: &World, link: &str, path: &str, body: &Value) -> Answer {
    world.client.post(&format!("/door/v1/{path}"), &[("authorization", &format!("Bearer {link}"))], body).await
}

async fn search(world: &World, link: &str, text: &str) -> Answer {
    call(world, link, "search", &json!({"text": text})).await
}

async fn found(world: &World, link: &str, text: &str) -> Vec<Value> {
    let answer = search(world, link, text).await;
    assert_eq!(answer.status, 200, "{text}: {}", answer.text);
    assert!(!answer.text.contains("CODE") && !answer.text.contains('@'), "{}", answer.text);
    answer.json()["data"].as_array().unwrap().clone()
}

async fn enter(world: &World, link: &str, guest: &Value, scan_id: &str) -> Answer {
    call(world, link, "enter", &json!({"handle": guest["handle"], "scan_id": scan_id})).await
}

async fn a_link_finds_few_guests_and_no_codes(world: World) {
    let (producer, _) = a_night(&world).await;
    let desk = desk(&world, &producer).await;
    let (plain, _) = world.door(producer.tenant, "ev", &[]).await;
    assert_eq!(search(&world, &plain, "ana").await.problem(), problem(403, "not_allowed_by_link", None));
    // Of this event, of what the link admits, and not hidden.
    let guests = found(&world, &desk, "rui ana").await;
    let [guest] = guests.as_slice() else { panic!("{guests:?}") };
    let expected = json!({
        "handle": guest["handle"], "name": "Ana Ruiz", "ticket_type": "General", "event_id": "ev", "order_number": "1001",
        "state": "valid",
    });
    assert_eq!(guest, &expected);
    for (text, count) in [
        ("ANA.RUIZ@example.com", 1),
        ("or_anabel", 2),
        ("#1001", 2),
        ("1002", 0),
        ("gala", 1),
        // Whoever has the link could find these by trying.
        ("ana.ruiz@example", 0),
        ("or_anab", 0),
        ("CODEONE", 0),
        ("CODE", 0),
        ("600 123 456", 0),
        ("X1234567", 0),
        ("Ana Other", 0),
    ] {
        assert_eq!(found(&world, &desk, text).await.len(), count, "{text}");
    }
    let many = search(&world, &desk, "olga").await.json();
    assert_eq!((many["data"].as_array().unwrap().len(), &many["has_more"]), (GUESTS_FOUND, &json!(true)));
    let long = "a".repeat(201);
    for little in ["", "an", "a b c", " ñ ", long.as_str()] {
        assert_eq!(
            search(&world, &desk, little).await.problem(),
            problem(400, "invalid_body", Some("text")),
            "{little}"
        );
    }
    // Nobody reads out the list of guests.
    let mut asked = 0;
    while search(&world, &desk, "nobody").await.status == 200 {
        asked += 1;
        assert!(asked <= GUEST_SEARCHES, "there is no end");
    }
    assert_eq!(search(&world, &desk, "ana").await.problem(), problem(429, "rate_limited", None));
    let other = self::desk(&world, &producer).await;
    assert_eq!(found(&world, &other, "gala").await.len(), 1, "another link has its own");
    world.step(GUEST_SEARCH_EVERY);
    assert_eq!(search(&world, &desk, "ana").await.status, 200);
}

async fn a_guest_without_a_code_enters_as_with_one(world: World) {
    let (producer, _) = a_night(&world).await;
    let (desk, another) = (desk(&world, &producer).await, desk(&world, &producer).await);
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    let ana = found(&world, &desk, "ana ruiz").await.remove(0);
    let gala = found(&world, &desk, "gala").await.remove(0);
    for (link, guest, status) in
        [(&another, ana.clone(), 404), (&gate, ana.clone(), 403), (&desk, json!({"handle": "x"}), 404)]
    {
        assert_eq!(enter(&world, link, &guest, "s0").await.status, status, "a handle is for its link");
    }
    let first = enter(&world, &desk, &ana, "s1").await;
    assert_eq!((first.status.as_u16(), &first.json()["outcome"]), (200, &json!("admitted")), "{}", first.text);
    assert!(!first.text.contains("CODE"), "{}", first.text);
    assert_eq!(enter(&world, &desk, &ana, "s1").await.json(), first.json(), "a second tap");
    assert_eq!(enter(&world, &desk, &gala, "s1").await.problem(), problem(409, "scan_id_reused", None));
    assert_eq!(enter(&world, &desk, &ana, "s2").await.json()["outcome"], "already_scanned");
    assert_eq!(enter(&world, &desk, &gala, "s3").await.json()["outcome"], "cancelled");
    let scan = call(&world, &gate, "scan", &json!({"code": "CODEONE", "scan_id": "s4"})).await.json();
    assert_eq!((&scan["outcome"], &scan["first_scan"]["station"]), (&json!("already_scanned"), &json!("Desk")));
    let ticket = world.client.get("/api/v1/tickets/CODEONE", &producer.key).await.json();
    assert_eq!((&ticket["status"], &ticket["checked_in_by"]), (&json!("scanned"), &json!("Desk")));
    assert_eq!(found(&world, &desk, "ana ruiz").await[0]["state"], "scanned");
    let contents = world.contents(&[]).await;
    assert_eq!(contents["outbox"].iter().filter(|line| line.contains("ticket.scanned")).count(), 1);
    assert_eq!(contents["scans"].len(), 4, "{:?}", contents["scans"]);
    assert_eq!(world.findings().await, []);
}

async fn a_party_enters_at_once_each_by_a_scan_of_its_own(world: World) {
    let producer = world.producer("pr_a").await;
    let of_order = |id: &str, kind: &str, name: &str| {
        with(ticket(id, "ev", kind), json!({"order_id": "or_group", "attendee": {"name": name}}))
    };
    let lines = [
        event("ev"),
        ticket_type("tt", "ev"),
        with(ticket_type("tt_beer", "ev"), json!({"category": "merchandise"})),
        order("or_group", "ev", "tt"),
        of_order("CODE1", "tt", "Ana"),
        of_order("CODE2", "tt", "Bruno"),
        of_order("CODE3", "tt", "Carla"),
        with(of_order("CODE4", "tt", "Diego"), json!({"cancelled_at": "2026-10-02"})),
        with(of_order("CODE5", "tt", "Elena"), json!({"hidden": true})),
        of_order("CODE6", "tt_beer", "Fito"),
        ticket("ALONE", "ev", "tt"),
    ];
    world.import(producer.tenant, &lines).await;
    let new = |label: &str| NewDoorLink {
        options: [LinkOption::Party].into_iter().collect(),
        label: Name::parse(label).unwrap(),
        ..World::new_door("ev", &[Category::Ticket])
    };
    let (gate, _) = world.door_link(producer.tenant, new("Gate")).await;
    let (other, _) = world.door_link(producer.tenant, new("Other")).await;
    let (plain, _) = world.door(producer.tenant, "ev", &[]).await;
    let scan =
        async |code: &str, id: &str| call(&world, &gate, "scan", &json!({"code": code, "scan_id": id})).await.json();
    let party = async |link: &str, id: &str| call(&world, link, "party", &json!({"scan_id": id})).await;
    assert_eq!(scan("CODE1", "s1").await["outcome"], "admitted");
    let found = party(&gate, "s1").await;
    assert!(!found.text.contains("CODE"), "{}", found.text);
    let others = found.json()["data"].as_array().unwrap().clone();
    let names: Vec<&str> = others.iter().map(|guest| guest["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Bruno", "Carla"], "who may still come, and whom this door admits");
    // Only with the right, and only of what this link was shown.
    assert_eq!(party(&plain, "s1").await.problem(), problem(403, "not_allowed_by_link", None));
    assert_eq!(search(&world, &gate, "bruno").await.problem(), problem(403, "not_allowed_by_link", None));
    scan("ALONE", "s2").await;
    scan("NOTHING", "s3").await;
    for (link, id) in [(&other, "s1"), (&gate, "s2"), (&gate, "s3"), (&gate, "s4")] {
        assert_eq!(party(link, id).await.status, 404, "{id}");
    }
    assert_eq!(enter(&world, &other, &others[0], "p0").await.status, 404, "a handle is for its link");
    for (guest, id) in others.iter().zip(["p1", "p2"]) {
        for _ in 0..2 {
            assert_eq!(
                enter(&world, &gate, guest, id).await.json()["outcome"],
                "admitted",
                "also when it is sent again"
            );
        }
    }
    assert_eq!(party(&gate, "s1").await.json()["data"], json!([]));
    let told = world.contents(&[]).await["outbox"].iter().filter(|line| line.contains("ticket.scanned")).count();
    assert_eq!(told, 4, "one for each who entered");
    assert_eq!(world.findings().await, []);
}

async fn a_station_that_asks_first_writes_nothing_until_somebody_says_so(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = with(ticket("CODE", "ev", "tt"), json!({"attendee": {"name": "Ana Ruiz", "email": "ana@example.com"}}));
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev"), ana]).await;
    let options = [LinkOption::Confirm].into_iter().collect();
    let (gate, _) = world.door_link(producer.tenant, NewDoorLink { options, ..World::new_door("ev", &[]) }).await;
    let (plain, _) = world.door(producer.tenant, "ev", &[]).await;
    let body = json!({"code": "code", "scan_id": "s1"});
    assert_eq!(call(&world, &plain, "look", &body).await.problem(), problem(403, "not_allowed_by_link", None));
    let before = world.contents(&[]).await;
    let look = call(&world, &gate, "look", &body).await;
    assert_eq!((&look.json()["outcome"], &look.json()["ticket"]["name"]), (&json!("admitted"), &json!("Ana Ruiz")));
    assert!(!look.text.contains('@'), "{}", look.text);
    assert_eq!(call(&world, &gate, "look", &json!({"code": "NO", "scan_id": "s2"})).await.json()["outcome"], "unknown");
    let after = world.contents(&[]).await;
    for table in ["scans", "link_scans", "outbox", "tickets"] {
        assert_eq!(before[table], after[table], "{table}");
    }
    assert_eq!(call(&world, &gate, "scan", &body).await.json()["outcome"], "admitted");
    let look = call(&world, &gate, "look", &json!({"code": "CODE", "scan_id": "s3"})).await.json();
    assert_eq!((&look["outcome"], look["first_scan"].is_null()), (&json!("already_scanned"), false));
    assert_eq!(world.findings().await, []);
}

async fn staff_let_guests_in_by_hand(world: World) {
    let (producer, ana) = a_night(&world).await;
    let eva = world.staff(producer.tenant, "eva@x.example", BuiltInRole::DoorManager).await;
    let page = ana.get(&format!("{BY_HAND}?q=bruno+salas")).await;
    assert!(words(&page.text).contains("Bruno Salas") && !page.text.contains("CODE"), "{}", page.text);
    let form = |page: &crate::harness::Page| {
        let action = page.between("action=\"/dashboard/p/pr_a/door/ev/by-hand/", "\"").to_owned();
        (format!("{BY_HAND}/{action}"), page.between("name=\"scan_id\" value=\"", "\"").to_owned())
    };
    let (action, scan_id) = form(&page);
    for _ in 0..2 {
        let sent = ana.post(&action, &[("scan_id", &scan_id), ("q", "bruno salas")]).await;
        assert_eq!(
            sent.leads_to(),
            format!("{BY_HAND}?q=bruno+salas&done=door-let-in-by-hand"),
            "a form that is sent twice"
        );
    }
    let ticket = world.client.get("/api/v1/tickets/CODETWO", &producer.key).await.json();
    assert_eq!((&ticket["status"], &ticket["checked_in_by"]), (&json!("scanned"), &json!("ana@x.example")));
    let again = ana.post(&action, &[("scan_id", "another"), ("q", "bruno salas")]).await;
    assert!(again.status == 422 && words(&again.text).contains("Entered already"), "{}", again.text);
    assert_eq!(ana.post(&action, &[("scan_id", "")]).await.status, 422);
    assert!(again.text.contains("/undo\""), "and is undone from here");

    // Somebody who sees no people finds an order, and lets its guests in without their names.
    assert!(!eva.get(&format!("{BY_HAND}?q=bruno")).await.text.contains("/by-hand/"));
    let page = eva.get(&format!("{BY_HAND}?q=or_anabel")).await;
    assert!(!page.text.contains("Bruno") && !page.text.contains("CODE"), "{}", page.text);
    world.step(Duration::from_secs(1));
    let (action, scan_id) = form(&page);
    assert_eq!(eva.post(&action, &[("scan_id", &scan_id), ("q", "or_anabel")]).await.status, 303);
    assert_eq!(world.client.get("/api/v1/tickets/CODEONE", &producer.key).await.json()["status"], "scanned");
    let history = ana.get("/dashboard/p/pr_a/history?action=ticket.scanned").await;
    assert!(history.text.contains("eva@x.example") && !history.text.contains("CODEONE"), "{}", history.text);
    assert_eq!(world.findings().await, []);
}

async fn those_who_may_still_come_are_found_first(world: World) {
    let (producer, staff) = a_night(&world).await;
    let link = desk(&world, &producer).await;
    // As many as a page shows are in, and they have the newest tickets.
    let mut lines = Vec::new();
    for number in 0..GUESTS_FOUND {
        let entered = json!({"attendee": {"name": "Olga Nieto"}, "issued_at": "2026-10-05T10:00:00Z",
                             "checked_in_at": "2026-10-06T20:00:00Z", "checked_in_by": "Gate"});
        lines.push(with(ticket(&format!("IN-{number}"), "ev", "tt"), entered));
    }
    let waiting = json!({"attendee": {"name": "Waldo Olga"}});
    lines.push(with(ticket("WALDO", "ev", "tt"), waiting));
    world.import(producer.tenant, &lines).await;
    world.step(SEARCH_POLL);
    let is_found = async |q: &str| staff.get(&format!("{BY_HAND}?q={q}")).await.text.contains("Waldo");
    assert!(until(async || is_found("waldo").await).await);
    let states =
        |guests: &[Value]| guests.iter().map(|guest| guest["state"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let guests = found(&world, &link, "olga").await;
    assert!(guests.len() == GUESTS_FOUND && states(&guests).iter().all(|state| state == "valid"), "{guests:?}");
    let page = staff.get(&format!("{BY_HAND}?q=olga")).await.text;
    assert!(page.contains("/by-hand/") && !page.contains("/undo"), "{page}");
    // Where there is room, those who are in come after them.
    let guests = found(&world, &link, "nieto").await;
    assert!(states(&guests).is_sorted_by_key(|state| state != "valid"), "{guests:?}");
}
