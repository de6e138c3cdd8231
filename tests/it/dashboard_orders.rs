//! Orders in the dashboard: listed, searched, sold at the box office, decided, and what is written down of it.

use serde_json::json;
use sha2::{Digest, Sha256};
use taquilla_domain::{
    key::hexadecimal,
    role::{BuiltInRole, Right},
};
use taquilla_rules::{boxoffice, indexing};

use crate::harness::{Page, Producer, Staff, World, cart, event, order, place, ticket_type, with};

both_engines![
    the_box_office_sells_in_one_form,
    a_form_sent_twice_sells_once,
    another_quantity_in_a_form_that_has_sold_is_another_sale,
    a_form_sent_before_an_upgrade_and_after_it_sells_once,
    what_cannot_be_sold_is_said_beside_the_items,
    orders_are_decided_and_the_history_knows,
    orders_are_listed_page_by_page,
    what_buyers_write_is_never_obeyed,
    who_may_not_see_people_sees_no_people,
];

async fn shop(world: &World) -> (Producer, Staff) {
    let producer = world.producer("pr_a").await;
    let lines = [
        with(event("ev"), json!({"status": "published", "name": "Concert", "starts_at": "2026-11-20T20:00:00Z"})),
        with(event("ev_later"), json!({"status": "published", "name": "Later", "starts_at": "2026-12-20T20:00:00Z"})),
        with(ticket_type("tt", "ev"), json!({"limit": 10, "max_per_order": 4})),
        with(ticket_type("tt_team", "ev"), json!({"status": "exclusive", "name": "Team"})),
        with(ticket_type("tt_off", "ev"), json!({"status": "inactive", "name": "Off sale"})),
    ];
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    (producer, ana)
}

fn key(page: &Page) -> String {
    page.between("name=\"key\" value=\"", "\"").to_owned()
}

async fn sell(staff: &Staff, fields: &[(&str, &str)]) -> Page {
    let key = key(&staff.get("/dashboard/p/pr_a/orders/new").await);
    let fields: Vec<(&str, &str)> =
        [("event", "ev"), ("key", key.as_str())].into_iter().chain(fields.to_vec()).collect();
    staff.post("/dashboard/p/pr_a/orders/new", &fields).await
}

async fn the_box_office_sells_in_one_form(world: World) {
    let (producer, ana) = shop(&world).await;
    let form = ana.get("/dashboard/p/pr_a/orders/new").await;
    assert!(form.text.contains("<option value=\"ev\" selected>"), "the next event on sale is chosen: {}", form.text);
    assert!(form.text.contains("10 left") && form.text.contains("for the team") && !form.text.contains("Off sale"));
    // Paid now: no name, no mail.
    let sold = sell(&ana, &[("quantity_tt", "2"), ("quantity_tt_team", "1")]).await;
    let page = ana.get(sold.leads_to()).await;
    assert_eq!(page.text.matches("class=\"stub\"").count(), 3, "{}", page.text);
    assert_eq!(page.text.matches("<svg").count(), 3);
    let id = sold.leads_to().strip_prefix("/dashboard/p/pr_a/orders/").unwrap().split('/').next().unwrap().to_owned();
    let shown = ana.get(&format!("/dashboard/p/pr_a/orders/{id}")).await;
    assert!(shown.text.contains(">€75<") && shown.text.contains("at the box office"), "{}", shown.text);
    // Complimentary, and paid later.
    let free = sell(&ana, &[("quantity_tt", "1"), ("free", "yes"), ("name", "Guest")]).await;
    assert!(ana.get(free.leads_to()).await.text.contains(" · €0<"));
    let later = sell(&ana, &[("quantity_tt", "1"), ("pay", "later"), ("name", "Late Payer")]).await;
    let later = ana.get(later.leads_to()).await;
    assert!(later.text.contains("Held until") && later.text.contains("to be paid"), "{}", later.text);
    assert!(ana.get("/dashboard/p/pr_a/orders/new").await.text.contains("6 left"), "10 less 3 sold and 1 held");
    let rows = world
        .raw()
        .await
        .rows("SELECT status, channel, total FROM orders WHERE channel = 'box_office' ORDER BY seq")
        .await;
    assert_eq!(
        rows,
        [["approved", "box_office", "75"], ["approved", "box_office", "0"], ["pending", "box_office", "25"]]
    );
    let history =
        world.raw().await.rows("SELECT action, actor FROM audit WHERE action LIKE 'order.%' ORDER BY id").await;
    let mut actions: Vec<&str> = history.iter().map(|row| row[0].as_str()).collect();
    actions.sort_unstable();
    assert_eq!(actions, ["order.approved", "order.placed", "order.placed", "order.placed"]);
    assert!(history.iter().all(|row| row[1] == "ana@x.example"));
    assert!(world.findings().await.is_empty());
    assert_eq!(producer.tenant.number(), 1);
}

