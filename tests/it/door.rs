//! The door: who is admitted, what scans are answered, and what a link may not do.

use std::{num::NonZeroU32, time::Duration};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use taquilla::routes;
use taquilla_domain::{
    admit::Scope,
    clock::Stamp,
    config::{Config, POSTGRES_POOL, PostgresTimeouts, SCANS_MAX, WRONG_PINS_MAX},
    door_link::{NewDoorLink, Stations},
    person::Person,
    pin::Pin,
    status::Category,
    text::Name,
};
use taquilla_rules::{admin, boxoffice};

use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::harness::configured;
use crate::harness::{
    Answer, Client, Producer, World, address_in, event, order, problem, start, taquilla, ticket, ticket_type, with,
};

const ANA: &str = "Ana Ruiz";

/// An event with a ticket in every status and an item from the bar, and another event.
async fn a_night(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let ana = json!({"name": ANA, "email": "ana@example.com", "phone": "+34 600", "identity_document": "X-1"});
    let held = |id: &str, kind: &str| with(ticket(id, "ev", kind), json!({"attendee": ana}));
    let mut lines = vec![
        event("ev"),
        event("ev_other"),
        ticket_type("tt", "ev"),
        with(ticket_type("tt_beer", "ev"), json!({"category": "merchandise", "name": "Beer"})),
        ticket_type("tt_other", "ev_other"),
        with(order("or_back", "ev", "tt"), json!({"status": "refunded"})),
        held("BEER", "tt_beer"),
        ticket("OTHER", "ev_other", "tt_other"),
        with(held("GONE", "tt"), json!({"cancelled_at": "2026-10-02"})),
        with(held("BACK", "tt"), json!({"order_id": "or_back"})),
        with(held("PASSED", "tt"), json!({"transferred_at": "2026-10-02", "transferred_to_ticket_id": "NEW-ONE"})),
        held("NEW-ONE", "tt"),
        with(held("INSIDE", "tt"), json!({"checked_in_at": "2026-10-31T22:00:00Z", "checked_in_by": "Gate 7"})),
        with(
            held("TAKEN-BACK", "tt"),
            json!({"checked_in_at": "2026-10-31T22:00:00Z", "checked_in_by": "Gate 7", "cancelled_at": "2026-10-31T23:00:00Z"}),
        ),
        with(held("STAFF", "tt"), json!({"hidden": true})),
    ];
    lines.extend((0..8).map(|number| held(&format!("GOOD-{number}"), "tt")));
    world.import(producer.tenant, &lines).await;
    producer
}

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

fn stations(names: &[&str]) -> Stations {
    Stations::new(names.iter().map(|text| name(text))).unwrap()
}

async fn scan(client: &Client, token: &str, code: &str, scan_id: &str) -> Answer {
    post(client, token, "scan", &json!({"code": code, "scan_id": scan_id})).await
}

async fn post(client: &Client, token: &str, call: &str, body: &Value) -> Answer {
    client.post(&format!("/door/v1/{call}"), &[("authorization", &format!("Bearer {token}"))], body).await
}

async fn outcome(client: &Client, token: &str, code: &str, scan_id: &str) -> String {
    let answer = scan(client, token, code, scan_id).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["outcome"].as_str().unwrap().to_owned()
}

both_engines![
    every_code_gets_its_answer_and_no_personal_data,
    bad_input_is_named_and_changes_nothing,
    the_same_scan_gets_the_same_answer,
    an_upload_answers_each_scan_and_reports_conflicts,
    a_link_opens_its_door_until_it_ends_and_nothing_else,
    a_pin_is_asked_for_and_cannot_be_found_by_trying,
    scanning_is_limited_by_link_and_by_address,
    slow_phones_hold_up_nobody,
    who_was_told_to_come_back_does_not_enter_behind_everybodys_back,
    the_offline_list_holds_hashes_of_what_the_link_admits,
    the_counters_follow_every_move,
    at_many_stations_at_once_a_ticket_enters_once,
];

