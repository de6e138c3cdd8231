//! The history: by days, with long work in one line, and in words.

use std::time::Duration;

use serde_json::json;
use taquilla_domain::{audit::Action, role::BuiltInRole};
use taquilla_rules::admin::staff::history::note;

use crate::harness::{Page, Producer, Staff, World, event, order, taquilla, ticket_type, until, with};

both_engines![
    days_are_those_of_the_organisations_clocks,
    a_refund_of_all_orders_is_one_line_that_opens,
    details_are_in_words,
    ways_to_pay_and_cash_are_in_words,
];

const BASE: &str = "/dashboard/p/pr_a";

async fn begin(world: &World) -> (Producer, Staff) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    (producer, ana)
}

/// What the entries on a page are about.
fn subjects(page: &Page) -> Vec<String> {
    let rows = page.text.split("<tr><td").skip(1);
    let subject = |row: &str| row.split_once("<span class=\"mono\">").unwrap().1.split_once('<').unwrap().0.to_owned();
    rows.map(subject).collect()
}

async fn days_are_those_of_the_organisations_clocks(world: World) {
    let (producer, ana) = begin(&world).await;
    // UTC-3, all year.
    world.raw().await.batch("UPDATE producers SET time_zone = 'America/Argentina/Buenos_Aires'").await;
    let at = |text: &str| taquilla_domain::clock::Stamp::parse(text).unwrap();
    for (subject, time) in [
        ("late-on-the-first", "2026-03-02T02:59:59.999Z"),
        ("second", "2026-03-02T03:00:00Z"),
        ("also-second", "2026-03-03T02:59:59.999Z"),
        ("third", "2026-03-03T03:00:00Z"),
    ] {
        let by = taquilla_domain::audit::By::command_line("bea", at(time));
        note(&world.store, Some(producer.tenant), &by, Action::KeyCreated, subject, &[]).await.unwrap();
    }
    let shown = async |query: &str| subjects(&ana.get(&format!("{BASE}/history?{query}")).await);
    assert_eq!(shown("from=2026-03-02&to=2026-03-02").await, ["also-second", "second"]);
    assert_eq!(shown("from=2026-03-02&to=2026-03-03&actor=bea").await, ["third", "also-second", "second"]);
    assert_eq!(shown("to=2026-03-01").await, ["late-on-the-first"]);
    assert_eq!(shown("from=2026-03-03&to=2026-03-09&action=key.created").await, ["third"]);
    assert_eq!(shown("from=nonsense&to=2026-03-01").await, ["late-on-the-first"], "what is no day is not asked for");
    let page = ana.get(&format!("{BASE}/history?from=2026-03-02")).await;
    assert!(page.text.contains("Days are those of America/Argentina/Buenos_Aires."), "{}", page.text);
    assert!(page.text.contains("type=\"date\" value=\"2026-03-02\""), "{}", page.text);
    // Pages go on within the days.
    for number in 0..60 {
        let by = taquilla_domain::audit::By::command_line(
            "bea",
            at("2026-03-05T12:00:00Z").plus(Duration::from_secs(number)),
        );
        note(&world.store, Some(producer.tenant), &by, Action::KeyCreated, &format!("n{number:02}"), &[])
            .await
            .unwrap();
    }
    let first = ana.get(&format!("{BASE}/history?from=2026-03-05&to=2026-03-05")).await;
    let next = first.between("<nav class=\"pager\"", "</nav>").split_once("href=\"").unwrap().1;
    let next = next.split_once('"').unwrap().0.replace("&#38;", "&");
    assert!(next.contains("from=2026-03-05&to=2026-03-05&before="), "{next}");
    let second = ana.get(&next).await;
    let mut all = subjects(&first);
    all.extend(subjects(&second));
    let expected: Vec<String> = (0..60).rev().map(|number| format!("n{number:02}")).collect();
    assert_eq!(all, expected);
}

