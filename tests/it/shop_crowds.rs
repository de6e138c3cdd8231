//! A crowd in front of one event: its page is shown from memory, at most a second old, and never with what is not for all.

use serde_json::{Value, json};
use taquilla_domain::{
    config::{SHOP_COPY_KEPT, SHOP_FEW},
    status::TypeStatus,
    text::Name,
};
use taquilla_rules::admin::catalogue::{TicketTypeChange, change_ticket_type};

use crate::harness::{Page, Producer, Server, Staff, World, event, place, ticket_type, with, without_shop_limits};

both_engines![
    few_visitors_are_shown_what_is_read_for_them,
    a_crowd_is_shown_a_copy_that_is_a_second_old_at_most,
    what_a_link_opens_is_in_no_copy_of_others,
    each_language_and_address_has_its_own_copy,
];

const PAGE: &str = "/shop/pr_a/ev";

async fn a_shop(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let lines: [Value; 3] = [
        with(event("ev"), json!({"name": "Aurora Nights", "starts_at": "2026-11-20T20:00:00Z"})),
        with(ticket_type("tt", "ev"), json!({"name": "General", "price": 0, "limit": 1})),
        with(ticket_type("secret", "ev"), json!({"name": "Guests"})),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

/// A browser at a server that counts no visits of one address.
async fn at_an_open_server(world: &World) -> (Server, Staff) {
    let (server, client) = world.another_server(without_shop_limits()).await;
    (server, Staff::new(&client.base))
}

/// So many visits in the present second that the next is one of a crowd.
async fn crowd(browser: &Staff, path: &str) -> Page {
    for _ in 0..SHOP_FEW {
        browser.get(path).await;
    }
    browser.get(path).await
}

async fn sell_out(world: &World) {
    let body = json!({"buyer": {"name": "Ana", "email": "ana@example.com"}, "items": [{"ticket_type_id": "tt", "quantity": 1}]});
    let placed = place(world, "the-last", &body).await;
    assert_eq!(placed.status, 201, "{}", placed.text);
}

async fn rename(world: &World, producer: &Producer, name: &str) {
    let change = TicketTypeChange { name: Some(Name::parse(name).unwrap()), ..TicketTypeChange::default() };
    change_ticket_type(&world.store, producer.tenant, "tt", &change, None, &world.by()).await.unwrap();
}

async fn few_visitors_are_shown_what_is_read_for_them(world: World) {
    let producer = a_shop(&world).await;
    let (_server, ana) = at_an_open_server(&world).await;
    for number in 0..SHOP_FEW {
        let name = format!("Row {number}");
        rename(&world, &producer, &name).await;
        let page = ana.get(PAGE).await;
        assert!(page.text.contains(&name), "{}", page.text);
    }
}

async fn a_crowd_is_shown_a_copy_that_is_a_second_old_at_most(world: World) {
    a_shop(&world).await;
    let (_server, ana) = at_an_open_server(&world).await;
    assert!(!crowd(&ana, PAGE).await.text.contains("Sold out"));
    sell_out(&world).await;
    // The copy is from before, and what else an address says does not make it another page.
    for path in [PAGE.to_owned(), format!("{PAGE}?fbclid=x")] {
        let page = ana.get(&path).await;
        assert!(!page.text.contains("Sold out") && !page.text.contains("fbclid"), "{}", page.text);
    }
    // Who orders is told what is true.
    let form = [("quantity_tt", "1"), ("name", "Ana"), ("email", "ana@example.com"), ("step", "place")];
    let ordered = ana.post(&format!("{PAGE}/order"), &form).await;
    assert_eq!(ordered.status, 422);
    assert!(ordered.text.contains("There is not enough left of this any more."), "{}", ordered.text);
    world.step(SHOP_COPY_KEPT);
    let page = ana.get(PAGE).await;
    assert!(page.text.contains("Sold out"), "{}", page.text);
}

async fn what_a_link_opens_is_in_no_copy_of_others(world: World) {
    let producer = a_shop(&world).await;
    let change = TicketTypeChange { status: Some(TypeStatus::Hidden), ..TicketTypeChange::default() };
    change_ticket_type(&world.store, producer.tenant, "secret", &change, None, &world.by()).await.unwrap();
    let code = world.raw().await.rows("SELECT access_code FROM ticket_types WHERE id = 'secret'").await[0][0].clone();
    let (_server, ana) = at_an_open_server(&world).await;
    let opened = format!("{PAGE}?access_code={code}");
    let page = crowd(&ana, &opened).await;
    assert!(page.text.contains("Guests") && page.text.contains("noindex"), "{}", page.text);
    let page = crowd(&ana, &format!("{PAGE}?promoter=pm_1&coupon=SUMMER&quantity_tt=1")).await;
    for own in ["pm_1", "SUMMER", "<option value=\"1\" selected>"] {
        assert!(page.text.contains(own), "{own}: {}", page.text);
    }
    // Everybody else has a page without any of it, and who has the link has all of it again.
    let page = crowd(&ana, PAGE).await;
    for own in ["Guests", &code, "noindex", "pm_1", "SUMMER", " selected>"] {
        assert!(!page.text.contains(own), "{own}: {}", page.text);
    }
    let page = ana.get(&opened).await;
    assert!(page.text.contains("Guests") && !page.text.contains("pm_1"), "{}", page.text);
    let wrong = crowd(&ana, &format!("{PAGE}?access_code=wrong")).await;
    assert!(!wrong.text.contains("Guests"), "{}", wrong.text);
}

async fn each_language_and_address_has_its_own_copy(world: World) {
    a_shop(&world).await;
    let (_server, ana) = at_an_open_server(&world).await;
    let english = crowd(&ana, PAGE).await;
    let there = english.between("rel=\"canonical\" href=\"", "\"").to_owned();
    let Some((host, _)) = there.strip_prefix("http://").and_then(|rest| rest.split_once('/')) else {
        panic!("{there}");
    };
    assert!(english.text.contains("<html lang=\"en\">"));
    let luis = ana.at(&there[..there.len() - PAGE.len()]).with_header("accept-language", "es");
    let spanish = luis.get(PAGE).await;
    assert!(spanish.text.contains("<html lang=\"es\">"), "{}", spanish.text);
    let other = ana.at(&there[..there.len() - PAGE.len()]).with_header("host", "tickets.example");
    let page = other.get(PAGE).await;
    assert!(page.text.contains("http://tickets.example/shop/pr_a/ev") && !page.text.contains(host), "{}", page.text);
    assert!(ana.get(PAGE).await.text.contains(&there));
}