async fn every_code_gets_its_answer_and_no_personal_data(world: World) {
    let producer = a_night(&world).await;
    let stranger = world.producer("pr_b").await;
    world.import(stranger.tenant, &[event("ev"), ticket_type("tt", "ev"), ticket("THEIRS", "ev", "tt")]).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[Category::Ticket]).await;

    world.step(Duration::from_secs(60));
    let admitted = post(
        &world.client,
        &gate,
        "scan",
        &json!({"code": " GOOD-0\n", "scan_id": "s1", "station": "Gate 1", "scanned_at": "2026-11-01T11:59:00+01:00"}),
    )
    .await;
    let shown = json!({"name": ANA, "ticket_type": {"id": "tt", "name": "Type tt", "category": "ticket"}, "event": {"id": "ev", "name": "Event ev"}, "group": null, "door_note": null, "ticket_type_note": null});
    let now = "2026-11-01T12:01:00.000000Z";
    assert_eq!(
        admitted.json(),
        json!({"scan_id": "s1", "outcome": "admitted", "ticket": shown, "first_scan": null, "accepted_at": now})
    );
    let read = world.client.get("/api/v1/tickets/GOOD-0", &producer.key).await.json();
    assert_eq!((&read["status"], &read["checked_in_by"]), (&json!("scanned"), &json!("Gate 1")));
    assert_eq!(read["checked_in_at"], "2026-11-01T12:01:00.000000Z", "the time of acceptance, not the phone's");

    let again = scan(&world.client, &gate, "GOOD-0", "s2").await.json();
    let first = json!({"scanned_at": "2026-11-01T12:01:00.000000Z", "station": "Gate 1"});
    let accepted_at = again["accepted_at"].clone();
    assert_eq!(
        again,
        json!({"scan_id": "s2", "outcome": "already_scanned", "ticket": shown, "first_scan": first, "accepted_at": accepted_at})
    );
    assert!(accepted_at.as_str().unwrap() > now);
    assert_eq!(outcome(&world.client, &gate, "good-1", "s3").await, "admitted", "typed without capitals");

    let mut texts = String::new();
    for (code, expected, names, was_inside) in [
        ("INSIDE", "already_scanned", true, true),
        ("TAKEN-BACK", "cancelled", true, true),
        ("GONE", "cancelled", true, false),
        ("BACK", "refunded", true, false),
        ("PASSED", "transferred", true, false),
        ("BEER", "not_here", false, false),
        ("OTHER", "wrong_event", false, false),
        ("STAFF", "admitted", true, false),
    ] {
        let answer = scan(&world.client, &gate, code, code).await;
        let json = answer.json();
        assert_eq!(json["outcome"], expected, "{code}");
        assert_eq!(json["ticket"]["name"] == ANA, names, "{code}: {json}");
        assert_eq!(json["first_scan"].is_object(), was_inside, "{code}: {json}");
        texts += &answer.text;
    }
    let other = scan(&world.client, &gate, "OTHER", "s4").await.json();
    assert_eq!(other["ticket"]["event"]["name"], "Event ev_other", "people are told where to go");
    assert!(!texts.contains("NEW-ONE"), "a code that was passed on does not tell the new one");
    for (number, code) in
        ["THEIRS", "NO-SUCH", "%00", "a\u{0}b", "ñandú 🎟", &"x".repeat(129), &"x".repeat(4_296)].into_iter().enumerate()
    {
        let answer = scan(&world.client, &gate, code, &format!("u{number}")).await.json();
        assert_eq!(
            (&answer["outcome"], &answer["ticket"], &answer["first_scan"]),
            (&json!("unknown"), &Value::Null, &Value::Null)
        );
    }
    let (bar, _) = world.door(producer.tenant, "ev", &[Category::Merchandise]).await;
    assert_eq!(outcome(&world.client, &bar, "GOOD-2", "b1").await, "not_here");
    assert_eq!(outcome(&world.client, &bar, "BEER", "b2").await, "admitted");

    for call in ["/door/v1/counts", "/door/v1/codes"] {
        texts += &world.client.get(call, &gate).await.text;
    }
    texts += &post(&world.client, &gate, "open", &json!({})).await.text;
    // Hashes of codes may have any few letters by chance.
    for secret in ["ana@example.com", "+34 600", "\"X-1\"", "at_01"] {
        assert!(!texts.contains(secret), "{secret} in {texts}");
    }
    assert_eq!(world.findings().await, []);
}

