//! Refunding single tickets of an order: what they and the order read then, what is owed, and that everything that counts
//! agrees.

use serde_json::{Value, json};
use taquilla_domain::role::BuiltInRole;

use crate::{
    harness::{Staff, cart, event, place, problem, ticket_type, with},
    harness::{World, order, ticket},
    payments::Till,
};

both_engines![
    a_ticket_that_is_refunded_alone_is_cancelled_and_its_share_is_owed,
    the_last_ticket_refunds_the_order_and_owes_the_rest,
    never_more_is_owed_than_was_paid,
    a_bundle_is_refunded_as_it_was_sold,
    staff_choose_tickets_on_the_order_s_page,
    money_that_came_late_is_owed_once,
    what_has_no_price_owes_nothing,
];

const PAGE: &str = "/dashboard/p/pr_a";

fn done(till: &Till, arguments: &[&str]) -> Value {
    let output = till.command(arguments);
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(till: &Till, arguments: &[&str]) -> String {
    let output = till.command(arguments);
    assert!(!output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    text.rsplit_once('(').and_then(|(_, rest)| rest.split_once(')')).unwrap().0.to_owned()
}

fn id(placed: &Value) -> &str {
    placed["order"]["id"].as_str().unwrap()
}

/// What is to be paid back still, oldest first.
fn owed(till: &Till) -> Vec<i64> {
    done(till, &["order", "owed"]).as_array().unwrap().iter().map(|row| row["amount"].as_i64().unwrap()).collect()
}

impl Till {
    /// An order of some units that was paid by the processor.
    async fn sold(&self, key: &str, quantity: i64) -> Value {
        let placed = place(&self.world, key, &cart("tt", quantity)).await.json();
        let paid = self.tell(&format!("pay_{key}"), "paid", 25 * quantity, &placed).await;
        assert_eq!(paid.status, 200, "{}", paid.text);
        placed
    }

    async fn rows(&self, sql: &str) -> Vec<Vec<String>> {
        self.world.raw().await.rows(sql).await
    }

    /// The codes of an order's tickets that work.
    async fn codes(&self, placed: &Value) -> Vec<String> {
        let sql = format!(
            "SELECT id FROM tickets WHERE order_id = '{}' AND status IN ('valid', 'scanned') ORDER BY seq",
            id(placed)
        );
        self.rows(&sql).await.into_iter().map(|row| row[0].clone()).collect()
    }

    async fn sold_units(&self, item: &str) -> i64 {
        let sold = self.rows(&format!("SELECT sold FROM ticket_types WHERE id = '{item}'")).await;
        sold[0][0].parse().unwrap()
    }

    /// Units and money that count as refunded.
    async fn refunded(&self) -> Vec<Vec<String>> {
        self.rows("SELECT sum(refunded_units), sum(refunded_amount) FROM event_sales").await
    }

    async fn administrator(&self) -> Staff {
        self.world.staff(self.producer.tenant, "ana@x.example", BuiltInRole::Administrator).await
    }
}

async fn a_ticket_that_is_refunded_alone_is_cancelled_and_its_share_is_owed(world: World) {
    let till = Till::open(world, 9).await;
    let placed = till.sold("a", 3).await;
    let before = till.world.client.get(&format!("/api/v1/orders/{}", id(&placed)), &till.producer.key).await.json();
    let codes = till.codes(&placed).await;
    let shown = done(&till, &["ticket", "cancel", &codes[0], "--refund"]);
    assert_eq!(shown["status"], "cancelled", "{shown}");
    // The order is as it was, for everybody who reads it.
    let after = till.world.client.get(&format!("/api/v1/orders/{}", id(&placed)), &till.producer.key).await.json();
    assert_eq!(before, after);
    assert_eq!((owed(&till), till.sold_units("tt").await), (vec![25], 2));
    assert_eq!(till.refunded().await, [["1", "25"]]);
    let told = till.rows("SELECT kind FROM outbox ORDER BY seq DESC LIMIT 1").await;
    assert_eq!(told, [["ticket.cancelled"]]);
    // It is refunded once.
    assert_eq!(refused(&till, &["ticket", "cancel", &codes[0], "--refund"]), "ticket_cancelled");
    assert_eq!(refused(&till, &["ticket", "cancel", "NONE", "--refund"]), "not_found");
    // What is owed is marked as paid back, and the payment is not, because it pays for the rest.
    done(&till, &["order", "paid-back", id(&placed), "--note", "In cash"]);
    assert!(owed(&till).is_empty());
    assert_eq!(till.rows("SELECT id FROM payments WHERE paid_back_at IS NOT NULL").await, Vec::<Vec<String>>::new());
    assert_eq!(refused(&till, &["payment", "paid-back", "pay_a", "--note", "no"]), "payment_settled");
    assert_eq!(till.world.findings().await, []);
}

async fn the_last_ticket_refunds_the_order_and_owes_the_rest(world: World) {
    let till = Till::open(world, 9).await;
    let placed = till.sold("a", 2).await;
    let codes = till.codes(&placed).await;
    done(&till, &["ticket", "cancel", &codes[0], "--refund"]);
    done(&till, &["order", "paid-back", id(&placed), "--note", "Half"]);
    let shown = done(&till, &["ticket", "cancel", &codes[1], "--refund"]);
    assert_eq!(shown["status"], "refunded");
    assert_eq!(done(&till, &["order", "show", id(&placed)])["status"], "refunded");
    assert_eq!((owed(&till), till.sold_units("tt").await), (vec![25], 0));
    assert_eq!(till.refunded().await, [["2", "50"]]);
    let statuses = till.rows("SELECT DISTINCT status FROM tickets").await;
    assert_eq!(statuses, [["refunded"]], "the order is refunded, so all of its tickets are");
    // The payment is paid back with the last sum, whose note it gets.
    done(&till, &["order", "paid-back", id(&placed), "--note", "The rest"]);
    let notes = till.rows("SELECT note FROM pay_backs ORDER BY owed_at").await;
    assert_eq!(notes, [["Half"], ["The rest"]]);
    assert_eq!(till.rows("SELECT note FROM payments WHERE paid_back_at IS NOT NULL").await, [["The rest"]]);
    assert_eq!(till.world.findings().await, []);
}

async fn never_more_is_owed_than_was_paid(world: World) {
    let till = Till::open(world, 9).await;
    // Less was paid than it costs, and staff took it: shares are of what was paid, and the whole refund owes the rest.
    let placed = place(&till.world, "a", &cart("tt", 3)).await.json();
    assert_eq!(till.tell("pay_a", "paid", 50, &placed).await.problem(), problem(409, "payment_mismatch", None));
    done(&till, &["payment", "settle", "pay_a", "--order", id(&placed)]);
    let codes = till.codes(&placed).await;
    done(&till, &["ticket", "cancel", &codes[0], "--refund"]);
    assert_eq!(owed(&till), [16]);
    done(&till, &["order", "refund", id(&placed)]);
    assert_eq!(owed(&till), [16, 34]);
    // What was free owes nothing.
    let items = [with(ticket_type("tt_free", "ev"), json!({"price": 0}))];
    till.world.import(till.producer.tenant, &items).await;
    let free = place(&till.world, "b", &cart("tt_free", 2)).await.json();
    done(&till, &["ticket", "cancel", &till.codes(&free).await[0], "--refund"]);
    assert_eq!(owed(&till), [16, 34]);
    // A ticket that was cancelled without its money: the refund of the order owes for it, too.
    let third = till.sold("c", 2).await;
    let codes = till.codes(&third).await;
    done(&till, &["ticket", "cancel", &codes[0]]);
    done(&till, &["order", "refund", id(&third)]);
    assert_eq!(owed(&till), [16, 34, 50]);
    assert_eq!(till.world.findings().await, []);
}

async fn a_bundle_is_refunded_as_it_was_sold(world: World) {
    let till = Till::open(world, 9).await;
    let lines = [
        ticket_type("tt_beer", "ev"),
        json!({"kind": "bundle", "id": "bu", "event_id": "ev", "name": "Pack", "price": 30, "currency": "EUR",
            "includes": [{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "tt_beer", "quantity": 2}]}),
    ];
    till.world.import(till.producer.tenant, &lines).await;
    let placed = place(&till.world, "a", &cart("bu", 2)).await.json();
    till.approve(&placed);
    let codes = till.codes(&placed).await;
    assert_eq!(codes.len(), 6);
    // One of its tickets was cancelled before, for nothing; the unit costs what it costs.
    done(&till, &["ticket", "cancel", &codes[1]]);
    done(&till, &["ticket", "cancel", &codes[0], "--refund"]);
    assert_eq!((till.codes(&placed).await.len(), owed(&till)), (3, vec![30]));
    assert_eq!(till.sold_units("bu").await, 1);
    let ana = till.administrator().await;
    let page = ana.get(&format!("{PAGE}/orders/{}/refund-tickets", id(&placed))).await;
    assert_eq!(page.text.matches("name=\"ticket\"").count(), 1, "one unit is left: {}", page.text);
    assert!(page.text.contains("Pack") && page.text.contains("€30"), "{}", page.text);
    assert_eq!(till.world.findings().await, []);
}

async fn staff_choose_tickets_on_the_order_s_page(world: World) {
    let till = Till::open(world, 9).await;
    let placed = till.sold("a", 3).await;
    let ana = till.administrator().await;
    let base = format!("{PAGE}/orders/{}", id(&placed));
    assert!(ana.get(&base).await.text.contains(&format!("{base}/refund-tickets")));
    let page = ana.get(&format!("{base}/refund-tickets")).await;
    for part in ["No money moves by this", "No. 1001", "€25", "€75", "Ana"] {
        assert!(page.text.contains(part), "{part} is in {}", page.text);
    }
    let handles: Vec<String> = page
        .text
        .split("name=\"ticket\" value=\"")
        .skip(1)
        .map(|rest| rest[..rest.find('"').unwrap()].to_owned())
        .collect();
    assert_eq!(handles.len(), 3);
    // An order that is not paid has nothing to choose, whoever opens the page by its address.
    let unpaid = till.order("unpaid").await;
    let nothing = ana.get(&format!("{PAGE}/orders/{}/refund-tickets", id(&unpaid))).await.text;
    assert!(nothing.contains("No ticket of this order can be refunded") && !nothing.contains("<fieldset"), "{nothing}");
    let none = ana.post(&format!("{base}/refund-tickets"), &[]).await;
    assert_eq!(none.status, 422);
    assert!(none.text.contains("Choose at least one ticket"), "{}", none.text);
    let fields = [("ticket", handles[0].as_str()), ("ticket", handles[1].as_str())];
    let answer = ana.post(&format!("{base}/refund-tickets"), &fields).await;
    assert_eq!(answer.leads_to(), format!("{base}?done=tickets-refunded"));
    let shown = ana.get(answer.leads_to()).await.text;
    assert!(
        shown.contains("€50") && shown.contains("not paid back yet") && shown.contains("Tickets of an order refunded"),
        "{shown}"
    );
    // The same form again finds them gone.
    assert_eq!(ana.post(&format!("{base}/refund-tickets"), &fields).await.status, 422);
    assert_eq!(owed(&till), [50]);
    // The report's figure leads to them, though the order stays paid.
    let behind = ana.get(&format!("{PAGE}/reports/orders?event=ev&figure=refunded")).await;
    assert!(behind.text.contains("single tickets of orders that stay paid"), "{}", behind.text);
    let list = behind.between(&format!("<a href=\"{PAGE}/tickets?"), "\"").replace("&#38;", "&");
    let list = ana.get(&format!("{PAGE}/tickets?{list}")).await.text;
    assert_eq!(list.matches("<th scope=\"row\"").count(), 2, "{list}");
    // The whole refund says what is left, and each sum is marked by itself.
    assert!(ana.get(&format!("{base}/refund")).await.text.contains("<b>€25</b>"));
    ana.post(&format!("{base}/refund"), &[]).await.leads_to();
    let list = ana.get(&format!("{PAGE}/payments/owed")).await;
    let mark = list.between("class=\"button quiet small\" href=\"", "\"").replace("&#38;", "&").replace("&amp;", "&");
    let at = mark.rsplit_once("at=").unwrap().1.to_owned();
    assert!(ana.get(&mark).await.text.contains("€50"));
    let fields = [("order", id(&placed)), ("at", at.as_str()), ("note", "By card")];
    ana.post(&format!("{PAGE}/payments/owed/paid-back"), &fields).await.leads_to();
    assert_eq!(owed(&till), [25]);
    assert_eq!(ana.get(&mark).await.status, 404);
    assert_eq!(till.rows("SELECT id FROM payments WHERE paid_back_at IS NOT NULL").await, Vec::<Vec<String>>::new());
    // Whoever may not refund may not do this either.
    let vic = till.world.staff(till.producer.tenant, "vic@x.example", BuiltInRole::Viewer).await;
    assert_eq!(vic.get(&format!("{base}/refund-tickets")).await.status, 403);
    assert_eq!(till.world.findings().await, []);
}

async fn money_that_came_late_is_owed_once(world: World) {
    let till = Till::open(world, 9).await;
    let placed = place(&till.world, "a", &cart("tt", 2)).await.json();
    till.approve(&placed);
    assert_eq!(till.tell("pay_a", "paid", 50, &placed).await.status, 409);
    let codes = till.codes(&placed).await;
    done(&till, &["ticket", "cancel", &codes[0], "--refund"]);
    assert_eq!(owed(&till), [25]);
    assert_eq!(till.listed(&["--unsettled"]), []);
    assert_eq!(done(&till, &["order", "show", id(&placed)])["payment_id"], "pay_a");
    done(&till, &["order", "refund", id(&placed)]);
    assert_eq!(owed(&till), [25, 25]);
    assert_eq!(till.world.findings().await, []);
}

async fn what_has_no_price_owes_nothing(world: World) {
    let till = Till::open(world, 9).await;
    // More tickets than the order has units: what is refunded alone is never more than was sold.
    let lines = [
        event("ev_old"),
        ticket_type("tt_old", "ev_old"),
        order("or_old", "ev_old", "tt_old"),
        with(ticket("T-1", "ev_old", "tt_old"), json!({"order_id": "or_old"})),
        with(ticket("T-2", "ev_old", "tt_old"), json!({"order_id": "or_old"})),
        with(ticket("T-3", "ev_old", "tt_old"), json!({"order_id": "or_old"})),
        ticket("T-9", "ev_old", "tt_old"),
    ];
    till.world.import(till.producer.tenant, &lines).await;
    assert_eq!(refused(&till, &["ticket", "cancel", "T-9", "--refund"]), "invalid_body");
    done(&till, &["ticket", "cancel", "T-1", "--refund"]);
    done(&till, &["ticket", "cancel", "T-2", "--refund"]);
    assert_eq!(owed(&till), [25]);
    assert_eq!(till.world.findings().await, []);
}