async fn a_form_sent_twice_sells_once(world: World) {
    let (_, ana) = shop(&world).await;
    let key = key(&ana.get("/dashboard/p/pr_a/orders/new").await);
    let fields = [("event", "ev"), ("key", key.as_str()), ("quantity_tt", "2")];
    let first = ana.post("/dashboard/p/pr_a/orders/new", &fields).await;
    let second = ana.post("/dashboard/p/pr_a/orders/new", &fields).await;
    // Whoever went back and sold again learns that nothing was sold, and sees no ticket that could be handed out twice.
    assert_eq!(second.status, 409);
    assert!(second.text.contains("Nothing was sold just now") && !second.text.contains("<svg"), "{}", second.text);
    assert!(second.text.contains("2 × Type tt") && second.text.contains(order_path(&first)), "{}", second.text);
    assert_eq!(world.raw().await.rows("SELECT id FROM orders").await.len(), 1);
    assert_eq!(world.raw().await.rows("SELECT id FROM audit WHERE action = 'order.placed'").await.len(), 1);
    // Another customer wants the same: that page sells it once more, and once only.
    let again = [fields[0], ("key", second.between("name=\"key\" value=\"", "\"")), fields[2]];
    let sold = ana.post("/dashboard/p/pr_a/orders/new", &again).await;
    assert_ne!(order_path(&sold), order_path(&first));
    assert_eq!(ana.post("/dashboard/p/pr_a/orders/new", &again).await.status, 409);
    assert_eq!(world.raw().await.rows("SELECT id FROM orders").await.len(), 2);
}

/// The address of the order that was just sold.
fn order_path(sold: &Page) -> &str {
    sold.leads_to().strip_suffix("/tickets?done=sold").unwrap()
}

async fn another_quantity_in_a_form_that_has_sold_is_another_sale(world: World) {
    let (_, ana) = shop(&world).await;
    let key = key(&ana.get("/dashboard/p/pr_a/orders/new").await);
    let send = async |quantity| {
        let fields = [("event", "ev"), ("key", key.as_str()), ("quantity_tt", quantity)];
        ana.post("/dashboard/p/pr_a/orders/new", &fields).await
    };
    let first = send("2").await;
    let other = send("1").await;
    assert_ne!(order_path(&other), order_path(&first));
    let tickets = ana.get(other.leads_to()).await;
    assert_eq!(tickets.text.matches("class=\"stub\"").count(), 1, "{}", tickets.text);
    // Each of them is known when it comes again.
    for (quantity, sold) in [("1", &other), ("2", &first)] {
        let again = send(quantity).await;
        assert!(again.status == 409 && again.text.contains(order_path(sold)), "{}", again.text);
    }
    assert_eq!(world.raw().await.rows("SELECT id FROM orders").await.len(), 2);
    assert!(world.findings().await.is_empty());
}