async fn bad_input_is_named_and_changes_nothing(world: World) {
    let producer = a_night(&world).await;
    let scope = Scope { categories: vec![Category::Ticket], ticket_types: vec![] };
    let stations = stations(&["Gate 1", "Gate 2"]);
    let (gate, _) = world
        .door_link(producer.tenant, NewDoorLink { label: name("Gates"), scope, stations, ..World::new_door("ev", &[]) })
        .await;
    let good = json!({"code": "GOOD-0", "scan_id": "s"});
    for (body, param) in [
        (with(good.clone(), json!({"code": ""})), "code"),
        (with(good.clone(), json!({"code": " \n"})), "code"),
        (with(good.clone(), json!({"code": "x".repeat(10_000)})), "code"),
        (with(good.clone(), json!({"code": 7})), "code"),
        (with(good.clone(), json!({"scan_id": ""})), "scan_id"),
        (with(good.clone(), json!({"scan_id": "x".repeat(129)})), "scan_id"),
        (with(good.clone(), json!({"scan_id": "a\u{0}"})), "scan_id"),
        (with(good.clone(), json!({"station": "Gate 3"})), "station"),
        (with(good.clone(), json!({"scanned_at": "yesterday"})), "scanned_at"),
        (with(good.clone(), json!({"surprise": true})), "surprise"),
        (json!({"code": "GOOD-0"}), "scan_id"),
        (json!([]), "body"),
    ] {
        let answer = post(&world.client, &gate, "scan", &body).await;
        let (status, code, named) = answer.problem();
        assert_eq!((status, code.as_str()), (400, "invalid_body"), "{body}");
        if param != "body" {
            assert_eq!(named.as_deref(), Some(param), "{body}: {}", answer.text);
        }
    }
    let (status, code, _) = post(&world.client, &gate, "open", &json!([null])).await.problem();
    assert_eq!((status, code.as_str()), (400, "invalid_body"), "a list is no object");
    let bearer = format!("Bearer {gate}");
    let plain = world
        .client
        .send(Method::POST, "/door/v1/scan", &[("authorization", &bearer), ("content-type", "text/plain")])
        .await;
    assert_eq!(plain.problem(), problem(415, "unsupported_media_type", None));
    let large = with(good.clone(), json!({"code": "x".repeat(1024 * 1024)}));
    assert_eq!(post(&world.client, &gate, "scan", &large).await.problem(), problem(413, "body_too_large", None));
    assert_eq!(world.client.send(Method::GET, "/door/v1/scan", &[]).await.status, 405);
    let many: Vec<Value> =
        (0..=SCANS_MAX).map(|number| json!({"code": "GOOD-0", "scan_id": format!("m{number}")})).collect();
    assert_eq!(
        post(&world.client, &gate, "scans", &json!({"scans": many})).await.problem(),
        problem(400, "invalid_body", Some("scans"))
    );
    assert_eq!(post(&world.client, &gate, "scans", &json!({"scans": []})).await.json(), json!({"results": []}));
    assert_eq!(world.contents(&[]).await["scans"].len(), 0, "nothing was kept");

    // If the device names no station, it is the link's only station, or else the link's label.
    let said = post(&world.client, &gate, "scan", &good).await;
    assert_eq!(said.json()["outcome"], "admitted");
    assert_eq!(world.client.get("/api/v1/tickets/GOOD-0", &producer.key).await.json()["checked_in_by"], "Gates");
}

async fn the_same_scan_gets_the_same_answer(world: World) {
    let producer = a_night(&world).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    let first = scan(&world.client, &gate, "GOOD-0", "s1").await;
    world.step(Duration::from_secs(3600));
    boxoffice::cancel(&world.store, producer.tenant, "GOOD-0", world.now()).await.unwrap();
    assert_eq!(
        scan(&world.client, &gate, "GOOD-0", "s1").await.json(),
        first.json(),
        "also when the ticket has changed since"
    );
    let (another, _) = world.door(producer.tenant, "ev", &[]).await;
    assert_eq!(
        scan(&world.client, &another, "GOOD-0", "s1").await.json(),
        first.json(),
        "and through another link of the producer"
    );
    assert_eq!(
        scan(&world.client, &gate, "GOOD-1", "s1").await.problem(),
        problem(409, "scan_id_reused", None),
        "never for another code"
    );
    assert_eq!(world.client.get("/api/v1/tickets/GOOD-1", &producer.key).await.json()["status"], "valid");

    // The same scan sent several times at once, as a phone with bad signal does.
    let sent: Vec<_> = (0..12)
        .map(|_| {
            let (client, gate) = (world.client.clone(), gate.clone());
            tokio::spawn(async move { outcome(&client, &gate, "GOOD-2", "s2").await })
        })
        .collect();
    for answer in sent {
        assert_eq!(answer.await.unwrap(), "admitted");
    }
    let log = &world.contents(&[]).await["scans"];
    assert_eq!(log.len(), 2, "{log:?}");
    assert_eq!(world.findings().await, []);
}

