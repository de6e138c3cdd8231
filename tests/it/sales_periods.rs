//! When the sale of an item begins and ends, and how many of it one order must have.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::role::BuiltInRole;

use crate::harness::{Producer, World, cart, event, place, problem, taquilla, ticket_type, with};

both_engines![
    an_item_is_sold_from_its_first_to_its_last_moment,
    one_order_has_as_many_as_it_must,
    staff_are_asked_before_they_sell_fewer,
    the_form_reads_the_period_by_the_clocks_of_the_event,
    a_period_and_a_minimum_that_contradict_themselves_are_refused,
    a_period_and_a_minimum_are_set_at_the_command_line_and_copied,
];

const SELL: &str = "/dashboard/p/pr_a/orders/new";

async fn shop(world: &World, item: Value) -> Producer {
    let producer = world.producer("pr_a").await;
    let starts = json!({"status": "published", "timezone": "Europe/Madrid", "starts_at": "2026-11-20T20:00:00Z"});
    world.import(producer.tenant, &[with(event("ev"), starts), with(ticket_type("tt", "ev"), item)]).await;
    producer
}

/// The item as the shop shows it, if it does.
async fn shown(world: &World) -> Option<Value> {
    let sale = world.client.send(Method::GET, "/shop/v1/pr_a/events/ev", &[]).await.json();
    sale["items"].as_array().unwrap().first().cloned()
}

async fn an_item_is_sold_from_its_first_to_its_last_moment(world: World) {
    let period = json!({"price": 0, "on_sale_from": "2026-11-01T12:00:05Z", "expires_at": "2026-11-01T12:00:10Z"});
    let producer = shop(&world, period).await;
    let item = shown(&world).await.unwrap();
    assert_eq!((&item["on_sale_from"], &item["status"]), (&json!("2026-11-01T12:00:05.000000Z"), &json!("active")));
    let api = world.client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data();
    assert_eq!(api[0]["on_sale_from"], "2026-11-01T12:00:05.000000Z");
    world.step(Duration::from_micros(4_999_999));
    let early = place(&world, "early", &cart("tt", 1)).await;
    assert_eq!(early.problem(), problem(409, "not_yet_on_sale", None));
    assert!(early.text.contains("Its sale begins at 2026-11-01T12:00:05.000000Z"), "{}", early.text);
    // Staff sell it as they sell a draft event.
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let form = ana.get(SELL).await;
    let key = form.between("name=\"key\" value=\"", "\"");
    ana.post(SELL, &[("event", "ev"), ("key", key), ("quantity_tt", "1")]).await.leads_to();
    assert!(ana.get("/dashboard/p/pr_a/events/ev").await.text.contains("not on sale yet"));
    world.step(Duration::from_micros(1));
    assert_eq!(place(&world, "first", &cart("tt", 1)).await.status, 201);
    assert!(!ana.get("/dashboard/p/pr_a/events/ev").await.text.contains("not on sale yet"));
    world.step(Duration::from_micros(4_999_999));
    assert_eq!(place(&world, "last", &cart("tt", 1)).await.status, 201);
    world.step(Duration::from_micros(1));
    assert_eq!(shown(&world).await, None);
    let late = place(&world, "late", &cart("tt", 1)).await;
    assert_eq!(late.problem(), problem(400, "invalid_body", Some("items[0].ticket_type_id")));
    assert_eq!(world.raw().await.rows("SELECT sold FROM ticket_types").await, [["3"]]);
    assert!(world.findings().await.is_empty());
}

