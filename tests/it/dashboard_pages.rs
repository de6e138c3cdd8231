//! What pages say: escaped, complete in both languages, and without personal data for who may not see it.

use serde_json::json;
use taquilla_dashboard::{door, exports::query::Kind};
use taquilla_domain::{
    admit::Outcome,
    audit::Action,
    config::{Config, PostgresTimeouts},
    refusal::{Reason, Refusal},
    role::{BuiltInRole, Right},
    status::{Category, EventStatus, OrderChannel, OrderStatus, TypeStatus},
    text::Name,
    webhook::{DeliveryStatus, MessageKind},
    work::WorkState,
};
use taquilla_pages::texts::{Language, Texts};
use taquilla_rules::{admin, boxoffice};

use crate::harness::{
    Hooks, Staff, World, event, order,
    receiver::{Behaviour, Receiver},
    ticket, ticket_type, to_this_machine, until, with,
};

both_engines![
    what_people_write_is_shown_and_never_obeyed,
    every_page_is_there_in_both_languages,
    personal_data_is_hidden_from_who_may_not_see_it,
    an_endpoint_is_made_tested_and_its_messages_sent_again,
    the_payment_account_is_connected_and_its_secret_replaced,
    the_history_is_searched_and_has_an_end,
    bad_forms_get_an_answer_and_change_nothing,
    forms_of_buyers_may_end_at_a_processor_and_those_of_staff_not,
    the_front_page_shows_what_is_on_sale,
];

/// Texts that would run, break out of an attribute, or end a tag, if a page obeyed them.
const EVIL: [&str; 4] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</title></textarea><svg/onload=alert(1)>",
];

/// The pages of a producer that are there whatever it has.
const FIRST_PART: [&str; 9] =
    ["", "/keys", "/keys/new", "/webhooks", "/team", "/team/roles", "/history", "/settings", "/payments"];
/// The pages of a producer with the event `ev`, the hidden item `tt` and the order `or`.
const SECOND_PART: [&str; 33] = [
    "/events",
    "/events/new",
    "/events/ev",
    "/events/ev/change",
    "/events/ev/finish",
    "/events/ev/cancel",
    "/events/ev/duplicate",
    "/events/ev/refund",
    "/events/ev/items/new",
    "/events/ev/items/new?kind=bundle",
    "/events/ev/items/tt",
    "/events/ev/items/tt/change",
    "/orders",
    "/orders/new",
    "/orders/new?event=ev",
    "/orders/or",
    "/orders/or/refund",
    "/orders/or/tickets",
    "/tickets",
    "/tickets?event=ev&type=tt",
    "/door",
    "/door/ev",
    "/door/ev/screen",
    "/door/ev/links",
    "/door/ev/links/new",
    "/reports/sales?event=ev",
    "/reports/orders?event=ev&item=tt",
    "/reports/entries?event=ev",
    "/reports/no-shows?event=ev",
    "/reports/stock?event=ev",
    "/reports/shifts",
    "/shift",
    "/imports",
];

