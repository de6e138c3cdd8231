//! The first days of an organisation: where to sign in, what to do next, and what a list of events tells.

use serde_json::json;
use taquilla_domain::role::BuiltInRole;

use crate::harness::{Page, Staff, World, cart, event, order, place, ticket, ticket_type, with};

both_engines![
    an_empty_overview_leads_to_the_first_sale,
    a_server_without_users_says_where_it_begins,
    publishing_asks_where_something_is_odd,
    events_are_listed_by_date_with_what_they_sold,
];

const PAGE: &str = "/dashboard/p/pr_a";

/// The next step: its button's address and text.
fn next_step(page: &Page) -> Option<(String, String)> {
    let step = page.text.split_once("aria-current=\"step\"")?.1.split_once("</li>")?.0;
    let (path, rest) = step.split_once("<a class=\"button primary\" href=\"")?.1.split_once("\">")?;
    Some((path.to_owned(), rest.split_once("</a>")?.0.to_owned()))
}

async fn an_empty_overview_leads_to_the_first_sale(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let step = async || next_step(&ana.get(PAGE).await);
    let leads_to = |page: &str, text: &str| Some((format!("{PAGE}{page}"), text.to_owned()));
    let first = ana.get(PAGE).await;
    assert_eq!(next_step(&first), leads_to("/events/new", "Make your first event"), "{}", first.text);
    assert!(!first.text.contains("id=\"tonight\"") && !first.text.contains("id=\"sales\""), "{}", first.text);
    let spanish = ana.at(&world.client.base).with_header("accept-language", "es");
    assert_eq!(next_step(&spanish.get(PAGE).await).unwrap().1, "Crear el primer evento");
    // Whoever may not make events is led nowhere.
    let vera = world.staff(producer.tenant, "vera@x.example", BuiltInRole::Viewer).await;
    let hers = vera.get(PAGE).await.text;
    assert!(!hers.contains("first-steps") && hers.contains("Nothing is on tonight."), "{hers}");
    // An event, what it sells, the publication, the first sale.
    world
        .import(producer.tenant, &[with(event("ev"), json!({"status": "draft", "starts_at": "2026-11-20T20:00:00Z"}))])
        .await;
    assert_eq!(step().await, leads_to("/events/ev/items/new", "Add the first ticket type"));
    world.import(producer.tenant, &[ticket_type("tt", "ev")]).await;
    assert_eq!(step().await, leads_to("/events/ev", "Look at it and publish"));
    let stamp = ana.get(&format!("{PAGE}/events/ev")).await.between("name=\"updated_at\" value=\"", "\"").to_owned();
    ana.post(&format!("{PAGE}/events/ev/publish"), &[("updated_at", &stamp)]).await.leads_to();
    assert_eq!(step().await, leads_to("/orders/new?event=ev", "Sell at the box office"));
    let told = ana.get(PAGE).await.text;
    assert!(told.contains("/shop/pr_a/ev</code>") && told.contains("Event ev</a>"), "{told}");
    let placed = place(&world, "one", &cart("tt", 1)).await.json();
    let id = placed["order"]["id"].as_str().unwrap();
    ana.post(&format!("{PAGE}/orders/{id}/approve"), &[]).await.leads_to();
    let sold = ana.get(PAGE).await;
    assert!(next_step(&sold).is_none() && sold.text.contains("id=\"sales\""), "{}", sold.text);
}

async fn a_server_without_users_says_where_it_begins(world: World) {
    let visitor = Staff::new(&world.client.base);
    let page = visitor.get("/dashboard/sign-in").await.text;
    assert!(page.contains("wrote a link for the first start to its log"), "{page}");
    let producer = world.producer("pr_a").await;
    world.staff(producer.tenant, "ana@x.example", BuiltInRole::Viewer).await;
    let page = visitor.get("/dashboard/sign-in").await.text;
    assert!(!page.contains("first start"), "strangers learn nothing of a server that has begun: {page}");
}

