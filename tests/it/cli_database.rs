//! The command line and the database it is given: who may create one, and what `check` leaves as it is.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use serde_json::{Value, json};

use crate::harness::{Engine, Raw, World, event, new_address, order, serve, start, taquilla, ticket, ticket_type};

both_engines![a_mistyped_address_is_refused_and_nothing_is_created, check_says_what_it_looked_at_while_a_server_runs,];

fn run(address: &str, arguments: &[&str]) -> Output {
    taquilla(address).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Every command that needs a database that is there, with arguments it takes.
const NEED_A_DATABASE: &[&[&str]] = &[
    &["check"],
    &["check", "--json"],
    &["key", "create", "--producer", "pr_a", "--name", "k", "--permission", "TICKETS_READ"],
    &["key", "list", "--producer", "pr_a"],
    &["key", "revoke", "key_a"],
    &["event", "create", "--producer", "pr_a", "--name", "E", "--currency", "EUR"],
    &["event", "change", "ev", "--producer", "pr_a", "--name", "E"],
    &["ticket-type", "create", "--producer", "pr_a", "--event", "ev", "--name", "T", "--price", "1"],
    &["ticket-type", "change", "tt", "--producer", "pr_a", "--name", "T"],
    &["order", "create", "--producer", "pr_a", "--event", "ev", "--item", "tt=1", "--name", "Ana"],
    &["producer", "list"],
    &["producer", "show", "pr_a"],
    &["event", "list", "--producer", "pr_a"],
    &["event", "show", "ev", "--producer", "pr_a"],
    &["ticket-type", "list", "--event", "ev", "--producer", "pr_a"],
    &["ticket-type", "show", "tt", "--producer", "pr_a"],
    &["order", "list", "--producer", "pr_a"],
    &["order", "show", "or", "--producer", "pr_a"],
    &["order", "search", "ana", "--producer", "pr_a"],
    &["ticket", "list", "--producer", "pr_a"],
    &["ticket", "search", "ana", "--producer", "pr_a"],
    &["webhook", "show", "wh_a"],
    &["ticket", "show", "T1", "--producer", "pr_a"],
    &["door-link", "list", "--producer", "pr_a"],
    &["door-link", "log", "dl_a"],
    &["webhook", "list", "--producer", "pr_a"],
    &["webhook", "log", "wh_a"],
    &["payment", "list", "--producer", "pr_a"],
    &["import", "--producer", "pr_a", "/dev/null"],
];

async fn a_mistyped_address_is_refused_and_nothing_is_created(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let address = new_address(world.engine, folder.path()).await;
    for arguments in NEED_A_DATABASE {
        let refused = run(&address, arguments);
        let text = said(&refused);
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}: {text}");
        assert!(text.contains("taquilla producer create") && text.contains("taquilla serve"), "{arguments:?}: {text}");
        let named = address.strip_prefix("sqlite:").unwrap_or_else(|| address.rsplit('/').next().unwrap());
        assert!(text.contains(named), "{arguments:?}: {text}");
        assert!(!text.contains("Everything holds"), "{text}");
    }
    match world.engine {
        Engine::Sqlite => assert_eq!(listing(folder.path()), [] as [PathBuf; 0], "not even a folder"),
        Engine::Postgres => {
            let tables = "SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = current_schema()";
            assert_eq!(Raw::open(&address).await.rows(tables).await, [] as [Vec<String>; 0]);
        }
    }
    let made = run(&address, &["producer", "create", "--name", "A", "--id", "pr_a"]);
    assert!(made.status.success(), "{}", said(&made));
    assert!(run(&address, &["check"]).status.success());
}

async fn check_says_what_it_looked_at_while_a_server_runs(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [
        event("ev"),
        ticket_type("tt", "ev"),
        order("or", "ev", "tt"),
        ticket("T1", "ev", "tt"),
        ticket("T2", "ev", "tt"),
    ];
    world.import(producer.tenant, &lines).await;
    let checked = run(&world.address, &["check"]);
    let text = said(&checked);
    assert!(checked.status.success(), "{text}");
    let counts = "1 producer, 1 event, 1 ticket type, 1 order, 2 tickets, 0 scans, 0 endpoints, 2 messages";
    assert_eq!(text, format!("Everything holds: {counts}, 0 deliveries.\n"));
    let checked: Value = serde_json::from_slice(&run(&world.address, &["check", "--json"]).stdout).unwrap();
    let looked_at = json!({
        "producers": 1, "events": 1, "ticket_types": 1, "orders": 1, "tickets": 2, "scans": 0, "endpoints": 0,
        "messages": 2, "deliveries": 0,
    });
    assert_eq!(checked, json!({"looked_at": looked_at, "findings": []}));
    world.raw().await.batch("UPDATE ticket_types SET sold = 7").await;
    let broken = run(&world.address, &["check", "--json"]);
    assert_eq!(broken.status.code(), Some(1));
    let broken: Value = serde_json::from_slice(&broken.stdout).unwrap();
    assert_eq!(broken["looked_at"], looked_at);
    assert_eq!((&broken["findings"][0]["kind"], &broken["findings"][0]["id"]), (&json!("ticket_type"), &json!("tt")));
}