async fn what_people_write_is_shown_and_never_obeyed(world: World) {
    for (number, evil) in EVIL.iter().enumerate() {
        let id = format!("pr_{number}");
        let name = Name::parse(evil).unwrap();
        let producer = crate::harness::a_producer(name.clone());
        admin::producers::create(&world.store, Some(&id), &producer, &world.by()).await.unwrap();
        let tenant =
            taquilla_store::producers::find(&mut world.store.read().await.unwrap(), &id).await.unwrap().unwrap();
        let email = format!("ana{number}@x.example");
        let ana = world.staff(tenant, &email, BuiltInRole::Administrator).await;
        world.make_operator(&email).await;
        let base = format!("/dashboard/p/{id}");
        let evil_url = format!("https://example.com/{}", evil.replace(' ', ""));
        ana.post("/dashboard/account/name", &[("name", evil)]).await;
        ana.post(&format!("{base}/keys"), &[("name", evil), ("permission", "EVENTS_READ"), ("expires", "30")]).await;
        ana.post(&format!("{base}/webhooks"), &[("url", &evil_url), ("kind", "ticket.scanned")]).await;
        ana.post(&format!("{base}/team/roles"), &[("name", evil), ("right", "keys.see")]).await;
        ana.post(
            &format!("{base}/team/invite"),
            &[("email", &format!("x{number}\"'><b>@x.example")), ("role", "viewer")],
        )
        .await;
        world.import(tenant, &[
            with(event("ev", ), json!({"name": evil, "venue": evil, "status": "published", "starts_at": "2026-12-01T20:00:00Z"})),
            with(ticket_type("tt", "ev"), json!({"name": evil, "description": evil, "status": "hidden"})),
            with(order("or", "ev", "tt"), json!({"buyer": {"name": evil, "email": "a@b.example", "identity_document": evil}})),
            with(ticket(&format!("CODE-{number}"), "ev", "tt"), json!({"order_id": "or",
                "attendee": {"name": evil, "email": "a@b.example", "identity_document": evil}})),
        ]).await;
        boxoffice::scan(&world.store, tenant, &format!("CODE-{number}"), evil, world.now()).await.unwrap();
        boxoffice::scan(&world.store, tenant, &format!("CODE-{number}"), evil, world.now()).await.unwrap_err();
        ana.post(&format!("{base}/door/ev/links"), &[("label", evil), ("category", "ticket"), ("stations", evil)])
            .await;
        ana.upload(&format!("{base}/imports"), evil, b"{}").await;
        // Shown again with what is wrong, too.
        let again = ana.post(&format!("{base}/keys"), &[("name", evil), ("expires", evil)]).await;
        let mut pages = vec![again];
        let history = format!(
            "{base}/history?actor={0}&subject={0}",
            url::form_urlencoded::byte_serialize(evil.as_bytes()).collect::<String>()
        );
        for path in FIRST_PART.iter().chain(&SECOND_PART) {
            pages.push(ana.get(&format!("{base}{path}")).await);
        }
        let asked: String = url::form_urlencoded::byte_serialize(evil.as_bytes()).collect();
        for list in ["orders", "tickets", "events"] {
            pages.push(ana.get(&format!("{base}/{list}?q={asked}&status={asked}")).await);
        }
        let place =
            world.raw().await.rows(&format!("SELECT issued_at, seq FROM tickets WHERE id = 'CODE-{number}'")).await;
        for path in ["", "/pass-on", "/cancel"] {
            pages.push(ana.get(&format!("{base}/tickets/{}-{}{path}", place[0][0], place[0][1])).await);
        }
        let key = format!("key_{}", pages[2].between(&format!("{base}/keys/key_"), "/revoke"));
        let rows = world
            .raw()
            .await
            .rows(&format!("SELECT id FROM webhook_endpoints WHERE producer_id = {}", tenant.number()))
            .await;
        for path in [&history, &format!("{base}/keys/{key}/revoke"), "/dashboard/account", "/dashboard/service", "/"] {
            pages.push(ana.get(path).await);
        }
        for endpoint in rows {
            for path in ["", "/change", "/delete"] {
                pages.push(ana.get(&format!("{base}/webhooks/{}{path}", endpoint[0])).await);
            }
        }
        for page in &pages {
            assert!(page.status.is_success() || page.status == 422, "{}", page.text);
            for tag in ["<script>alert", "<img src=x", "' onmouseover", "<svg/onload", "<b>@x"] {
                assert!(!page.text.contains(tag), "{tag} in {}", page.text);
            }
        }
        assert!(pages[2].text.contains("&#60;") || pages[2].text.contains("&#39;"), "it is shown: {}", pages[2].text);
    }
}

