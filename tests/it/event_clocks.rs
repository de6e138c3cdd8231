//! An event in another time zone than its producer: whatever tells of it does so by the event's clocks, and names them.

use serde_json::json;
use taquilla_domain::role::BuiltInRole;
use taquilla_rules::boxoffice;

use crate::harness::{World, event, order, ticket, ticket_type, with};

both_engines![every_page_tells_the_hours_of_an_event_by_its_own_clocks];

/// When everything happens: 01:30 in New York, 07:30 in Madrid. The event begins in winter, and was sold in summer.
const NIGHT: &str = "2026-11-21T06:30:00Z";
const BEFORE: &str = "2026-10-21T05:30:00Z";

/// The pages, and whether each names a moment of the event. Those that do say which clocks they go by.
const PAGES: [(&str, bool); 22] = [
    ("", true),
    ("/events", true),
    ("/events/ev", true),
    ("/events/ev/change", false),
    ("/events/ev/items/tt", true),
    ("/orders", true),
    ("/orders/new", true),
    ("/orders/new?event=ev", true),
    ("/orders/or", true),
    ("/orders/or/refund", false),
    ("/orders/or/tickets", true),
    ("/tickets", true),
    ("/door", true),
    ("/door/ev", true),
    ("/door/ev/links", false),
    ("/door/ev/links/new", false),
    ("/reports/sales?event=ev", false),
    ("/reports/orders?event=ev", true),
    ("/reports/entries?event=ev", false),
    ("/reports/no-shows?event=ev", false),
    ("/exports/orders.csv", true),
    ("/exports/tickets.csv", true),
];

async fn every_page_tells_the_hours_of_an_event_by_its_own_clocks(world: World) {
    let producer = world.producer("pr_a").await;
    let there = json!({"name": "Noche", "status": "published", "timezone": "America/New_York", "starts_at": NIGHT});
    world
        .import(
            producer.tenant,
            &[
                with(event("ev"), there),
                with(ticket_type("tt", "ev"), json!({"expires_at": NIGHT})),
                with(order("or", "ev", "tt"), json!({"created_at": BEFORE, "paid_at": BEFORE})),
                with(ticket("CODE-1", "ev", "tt"), json!({"order_id": "or", "issued_at": BEFORE})),
            ],
        )
        .await;
    world.raw().await.batch("UPDATE producers SET time_zone = 'Europe/Madrid'").await;
    boxoffice::scan(&world.store, producer.tenant, "CODE-1", "Gate", stamp(BEFORE)).await.unwrap();
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    for (path, tells) in PAGES {
        let page = ana.get(&format!("/dashboard/p/pr_a{path}")).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(!page.text.contains("07:30"), "{path} is by the producer's clocks: {}", page.text);
        if tells {
            assert!(page.text.contains("01:30"), "{path}: {}", page.text);
            assert!(page.text.contains("America/New_York"), "{path} does not name the clocks: {}", page.text);
        }
    }
    let tickets = ana.get("/dashboard/p/pr_a/tickets").await;
    let path = tickets.between("<th scope=\"row\" data-label=\"Attendee\"><a href=\"", "\"").to_owned();
    let one = ana.get(&path).await;
    assert!(one.text.contains("01:30") && one.text.contains("Times are those of America/New_York."), "{}", one.text);
    assert!(!one.text.contains("07:30"), "{}", one.text);
    let printed = ana.get("/dashboard/p/pr_a/orders/or/tickets").await;
    assert!(
        printed
            .text
            .contains("<span><time datetime=\"2026-11-21T06:30:00Z\">Sat 21 Nov, 01:30 America/New_York</time></span>"),
        "{}",
        printed.text
    );
    let front = world.staff(producer.tenant, "bea@x.example", BuiltInRole::Viewer).await.get("/").await;
    assert!(front.text.contains(">Sat 21 Nov, 01:30 America/New_York<"), "{}", front.text);
}

fn stamp(text: &str) -> taquilla_domain::clock::Stamp {
    taquilla_domain::clock::Stamp::parse(text).unwrap()
}