async fn publishing_asks_where_something_is_odd(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [
        with(event("ev_empty"), json!({"status": "draft", "starts_at": "2026-11-20T20:00:00Z"})),
        with(event("ev_over"), json!({"status": "draft", "starts_at": "2026-10-20T20:00:00Z"})),
        with(event("ev_on"), json!({"status": "draft", "starts_at": "2026-11-01T11:00:00Z"})),
        with(event("ev_undated"), json!({"status": "draft"})),
        ticket_type("tt_over", "ev_over"),
        ticket_type("tt_on", "ev_on"),
        ticket_type("tt_undated", "ev_undated"),
    ];
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let publish = async |id: &str, more: &[(&str, &str)]| {
        let page = format!("{PAGE}/events/{id}");
        let stamp = ana.get(&page).await.between("name=\"updated_at\" value=\"", "\"").to_owned();
        let fields = [&[("updated_at", stamp.as_str())], more].concat();
        ana.post(&format!("{page}/publish"), &fields).await
    };
    for (id, why) in [("ev_empty", "It sells nothing yet"), ("ev_over", "This event is over")] {
        let asked = publish(id, &[]).await;
        assert_eq!(asked.status, 422, "{id}");
        assert!(asked.text.contains(why) && asked.text.contains("name=\"sure\""), "{}", asked.text);
        assert!(ana.get(&format!("{PAGE}/events/{id}")).await.text.contains(">draft<"), "nothing was changed");
        publish(id, &[("sure", "yes")]).await.leads_to();
        assert!(ana.get(&format!("{PAGE}/events/{id}")).await.text.contains(">on sale<"));
    }
    for id in ["ev_on", "ev_undated"] {
        publish(id, &[]).await.leads_to();
    }
}

async fn events_are_listed_by_date_with_what_they_sold(world: World) {
    let producer = world.producer("pr_a").await;
    let on = |id: &str, at: &str| with(event(id), json!({"name": id, "status": "published", "starts_at": at}));
    let sold = |id: &str| {
        let items = json!([{"ticket_type_id": "tt", "quantity": 2, "unit_price": 600}]);
        with(order(id, "next", "tt"), json!({"items": items}))
    };
    let lines = [
        on("long-ago", "2025-10-01T20:00:00Z"),
        on("just-over", "2026-10-31T20:00:00Z"),
        on("on-now", "2026-11-01T03:00:00Z"),
        on("later", "2026-12-01T20:00:00Z"),
        on("next", "2026-11-02T20:00:00Z"),
        with(event("undated"), json!({"name": "undated"})),
        ticket_type("tt", "next"),
        with(ticket_type("beer", "next"), json!({"category": "merchandise"})),
        sold("or_1"),
        with(ticket("T1", "next", "tt"), json!({"order_id": "or_1"})),
        with(ticket("T2", "next", "tt"), json!({"order_id": "or_1"})),
        ticket("B1", "next", "beer"),
    ];
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let page = ana.get(&format!("{PAGE}/events")).await.text;
    let names: Vec<&str> = page
        .split("<th scope=\"row\"")
        .skip(1)
        .map(|row| row.split("dir=\"auto\">").nth(1).unwrap().split('<').next().unwrap())
        .collect();
    assert_eq!(names, ["on-now", "next", "later", "undated", "just-over", "long-ago"], "{page}");
    assert!(page.contains(">Wed 1 Oct 2025, 22:00<"), "another year is named: {page}");
    let row = |page: &str, name: &str| {
        page.split_once(&format!(">{name}</a>")).unwrap().1.split_once("</tr>").unwrap().0.to_owned()
    };
    let next = row(&page, "next");
    assert!(next.contains("2 entrances<br>1 from bar and shop") && next.contains(">€1,200<"), "{next}");
    assert!(row(&page, "later").contains(">0</td>") && row(&page, "later").contains(">€0<"));
    let dora = world.staff(producer.tenant, "dora@x.example", BuiltInRole::DoorManager).await;
    let hers = dora.get(&format!("{PAGE}/events")).await.text;
    assert!(row(&hers, "next").contains("2 entrances") && !hers.contains('€'), "{hers}");
}