async fn an_upload_answers_each_scan_and_reports_conflicts(world: World) {
    let producer = a_night(&world).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[Category::Ticket]).await;
    let named =
        NewDoorLink { label: name("Replacement"), stations: stations(&["Gate 2"]), ..World::new_door("ev", &[]) };
    let (replacement, _) = world.door_link(producer.tenant, named).await;
    let moved = post(
        &world.client,
        &replacement,
        "scans",
        &json!({"scans": [{"code": "GOOD-6", "scan_id": "m1", "station": "Gate 1"}]}),
    )
    .await;
    assert_eq!(
        moved.json()["results"][0]["outcome"],
        "admitted",
        "what was kept under another link keeps its station: {}",
        moved.text
    );
    assert_eq!(world.client.get("/api/v1/tickets/GOOD-6", &producer.key).await.json()["checked_in_by"], "Gate 1");
    let (elsewhere, _) = world.door(producer.tenant, "ev", &[]).await;
    post(&world.client, &elsewhere, "scan", &json!({"code": "GOOD-1", "scan_id": "e1", "station": "Gate 9"})).await;
    world.step(Duration::from_secs(60));
    let kept = |code: &str, id: &str| json!({"code": code, "scan_id": id, "station": "Gate 1", "scanned_at": "2026-10-31T21:00:00Z"});
    let upload = json!({"scans": [
        kept("GOOD-0", "k0"), kept("GOOD-1", "k1"), kept("", "k2"), kept("GOOD-0", "k3"), kept("GOOD-2", "k0"),
        with(kept("GOOD-3", "k4"), json!({"turned_away": true})), kept("NO-SUCH", "k5"), "what", kept("BEER", "k6"),
        {"code": "GOOD-4", "scan_id": "k7", "surprise": 1}, kept("GOOD-4", "k8"),
    ]});
    let answer = post(&world.client, &gate, "scans", &upload).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let results = answer.json()["results"].as_array().unwrap().clone();
    let told: Vec<(&str, &str)> = results
        .iter()
        .map(|result| {
            (
                result["scan_id"].as_str().unwrap_or("–"),
                result["outcome"].as_str().or(result["error"]["code"].as_str()).unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("k0", "admitted"),
            ("k1", "already_scanned"),
            ("k2", "invalid_body"),
            ("k3", "already_scanned"),
            ("k0", "scan_id_reused"),
            ("k4", "turned_away"),
            ("k5", "unknown"),
            ("–", "invalid_body"),
            ("k6", "not_here"),
            ("k7", "invalid_body"),
            ("k8", "admitted"),
        ]
    );
    assert_eq!(results[1]["first_scan"]["station"], "Gate 9", "a conflict says where the first was");
    assert_eq!(results[3]["first_scan"]["station"], "Gate 1", "also within one upload");
    let read = async |id: &str| world.client.get(&format!("/api/v1/tickets/{id}"), &producer.key).await.json();
    assert_eq!(read("GOOD-0").await["checked_in_at"], "2026-11-01T12:01:00.000000Z", "stamped when it was accepted");
    assert_eq!(read("GOOD-3").await["status"], "valid", "who was turned away did not enter");
    assert_eq!(read("GOOD-2").await["status"], "valid");

    // The same upload again: the same answers, and nothing new.
    let before = world.contents(&[]).await;
    let again = post(&world.client, &gate, "scans", &upload).await;
    assert_eq!(again.json(), answer.json());
    let after = world.contents(&[]).await;
    for table in ["scans", "outbox", "tickets"] {
        assert_eq!(before[table], after[table], "{table}");
    }
    assert!(
        before["scans"].iter().any(|line| line.contains("|k4|") && line.contains("turned_away")),
        "but it is in the log"
    );
    let device_time = Stamp::parse("2026-10-31T21:00:00Z").unwrap().micros().to_string();
    assert!(
        before["scans"].iter().filter(|line| line.contains("|k")).all(|line| line.contains(&device_time)),
        "with the phone's own time"
    );
    let told = before["outbox"].iter().filter(|line| line.contains("ticket.scanned")).count();
    assert_eq!(told, 4, "one event for each who entered");
    assert_eq!(world.findings().await, []);
}

