//! `taquilla user`, the first start, and what commands leave in the history.

use std::process::Output;

use serde_json::Value;
use taquilla_domain::role::BuiltInRole;

use crate::harness::{PASSWORD, Staff, World, address_in, serve, start, taquilla};

both_engines![
    users_are_made_listed_reset_and_disabled,
    a_server_that_nobody_can_sign_in_to_prints_a_link,
    what_commands_do_is_in_the_history,
];

const URL: [&str; 2] = ["--public-url", "https://tickets.example"];

fn output(world: &World, arguments: &[&str]) -> Output {
    taquilla(&world.address).env("USER", "olga").env_remove("SUDO_USER").args(arguments).output().unwrap()
}

fn run(world: &World, arguments: &[&str]) -> (bool, String) {
    let output = output(world, arguments);
    (
        output.status.success(),
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr),
    )
}

pub fn json(world: &World, arguments: &[&str]) -> Value {
    let output = output(world, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

async fn users_are_made_listed_reset_and_disabled(world: World) {
    world.producer("pr_a").await;
    let create = ["user", "create", "--producer", "pr_a", "--email", "Ana@X.example", "--role", "administrator"];
    let (done, said) = run(&world, &create);
    assert!(!done && said.contains("--public-url"), "a link that leads nowhere is not made: {said}");
    let made = json(&world, &[&create[..], &URL].concat());
    assert_eq!((&made["email"], &made["operator"]), (&Value::from("ana@x.example"), &Value::from(false)));
    let link = made["url"].as_str().unwrap().strip_prefix("https://tickets.example").unwrap().to_owned();
    let browser = Staff::new(&world.client.base);
    assert_eq!(browser.post(&link, &[("password", PASSWORD)]).await.leads_to(), "/dashboard?done=password");
    assert_eq!(browser.get("/dashboard/p/pr_a/history").await.status, 200);
    let (done, said) = run(&world, &[&create[..], &URL].concat());
    assert!(!done && said.contains("in the team already"), "{said}");
    for (flag, wrong, expected) in
        [("--role", "king", "there is no role king"), ("--email", "no address", "an e-mail address is expected")]
    {
        let mut arguments = [&create[..], &URL].concat();
        let at = arguments.iter().position(|argument| *argument == flag).unwrap() + 1;
        arguments[at] = wrong;
        let (done, said) = run(&world, &arguments);
        assert!(!done && said.contains(expected), "{said}");
    }
    let (_, table) = run(&world, &["user", "list"]);
    assert!(table.contains("ana@x.example") && !table.contains("argon2"), "{table}");
    assert_eq!(json(&world, &["user", "list"]).as_array().unwrap().len(), 1);
    // A new password, then no way in at all.
    let reset = json(&world, &[&["user", "reset", "ana@x.example"][..], &URL].concat());
    let link = reset["url"].as_str().unwrap().strip_prefix("https://tickets.example").unwrap().to_owned();
    assert_eq!(browser.get("/dashboard/p/pr_a").await.status, 200, "until the link is used");
    browser.post(&link, &[("password", "another good password")]).await.leads_to();
    assert_eq!(Staff::new(&world.client.base).sign_in("ana@x.example").await.status, 422);
    assert!(json(&world, &["user", "disable", "ana@x.example"])["disabled_at"].is_string());
    assert!(browser.get("/dashboard/p/pr_a").await.leads_to().starts_with("/dashboard/sign-in"));
    assert!(json(&world, &["user", "enable", "ana@x.example"])["disabled_at"].is_null());
    let again = [("email", "ana@x.example"), ("password", "another good password")];
    assert_eq!(browser.post("/dashboard/sign-in", &again).await.status, 303);
    let (done, said) = run(&world, &["user", "disable", "nobody@x.example"]);
    assert!(!done && said.contains("`taquilla user list` shows them"), "{said}");
    // Somebody who is a user already is invited, and becomes an operator by accepting.
    world.producer("pr_b").await;
    let joined = json(
        &world,
        &[
            &["user", "create", "--producer", "pr_b", "--email", "ana@x.example", "--role", "viewer", "--operator"][..],
            &URL,
        ]
        .concat(),
    );
    assert_eq!(joined["operator"], false, "nothing has changed yet");
    assert_eq!(browser.get("/dashboard/service").await.status, 404);
    let link = joined["url"].as_str().unwrap().strip_prefix("https://tickets.example").unwrap().to_owned();
    assert_eq!(browser.post(&link, &[]).await.leads_to(), "/dashboard/p/pr_b?done=joined");
    assert_eq!(browser.get("/dashboard/service").await.status, 200);
}

async fn a_server_that_nobody_can_sign_in_to_prints_a_link(world: World) {
    let (first, text, _) = start(serve(&world.address), "/dashboard/links/");
    let base = format!("http://{}", address_in(&text));
    let link = text.split_whitespace().find(|word| word.contains("/dashboard/links/")).unwrap().replace(&base, "");
    let browser = Staff::new(&base);
    let fields = [
        ("name", "Ana"),
        ("email", "ana@x.example"),
        ("password", PASSWORD),
        ("producer", "Sala"),
        ("time_zone", "UTC"),
        ("currency", "EUR"),
    ];
    assert!(browser.post(&link, &fields).await.leads_to().starts_with("/dashboard/p/pr_"));
    drop(first);
    // Once somebody can sign in, no start prints a link.
    let (mut second, _, log) = start(serve(&world.address), "listening");
    crate::harness::terminate(&second.0);
    assert!(second.0.wait().unwrap().success());
    assert!(!log.join().unwrap().contains("/dashboard/links/"));
}

async fn what_commands_do_is_in_the_history(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let of = ["--producer", "pr_a"];
    let go = |arguments: &[&str]| json(&world, &[arguments, &of].concat());
    go(&["event", "create", "--id", "ev", "--name", "Opening", "--currency", "EUR"]);
    go(&["event", "change", "ev", "--venue", "Old mill"]);
    go(&["ticket-type", "create", "--id", "tt", "--event", "ev", "--name", "General", "--price", "5"]);
    go(&["ticket-type", "change", "tt", "--limit", "10"]);
    go(&["order", "create", "--event", "ev", "--name", "Zoe", "--item", "tt=1", "--approve"]);
    let ticket = world.raw().await.rows("SELECT id FROM tickets").await[0][0].clone();
    go(&["ticket", "hide", &ticket]);
    let order = world.raw().await.rows("SELECT id FROM orders").await[0][0].clone();
    go(&["order", "refund", &order]);
    go(&["door-link", "create", "--event", "ev", "--label", "Gate", "--public-url", "https://tickets.example"]);
    go(&["payment", "connect"]);
    let page = ana.get("/dashboard/p/pr_a/history?actor=olga").await;
    for entry in [
        "Event created",
        "Event changed",
        "Old mill",
        "Ticket type created",
        "Ticket type changed",
        "Order placed",
        "Order approved",
        "Ticket hidden",
        "Order refunded",
        "Door link made",
        "Payment account connected",
        "command line",
    ] {
        assert!(page.text.contains(entry), "{entry}: {}", page.text);
    }
    assert!(!page.text.contains(&ticket), "a ticket's id opens a door");
    assert!(page.text.contains(&format!("…{}", &ticket[ticket.len() - 4..])));
    for secret in ["whsec_", "tqd_", "tq_", "Zoe"] {
        assert!(!page.text.contains(secret), "{secret}");
    }
}
