//! What an event asks of its buyers: who comes, and terms to accept.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::{config::HOLD, role::BuiltInRole};

use crate::{
    coupons::command,
    harness::{Producer, Staff, World, cart, event, place, problem, taquilla, ticket_type, with},
    shop_checkout::{ANA, ORDER, buyer, details, hidden, post},
};

both_engines![
    no_order_comes_without_those_who_come,
    buyers_name_everybody_on_the_page,
    an_order_needs_the_terms_in_force,
    the_page_takes_no_order_without_the_terms,
    staff_say_what_is_asked,
    what_is_asked_is_imported_and_copied,
];

async fn a_shop(world: &World, more: Value) -> Producer {
    let producer = world.producer("pr_a").await;
    let lines = [
        with(with(event("ev"), json!({"starts_at": "2026-12-01T20:00:00Z"})), more),
        with(ticket_type("tt", "ev"), json!({"name": "General", "sort_order": 1})),
        with(ticket_type("beer", "ev"), json!({"name": "Beer", "category": "merchandise", "sort_order": 2})),
        with(
            ticket_type("pack", "ev"),
            json!({"kind": "bundle", "category": "bundle", "name": "Pack", "sort_order": 3,
                "includes": [{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "beer", "quantity": 1}]}),
        ),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

fn order_for(item: &str, quantity: i64, attendees: Value) -> Value {
    let items = json!([{"ticket_type_id": item, "quantity": quantity, "attendees": attendees}]);
    with(cart(item, quantity), json!({"items": items}))
}

/// The names on the tickets, sorted.
async fn names(world: &World, producer: &Producer) -> Vec<String> {
    let tickets = world.client.get("/api/v1/tickets?limit=200", &producer.key).await.data();
    let mut names: Vec<String> =
        tickets.iter().map(|ticket| ticket["attendee"]["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

async fn no_order_comes_without_those_who_come(world: World) {
    let producer = a_shop(&world, json!({})).await;
    let sale = async || world.client.send(Method::GET, "/shop/v1/pr_a/events/ev", &[]).await.json();
    assert_eq!(sale().await["event"]["attendees_asked"], "none");
    assert_eq!(place(&world, "before", &cart("tt", 2)).await.status, 201);
    let changed = command(&world, &["event", "change", "ev", "--attendees", "name_and_email"]);
    assert_eq!(changed["attendees_asked"], "name_and_email");
    assert_eq!(sale().await["event"]["attendees_asked"], "name_and_email");
    let shown = world.client.get("/api/v1/events", &producer.key).await.data();
    assert_eq!(shown[0]["attendees_asked"], "name_and_email");
    let (luis, eva) = (json!({"name": "Luis", "email": "luis@x.example"}), json!({"name": "Eva"}));
    for (item, attendees, param) in [
        ("tt", json!([]), "items[0].attendees[0].name"),
        ("tt", json!([luis]), "items[0].attendees[1].name"),
        ("tt", json!([{"name": " ", "email": "a@x.example"}, luis]), "items[0].attendees[0].name"),
        ("tt", json!([luis, eva]), "items[0].attendees[1].email"),
        ("pack", json!([luis]), "items[0].attendees[1].name"),
    ] {
        let refused = place(&world, "k", &order_for(item, 2, attendees.clone())).await;
        assert_eq!(refused.problem(), problem(400, "invalid_body", Some(param)), "{item} {attendees}");
    }
    assert_eq!(place(&world, "named", &order_for("tt", 1, json!([luis]))).await.status, 201);
    assert_eq!(place(&world, "beer", &cart("beer", 3)).await.status, 201, "a beer comes with nobody");
    // Staff sell to whom they like.
    command(&world, &["order", "create", "--event", "ev", "--name", "Somebody", "--item", "tt=1", "--approve"]);
    command(&world, &["event", "change", "ev", "--attendees", "none"]);
    assert_eq!(place(&world, "after", &cart("tt", 2)).await.status, 201);
    assert_eq!(world.findings().await, []);
}

async fn buyers_name_everybody_on_the_page(world: World) {
    let producer = a_shop(&world, json!({"attendees_asked": "name_and_email"})).await;
    let ana = buyer(&world);
    let chosen = [("tt", "2"), ("pack", "1"), ("beer", "1")];
    let page = details(&ana, &chosen).await;
    assert_eq!(
        page.text.matches("<fieldset class=\"attendee\">").count(),
        3,
        "a beer comes with nobody: {}",
        page.text
    );
    for token in ["section-attendee-1 name", "section-attendee-1 email", "section-attendee-3 name"] {
        assert!(page.text.contains(&format!("autocomplete=\"{token}\"")), "{token}");
    }
    assert_eq!(page.text.matches("name=\"mine\"").count(), 1);
    let mut fields = hidden(&page, ORDER);
    fields.extend(chosen.iter().map(|(id, quantity)| (format!("quantity_{id}"), (*quantity).to_owned())));
    // One tick copies the buyer. What is missing of the others is said, and nothing is lost.
    let half = [("mine", "0-tt"), ("attendee-name-0-tt", ""), ("attendee-email-0-tt", "")];
    let half = [&half[..], &[("attendee-name-1-tt", "Luis <b>Gil"), ("attendee-email-1-tt", "luis")]].concat();
    let wrong = post(&ana, ORDER, &fields, &[&ANA[..], &half, &[("step", "review")]].concat()).await;
    assert_eq!(wrong.status, 422);
    let summary = wrong.between("<div class=\"error-summary\"", "</div>");
    for (field, message) in [
        ("attendee-email-1-tt", "Write an e-mail address of person 2"),
        ("attendee-name-0-pack", "Write the name of person 3."),
        ("attendee-email-0-pack", "Write an e-mail address of person 3"),
    ] {
        assert!(summary.contains(&format!("<a href=\"#{field}\">{message}")), "{field}: {summary}");
        assert!(wrong.text.contains(&format!("id=\"{field}\"")), "{field}");
    }
    assert_eq!(summary.matches("<li>").count(), 3, "{summary}");
    assert!(wrong.text.contains("value=\"Luis &#60;b&#62;Gil\"") && wrong.text.contains("value=\"luis\""));
    assert!(wrong.text.contains("name=\"mine\" value=\"0-tt\" checked"), "{}", wrong.text);
    let rest = [("attendee-name-1-tt", "Luis Gil"), ("attendee-email-1-tt", "luis@x.example")];
    let rest = [&rest[..], &[("attendee-name-0-pack", "Eva"), ("attendee-email-0-pack", "eva@x.example")]].concat();
    let named = [&ANA[..], &[("mine", "0-tt"), ("attendee-name-0-tt", "")], &rest].concat();
    let review = post(&ana, ORDER, &fields, &[&named[..], &[("step", "review")]].concat()).await;
    let listed = review.between("<ol class=\"who-comes\">", "</ol>");
    assert!(["Ana Ruiz", "Luis Gil", "Eva"].iter().all(|name| listed.contains(name)), "{listed}");
    let confirmed = hidden(&review, ORDER);
    let back = post(&ana, ORDER, &confirmed, &[("step", "details")]).await;
    assert!(back.text.contains("value=\"luis@x.example\"") && back.text.contains("value=\"0-tt\" checked"));
    let path = post(&ana, ORDER, &confirmed, &[("step", "place")]).await.leads_to().to_owned();
    assert_eq!(post(&ana, ORDER, &confirmed, &[("step", "place")]).await.leads_to(), path, "sent twice, bought once");
    // Running out of time loses nothing that was written.
    world.step(HOLD + Duration::from_secs(1));
    let over = ana.get(&path).await;
    let again = hidden(&over, ORDER);
    let value = |name: &str| again.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str());
    assert_eq!(value("attendee-name-0-tt"), Some("Ana Ruiz"));
    assert_eq!(value("attendee-email-1-tt"), Some("luis@x.example"));
    let filled = post(&ana, ORDER, &again, &[]).await;
    assert!(filled.text.contains("value=\"Luis Gil\"") && filled.text.contains("value=\"Eva\""), "{}", filled.text);
    let orders = world.client.get("/api/v1/orders", &producer.key).await.data();
    command(&world, &["order", "approve", orders[0]["id"].as_str().unwrap()]);
    assert_eq!(names(&world, &producer).await, ["Ana Ruiz", "Ana Ruiz", "Eva", "Eva", "Luis Gil"]);
    // More than a page asks for are several orders.
    command(&world, &["ticket-type", "change", "tt", "--max-per-order", "60"]);
    let many: Vec<(String, String)> = vec![("quantity_tt".into(), "51".into())];
    let page = post(&ana, ORDER, &many, &[&ANA[..], &[("step", "review")]].concat()).await;
    assert!(page.status == 422 && page.text.contains("Choose 50 tickets at most"), "{}", page.text);
    assert_eq!(world.findings().await, []);
}

async fn an_order_needs_the_terms_in_force(world: World) {
    let producer = a_shop(&world, json!({})).await;
    let sale = async || world.client.send(Method::GET, "/shop/v1/pr_a/events/ev", &[]).await.json();
    let accepting = |terms: &Value| with(cart("tt", 1), json!({"terms": terms}));
    assert_eq!(sale().await["terms"], Value::Null);
    let first = command(&world, &["terms", "set", "--text", "No dogs.\nNo cats.", "--url", "https://x.example/terms"]);
    let shown = json!({"id": first["id"], "text": "No dogs.\nNo cats.", "url": "https://x.example/terms"});
    assert_eq!((&sale().await["terms"], &first["event_id"]), (&shown, &Value::Null));
    let refused = problem(409, "terms_not_accepted", None);
    assert_eq!(place(&world, "none", &cart("tt", 1)).await.problem(), refused);
    assert_eq!(place(&world, "other", &accepting(&json!("te_other"))).await.problem(), refused);
    let placed = place(&world, "first", &accepting(&first["id"])).await.json();
    // Others replace them, for this event alone. Those of before are not enough any more.
    let second = command(&world, &["terms", "set", "--event", "ev", "--text", "Dogs only."]);
    assert_eq!(sale().await["terms"]["id"], second["id"]);
    assert_eq!(place(&world, "late", &accepting(&first["id"])).await.problem(), refused);
    assert_eq!(place(&world, "second", &accepting(&second["id"])).await.status, 201);
    // The same again are the same, and the event's end before the producer's hold again.
    let same = command(&world, &["terms", "set", "--event", "ev", "--text", " Dogs only. "]);
    assert_eq!(same["id"], second["id"]);
    assert_eq!(command(&world, &["terms", "end", "--event", "ev"])["id"], first["id"]);
    assert_eq!(place(&world, "again", &accepting(&first["id"])).await.status, 201);
    assert_eq!(command(&world, &["terms", "end"]), Value::Null);
    assert_eq!(place(&world, "free", &cart("tt", 1)).await.status, 201);
    assert_eq!(place(&world, "gone", &accepting(&first["id"])).await.status, 201, "nobody has to accept any more");
    // What was accepted stays with the order, whatever became of the terms.
    let id = placed["order"]["id"].as_str().unwrap();
    assert_eq!(command(&world, &["order", "show", id])["terms"], shown);
    let staff = world.staff(producer.tenant, "bea@x.example", BuiltInRole::Administrator).await;
    let page = staff.get(&format!("/dashboard/p/pr_a/orders/{id}")).await.text;
    assert!(page.contains("Accepted when ordering") && page.contains("No dogs.\nNo cats."), "{page}");
    let file = staff.get("/dashboard/p/pr_a/exports/orders.csv").await.text;
    let first_id = first["id"].as_str().unwrap();
    assert_eq!(file.lines().filter(|line| line.ends_with(first_id)).count(), 2, "{file}");
    // Staff sell without.
    command(&world, &["terms", "set", "--text", "No dogs."]);
    command(&world, &["order", "create", "--event", "ev", "--name", "Somebody", "--item", "tt=1", "--approve"]);
    assert_eq!(world.findings().await, []);
}

async fn the_page_takes_no_order_without_the_terms(world: World) {
    let terms = json!({"text": "No <i>dogs</i>.", "url": "https://x.example/terms"});
    a_shop(&world, json!({"terms": terms})).await;
    let ana = buyer(&world);
    let page = details(&ana, &[("tt", "1")]).await;
    assert!(page.text.contains("No &#60;i&#62;dogs") && page.text.contains("href=\"https://x.example/terms\""));
    let mut fields = hidden(&page, ORDER);
    fields.push(("quantity_tt".into(), "1".into()));
    for step in ["review", "place"] {
        let wrong = post(&ana, ORDER, &fields, &[&ANA[..], &[("step", step)]].concat()).await;
        assert_eq!(wrong.status, 422, "{step}");
        assert!(wrong.text.contains("<a href=\"#terms\">Read the terms") && wrong.text.contains("value=\"Ana Ruiz\""));
    }
    let id = command(&world, &["terms", "show", "--event", "ev"])["id"].as_str().unwrap().to_owned();
    let review = post(&ana, ORDER, &fields, &[&ANA[..], &[("terms", id.as_str()), ("step", "review")]].concat()).await;
    assert!(review.text.contains("You have accepted the terms of"), "{}", review.text);
    let confirmed = hidden(&review, ORDER);
    // Others come before it is confirmed: they are shown, and nothing else is to be written again.
    command(&world, &["terms", "set", "--event", "ev", "--text", "Dogs only."]);
    let changed = post(&ana, ORDER, &confirmed, &[("step", "place")]).await;
    assert!(changed.status == 422 && changed.text.contains("Dogs only."), "{}", changed.text);
    assert!(changed.text.contains("<a href=\"#terms\">") && changed.text.contains("value=\"Ana Ruiz\""));
    let id = command(&world, &["terms", "show", "--event", "ev"])["id"].as_str().unwrap().to_owned();
    let mut fields = hidden(&changed, ORDER);
    fields.push(("quantity_tt".into(), "1".into()));
    let accepted = [&ANA[..], &[("terms", id.as_str()), ("step", "place")]].concat();
    assert!(post(&ana, ORDER, &fields, &accepted).await.leads_to().starts_with("/shop/orders/"));
    assert_eq!(world.findings().await, []);
}

async fn staff_say_what_is_asked(world: World) {
    let producer = a_shop(&world, json!({})).await;
    let staff = world.staff(producer.tenant, "bea@x.example", BuiltInRole::Administrator).await;
    let path = "/dashboard/p/pr_a/events/ev/checkout";
    assert!(staff.get("/dashboard/p/pr_a/events/ev").await.text.contains(path));
    assert_eq!(staff.post(path, &[("attendees", "name")]).await.leads_to(), format!("{path}?done=saved"));
    assert!(staff.get(path).await.text.contains("value=\"name\" checked"));
    let of_event = "/dashboard/p/pr_a/events/ev/terms";
    for (fields, message) in [
        ([("text", ""), ("url", "ftp://x.example")], "Write a whole web address"),
        ([("text", "a\u{202e}b"), ("url", "")], "class=\"error-summary\""),
    ] {
        let page = staff.post(of_event, &fields).await;
        assert!(page.status == 422 && page.text.contains(message), "{}", page.text);
    }
    staff.post(of_event, &[("text", "No dogs."), ("url", "")]).await.leads_to();
    assert!(staff.get(path).await.text.contains("No dogs."));
    staff.post("/dashboard/p/pr_a/settings/terms", &[("text", "Of all."), ("url", "")]).await.leads_to();
    assert!(staff.get("/dashboard/p/pr_a/settings/terms").await.text.contains("Of all."));
    assert_eq!(command(&world, &["terms", "show"])["text"], "Of all.");
    assert_eq!(command(&world, &["terms", "show", "--event", "ev"])["text"], "No dogs.");
    // Nothing written means none of its own.
    staff.post(of_event, &[("text", " "), ("url", "")]).await.leads_to();
    assert_eq!(command(&world, &["terms", "show", "--event", "ev"])["text"], "Of all.");
    let history = staff.get("/dashboard/p/pr_a/history").await.text;
    for line in ["Terms made", "Terms ended", "asked of who comes"] {
        assert!(history.contains(line), "{line}: {history}");
    }
    for args in [vec!["terms", "set", "--text", " "], vec!["terms", "set", "--event", "ev_9", "--text", "x"]] {
        let ran = taquilla(&world.address).args(&args).args(["--producer", "pr_a"]).output().unwrap();
        assert_eq!(ran.status.code(), Some(1), "{args:?}");
    }
    assert_eq!(world.findings().await, []);
}

async fn what_is_asked_is_imported_and_copied(world: World) {
    let asks = json!({"attendees_asked": "name", "terms": {"text": "No dogs."}});
    let producer = a_shop(&world, asks).await;
    for (line, fault) in [
        (json!({"attendees_asked": "phone"}), "attendees_asked"),
        (json!({"terms": {}}), "terms.text"),
        (json!({"terms": {"url": "x"}}), "terms.url"),
        (json!({"terms": {"texts": "x"}}), ""),
    ] {
        let faulty = with(event("ev_9"), line.clone());
        let said = world.try_import(producer.tenant, &[faulty]).await.unwrap_err().to_string();
        assert!(said.contains(fault), "{line}: {said}");
    }
    // An event as the API shows it is a line.
    let shown = world.client.get("/api/v1/events/ev", &producer.key).await.json();
    let line = with(with(shown, json!({"kind": "event"})), json!({"id": "ev_2", "created_at": null}));
    world.import(producer.tenant, &[line]).await;
    let staff: Staff = world.staff(producer.tenant, "bea@x.example", BuiltInRole::Administrator).await;
    let copied = staff.post("/dashboard/p/pr_a/events/ev/duplicate", &[("name", "Again")]).await;
    let copy = copied.leads_to().trim_start_matches("/dashboard/p/pr_a/events/").split('?').next().unwrap().to_owned();
    for (id, terms) in [("ev_2", Value::Null), (copy.as_str(), json!("No dogs."))] {
        let event = world.client.get(&format!("/api/v1/events/{id}"), &producer.key).await.json();
        assert_eq!(event["attendees_asked"], "name", "{id}");
        assert_eq!(command(&world, &["terms", "show", "--event", id])["text"], terms, "{id}");
    }
    assert_eq!(world.findings().await, []);
}
