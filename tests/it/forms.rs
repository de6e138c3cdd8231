//! Forms as browsers send them: once more after a reload, too long, and in the other language.

use taquilla_domain::role::BuiltInRole;

use crate::harness::{Page, Producer, Staff, World, event, order, ticket_type, with};

both_engines![
    a_form_that_shows_a_secret_makes_one_thing_however_often_it_is_sent,
    two_servers_take_one_form_once,
    a_form_that_is_too_long_gets_a_page_in_both_languages,
    changing_the_language_keeps_the_page_and_its_filter,
];

const BASE: &str = "/dashboard/p/pr_a";

async fn begin(world: &World) -> (Producer, Staff) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    (producer, ana)
}

/// The key of a page's form with this action.
fn form_key(page: &Page, action: &str) -> String {
    let form = page.between(&format!("action=\"{action}\""), "</form>");
    let (_, rest) = form.split_once("name=\"form\" value=\"").unwrap_or_else(|| panic!("no key in {form}"));
    rest.split_once('"').unwrap().0.to_owned()
}

async fn count(world: &World, table: &str) -> String {
    world.raw().await.rows(&format!("SELECT count(*) FROM {table}")).await[0][0].clone()
}

async fn a_form_that_shows_a_secret_makes_one_thing_however_often_it_is_sent(world: World) {
    let (producer, ana) = begin(&world).await;
    let bea = world.user(producer.tenant, "bea@x.example", BuiltInRole::Viewer.as_str()).await;
    let key = [("name", "Site"), ("permission", "EVENTS_READ"), ("expires", "30")];
    let endpoint = [("url", "https://hooks.example.com/x"), ("kind", "event.updated")];
    let door = [("label", "North"), ("category", "ticket"), ("stations", "Gate")];
    let invited = [("email", "new@x.example"), ("role", "viewer")];
    type Case<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)], &'a str);
    let cases: [Case<'_>; 6] = [
        ("/keys/new", "/keys", &key, "api_keys"),
        ("/webhooks/new", "/webhooks", &endpoint, "webhook_endpoints"),
        ("/door/ev/links/new", "/door/ev/links", &door, "door_links"),
        ("/team/invite", "/team/invite", &invited, "staff_links"),
        ("/payments/connect", "/payments/connect", &[], "audit WHERE action = 'payments.connected'"),
        ("/team/members/BEA", "/team/members/BEA/reset", &[], "audit WHERE action = 'user.reset_link'"),
    ];
    for (page, action, fields, table) in cases {
        let (page, action) = (page.replace("BEA", &bea), format!("{BASE}{}", action.replace("BEA", &bea)));
        let shown = ana.get(&format!("{BASE}{page}")).await;
        let form = form_key(&shown, &action);
        let fields = [fields, &[("form", form.as_str())]].concat();
        let made = ana.post(&action, &fields).await;
        assert_eq!(made.status, 200, "{action}: {}", made.text);
        let after = count(&world, table).await;
        let again = ana.post(&action, &fields).await;
        assert_eq!(again.status, 409, "{action}: {}", again.text);
        assert!(again.text.contains("This form was sent already"), "{action}: {}", again.text);
        assert_eq!(count(&world, table).await, after, "{action} made nothing more");
        // Whoever opens the form anew makes another.
        let other = form_key(&ana.get(&format!("{BASE}{page}")).await, &action);
        assert_ne!(other, form);
    }
    let spanish = ana.at(&world.client.base);
    spanish.set_cookie("taquilla-language", "es");
    let form = form_key(&spanish.get(&format!("{BASE}/keys/new")).await, &format!("{BASE}/keys"));
    let fields = [&key[..], &[("form", form.as_str())]].concat();
    assert_eq!(spanish.post(&format!("{BASE}/keys"), &fields).await.status, 200);
    assert!(spanish.post(&format!("{BASE}/keys"), &fields).await.text.contains("Este formulario ya se había enviado"));
}

async fn two_servers_take_one_form_once(world: World) {
    let (_, ana) = begin(&world).await;
    let (_server, other) = world.another_server(Default::default()).await;
    let elsewhere = ana.at(&other.base);
    let form = form_key(&ana.get(&format!("{BASE}/keys/new")).await, &format!("{BASE}/keys"));
    let fields = [("name", "Site"), ("permission", "EVENTS_READ"), ("expires", "30"), ("form", form.as_str())];
    let before: i64 = count(&world, "api_keys").await.parse().unwrap();
    let path = format!("{BASE}/keys");
    let (one, two) = tokio::join!(ana.post(&path, &fields), elsewhere.post(&path, &fields));
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    assert_eq!(count(&world, "api_keys").await, (before + 1).to_string());
}

async fn a_form_that_is_too_long_gets_a_page_in_both_languages(world: World) {
    let (_, ana) = begin(&world).await;
    let long = "x".repeat(70_000);
    let fields = [("name", "Verbena"), ("description", long.as_str())];
    let page = ana.post(&format!("{BASE}/events"), &fields).await;
    assert_eq!(page.status, 413);
    assert!(page.text.contains("This form is too long") && page.text.contains("64 kB"), "{}", page.text);
    ana.set_cookie("taquilla-language", "es");
    let page = ana.post(&format!("{BASE}/events"), &fields).await;
    assert!(page.status == 413 && page.text.contains("Este formulario es demasiado largo"), "{}", page.text);
    // A program gets the problem.
    let body = serde_json::json!({"note": long});
    let answer = world.client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", "k")], &body).await;
    assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (413, Some("body_too_large")));
}

async fn changing_the_language_keeps_the_page_and_its_filter(world: World) {
    let (producer, ana) = begin(&world).await;
    let named = serde_json::json!({"buyer": {"name": "Ana Ruiz"}});
    world.import(producer.tenant, &[with(order("or_1", "ev", "tt"), named)]).await;
    for here in [
        format!("{BASE}/orders?event=ev&status=approved&q=ana+ruiz"),
        format!("{BASE}/tickets?q=https%3A%2F%2Fx%2F..%2F"),
        format!("{BASE}/history?action=event.created&actor=a%40b"),
        format!("{BASE}/reports/sales?event=ev&from=2026-01-01&to=2026-01-31"),
        "/dashboard/account".to_owned(),
        "/".to_owned(),
    ] {
        let page = ana.get(&here).await;
        let next = page.between("name=\"next\" value=\"", "\"").replace("&#38;", "&");
        assert_eq!(next, here);
        let chosen = ana.post("/language", &[("language", "es"), ("next", &next)]).await;
        assert_eq!(chosen.leads_to(), here);
        assert!(ana.get(&here).await.text.contains("<html lang=\"es\">"), "{here}");
        ana.post("/language", &[("language", "en"), ("next", &next)]).await;
    }
    // A form with a mistake leads back to the page that it was on.
    let form = format!("{BASE}/events/new?x=1");
    let referred = ana.at(&world.client.base).with_header("referer", &format!("{}{form}", world.client.base));
    let wrong = referred.post(&format!("{BASE}/events"), &[]).await;
    assert_eq!((wrong.status.as_u16(), wrong.between("name=\"next\" value=\"", "\"")), (422, form.as_str()));
    // Nobody is led elsewhere.
    let elsewhere = ana.post("/language", &[("language", "es"), ("next", "//evil.example/x?y")]).await;
    assert_eq!(elsewhere.leads_to(), "/");
}
