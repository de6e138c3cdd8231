//! The accountant: sees orders, payments, reports and files, sees no people, and changes nothing.

use serde_json::json;
use taquilla_domain::role::{BuiltInRole, Right};

use crate::{
    dashboard_access::table,
    harness::{World, event, order, pay, ticket_type, with},
};

both_engines![the_accountant_sees_the_money_and_changes_nothing];

async fn the_accountant_sees_the_money_and_changes_nothing(world: World) {
    let producer = world.producer("pr_a").await;
    let buyer = json!({"name": "Ana Hidden", "email": "ana.hidden@example.com"});
    let lines = [
        with(event("ev"), json!({"status": "published"})),
        ticket_type("tt", "ev"),
        with(order("or_back", "ev", "tt"), json!({"status": "approved", "buyer": buyer})),
    ];
    world.import(producer.tenant, &lines).await;
    let secret = world.connect_processor(&producer).await;
    let money =
        json!({"payment_id": "pay_nobody", "reference": "none", "status": "paid", "amount": 5, "currency": "EUR"});
    pay(&world, &money, &secret, 0).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    ana.post("/dashboard/p/pr_a/orders/or_back/refund", &[]).await.leads_to();
    let cal = world.staff(producer.tenant, "cal@x.example", BuiltInRole::Accountant).await;
    let see = async |path: &str| {
        let page = cal.get(&format!("/dashboard/p/pr_a{path}")).await;
        assert_eq!(page.status, 200, "{path}: {}", page.text);
        page.text
    };
    assert!(see("/payments/open").await.contains("pay_nobody"));
    assert!(see("/payments/owed").await.contains("or_back"));
    assert!(see("").await.contains("/payments/open"), "what waits is on the overview");
    for path in ["/payments", "/payments/open", "/payments/owed", "/orders/or_back"] {
        let page = see(path).await;
        let forms = ["/payments/connect", "/payments/one", "/paid-back", "or_back/refund"];
        assert!(!forms.iter().any(|form| page.contains(form)), "{path} offers what is refused: {page}");
    }
    for path in ["", "/orders", "/orders/or_back", "/payments/owed", "/reports", "/history", "/exports/orders.csv"] {
        assert!(!see(path).await.contains("Hidden"), "{path} shows somebody");
    }
    // Every form is refused, whatever it asks for.
    let changes = table().into_iter().filter(|(method, ..)| *method == "POST");
    for (_, path, right) in changes {
        assert!(right.is_some_and(|right| !BuiltInRole::Accountant.rights().allow(right)), "{path}");
    }
    // With a role of its own the same person sees names, too.
    assert!(!BuiltInRole::Accountant.rights().allow(Right::SeePersonalData));
}
