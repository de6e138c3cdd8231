//! What a restored database does not go on with, and what is said of history that was lost.

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};
use taquilla_domain::{clock::Stamp, config::Config, key::Permission};
use taquilla_store::{Open, Store};

use crate::harness::{
    Client, Engine, Producer, Raw, Server, World,
    backups::{Said, back_up, other, restore, restored},
    event, new_address, problem, taquilla, ticket, ticket_type, with,
};

both_engines![
    what_was_ended_or_used_since_does_not_come_back,
    what_was_revoked_since_stays_revoked_where_somebody_knows,
    a_database_that_others_restored_is_set_right,
    a_time_that_cannot_be_that_of_the_restored_state_is_refused,
    stamps_that_an_import_brings_from_lost_history_are_good_marks,
];

/// The one value that a query gives.
async fn value(address: &str, sql: &str) -> String {
    let rows = Raw::open(address).await.rows(sql).await;
    assert_eq!(rows.len(), 1, "{sql}: {rows:?}");
    rows[0][0].clone()
}

/// Staff, their links and sessions, long work, and an endpoint, as they are while servers run.
async fn a_busy_service(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let lines = [event("ev"), ticket_type("tt", "ev"), ticket("T1", "ev", "tt")];
    world.import(producer.tenant, &lines).await;
    let run = |arguments: &[&str]| Said::of(taquilla(&world.address).args(arguments).arg("--json")).json();
    run(&[
        "user",
        "create",
        "--producer",
        "pr_a",
        "--email",
        "eva@example.com",
        "--role",
        "viewer",
        "--public-url",
        "https://tickets.example",
    ]);
    run(&["webhook", "create", "--producer", "pr_a", "--url", "https://hooks.example/", "--kind", "ticket.scanned"]);
    run(&["webhook", "create", "--producer", "pr_a", "--url", "https://more.example/", "--kind", "ticket.scanned"]);
    let work = "INSERT INTO work (producer_id, id, kind, subject, state, done, failed, outcome, created_by, origin, created_at, \
         finished_at, leased_until, pass_refunded, at_stamp, at_seq) VALUES";
    world
        .raw()
        .await
        .batch(&format!(
            "INSERT INTO sessions (hash, id, user_id, created_at, seen_at, confirmed_at, address, device) \
             SELECT 'h', 'se_1', id, 1, 1, 1, '', '' FROM users; \
             {work} (1, 'wk_1', 'refund', 'ev', 'running', 0, 0, '', 'e', '', 1, NULL, 9000000000000000, 0, 0, 0), \
             (1, 'wk_2', 'refund', 'ev', 'done', 0, 0, '', 'e', '', 1, 2, 0, 0, 0, 0), \
             (1, 'wk_3', 'import', 'f', 'checked', 0, 0, '', 'e', '', 1, NULL, 0, 0, 0, 0), \
             (1, 'wk_4', 'import', 'f', 'done', 0, 0, '', 'e', '', 1, 2, 0, 0, 0, 0); \
             INSERT INTO uploads (producer_id, work_id, part, content) VALUES (1, 'wk_3', 0, '{{}}'); \
             UPDATE webhook_endpoints SET last_sequence = 7 WHERE url = 'https://hooks.example/'; \
             UPDATE audit SET at = {}",
            // The command line tells the machine's time, and the world has its own.
            world.now().micros()
        ))
        .await;
    producer
}

/// Asserts what must hold of a busy service after a restore, whoever did it.
async fn is_set_right(address: &str) {
    for table in ["sessions", "staff_links", "uploads"] {
        assert_eq!(value(address, &format!("SELECT count(*) FROM {table}")).await, "0", "{table}");
    }
    let work = Raw::open(address).await.rows("SELECT id, state, leased_until FROM work ORDER BY id").await;
    let expected = [["wk_1", "stopped", "0"], ["wk_2", "done", "0"], ["wk_3", "given_up", "0"], ["wk_4", "done", "0"]];
    assert_eq!(work, expected, "staff decide about refunds; what was finished stays");
    let places = Raw::open(address).await.rows("SELECT last_sequence FROM webhook_endpoints ORDER BY 1").await;
    assert_eq!(places, [["1000000000"], ["1000000000"]], "places are given once");
    let noted = Raw::open(address)
        .await
        .rows("SELECT producer_id FROM audit WHERE action = 'database.restored' ORDER BY 1")
        .await;
    assert_eq!(noted, [["0"], ["1"]]);
    let clock: i64 = value(address, "SELECT clock FROM clocks").await.parse().unwrap();
    assert_eq!(value(address, "SELECT lost_until FROM lost_history").await, clock.to_string());
    assert!(clock > jiff::Timestamp::now().as_microsecond(), "later than anything that was given out");
}

