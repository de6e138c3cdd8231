//! `taquilla demo` beside another one, and links that lead where somebody serves.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Stdio},
    thread::JoinHandle,
};

use serde_json::{Value, json};

use crate::harness::{Client, Engine, PATIENCE, Raw, Running, World, address_in, event, new_address, start, taquilla};

both_engines![
    of_two_demos_that_start_at_once_the_loser_says_so,
    a_door_link_that_would_lead_nowhere_is_not_made,
    a_demo_is_alive_unless_it_is_told_to_be_still,
];

fn word_with(text: &str, part: &str) -> String {
    text.split_whitespace().find(|word| word.contains(part)).unwrap().to_owned()
}

/// Starts a second demo where one runs already, and looks at the first.
async fn a_demo_that_finds_its_port_taken_leaves_the_first_one_alone(address: &str, text: &str) {
    let listen = address_in(text);
    let second = taquilla(address).args(["demo", "--listen", &listen]).output().unwrap();
    let refused = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(1), "{refused}");
    assert!(refused.contains("choose another with --listen") && !refused.contains("os error"), "{refused}");
    let client = Client::new(listen.parse().unwrap());
    assert_eq!(client.get("/api/v1/me", &word_with(text, "tq_")).await.status, 200, "the first one's key works");
    let token = word_with(text, "/door#").split('#').nth(1).unwrap().to_owned();
    let opened = client.get("/door/v1/counts", &token).await;
    assert_eq!(opened.status, 200, "the first one's link works");
}

/// Starts a demo and waits until it fills the database. Returns the rest of what it says.
fn until_it_fills(address: &str) -> (Child, JoinHandle<String>) {
    let mut child = taquilla(address)
        .args(["demo", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    assert!(line.starts_with("Making "), "{line}");
    let rest = std::thread::spawn(move || {
        let mut rest = String::new();
        errors.read_to_string(&mut rest).unwrap();
        rest
    });
    (child, rest)
}

async fn of_two_demos_that_start_at_once_the_loser_says_so(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let address = new_address(world.engine, folder.path()).await;
    let made = taquilla(&address).args(["producer", "create", "--name", "Sala Aurora", "--id", "pr_demo"]).output();
    assert!(made.unwrap().status.success());
    // No move of the producer can begin until both have seen that there is no data yet.
    let raw = Raw::open(&address).await;
    raw.batch(match world.engine {
        Engine::Sqlite => "BEGIN IMMEDIATE",
        Engine::Postgres => "BEGIN; SELECT 1 FROM clocks FOR UPDATE",
    })
    .await;
    let demos = [until_it_fills(&address), until_it_fills(&address)];
    raw.batch("COMMIT").await;
    let mut running: Vec<Running> = Vec::new();
    let mut texts = Vec::new();
    for (child, text) in demos {
        running.push(Running(child));
        texts.push(text);
    }
    let deadline = std::time::Instant::now() + PATIENCE;
    let loser = loop {
        assert!(std::time::Instant::now() < deadline, "nobody gave up");
        let ended = running.iter_mut().position(|one| one.0.try_wait().unwrap().is_some());
        match ended {
            Some(at) => break at,
            None => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
        }
    };
    assert_eq!(running[loser].0.wait().unwrap().code(), Some(1));
    let said = texts.remove(loser).join().unwrap();
    assert!(said.contains("another `taquilla demo`") && said.contains("start this one again"), "{said}");
    // The winner goes on: nobody revoked its key, and nothing is there twice.
    let key = "SELECT 1 FROM api_keys WHERE revoked_at IS NULL AND name = 'demo'";
    crate::harness::until(async || raw.rows("SELECT 1 FROM door_links WHERE label = 'Demo gate'").await.len() == 1)
        .await;
    assert_eq!(raw.rows(key).await.len(), 1);
    // Its people are ended before the check, which would see them at work.
    drop(running);
    let checked = taquilla(&address).arg("check").output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
}

/// Making a demo's data takes long, so these two demos are looked at in every way.
async fn a_demo_is_alive_unless_it_is_told_to_be_still(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let mut demos = Vec::new();
    for (name, more) in [("alive", &["--public-url", "https://demo.example.com/"][..]), ("still", &["--still"])] {
        let folder = folder.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        let address = new_address(world.engine, &folder).await;
        let mut command = taquilla(&address);
        command.args(["demo", "--listen", "127.0.0.1:0"]).args(more);
        let (running, text, _all) = start(command, "Stop with Ctrl-C");
        assert_eq!(text.contains("start with --still to stop that"), name == "alive", "{text}");
        demos.push((running, Raw::open(&address).await, address, text));
    }
    let things = async |raw: &Raw| {
        let count = async |table: &str| {
            let counted = raw.rows(&format!("SELECT count(*) FROM {table}")).await;
            counted[0][0].parse::<usize>().unwrap()
        };
        (count("orders").await, count("scans").await, count("outbox").await)
    };
    let [(alive, moving, address, printed), (_still, unmoved, still_address, still_printed)] =
        demos.try_into().unwrap_or_else(|_| unreachable!());
    let (begun, before) = (things(&moving).await, things(&unmoved).await);
    a_demo_prints_and_remembers_its_public_url(&address, &printed);
    a_demo_that_finds_its_port_taken_leaves_the_first_one_alone(&still_address, &still_printed).await;
    crate::harness::until(async || {
        let (orders, scans, _) = things(&moving).await;
        orders > begun.0 && scans > begun.1
    })
    .await;
    assert_eq!(things(&unmoved).await, before, "nothing happened at the other one meanwhile");
    drop(alive);
    let checked = taquilla(&address).arg("check").output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
}

fn a_demo_prints_and_remembers_its_public_url(address: &str, text: &str) {
    assert!(text.contains(" https://demo.example.com/docs/"), "{text}");
    assert!(word_with(text, "/door#").starts_with("https://demo.example.com/door#tqd_"), "{text}");
    assert!(word_with(text, "/api/v1/me").starts_with("'https://demo.example.com/api/"), "{text}");
    let of = ["--producer", "pr_demo", "--event", "ev_tonight", "--label", "Back door", "--json"];
    let made = taquilla(address).args(["door-link", "create"]).args(of).output().unwrap();
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    assert!(made["url"].as_str().unwrap().starts_with("https://demo.example.com/door#tqd_"), "{made}");
}

async fn a_door_link_that_would_lead_nowhere_is_not_made(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev")]).await;
    let create = |more: &[&str]| {
        let mut command = taquilla(&world.address);
        command.args(["door-link", "create", "--producer", "pr_a", "--event", "ev", "--label", "Gate", "--json"]);
        command.args(more).output().unwrap()
    };
    for more in [&[][..], &["--public-url", ""]] {
        let refused = create(more);
        let text = String::from_utf8(refused.stderr).unwrap();
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0), "{text}");
        assert!(text.contains("--public-url https://") && text.contains("taquilla serve"), "{text}");
        assert!(!text.contains("8080"), "{text}");
    }
    assert_eq!(world.contents(&[]).await["door_links"], [] as [String; 0], "no link was made");
    let made: Value = serde_json::from_slice(&create(&["--public-url", "http://127.0.0.1:9"]).stdout).unwrap();
    assert_eq!(made["url"], json!(format!("http://127.0.0.1:9/door#{}", made["token"].as_str().unwrap())));
}
