//! Finding things on the command line: lists, searches, and what is shown of one thing.

use std::process::{Command, Output};

use serde_json::{Value, json};
use taquilla_rules::boxoffice;

use crate::harness::{Producer, World, event, order, taquilla, ticket, ticket_type, with};

fn run_for(world: &World, producer: &str, arguments: &[&str]) -> Output {
    taquilla(&world.address).env("TAQUILLA_PRODUCER", producer).args(arguments).output().unwrap()
}

fn run(world: &World, arguments: &[&str]) -> Output {
    run_for(world, "pr_a", arguments)
}

fn text(world: &World, arguments: &[&str]) -> String {
    let output = run(world, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(world: &World, arguments: &[&str]) -> Value {
    serde_json::from_str(&text(world, &[arguments, &["--json"]].concat())).unwrap()
}

fn ids(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect()
}

fn found(world: &World, arguments: &[&str]) -> Vec<String> {
    ids(&json(world, arguments)).into_iter().map(str::to_owned).collect()
}

/// What a command says about a mistake, which is no wrong usage.
fn refusal(world: &World, arguments: &[&str]) -> String {
    let output = run(world, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Words in every field of a table that shows one thing.
fn field<'t>(table: &'t str, name: &str) -> &'t str {
    let line = table.lines().find(|line| line.starts_with(&format!(" {name}  "))).unwrap_or_else(|| panic!("{table}"));
    line[name.len() + 1..].trim()
}

/// An event with a bundle, and people with accents.
async fn small_world(world: &World, id: &str) -> Producer {
    let producer = world.producer(id).await;
    let lines = [
        with(
            event("ev"),
            json!({"name": "First night", "starts_at": "2026-12-05T20:00:00Z", "ends_at": "2027-07-01T01:30:00Z", "venue": "The old hall"}),
        ),
        with(event("ev_other"), json!({"starts_at": "2026-12-05T20:00:00Z"})),
        with(ticket_type("tt", "ev"), json!({"name": "Entrance", "limit": 10})),
        ticket_type("tt_beer", "ev"),
        ticket_type("tt_other", "ev_other"),
        json!({"kind": "bundle", "id": "bu", "event_id": "ev", "name": "Pack", "price": 30, "currency": "EUR",
            "includes": [{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "tt_beer", "quantity": 2}]}),
        with(
            order("or_nuria", "ev", "tt"),
            json!({"created_at": "2026-10-01T10:00:00Z", "paid_at": "2026-10-01T10:05:00Z", "payment_id": "pay_7", "buyer": {"name": "Núria Ibáñez", "email": "nuria@example.com", "phone": "+34 600 11", "identity_document": "X-77"}}),
        ),
        with(
            order("or_max", "ev", "tt"),
            json!({"status": "refunded", "created_at": "2026-10-02T10:00:00Z", "buyer": {"name": "Max Rey"}}),
        ),
        with(
            order("or_other", "ev_other", "tt_other"),
            json!({"created_at": "2026-10-03T10:00:00Z", "buyer": {"name": "Nuria Gil", "email": "gil@example.com"}}),
        ),
        with(
            ticket("T-NURIA", "ev", "tt"),
            json!({"order_id": "or_nuria", "attendee": {"name": "Núria Ibáñez", "email": "nuria@example.com", "identity_document": "X-77"}}),
        ),
        with(ticket("T-MAX", "ev", "tt"), json!({"order_id": "or_max", "attendee": {"name": "Max Rey"}})),
        with(
            ticket("T-OTHER", "ev_other", "tt_other"),
            json!({"from_bundle": true, "attendee": {"name": "Nuria Gil", "phone": "+34 700"}}),
        ),
        with(ticket("T-HIDDEN", "ev", "tt"), json!({"hidden": true, "attendee": {"name": "Nuria Staff"}})),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

both_engines![
    a_search_finds_by_every_way,
    a_search_reads_on_until_it_has_enough,
    lists_are_filtered_and_limited,
    what_is_shown_of_one_thing,
    another_producers_rows_never_show,
    what_does_not_exist_is_said,
    the_variable_names_the_producer,
    every_table_fits_80_columns,
    looking_changes_nothing,
];

async fn a_search_finds_by_every_way(world: World) {
    small_world(&world, "pr_a").await;
    let placed = json(
        &world,
        &["order", "create", "--event", "ev", "--item", "tt=1", "--name", "Pau Mas", "--email", "pau@example.com"],
    );
    let (id, reference) = (placed["order"]["id"].as_str().unwrap(), placed["reference"].as_str().unwrap());
    for (words, expected) in [
        (&[id][..], vec![id]),
        (&[reference], vec![id]),
        (&["or_nuria"], vec!["or_nuria"]),
        (&["nuria@example.com"], vec!["or_nuria"]),
        (&["NURIA"], vec!["or_other", "or_nuria"]),
        (&["núria"], vec!["or_other", "or_nuria"]),
        (&["ibanez", "nur"], vec!["or_nuria"]),
        (&["ibanez nur"], vec!["or_nuria"]),
        (&["nuria", "rey"], vec![]),
        (&["x-77"], vec!["or_nuria"]),
        (&["600", "nuria"], vec!["or_nuria"]),
        (&["nuria", "--event", "ev"], vec!["or_nuria"]),
        (&["or_nuria", "--event", "ev_other"], vec![]),
        (&["%"], vec![]),
    ] {
        assert_eq!(found(&world, &[&["order", "search"], words].concat()), expected, "{words:?}");
    }
    for (words, expected) in [
        (&["T-NURIA"][..], vec!["T-NURIA"]),
        (&["t-nur"], vec!["T-NURIA"]),
        (&["nuria"], vec!["T-NURIA", "T-OTHER"]),
        (&["nuria@example.com"], vec!["T-NURIA"]),
        (&["x-77"], vec!["T-NURIA"]),
        (&["+34", "700"], vec!["T-OTHER"]),
        (&["nuria", "--event", "ev_other"], vec!["T-OTHER"]),
        (&["T-MAX", "--event", "ev_other"], vec![]),
        // A hidden ticket is in no list, and is found by its id.
        (&["staff"], vec![]),
        (&["T-HIDDEN"], vec!["T-HIDDEN"]),
    ] {
        let mut found = found(&world, &[&["ticket", "search"], words].concat());
        found.sort();
        assert_eq!(found, expected, "{words:?}");
    }
    assert_eq!(json(&world, &["order", "show", reference])["id"], id);
    assert_eq!(json(&world, &["order", "show", id])["id"], id);
    let nobody = run(&world, &["order", "search", "nobody"]);
    assert_eq!((nobody.status.code(), nobody.stderr), (Some(0), b"There is none.\n".to_vec()));
    let blank = run(&world, &["order", "search", " "]);
    assert!(blank.status.code() == Some(2) && String::from_utf8(blank.stderr).unwrap().contains("no word"));
}

/// The rows of a search are read a thousand at a time. The oldest is found, too, and none is found twice.
async fn a_search_reads_on_until_it_has_enough(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    for number in 0..2_300 {
        let name = if number % 500 == 0 { "Ana Ruiz" } else { "Luis Gil" };
        // Many of one moment, so that parts end between equal stamps.
        let at = format!("2026-10-{:02}T10:00:00Z", 1 + number / 700);
        lines
            .push(with(order(&format!("or_{number}"), "ev", "tt"), json!({"created_at": at, "buyer": {"name": name}})));
        lines.push(with(
            ticket(&format!("T-{number}"), "ev", "tt"),
            json!({"order_id": format!("or_{number}"), "issued_at": at, "attendee": {"name": name}}),
        ));
    }
    world.import(producer.tenant, &lines).await;
    for more in [&[][..], &["--event", "ev"]] {
        let mut orders = found(&world, &[&["order", "search", "ana ruiz"], more].concat());
        orders.sort();
        assert_eq!(orders, ["or_0", "or_1000", "or_1500", "or_2000", "or_500"]);
        let mut tickets = found(&world, &[&["ticket", "search", "ana ruiz"], more].concat());
        tickets.sort();
        assert_eq!(tickets, ["T-0", "T-1000", "T-1500", "T-2000", "T-500"]);
    }
    for what in ["order", "ticket"] {
        let newest = found(&world, &[what, "search", "ana", "--limit", "1"]);
        assert!(newest[0].ends_with("2000") || newest[0].ends_with("1500"), "the newest first: {newest:?}");
        let cut = run(&world, &[what, "search", "gil", "--limit", "2000", "--json"]);
        assert_eq!(ids(&serde_json::from_slice(&cut.stdout).unwrap()).len(), 2_000);
        assert!(String::from_utf8(cut.stderr).unwrap().contains("newest 2000 are shown"));
        let all = run(&world, &[what, "search", "gil", "--limit", "3000", "--json"]);
        let rows: Value = serde_json::from_slice(&all.stdout).unwrap();
        let mut unique = ids(&rows);
        unique.sort_unstable();
        unique.dedup();
        assert_eq!((unique.len(), rows.as_array().unwrap().len()), (2_295, 2_295));
        assert_eq!(all.stderr, b"");
        if what == "order" {
            assert!(rows.as_array().unwrap().iter().all(|order| order["items"][0]["ticket_type_id"] == "tt"));
        }
        // Lists are put together from several pages.
        assert_eq!(found(&world, &[what, "list"]).len(), 50);
        let listed = found(&world, &[what, "list", "--limit", "450"]);
        assert_eq!(listed.iter().collect::<std::collections::BTreeSet<_>>().len(), 450);
        assert_eq!(found(&world, &[what, "list", "--limit", "10000"]).len(), 2_300);
    }
    for wrong in ["0", "10001", "many"] {
        assert_eq!(run(&world, &["order", "list", "--limit", wrong]).status.code(), Some(2), "{wrong}");
    }
}

async fn lists_are_filtered_and_limited(world: World) {
    let producer = small_world(&world, "pr_a").await;
    assert_eq!(found(&world, &["order", "list"]), ["or_other", "or_max", "or_nuria"]);
    assert_eq!(found(&world, &["order", "list", "--event", "ev"]), ["or_max", "or_nuria"]);
    assert_eq!(found(&world, &["order", "list", "--status", "refunded"]), ["or_max"]);
    assert_eq!(
        found(&world, &["order", "list", "--status", "refunded", "--status", "approved", "--event", "ev"]),
        ["or_max", "or_nuria"]
    );
    assert_eq!(found(&world, &["order", "list", "--status", "pending"]), [""; 0]);
    assert_eq!(found(&world, &["ticket", "list"]).len(), 3, "a hidden ticket is in no list");
    assert_eq!(found(&world, &["ticket", "list", "--event", "ev_other"]), ["T-OTHER"]);
    assert_eq!(found(&world, &["ticket", "list", "--order", "or_max"]), ["T-MAX"]);
    assert_eq!(found(&world, &["ticket", "list", "--order", "or_max", "--status", "valid"]), [""; 0]);
    assert_eq!(found(&world, &["ticket", "list", "--status", "refunded", "--event", "ev"]), ["T-MAX"]);
    let mut events = found(&world, &["event", "list"]);
    events.sort();
    assert_eq!(events, ["ev", "ev_other"]);
    assert_eq!(found(&world, &["event", "list", "--limit", "1"]).len(), 1);
    let mut types = found(&world, &["ticket-type", "list", "--event", "ev"]);
    types.sort();
    assert_eq!(types, ["bu", "tt", "tt_beer"]);
    text(&world, &["ticket-type", "change", "tt_beer", "--delete"]);
    assert_eq!(found(&world, &["ticket-type", "list", "--event", "ev"]).len(), 2);
    assert_eq!(found(&world, &["ticket-type", "list", "--event", "ev", "--include-deleted"]).len(), 3);

    // What machines get is what the API sends.
    for (arguments, path) in [
        (&["order", "list"][..], "orders"),
        (&["ticket", "list"], "tickets"),
        (&["event", "list"], "events"),
        (&["ticket-type", "list", "--event", "ev"], "events/ev/ticket-types"),
    ] {
        let sent = world.client.get(&format!("/api/v1/{path}"), &producer.key).await.data();
        assert_eq!(json(&world, arguments), Value::from(sent), "{path}");
    }
    let searched = json(&world, &["ticket", "search", "ibáñez"]);
    assert_eq!(searched[0], world.client.get("/api/v1/tickets/T-NURIA", &producer.key).await.json());

    let table = text(&world, &["order", "list"]);
    assert!(table.contains("Max Rey") && !table.contains("pau@") && !table.contains("email"), "{table}");
    let wide = text(&world, &["order", "list", "--wide"]);
    assert!(wide.contains("nuria@example.com") && wide.contains("2026-10-01 10:00:00Z"), "{wide}");
    world.producer("pr_b").await;
    assert_eq!(found(&world, &["producer", "list"]), ["pr_b", "pr_a"]);
    let limited = run(&world, &["producer", "list", "--limit", "1"]);
    assert!(String::from_utf8(limited.stderr).unwrap().contains("newest 1 are shown"));
}

async fn what_is_shown_of_one_thing(world: World) {
    let Producer { tenant, .. } = small_world(&world, "pr_a").await;
    let shown = text(&world, &["event", "show", "ev"]);
    for (name, value) in [
        ("name", "First night"),
        ("status", "published"),
        ("starts", "2026-12-05 21:00"),
        ("ends", "2027-07-01 03:30"),
        ("time zone", "Europe/Madrid"),
        ("venue", "The old hall"),
    ] {
        assert_eq!(field(&shown, name), value, "{shown}");
    }
    assert!(shown.contains("sold  left") && shown.contains("Entrance"), "{shown}");
    world.raw().await.batch("UPDATE events SET timezone = 'Nowhere/Land' WHERE id = 'ev_other'").await;
    let unknown_zone = text(&world, &["event", "show", "ev_other"]);
    assert_eq!(field(&unknown_zone, "starts"), "2026-12-05 20:00:00Z", "a zone that nobody knows is shown in UTC");
    let event = json(&world, &["event", "show", "ev"]);
    assert_eq!((&event["id"], event["ticket_types"].as_array().unwrap().len()), (&json!("ev"), 3));

    let entrance = text(&world, &["ticket-type", "show", "tt"]);
    assert_eq!((field(&entrance, "sold"), field(&entrance, "left")), ("1 of 10", "9"), "{entrance}");
    let bundle = text(&world, &["ticket-type", "show", "bu"]);
    assert!(bundle.contains("1 × Entrance (tt)") && bundle.contains("2 × Type tt_beer (tt_beer)"), "{bundle}");
    assert_eq!(json(&world, &["ticket-type", "show", "bu"])["includes"][1]["quantity"], 2);
    let code = json(&world, &["ticket-type", "change", "tt_beer", "--status", "hidden"])["access_code"].clone();
    assert_eq!(json(&world, &["ticket-type", "show", "tt_beer"])["access_code"], code);

    assert_eq!(field(&text(&world, &["order", "show", "or_max"]), "buyer"), "Max Rey");
    assert_eq!(field(&text(&world, &["order", "show", "or_nuria"]), "buyer"), "Núria Ibáñez <nuria@example.com>");
    let imported = text(&world, &["order", "show", "or_nuria"]);
    assert_eq!((field(&imported, "reference"), field(&imported, "refunded")), ("–", "–"));
    assert_eq!(field(&imported, "channel"), "import");
    assert_eq!((field(&imported, "payment"), field(&imported, "paid")), ("pay_7", "2026-10-01 10:05:00Z"));
    let sold = ["order", "create", "--event", "ev", "--item", "bu=1", "--name", "Pau", "--approve"];
    let sold = json(&world, &sold);
    let (id, reference) = (sold["order"]["id"].as_str().unwrap(), sold["reference"].as_str().unwrap());
    let approved = text(&world, &["order", "show", id]);
    assert_eq!((field(&approved, "reference"), field(&approved, "channel")), (reference, "box_office"));
    assert!(field(&approved, "paid").starts_with("20") && field(&approved, "refunded") == "–", "{approved}");
    for ticket in found(&world, &["ticket", "list", "--order", id]) {
        assert_eq!(field(&text(&world, &["ticket", "show", &ticket]), "bundle"), "bu");
    }
    let refunded = text(&world, &["order", "refund", id]);
    assert!(field(&refunded, "refunded").starts_with("20"), "{refunded}");
    assert_eq!(field(&text(&world, &["ticket", "show", "T-NURIA"]), "bundle"), "–");
    assert_eq!(field(&text(&world, &["ticket", "show", "T-OTHER"]), "bundle"), "yes, but not known which");

    assert_eq!(field(&text(&world, &["producer", "show", "pr_a"]), "name"), "pr_a Ltd");
    assert_eq!(json(&world, &["producer", "show"])["created_at"], "2026-11-01T12:00:00.000000Z");

    let person = |name: &str| taquilla_domain::person::Person { name: name.into(), ..Default::default() };
    let second = boxoffice::transfer(&world.store, tenant, "T-NURIA", &person("Bea"), world.now()).await.unwrap();
    let third = boxoffice::transfer(&world.store, tenant, &second, &person("Leo"), world.now()).await.unwrap();
    text(&world, &["ticket", "scan", &third, "--station", "Gate 7"]);
    for id in ["T-NURIA", &second, &third] {
        let shown = json(&world, &["ticket", "show", id]);
        assert_eq!(ids(&shown["transfers"]), ["T-NURIA", &second, &third], "from any of them");
        assert_eq!((&shown["id"], &shown["hidden"]), (&json!(id), &json!(false)));
        let table = text(&world, &["ticket", "show", id]);
        let chain: Vec<usize> = ["T-NURIA", &second, &third].iter().map(|id| table.rfind(*id).unwrap()).collect();
        assert!(chain.is_sorted(), "{table}");
    }
    let scanned = text(&world, &["ticket", "show", &third]);
    assert_eq!((field(&scanned, "status"), field(&scanned, "gate")), ("scanned", "Gate 7"));
    assert!(field(&scanned, "entered").starts_with("20"), "{scanned}");
    assert_eq!((field(&scanned, "order"), field(&scanned, "hidden")), ("or_nuria", "no"));
    let hidden = text(&world, &["ticket", "show", "T-HIDDEN"]);
    assert_eq!((field(&hidden, "hidden"), field(&hidden, "entered"), field(&hidden, "order")), ("yes", "–", "–"));
    assert!(!hidden.contains("Who held it"), "{hidden}");
    assert_eq!(json(&world, &["ticket", "show", "T-HIDDEN"])["transfers"], json!([]));
    assert_eq!(field(&text(&world, &["ticket", "show", "T-MAX"]), "attendee"), "Max Rey");

    let made =
        json(&world, &["webhook", "create", "--url", "https://receiver.invalid/hook", "--kind", "ticket.transferred"]);
    let id = made["id"].as_str().unwrap();
    // The world's server would send to it.
    text(&world, &["webhook", "pause", id]);
    let endpoint = json(&world, &["webhook", "show", id]);
    assert_eq!((&endpoint["id"], &endpoint["pending"], &endpoint["failed"]), (&json!(id), &json!(0), &json!(0)));
    assert!(endpoint.get("secret").is_none());
    boxoffice::transfer(&world.store, tenant, "T-OTHER", &person("Leo"), world.now()).await.unwrap();
    assert_eq!(field(&text(&world, &["webhook", "show", id]), "waiting"), "1");

    // A terminal would obey what is in a name that is older than the rule for names.
    world.import(tenant, &[crate::harness::event("ev_bell")]).await;
    world.raw().await.batch("UPDATE events SET name = 'Night\u{1b}[31m\u{7}' WHERE id = 'ev_bell'").await;
    for arguments in [&["event", "list"][..], &["event", "list", "--wide"], &["event", "show", "ev_bell"]] {
        let table = text(&world, arguments);
        assert!(table.contains("Night") && !table.contains(['\u{1b}', '\u{7}']), "{table:?}");
    }
    let raw = text(&world, &["event", "list", "--json"]);
    assert!(raw.contains(r"Night\u001b[31m\u0007"), "{raw:?}");
}

async fn another_producers_rows_never_show(world: World) {
    small_world(&world, "pr_a").await;
    let theirs = world.producer("pr_b").await;
    let lines = [
        event("ev_b"),
        ticket_type("tt_b", "ev_b"),
        with(order("or_b", "ev_b", "tt_b"), json!({"buyer": {"name": "Nuria B", "email": "nuria@example.com"}})),
        with(ticket("T-B", "ev_b", "tt_b"), json!({"order_id": "or_b", "attendee": {"name": "Nuria B"}})),
    ];
    world.import(theirs.tenant, &lines).await;
    let placed = run_for(
        &world,
        "pr_b",
        &["order", "create", "--event", "ev_b", "--item", "tt_b=1", "--name", "Nuria C", "--json"],
    );
    let placed: Value = serde_json::from_slice(&placed.stdout).unwrap();
    let reference = placed["reference"].as_str().unwrap();
    for arguments in [
        &["order", "list", "--wide"][..],
        &["order", "search", "nuria", "--wide"],
        &["order", "search", reference],
        &["order", "search", "or_b"],
        &["ticket", "list", "--wide"],
        &["ticket", "search", "nuria", "--wide"],
        &["ticket", "search", "T-B"],
        &["event", "list", "--wide"],
    ] {
        let table = text(&world, arguments);
        for foreign in ["or_b", "T-B", "ev_b", "Nuria B", "Nuria C", "tt_b "] {
            assert!(!table.contains(foreign), "{arguments:?}: {table}");
        }
    }
    for arguments in [
        &["order", "show", "or_b"][..],
        &["order", "show", reference],
        &["ticket", "show", "T-B"],
        &["event", "show", "ev_b"],
        &["ticket-type", "show", "tt_b"],
        &["ticket-type", "list", "--event", "ev_b"],
        &["order", "list", "--event", "ev_b"],
        &["ticket", "list", "--order", "or_b"],
    ] {
        assert!(refusal(&world, arguments).contains("the producer has no"), "{arguments:?}");
    }
}

async fn what_does_not_exist_is_said(world: World) {
    small_world(&world, "pr_a").await;
    for (arguments, said) in [
        (&["order", "show", "nope"][..], "no order with this number, id or reference; `taquilla order search`"),
        (&["order", "show", "1-NOPE"], "no order with this number, id or reference"),
        (&["ticket", "show", "nope"], "no ticket with this id; `taquilla ticket search`"),
        (&["event", "show", "nope"], "no event nope; `taquilla event list`"),
        (&["ticket-type", "show", "nope"], "no ticket type nope; `taquilla ticket-type list"),
        (&["ticket-type", "list", "--event", "nope"], "no event nope"),
        (&["order", "list", "--event", "nope"], "no event nope"),
        (&["order", "search", "ana", "--event", "nope"], "no event nope"),
        (&["ticket", "list", "--event", "nope"], "no event nope"),
        (&["ticket", "list", "--order", "nope"], "no order nope; `taquilla order search`"),
        (&["ticket", "search", "ana", "--event", "nope"], "no event nope"),
        (&["producer", "show", "nope"], "no producer nope; `taquilla producer list`"),
        (&["webhook", "show", "wh_nope"], "no endpoint wh_nope; `taquilla webhook list"),
        (&["order", "list", "--producer", "nope"], "there is no producer nope"),
    ] {
        assert!(refusal(&world, arguments).contains(said), "{arguments:?}: {}", refusal(&world, arguments));
    }
    let usage = run(&world, &["order", "list", "--status", "lost"]);
    assert_eq!(usage.status.code(), Some(2));
    assert!(String::from_utf8(usage.stderr).unwrap().contains("pending, approved, rejected, refunded"));
}

async fn the_variable_names_the_producer(world: World) {
    small_world(&world, "pr_a").await;
    world.producer("pr_b").await;
    assert_eq!(found(&world, &["event", "list"]).len(), 2);
    assert_eq!(found(&world, &["event", "list", "--producer", "pr_b"]).len(), 0, "a flag wins");
    // Commands that were there before take it, too.
    let made = text(&world, &["order", "create", "--event", "ev", "--item", "tt=1", "--name", "Leo", "--json"]);
    assert!(made.contains("pending"));
    for unset in [None, Some("")] {
        let mut command = taquilla(&world.address);
        command.args(["event", "list"]);
        if let Some(empty) = unset {
            command.env("TAQUILLA_PRODUCER", empty);
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8(output.stderr).unwrap().contains("--producer <ID>"));
    }
}

/// Tables of the longest values that there can be.
async fn every_table_fits_80_columns(world: World) {
    let name = "Ñandú ".repeat(83).trim().to_owned();
    assert!((490..=500).contains(&name.chars().count()));
    let word = "ñ".repeat(500);
    let long = |kind: &str| format!("{kind}-{}", "x".repeat(127 - kind.len()));
    let (ev, tt, bu, or, first, second) = (long("ev"), long("tt"), long("bu"), long("or"), long("T1"), long("T2"));
    let producer = world.producer("pr_a").await;
    let (many, paid) = (1_000_000_000_i64, long("pay"));
    let person = json!({"name": name, "email": word, "phone": word, "identity_document": word});
    let lines = [
        with(event(&ev), json!({"name": name, "venue": word, "starts_at": "2026-12-05T20:00:00Z"})),
        with(event("ev_word"), json!({"name": word})),
        with(
            ticket_type(&tt, &ev),
            json!({"name": word, "limit": many, "price": 1_000_000_000_000_i64, "status": "exclusive"}),
        ),
        json!({"kind": "bundle", "id": bu, "event_id": ev, "name": name, "price": 1, "currency": "EUR",
            "includes": [{"ticket_type_id": tt, "quantity": 2}]}),
        with(
            order(&or, &ev, &tt),
            json!({"buyer": person, "payment_id": paid, "paid_at": "2026-10-05T20:00:00Z", "items": [{"ticket_type_id": tt, "quantity": 400, "unit_price": 2_500_000_000_i64}]}),
        ),
        with(
            ticket(&first, &ev, &tt),
            json!({"order_id": or, "attendee": person, "transferred_at": "2026-10-05T20:00:00Z", "transferred_to_ticket_id": second}),
        ),
        with(
            ticket(&second, &ev, &tt),
            json!({"order_id": or, "attendee": person, "checked_in_at": "2026-10-06T20:00:00Z", "checked_in_by": word}),
        ),
    ];
    world.import(producer.tenant, &lines).await;
    let long_producer = long("pr");
    text(&world, &["producer", "create", "--id", &long_producer, "--name", &name]);
    text(&world, &["key", "create", "--name", &name, "--permission", "EVENTS_READ", "--permission", "TICKETS_READ"]);
    let link = json(
        &world,
        &[
            "door-link",
            "create",
            "--event",
            &ev,
            "--label",
            &word,
            "--station",
            &word,
            "--ticket-type",
            &tt,
            "--public-url",
            "https://tickets.example.com",
        ],
    );
    let link_id = link["id"].as_str().unwrap().to_owned();
    let body = json!({"code": second, "scan_id": "s", "station": word});
    let bearer = format!("Bearer {}", link["token"].as_str().unwrap());
    assert_eq!(world.client.post("/door/v1/scan", &[("authorization", &bearer)], &body).await.status, 200);
    let url = format!("https://receiver.invalid/{}", "x".repeat(1_900));
    let kinds = ["--kind", "order.created", "--kind", "ticket.transferred", "--kind", "ticket.scanned"];
    let hook = json(&world, &[&["webhook", "create", "--url", &url][..], &kinds].concat());
    let hook = hook["id"].as_str().unwrap();
    // The world's server would send to it.
    text(&world, &["webhook", "pause", hook]);
    text(&world, &["order", "create", "--event", &ev, "--item", &format!("{tt}=1"), "--name", &name]);
    text(&world, &["webhook", "events", hook]);
    let raw = world.raw().await;
    raw.batch(&format!(
        "INSERT INTO webhook_attempts (producer_id, endpoint_id, sequence, attempt, attempted_at, duration_ms, status, \
         problem, response) VALUES (1, '{hook}', 1, 1, 1786406400000000, 20000, 500, '{name}', '{word}')"
    ))
    .await;
    raw.batch(&format!(
        "INSERT INTO payments (producer_id, id, outcome, reference, order_id, amount, currency, result, received_at) \
         VALUES (1, '{}', 'paid', '1-A', '{or}', 400000000000000, 'EUR', 'payment_mismatch', 1786406400000000)",
        paid
    ))
    .await;
    text(&world, &["door-link", "revoke", &link_id]);
    let key = json(&world, &["key", "list"])[0]["id"].as_str().unwrap().to_owned();
    text(&world, &["key", "revoke", &key]);

    let copied = [&ev, &tt, &bu, &or, &first, &second, &long_producer, &paid, &url];
    // What is printed, what must be copied from it, and what only `--wide` shows whole.
    let cases: [(&[&str], &[&str], &str); 21] = [
        (&["producer", "list"], &[&long_producer], &name),
        (&["producer", "show", &long_producer], &[&long_producer], ""),
        (&["event", "list"], &[&ev], &word),
        (&["event", "show", &ev], &[&ev, &tt, &bu], &word),
        (&["ticket-type", "list", "--event", &ev], &[&tt, &bu], &name),
        (&["ticket-type", "show", &tt], &[&tt, &ev], &word),
        (&["ticket-type", "show", &bu], &[&bu, &ev], &name),
        (&["order", "list"], &[&or], &word),
        (&["order", "search", "nandu"], &[&or], &name),
        (&["order", "show", &or], &[&or, &ev, &paid], &name),
        (&["ticket", "list"], &[&first, &second], &word),
        (&["ticket", "search", "nandu"], &[&first, &second], &name),
        (&["ticket", "show", &first], &[&first, &second, &ev, &or], &name),
        (&["key", "list"], &[&key], "EVENTS_READ TICKETS_READ"),
        (&["door-link", "list"], &[&link_id], &word),
        (&["door-link", "log", &link_id], &[&second], &word),
        (&["webhook", "list"], &[hook], &url),
        (&["webhook", "show", hook], &[hook, &url], &url),
        (&["webhook", "events", hook], &[], "happened"),
        (&["webhook", "log", hook], &[], &name),
        (&["payment", "list"], &[&paid], "not what the order costs: pay back"),
    ];
    for (arguments, ids, whole) in cases {
        let table = text(&world, arguments);
        for line in table.lines() {
            // Nothing but an id, or a name and an id.
            let alone = copied
                .iter()
                .any(|id| line.trim().strip_suffix(id.as_str()).is_some_and(|name| name.chars().count() < 20));
            assert!(alone || line.chars().count() <= 80, "{arguments:?}: {} columns: {line}", line.chars().count());
        }
        for id in ids {
            assert!(table.split_whitespace().any(|word| word == *id), "{arguments:?} has no {id}:\n{table}");
        }
        let wide = text(&world, &[arguments, &["--wide"]].concat());
        assert!(wide.contains(whole), "{arguments:?} --wide has no {whole}:\n{wide}");
    }
    let ordinary = text(&world, &["event", "list"]);
    assert!(ordinary.contains(" ev_word ") && ordinary.contains("ñ…"), "{ordinary}");
}

async fn looking_changes_nothing(world: World) {
    small_world(&world, "pr_a").await;
    let before = world.contents(&[]).await;
    for arguments in [
        &["producer", "list"][..],
        &["producer", "show"],
        &["event", "list"],
        &["event", "show", "ev"],
        &["ticket-type", "list", "--event", "ev"],
        &["ticket-type", "show", "bu"],
        &["order", "list"],
        &["order", "show", "or_max"],
        &["order", "search", "max"],
        &["ticket", "list"],
        &["ticket", "show", "T-MAX"],
        &["ticket", "search", "max"],
    ] {
        text(&world, arguments);
    }
    assert_eq!(world.contents(&[]).await, before);
}

#[test]
fn shells_accept_the_completions() {
    let completions = |shell: &str| {
        let output = taquilla("sqlite:/nowhere/none.db").args(["completions", shell]).output().unwrap();
        assert!(output.status.success(), "{shell}");
        String::from_utf8(output.stdout).unwrap()
    };
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = completions(shell);
        assert!(script.contains("taquilla") && script.contains("include-deleted"), "{shell}: {script}");
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), completions("bash")).unwrap();
    let checked = Command::new("bash").arg("-n").arg(file.path()).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    // Completes as a person would see it.
    let ask = format!(
        "source {}; COMP_WORDS=(taquilla order se); COMP_CWORD=2; _taquilla taquilla se order; echo \"${{COMPREPLY[*]}}\"",
        file.path().display()
    );
    let answer = Command::new("bash").args(["-c", &ask]).output().unwrap();
    assert_eq!(String::from_utf8(answer.stdout).unwrap().trim(), "search");
    let unknown = taquilla("sqlite:/nowhere/none.db").args(["completions", "tcsh"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
}
