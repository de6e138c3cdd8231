//! Notes about orders: staff write them for one another, nobody outside reads them, and they go with the buyer.

use serde_json::{Value, json};
use taquilla_domain::{config::ORDER_NOTES_MAX, role::BuiltInRole};

use crate::{
    harness::{World, cart, place, taquilla, with},
    payments::Till,
};

both_engines![staff_write_notes_for_one_another, notes_are_erased_with_the_buyer];

const PAGE: &str = "/dashboard/p/pr_a";

async fn staff_write_notes_for_one_another(world: World) {
    let till = Till::open(world, 9).await;
    let placed = till.order("a").await;
    let (id, tenant) = (placed["order"]["id"].as_str().unwrap(), till.producer.tenant);
    let ana = till.world.staff(tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let (base, notes) = (format!("{PAGE}/orders/{id}"), format!("{PAGE}/orders/{id}/notes"));
    assert!(ana.get(&base).await.text.contains("Nobody has written anything"));
    let written = ana.post(&notes, &[("note", " Calls again on Monday <b>\nasks for Marta ")]).await;
    assert_eq!(written.leads_to(), format!("{base}?done=order-noted#notes"));
    let page = ana.get(&base).await.text;
    assert!(page.contains("Calls again on Monday &#60;b&#62;") && page.contains("ana@x.example"), "{page}");
    // Nobody outside sees it, whoever sees no people does not either, and a viewer does not write.
    let shown = till.world.client.get(&format!("/api/v1/orders/{id}"), &till.producer.key).await.text;
    let outbox = till.world.raw().await.rows("SELECT data FROM outbox").await;
    assert!(!shown.contains("Monday") && !format!("{outbox:?}").contains("Monday"));
    let history = till.world.raw().await.rows("SELECT details FROM audit WHERE action = 'order.noted'").await;
    assert!(history.len() == 1 && !history[0][0].contains("Monday"), "{history:?}");
    let vic = till.world.staff(tenant, "vic@x.example", BuiltInRole::Viewer).await;
    let covered = vic.get(&base).await.text;
    assert!(!covered.contains("Monday") && covered.contains("•••") && !covered.contains("name=\"note\""), "{covered}");
    assert_eq!(vic.post(&notes, &[("note", "no")]).await.status, 403);
    // The table of orders has them, covered in the same way.
    let file = ana.get(&format!("{PAGE}/exports/orders.csv")).await.text;
    assert!(file.contains("ana@x.example: Calls again on Monday"), "{file}");
    let cal = till.world.staff(tenant, "cal@x.example", BuiltInRole::Accountant).await;
    let covered = cal.get(&format!("{PAGE}/exports/orders.csv")).await.text;
    assert!(covered.contains("ana@x.example: •••") && !covered.contains("Monday"), "{covered}");
    // What is no note is said beside the field.
    for wrong in ["", "   ", &"x".repeat(1_001)] {
        let answer = ana.post(&notes, &[("note", wrong)]).await;
        assert_eq!(answer.status, 422);
        assert!(answer.text.contains("A note has 1 to 1000 characters"), "{}", answer.text);
    }
    assert_eq!(ana.post(&format!("{PAGE}/orders/or_none/notes"), &[("note", "no")]).await.status, 404);
    for _ in 1..ORDER_NOTES_MAX {
        ana.post(&notes, &[("note", "more")]).await.leads_to();
    }
    assert_eq!(ana.post(&notes, &[("note", "too many")]).await.status, 422);
    assert_eq!(till.world.findings().await, []);
}

async fn notes_are_erased_with_the_buyer(world: World) {
    let till = Till::open(world, 9).await;
    let buyer =
        |name: &str| with(cart("tt", 1), json!({"buyer": {"name": name, "email": format!("{name}@x.example")}}));
    let (zoe, bea) = (buyer("zoe"), buyer("bea"));
    let zoe = place(&till.world, "a", &zoe).await.json()["order"]["id"].as_str().unwrap().to_owned();
    let bea = place(&till.world, "b", &bea).await.json()["order"]["id"].as_str().unwrap().to_owned();
    let ana = till.world.staff(till.producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    for id in [&zoe, &bea] {
        ana.post(&format!("{PAGE}/orders/{id}/notes"), &[("note", "Sits in the first row")]).await.leads_to();
    }
    let person = |command: &str| {
        let mut arguments = vec!["person", command, "--producer", "pr_a", "--email", "zoe@x.example", "--json"];
        arguments.extend((command == "erase").then_some("--yes"));
        let output = taquilla(&till.world.address).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let held = person("export");
    assert_eq!(held["orders"][0]["notes"][0]["text"], "Sits in the first row", "{held}");
    person("erase");
    let left = till.world.raw().await.rows("SELECT order_id FROM order_notes").await;
    assert_eq!(left, [[bea]]);
    assert_eq!(till.world.findings().await, []);
}
