//! The till: how a sale was paid, its total before the button, change, and more than one order usually has.

use serde_json::json;
use taquilla_domain::role::BuiltInRole;

use crate::harness::{Page, Producer, Staff, World, cart, event, place, ticket_type, with};

both_engines![
    a_sale_says_how_it_was_paid,
    the_total_is_shown_and_nothing_is_sold,
    more_than_one_order_may_have_is_asked_about_once,
    a_hold_says_how_long_it_lasts,
    an_order_is_approved_with_how_it_was_paid,
    a_refund_is_paid_back_at_once_by_who_has_the_money,
];

const SELL: &str = "/dashboard/p/pr_a/orders/new";

async fn shop(world: &World) -> (Producer, Staff) {
    let producer = world.producer("pr_a").await;
    let lines = [
        with(event("ev"), json!({"status": "published", "name": "Concert", "starts_at": "2026-11-20T20:00:00Z"})),
        with(ticket_type("tt", "ev"), json!({"limit": 10, "max_per_order": 4})),
    ];
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    (producer, ana)
}

async fn sell(staff: &Staff, fields: &[(&str, &str)]) -> Page {
    let form = staff.get(SELL).await;
    let key = form.between("name=\"key\" value=\"", "\"");
    let fields: Vec<(&str, &str)> = [("event", "ev"), ("key", key)].into_iter().chain(fields.to_vec()).collect();
    staff.post(SELL, &fields).await
}

/// The page of the order that was just sold or placed.
fn order_path(sold: &Page) -> String {
    let (path, _) = sold.leads_to().split_once('?').unwrap();
    path.trim_end_matches("/tickets").to_owned()
}

async fn a_sale_says_how_it_was_paid(world: World) {
    let (producer, ana) = shop(&world).await;
    let sold = sell(&ana, &[("quantity_tt", "2"), ("method", "cash"), ("given", "60")]).await;
    let tickets = ana.get(sold.leads_to()).await;
    assert!(tickets.text.contains("Change: €10") && tickets.text.contains("· Cash"), "{}", tickets.text);
    assert!(tickets.text.contains("orders/new?event=ev&amp;method=cash"), "the next sale begins with the same way");
    let page = ana.get(&order_path(&sold)).await.text;
    assert!(page.contains("<dt>Paid by</dt><dd>Cash</dd>"), "{page}");
    // The next form has what was chosen last.
    let form = ana.get(&format!("{SELL}?method=card")).await.text;
    assert!(form.contains("value=\"card\" checked") && !form.contains("value=\"cash\" checked"), "{form}");
    let card = sell(&ana, &[("quantity_tt", "1"), ("method", "card"), ("given", "1")]).await;
    assert!(!card.leads_to().contains("given"), "what is given matters for cash alone");
    // Nothing is sold for less than it costs, and a complimentary sale has no way to pay.
    let short = sell(&ana, &[("quantity_tt", "1"), ("method", "cash"), ("given", "24")]).await;
    assert!(short.status == 422 && short.text.contains("less than the total of €25"), "{}", short.text);
    let no_number = sell(&ana, &[("quantity_tt", "1"), ("method", "cash"), ("given", "x")]).await;
    assert!(no_number.status == 422 && no_number.text.contains("Write a whole amount"), "{}", no_number.text);
    sell(&ana, &[("quantity_tt", "1"), ("method", "cash"), ("free", "yes")]).await.leads_to();
    let raw = world.raw().await;
    let rows = raw.rows("SELECT total, coalesce(payment_method, ''), sold_by FROM orders ORDER BY seq").await;
    let ana_sold = |total: &str, method: &str| [total, method, "ana@x.example"].map(str::to_owned).to_vec();
    assert_eq!(rows, [ana_sold("50", "cash"), ana_sold("25", "card"), ana_sold("0", "")]);
    let history = raw.rows("SELECT details FROM audit WHERE action = 'order.approved'").await;
    assert!(history.iter().any(|row| row[0].contains("\"payment_method\":\"cash\"")), "{history:?}");
    // Programs, files and the report of orders are told.
    let orders = world.client.get("/api/v1/orders", &producer.key).await.data();
    let methods: Vec<_> = orders.iter().map(|order| order["payment_method"].clone()).collect();
    assert_eq!(methods, [json!(null), json!("card"), json!("cash")]);
    assert!(orders[0].get("payment_method").is_none(), "what is not known is not there");
    let file = ana.get("/dashboard/p/pr_a/exports/orders.csv").await.text;
    assert!(file.lines().next().unwrap().contains("payment_method") && file.contains(",card"), "{file}");
    let report = ana.get("/dashboard/p/pr_a/reports/orders?event=ev").await.text;
    assert!(report.contains("<span class=\"muted\">Card</span>"), "{report}");
    assert!(world.findings().await.is_empty());
}

async fn the_total_is_shown_and_nothing_is_sold(world: World) {
    let (_, ana) = shop(&world).await;
    let asked = [("quantity_tt", "3"), ("show", "total"), ("name", "Bea"), ("method", "other")];
    let page = sell(&ana, &asked).await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert_eq!(page.between("data-till-total>", "<"), "€75");
    assert!(page.text.contains("value=\"3\"") && page.text.contains("value=\"Bea\""), "the form is as it was");
    assert!(page.text.contains("value=\"other\" checked"), "{}", page.text);
    let free = sell(&ana, &[("quantity_tt", "3"), ("show", "total"), ("free", "yes")]).await;
    assert_eq!(free.between("data-till-total>", "<"), "€0");
    assert_eq!(sell(&ana, &[("show", "total")]).await.status, 422, "there is nothing to sum");
    assert!(world.raw().await.rows("SELECT id FROM orders").await.is_empty());
}