async fn every_page_is_there_in_both_languages(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    world.make_operator("ana@x.example").await;
    let pages = [
        "/",
        "/dashboard/sign-in",
        "/dashboard/account",
        "/dashboard/account/second-factor",
        "/dashboard/confirm",
        "/dashboard/service",
        "/dashboard/p/pr_a",
        "/dashboard/p/pr_a/keys",
        "/dashboard/p/pr_a/keys/new",
        "/dashboard/p/pr_a/webhooks",
        "/dashboard/p/pr_a/webhooks/new",
        "/dashboard/p/pr_a/payments",
        "/dashboard/p/pr_a/payments/connect",
        "/dashboard/p/pr_a/team",
        "/dashboard/p/pr_a/team/invite",
        "/dashboard/p/pr_a/team/roles",
        "/dashboard/p/pr_a/team/roles/new",
        "/dashboard/p/pr_a/history",
        "/dashboard/p/pr_a/settings",
    ];
    let lines = [
        with(event("ev"), json!({"status": "published"})),
        with(ticket_type("tt", "ev"), json!({"status": "hidden"})),
        order("or", "ev", "tt"),
    ];
    world.import(producer.tenant, &lines).await;
    let second_part = SECOND_PART.map(|path| format!("/dashboard/p/pr_a{path}"));
    // A text that is missing is a panic in tests, so a page that answers has all of its own.
    for (language, word) in [("en", "Español"), ("es", "English")] {
        ana.set_cookie("taquilla-language", language);
        for path in pages.iter().map(|path| (*path).to_owned()).chain(second_part.clone()) {
            let page = ana.get(&path).await;
            assert_eq!(page.status, 200, "{path}");
            // A big screen has no menus.
            let offers_the_other = path.ends_with("/screen") || page.text.contains(word);
            assert!(page.text.contains(&format!("<html lang=\"{language}\"")) && offers_the_other, "{path}");
        }
        let lost = ana.get("/dashboard/nowhere").await;
        assert!(lost.text.contains("name=\"next\" value=\"/dashboard/nowhere\""), "{}", lost.text);
        assert!(
            lost.status == 404
                && lost.text.contains(if language == "es" {
                    "Esta página no existe"
                } else {
                    "This page does not exist"
                })
        );
    }
    // The browser's language, until somebody chooses.
    let browser = Staff::new(&world.client.base).with_header("accept-language", "es-AR,es;q=0.9");
    assert!(browser.get("/dashboard/sign-in").await.text.contains("<html lang=\"es\">"));
    browser.post("/language", &[("language", "en"), ("next", "/dashboard/sign-in")]).await;
    assert!(browser.get("/dashboard/sign-in").await.text.contains("<html lang=\"en\">"));
}

