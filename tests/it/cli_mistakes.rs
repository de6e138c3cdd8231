//! Mistakes at the command line are refused, and those that got in can be put right.

use std::process::Output;

use serde_json::{Value, json};
use taquilla_domain::{
    config::WEBHOOK_ENDPOINTS_MAX, endpoint_url::EndpointUrl, refusal::Refusal, role::Rights, webhook::MessageKind,
};
use taquilla_rules::admin;
use taquilla_store::{ChangeError, Open, Store};

use crate::harness::{Engine, World, event, taquilla, ticket, ticket_type, with};

both_engines![
    what_a_terminal_would_obey_is_not_printed,
    what_a_terminal_would_obey_is_not_taken,
    what_was_mistyped_can_be_changed,
    an_item_has_the_currency_of_its_event,
    an_end_before_the_start_is_refused,
    an_item_is_created_with_its_code_in_one_step,
    creations_at_once_stay_within_the_limit_of_endpoints,
];

fn run(world: &World, arguments: &[&str]) -> Output {
    let mut command = taquilla(&world.address);
    for variable in ["TAQUILLA_LISTEN", "TAQUILLA_PUBLIC_URL", "TAQUILLA_WEBHOOK_ALLOW"] {
        command.env_remove(variable);
    }
    command.args(arguments).output().unwrap()
}