async fn more_than_one_order_may_have_is_asked_about_once(world: World) {
    let (_, ana) = shop(&world).await;
    assert!(!ana.get(SELL).await.text.contains("past_most"));
    let asked = sell(&ana, &[("quantity_tt", "6")]).await;
    assert_eq!(asked.status, 422);
    assert!(asked.text.contains("More than 4 of Type tt in one order") && asked.text.contains("name=\"past_most\""));
    let sold = sell(&ana, &[("quantity_tt", "6"), ("past_most", "yes")]).await;
    assert_eq!(ana.get(sold.leads_to()).await.text.matches("class=\"stub\"").count(), 6);
    // What is left is the limit, whatever is confirmed.
    let over = sell(&ana, &[("quantity_tt", "5"), ("past_most", "yes")]).await;
    assert!(over.status == 422 && over.text.contains("There are not enough left"), "{}", over.text);
    sell(&ana, &[("quantity_tt", "4"), ("past_most", "yes")]).await.leads_to();
    assert_eq!(world.raw().await.rows("SELECT sold FROM ticket_types WHERE id = 'tt'").await, [["10"]]);
    assert!(world.findings().await.is_empty());
}

async fn a_hold_says_how_long_it_lasts(world: World) {
    let (_, ana) = shop(&world).await;
    assert!(ana.get(SELL).await.text.contains("its stock is held for 30 minutes"));
    assert!(ana.get("/dashboard/p/pr_a/events/ev").await.text.contains("unpaid orders keep, usually for 30 minutes"));
    for key in ["a", "b"] {
        assert_eq!(place(&world, key, &cart("tt", 4)).await.status, 201);
    }
    let held = sell(&ana, &[("quantity_tt", "3")]).await;
    assert!(held.status == 422 && held.text.contains("The next hold ends at "), "{}", held.text);
}

async fn an_order_is_approved_with_how_it_was_paid(world: World) {
    let (_, ana) = shop(&world).await;
    let later = sell(&ana, &[("quantity_tt", "1"), ("pay", "later"), ("method", "cash")]).await;
    let path = order_path(&later);
    assert!(!ana.get(&path).await.text.contains("<dt>Paid by</dt>"), "nobody has paid yet");
    ana.post(&format!("{path}/approve"), &[("method", "other")]).await.leads_to();
    assert!(ana.get(&path).await.text.contains("<dt>Paid by</dt><dd>Other</dd>"));
    // Not said is the default.
    let other = order_path(&sell(&ana, &[("quantity_tt", "1"), ("pay", "later")]).await);
    ana.post(&format!("{other}/approve"), &[]).await.leads_to();
    let rows = world.raw().await.rows("SELECT coalesce(payment_method, ''), sold_by FROM orders ORDER BY seq").await;
    assert_eq!(rows, [["other", "ana@x.example"], ["", "ana@x.example"]]);
}

async fn a_refund_is_paid_back_at_once_by_who_has_the_money(world: World) {
    let (producer, ana) = shop(&world).await;
    let secret = world.connect_processor(&producer).await;
    let path = order_path(&sell(&ana, &[("quantity_tt", "1"), ("method", "cash")]).await);
    assert!(ana.get(&format!("{path}/refund")).await.text.contains("Paid back now: Cash"));
    ana.post(&format!("{path}/refund"), &[("method", "cash")]).await.leads_to();
    let page = ana.get(&path).await.text;
    assert!(page.contains("paid back</span> Cash"), "{page}");
    // A processor has the money of this one, so staff cannot have handed it back.
    let placed = place(&world, "a", &cart("tt", 1)).await.json();
    let notice = json!({"payment_id": "pay_1", "reference": placed["reference"], "status": "paid", "amount": 25, "currency": "EUR"});
    assert_eq!(crate::harness::pay(&world, &notice, &secret, 0).await.status, 200);
    let shop_path = format!("/dashboard/p/pr_a/orders/{}", placed["order"]["id"].as_str().unwrap());
    assert!(!ana.get(&format!("{shop_path}/refund")).await.text.contains("Paid back now"));
    ana.post(&format!("{shop_path}/refund"), &[("method", "cash")]).await.leads_to();
    assert!(ana.get(&shop_path).await.text.contains("not paid back yet"));
    // This one is marked later, by whoever deals with payments.
    let third = order_path(&sell(&ana, &[("quantity_tt", "1"), ("method", "card")]).await);
    ana.post(&format!("{third}/refund"), &[("method", "")]).await.leads_to();
    let id = third.rsplit('/').next().unwrap();
    let marked = [("order", id), ("note", "at the terminal"), ("method", "card")];
    ana.post("/dashboard/p/pr_a/payments/owed/paid-back", &marked).await.leads_to();
    let raw = world.raw().await;
    let rows =
        raw.rows("SELECT coalesce(method, ''), coalesce(paid_back_by, '') FROM pay_backs ORDER BY owed_at").await;
    assert_eq!(rows, [["cash", "ana@x.example"], ["", ""], ["card", "ana@x.example"]]);
    let history = raw.rows("SELECT details FROM audit WHERE action = 'order.paid_back' ORDER BY details").await;
    assert!(
        history.len() == 2
            && history.iter().any(|row| row[0].contains("cash"))
            && history.iter().any(|row| row[0].contains("card")),
        "{history:?}"
    );
    assert!(world.findings().await.is_empty());
}
