//! "Sold" is the same on every page; entrances, things from the bar and bundles stand apart; what is left without a limit is
//! not nothing; and the money is there for those who may see reports.

use serde_json::json;
use taquilla_domain::{config::FRONT_KEPT, role::BuiltInRole};
use taquilla_rules::boxoffice;

use crate::harness::{Producer, Staff, World, cart, event, place, ticket_type, with};

both_engines![
    sold_is_one_thing_on_every_page,
    what_has_no_limit_is_not_sold_out,
    money_of_two_currencies_is_never_added,
    the_front_page_names_the_cheapest_entrance,
];

const PAGE: &str = "/dashboard/p/pr_a";

/// An event with an entrance, a drink and a bundle of both, which begins tomorrow.
async fn shop(world: &World) -> (Producer, Staff) {
    let producer = world.producer("pr_a").await;
    let lines = [
        with(event("ev"), json!({"status": "published", "starts_at": "2026-11-02T20:00:00Z"})),
        with(ticket_type("tt", "ev"), json!({"limit": 10, "price": 1000})),
        with(ticket_type("beer", "ev"), json!({"category": "merchandise", "price": 3})),
        json!({
            "kind": "bundle", "id": "pack", "event_id": "ev", "name": "Pack", "price": 1002, "currency": "EUR", "limit": 5,
            "includes": [{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "beer", "quantity": 1}],
        }),
    ];
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    (producer, ana)
}

/// The same person, whose browser likes Spanish best.
fn in_spanish(world: &World, staff: &Staff) -> Staff {
    staff.at(&world.client.base).with_header("accept-language", "es")
}

/// Sells some of an item and gives the order's id.
async fn sell(world: &World, ana: &Staff, item: &str, quantity: i64) -> String {
    let placed = place(world, &format!("{item}-{quantity}"), &cart(item, quantity)).await.json();
    let id = placed["order"]["id"].as_str().unwrap().to_owned();
    ana.post(&format!("{PAGE}/orders/{id}/approve"), &[]).await.leads_to();
    id
}

/// The figures of the event on a page, with what they are.
fn figures(page: &str) -> Vec<String> {
    let box_of_figures = page.split("event-row\">").nth(1).unwrap_or_default();
    let end = box_of_figures.find("<h2").unwrap_or(box_of_figures.len());
    let figures = box_of_figures[..end].split("<b>").skip(1).filter_map(|part| {
        let (figure, rest) = part.split_once("</b> <span>")?;
        Some(format!("{figure} {}", rest.split_once("</span>")?.0))
    });
    figures.filter(|figure| !figure.ends_with(" entered")).collect()
}

async fn sold_is_one_thing_on_every_page(world: World) {
    let (producer, ana) = shop(&world).await;
    sell(&world, &ana, "tt", 3).await;
    let refunded = sell(&world, &ana, "tt", 2).await;
    sell(&world, &ana, "beer", 4).await;
    sell(&world, &ana, "pack", 1).await;
    place(&world, "held", &cart("tt", 1)).await.json();
    ana.post(&format!("{PAGE}/orders/{refunded}/refund"), &[]).await.leads_to();
    let issued =
        world.raw().await.rows("SELECT id FROM tickets WHERE ticket_type_id = 'beer' AND bundle_id IS NULL").await;
    boxoffice::cancel(&world.store, producer.tenant, &issued[0][0], world.now()).await.unwrap();
    // Three entrances, because two were refunded; of ten, one more is held. A cancelled drink is not sold, but it was paid.
    let expected = [
        "3 entrances sold · 6 left",
        "3 bar and shop sold · no limit",
        "1 bundles sold · 4 left",
        "€4,014 revenue, net of refunds",
    ];
    for page in ["", "/events/ev", "/reports/stock?event=ev"] {
        let shown = ana.get(&format!("{PAGE}{page}")).await.text;
        assert_eq!(figures(&shown), expected, "{page}: {shown}");
    }
    // What was sold on a day is gross, and says so.
    let report = ana.get(&format!("{PAGE}/reports/sales?event=ev")).await.text;
    assert!(report.contains("<dt>Sold, gross</dt>") && report.contains("<dt>Net</dt><dd>€4,014</dd>"), "{report}");
    let kinds = report.split_once("Entrances, bar and bundles</h2>").unwrap().1.split_once("</section>").unwrap().0;
    let cells = |name: &str| -> Vec<String> {
        let row = kinds.split_once(&format!(">{name}</th>")).unwrap_or_else(|| panic!("{name}: {kinds}")).1;
        let row = row.split_once("</tr>").unwrap().0;
        row.split("</td>")
            .filter_map(|cell| Some(cell.rsplit_once('>')?.1.trim().to_owned()))
            .filter(|c| !c.is_empty())
            .collect()
    };
    assert_eq!(cells("Entrances"), ["5", "€5,000", "2", "€2,000", "€3,000"]);
    assert_eq!(cells("Bar and shop"), ["4", "€12", "0", "€0", "€12"]);
    assert_eq!(cells("Bundles"), ["1", "€1,002", "0", "€0", "€1,002"]);
    // In Spanish, too.
    let spanish = in_spanish(&world, &ana).get(&format!("{PAGE}/events/ev")).await.text;
    assert_eq!(figures(&spanish)[0], "3 entradas vendidas · quedan 6", "{spanish}");
    assert_eq!(figures(&spanish)[3], "4014\u{a0}€ ingresos, menos reembolsos");
    // Money is for those who may see reports.
    let dora = world.staff(producer.tenant, "dora@x.example", BuiltInRole::DoorManager).await;
    let shown = dora.get(PAGE).await.text;
    assert_eq!(figures(&shown), expected[..3], "{shown}");
    assert!(!shown.contains('€'), "{shown}");
    assert!(world.findings().await.is_empty());
}

