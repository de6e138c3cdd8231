//! Currencies and time zones as people write them: those that there are, and how a wrong one is put right.

use serde_json::{Value, json};
use taquilla_domain::role::BuiltInRole;

use crate::harness::{Page, Producer, Staff, World, cart, event, place, taquilla, ticket_type, with};

both_engines![
    a_currency_that_there_is_not_is_refused_and_the_field_named,
    a_currency_is_corrected_with_all_that_is_sold_until_somebody_orders,
    a_currency_of_before_stays_readable,
    a_city_is_enough_for_a_time_zone,
];

const EVENTS: &str = "/dashboard/p/pr_a/events";

async fn begin(world: &World) -> (Producer, Staff) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    (producer, ana)
}

/// What a command says, and whether it was done.
fn run(world: &World, args: &[&str]) -> (bool, String) {
    let output = taquilla(&world.address).args(args).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

/// Sends the form that changes an event, as it is shown now.
async fn change(ana: &Staff, fields: &[(&str, &str)]) -> Page {
    let path = format!("{EVENTS}/ev/change");
    let stamp = ana.get(&path).await.between("name=\"updated_at\" value=\"", "\"").to_owned();
    ana.post(&path, &[fields, &[("updated_at", stamp.as_str())]].concat()).await
}

async fn read(world: &World, producer: &Producer, path: &str) -> Value {
    world.client.get(&format!("/api/v1/events/{path}"), &producer.key).await.json()
}

async fn a_currency_that_there_is_not_is_refused_and_the_field_named(world: World) {
    let (producer, ana) = begin(&world).await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    let before = world.contents(&[("sessions", "seen_at")]).await;
    let fields = [("name", "Verbena"), ("time_zone", "UTC"), ("currency", "eux")];
    for action in [EVENTS.to_owned(), format!("{EVENTS}/ev/change"), "/dashboard/p/pr_a/settings".to_owned()] {
        let wrong = ana.post(&action, &fields).await;
        assert_eq!(wrong.status, 422, "{action}");
        let said = wrong.between("id=\"currency-error\">", "</p>");
        assert_eq!(said, "There is no such currency. Write the three letters of its code in ISO 4217, such as EUR.");
    }
    for command in [
        &["event", "create", "--name", "E", "--currency", "EUX"][..],
        &["event", "change", "ev", "--currency", "EUX"],
        &["ticket-type", "create", "--event", "ev", "--name", "T", "--price", "1", "--currency", "EUX"],
    ] {
        let (done, said) = run(&world, &[command, &["--producer", "pr_a"]].concat());
        assert!(!done && said.contains("--currency") && said.contains("there is no currency EUX"), "{said}");
    }
    let (done, said) = run(&world, &["producer", "create", "--name", "P", "--currency", "XXX"]);
    assert!(!done && said.contains("there is no currency XXX"), "{said}");
    let line = with(event("new"), json!({"currency": "EUX"}));
    let fault = world.try_import(producer.tenant, &[line]).await.unwrap_err().to_string();
    assert!(fault.starts_with("line 1, field \"currency\": there is no currency EUX"), "{fault}");
    assert_eq!(world.contents(&[("sessions", "seen_at")]).await, before, "nothing was changed");
}

async fn a_currency_is_corrected_with_all_that_is_sold_until_somebody_orders(world: World) {
    let (producer, ana) = begin(&world).await;
    let lines =
        [event("ev"), event("other"), ticket_type("tt", "ev"), ticket_type("tt_2", "ev"), ticket_type("tt_o", "other")];
    world.import(producer.tenant, &lines).await;
    let (before, other) = (read(&world, &producer, "ev").await, read(&world, &producer, "other").await);
    let form = ana.get(&format!("{EVENTS}/ev/change")).await;
    assert_eq!(form.between("name=\"currency\" type=\"text\"", "dir=").trim(), "value=\"EUR\"");
    let fields = [("name", "Verbena"), ("time_zone", "UTC"), ("currency", " ars ")];
    change(&ana, &fields).await.leads_to();
    let after = read(&world, &producer, "ev").await;
    assert_eq!(after["currency"], "ARS");
    assert!(after["updated_at"].as_str() > before["updated_at"].as_str(), "pollers hear of it");
    for item in read(&world, &producer, "ev/ticket-types").await["data"].as_array().unwrap() {
        assert_eq!((&item["currency"], &item["updated_at"]), (&json!("ARS"), &after["updated_at"]));
    }
    assert_eq!(read(&world, &producer, "other").await, other, "the other event is as it was");
    let history = ana.get("/dashboard/p/pr_a/history").await;
    assert!(history.text.contains("ARS"), "{}", history.text);
    let (done, said) = run(&world, &["event", "change", "ev", "--currency", "USD", "--producer", "pr_a", "--json"]);
    assert!(done && said.contains("\"currency\":\"USD\""), "{said}");
    // An order counts whatever becomes of it.
    let placed = place(&world, "key-1", &cart("tt", 1)).await.json()["order"].clone();
    assert_eq!(placed["currency"], "USD");
    let (done, said) = run(&world, &["event", "change", "ev", "--currency", "EUR", "--producer", "pr_a"]);
    assert!(!done && said.contains("currency: the event has orders in USD, so its currency stays"), "{said}");
    let wrong = change(&ana, &fields).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text.contains("Somebody has ordered in USD by now"), "{}", wrong.text);
    let form = ana.get(&format!("{EVENTS}/ev/change")).await;
    assert!(form.text.contains("Currency: USD. It stays") && !form.text.contains("name=\"currency\""));
    let rest = [("name", "Verbena II"), ("time_zone", "UTC")];
    change(&ana, &rest).await.leads_to();
    let now = read(&world, &producer, "ev").await;
    assert_eq!((&now["name"], &now["currency"]), (&json!("Verbena II"), &json!("USD")));
    assert!(world.findings().await.is_empty());
}