async fn what_was_ended_or_used_since_does_not_come_back(world: World) {
    a_busy_service(&world).await;
    let folder = tempfile::tempdir().unwrap();
    let (file, made) = back_up(&world.address, folder.path());
    for left_out in ["sessions", "staff_links", "uploads", "search_words", "schema_migrations"] {
        assert!(!made["tables"].to_string().contains(left_out));
    }
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let (address, _) = restored(&file, engine, folder.path()).await;
        is_set_right(&address).await;
        // The history shows it, and the search finds everything again.
        let store = Store::open(&address, Open::Existing).await.unwrap();
        taquilla_rules::indexing::catch_up(&store).await.unwrap();
        assert_ne!(value(&address, "SELECT count(*) FROM search_words").await, "0");
        Said::of(taquilla(&address).args(["check", "--json"])).json();
    }
}

async fn what_was_revoked_since_stays_revoked_where_somebody_knows(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    let (stolen, key) = world.key(producer.tenant, Permission::ALL, None).await;
    let (token, link) = world.door(producer.tenant, "ev", &[]).await;
    let run = |arguments: &[&str]| Said::of(taquilla(&world.address).args(arguments).arg("--json"));
    let create =
        ["user", "create", "--producer", "pr_a", "--role", "viewer", "--public-url", "https://x.example", "--email"];
    for email in ["eva@example.com", "leo@example.com"] {
        run(&[&create[..], &[email]].concat()).json();
    }
    let (file, _) = back_up(&world.address, folder.path());
    // All of this happens after the backup.
    run(&["key", "revoke", &key.id]).json();
    run(&["door-link", "revoke", &link.id]).json();
    run(&["user", "disable", "eva@example.com"]).json();
    let (_, newer) = world.key(producer.tenant, Permission::ALL, None).await;
    run(&["key", "revoke", &newer.id]).json();
    let mut command = Vec::new();
    for (name, arguments) in [
        ("keys.json", &["key", "list", "--producer", "pr_a"][..]),
        ("links.json", &["door-link", "list", "--producer", "pr_a"]),
        ("users.json", &["user", "list"]),
    ] {
        let list = folder.path().join(name);
        fs::write(&list, run(arguments).json().to_string()).unwrap();
        command.extend(["--revoked".to_owned(), list.display().to_string()]);
    }
    let address = new_address(other(world.engine), &folder.path().join("restored")).await;
    let said = Said::of(restore(&file, &address).args(&command)).json();
    assert_eq!(said["revoked"], 3, "the fourth was made after the backup");
    let revoked = "SELECT revoked_at FROM api_keys WHERE revoked_at IS NOT NULL";
    let at = |revoked: &str| Stamp::from_micros(revoked.parse().unwrap()).to_string();
    let listed: Value = run(&["key", "list", "--producer", "pr_a"]).json();
    let listed = listed.as_array().unwrap().iter().find(|listed| listed["id"] == *key.id).unwrap();
    assert_eq!(at(&value(&address, revoked).await), listed["revoked_at"].as_str().unwrap(), "since when it was");
    assert_eq!(value(&address, "SELECT email FROM users WHERE disabled_at IS NOT NULL").await, "eva@example.com");
    for action in ["key.revoked", "door_link.revoked"] {
        let sql = format!("SELECT count(*) FROM audit WHERE action = '{action}' AND producer_id = 1");
        assert_eq!(value(&address, &sql).await, "1", "{action} is written down");
    }
    let store = Store::open(&address, Open::Existing).await.unwrap();
    let server = Server::start(store, Config::default(), world.time()).await;
    let client = Client::new(server.address);
    assert_eq!(client.get("/api/v1/me", &stolen).await.status, 401);
    assert_eq!(client.get("/api/v1/me", &producer.key).await.status, 200);
    let open = client.post("/door/v1/open", &[("authorization", &format!("Bearer {token}"))], &json!({})).await;
    assert_eq!(open.status, 401);
    // Nobody who knows nothing revokes anything.
    let (address, said) = restored(&file, world.engine, folder.path()).await;
    assert_eq!(said["revoked"], 0);
    assert_eq!(Raw::open(&address).await.rows(revoked).await.len(), 0);
}