/// Texts whose keys are put together are all there.
#[test]
fn every_text_that_is_put_together_is_there() {
    let keys = Texts::keys(Language::English);
    let mut wanted: Vec<String> = Vec::new();
    for right in Right::ALL {
        let key = format!("right-{}", right.as_str().replace(['.', '_'], "-"));
        wanted.extend([format!("{key}-about"), key]);
    }
    wanted.extend(Action::ALL.iter().map(|action| format!("action-{}", action.as_str().replace(['.', '_'], "-"))));
    wanted.extend(BuiltInRole::ALL.iter().map(|role| format!("role-{}", role.as_str().replace('_', "-"))));
    let kinds = MessageKind::ALL.iter().filter(|kind| **kind != MessageKind::WebhookTest);
    wanted.extend(kinds.map(|kind| format!("kind-{}", kind.as_str().replace(['.', '_'], "-"))));
    wanted.extend(WorkState::ALL.iter().map(|state| format!("work-state-{}", state.as_str())));
    wanted.extend(EventStatus::ALL.iter().map(|status| format!("event-status-{}", status.as_str())));
    wanted.extend(Category::ALL.iter().map(|category| format!("item-category-{}", category.as_str())));
    for status in TypeStatus::ALL {
        let key = format!("item-status-{}", status.as_str());
        wanted.extend([format!("{key}-about"), key]);
    }
    // Reports and exports.
    for report in ["sales", "entries", "no-shows", "stock"] {
        wanted.extend([format!("report-{report}"), format!("report-{report}-about")]);
    }
    wanted.extend(["report-from", "report-to", "report-channel-unknown"].map(str::to_owned));
    wanted.extend(OrderChannel::ALL.iter().map(|it| format!("report-channel-{}", it.as_str().replace('_', "-"))));
    for kind in Kind::ALL.map(Kind::as_str) {
        wanted.extend([format!("export-{kind}"), format!("export-{kind}-about")]);
    }
    let statuses = Kind::ALL.iter().flat_map(|kind| kind.statuses().into_iter().map(|it| (kind.as_str(), it)));
    wanted.extend(statuses.map(|(kind, status)| format!("export-{kind}-{status}")));
    wanted.extend(Outcome::ALL.iter().map(|outcome| door::view::outcome_key(*outcome)));
    let unsettled = [
        Refusal::NotFound(""),
        Refusal::PaymentMismatch,
        Refusal::OrderNotPending(OrderStatus::Approved),
        Refusal::SoldOut(String::new()),
        Refusal::EventNotOnSale,
        Refusal::NotOnSale(String::new()),
        Refusal::PaymentPaidBack,
        Refusal::OrderHasTickets,
        Refusal::invalid("", ""),
    ];
    wanted.extend(unsettled.iter().map(|refusal| format!("unsettled-{}", refusal.code().replace('_', "-"))));
    wanted.push("unsettled-held".to_owned());
    let missing: Vec<_> = wanted.iter().filter(|key| !keys.contains(key.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_refusal_has_a_text_in_every_language() {
    // What is wrong with a value is said beside its field, by a text of that field.
    let reasons = Reason::ALL.iter().filter(|reason| **reason != Reason::Invalid);
    let wanted: Vec<String> = reasons.map(|reason| format!("refused-{}", reason.as_str())).collect();
    for language in Language::ALL {
        let keys = Texts::keys(*language);
        let missing: Vec<_> = wanted.iter().filter(|key| !keys.contains(key.as_str())).collect();
        assert!(missing.is_empty(), "{language:?}: {missing:?}");
    }
}

async fn personal_data_is_hidden_from_who_may_not_see_it(world: World) {
    let hooks = Hooks::new(world).await;
    let world = &hooks.world;
    let receiver = Receiver::start(Behaviour::status(200).with_body("thank you, Zoe")).await;
    let (endpoint, _) = hooks.endpoint_with(&receiver.url("/"), &[MessageKind::TicketScanned], true).await;
    let person = json!({"name": "Zoe Private", "email": "zoe@private.example", "phone": "+34 600 000 001", "identity_document": "X-PRIVATE-1"});
    let lines = [
        with(order("or_p", "ev", "tt"), json!({"buyer": person})),
        with(ticket("PRIV1", "ev", "tt"), json!({"attendee": person})),
    ];
    world.import(hooks.producer.tenant, &lines).await;
    boxoffice::scan(&world.store, hooks.producer.tenant, "PRIV1", "Gate", world.now()).await.unwrap();
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 1).await;
    let ana = world.staff(hooks.producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let vic = world.staff(hooks.producer.tenant, "vic@x.example", BuiltInRole::Viewer).await;
    let producer_id = world.raw().await.rows("SELECT id FROM producers").await[0][0].clone();
    let base = format!("/dashboard/p/{producer_id}/webhooks/{}", endpoint.id);
    let list = ana.get(&base).await;
    let message = list.between(&format!("{base}/messages/"), "\"").to_owned();
    let secrets = ["Zoe Private", "zoe@private.example", "600 000 001", "X-PRIVATE-1", "PRIV1", "thank you, Zoe"];
    let open = ana.get(&format!("{base}/messages/{message}")).await;
    assert!(secrets.iter().all(|secret| open.text.contains(secret)), "{}", open.text);
    let covered = vic.get(&format!("{base}/messages/{message}")).await;
    assert_eq!(covered.status, 200);
    assert!(secrets.iter().all(|secret| !covered.text.contains(secret)), "{}", covered.text);
    assert!(covered.text.contains("does not see personal data") && covered.text.contains("•••"));
    for page in ["", "/webhooks", &format!("/webhooks/{}", endpoint.id)] {
        let text = vic.get(&format!("/dashboard/p/{producer_id}{page}")).await.text;
        assert!(secrets.iter().all(|secret| !text.contains(secret)), "{page}");
    }
}

async fn an_endpoint_is_made_tested_and_its_messages_sent_again(world: World) {
    let world = world.reopened(to_this_machine(), PostgresTimeouts::default()).await;
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let failing = Receiver::start(Behaviour::status(500).with_body("<b>broken</b>")).await;
    let made = ana
        .post(
            "/dashboard/p/pr_a/webhooks",
            &[("url", &failing.url("/hook")), ("kind", "ticket.scanned"), ("kind", "order.created")],
        )
        .await;
    assert!(made.between("<code id=\"secret\">", "</code>").starts_with("whsec_"), "{}", made.text);
    let list = ana.get("/dashboard/p/pr_a/webhooks").await;
    let id = format!("wh_{}", list.between("/dashboard/p/pr_a/webhooks/wh_", "\""));
    let base = format!("/dashboard/p/pr_a/webhooks/{id}");
    let tested = ana.post(&format!("{base}/test"), &[]).await;
    let result = ana.get(tested.leads_to()).await;
    assert!(result.text.contains("500") && result.text.contains("&#60;b&#62;broken"), "{}", result.text);
    assert!(result.text.contains("Below is what came of it"));
    // The receiver is mended, the address changed, and the message sent again.
    let working = Receiver::start(Behaviour::ok()).await;
    let change =
        [("url", working.url("/hook")), ("kind", "ticket.scanned".to_owned()), ("personal_data", "yes".to_owned())];
    let change: Vec<(&str, &str)> = change.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(ana.post(&format!("{base}/change"), &change).await.leads_to(), format!("{base}?done=endpoint-changed"));
    let message = tested.leads_to().split('?').next().unwrap().to_owned();
    let message_id = message.rsplit('/').next().unwrap();
    ana.post(&format!("{base}/replay"), &[("which", "message"), ("message", message_id)]).await.leads_to();
    assert!(until(async || ana.get(&message).await.text.contains("delivered")).await);
    // Paused and resumed; rotated until there are too many secrets; a range; the end.
    ana.post(&format!("{base}/pause"), &[]).await;
    assert!(ana.get(&base).await.text.contains("paused"));
    ana.post(&format!("{base}/resume"), &[]).await;
    assert!(ana.get(&base).await.text.contains("working"));
    let mut rotated = 0;
    while ana.post(&format!("{base}/rotate"), &[]).await.status == 200 {
        rotated += 1;
    }
    assert_eq!(rotated, 4);
    for (since, until, status) in [
        ("2026-10-01T00:00", "", 303),
        ("2026-10-01T00:00", "2026-11-01T00:00", 303),
        ("", "", 422),
        ("2026-10-02T00:00", "2026-10-01T00:00", 422),
        ("<x>", "", 422),
    ] {
        let page = ana.post(&format!("{base}/replay"), &[("which", "range"), ("since", since), ("until", until)]).await;
        assert_eq!(page.status, status, "{since} {until}");
    }
    assert!(ana.get(&format!("{base}/delete")).await.text.contains("cannot be brought back"));
    assert_eq!(
        ana.post(&format!("{base}/delete"), &[]).await.leads_to(),
        "/dashboard/p/pr_a/webhooks?done=endpoint-deleted"
    );
    assert_eq!(ana.get(&base).await.status, 404);
    // An address inside this network is not taken where that is not allowed.
    let (_server, client) = world.another_server(Config::default()).await;
    let strict = ana.at(&client.base);
    for url in ["http://127.0.0.1/", "https://10.0.0.1/", "ftp://x", "", "https://user:pw@example.com/"] {
        let page = strict.post("/dashboard/p/pr_a/webhooks", &[("url", url), ("kind", "ticket.scanned")]).await;
        assert!(page.status == 422 && page.text.contains("Write an https address"), "{url}");
    }
}

async fn the_payment_account_is_connected_and_its_secret_replaced(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    assert!(ana.get("/dashboard/p/pr_a/payments").await.text.contains("not connected"));
    let first = ana.post("/dashboard/p/pr_a/payments/connect", &[]).await;
    let secret = first.between("<code id=\"secret\">", "</code>").to_owned();
    assert!(secret.starts_with("whsec_") && first.text.contains("/shop/v1/pr_a/payments"));
    let page = ana.get("/dashboard/p/pr_a/payments").await;
    assert!(page.text.contains("connected") && !page.text.contains(&secret));
    let second = ana.post("/dashboard/p/pr_a/payments/connect", &[]).await;
    assert!(second.text.contains("is accepted until") && !second.text.contains(&secret));
    let third = ana.post("/dashboard/p/pr_a/payments/connect", &[("at_once", "yes")]).await;
    assert!(!third.text.contains("is accepted until"));
    let history = ana.get("/dashboard/p/pr_a/history?action=payments.connected").await;
    assert_eq!(history.text.matches("<tr><td data-label").count(), 3);
    assert!(!history.text.contains("whsec_"));
}

async fn the_history_is_searched_and_has_an_end(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    for _ in 0..60 {
        world.step(std::time::Duration::from_secs(1));
        world.key(producer.tenant, &[taquilla_domain::key::Permission::EventsRead], None).await;
    }
    let rows = |text: &str| text.matches("<tr><td data-label").count();
    let first = ana.get("/dashboard/p/pr_a/history?action=key.created").await;
    assert_eq!(rows(&first.text), 50);
    let next =
        first.between("class=\"pager\" aria-label=\"Pages\"><a class=\"button\" href=\"", "\"").replace("&#38;", "&");
    let last = ana.get(&next).await;
    assert_eq!(rows(&last.text), 11, "60, and the producer's first key: {next}");
    assert!(!last.text.contains("class=\"pager\" aria-label=\"Pages\"><a"));
    let own = ana.get("/dashboard/p/pr_a/history?actor=Ana@x.example").await;
    assert_eq!(rows(&own.text), 3, "she chose a password, and signed in twice: {}", own.text);
    assert_eq!(rows(&ana.get("/dashboard/p/pr_a/history?actor=nobody").await.text), 0);
    let id = world.raw().await.rows("SELECT id FROM api_keys ORDER BY id LIMIT 1").await[0][0].clone();
    assert_eq!(rows(&ana.get(&format!("/dashboard/p/pr_a/history?subject={id}")).await.text), 1);
    for odd in ["before=zzz", "before=%00", "action=no.such", "actor=%27%22%3B--", "before="] {
        assert_eq!(ana.get(&format!("/dashboard/p/pr_a/history?{odd}")).await.status, 200, "{odd}");
    }
}

async fn bad_forms_get_an_answer_and_change_nothing(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let long = "x".repeat(600);
    let before = world.contents(&[("sessions", "seen_at")]).await;
    for (path, fields) in [
        ("/keys", vec![("name", ""), ("permission", "EVENTS_READ"), ("expires", "30")]),
        ("/keys", vec![("name", long.as_str()), ("permission", "EVENTS_READ"), ("expires", "30")]),
        ("/keys", vec![("name", "a\u{202e}b"), ("permission", "EVENTS_READ"), ("expires", "30")]),
        ("/keys", vec![("name", "x"), ("permission", "EVERYTHING"), ("expires", "30")]),
        ("/keys", vec![("name", "x"), ("permission", "EVENTS_READ"), ("expires", "31")]),
        ("/webhooks", vec![("url", "https://example.com/"), ("kind", "no.kind")]),
        ("/team/invite", vec![("email", "no address"), ("role", "viewer")]),
        ("/team/invite", vec![("email", "x@x.example"), ("role", "no-such-role")]),
        ("/team/roles", vec![("name", "\n")]),
        ("/settings", vec![("name", "x"), ("time_zone", "Mars/Base"), ("currency", "EUR")]),
    ] {
        let page = ana.post(&format!("/dashboard/p/pr_a{path}"), &fields).await;
        assert_eq!(page.status, 422, "{path} {fields:?}");
        assert!(page.text.contains("role=\"alert\"") && page.text.contains("Something needs correcting"), "{path}");
        if let Some((_, value)) = fields.iter().find(|(name, value)| *name == "name" && *value == "x") {
            assert!(page.text.contains(&format!("value=\"{value}\"")), "what was written is still there");
        }
    }
    // What no browser sends.
    for path in
        ["/keys/%00/revoke", "/webhooks/a%00b", "/team/members/%00", "/team/roles/%00", "/webhooks/x/messages/%00"]
    {
        assert_eq!(ana.get(&format!("/dashboard/p/pr_a{path}")).await.status, 404, "{path}");
    }
    for field in ["name", "role", "message", "which", "email", "right", "url", "since", "code", "next", "change"] {
        for path in [
            "/p/pr_a/keys",
            "/p/pr_a/team/invite",
            "/p/pr_a/team/roles",
            "/confirm",
            "/sign-in",
            "/account/second-factor",
        ] {
            let page = ana
                .post(&format!("/dashboard{path}"), &[(field, "a\0b"), ("role", "\0"), ("email", "x@x.example")])
                .await;
            assert!(page.status.as_u16() < 500, "{path} {field}");
        }
    }
    // Bodies that are no form, or too large.
    let huge = "x".repeat(100_000);
    assert_eq!(ana.post("/dashboard/p/pr_a/keys", &[("name", &huge)]).await.status, 413);
    let http = crate::harness::http_client();
    let cookie = format!("taquilla={}", ana.cookies()["taquilla"]);
    for (kind, body) in
        [("application/json", "{}"), ("text/plain", "a=b"), ("multipart/form-data; boundary=x", "--x--")]
    {
        let request = http.post(format!("{}/dashboard/p/pr_a/keys", world.client.base)).header("cookie", &cookie);
        let answer = request.header("content-type", kind).body(body).send().await.unwrap();
        assert_eq!(answer.status(), 415, "{kind}");
    }
    let after = world.contents(&[("sessions", "seen_at")]).await;
    let changed: Vec<_> = before.keys().filter(|table| before[*table] != after[*table]).collect();
    assert_eq!(changed, ["audit", "roles"], "failed attempts to sign in, and a role with an odd name");
}

async fn the_front_page_shows_what_is_on_sale(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[
        with(event("ev_soon"), json!({"name": "Soon", "status": "published", "starts_at": "2026-11-20T20:00:00Z", "timezone": "Europe/Madrid"})),
        with(ticket_type("tt", "ev_soon"), json!({"price": 25})),
        with(event("ev_past"), json!({"name": "Past", "status": "published", "starts_at": "2026-10-20T20:00:00Z"})),
        with(event("ev_draft"), json!({"name": "Draft", "status": "draft", "starts_at": "2026-11-21T20:00:00Z"})),
    ]).await;
    let page = Staff::new(&world.client.base).get("/").await;
    assert!(
        page.text.contains("Soon")
            && page.text.contains(">Fri 20 Nov, 21:00 Europe/Madrid<")
            && page.text.contains("from €25<"),
        "{}",
        page.text
    );
    assert!(!page.text.contains("Past") && !page.text.contains("Draft"));
    for way in ["/dashboard", "/docs/", "#on-sale"] {
        assert!(page.text.contains(&format!("href=\"{way}\"")), "{way}");
    }
    assert!(page.text.contains("Open the dashboard"), "whoever has not signed in is asked to there: {}", page.text);
}

async fn forms_of_buyers_may_end_at_a_processor_and_those_of_staff_not(world: World) {
    let browser = Staff::new(&world.client.base);
    for (path, expected) in [("/", "form-action 'self' https:;"), ("/dashboard/sign-in", "form-action 'self';")] {
        let page = browser.get(path).await;
        let policy = page.header("content-security-policy");
        assert!(policy.contains(expected), "{path}: {policy}");
    }
}