async fn a_link_opens_its_door_until_it_ends_and_nothing_else(world: World) {
    let producer = a_night(&world).await;
    let soon = world.now().plus(Duration::from_secs(60));
    let (short, _) = world
        .door_link(
            producer.tenant,
            NewDoorLink {
                label: name("Short"),
                stations: stations(&["Only"]),
                expires_at: Some(soon),
                ..World::new_door("ev", &[])
            },
        )
        .await;
    let (gate, link) = world.door(producer.tenant, "ev", &[]).await;
    let opened = post(&world.client, &gate, "open", &json!({})).await.json();
    assert_eq!(
        (&opened["link"]["label"], &opened["event"]["name"], &opened["pass"]),
        (&json!("Gate"), &json!("Event ev"), &Value::Null)
    );
    assert_eq!(post(&world.client, &short, "scan", &json!({"code": "GOOD-7", "scan_id": "short"})).await.status, 200);
    assert_eq!(world.client.get("/api/v1/tickets/GOOD-7", &producer.key).await.json()["checked_in_by"], "Only");

    let refused = problem(401, "invalid_door_link", None);
    let mistyped = format!("{}x", &gate[..gate.len() - 1]);
    let unknown = taquilla_domain::key::Secret::generate(taquilla_domain::key::Opens::Door).reveal().to_owned();
    world.step(Duration::from_secs(60));
    let (_second, elsewhere) = world.another_server(Config::default()).await;
    assert_eq!(outcome(&elsewhere, &gate, "GOOD-6", "before").await, "admitted");
    admin::door_links::revoke(&world.store, producer.tenant, &link.id, &world.by()).await.unwrap();
    for (path, _) in routes::door_routes() {
        let body = json!({"code": "GOOD-0", "scan_id": "s", "scans": []});
        for token in ["", "x", &mistyped, &unknown, &producer.key, &short, &gate] {
            for client in [&world.client, &elsewhere] {
                let bearer = format!("Bearer {token}");
                let answer = match path.ends_with("counts") || path.ends_with("codes") {
                    true => client.get(path, token).await,
                    false => client.post(path, &[("authorization", &bearer)], &body).await,
                };
                assert_eq!(answer.problem(), refused, "{path} with {token}");
                assert!(answer.header("www-authenticate").unwrap().starts_with("Bearer"));
            }
        }
    }
    // A door link reads nothing of the API, and is not even a key.
    for (path, _) in routes::api_routes() {
        assert_eq!(world.client.get(path, &gate).await.problem(), problem(401, "invalid_token", None), "{path}");
    }
    assert_eq!(world.client.get("/api/v1/tickets/GOOD-0", &producer.key).await.json()["status"], "valid");
}

async fn a_pin_is_asked_for_and_cannot_be_found_by_trying(world: World) {
    let producer = a_night(&world).await;
    let new =
        || NewDoorLink { label: name("VIP"), pin: Some(Pin::parse("4711").unwrap()), ..World::new_door("ev", &[]) };
    let (gate, _) = world.door_link(producer.tenant, new()).await;
    let (other, _) = world.door_link(producer.tenant, new()).await;
    assert_eq!(post(&world.client, &gate, "open", &json!({})).await.problem(), problem(403, "pin_required", None));
    assert_eq!(scan(&world.client, &gate, "GOOD-0", "s").await.problem(), problem(403, "pin_required", None));
    assert_eq!(
        post(&world.client, &gate, "open", &json!({"pin": "0000"})).await.problem(),
        problem(403, "wrong_pin", None)
    );
    let pass =
        post(&world.client, &gate, "open", &json!({"pin": "4711"})).await.json()["pass"].as_str().unwrap().to_owned();
    let bearer = |token: &str| format!("Bearer {token}");
    let with_pass = async |client: &Client, token: &str, pass: &str, id: &str| {
        client
            .post(
                "/door/v1/scan",
                &[("authorization", &bearer(token)), ("door-pass", pass)],
                &json!({"code": "GOOD-0", "scan_id": id}),
            )
            .await
    };
    assert_eq!(with_pass(&world.client, &gate, &pass, "s1").await.json()["outcome"], "admitted");
    let opened_again = world
        .client
        .post("/door/v1/open", &[("authorization", &bearer(&gate)), ("door-pass", &pass)], &json!({}))
        .await;
    assert_eq!(opened_again.json()["pass"], pass.as_str(), "who has shown the PIN need not do so again");
    assert_eq!(
        with_pass(&world.client, &other, &pass, "s2").await.problem(),
        problem(403, "pin_required", None),
        "a pass is one link's"
    );
    assert_eq!(with_pass(&world.client, &gate, "4711", "s3").await.problem(), problem(403, "pin_required", None));

    let mut wrong = 1;
    let limited = loop {
        let answer = post(&world.client, &gate, "open", &json!({"pin": format!("{wrong:04}")})).await;
        if answer.status == 429 {
            break answer;
        }
        assert_eq!(answer.problem(), problem(403, "wrong_pin", None));
        wrong += 1;
    };
    assert_eq!(wrong, WRONG_PINS_MAX);
    assert!(limited.header("retry-after").unwrap().parse::<u32>().unwrap() <= 30);
    assert_eq!(
        post(&world.client, &gate, "open", &json!({"pin": "4711"})).await.status,
        429,
        "the right one is not tried either"
    );
    assert_eq!(
        with_pass(&world.client, &gate, &pass, "s4").await.json()["outcome"],
        "already_scanned",
        "who is in stays in"
    );

    // From another address the same link is still limited; another link is not.
    let (_proxied, client) = world.another_server(Config { trust_proxy: true, ..Config::default() }).await;
    let open = async |token: &str, address: &str, pin: &str| {
        client
            .post(
                "/door/v1/open",
                &[("authorization", &bearer(token)), ("x-forwarded-for", address)],
                &json!({"pin": pin}),
            )
            .await
            .status
            .as_u16()
    };
    for number in 0..WRONG_PINS_MAX {
        assert_eq!(open(&gate, &format!("198.51.100.{number}"), "0000").await, 403);
    }
    assert_eq!(open(&gate, "198.51.100.99", "4711").await, 429);
    assert_eq!(open(&other, "198.51.100.99", "4711").await, 200);
    for _ in 0..WRONG_PINS_MAX {
        open(&other, "203.0.113.7", "0000").await;
    }
    assert_eq!(open(&other, "203.0.113.8", "4711").await, 429, "the link had too many");
}

