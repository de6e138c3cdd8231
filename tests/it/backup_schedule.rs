//! Backups that servers make by themselves.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    time::Duration,
};

use futures_util::future::join_all;
use taquilla_domain::{
    clock::Stamp,
    config::{BACKUP_AGAIN, Backups, Config},
};
use taquilla_store::{Open, Result, Store, backup::turn, transaction};

use crate::harness::{
    DAY, Engine, PATIENCE, Raw, Server, World,
    backups::{Said, back_up, restore, restored},
    event, new_address, peak_memory_kib, peak_memory_so_far_kib, serve, start, taquilla, terminate, ticket,
    ticket_type, until,
};

both_engines![
    a_turn_is_taken_by_one_when_it_is_time,
    each_is_made_once_and_old_ones_are_deleted,
    one_that_fails_is_tried_again_and_nothing_else_suffers,
    a_large_database_takes_little_memory,
];

/// The backups in a folder, oldest first.
fn backups(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_str().unwrap().ends_with("Z.jsonl.zst"))
        .collect();
    found.sort();
    found
}

async fn reach(folder: &Path, newest_but: Option<&PathBuf>) -> Vec<PathBuf> {
    let is_newer = async || backups(folder).last().is_some_and(|newest| Some(newest) != newest_but);
    assert!(until(is_newer).await, "{newest_but:?}: {:?}", fs::read_dir(folder).unwrap().collect::<Vec<_>>());
    backups(folder)
}

/// Waits until no server is at a backup.
async fn rest(world: &World) {
    let done = async || world.raw().await.rows("SELECT 1 FROM backup_turn WHERE leased_until = 0").await.len() == 1;
    assert!(until(done).await);
}

/// How long a turn is taken for.
const LEASE: Duration = Duration::from_secs(30);

async fn take(store: Store, at: Stamp) -> Result<bool> {
    transaction!(store.begin_unstamped(), |tx| turn::take(tx, at, DAY, at.plus(LEASE)).await)
}

async fn keep(store: &Store, had_until: Stamp) -> Result<bool> {
    transaction!(store.begin_unstamped(), |tx| turn::keep(tx, had_until, had_until.plus(LEASE)).await)
}

async fn done(store: &Store, made_at: Stamp) -> Result<()> {
    transaction!(store.begin_unstamped(), |tx| turn::done(tx, made_at).await)
}

async fn a_turn_is_taken_by_one_when_it_is_time(world: World) {
    let (store, now) = (&world.store, world.now());
    let is_taken = async |at: Stamp| {
        let is_due = turn::is_due(&mut store.read().await.unwrap(), at, DAY).await.unwrap();
        let is_taken = take(store.clone(), at).await.unwrap();
        assert_eq!(is_due, is_taken, "whoever looks sees what whoever tries gets");
        is_taken
    };
    let taken = join_all((0..8).map(|_| take(store.clone(), now))).await;
    assert_eq!(taken.into_iter().filter(|taken| *taken.as_ref().unwrap()).count(), 1);
    // Whoever has it keeps it as long as it says so. Then it is anybody's.
    let until = now.plus(LEASE);
    assert!(keep(store, until).await.unwrap());
    assert!(!keep(store, until).await.unwrap(), "only who has it keeps it");
    let (micro, over) = (Duration::from_micros(1), until.plus(LEASE));
    assert!(!is_taken(over.minus(micro)).await);
    assert!(is_taken(over).await);
    // It comes again when it is time.
    done(store, now).await.unwrap();
    assert!(!is_taken(now.plus(DAY).minus(micro)).await);
    assert!(is_taken(now.plus(DAY)).await);
}

async fn each_is_made_once_and_old_ones_are_deleted(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("backups");
    fs::create_dir(&dir).unwrap();
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev"), ticket("T1", "ev", "tt")]).await;
    // Files that are not ours: by their name, and by whose database they are of.
    let another = new_address(world.engine, &folder.path().join("another")).await;
    Said::of(taquilla(&another).args(["producer", "create", "--name", "N"]));
    let (foreign, _) = back_up(&another, folder.path());
    let of_others = dir.join("taquilla-2020-01-01T00-00-00.000000Z.jsonl.zst");
    fs::copy(&foreign, &of_others).unwrap();
    let kept = ["notes.txt", "taquilla.jsonl.zst", "taquilla-2020-01-01T00-00-01.000000Z.jsonl.zst.bak"];
    for name in kept {
        fs::write(dir.join(name), "mine").unwrap();
    }
    fs::write(dir.join("taquilla-2020-01-01T00-00-02.000000Z.jsonl.zst"), "no backup").unwrap();
    let settings = Backups { folder: dir.clone(), every: DAY, kept: 2 };
    let config = Config { backups: Some(settings), ..Config::default() };
    // Three servers, and each period one backup.
    let _servers = [world.another_server(config.clone()).await, world.another_server(config.clone()).await];
    let elsewhere = Store::open(&world.address, Open::Existing).await.unwrap();
    let _third = Server::start(elsewhere, config, world.time()).await;
    let ours = |found: Vec<PathBuf>| -> Vec<PathBuf> {
        found.into_iter().filter(|path| !path.to_str().unwrap().contains("2020-01-01")).collect()
    };
    let mut seen = Vec::new();
    let mut newest = backups(&dir).last().cloned();
    for round in 1..=4 {
        let found = reach(&dir, newest.as_ref()).await;
        newest = found.last().cloned();
        rest(&world).await;
        let found = ours(backups(&dir));
        assert_eq!(found.len(), 2.min(round), "{found:?}");
        seen.push(found.last().unwrap().clone());
        assert_eq!(found, seen[seen.len().saturating_sub(2)..], "the newest are kept");
        if round == 3 {
            // What a server that was killed leaves behind, and what one that is at it writes.
            for (name, is_locked) in [("0123abcd", false), ("89abcdef", true)] {
                let path = dir.join(format!("taquilla-2026-01-01T00-00-00.000000Z.jsonl.zst.{name}.part"));
                fs::copy(&found[0], &path).unwrap();
                if is_locked {
                    let file = File::open(&path).unwrap();
                    file.lock().unwrap();
                    std::mem::forget(file);
                }
            }
        }
        world.step(DAY);
    }
    let left: Vec<bool> = ["0123abcd", "89abcdef"]
        .map(|name| dir.join(format!("taquilla-2026-01-01T00-00-00.000000Z.jsonl.zst.{name}.part")).exists())
        .to_vec();
    assert_eq!(left, [false, true]);
    assert!(of_others.exists() && kept.iter().all(|name| dir.join(name).exists()));
    assert!(dir.join("taquilla-2020-01-01T00-00-02.000000Z.jsonl.zst").exists());
    restored(seen.last().unwrap(), world.engine, folder.path()).await;
}