/// A copy that the database's own tools make and restore.
async fn copied(world: &World, folder: &Path) -> String {
    if let Some(from) = world.address.strip_prefix("sqlite:") {
        let copy = folder.join("copy.db");
        let made = rusqlite::Connection::open(from).unwrap().execute("VACUUM INTO ?1", [copy.to_str().unwrap()]);
        made.unwrap();
        return format!("sqlite:{}", copy.display());
    }
    let address = new_address(world.engine, folder).await;
    let programs = std::env::var("TAQUILLA_TEST_POSTGRES_BIN").unwrap();
    let dump = folder.join("taquilla.dump");
    let run = |name: &str, arguments: [&str; 3]| {
        let said = Said::of(Command::new(Path::new(&programs).join(name)).args(arguments).arg(&dump));
        assert_eq!(said.code, Some(0), "{said:?}");
    };
    run("pg_dump", [&world.address, "--format=custom", "--file"]);
    run("pg_restore", ["--dbname", &address, "--no-owner"]);
    address
}

async fn a_database_that_others_restored_is_set_right(mut world: World) {
    let folder = tempfile::tempdir().unwrap();
    let key = a_busy_service(&world).await.key;
    let clock: i64 = value(&world.address, "SELECT clock FROM clocks").await.parse().unwrap();
    let taken_at = Stamp::from_micros(clock).to_string();
    let address = copied(&world, folder.path()).await;
    world.server.stop().await;
    let said = Said::of(taquilla(&address).args(["after-restore", "--yes", "--taken-at", &taken_at]));
    assert!(said.code == Some(0) && said.output.contains("Start the servers now"), "{said:?}");
    is_set_right(&address).await;
    Said::of(taquilla(&address).args(["check", "--json"])).json();
    assert_eq!(value(&address, "SELECT lost_after FROM lost_history").await, clock.to_string());
    let until: i64 = value(&address, "SELECT lost_until FROM lost_history").await.parse().unwrap();
    let store = Store::open(&address, Open::Existing).await.unwrap();
    let mut server = Server::start(store, Config::default(), world.time()).await;
    let client = Client::new(server.address);
    for (mark, status) in [(clock, 200), (clock + 1, 410), (until, 410), (until + 1, 200)] {
        let path = format!("/api/v1/orders?updated_after={}", Stamp::from_micros(mark));
        assert_eq!(client.get(&path, &key).await.status, status, "{path}");
    }
    server.stop().await;
    // Once more, and nobody knows since when: what was lost the first time stays known.
    let again = Said::of(taquilla(&address).args(["after-restore", "--yes", "--json"])).json();
    assert_eq!(again, json!({"revoked": 0, "erasures": 0}));
    let lost = Raw::open(&address).await.rows("SELECT lost_after FROM lost_history ORDER BY lost_until").await;
    assert_eq!(lost, [[clock.to_string()], [until.to_string()]]);
}