async fn what_has_no_limit_is_not_sold_out(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [
        with(event("ev"), json!({"status": "published", "starts_at": "2026-11-02T20:00:00Z"})),
        with(ticket_type("tt", "ev"), json!({"limit": 1})),
        ticket_type("tt_open", "ev"),
        with(event("off"), json!({"status": "published", "starts_at": "2026-11-03T20:00:00Z"})),
        with(ticket_type("tt_off", "off"), json!({"status": "inactive"})),
    ];
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    sell(&world, &ana, "tt", 1).await;
    let shown = ana.get(&format!("{PAGE}/events/ev")).await.text;
    assert_eq!(figures(&shown)[0], "1 entrances sold · no limit", "{shown}");
    let off = ana.get(&format!("{PAGE}/events/off")).await.text;
    assert_eq!(figures(&off)[0], "0 entrances sold", "nothing is offered: {off}");
    assert!(ana.get(&format!("{PAGE}/reports/stock?event=ev")).await.text.contains(">no limit<"));
}

async fn money_of_two_currencies_is_never_added(world: World) {
    let (producer, ana) = shop(&world).await;
    let there = json!({"currency": "ARS", "status": "published", "timezone": "America/Argentina/Buenos_Aires"});
    let priced = json!({"currency": "ARS", "price": 12500});
    let sold = |id: &str, at: &str| {
        let items = json!([{"ticket_type_id": "tt_far", "quantity": 1, "unit_price": 12500}]);
        let fields = json!({"currency": "ARS", "items": items, "created_at": at});
        with(crate::harness::order(id, "far", "tt_far"), fields)
    };
    // The clock says noon of 1 November, UTC: one was sold on that day by the clocks of Buenos Aires, and one the day before.
    let lines = [
        with(event("far"), there),
        with(ticket_type("tt_far", "far"), priced),
        sold("or_1", "2026-11-01T03:30:00Z"),
        sold("or_2", "2026-11-01T02:30:00Z"),
    ];
    world.import(producer.tenant, &lines).await;
    sell(&world, &ana, "tt", 1).await;
    let money = |page: &str| -> Vec<String> {
        let sales = page.split_once("id=\"sales\"").unwrap().1.split_once("<figure").unwrap().0;
        sales.split("<dd>").skip(1).map(|part| part.split_once("</dd>").unwrap().0.replace('\u{a0}', " ")).collect()
    };
    assert_eq!(money(&ana.get(PAGE).await.text), ["ARS 12,500", "ARS 25,000", "€1,000", "€1,000"]);
    assert_eq!(money(&in_spanish(&world, &ana).get(PAGE).await.text), ["$ 12.500", "$ 25.000", "1000 €", "1000 €"]);
    let dora = world.staff(producer.tenant, "dora@x.example", BuiltInRole::DoorManager).await;
    assert!(!dora.get(PAGE).await.text.contains("id=\"sales\""));
}

async fn the_front_page_names_the_cheapest_entrance(world: World) {
    let producer = world.producer("pr_a").await;
    let on_sale = |id: &str| with(event(id), json!({"status": "published", "starts_at": "2026-11-02T20:00:00Z"}));
    let lines = [
        on_sale("ev"),
        with(ticket_type("tt", "ev"), json!({"price": 25})),
        with(ticket_type("early", "ev"), json!({"price": 10, "limit": 1})),
        with(ticket_type("over", "ev"), json!({"price": 9, "expires_at": "2026-10-31T00:00:00Z"})),
        with(ticket_type("secret", "ev"), json!({"price": 8, "status": "hidden"})),
        with(ticket_type("team", "ev"), json!({"price": 7, "status": "exclusive"})),
        with(ticket_type("beer", "ev"), json!({"price": 3, "category": "merchandise"})),
    ];
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    assert!(ana.get("/").await.text.contains(">from €10<"));
    sell(&world, &ana, "early", 1).await;
    assert!(ana.get("/").await.text.contains(">from €10<"), "it is remembered for a moment");
    world.step(FRONT_KEPT);
    let front = ana.get("/").await.text;
    assert!(front.contains(">from €25<"), "the cheap one is sold out: {front}");
    assert!(in_spanish(&world, &ana).get("/").await.text.contains(">desde 25\u{a0}€<"));
}