async fn scanning_is_limited_by_link_and_by_address(world: World) {
    let producer = a_night(&world).await;
    let config = configured(Config::default(), |config| {
        config.rates.door = NonZeroU32::new(1);
        config.trust_proxy = true;
    });
    let (_limited, client) = world.another_server(config).await;
    let links = [world.door(producer.tenant, "ev", &[]).await.0, world.door(producer.tenant, "ev", &[]).await.0];
    let attempt = async |token: &str, address: &str, number: usize| {
        let headers = [("authorization", format!("Bearer {token}")), ("x-forwarded-for", address.to_owned())];
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        client
            .post("/door/v1/scan", &headers, &json!({"code": "NO-SUCH", "scan_id": format!("{address}-{number}")}))
            .await
    };
    let mut allowed = 0;
    while attempt(&links[0], &format!("198.51.{}.{}", allowed / 200, allowed % 200), allowed).await.status == 200 {
        allowed += 1;
    }
    assert_eq!(allowed, 200, "of one link");
    assert_eq!(
        attempt(&links[0], "198.51.100.250", 1).await.problem(),
        problem(429, "rate_limited", None),
        "whatever the address"
    );
    assert_eq!(attempt(&links[1], "198.51.100.250", 2).await.status, 200);
    let mut allowed = 0;
    while attempt(&links[1], "203.0.113.1", allowed).await.status == 200 {
        allowed += 1;
    }
    assert_eq!(allowed, 199, "of one link, from one address");
    for path in ["/door/v1/counts", "/door/v1/codes"] {
        assert_eq!(client.get(path, &links[0]).await.status, 429, "{path}");
    }
    // An upload counts once for each of its scans, and a full one always fits into the burst.
    let third = world.door(producer.tenant, "ev", &[]).await.0;
    let upload: Vec<Value> =
        (0..SCANS_MAX).map(|number| json!({"code": "NO-SUCH", "scan_id": format!("up-{number}")})).collect();
    let send = async |address: &str| {
        client
            .post(
                "/door/v1/scans",
                &[("authorization", &format!("Bearer {third}")), ("x-forwarded-for", address)],
                &json!({"scans": upload}),
            )
            .await
            .status
            .as_u16()
    };
    assert_eq!((send("192.0.2.1").await, send("192.0.2.2").await), (200, 429));
}