async fn one_order_has_as_many_as_it_must(world: World) {
    let producer = shop(&world, json!({"min_per_order": 2, "max_per_order": 3, "limit": 4})).await;
    assert_eq!(shown(&world).await.unwrap()["min_per_order"], 2);
    let api = world.client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data();
    assert_eq!((&api[0]["min_per_order"], &api[0]["on_sale_from"]), (&json!(2), &Value::Null));
    let few = place(&world, "few", &cart("tt", 1)).await;
    assert_eq!(few.problem(), problem(409, "too_few", None));
    assert!(few.text.contains("One order must have 2 of tt at least."), "{}", few.text);
    assert_eq!(place(&world, "many", &cart("tt", 4)).await.problem(), problem(409, "too_many", None));
    assert_eq!(place(&world, "two", &cart("tt", 2)).await.status, 201);
    let output = taquilla(&world.address)
        .args(["order", "create", "--producer", "pr_a", "--event", "ev", "--item", "tt=1", "--name", "Bea"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && told.contains("(too_few)"), "{told}");
    assert!(world.findings().await.is_empty());
}

async fn staff_are_asked_before_they_sell_fewer(world: World) {
    let producer = shop(&world, json!({"min_per_order": 2, "limit": 3})).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let sell = async |past_most: &str| {
        let form = ana.get(SELL).await;
        let key = form.between("name=\"key\" value=\"", "\"");
        let fields = [("event", "ev"), ("key", key), ("quantity_tt", "1"), ("past_most", past_most)];
        ana.post(SELL, &fields).await
    };
    let asked = sell("").await;
    assert_eq!(asked.status, 422);
    assert!(asked.text.contains("Fewer than 2 of Type tt in one order") && asked.text.contains("name=\"past_most\""));
    sell("yes").await.leads_to();
    assert_eq!(world.raw().await.rows("SELECT sold FROM ticket_types").await, [["1"]]);
}

async fn the_form_reads_the_period_by_the_clocks_of_the_event(world: World) {
    let producer = shop(&world, json!({"sort_order": 1})).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let items = "/dashboard/p/pr_a/events/ev/items";
    let new = |changes: &[(&'static str, &'static str)]| {
        let usual = [("kind", "ticket_type"), ("category", "ticket"), ("status", "active"), ("sort_order", "2")];
        let named = [("name", "Early bird"), ("price", "7"), ("max_per_order", "4")];
        usual.into_iter().chain(named).chain(changes.to_vec()).collect::<Vec<_>>()
    };
    let form = ana.get(&format!("{items}/new")).await;
    assert!(form.text.contains("Sale begins") && form.text.contains("name=\"on_sale_from\""), "{}", form.text);
    let before = world.raw().await.rows("SELECT count(*) FROM ticket_types").await;
    for (changes, message) in [
        ([("on_sale_from", "noon"), ("min_per_order", "1")], "Write a date and a time."),
        ([("on_sale_from", ""), ("min_per_order", "0")], "Write a whole number from 1 up."),
        ([("on_sale_from", ""), ("min_per_order", "5")], "One order may have fewer than that at most."),
        ([("on_sale_from", "2026-11-19T10:00"), ("expires_at", "2026-11-19T10:00")], "The sale ends before it begins."),
    ] {
        let wrong = ana.post(items, &new(&changes)).await;
        assert!(wrong.status == 422 && wrong.text.contains(message), "{message}: {}", wrong.text);
        assert!(wrong.text.contains("value=\"Early bird\""), "nothing that was typed is lost");
    }
    assert_eq!(world.raw().await.rows("SELECT count(*) FROM ticket_types").await, before);
    let fine = [("on_sale_from", "2026-11-10T10:00"), ("expires_at", "2026-11-19T10:00"), ("min_per_order", "2")];
    let made = ana.post(items, &new(&fine)).await;
    let (path, _) = made.leads_to().split_once('?').unwrap();
    let rows = "SELECT on_sale_from, expires_at, min_per_order FROM ticket_types WHERE name = 'Early bird'";
    let micros = |text: &str| taquilla_domain::clock::Stamp::parse(text).unwrap().micros().to_string();
    assert_eq!(
        world.raw().await.rows(rows).await,
        [[micros("2026-11-10T09:00:00Z"), micros("2026-11-19T09:00:00Z"), "2".to_owned()]],
        "Madrid is an hour ahead of UTC"
    );
    let page = ana.get(path).await.text;
    assert!(page.contains("<dt>Sale begins</dt><dd>") && page.contains("Tue 10 Nov, 10:00"), "{page}");
    assert!(page.contains("<dt>Fewest in one order</dt><dd>2</dd>"), "{page}");
    let form = ana.get(&format!("{path}/change")).await;
    assert!(form.text.contains("value=\"2026-11-10T10:00\""), "{}", form.text);
    let stamp = form.between("name=\"updated_at\" value=\"", "\"");
    let emptied = [("on_sale_from", ""), ("min_per_order", ""), ("updated_at", stamp)];
    let fields: Vec<(&str, &str)> = new(&[]).into_iter().chain(emptied).collect();
    ana.post(&format!("{path}/change"), &fields).await.leads_to();
    assert_eq!(world.raw().await.rows(rows).await, [["NULL", "NULL", "1"]]);
    let history = world.raw().await.rows("SELECT details FROM audit WHERE action = 'ticket_type.changed'").await;
    assert!(history[0][0].contains("\"on_sale_from\":\"none\"") && history[0][0].contains("\"min_per_order\":\"1\""));
    assert!(world.findings().await.is_empty());
}

async fn a_period_and_a_minimum_that_contradict_themselves_are_refused(world: World) {
    let producer = shop(&world, json!({})).await;
    for (field, wrong) in [
        ("min_per_order", json!({"min_per_order": 0})),
        ("min_per_order", json!({"min_per_order": 11})),
        ("min_per_order", json!({"min_per_order": 2, "max_per_order": 1})),
        ("on_sale_from", json!({"on_sale_from": "soon"})),
        ("expires_at", json!({"on_sale_from": "2026-11-19T10:00:00Z", "expires_at": "2026-11-19T10:00:00Z"})),
    ] {
        let lines = [with(ticket_type("tt_new", "ev"), wrong.clone())];
        let told = world.try_import(producer.tenant, &lines).await.unwrap_err().to_string();
        assert!(told.contains("line 1") && told.contains(field), "{wrong}: {told}");
    }
    let change = |flags: &[&str]| {
        let mut command = taquilla(&world.address);
        command.args(["ticket-type", "change", "tt", "--producer", "pr_a"]).args(flags).output().unwrap()
    };
    for flags in [
        ["--min-per-order", "11", "--name", "x"],
        ["--min-per-order", "0", "--name", "x"],
        ["--on-sale-from", "2026-12-01T00:00:00Z", "--expires-at", "2026-11-30T00:00:00Z"],
    ] {
        assert!(!change(&flags).status.success(), "{flags:?}");
    }
    let kept = world.raw().await.rows("SELECT name, min_per_order, on_sale_from FROM ticket_types").await;
    assert_eq!(kept, [["Type tt", "1", "NULL"]]);
}

async fn a_period_and_a_minimum_are_set_at_the_command_line_and_copied(world: World) {
    let producer = shop(&world, json!({})).await;
    let run = |arguments: &[&str]| -> Value {
        let output = taquilla(&world.address).args(arguments).args(["--producer", "pr_a", "--json"]).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let named = ["ticket-type", "create", "--event", "ev", "--id", "tt_pair", "--name", "Pair", "--price", "9"];
    let set = ["--min-per-order", "2", "--on-sale-from", "2026-11-10T20:00:00Z"];
    let made = run(&[named.as_slice(), &set].concat());
    assert_eq!((&made["min_per_order"], &made["on_sale_from"]), (&json!(2), &json!("2026-11-10T20:00:00.000000Z")));
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let again = [("name", "Again"), ("starts_at", "2027-11-20T21:00")];
    let copied = ana.post("/dashboard/p/pr_a/events/ev/duplicate", &again).await;
    let id = copied.leads_to().split('?').next().unwrap().rsplit('/').next().unwrap().to_owned();
    let copies = run(&["ticket-type", "list", "--event", &id]);
    let copy = copies.as_array().unwrap().iter().find(|item| item["name"] == "Pair").unwrap();
    assert_eq!((&copy["min_per_order"], &copy["on_sale_from"]), (&json!(2), &json!("2027-11-10T20:00:00.000000Z")));
    let emptied = run(&["ticket-type", "change", "tt_pair", "--on-sale-from", "none", "--min-per-order", "1"]);
    assert_eq!((&emptied["min_per_order"], &emptied["on_sale_from"]), (&json!(1), &Value::Null));
}