async fn a_refund_of_all_orders_is_one_line_that_opens(world: World) {
    let (producer, ana) = begin(&world).await;
    let mut lines = vec![with(event("ev"), json!({"status": "cancelled"})), ticket_type("tt", "ev")];
    lines.extend((0..30).map(|number| order(&format!("or_{number:02}"), "ev", "tt")));
    world.import(producer.tenant, &lines).await;
    let begun = ana.post(&format!("{BASE}/events/ev/refund"), &[]).await;
    let work = begun.leads_to().split('?').next().unwrap().to_owned();
    assert!(until(async || ana.get(&work).await.text.contains("work-is-done")).await);
    let page = ana.get(&format!("{BASE}/history")).await;
    let shown = subjects(&page);
    assert!(!shown.iter().any(|subject| subject.starts_with("or_")), "{shown:?}");
    assert!(page.text.contains("Show the 30 orders"), "{}", page.text);
    let (before, _) = page.text.split_once("\">Show the 30 orders").unwrap();
    let opens = before.rsplit_once("href=\"").unwrap().1.replace("&#38;", "&");
    let opened = ana.get(&opens).await;
    assert_eq!(subjects(&opened).iter().filter(|subject| subject.starts_with("or_")).count(), 30);
    // Whoever asks for an order, or for refunds, is shown them.
    assert_eq!(subjects(&ana.get(&format!("{BASE}/history?subject=or_07")).await), ["or_07"]);
    let refunds = ana.get(&format!("{BASE}/history?action=order.refunded")).await;
    assert_eq!(subjects(&refunds).len(), 30);
    let by_actor = subjects(&ana.get(&format!("{BASE}/history?actor=ana@x.example")).await);
    assert!(!by_actor.iter().any(|subject| subject.starts_with("or_")), "{by_actor:?}");
    assert!(world.findings().await.is_empty());
}

async fn ways_to_pay_and_cash_are_in_words(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [with(event("ev"), json!({"status": "published"})), ticket_type("tt", "ev")];
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    ana.post("/dashboard/p/pr_a/shift/begin", &[("cash", "1000")]).await.leads_to();
    let fields = [("event", "ev"), ("key", "k1"), ("quantity_tt", "1"), ("pay", "now"), ("method", "card")];
    ana.post("/dashboard/p/pr_a/orders/new", &fields).await.leads_to();
    ana.post("/dashboard/p/pr_a/shift/end", &[("counted_EUR", "995")]).await.leads_to();
    let page = ana.get("/dashboard/p/pr_a/history").await.text;
    let said =
        |name: &str, value: &str| format!("<span class=\"muted\">{name}</span> <span dir=\"auto\">{value}</span>");
    for (name, value) in [("paid by", "card"), ("cash in the drawer", "€1,000"), ("difference in the drawer", "-€5")]
    {
        assert!(page.contains(&said(name, value)), "{name} {value}: {page}");
    }
    let spanish = ana.at(&world.client.base).with_header("accept-language", "es");
    let page = spanish.get("/dashboard/p/pr_a/history").await.text;
    for (name, value) in
        [("pagado con", "tarjeta"), ("efectivo en el cajón", "1000\u{a0}€"), ("diferencia en el cajón", "-5\u{a0}€")]
    {
        assert!(page.contains(&said(name, value)), "{name} {value}: {page}");
    }
}

async fn details_are_in_words(world: World) {
    let (producer, ana) = begin(&world).await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    let run =
        |args: &[&str]| assert!(taquilla(&world.address).args(args).output().unwrap().status.success(), "{args:?}");
    run(&["event", "change", "ev", "--status", "finished", "--venue", "published", "--producer", "pr_a"]);
    run(&["ticket-type", "change", "tt", "--limit", "none", "--status", "hidden", "--producer", "pr_a"]);
    let english = ana.get(&format!("{BASE}/history")).await;
    assert!(english.text.contains("<span class=\"muted\">state</span> <span dir=\"auto\">finished</span>"));
    ana.set_cookie("taquilla-language", "es");
    let page = ana.get(&format!("{BASE}/history")).await;
    for words in [
        "<span class=\"muted\">estado</span> <span dir=\"auto\">terminado</span>",
        "<span class=\"muted\">lugar</span> <span dir=\"auto\">published</span>",
        "<span class=\"muted\">estado</span> <span dir=\"auto\">oculto</span>",
    ] {
        assert!(page.text.contains(words), "{words} in {}", page.text);
    }
}