async fn slow_phones_hold_up_nobody(world: World) {
    let producer = a_night(&world).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    // More requests than there are connections to PostgreSQL, each with a head and no body.
    let mut slow = Vec::new();
    for path in ["scan", "scans", "open"].iter().cycle().take(POSTGRES_POOL + 8) {
        let mut stream = TcpStream::connect(world.server.address).await.unwrap();
        let head = format!(
            "POST /door/v1/{path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {gate}\r\ncontent-type: application/json\r\ncontent-length: 40\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        slow.push(stream);
    }
    let answered = tokio::time::timeout(PostgresTimeouts::default().wait / 2, async {
        for number in 0..8 {
            assert_eq!(
                outcome(&world.client, &gate, &format!("GOOD-{number}"), &format!("s{number}")).await,
                "admitted"
            );
        }
    });
    answered.await.expect("somebody waited for a slow phone");
}

async fn who_was_told_to_come_back_does_not_enter_behind_everybodys_back(world: World) {
    let producer = a_night(&world).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    let (_hasty, client) = world
        .another_server(configured(Config::default(), |config| config.timeouts.request = Duration::from_secs(1)))
        .await;
    // Another process holds the producer, so scans wait.
    let busy = world.hold(&producer).await;
    let first = scan(&client, &gate, "GOOD-0", "s0").await;
    assert_eq!(first.problem(), problem(503, "unavailable", None));
    let second = scan(&client, &gate, "GOOD-1", "s1").await;
    assert_eq!(second.problem(), problem(503, "unavailable", None));
    drop(busy);
    // The next scan is decided after everything that waited.
    assert_eq!(outcome(&client, &gate, "GOOD-2", "s2").await, "admitted");
    for code in ["GOOD-0", "GOOD-1"] {
        let ticket = world.client.get(&format!("/api/v1/tickets/{code}"), &producer.key).await.json();
        assert_eq!(ticket["status"], "valid", "a scan that was answered 503 was admitted afterwards");
    }
    assert_eq!(outcome(&client, &gate, "GOOD-0", "s0").await, "admitted", "the same scan, sent again");
    assert_eq!(outcome(&client, &gate, "GOOD-1", "s3").await, "admitted", "another scan of the ticket");
    assert_eq!(world.findings().await, []);
}

async fn the_offline_list_holds_hashes_of_what_the_link_admits(world: World) {
    let producer = a_night(&world).await;
    let (gate, link) = world.door(producer.tenant, "ev", &[Category::Ticket]).await;
    let hash = |code: &str| URL_SAFE_NO_PAD.encode(&Sha256::digest(format!("{}:{code}", link.salt))[..12]);
    let list = async |query: &str| world.client.get(&format!("/door/v1/codes{query}"), &gate).await;
    let all = list("").await;
    let codes = all.data();
    let outcome_of = |rows: &[Value], code: &str| {
        rows.iter()
            .find(|row| row["code"] == hash(code).as_str())
            .map(|row| row["outcome"].as_str().unwrap().to_owned())
    };
    for (code, expected) in [
        ("GOOD-0", Some("admitted")),
        ("GONE", Some("cancelled")),
        ("BACK", Some("refunded")),
        ("PASSED", Some("transferred")),
        ("INSIDE", Some("already_scanned")),
        ("BEER", None),
        ("OTHER", None),
        ("STAFF", None),
    ] {
        assert_eq!(outcome_of(&codes, code).as_deref(), expected, "{code}");
    }
    assert_eq!(codes.len(), 14);
    assert!(!all.text.contains("GOOD") && !all.text.contains(ANA));
    let (_, another) = world.door(producer.tenant, "ev", &[]).await;
    assert_ne!(another.salt, link.salt, "lists of two links cannot be compared");

    assert_eq!(
        all.json()["newest"],
        codes.iter().map(|row| row["updated_at"].clone()).max_by_key(|stamp| stamp.to_string()).unwrap()
    );
    // A link with a narrow scope does not get other tickets, but `newest` moves on, so it need not read past them
    // again.
    let (vip, _) = world.door(producer.tenant, "ev", &[Category::Merchandise]).await;
    world.step(Duration::from_secs(1));
    scan(&world.client, &gate, "GOOD-5", "narrow").await;
    let narrow = world.client.get("/door/v1/codes", &vip).await.json();
    let entered = world.client.get("/api/v1/tickets/GOOD-5", &producer.key).await.json()["updated_at"].clone();
    assert_eq!((narrow["data"].as_array().unwrap().len(), &narrow["newest"]), (1, &entered));
    let after =
        world.client.get(&format!("/door/v1/codes?updated_after={}", entered.as_str().unwrap()), &vip).await.json();
    assert_eq!((after["data"].as_array().unwrap().len(), &after["newest"]), (0, &Value::Null));

    let codes = list("").await.data();
    let mark = codes.iter().map(|row| row["updated_at"].as_str().unwrap().to_owned()).max().unwrap();
    assert_eq!(list(&format!("?updated_after={mark}")).await.data().len(), 0);
    world.step(Duration::from_secs(1));
    scan(&world.client, &gate, "GOOD-0", "s").await;
    let passed_on = boxoffice::transfer(
        &world.store,
        producer.tenant,
        "GOOD-1",
        &Person { name: "Bea".into(), ..Person::default() },
        world.now(),
    )
    .await
    .unwrap();
    let news = list(&format!("?updated_after={mark}")).await.data();
    assert_eq!(news.len(), 3);
    assert_eq!(outcome_of(&news, "GOOD-0").as_deref(), Some("already_scanned"));
    assert_eq!(outcome_of(&news, "GOOD-1").as_deref(), Some("transferred"));
    assert_eq!(outcome_of(&news, &passed_on).as_deref(), Some("admitted"));
    assert_eq!(list("?cursor=x").await.problem(), problem(400, "invalid_cursor", Some("cursor")));
    assert_eq!(list("?limit=5").await.problem(), problem(400, "unknown_parameter", Some("limit")));

    // Several pages make one list: nothing twice, nothing left out.
    let more: Vec<Value> = (0..4_500).map(|number| ticket(&format!("M-{number}"), "ev", "tt")).collect();
    world.import(producer.tenant, &more).await;
    let (mut seen, mut query) = (Vec::new(), String::new());
    loop {
        let page = list(&query).await;
        seen.extend(page.data());
        let Some(cursor) = page.json()["next_cursor"].as_str().map(str::to_owned) else { break };
        query = format!("?cursor={cursor}");
    }
    assert_eq!(seen.len(), 4_500 + 15);
    let mut unique: Vec<&str> = seen.iter().map(|row| row["code"].as_str().unwrap()).collect();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), seen.len());
}