async fn a_time_that_cannot_be_that_of_the_restored_state_is_refused(mut world: World) {
    const HOUR: i64 = 3_600_000_000;
    let folder = tempfile::tempdir().unwrap();
    a_busy_service(&world).await;
    let clock: i64 = value(&world.address, "SELECT clock FROM clocks").await.parse().unwrap();
    let address = copied(&world, folder.path()).await;
    world.server.stop().await;
    let before = Raw::open(&address).await.rows("SELECT clock, last_seq FROM clocks").await;
    let run = |taken_at: i64, more: &[&str]| {
        let taken_at = Stamp::from_micros(taken_at).to_string();
        Said::of(taquilla(&address).args(["after-restore", "--taken-at", &taken_at]).args(more))
    };
    // A day too early, the wrong zone, years ago, an hour that has not come, and a day too late.
    for (taken_at, why) in [
        (clock - 24 * HOUR, "the database knows of something at"),
        (clock - 2 * HOUR, "the database knows of something at"),
        (Stamp::parse("2020-01-01").unwrap().micros(), "the database knows of something at"),
        (jiff::Timestamp::now().as_microsecond() + HOUR, "it is now"),
    ] {
        for yes in [&["--yes"][..], &[]] {
            let said = run(taken_at, yes);
            assert!(
                said.code == Some(2) && said.error.contains("--taken-at: ") && said.error.contains(why),
                "{said:?}"
            );
        }
    }
    // Nothing happens before somebody has seen what would.
    let said = run(clock, &["--json"]);
    assert!(said.code == Some(1) && said.error.contains("add --yes"), "{said:?}");
    let shown: Value = serde_json::from_str(&said.output).unwrap();
    for (field, expected) in [("producers", 1), ("sessions", 1), ("staff_links", 1), ("refunds", 1), ("imports", 1)] {
        assert_eq!(shown[field], expected, "{field}");
    }
    assert_eq!(shown["lost_after"], Stamp::from_micros(clock).to_string());
    assert_eq!(Raw::open(&address).await.rows("SELECT clock, last_seq FROM clocks").await, before);
    assert_eq!(value(&address, "SELECT count(*) FROM sessions").await, "1");
    // Two days ago everything stood still, and somebody gives the time of yesterday.
    let old = format!("UPDATE clocks SET clock = clock - {0}; UPDATE audit SET at = at - {0}", 48 * HOUR);
    Raw::open(&address).await.batch(&old).await;
    Raw::open(&address).await.batch("UPDATE api_keys SET last_used_at = NULL").await;
    let said = run(clock - 23 * HOUR, &["--yes"]);
    assert!(said.code == Some(2) && said.error.contains("more than a day before"), "{said:?}");
    let said = run(clock - 25 * HOUR, &["--yes"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let until: i64 = value(&address, "SELECT clock FROM clocks").await.parse().unwrap();
    assert!(until < jiff::Timestamp::now().as_microsecond() + HOUR, "no clock runs ahead");
}

async fn stamps_that_an_import_brings_from_lost_history_are_good_marks(mut world: World) {
    let folder = tempfile::tempdir().unwrap();
    let producer = world.producer("pr_a").await;
    let item = with(ticket_type("tt", "ev"), json!({"limit": 100}));
    world.import(producer.tenant, &[event("ev"), item, ticket("T1", "ev", "tt")]).await;
    world.server.stop().await;
    let (file, _) = back_up(&world.address, folder.path());
    let address = new_address(world.engine, &folder.path().join("restored")).await;
    Said::of(&mut restore(&file, &address)).json();
    // What was sold between the backup and its restore is brought back by an import, with the times that it had.
    let (after, until) = {
        let rows = Raw::open(&address).await.rows("SELECT lost_after, lost_until FROM lost_history").await;
        (rows[0][0].parse::<i64>().unwrap(), rows[0][1].parse::<i64>().unwrap())
    };
    let [issued, entered, nobody] =
        [1, 2, 3].map(|part| Stamp::from_micros(after + (until - after) / 100 * part).to_string());
    let line = with(ticket("T2", "ev", "tt"), json!({"issued_at": issued, "checked_in_at": entered}));
    let lines = folder.path().join("lines.jsonl");
    fs::write(&lines, line.to_string()).unwrap();
    Said::of(taquilla(&address).args(["import", "--producer", "pr_a"]).arg(&lines).arg("--json")).json();
    let store = Store::open(&address, Open::Existing).await.unwrap();
    let server = Server::start(store, Config::default(), world.time()).await;
    let client = Client::new(server.address);
    let ask =
        async |query: &str, mark: &str| client.get(&format!("/api/v1/tickets?{query}={mark}"), &producer.key).await;
    assert_eq!(ask("scanned_after", "2020-01-01").await.ids(), ["T2"]);
    assert_eq!(ask("scanned_after", &entered).await.ids(), Vec::<String>::new(), "whoever has seen it goes on");
    assert_eq!(ask("event_id=ev&issued_after", &issued).await.ids(), Vec::<String>::new());
    for (query, mark) in [("scanned_after", &nobody), ("issued_after", &entered), ("updated_after", &entered)] {
        assert_eq!(ask(query, mark).await.problem(), problem(410, "mark_lost", Some(query)));
    }
    for (query, mark) in [("scanned_before", &nobody), ("updated_after", &Stamp::from_micros(after).to_string())] {
        assert_eq!(ask(query, mark).await.status, 200, "{query} {mark}");
    }
    assert_eq!(ask("updated_after", &Stamp::from_micros(until).to_string()).await.problem().0, 410);
    assert_eq!(ask("updated_after", &Stamp::from_micros(until + 1).to_string()).await.status, 200);
}