/// What was kept by the rule before: the digest of the request as the compiler printed it.
async fn a_form_sent_before_an_upgrade_and_after_it_sells_once(world: World) {
    let (_, ana) = shop(&world).await;
    let key = key(&ana.get("/dashboard/p/pr_a/orders/new").await);
    let fields = [("event", "ev"), ("key", key.as_str()), ("name", "Ana"), ("quantity_tt", "2")];
    let first = ana.post("/dashboard/p/pr_a/orders/new", &fields).await;
    let printed = "OrderRequest { event_id: \"ev\", buyer: Person { name: \"Ana\", email: \"\", phone: None, \
        identity_document: \"\" }, items: [ItemRequest { ticket_type_id: \"tt\", quantity: 2, unit_price: None, attendees: \
        [], access_code: None }], channel: Staff, hold: 1800s, past_holds: No, is_paid: true, stranger: None }";
    let earlier = hexadecimal(&Sha256::digest(printed));
    let raw = world.raw().await;
    assert_ne!(raw.rows("SELECT request_hash FROM idempotency_keys").await, [[earlier.as_str()]]);
    raw.batch(&format!("UPDATE idempotency_keys SET request_hash = '{earlier}'")).await;
    let second = ana.post("/dashboard/p/pr_a/orders/new", &fields).await;
    assert!(second.status == 409 && second.text.contains(order_path(&first)), "{}", second.text);
    assert_eq!(raw.rows("SELECT id FROM orders").await.len(), 1);
}

async fn what_cannot_be_sold_is_said_beside_the_items(world: World) {
    let (producer, ana) = shop(&world).await;
    for (fields, said) in [
        (vec![], "Write how many"),
        (vec![("quantity_tt", "0")], "Write how many"),
        (vec![("quantity_tt", "x")], "Write whole numbers"),
        (vec![("quantity_tt", "-1")], "Write whole numbers"),
        (vec![("quantity_tt", "99999999999999999999")], "Write whole numbers"),
        (vec![("quantity_tt", "5")], "More than 4 of Type tt in one order"),
        (vec![("quantity_tt_off", "1")], "Off sale is not on sale"),
        (vec![("quantity_tt", "1"), ("name", "a\u{202e}b")], "no control characters"),
    ] {
        let page = sell(&ana, &fields).await;
        assert!(page.status == 422 && page.text.contains(said), "{fields:?}: {said}: {}", page.text);
    }
    // Others hold all that is left, until staff take it.
    for number in 0..3 {
        let held = place(&world, &format!("k{number}"), &cart("tt", if number < 2 { 4 } else { 2 })).await;
        assert_eq!(held.status, 201);
    }
    let refused = sell(&ana, &[("quantity_tt", "1")]).await;
    assert!(refused.status == 422 && refused.text.contains("Others hold too many of Type tt"), "{}", refused.text);
    assert!(refused.text.contains("name=\"past_holds\""));
    assert!(
        sell(&ana, &[("quantity_tt", "1"), ("past_holds", "yes")]).await.leads_to().ends_with("/tickets?done=sold")
    );
    assert!(world.findings().await.is_empty());
    assert_eq!(producer.tenant.number(), 1);
}

