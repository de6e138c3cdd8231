//! One payment settles one order, and every other one stays in the list that staff work through.

use serde_json::{Value, json};
use taquilla::{
    admin::{
        self,
        catalogue::{TicketTypeChange, change_ticket_type},
    },
    domain::count::Count,
};

use crate::harness::{Answer, Producer, World, cart, event, pay, place, problem, taquilla, ticket_type, with};

both_engines![
    a_staff_approval_settles_the_oldest_payment_of_its_order,
    a_payment_told_of_for_two_orders_settles_one,
    a_payment_for_a_rejected_order_stays_in_the_list,
];

/// A shop of one item at 25 EUR, of which this many can be sold, and its processor.
struct Till {
    world: World,
    producer: Producer,
    secret: String,
}

impl Till {
    async fn open(world: World, limit: i64) -> Self {
        let producer = world.producer("pr_a").await;
        world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"limit": limit}))]).await;
        let connected = admin::payment_accounts::connect(&world.store, producer.tenant, world.now()).await;
        Self { secret: connected.unwrap().reveal(), world, producer }
    }

    async fn limit(&self, limit: &str) {
        let change =
            TicketTypeChange { limit: Some(Some(Count::parse(limit).unwrap())), ..TicketTypeChange::default() };
        change_ticket_type(&self.world.store, self.producer.tenant, "tt", &change, self.world.now()).await.unwrap();
    }

    /// Places an order of one unit.
    async fn order(&self, key: &str) -> Value {
        place(&self.world, key, &cart("tt", 1)).await.json()
    }

    async fn tell(&self, payment: &str, status: &str, amount: i64, order: &Value) -> Answer {
        let notice = json!({"payment_id": payment, "reference": order["reference"], "status": status, "amount": amount, "currency": "EUR"});
        pay(&self.world, &notice, &self.secret, 0).await
    }

    async fn paid(&self, payment: &str, order: &Value) -> Answer {
        self.tell(payment, "paid", 25, order).await
    }

    fn command(&self, arguments: &[&str]) -> std::process::Output {
        taquilla(&self.world.address).args(arguments).args(["--producer", "pr_a", "--json"]).output().unwrap()
    }

    fn approve(&self, order: &Value) {
        let output = self.command(&["order", "approve", order["order"]["id"].as_str().unwrap()]);
        assert!(output.status.success(), "{output:?}");
    }

    /// The payments that staff sees, as payment, order and result, sorted.
    fn listed(&self, flags: &[&str]) -> Vec<(String, String, String)> {
        let output = self.command(&[&["payment", "list"], flags].concat());
        let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
        let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        let mut rows: Vec<_> =
            rows.iter().map(|row| (text(row, "id"), text(row, "order_id"), text(row, "result"))).collect();
        rows.sort();
        rows
    }
}

/// A row of [`Till::listed`].
fn row(payment: &str, order: &Value, result: &str) -> (String, String, String) {
    (payment.to_owned(), order["order"]["id"].as_str().unwrap().to_owned(), result.to_owned())
}

async fn a_staff_approval_settles_the_oldest_payment_of_its_order(world: World) {
    let till = Till::open(world, 1).await;
    let (first, second) = (till.order("a").await, till.order("b").await);
    assert_eq!(till.paid("pay_a", &first).await.json()["status"], "approved");
    // The last one is gone, and the buyer of the second order pays twice. A repeated notice is the same payment, so
    // pay_1 stays the older one.
    for payment in ["pay_1", "pay_2", "pay_1"] {
        assert_eq!(till.paid(payment, &second).await.problem(), problem(409, "sold_out", None));
    }
    assert_eq!(till.paid("pay_a", &second).await.problem(), problem(409, "payment_mismatch", None));
    assert_eq!(till.tell("pay_0", "paid", 24, &second).await.problem(), problem(409, "payment_mismatch", None));
    assert_eq!(till.tell("pay_3", "failed", 25, &first).await.problem(), problem(409, "order_not_pending", None));
    till.limit("9").await;
    till.approve(&second);
    let unsettled = [
        row("pay_0", &second, "payment_mismatch"),
        row("pay_2", &second, "sold_out"),
        row("pay_a", &second, "payment_mismatch"),
    ];
    assert_eq!(till.listed(&["--unsettled"]), unsettled);
    let all = till.listed(&[]);
    let settled: Vec<_> = all.into_iter().filter(|(.., result)| result == "settled").collect();
    assert_eq!(settled, [row("pay_1", &second, "settled"), row("pay_a", &first, "settled")]);
    // Repeated notices of both settled payments get their orders, and the buyer's second payment is still listed.
    assert_eq!(till.paid("pay_a", &first).await.json()["order_id"], first["order"]["id"]);
    assert_eq!(till.paid("pay_1", &second).await.json()["order_id"], second["order"]["id"]);
    assert_eq!(till.paid("pay_2", &second).await.problem(), problem(409, "order_not_pending", None));
    assert_eq!(till.listed(&["--unsettled"]).len(), 3);
    assert_eq!(till.world.findings().await, []);
}

async fn a_payment_told_of_for_two_orders_settles_one(world: World) {
    let till = Till::open(world, 1).await;
    let (first, second, third) = (till.order("a").await, till.order("b").await, till.order("c").await);
    assert_eq!(till.paid("pay_a", &first).await.status, 200);
    for order in [&second, &third] {
        assert_eq!(till.paid("pay_both", order).await.problem(), problem(409, "sold_out", None));
    }
    till.limit("9").await;
    // Staff gives out tickets for both orders, but there is only one payment.
    till.approve(&second);
    till.approve(&third);
    assert_eq!(till.listed(&["--unsettled"]), [row("pay_both", &third, "sold_out")]);
    assert_eq!(till.paid("pay_both", &second).await.json()["status"], "approved");
    assert_eq!(till.paid("pay_both", &third).await.problem(), problem(409, "payment_mismatch", None));
    assert_eq!(till.listed(&["--unsettled"]), [row("pay_both", &third, "payment_mismatch")]);
    assert_eq!(till.world.findings().await, []);
}

async fn a_payment_for_a_rejected_order_stays_in_the_list(world: World) {
    let till = Till::open(world, 9).await;
    let order = till.order("a").await;
    assert_eq!(till.tell("pay_1", "failed", 25, &order).await.json()["status"], "rejected");
    assert_eq!(till.paid("pay_1", &order).await.problem(), problem(409, "order_not_pending", None));
    let refused = till.command(&["order", "approve", order["order"]["id"].as_str().unwrap()]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("(order_not_pending)"), "{refused:?}");
    assert_eq!(till.listed(&["--unsettled"]), [row("pay_1", &order, "order_not_pending")]);
    assert_eq!(till.world.findings().await, []);
}