async fn the_counters_follow_every_move(world: World) {
    let producer = a_night(&world).await;
    let (tenant, now) = (producer.tenant, world.now());
    let (gate, _) = world.door(tenant, "ev", &[Category::Ticket]).await;
    let (all, _) = world.door(tenant, "ev", &[]).await;
    let counts = async |token: &str| {
        let counts = world.client.get("/door/v1/counts", token).await.json();
        (counts["entered"].as_i64().unwrap(), counts["to_come"].as_i64().unwrap())
    };
    assert_eq!((counts(&gate).await, counts(&all).await), ((1, 9), (1, 10)));
    scan(&world.client, &gate, "GOOD-0", "s0").await;
    scan(&world.client, &gate, "GOOD-0", "s1").await;
    scan(&world.client, &gate, "STAFF", "s2").await;
    assert_eq!(counts(&gate).await, (2, 8), "a staff code is in no count");
    boxoffice::transfer(&world.store, tenant, "GOOD-1", &Person { name: "Bea".into(), ..Person::default() }, now)
        .await
        .unwrap();
    assert_eq!(counts(&gate).await, (2, 8));
    boxoffice::cancel(&world.store, tenant, "GOOD-2", now).await.unwrap();
    boxoffice::cancel(&world.store, tenant, "GOOD-0", now).await.unwrap();
    boxoffice::hide(&world.store, tenant, "GOOD-3", now).await.unwrap();
    assert_eq!(counts(&gate).await, (1, 6));
    let opened = post(&world.client, &gate, "open", &json!({})).await.json();
    assert_eq!(opened["counts"], json!({"entered": 1, "to_come": 6, "entered_here": null, "inside": []}));
    assert_eq!(world.findings().await, []);
}

async fn at_many_stations_at_once_a_ticket_enters_once(world: World) {
    const TICKETS: usize = 25;
    const STATIONS: usize = 16;
    let mut world = world;
    world.server.stop().await;
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    lines.extend((0..TICKETS).map(|number| ticket(&format!("T-{number}"), "ev", "tt")));
    world.import(producer.tenant, &lines).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    // Two server processes on one database.
    let servers: Vec<_> = (0..2)
        .map(|_| {
            let mut command = taquilla(&world.address);
            command.args(["serve", "--listen", "127.0.0.1:0", "--door-rate-limit", "off"]);
            start(command, "listening")
        })
        .collect();
    let clients: Vec<Client> =
        servers.iter().map(|(_, text, _)| Client::new(address_in(text).parse().unwrap())).collect();
    let stations: Vec<_> = (0..STATIONS).map(|station| {
        let (client, gate) = (clients[station % 2].clone(), gate.clone());
        tokio::spawn(async move {
            let mut answers = Vec::new();
            for number in 0..TICKETS {
                let body = json!({"code": format!("T-{number}"), "scan_id": format!("{station}-{number}"), "station": format!("Gate {station}")});
                let answer = post(&client, &gate, "scan", &body).await;
                assert_eq!(answer.status, 200, "{}", answer.text);
                answers.push(answer.json());
            }
            (format!("Gate {station}"), answers)
        })
    }).collect();
    let mut answers = Vec::new();
    for station in stations {
        answers.push(station.await.unwrap());
    }
    for number in 0..TICKETS {
        let admitted: Vec<&str> = answers
            .iter()
            .filter(|(_, told)| told[number]["outcome"] == "admitted")
            .map(|(station, _)| station.as_str())
            .collect();
        assert_eq!(admitted.len(), 1, "ticket {number} entered at {admitted:?}");
        let read = clients[0].get(&format!("/api/v1/tickets/T-{number}"), &producer.key).await.json();
        let first = json!({"scanned_at": read["checked_in_at"], "station": admitted[0]});
        for (_, told) in answers.iter().filter(|(_, told)| told[number]["outcome"] != "admitted") {
            assert_eq!((&told[number]["outcome"], &told[number]["first_scan"]), (&json!("already_scanned"), &first));
        }
    }
    let contents = world.contents(&[]).await;
    assert_eq!(contents["scans"].len(), TICKETS * STATIONS, "every attempt is in the log");
    assert_eq!(contents["outbox"].iter().filter(|line| line.contains("ticket.scanned")).count(), TICKETS);
    assert_eq!(world.findings().await, []);
}