async fn orders_are_decided_and_the_history_knows(world: World) {
    let (_, ana) = shop(&world).await;
    let placed = place(&world, "k1", &cart("tt", 2)).await.json();
    let id = placed["order"]["id"].as_str().unwrap();
    let base = format!("/dashboard/p/pr_a/orders/{id}");
    assert_eq!(ana.post(&format!("{base}/refund"), &[]).await.status, 422, "only a paid order is refunded");
    assert_eq!(ana.post(&format!("{base}/approve"), &[]).await.leads_to(), format!("{base}?done=order-approved"));
    let again = ana.post(&format!("{base}/approve"), &[]).await;
    assert!(again.status == 422 && again.text.contains("decided this order already"), "{}", again.text);
    let page = ana.get(&base).await;
    assert!(page.text.contains("Order approved") || page.text.contains("approved"), "{}", page.text);
    assert!(ana.get(&format!("{base}/refund")).await.text.contains("Its 2 tickets stop working"));
    assert_eq!(ana.post(&format!("{base}/refund"), &[]).await.leads_to(), format!("{base}?done=order-refunded"));
    let second = place(&world, "k2", &cart("tt", 1)).await.json();
    let second = format!("/dashboard/p/pr_a/orders/{}", second["order"]["id"].as_str().unwrap());
    assert_eq!(ana.post(&format!("{second}/reject"), &[]).await.leads_to(), format!("{second}?done=order-rejected"));
    let sql = "SELECT action, subject FROM audit WHERE action LIKE 'order.%'";
    let mut actions: Vec<String> = world.raw().await.rows(sql).await.into_iter().map(|row| row[0].clone()).collect();
    actions.sort();
    assert_eq!(actions, ["order.approved", "order.refunded", "order.rejected"], "what was refused is not written down");
    assert_eq!(ana.get("/dashboard/p/pr_a/orders/no-such").await.status, 404);
    // The command line writes the same entries, in the same move.
    let third = place(&world, "k3", &cart("tt", 1)).await.json();
    let by = world.by();
    boxoffice::approve(
        &world.store,
        taquilla_store::producers::find(&mut world.store.read().await.unwrap(), "pr_a").await.unwrap().unwrap(),
        third["order"]["id"].as_str().unwrap(),
        boxoffice::PastHolds::No,
        &by,
    )
    .await
    .unwrap();
    let told =
        world.raw().await.rows("SELECT origin FROM audit WHERE action = 'order.approved' AND actor = 'tester'").await;
    assert_eq!(told, [["command line"]]);
    assert!(world.findings().await.is_empty());
}

async fn orders_are_listed_page_by_page(world: World) {
    let (producer, ana) = shop(&world).await;
    let lines = (0..90).map(|number| {
        let status = if number < 30 && number % 2 == 1 { "refunded" } else { "approved" };
        with(order(&format!("or_{number:02}"), "ev", "tt"), json!({"status": status}))
    });
    world.import(producer.tenant, &lines.collect::<Vec<_>>()).await;
    let rows = |text: &str| text.matches("<tr><th scope=\"row\"").count();
    let first = ana.get("/dashboard/p/pr_a/orders").await;
    assert_eq!(rows(&first.text), 50);
    let next = first.between("aria-label=\"Pages\"><a class=\"button\" href=\"", "\"").replace("&#38;", "&");
    let last = ana.get(&next).await;
    assert_eq!(rows(&last.text), 40, "{next}");
    assert_eq!(rows(&ana.get("/dashboard/p/pr_a/orders?status=refunded&event=ev").await.text), 15);
    assert_eq!(rows(&ana.get("/dashboard/p/pr_a/orders?event=ev_later").await.text), 0);
    for odd in ["before=x", "before=1-", "before=%00", "status=no", "event=no", "q=%00", "q=%27--", "before=9-9-9"] {
        assert_eq!(ana.get(&format!("/dashboard/p/pr_a/orders?{odd}")).await.status, 200, "{odd}");
        assert_eq!(ana.get(&format!("/dashboard/p/pr_a/tickets?{odd}")).await.status, 200, "{odd}");
    }
}