/// A view that writes when it is read stands for whatever could make a check write.
#[test]
fn postgres_itself_refuses_a_check_that_would_write() {
    crate::harness::run(Engine::Postgres, async |world: World| {
        let producer = world.producer("pr_a").await;
        world.import(producer.tenant, &[event("ev")]).await;
        let raw = world.raw().await;
        raw.batch(
            "CREATE TABLE touched (times BIGINT); \
             CREATE FUNCTION touch() RETURNS BIGINT LANGUAGE plpgsql AS \
             $$ BEGIN INSERT INTO touched VALUES (1); RETURN 1; END $$; \
             ALTER TABLE events RENAME TO events_kept; \
             CREATE VIEW events AS SELECT * FROM events_kept WHERE touch() = 1;",
        )
        .await;
        let checked = run(&world.address, &["check"]);
        assert!(said(&checked).contains("read-only transaction"), "{}", said(&checked));
        assert_eq!(raw.rows("SELECT * FROM touched").await, [] as [Vec<String>; 0]);
    });
}

fn listing(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Every file in a folder, with its content. What SQLite keeps of locks is not compared.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = listing(folder).into_iter();
    paths
        .map(|path| {
            let is_locks = path.extension().is_some_and(|ending| ending == "db-shm");
            let content = if is_locks { Vec::new() } else { fs::read(&path).unwrap() };
            (path, content)
        })
        .collect()
}

#[test]
fn check_leaves_the_files_of_a_database_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let address = format!("sqlite:{}", folder.path().join("a.db").display());
    let make = |id: &str| {
        let made = run(&address, &["producer", "create", "--name", "A", "--id", id]);
        assert!(made.status.success(), "{}", said(&made));
    };
    make("pr_a");
    // The last connection that ends in good order takes the log away.
    let raw = rusqlite::Connection::open(folder.path().join("a.db")).unwrap();
    raw.query_row("SELECT count(*) FROM producers", [], |_| Ok(())).unwrap();
    drop(raw);
    let before = contents(folder.path());
    assert_eq!(before.len(), 1, "{:?}", before.keys());
    for arguments in [&["check"][..], &["check", "--json"]] {
        assert!(run(&address, arguments).status.success());
        assert!(contents(folder.path()) == before, "{:?}", listing(folder.path()));
    }

    // A server that was killed leaves its log, which holds what the file does not have yet.
    let (running, ..) = start(serve(&address), "listening");
    make("pr_b");
    drop(running);
    let before = contents(folder.path());
    assert!(before.keys().any(|path| path.extension().is_some_and(|ending| ending == "db-wal")), "{:?}", before.keys());
    let checked = run(&address, &["check"]);
    assert!(said(&checked).contains("2 producers"), "{}", said(&checked));
    assert!(contents(folder.path()) == before, "{:?}", listing(folder.path()));

    // A copy without a write-ahead log, as VACUUM INTO makes it.
    let copy = folder.path().join("copy");
    fs::create_dir(&copy).unwrap();
    let into = format!("VACUUM INTO '{}'", copy.join("b.db").display());
    rusqlite::Connection::open(folder.path().join("a.db")).unwrap().execute_batch(&into).unwrap();
    let before = contents(&copy);
    let checked = run(&format!("sqlite:{}", copy.join("b.db").display()), &["check"]);
    assert!(said(&checked).contains("2 producers"), "{}", said(&checked));
    assert!(contents(&copy) == before, "{:?}", listing(&copy));
}

#[test]
fn a_file_that_is_no_database_of_ours_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("empty.db"), "").unwrap();
    fs::write(path("letter.txt"), "Dear Sir or Madam, ".repeat(100)).unwrap();
    fs::create_dir(path("folder")).unwrap();
    rusqlite::Connection::open(path("other.db"))
        .unwrap()
        .execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE recipes (name TEXT)")
        .unwrap();
    let before: Vec<PathBuf> = listing(folder.path());
    for (name, words) in [
        ("empty.db", "producer create"),
        ("other.db", "producer create"),
        ("letter.txt", "file is not a database"),
        ("folder", "is a folder"),
    ] {
        let content = fs::read(path(name)).ok();
        for arguments in [&["check"][..], &["key", "list", "--producer", "pr_a"]] {
            let refused = run(&format!("sqlite:{}", path(name).display()), arguments);
            let text = said(&refused);
            assert!(!refused.status.success() && text.contains(words) && text.contains(name), "{name}: {text}");
            assert!(!text.contains("os error") && !text.contains("rror code"), "{text}");
            assert_eq!(fs::read(path(name)).ok(), content, "{name}");
        }
    }
    assert_eq!(listing(folder.path()), before);
}