async fn one_that_fails_is_tried_again_and_nothing_else_suffers(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("backups");
    let producer = world.producer("pr_a").await;
    let settings = Backups { folder: dir.clone(), every: DAY, kept: 2 };
    // There is no such folder.
    let (_server, client) = world.another_server(Config { backups: Some(settings), ..Config::default() }).await;
    let again = world.now().plus(BACKUP_AGAIN).micros().to_string();
    let failed = async || {
        world.raw().await.rows("SELECT leased_until, made_at FROM backup_turn").await == [[again.as_str(), "0"]]
    };
    assert!(until(failed).await);
    assert_eq!(client.get("/api/v1/me", &producer.key).await.status, 200);
    fs::create_dir(&dir).unwrap();
    world.step(BACKUP_AGAIN + Duration::from_secs(1));
    reach(&dir, None).await;
    rest(&world).await;
    // A server that was killed at it holds nobody up for long, and neither does one whose clock is wrong.
    for (made_at, leased_until) in
        [(0, world.now().plus(Duration::from_secs(30)).micros()), (i64::MAX / 2, i64::MAX / 2)]
    {
        let newest = backups(&dir).last().cloned();
        let sql = format!("UPDATE backup_turn SET made_at = {made_at}, leased_until = {leased_until}");
        world.raw().await.batch(&sql).await;
        world.step(Duration::from_secs(31));
        reach(&dir, newest.as_ref()).await;
        rest(&world).await;
    }
}

/// Bytes of a row, and how many there are: 64 MB in all.
const ROW: usize = 4_000;
const ROWS: usize = 16_000;
/// What a server may take more at its peak because of a backup.
const ALLOWED_KIB: u64 = 40 * 1024;

async fn a_large_database_takes_little_memory(mut world: World) {
    world.server.stop().await;
    world.producer("pr_a").await;
    let folder = tempfile::tempdir().unwrap();
    let raw = world.raw().await;
    let fill = match world.engine {
        Engine::Sqlite => format!(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {ROWS}) \
             INSERT INTO idempotency_keys SELECT 1, 'k' || n, '', hex(randomblob({})), n FROM n",
            ROW / 2
        ),
        Engine::Postgres => format!(
            "INSERT INTO idempotency_keys SELECT 1, 'k' || n, '', (SELECT string_agg(md5(n || ' ' || m), '') \
             FROM generate_series(1, {}) m), n FROM generate_series(1, {ROWS}) n",
            ROW / 32
        ),
    };
    raw.batch(&fill).await;
    let mut command = serve(&world.address);
    let dir = folder.path().join("backups");
    command.arg("--backup-dir").arg(&dir).args(["--backup-every", "1h", "--backup-keep", "3"]);
    let (mut running, _, log) = start(command, "listening");
    let before = peak_memory_kib(running.0.id());
    let made = reach(&dir, None).await;
    let after = peak_memory_kib(running.0.id());
    assert!(after < before + ALLOWED_KIB, "{before} KiB before, {after} KiB after");
    rest(&world).await;
    terminate(&running.0);
    running.0.wait().unwrap();
    let log = log.join().unwrap();
    assert!(log.contains("\"message\":\"a backup was made\""), "{log}");
    // Reading it takes no more, whatever the engine's own cache is.
    let target = new_address(world.engine, &folder.path().join("target")).await;
    let mut child = restore(&made[0], &target).stdout(std::process::Stdio::null()).spawn().unwrap();
    let deadline = std::time::Instant::now() + PATIENCE;
    let mut peak = 0;
    let ended = loop {
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        // Once it has ended, there is nothing more to read.
        peak = peak_memory_so_far_kib(child.id()).unwrap_or(peak);
        assert!(std::time::Instant::now() < deadline);
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    assert!(ended.success());
    // On SQLite, long work has a cache of 128 MiB, as an import has.
    let cache = if world.engine == Engine::Sqlite { 128 * 1024 } else { 0 };
    assert!(peak < before + cache + ALLOWED_KIB, "{peak} KiB");
    assert_eq!(Raw::open(&target).await.rows("SELECT count(*) FROM idempotency_keys").await, [[ROWS.to_string()]]);
}
