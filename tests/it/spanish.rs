//! Spanish pages without English.

use serde_json::json;
use taquilla_domain::role::BuiltInRole;
use taquilla_pages::texts::{Language, Texts, of_import};
use taquilla_store::import::checks::{CHECKS, CHECKS_OF_FILE};

use crate::harness::{Page, World, cart, event, order, place, tell_of_payment, ticket, ticket_type, with};

both_engines![no_page_of_an_organisation_has_english_in_it];

/// Words and codes that no Spanish page has, outside of what people wrote and of code.
const ENGLISH: [&str; 24] = [
    " the ",
    " The ",
    " is ",
    " are ",
    " was ",
    " not ",
    " and ",
    " order ",
    " ticket ",
    " event ",
    " with ",
    " from ",
    " until ",
    "order_not_pending",
    "payment_mismatch",
    "not_found",
    "sold_out",
    "event_not",
    "starts_at",
    "role_before",
    "time_zone ",
    "personal_data ",
    "expires_at ",
    "max_per_order ",
];

/// What a reader sees of a page: without tags, code, what is in another language, and choices of codes.
fn words(page: &Page) -> String {
    let mut text = page.text.split_once("<main").map_or("", |(_, main)| main).to_owned();
    for (begin, end) in [
        ("<code", "</code>"),
        ("<pre", "</pre>"),
        ("class=\"mono\">", "<"),
        ("lang=\"en\"", "</"),
        ("<datalist", "</datalist>"),
    ] {
        while let Some((before, rest)) = text.split_once(begin) {
            let after = rest.split_once(end).map_or("", |(_, after)| after);
            text = format!("{before} {end}{after}");
        }
    }
    let mut words = String::new();
    let mut in_tag = false;
    for letter in text.chars() {
        match letter {
            '<' => in_tag = true,
            '>' => {
                in_tag = false;
                words.push(' ');
            }
            letter if !in_tag => words.push(letter),
            _ => {}
        }
    }
    words
}

async fn no_page_of_an_organisation_has_english_in_it(world: World) {
    let producer = world.producer("pr_a").await;
    let secret = world.connect_processor(&producer).await;
    let named = json!({"name": "Verbena", "venue": "Plaza"});
    let item = json!({"name": "General"});
    let lines = [
        with(event("ev"), named),
        with(ticket_type("tt", "ev"), item),
        with(order("or_old", "ev", "tt"), json!({"status": "refunded"})),
        ticket("T1", "ev", "tt"),
    ];
    world.import(producer.tenant, &lines).await;
    let placed = place(&world, "k1", &cart("tt", 1)).await.json()["order"].clone();
    let id = placed["id"].as_str().unwrap();
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    ana.set_cookie("taquilla-language", "es");
    ana.post(&format!("/dashboard/p/pr_a/orders/{id}/reject"), &[]).await;
    // Money that comes for an order that was decided.
    let total = placed["total"].clone();
    let notice = json!({"payment_id": "pay_1", "reference": placed["reference"], "status": "paid", "amount": total, "currency": placed["currency"]});
    tell_of_payment(&world.client, world.now().micros() / 1_000_000, &notice, &secret).await;
    for page in [
        "",
        "/overview",
        "/events",
        "/events/new",
        "/events/ev",
        "/events/ev/change",
        "/events/ev/items/tt",
        "/events/ev/items/tt/change",
        "/events/ev/duplicate",
        "/events/ev/cancel",
        "/orders",
        "/orders/or_old",
        "/orders/new",
        "/tickets",
        "/payments",
        "/payments/open",
        "/payments/owed",
        "/payments/one?payment=pay_1",
        "/reports",
        "/reports/sales?event=ev",
        "/reports/stock?event=ev",
        "/reports/no-shows?event=ev",
        "/reports/entries?event=ev",
        "/door",
        "/door/ev",
        "/door/ev/links",
        "/door/ev/links/new",
        "/keys",
        "/keys/new",
        "/webhooks",
        "/webhooks/new",
        "/team",
        "/team/invite",
        "/team/roles",
        "/team/roles/new",
        "/people",
        "/data",
        "/imports",
        "/history",
        "/settings",
    ] {
        let shown = ana.get(&format!("/dashboard/p/pr_a{page}")).await;
        if shown.status == 303 {
            continue;
        }
        let words = words(&shown);
        let found: Vec<&str> = ENGLISH.into_iter().filter(|word| words.contains(word)).collect();
        assert!(found.is_empty(), "{page} has {found:?}: {words}");
    }
    let shown = words(&ana.get(&format!("/dashboard/p/pr_a/orders/{id}")).await);
    assert!(shown.contains("El pedido ya estaba decidido cuando llegó el pago."), "{shown}");
    // Refusals: forms with everything wrong.
    for (page, fields) in [
        ("/events", vec![("currency", "EUX"), ("time_zone", "nicosia"), ("starts_at", "x"), ("image_url", "x")]),
        ("/events/ev/items", vec![("price", "1.5"), ("limit", "x"), ("status", "x"), ("expires_at", "x")]),
        ("/keys", vec![]),
        ("/webhooks", vec![("url", "ftp://x")]),
        ("/door/ev/links", vec![("pin", "x"), ("expires_at", "x")]),
        ("/team/invite", vec![("email", "x")]),
        ("/settings", vec![("currency", "x"), ("time_zone", "x")]),
        ("/orders/new", vec![("event", "ev")]),
    ] {
        let wrong = ana.post(&format!("/dashboard/p/pr_a{page}"), &fields).await;
        assert_eq!(wrong.status, 422, "{page}: {}", wrong.text);
        let words = words(&wrong);
        let found: Vec<&str> = ENGLISH.into_iter().filter(|word| words.contains(word)).collect();
        assert!(found.is_empty(), "{page} has {found:?}: {words}");
    }
}

#[test]
fn every_check_of_an_import_is_said_in_spanish() {
    for check in CHECKS.iter().chain(CHECKS_OF_FILE) {
        let said = of_import(Texts(Language::Spanish), &check.message.replace("{}", "VALUE"));
        let said = said.unwrap_or_else(|| panic!("there is no Spanish for: {}", check.message));
        assert_eq!(said.contains("VALUE"), check.message.contains("{}"), "{said}");
    }
}
