//! The command line, as a person or a script uses it: the real binary, while a real server runs.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

use crate::harness::{
    Answer, Client, Staff, World, address_in, event, new_address, peak_memory_kib,
    receiver::{Behaviour, Receiver},
    start, taquilla, terminate, ticket, ticket_type,
};

fn output(world: &World, arguments: &[&str]) -> Output {
    taquilla(&world.address).args(arguments).output().unwrap()
}

fn json(world: &World, arguments: &[&str]) -> Value {
    let output = output(world, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refusal(world: &World, arguments: &[&str]) -> String {
    let output = output(world, arguments);
    assert!(!output.status.success(), "{arguments:?} was accepted");
    String::from_utf8(output.stderr).unwrap()
}

both_engines![
    a_producer_its_keys_and_its_data_are_made_while_a_server_runs,
    mistakes_are_refused_with_advice,
    support_staff_can_do_every_move,
    an_import_from_standard_input_stays_small,
    door_links_are_made_listed_read_and_revoked_while_a_server_runs,
    endpoints_are_made_tried_read_and_deleted_while_a_server_runs,
    a_server_stops_cleanly_when_told_and_logs_no_secret_and_no_ticket,
    a_request_in_flight_is_finished_before_a_server_stops,
    the_demo_prints_lines_that_work_when_pasted,
];

async fn a_producer_its_keys_and_its_data_are_made_while_a_server_runs(world: World) {
    let made = json(&world, &["producer", "create", "--name", "My venue", "--id", "pr_venue", "--json"]);
    assert_eq!(made, serde_json::json!({"id": "pr_venue", "name": "My venue"}));
    let key = json(
        &world,
        &[
            "key",
            "create",
            "--producer",
            "pr_venue",
            "--name",
            "CRM",
            "--permission",
            "TICKETS_READ",
            "--permission",
            "EVENTS_READ",
            "--expires-at",
            "2999-01-01",
            "--json",
        ],
    );
    assert_eq!(key["permissions"], serde_json::json!(["EVENTS_READ", "TICKETS_READ"]));
    assert_eq!(key["expires_at"], "2999-01-01T00:00:00.000000Z");
    let secret = key["key"].as_str().unwrap();

    let file = tempfile::NamedTempFile::new().unwrap();
    let lines = [event("ev"), ticket_type("tt", "ev"), ticket("T1", "ev", "tt")];
    std::fs::write(file.path(), lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let path = file.path().to_str().unwrap();
    let summary = json(&world, &["import", "--producer", "pr_venue", path, "--json"]);
    assert_eq!(summary["tickets"], 1);
    assert_eq!(world.client.get("/api/v1/tickets", secret).await.ids(), ["T1"]);

    let again = output(&world, &["import", "--producer", "pr_venue", path, "--json"]);
    assert!(String::from_utf8(again.stderr).unwrap().ends_with(". Nothing was changed.\n"));
    let again: serde_json::Value = serde_json::from_slice(&again.stdout).unwrap();
    assert!(again["already_imported_at"].is_string() && summary["already_imported_at"].is_null());

    std::fs::write(file.path(), format!("{}\n", event("ev"))).unwrap();
    let again = refusal(&world, &["import", "--producer", "pr_venue", path]);
    assert_eq!(
        again.trim(),
        "taquilla: nothing was imported: line 1, field \"id\": the producer already has an event ev"
    );

    let listed = json(&world, &["key", "list", "--producer", "pr_venue", "--json"]);
    assert_eq!(listed[0]["id"], key["id"]);
    assert_eq!(listed[0]["last_four"], &secret[secret.len() - 4..]);
    assert!(!listed.to_string().contains(secret), "a key is shown once");
    let table = String::from_utf8(output(&world, &["key", "list", "--producer", "pr_venue", "--wide"]).stdout).unwrap();
    assert!(
        table.contains("CRM") && table.contains("EVENTS_READ TICKETS_READ") && table.contains("last used"),
        "{table}"
    );

    let revoked = json(&world, &["key", "revoke", key["id"].as_str().unwrap(), "--json"]);
    assert!(revoked["revoked_at"].is_string());
    assert_eq!(world.client.get("/api/v1/tickets", secret).await.status, 401);
    let twice = json(&world, &["key", "revoke", key["id"].as_str().unwrap(), "--json"]);
    assert_eq!(twice["revoked_at"], revoked["revoked_at"], "the first revocation stays");
}

async fn mistakes_are_refused_with_advice(world: World) {
    json(&world, &["producer", "create", "--name", "A", "--id", "pr_a", "--json"]);
    for (arguments, advice) in [
        (&["producer", "create", "--name", "B", "--id", "pr_a"][..], "already a producer with this id"),
        (&["producer", "create", "--name", " "], "cannot be empty"),
        (
            &["key", "create", "--producer", "pr_x", "--name", "k", "--permission", "TICKETS_READ"],
            "taquilla producer create",
        ),
        (&["key", "create", "--producer", "pr_a", "--name", "k", "--permission", "TICKETS_WRITE"], "TICKETS_READ"),
        (&["key", "create", "--producer", "pr_a", "--name", "k"], "--permission"),
        (
            &[
                "key",
                "create",
                "--producer",
                "pr_a",
                "--name",
                "k",
                "--permission",
                "TICKETS_READ",
                "--expires-at",
                "2020-01-01",
            ],
            "in the past",
        ),
        (
            &[
                "key",
                "create",
                "--producer",
                "pr_a",
                "--name",
                "k",
                "--permission",
                "TICKETS_READ",
                "--expires-at",
                "soon",
            ],
            "a time such as 2027-01-01",
        ),
        (&["key", "revoke", "key_x"], "key list"),
        (&["import", "--producer", "pr_a", "/no/such/file"], "cannot read /no/such/file"),
        (&["import", "--producer", "pr_x", "/dev/null"], "there is no producer pr_x"),
        (&["serve", "--rate-limit", "0"], "or off"),
        (&["serve", "--listen", "nowhere"], "--listen"),
        (
            &["key", "list", "--producer", "pr_a", "--database", "mysql://user:hunter2@host/db"],
            "sqlite:PATH or postgres://",
        ),
    ] {
        let said = refusal(&world, arguments);
        assert!(said.contains(advice), "{arguments:?}: {said}");
        assert!(!said.contains("hunter2"), "a password was printed: {said}");
    }
}

async fn support_staff_can_do_every_move(world: World) {
    json(&world, &["producer", "create", "--name", "A", "--id", "pr_a", "--json"]);
    let of = ["--producer", "pr_a", "--json"];
    let run = |arguments: &[&str]| json(&world, &[arguments, &of].concat());
    let refuse = |arguments: &[&str]| refusal(&world, &[arguments, &of].concat());
    let made = run(&["event", "create", "--id", "ev", "--name", "Opening", "--currency", "EUR", "--status", "draft"]);
    assert_eq!((&made["name"], &made["status"]), (&"Opening".into(), &"draft".into()));
    let changed = run(&["event", "change", "ev", "--status", "published", "--venue", "The hall"]);
    assert_eq!(
        (&changed["venue"], &changed["status"], &changed["name"]),
        (&"The hall".into(), &"published".into(), &"Opening".into())
    );
    assert!(changed["updated_at"].as_str() > made["updated_at"].as_str());
    run(&[
        "ticket-type",
        "create",
        "--event",
        "ev",
        "--id",
        "tt",
        "--name",
        "General",
        "--price",
        "25",
        "--currency",
        "EUR",
        "--limit",
        "3",
    ]);
    run(&[
        "ticket-type",
        "create",
        "--event",
        "ev",
        "--id",
        "tt_beer",
        "--name",
        "Beer",
        "--price",
        "4",
        "--currency",
        "EUR",
        "--category",
        "merchandise",
    ]);
    let bundle = run(&[
        "ticket-type",
        "create",
        "--event",
        "ev",
        "--id",
        "bu",
        "--name",
        "Pack",
        "--price",
        "30",
        "--currency",
        "EUR",
        "--include",
        "tt=1",
        "--include",
        "tt_beer=2",
    ]);
    assert_eq!(bundle["includes"][1]["quantity"], 2);
    let hidden = run(&["ticket-type", "change", "tt_beer", "--status", "hidden"]);
    assert_eq!(hidden["access_code"].as_str().unwrap().len(), 26);

    let placed = run(&[
        "order",
        "create",
        "--event",
        "ev",
        "--item",
        "tt=2@20",
        "--item",
        "bu=1",
        "--name",
        "Ana",
        "--email",
        "ana@example.com",
    ]);
    assert_eq!((&placed["order"]["status"], &placed["order"]["total"]), (&"pending".into(), &70.into()));
    let id = placed["order"]["id"].as_str().unwrap();
    assert!(refuse(&["order", "refund", id]).contains("order_not_approved"));
    assert_eq!(run(&["order", "approve", id])["status"], "approved");
    assert!(refuse(&["order", "reject", id]).contains("order_not_pending"));
    assert_eq!(run(&["order", "show", id])["items"][0]["unit_price"], 20);
    assert!(refuse(&["ticket-type", "change", "tt", "--limit", "1"]).contains("limit_below_sold"));
    assert!(refuse(&["order", "create", "--event", "ev", "--item", "tt=2", "--name", "B"]).contains("sold_out"));
    assert!(refuse(&["order", "create", "--event", "ev", "--item", "tt", "--name", "B"]).contains("TYPE=QUANTITY"));

    let tenant =
        taquilla_store::producers::find(&mut world.store.read().await.unwrap(), "pr_a").await.unwrap().unwrap();
    let (key, _) = world.key(tenant, taquilla_domain::key::Permission::ALL, None).await;
    let tickets = world.client.get("/api/v1/tickets", &key).await.ids();
    assert_eq!(tickets.len(), 5);
    let taken = run(&["ticket", "transfer", &tickets[0], "--name", "Bea"]);
    assert_eq!((&taken["attendee"]["name"], &taken["status"]), (&"Bea".into(), &"valid".into()));
    assert!(refuse(&["ticket", "scan", &tickets[0], "--station", "Gate"]).contains("ticket_transferred"));
    assert_eq!(run(&["ticket", "scan", &tickets[1], "--station", "Gate"])["checked_in_by"], "Gate");
    assert!(refuse(&["ticket", "scan", &tickets[1], "--station", "Gate"]).contains("ticket_scanned"));
    assert_eq!(run(&["ticket", "cancel", &tickets[2]])["status"], "cancelled");
    assert_eq!(run(&["ticket", "hide", &tickets[3]])["status"], "valid");
    assert_eq!(run(&["ticket", "show", &tickets[4]])["status"], "valid");
    assert_eq!(run(&["order", "refund", id])["status"], "refunded");
    let paid = run(&["order", "create", "--event", "ev", "--item", "tt=1", "--name", "C", "--approve"]);
    assert_eq!(paid["order"]["status"], "approved");
    assert_eq!(run(&["ticket-type", "change", "tt", "--delete"])["deleted"], true);
    assert!(run(&["payment", "connect"])["secret"].as_str().unwrap().starts_with("whsec_"));
    assert_eq!(json(&world, &["check", "--json"])["findings"], serde_json::json!([]));
    let clean = output(&world, &["check"]);
    assert!(String::from_utf8(clean.stdout).unwrap().starts_with("Everything holds: 1 producer, 1 event, "));
    world.raw().await.batch("UPDATE ticket_types SET sold = 0").await;
    let broken = output(&world, &["check"]);
    assert!(!broken.status.success());
    assert!(String::from_utf8(broken.stdout).unwrap().contains("0 count as sold, but 1 are live"));
}

async fn an_import_from_standard_input_stays_small(world: World) {
    json(&world, &["producer", "create", "--name", "A", "--id", "pr_a", "--json"]);
    let mut child = taquilla(&world.address)
        .args(["import", "--producer", "pr_a", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    writeln!(pipe, "{}\n{}", event("ev"), ticket_type("tt", "ev")).unwrap();
    let mut peaks = Vec::new();
    for part in 0..3 {
        for number in 0..10_000 {
            writeln!(pipe, "{}", ticket(&format!("T{part}-{number}"), "ev", "tt")).unwrap();
        }
        pipe.flush().unwrap();
        peaks.push(peak_memory_kib(child.id()));
    }
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["tickets"], 30_000);
    // Ten thousand of these lines are 1.3 MB of text and several times that as parsed values.
    assert!(peaks[2] < peaks[0] + 8 * 1024, "memory grows with the file: {peaks:?} KiB");
}

async fn door_links_are_made_listed_read_and_revoked_while_a_server_runs(world: World) {
    let producer = world.producer("pr_a").await;
    let bundle = serde_json::json!({"kind": "bundle", "id": "bu", "event_id": "ev", "name": "B", "price": 1, "currency": "EUR", "includes": [{"ticket_type_id": "tt", "quantity": 1}]});
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev"), bundle, ticket("T1", "ev", "tt")]).await;
    let create = ["door-link", "create", "--producer", "pr_a", "--event", "ev", "--label", "Main gate"];
    let with = |more: &[&'static str]| [create.as_slice(), more].concat();
    let made = json(
        &world,
        &with(&[
            "--category",
            "ticket",
            "--ticket-type",
            "tt",
            "--station",
            "Gate 1",
            "--station",
            "Gate 2",
            "--pin",
            "471108152342",
            "--expires-at",
            "2999-01-01",
            "--public-url",
            "https://tickets.example.com/",
            "--json",
        ]),
    );
    let token = made["token"].as_str().unwrap();
    assert_eq!(made["url"], format!("https://tickets.example.com/door#{token}"));
    let expected = serde_json::json!({"event_id": "ev", "label": "Main gate", "categories": ["ticket"], "ticket_types": ["tt"], "stations": ["Gate 1", "Gate 2"], "has_pin": true, "expires_at": "2999-01-01T00:00:00.000000Z", "revoked_at": null, "last_used_at": null});
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(&made[field], value, "{field}");
    }
    let plain = json(&world, &with(&["--public-url", "http://127.0.0.1:9000", "--json"]));
    let plain_token = plain["token"].as_str().unwrap();
    assert_eq!(plain["url"], format!("http://127.0.0.1:9000/door#{plain_token}"));

    // A server that is started with a public URL stores it for all commands.
    let mut command = taquilla(&world.address);
    command.args(["serve", "--listen", "127.0.0.1:0", "--public-url", "https://box.example.com"]);
    drop(start(command, "listening"));
    let later = json(&world, &with(&["--json"]));
    assert!(later["url"].as_str().unwrap().starts_with("https://box.example.com/door#tqd_"), "{later}");

    let bearer = format!("Bearer {plain_token}");
    for id in ["s1", "s2"] {
        let body = serde_json::json!({"code": "T1", "scan_id": id, "scanned_at": "2026-11-01T09:00:00Z"});
        world.client.post("/door/v1/scan", &[("authorization", &bearer)], &body).await;
    }
    let id = plain["id"].as_str().unwrap();
    let log = json(&world, &["door-link", "log", id, "--json"]);
    let outcomes: Vec<(&str, &str)> = log
        .as_array()
        .unwrap()
        .iter()
        .map(|scan| (scan["scan_id"].as_str().unwrap(), scan["outcome"].as_str().unwrap()))
        .collect();
    assert_eq!(outcomes, [("s2", "already_scanned"), ("s1", "admitted")]);
    assert_eq!(
        (&log[1]["ticket_id"], &log[1]["station"], &log[1]["scanned_at"]),
        (&Value::from("T1"), &Value::from("Main gate"), &Value::from("2026-11-01T09:00:00.000000Z"))
    );
    let shown = String::from_utf8(output(&world, &["door-link", "log", id, "--limit", "1"]).stdout).unwrap();
    assert!(shown.contains("already_scanned") && !shown.contains("admitted"), "{shown}");

    let listed = json(&world, &["door-link", "list", "--producer", "pr_a", "--json"]);
    assert_eq!(listed.as_array().unwrap().len(), 3);
    assert!(!listed.to_string().contains("tqd_"), "a token is shown once");
    let table =
        String::from_utf8(output(&world, &["door-link", "list", "--producer", "pr_a", "--wide"]).stdout).unwrap();
    assert!(
        table.contains("Gate 1, Gate 2")
            && table.contains("ticket, tt")
            && table.contains("everything")
            && table.contains("last used"),
        "{table}"
    );
    let revoked = json(&world, &["door-link", "revoke", id, "--json"]);
    assert!(revoked["revoked_at"].is_string());
    let body = serde_json::json!({"code": "T1", "scan_id": "s3"});
    assert_eq!(world.client.post("/door/v1/scan", &[("authorization", &bearer)], &body).await.status, 401);
    let kept = &world.contents(&[]).await["door_links"];
    assert!(!kept.iter().any(|line| line.contains(token) || line.contains("471108152342")), "only hashes are kept");

    for (more, message) in [
        (&["--pin", "12"][..], "a PIN has 4 to 12 digits"),
        (&["--pin", "12a4"], "a PIN has 4 to 12 digits"),
        (&["--expires-at", "2001-01-01"], "in the past"),
        (&["--expires-at", "soon"], "a time such as"),
        (&["--category", "bundle"], "[possible values: ticket, merchandise]"),
        (&["--ticket-type", "nope"], "there is no ticket type nope"),
        (&["--ticket-type", "bu"], "for a bundle name what it includes"),
        (&["--station", ""], "name"),
        (&["--public-url", "tickets.example.com"], "such as https://"),
        (&["--public-url", "https://example.com/tickets"], "without a path"),
    ] {
        let refused = refusal(&world, &with(more));
        assert!(refused.contains(message), "{more:?}: {refused}");
    }
    assert_eq!(
        json(&world, &["door-link", "list", "--producer", "pr_a", "--json"]).as_array().unwrap().len(),
        3,
        "what was refused made no link"
    );
    let tidy = json(&world, &with(&["--station", " Gate 1 ", "--station", "Gate 1", "--public-url", "", "--json"]));
    assert_eq!(tidy["stations"], serde_json::json!(["Gate 1"]));
    assert!(
        refusal(&world, &["door-link", "create", "--producer", "pr_a", "--event", "nope", "--label", "L"])
            .contains("there is no event nope")
    );
    assert!(refusal(&world, &["door-link", "revoke", "dl_nope"]).contains("door-link list"));
}

async fn endpoints_are_made_tried_read_and_deleted_while_a_server_runs(mut world: World) {
    world.server.stop().await;
    let producer = world.producer("pr_a").await;
    world
        .import(
            producer.tenant,
            &[event("ev"), ticket_type("tt", "ev"), ticket("T1", "ev", "tt"), ticket("T2", "ev", "tt")],
        )
        .await;
    let receiver = Receiver::start(Behaviour::ok()).await;
    let url = receiver.url("/hook?token=hidden-token");
    let create = ["webhook", "create", "--producer", "pr_a", "--webhook-allow", "127.0.0.1", "--url", &url];
    let made = json(
        &world,
        &[&create[..], &["--kind", "ticket.scanned", "--kind", "order.created", "--kind", "ticket.scanned", "--json"]]
            .concat(),
    );
    let id = made["id"].as_str().unwrap();
    let expected = serde_json::json!({"url": url, "kinds": ["ticket.scanned", "order.created"], "personal_data": false, "state": "active", "last_success_at": null, "failing_since": null});
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(&made[field], value, "{field}");
    }
    let secret = made["secret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_") && id.starts_with("wh_"));

    // Without a server nothing is sent, but the log shows all messages.
    let scan =
        |ticket: &str| json(&world, &["ticket", "scan", ticket, "--producer", "pr_a", "--station", "Gate", "--json"]);
    scan("T1");
    let events = json(&world, &["webhook", "events", id, "--after", "0", "--json"]);
    assert_eq!(
        (&events[0]["sequence"], &events[0]["status"], &events[0]["type"]),
        (&Value::from(1), &Value::from("pending"), &Value::from("ticket.scanned"))
    );
    assert_eq!(
        (&events[0]["body"]["data"]["id"], &events[0]["body"]["data"]["attendee"]),
        (&Value::from("T1"), &Value::Null)
    );

    let mut command = taquilla(&world.address);
    command
        .args(["serve", "--listen", "127.0.0.1:0", "--log", "debug"])
        .env("TAQUILLA_WEBHOOK_ALLOW", "10.0.0.0/8,127.0.0.1");
    let (running, _, log) = start(command, "listening");
    let tested = json(&world, &["webhook", "test", id, "--json"]);
    assert_eq!((&tested["status"], &tested["attempt"]["status"]), (&Value::from("delivered"), &Value::from(200)));
    let table = String::from_utf8(output(&world, &["webhook", "test", id]).stdout).unwrap();
    assert!(table.contains("delivered") && table.contains("status 200 after"), "{table}");
    let table = String::from_utf8(output(&world, &["webhook", "log", id]).stdout).unwrap();
    assert_eq!(table.lines().count(), 4, "{table}");

    let renamed =
        json(&world, &["webhook", "update", id, "--kind", "ticket.cancelled", "--personal-data", "yes", "--json"]);
    assert_eq!(
        (&renamed["kinds"], &renamed["personal_data"], &renamed["url"]),
        (&serde_json::json!(["ticket.cancelled"]), &Value::from(true), &Value::from(url.as_str()))
    );
    let rotated = json(&world, &["webhook", "rotate", id, "--json"]);
    assert!(rotated["secret"].as_str().unwrap().starts_with("whsec_") && rotated["secret"] != made["secret"]);
    assert_eq!(json(&world, &["webhook", "pause", id, "--json"])["state"], "paused");
    assert!(refusal(&world, &["webhook", "test", id]).contains("webhook resume"));
    json(&world, &["ticket", "cancel", "T2", "--producer", "pr_a", "--json"]);
    let waits = json(&world, &["webhook", "events", id, "--limit", "1", "--json"]);
    assert_eq!(
        (&waits[0]["status"], &waits[0]["body"]["data"]["attendee"]["name"]),
        (&Value::from("pending"), &Value::from(""))
    );
    let listed = json(&world, &["webhook", "list", "--producer", "pr_a", "--json"]);
    assert_eq!(
        (&listed[0]["state"], &listed[0]["pending"], &listed[0]["failed"]),
        (&Value::from("paused"), &Value::from(1), &Value::from(0))
    );
    assert!(!listed.to_string().contains("whsec_"), "a secret is shown once");
    assert_eq!(json(&world, &["webhook", "resume", id, "--json"])["state"], "active");
    receiver.wait_for(4).await;
    let event_id = events[0]["id"].as_str().unwrap();
    assert_eq!(json(&world, &["webhook", "replay", id, "--event", event_id, "--json"])["replayed"], 1);
    assert_eq!(receiver.wait_for(5).await[4].id(), event_id);
    assert_eq!(
        json(&world, &["webhook", "replay", id, "--since", "2001-01-01", "--until", "2002-01-01", "--json"])["replayed"],
        0
    );
    for all in ["--failed", "--failed-and-waiting"] {
        assert_eq!(json(&world, &["webhook", "replay", id, all, "--json"])["replayed"], 0);
    }
    let once_more = json(&world, &["webhook", "log", id, "--event", event_id, "--json"]);
    assert!(once_more.as_array().unwrap().iter().all(|attempt| attempt["sequence"] == 1));

    for (arguments, message) in [
        (
            &["create", "--producer", "pr_a", "--url", "http://example.com/", "--kind", "ticket.scanned"][..],
            "https is required",
        ),
        (
            &["create", "--producer", "pr_a", "--url", "https://10.0.0.1/", "--kind", "ticket.scanned"],
            "which is not public",
        ),
        (
            &["create", "--producer", "pr_a", "--url", "https://u:p@example.com/", "--kind", "ticket.scanned"],
            "a user or a password",
        ),
        (&["create", "--producer", "pr_a", "--url", "nonsense", "--kind", "ticket.scanned"], "--url:"),
        (&["create", "--producer", "pr_a", "--url", "https://example.com/"], "--kind"),
        (&["create", "--producer", "pr_a", "--url", "https://example.com/", "--kind", "ticket.lost"], "ticket.scanned"),
        (
            &["create", "--producer", "pr_b", "--url", "https://example.com/", "--kind", "ticket.scanned"],
            "there is no producer pr_b",
        ),
        (
            &[
                "create",
                "--producer",
                "pr_a",
                "--url",
                "https://example.com/",
                "--kind",
                "ticket.scanned",
                "--webhook-allow",
                "here",
            ],
            "such as 127.0.0.1",
        ),
        (&["update", id], "say what to change"),
        (&["update", id, "--url", "ftp://example.com/"], "--url:"),
        (&["replay", id], "--failed"),
        (&["replay", id, "--event", "we_nope"], "webhook events"),
        (&["replay", id, "--until", "2026-01-01"], "--since"),
        (&["replay", id, "--since", "soon"], "a time such as"),
        (&["replay", id, "--since", "2026-02-01", "--until", "2026-01-01"], "--until is not after --since"),
        (&["log", id, "--event", "we_nope"], "webhook events"),
        (&["pause", "wh_nope"], "webhook list"),
    ] {
        let refused = refusal(&world, &[&["webhook"], arguments].concat());
        assert!(refused.contains(message), "{arguments:?}: {refused}");
    }
    json(&world, &["webhook", "delete", id, "--json"]);
    assert_eq!(json(&world, &["webhook", "list", "--producer", "pr_a", "--json"]), serde_json::json!([]));
    assert!(refusal(&world, &["webhook", "test", id]).contains("there is no endpoint"));
    drop(running);
    let log = log.join().unwrap();
    for hidden in [secret, "hidden-token", "\"T1\""] {
        assert!(!log.contains(hidden), "{log}");
    }
}

async fn a_server_stops_cleanly_when_told_and_logs_no_secret_and_no_ticket(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [event("ev"), ticket_type("tt", "ev"), ticket("SECRETTICKET", "ev", "tt")];
    world.import(producer.tenant, &lines).await;
    let mut command = taquilla(&world.address);
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    command.env("TAQUILLA_LOG", "debug").env("RUST_LOG", "trace");
    let (mut running, text, all) = start(command, "listening");
    let client = Client::new(address_in(&text).parse().unwrap());
    assert_eq!(client.get("/api/v1/tickets/SECRETTICKET", &producer.key).await.status, 200);
    assert_eq!(client.get("/api/v1/tickets?order_id=SECRETTICKET&limit=1", &producer.key).await.status, 200);
    assert_eq!(client.get("/api/v1/tickets/SECRETTICKET?x=SECRETTICKET", &producer.key).await.status, 400);
    assert_eq!(client.get("/api/v1/nowhere/SECRETTICKET", &producer.key).await.status, 404);
    let (token, link) = world.door(producer.tenant, "ev", &[]).await;
    let bearer = format!("Bearer {token}");
    for code in ["SECRETTICKET", "SECRETTICKET-NOT"] {
        let body = serde_json::json!({"code": code, "scan_id": code});
        assert_eq!(client.post("/door/v1/scan", &[("authorization", &bearer)], &body).await.status, 200);
    }

    world.user(producer.tenant, "secret.person@example.com", "administrator").await;
    let staff = crate::harness::Staff::new(&client.base);
    let wrong = [("email", "secret.person@example.com"), ("password", "secret guess of a person")];
    assert_eq!(staff.post("/dashboard/sign-in", &wrong).await.status, 422);
    assert_eq!(staff.sign_in("secret.person@example.com").await.status, 303);
    assert_eq!(staff.get("/dashboard/p/pr_a/tickets?search=SECRETTICKET").await.status, 200);

    terminate(&running.0);
    assert!(running.0.wait().unwrap().success(), "it ends with 0");
    let log = all.join().unwrap();
    assert!(log.contains("\"route\":\"/api/v1/tickets/{ticket_id}\"") && log.contains("\"status\":200"), "{log}");
    for personal in ["secret.person", "secret guess", crate::harness::PASSWORD] {
        assert!(!log.contains(personal), "{personal}: {log}");
    }
    for cookie in staff.cookies().values() {
        assert!(!log.contains(cookie), "{cookie}: {log}");
    }
    assert!(log.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "every line is JSON: {log}");
    assert!(
        !log.contains("SECRETTICKET") && !log.contains(&producer.key) && !log.contains("tq_") && !log.contains("tqd_"),
        "{log}"
    );
    let hash = taquilla_domain::key::Secret::parse(taquilla_domain::key::Opens::Api, &producer.key).unwrap().hash();
    assert!(!log.contains(&hash), "{log}");
    let keys = taquilla_store::keys::list(&mut world.store.read().await.unwrap(), producer.tenant).await.unwrap();
    assert!(keys[0].life.last_used_at.is_some(), "notes of last use were written before it ended");
    let link = taquilla_store::door::links::find(&mut world.store.read().await.unwrap(), producer.tenant, &link.id)
        .await
        .unwrap()
        .unwrap();
    assert!(link.life.last_used_at.is_some());
}

async fn a_request_in_flight_is_finished_before_a_server_stops(world: World) {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpStream,
    };
    let mut command = taquilla(&world.address);
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    let (mut running, text, _all) = start(command, "listening");
    let address = address_in(&text);
    let mut begun = TcpStream::connect(&address).await.unwrap();
    begun.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n").await.unwrap();
    // An answer on a second connection shows that the first one was accepted.
    Client::new(address.parse().unwrap()).send(reqwest::Method::GET, "/healthz", &[]).await;
    terminate(&running.0);
    begun.write_all(b"connection: close\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    begun.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("ok\n"), "{answer}");
    assert!(running.0.wait().unwrap().success());
}

async fn the_demo_prints_lines_that_work_when_pasted(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let address = new_address(world.engine, folder.path()).await;
    let mut last_key = String::new();
    for round in 0..2 {
        let mut command = taquilla(&address);
        command.args(["demo", "--listen", "127.0.0.1:0"]);
        let (running, text, _all) = start(command, "Stop with Ctrl-C");
        let pasted: Vec<&str> = text.lines().filter(|line| line.starts_with("curl ")).collect();
        assert_eq!(pasted.len(), 3, "{text}");
        for line in pasted {
            let output = Command::new("sh").args(["-c", &format!("{line} --silent --fail")]).output().unwrap();
            assert!(output.status.success(), "{line}");
            let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert!(answer["data"].as_array().is_none_or(|rows| !rows.is_empty()), "{answer}");
        }
        let client = Client::new(address_in(&text).parse().unwrap());
        let key = text.split_whitespace().find(|word| word.starts_with("tq_")).unwrap().to_owned();
        let word_with = |part: &str| text.split_whitespace().find(|word| word.contains(part)).unwrap().to_owned();
        let door = word_with("/door#");
        let code = text.split(" type ").nth(1).unwrap().split_whitespace().next().unwrap();
        let bearer = format!("Bearer {}", door.split('#').nth(1).unwrap());
        let scanned = client
            .post(
                "/door/v1/scan",
                &[("authorization", &bearer)],
                &serde_json::json!({"code": code, "scan_id": format!("demo-{round}")}),
            )
            .await;
        assert_eq!(scanned.json()["outcome"], "admitted", "{text}");
        // The link to the dashboard signs in, once, and the password does later.
        let link = word_with("/dashboard/links/").replace(&client.base, "");
        let browser = Staff::new(&client.base);
        assert_eq!(browser.post(&link, &[]).await.leads_to(), "/dashboard");
        assert_eq!(browser.get("/dashboard/p/pr_demo").await.status, 200);
        assert_eq!(browser.get(&link).await.status, 404);
        let password = text.split(" the password ").nth(1).unwrap().split_whitespace().next().unwrap();
        let later = [("email", "demo@taquilla.example"), ("password", password)];
        assert_eq!(Staff::new(&client.base).post("/dashboard/sign-in", &later).await.status, 303);
        if round == 0 {
            look_around(&client, &key).await;
        } else {
            assert_eq!(client.get("/api/v1/me", &last_key).await.status, 401, "the last demo's key is revoked");
        }
        last_key = key;
        drop(running);
    }
}

/// Checks that the demo has something of everything, and thousands of tickets.
async fn look_around(client: &Client, key: &str) {
    let mut tickets = Vec::new();
    let mut cursor = String::new();
    loop {
        let page: Answer = client.get(&format!("/api/v1/tickets?limit=200{cursor}"), key).await;
        tickets.extend(page.data());
        match page.json()["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert!(tickets.len() > 3_000, "{}", tickets.len());
    for status in ["valid", "scanned", "transferred", "cancelled", "refunded"] {
        assert!(tickets.iter().filter(|ticket| ticket["status"] == status).count() > 20, "{status}");
    }
    assert!(tickets.iter().any(|ticket| ticket["order_id"].is_null()));
    assert!(
        tickets
            .iter()
            .any(|ticket| ticket["from_bundle"] == true && ticket["ticket_type"]["category"] == "merchandise")
    );
    assert_eq!(client.get("/api/v1/events", key).await.ids().len(), 7);
    let types = client.get("/api/v1/events/ev_tonight/ticket-types?include_deleted=true", key).await.data();
    assert!(types.iter().any(|item| item["kind"] == "bundle" && item["sold"].as_i64() > Some(20)));
    assert!(types.iter().any(|item| item["deleted"] == true));
    for status in ["pending", "approved", "rejected", "refunded"] {
        assert!(!client.get(&format!("/api/v1/orders?status={status}"), key).await.ids().is_empty(), "{status}");
    }
}
