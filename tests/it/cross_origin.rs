//! Pages of other websites ask the shop: those on the producer's list, and no others.

use reqwest::Method;
use serde_json::json;
use taquilla_domain::role::BuiltInRole;

use crate::harness::{Answer, World, backups::Said, cart, event, problem, taquilla, ticket_type, with};

both_engines![websites_on_the_list_ask_the_shop, the_list_is_kept_by_staff_and_by_a_command];

const SITE: &str = "https://www.fiesta.example";
const SALE: &str = "/shop/v1/pr_a/events/ev";
const ALLOWED: &str = "access-control-allow-origin";

/// What a browser asks before a page may place an order.
async fn preflight(world: &World, path: &str, origin: &str) -> Answer {
    let asked = [
        ("origin", origin),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type,idempotency-key"),
    ];
    world.client.send(Method::OPTIONS, path, &asked).await
}

async fn websites_on_the_list_ask_the_shop(world: World) {
    let producer = world.producer("pr_a").await;
    world.producer("pr_b").await;
    let few = with(ticket_type("tt", "ev"), json!({"limit": 1}));
    world.import(producer.tenant, &[event("ev"), few]).await;
    let site = taquilla_domain::web_origin::WebOrigin::parse(SITE).unwrap();
    taquilla_rules::admin::shop_origins::set(&world.store, producer.tenant, vec![site], &world.by()).await.unwrap();

    let orders = format!("{SALE}/orders");
    let answer = preflight(&world, &orders, SITE).await;
    assert_eq!((answer.status.as_u16(), answer.header(ALLOWED)), (200, Some(SITE)));
    assert_eq!(answer.header("access-control-max-age"), Some("300"));
    for header in ["content-type", "idempotency-key"] {
        assert!(answer.header("access-control-allow-headers").unwrap().contains(header));
    }
    let sale = world.client.send(Method::GET, SALE, &[("origin", SITE)]).await;
    assert_eq!((sale.status.as_u16(), sale.header(ALLOWED), sale.header("vary")), (200, Some(SITE), Some("origin")));
    let place =
        async |key| world.client.post(&orders, &[("origin", SITE), ("idempotency-key", key)], &cart("tt", 1)).await;
    let placed = place("first").await;
    assert_eq!((placed.status.as_u16(), placed.header(ALLOWED)), (201, Some(SITE)));
    // The page is told why it was refused, and when to ask again.
    let refused = place("second").await;
    assert_eq!(refused.problem(), problem(409, "held", None));
    assert_eq!((refused.header(ALLOWED), refused.header("retry-after").is_some()), (Some(SITE), true));
    assert!(refused.header("access-control-expose-headers").unwrap().contains("retry-after"));
    let reference = placed.json()["reference"].as_str().unwrap().to_owned();
    let order = world.client.send(Method::GET, &format!("/shop/v1/orders/{reference}"), &[("origin", SITE)]).await;
    assert_eq!((order.status.as_u16(), order.header(ALLOWED)), (200, Some(SITE)));

    // Nobody else: other spellings and sites, another producer's shop, an order's reference that is none.
    for origin in
        ["https://fiesta.example", "http://www.fiesta.example", "https://www.fiesta.example:8443", "null", "*", ""]
    {
        assert_eq!(preflight(&world, &orders, origin).await.header(ALLOWED), None, "{origin}");
        let sale = world.client.send(Method::GET, SALE, &[("origin", origin)]).await;
        assert_eq!((sale.status.as_u16(), sale.header(ALLOWED)), (200, None), "{origin}");
    }
    for path in [
        "/shop/v1/pr_b/events/ev/orders",
        "/shop/v1/pr_none/events/ev/orders",
        "/shop/v1/orders/2-x",
        "/shop/v1/orders/x",
    ] {
        assert_eq!(preflight(&world, path, SITE).await.header(ALLOWED), None, "{path}");
    }
    // Neither processors nor integrators are pages.
    for path in ["/shop/v1/pr_a/payments", "/api/v1/tickets"] {
        assert_eq!(preflight(&world, path, SITE).await.header(ALLOWED), None, "{path}");
    }
    assert_eq!(sale_without_origin(&world).await.header(ALLOWED), None);
    // Off the list means off at once.
    taquilla_rules::admin::shop_origins::set(&world.store, producer.tenant, vec![], &world.by()).await.unwrap();
    assert_eq!(preflight(&world, &orders, SITE).await.header(ALLOWED), None);
}

async fn sale_without_origin(world: &World) -> Answer {
    world.client.send(Method::GET, SALE, &[]).await
}

async fn the_list_is_kept_by_staff_and_by_a_command(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let path = "/dashboard/p/pr_a/settings/websites";
    for wrong in ["example.org", "http://www.example.org", "https://example.org/tickets", "https://<b>.example"] {
        let page = ana.post(path, &[("origins", &format!("{SITE}\n{wrong}"))]).await;
        assert_eq!(page.status, 422, "{wrong}");
        assert!(page.text.contains("origins-error") && page.text.contains(SITE), "{}", page.text);
        assert!(!page.text.contains("<b>.example"));
    }
    let many: Vec<String> = (0..21).map(|number| format!("https://{number}.example")).collect();
    assert_eq!(ana.post(path, &[("origins", &many.join("\n"))]).await.status, 422);
    assert_eq!(world.raw().await.rows("SELECT shop_origins FROM producers").await, [[""]]);

    ana.post(path, &[("origins", "HTTPS://www.Fiesta.example/\r\n\r\nhttp://localhost:5173\n")]).await.leads_to();
    let kept = format!("http://localhost:5173\n{SITE}");
    assert_eq!(world.raw().await.rows("SELECT shop_origins FROM producers").await, [[kept.as_str()]]);
    assert!(ana.get(path).await.text.contains(&kept));
    assert!(ana.get("/dashboard/p/pr_a/history").await.text.contains(SITE));

    let change = |arguments: &[&str]| {
        let mut command = taquilla(&world.address);
        command.args(["producer", "change", "--producer", "pr_a", "--json"]).args(arguments);
        Said::of(&mut command)
    };
    assert_eq!(change(&[]).code, Some(2));
    assert_eq!(change(&["--shop-origin", "https://a.example/b"]).code, Some(2));
    let said = change(&["--shop-origin", "https://b.example", "--shop-origin", "https://a.example"]).json();
    assert_eq!(said, json!({"id": "pr_a", "shop_origins": ["https://a.example", "https://b.example"]}));
    assert_eq!(change(&["--shop-origin", "none"]).json()["shop_origins"], json!([]));
    assert_eq!(change(&["--retention-days", "90"]).json(), json!({"id": "pr_a", "retention_days": 90}));
}