async fn what_buyers_write_is_never_obeyed(world: World) {
    let (producer, ana) = shop(&world).await;
    let evil = "\"><img src=x onerror=alert(1)>";
    let person = json!({"name": evil, "email": evil, "phone": evil, "identity_document": evil});
    let mut body = cart("tt", 1);
    body["buyer"] = json!({"name": evil, "email": "x@\"><img/src=x>", "phone": "<img src=x>"});
    let placed = place(&world, "k1", &body).await;
    assert_eq!(placed.status, 201, "{:?}", placed.json());
    world.import(producer.tenant, &[with(order("or_<img src=x>", "ev", "tt"), json!({"buyer": person}))]).await;
    indexing::catch_up(&world.store).await.unwrap();
    let placed = placed.json();
    let id = placed["order"]["id"].as_str().unwrap();
    ana.post(&format!("/dashboard/p/pr_a/orders/{id}/approve"), &[]).await;
    let q: String = url::form_urlencoded::byte_serialize(evil.as_bytes()).collect();
    for path in [
        "/orders".to_owned(),
        format!("/orders?q={q}&event={q}"),
        format!("/orders/{id}"),
        format!("/orders/{id}/tickets"),
        "/tickets".to_owned(),
        format!("/tickets?q={q}"),
        "/orders/or_%3Cimg%20src=x%3E".to_owned(),
    ] {
        let page = ana.get(&format!("/dashboard/p/pr_a{path}")).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(!page.text.contains("<img src=x"), "{path}: {}", page.text);
    }
    let again = sell(&ana, &[("name", evil), ("quantity_tt", evil)]).await;
    assert!(again.status == 422 && !again.text.contains("<img src=x"));
}

async fn who_may_not_see_people_sees_no_people(world: World) {
    let (producer, ana) = shop(&world).await;
    let mut body = cart("tt", 1);
    body["buyer"] = json!({"name": "Zoe Private", "email": "zoe@private.example", "phone": "600000001", "identity_document": "X-9"});
    let placed = place(&world, "k1", &body).await.json();
    let (id, reference) = (placed["order"]["id"].as_str().unwrap(), placed["reference"].as_str().unwrap());
    ana.post(&format!("/dashboard/p/pr_a/orders/{id}/approve"), &[]).await;
    indexing::catch_up(&world.store).await.unwrap();
    let code = world.raw().await.rows("SELECT id FROM tickets").await[0][0].clone();
    let secrets = ["Zoe Private", "zoe@private.example", "600000001", "X-9", code.as_str(), reference];
    let open = ana.get(&format!("/dashboard/p/pr_a/orders/{id}")).await;
    assert!(open.text.contains("Zoe Private") && open.text.contains(reference));
    assert!(ana.get(&format!("/dashboard/p/pr_a/orders/{id}/tickets")).await.text.contains(&code));
    let vic = world.staff(producer.tenant, "vic@x.example", BuiltInRole::Viewer).await;
    assert!(!BuiltInRole::Viewer.rights().allow(Right::SeePersonalData));
    for path in ["/orders".to_owned(), format!("/orders/{id}"), format!("/orders/{id}/tickets"), "/tickets".to_owned()]
    {
        let page = vic.get(&format!("/dashboard/p/pr_a{path}")).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(secrets.iter().all(|secret| !page.text.contains(secret)), "{path}: {}", page.text);
        assert!(!page.text.contains("<svg"), "{path}");
    }
    // Searching tells nothing either, whatever is guessed.
    let found =
        |page: &Page| page.text.contains("/dashboard/p/pr_a/orders/or_") || page.text.contains("class=\"table\"");
    for guess in ["zoe", "Zoe Private", "private", "zoe@private.example", "600000001", "X9", &code[..8], &code[..25]] {
        let q: String = url::form_urlencoded::byte_serialize(guess.as_bytes()).collect();
        for list in ["orders", "tickets"] {
            assert!(!found(&vic.get(&format!("/dashboard/p/pr_a/{list}?q={q}")).await), "{list} by {guess}");
            assert!(
                found(&ana.get(&format!("/dashboard/p/pr_a/{list}?q={q}")).await) || list == "orders",
                "{list} by {guess}"
            );
        }
    }
    for known in [id, &id[..10], reference, &code] {
        let page = vic.get(&format!("/dashboard/p/pr_a/tickets?q={known}")).await;
        assert!(found(&page), "{known}: {}", page.text);
        assert!(!page.text.contains("Zoe") && page.text.contains("•••"));
    }
}
