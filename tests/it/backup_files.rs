//! The files of backups: private, whole or not there, and refused when they are not what was written.

use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use taquilla_store::migrate;

use crate::harness::{
    Engine, Raw, World,
    backups::{Said, back_up, backup, other, restore},
    event, new_address, order, run, seed, taquilla, terminate, ticket, ticket_type, until,
};

both_engines![
    a_file_is_private_and_replaces_another_only_if_asked_to,
    a_backup_that_cannot_be_written_leaves_nothing,
    a_damaged_or_cut_off_file_is_refused_and_nothing_is_left,
    a_file_that_is_not_what_it_says_is_refused,
    only_an_empty_database_is_filled,
    a_backup_goes_through_a_pipe,
];
on_sqlite![a_file_of_another_program_is_left_alone];

/// A world with a little of everything.
async fn a_world_with_rows(world: &World) {
    let producer = world.producer("pr_a").await;
    let tickets = (0..60).map(|number| ticket(&format!("T{number}"), "ev", "tt"));
    let lines: Vec<Value> =
        [event("ev"), ticket_type("tt", "ev"), order("or", "ev", "tt")].into_iter().chain(tickets).collect();
    world.import(producer.tenant, &lines).await;
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

async fn a_file_is_private_and_replaces_another_only_if_asked_to(world: World) {
    a_world_with_rows(&world).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("night.backup");
    // Whatever the shell lets others read.
    let mut open_handed = Command::new("bash");
    open_handed.args(["-c", "umask 000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_taquilla"), "backup"]).arg(&file);
    let said = Said::of(open_handed.args(["--database", &world.address]));
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(
        said.output.contains("night.backup") && said.output.contains(" rows ") && said.error.is_empty(),
        "{said:?}"
    );
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);

    let before = fs::read(&file).unwrap();
    Said::of(&mut backup(&world.address, &file)).failed(2, &["night.backup is there already", "--force"]);
    assert_eq!(fs::read(&file).unwrap(), before);
    world.producer("pr_b").await;
    let made = Said::of(backup(&world.address, &file).arg("--force")).json();
    assert_eq!(made["bytes"], fs::metadata(&file).unwrap().len());
    assert_ne!(fs::read(&file).unwrap(), before);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(names(folder.path()), ["night.backup"], "nothing else is left");
    // It can be looked at with what every system has.
    let text = zstd::decode_all(fs::read(&file).unwrap().as_slice()).unwrap();
    let first: Value = serde_json::from_slice(text.split(|byte| *byte == b'\n').next().unwrap()).unwrap();
    assert_eq!(first["taquilla_backup"]["schema"], migrate::LATEST);
}

async fn a_backup_that_cannot_be_written_leaves_nothing(world: World) {
    a_world_with_rows(&world).await;
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("missing").join("night.backup");
    Said::of(&mut backup(&world.address, &nowhere))
        .failed(1, &["cannot write", "missing/night.backup", "No such file"]);
    Said::of(&mut backup(&world.address, folder.path())).failed(2, &["is a folder; name a file in it"]);
    let below_a_file = folder.path().join("file").join("night.backup");
    fs::write(folder.path().join("file"), "").unwrap();
    Said::of(&mut backup(&world.address, &below_a_file)).failed(1, &["cannot write", "Not a directory"]);
    // No file may grow larger than a kilobyte, as if the disk were full.
    let full = folder.path().join("full.backup");
    let mut limited = Command::new("bash");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_taquilla"), "backup"]);
    let said = Said::of(limited.arg(&full).args(["--database", &world.address]));
    said.failed(1, &["cannot write", "full.backup; nothing was kept", "File too large"]);
    assert_eq!(names(folder.path()), ["file"]);
    // A database that is not there.
    let missing = new_address(world.engine, &folder.path().join("elsewhere")).await;
    Said::of(&mut backup(&missing, &full)).failed(1, &["there is no data of Taquilla"]);
    assert_eq!(names(folder.path()), ["file"]);
    // A list that cannot be used is found before anything is done.
    let (file, _) = back_up(&world.address, folder.path());
    let target = new_address(world.engine, &folder.path().join("target")).await;
    for (list, words) in [("missing.json", "cannot read"), ("file", "is no output of `key list --json`")] {
        let said = Said::of(restore(&file, &target).arg("--revoked").arg(folder.path().join(list)));
        said.failed(2, &["--revoked", words]);
    }
    assert!(!has_schema(&target).await);
    Said::of(&mut restore(&folder.path().join("no.backup"), &target)).failed(2, &["cannot read", "no.backup"]);
    Said::of(&mut restore(folder.path(), &target)).failed(2, &["is a folder"]);
    Said::of(&mut restore(&file, "sqlite:")).failed(2, &["--database", "names a file"]);
}