async fn a_currency_of_before_stays_readable(world: World) {
    let (producer, ana) = begin(&world).await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    world.raw().await.batch("UPDATE events SET currency = 'PTS'; UPDATE ticket_types SET currency = 'PTS'").await;
    change(&ana, &[("name", "Renamed"), ("time_zone", "UTC"), ("currency", "PTS")]).await.leads_to();
    assert_eq!(read(&world, &producer, "ev").await["name"], "Renamed");
    ana.post(&format!("{EVENTS}/ev/duplicate"), &[("name", "Again")]).await.leads_to();
    assert_eq!(place(&world, "key-1", &cart("tt", 1)).await.json()["order"]["currency"], "PTS");
}

async fn a_city_is_enough_for_a_time_zone(world: World) {
    let (producer, ana) = begin(&world).await;
    world.import(producer.tenant, &[event("ev")]).await;
    let zone = async |typed: &str| {
        let fields = [("name", "Verbena"), ("time_zone", typed), ("currency", "EUR")];
        change(&ana, &fields).await
    };
    for (typed, name) in [
        ("madrid", "Europe/Madrid"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires"),
        ("ciudad de méxico", "America/Mexico_City"),
    ] {
        zone(typed).await.leads_to();
        assert_eq!(read(&world, &producer, "ev").await["timezone"], name);
    }
    let several = zone("nicosia").await;
    assert_eq!(several.status, 422);
    assert!(
        several.text.contains("This may mean Asia/Nicosia, Europe/Nicosia. Write one of them."),
        "{}",
        several.text
    );
    assert!(zone("atlantis").await.text.contains("There is no such time zone."));
    let settings = [("name", "Sala"), ("time_zone", "bogotá"), ("currency", "cop")];
    ana.post("/dashboard/p/pr_a/settings", &settings).await.leads_to();
    let page = ana.get("/dashboard/p/pr_a/settings").await;
    assert!(page.text.contains("list=\"zones\" value=\"America/Bogota\""), "{}", page.text);
    let (done, said) = run(&world, &["event", "change", "ev", "--timezone", "madrid", "--producer", "pr_a", "--json"]);
    assert!(done && said.contains("Europe/Madrid"), "{said}");
    let (done, said) = run(&world, &["event", "change", "ev", "--timezone", "nicosia", "--producer", "pr_a"]);
    assert!(!done && said.contains("nicosia may be any of Asia/Nicosia, Europe/Nicosia; name one of them"), "{said}");
}