fn done(world: &World, arguments: &[&str]) -> Value {
    let output = run(world, &[arguments, &["--producer", "pr_a", "--json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What a command says that fails with this exit code.
fn refused(world: &World, code: i32, arguments: &[&str]) -> String {
    let output = run(world, arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    text
}

/// A window title, a C1 control, a right-to-left override and a new line.
const OBEYED: &str = "A\u{1b}]0;owned\u{7}B\u{9b}2JC\u{202e}D\nE\u{7f}";

fn assert_harmless(text: &str) {
    let obeyed = |letter: char| letter.is_control() && letter != '\n' || "\u{202e}\u{2066}".contains(letter);
    assert!(!text.chars().any(obeyed), "{text:?}");
}

async fn what_a_terminal_would_obey_is_not_printed(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev"), ticket("T1", "ev", "tt")]).await;
    // As rows from before the rule, or from another tool.
    let spelled = OBEYED.chars().map(|letter| (letter as u32).to_string());
    let raw = world.raw().await;
    let value = match world.engine {
        Engine::Sqlite => format!("char({})", spelled.collect::<Vec<_>>().join(",")),
        Engine::Postgres => spelled.map(|code| format!("chr({code})")).collect::<Vec<_>>().join(" || "),
    };
    raw.batch(&format!(
        "UPDATE events SET name = {value}; UPDATE ticket_types SET name = {value}; UPDATE api_keys SET name = {value}"
    ))
    .await;
    for arguments in [
        &["event", "change", "ev", "--venue", "Hall"][..],
        &["ticket-type", "change", "tt", "--price", "3"],
        &["ticket", "show", "T1"],
        &["key", "list"],
    ] {
        let arguments = [arguments, &["--producer", "pr_a"]].concat();
        let output = run(&world, &arguments);
        assert!(output.status.success(), "{output:?}");
        let shown = String::from_utf8(output.stdout).unwrap();
        assert_harmless(&shown);
        assert!(
            shown.contains("A\u{fffd}]0;owned\u{fffd}B\u{fffd}2JC\u{fffd}D\u{fffd}E\u{fffd}"),
            "{arguments:?}: {shown}"
        );
        let json = String::from_utf8(run(&world, &[&arguments[..], &["--json"]].concat()).stdout).unwrap();
        assert_harmless(&json);
        assert_eq!(json.lines().count(), 1);
        let value: Value = serde_json::from_str(&json).unwrap();
        assert!(value.to_string().contains(&json!(OBEYED).to_string()), "nothing is lost for a machine: {json}");
    }
    let said = refused(&world, 1, &["key", "revoke", "\u{202e}31m"]);
    assert_harmless(&said);
}

async fn what_a_terminal_would_obey_is_not_taken(world: World) {
    let producer = world.producer("pr_a").await;
    let base = [event("ev"), ticket_type("tt", "ev")];
    let person = |field: &str, text: &str| json!({field: text});
    for text in ["a\u{1b}[31m", "a\u{9b}31m", "a\u{202e}b", "a\u{2066}b", "a\u{7f}", "a\nb"] {
        let cases = [
            (with(event("x"), json!({"name": text})), "name"),
            (with(ticket_type("x", "ev"), json!({"name": text})), "name"),
            (with(ticket("x", "ev", "tt"), json!({"attendee": person("name", text)})), "attendee.name"),
            (with(ticket("x", "ev", "tt"), json!({"attendee": person("email", text)})), "attendee.email"),
            (with(ticket("x", "ev", "tt"), json!({"attendee": person("phone", text)})), "attendee.phone"),
            (
                with(ticket("x", "ev", "tt"), json!({"checked_in_at": "2026-10-05", "checked_in_by": text})),
                "checked_in_by",
            ),
        ];
        for (line, field) in cases {
            let fault =
                world.try_import(producer.tenant, &[&base[..], &[line]].concat()).await.unwrap_err().to_string();
            assert!(fault.starts_with(&format!("line 3, field \"{field}\": ")), "{fault}");
            assert!(fault.contains("control characters"), "{fault}");
        }
        let venue = world.try_import(producer.tenant, &[with(event("x"), json!({"venue": text}))]).await;
        // A description or a place may have lines.
        assert_eq!(venue.is_ok(), text == "a\nb", "{text:?}");
    }
    world.import(producer.tenant, &base).await;
    let buyer = json!({"name": "A\u{202e}", "email": "a@example.com"});
    let body = json!({"buyer": buyer, "items": [{"ticket_type_id": "tt", "quantity": 1}]});
    let answer = world.client.post("/shop/v1/pr_a/events/ev/orders", &[("idempotency-key", "k")], &body).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()["code"].as_str()),
        (400, Some("invalid_body")),
        "{}",
        answer.text
    );
}

async fn what_was_mistyped_can_be_changed(world: World) {
    world.producer("pr_a").await;
    done(&world, &["event", "create", "--id", "ev", "--name", "E", "--currency", "EUR", "--timezone", "Europe/Lisbon"]);
    let zone = |given: &str| done(&world, &["event", "change", "ev", "--timezone", given])["timezone"].clone();
    assert_eq!(zone("Europe/Madrid"), "Europe/Madrid");
    assert_eq!(zone("america/argentina/buenos_aires"), "America/Argentina/Buenos_Aires");
    assert_eq!(done(&world, &["event", "change", "ev", "--time-zone", "UTC"])["timezone"], "UTC");
    let create = ["ticket-type", "create", "--event", "ev", "--id", "tt", "--name", "T", "--price", "1"];
    done(&world, &[&create[..], &["--description", "Fist row", "--sort-order", "7"]].concat());
    let changed = done(&world, &["ticket-type", "change", "tt", "--description", "First row", "--sort-order", "-2"]);
    assert_eq!((&changed["description"], &changed["sort_order"]), (&json!("First row"), &json!(-2)));
    let kept = done(&world, &["ticket-type", "change", "tt", "--price", "2"]);
    assert_eq!(
        (&kept["description"], &kept["sort_order"], &kept["price"]),
        (&json!("First row"), &json!(-2), &json!(2))
    );
}

async fn an_item_has_the_currency_of_its_event(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev")]).await;
    let create = ["ticket-type", "create", "--event", "ev", "--name", "T", "--price", "1"];
    assert_eq!(done(&world, &create)["currency"], "EUR", "it need not be said");
    assert_eq!(done(&world, &[&create[..], &["--currency", "EUR"]].concat())["currency"], "EUR");
    let said = refused(&world, 1, &[&create[..], &["--currency", "USD", "--producer", "pr_a"]].concat());
    assert!(said.contains("currency: the event's items are priced in EUR"), "{said}");
    let lines = [event("ev_2"), with(ticket_type("tt_2", "ev_2"), json!({"currency": "USD"}))];
    let fault = world.try_import(producer.tenant, &lines).await.unwrap_err().to_string();
    assert_eq!(fault, "line 2, field \"currency\": the event's items are priced in EUR");
    let silent = json!({"kind": "ticket_type", "id": "tt_3", "event_id": "ev", "name": "T", "price": 1});
    world.import(producer.tenant, &[silent]).await;
    let items = world.client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data();
    assert_eq!(items.iter().filter(|item| item["currency"] == "EUR").count(), 3);
}

async fn an_end_before_the_start_is_refused(world: World) {
    let producer = world.producer("pr_a").await;
    let create = ["event", "create", "--name", "E", "--currency", "EUR", "--starts-at", "2026-12-05T21:00:00+01:00"];
    let with_end = |end: &'static str| [&create[..], &["--ends-at", end]].concat();
    let said = refused(&world, 1, &[&with_end("2026-12-05T19:59:59Z")[..], &["--producer", "pr_a"]].concat());
    assert!(said.contains("ends_at: the end is before the start"), "{said}");
    done(&world, &[&with_end("2026-12-06")[..], &["--id", "ev"]].concat());
    for change in [["--ends-at", "2026-12-01"], ["--starts-at", "2026-12-07"]] {
        let said = refused(&world, 1, &[&["event", "change", "ev"], &change[..], &["--producer", "pr_a"]].concat());
        assert!(said.contains("the end is before the start"), "{said}");
    }
    let both = ["event", "change", "ev", "--starts-at", "2026-12-07", "--ends-at", "2026-12-08"];
    assert_eq!(done(&world, &both)["ends_at"], "2026-12-08T00:00:00.000000Z");
    let line = with(event("x"), json!({"starts_at": "2026-12-05", "ends_at": "2026-12-04"}));
    let fault = world.try_import(producer.tenant, &[line]).await.unwrap_err().to_string();
    assert_eq!(fault, "line 1, field \"ends_at\": the end is before the start");
}

async fn an_item_is_created_with_its_code_in_one_step(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev")]).await;
    // Whatever came after the creation would fail.
    let raw = world.raw().await;
    raw.batch(match world.engine {
        Engine::Sqlite => {
            "CREATE TRIGGER refuse BEFORE UPDATE OF access_code ON ticket_types BEGIN SELECT RAISE(ABORT, 'a second step'); END"
        }
        Engine::Postgres => {
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN RAISE EXCEPTION 'a second step'; END $$; \
             CREATE TRIGGER refuse BEFORE UPDATE OF access_code ON ticket_types FOR EACH ROW EXECUTE FUNCTION refuse()"
        }
    })
    .await;
    let create = ["ticket-type", "create", "--event", "ev", "--name", "T", "--price", "1"];
    let made = done(&world, &[&create[..], &["--id", "tt", "--status", "hidden"]].concat());
    assert_eq!(made["access_code"].as_str().unwrap().len(), 26, "{made}");
    assert!(done(&world, &create)["access_code"].is_null());
    let line = with(ticket_type("tt_imported", "ev"), json!({"status": "hidden"}));
    world.import(producer.tenant, &[line]).await;
    let codes = raw.rows("SELECT access_code FROM ticket_types WHERE status = 'hidden'").await;
    assert!(codes.len() == 2 && codes[0] != codes[1] && codes.iter().all(|row| row[0].len() == 26), "{codes:?}");
}

async fn creations_at_once_stay_within_the_limit_of_endpoints(world: World) {
    let producer = world.producer("pr_a").await;
    let url = EndpointUrl::parse("https://example.com/", &[]).unwrap();
    let create = async |store: Store| {
        let kinds = [MessageKind::TicketScanned];
        admin::endpoints::create(&store, producer.tenant, &url, &kinds, false, Rights::all(), &world.by()).await
    };
    for _ in 1..WEBHOOK_ENDPOINTS_MAX {
        create(world.store.clone()).await.unwrap();
    }
    let mut stores = Vec::new();
    for _ in 0..4 {
        stores.push(Store::open(&world.address, Open::Existing).await.unwrap());
    }
    let at_once = stores.into_iter().flat_map(|store| [store.clone(), store]).map(create);
    let outcomes = futures_util::future::join_all(at_once).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    let full = |error: &ChangeError| matches!(error, ChangeError::Refused(Refusal::Full(_)));
    assert_eq!(outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).filter(|error| full(error)).count(), 7);
    let kept = world.raw().await.rows("SELECT count(*) FROM webhook_endpoints WHERE deleted_at IS NULL").await;
    assert_eq!(kept, [[WEBHOOK_ENDPOINTS_MAX.to_string()]]);
}