/// Whether anything of Taquilla is in a database.
async fn has_schema(address: &str) -> bool {
    if let Some(path) = address.strip_prefix("sqlite:")
        && !Path::new(path).exists()
    {
        return false;
    }
    let raw = Raw::open(address).await;
    let sql = if address.starts_with("sqlite:") {
        "SELECT name FROM sqlite_schema"
    } else {
        "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    };
    !raw.rows(sql).await.is_empty()
}

/// A copy of a backup with some other bytes.
fn written(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    fs::File::create(&path).unwrap().write_all(bytes).unwrap();
    path
}

async fn a_damaged_or_cut_off_file_is_refused_and_nothing_is_left(world: World) {
    let mut chance = StdRng::seed_from_u64(seed());
    a_world_with_rows(&world).await;
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = back_up(&world.address, folder.path());
    let whole = fs::read(&file).unwrap();
    let target = new_address(world.engine, &folder.path().join("target")).await;
    let refused = async |bytes: &[u8]| {
        let copy = written(folder.path(), "copy.backup", bytes);
        let said = Said::of(&mut restore(&copy, &target));
        said.failed(1, &["cannot restore", "copy.backup; nothing was kept: "]);
        assert!(!has_schema(&target).await, "something is left: {said:?}");
        said.error
    };
    let middle = chance.random_range(400..whole.len() - 1);
    for length in [middle, whole.len() / 2, whole.len() - 5, whole.len() - 1] {
        let error = refused(&whole[..length]).await;
        assert!(error.contains("it ends in the middle"), "{length} of {}: {error}", whole.len());
    }
    for length in [0, 1, 5] {
        assert!(refused(&whole[..length]).await.contains("no backup of Taquilla"));
    }
    // The first bytes say how much memory reading takes, and may say more without harm.
    for at in [chance.random_range(6..400), chance.random_range(400..whole.len()), whole.len() / 2, whole.len() - 1] {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << chance.random_range(0..8);
        let error = refused(&damaged).await;
        assert!(
            // The bit may have been one of the format's number.
            ["damaged", "ends in the middle", "no backup", "a newer taquilla"].iter().any(|word| error.contains(word)),
            "{at}: {error}"
        );
    }
    for other in [
        &b"SQLite format 3\0"[..],
        b"{\"taquilla_backup\":{\"format\":1}}\n",
        &zstd::encode_all(&b"hello"[..], 3).unwrap(),
    ] {
        assert!(refused(other).await.contains("it is no backup of Taquilla"));
    }
    // The same database takes the whole file.
    Said::of(&mut restore(&file, &target)).json();
}

/// A backup whose lines were changed by somebody who knows how it is written.
fn changed(folder: &Path, file: &Path, change: impl FnOnce(&mut Vec<String>)) -> PathBuf {
    let text = String::from_utf8(zstd::decode_all(fs::read(file).unwrap().as_slice()).unwrap()).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    change(&mut lines);
    let bytes = zstd::encode_all((lines.join("\n") + "\n").as_bytes(), 3).unwrap();
    written(folder, "changed.backup", &bytes)
}

async fn a_file_that_is_not_what_it_says_is_refused(world: World) {
    a_world_with_rows(&world).await;
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = back_up(&world.address, folder.path());
    let target = new_address(world.engine, &folder.path().join("target")).await;
    let place = |lines: &[String], table: &str| {
        lines.iter().position(|line| line.starts_with(&format!("{{\"table\":{{\"name\":\"{table}\""))).unwrap()
    };
    type Change<'a> = Box<dyn FnOnce(&mut Vec<String>) + 'a>;
    let newer = migrate::LATEST + 1;
    let header = |name: &'static str, value: Value| -> Change<'_> {
        Box::new(move |lines| {
            let mut first: Value = serde_json::from_str(&lines[0]).unwrap();
            first["taquilla_backup"][name] = value;
            lines[0] = first.to_string();
        })
    };
    let cases: Vec<(&str, Change<'_>)> = vec![
        ("it has the format 2, and this taquilla reads formats up to 1", header("format", json!(2))),
        ("restore it with a newer taquilla", header("schema", json!(newer))),
        ("it does not say when it was made", header("taken_at", json!("yesterday"))),
        ("its first line cannot be read", header("engine", json!(null))),
        ("other columns of producers", header("schema", json!(14))),
        (
            "tickets has 60 rows of 60, or they are not those that were written",
            Box::new(|lines| {
                let at = place(lines, "tickets") + 1;
                lines[at] = lines[at].replace("2026", "2027").replace("\"T", "\"t").replace("17", "18");
            }),
        ),
        (
            "tickets has 59 rows of 60",
            Box::new(|lines| {
                lines.remove(place(lines, "tickets") + 1);
            }),
        ),
        (
            "it lacks tables",
            Box::new(|lines| {
                let at = place(lines, "audit");
                let end = at + lines[at..].iter().position(|line| line.starts_with("{\"sum\"")).unwrap();
                lines.drain(at..=end);
            }),
        ),
        (
            "a row of events has values that its columns do not hold",
            Box::new(|lines| {
                let at = place(lines, "events") + 1;
                lines[at] = lines[at].replacen("[1,", "[\"1\",", 1);
            }),
        ),
        (
            "the rows of events cannot be kept here",
            Box::new(|lines| {
                let at = place(lines, "events") + 1;
                lines.insert(at, lines[at].clone());
            }),
        ),
        (
            "it has a table that its schema has not",
            Box::new(|lines| {
                let at = place(lines, "events");
                lines[at] = lines[at].replace("events", "events; DROP TABLE producers");
            }),
        ),
        ("it has a line that cannot be read", Box::new(|lines| lines.insert(3, "[1.5]".to_owned()))),
        ("it has a line that does not belong where it is", Box::new(|lines| lines.insert(1, "[]".to_owned()))),
        ("something follows its end", Box::new(|lines| lines.push("[]".to_owned()))),
        (
            "it ends in the middle",
            Box::new(|lines| {
                lines.pop();
            }),
        ),
    ];
    for (words, change) in cases {
        let copy = changed(folder.path(), &file, change);
        Said::of(&mut restore(&copy, &target)).failed(1, &["cannot restore", "nothing was kept", words]);
        assert!(!has_schema(&target).await, "{words}");
    }
    // A text that SQLite keeps and PostgreSQL does not.
    let copy = changed(folder.path(), &file, |lines| {
        let at = place(lines, "events") + 1;
        lines[at] = lines[at].replace("Event ev", "Event\\u0000");
    });
    let said = Said::of(&mut restore(&copy, &target));
    match world.engine {
        Engine::Sqlite => said.failed(1, &["events has 1 rows of 1, or they are not those that were written"]),
        Engine::Postgres => said.failed(1, &["the rows of events cannot be kept here"]),
    }
    assert!(!has_schema(&target).await);
}

async fn only_an_empty_database_is_filled(world: World) {
    a_world_with_rows(&world).await;
    let folder = tempfile::tempdir().unwrap();
    let (file, _) = back_up(&world.address, folder.path());
    let before = world.contents(&[]).await;
    Said::of(&mut restore(&file, &world.address)).failed(1, &["there is data of Taquilla already", "an empty"]);
    assert_eq!(world.contents(&[]).await, before);
    // Also one that has a schema and nothing else.
    let target = new_address(world.engine, &folder.path().join("target")).await;
    Said::of(taquilla(&target).args(["producer", "create", "--name", "N"]));
    Said::of(&mut restore(&file, &target)).failed(1, &["there is data of Taquilla already"]);
    // Of two that are restored at once into one database, one is.
    let target = new_address(world.engine, &folder.path().join("twice")).await;
    let both: Vec<_> = (0..2)
        .map(|_| restore(&file, &target).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
        .collect();
    let ended: Vec<_> = both.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    assert_eq!(ended.iter().filter(|output| output.status.success()).count(), 1, "{ended:?}");
    Said::of(taquilla(&target).arg("check"));
}

/// A backup that waits for the database is given up when somebody asks, and its file with it.
#[test]
fn whoever_stops_a_backup_is_left_with_nothing() {
    run(Engine::Postgres, async |world: World| {
        a_world_with_rows(&world).await;
        let folder = tempfile::tempdir().unwrap();
        let raw = world.raw().await;
        raw.batch("BEGIN; LOCK TABLE tickets IN ACCESS EXCLUSIVE MODE").await;
        let file = folder.path().join("night.backup");
        let child = backup(&world.address, &file).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        assert!(until(async || names(folder.path()).len() == 1 && world.waiting_for_locks().await > 0).await);
        terminate(&child);
        let ended = tokio::task::spawn_blocking(move || child.wait_with_output().unwrap()).await.unwrap();
        let error = String::from_utf8(ended.stderr).unwrap();
        assert!(ended.status.code() == Some(1) && error.contains("nothing was kept: it was stopped"), "{error}");
        assert_eq!(names(folder.path()), Vec::<String>::new());
    });
}

async fn a_backup_goes_through_a_pipe(world: World) {
    a_world_with_rows(&world).await;
    let folder = tempfile::tempdir().unwrap();
    let (_, made) = back_up(&world.address, folder.path());
    let written = taquilla(&world.address).args(["backup", "-"]).current_dir(folder.path()).output().unwrap();
    assert!(written.status.success() && String::from_utf8_lossy(&written.stderr).contains("rows was written"));
    assert!(!folder.path().join("-").exists(), "no file has that name");
    let address = new_address(other(world.engine), &folder.path().join("restored")).await;
    let piped = |bytes: &[u8]| {
        let mut command = taquilla(&address);
        command.args(["restore", "-", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that has seen enough reads no more.
        let _ = child.stdin.take().unwrap().write_all(bytes);
        child.wait_with_output().unwrap()
    };
    let cut_off = piped(&written.stdout[..written.stdout.len() / 2]);
    assert!(cut_off.status.code() == Some(1), "{cut_off:?}");
    assert!(String::from_utf8_lossy(&cut_off.stderr).contains("cannot restore standard input"), "{cut_off:?}");
    let restored = piped(&written.stdout);
    let restored: Value = serde_json::from_slice(&restored.stdout).unwrap_or_else(|_| panic!("{restored:?}"));
    assert_eq!(restored["rows"], made["rows"]);
}

async fn a_file_of_another_program_is_left_alone(world: World) {
    a_world_with_rows(&world).await;
    let folder = tempfile::tempdir().unwrap();
    let (backup, _) = back_up(&world.address, folder.path());
    let file = folder.path().join("theirs.db");
    rusqlite::Connection::open(&file).unwrap().execute_batch("CREATE TABLE notes (text TEXT)").unwrap();
    let before = fs::read(&file).unwrap();
    let address = format!("sqlite:{}", file.display());
    Said::of(&mut restore(&backup, &address)).failed(1, &["there is data of another program at"]);
    let said = Said::of(taquilla(&address).args(["producer", "create", "--name", "P"]));
    assert!(said.code != Some(0) && said.error.contains("there is data of another program at"), "{said:?}");
    assert_eq!(fs::read(&file).unwrap(), before, "not a byte of it was changed");
}
