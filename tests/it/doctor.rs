//! `taquilla doctor`: what it finds, and what it says to do.

use std::{
    os::unix::fs::PermissionsExt,
    process::{Command, Output},
};

use serde_json::Value;
use taquilla_domain::public_url::PublicUrl;
use taquilla_store::migrate::LATEST;

use crate::harness::{
    Authority, Engine, Issued, Kind, Proxy, World, named, new_address,
    receiver::{Behaviour, Receiver},
    serve, taquilla,
};

both_engines![
    a_healthy_installation_is_good,
    every_schema_that_is_not_ours_is_named,
    a_clock_that_is_behind_the_data_is_found,
    a_database_that_is_not_there_is_no_error_and_is_not_made,
];

on_sqlite![
    what_no_server_starts_with_is_wrong,
    variables_that_cannot_be_used_are_named,
    a_public_url_that_does_not_lead_here_is_told_apart,
    a_file_that_cannot_be_written_or_that_all_may_read_is_found,
    a_low_limit_of_open_files_is_found,
];

/// The command without the variables of the tests.
fn doctor(address: &str) -> Command {
    let mut command = taquilla(address);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("TAQUILLA_") && name != "TAQUILLA_DATABASE") {
        command.env_remove(name);
    }
    command.args(["doctor", "--json"]);
    command
}

struct Found(Output, Value);

impl Found {
    fn by(mut command: Command) -> Self {
        let output = command.output().unwrap();
        let said = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        let found = Self(output, said);
        let wrong = found.1["findings"].as_array().unwrap().iter().any(|finding| finding["state"] == "wrong");
        assert_eq!(found.0.status.code(), Some(i32::from(wrong)), "{}", found.1);
        assert_eq!(found.1["healthy"], !wrong);
        found
    }

    /// Everything about one thing, a line each: the state, what was found, and what to do.
    fn about(&self, thing: &str) -> Vec<String> {
        let findings = self.1["findings"].as_array().unwrap().iter().filter(|finding| finding["about"] == thing);
        let text = |finding: &Value, field: &str| finding[field].as_str().unwrap_or_default().to_owned();
        let lines = findings.map(|finding| ["state", "found", "mend"].map(|field| text(finding, field)).join(": "));
        lines.collect()
    }

    /// The only finding about one thing.
    #[track_caller]
    fn one(&self, thing: &str, begins: &str, contains: &str) {
        let about = self.about(thing);
        assert!(about.len() == 1 && about[0].starts_with(begins) && about[0].contains(contains), "{about:#?}");
    }
}

async fn a_healthy_installation_is_good(world: World) {
    let mut command = doctor(&world.address);
    // The world's stamps are of its own time, which is before this one.
    command.args(["--public-url", &world.client.base]);
    let found = Found::by(command);
    let engine = if world.engine == Engine::Sqlite { "SQLite 3." } else { "PostgreSQL " };
    found.one("database", &format!("good: {engine}"), &format!("schema version {LATEST}"));
    found.one("settings", "good: every variable is known", "");
    assert_eq!(found.about("clock").len(), 1, "{}", found.1);
    assert!(!found.about("clock")[0].starts_with("wrong"), "{}", found.1);
    let url = found.about("public URL");
    assert!(url[0].starts_with("good: ") && url[0].contains("is ready"), "{url:?}");
    assert!(url[1].starts_with("doubtful: ") && url[1].contains("Use https"), "{url:?}");
    for thing in ["program", "disk", "open files", "memory"] {
        assert_eq!(found.about(thing).iter().filter(|line| line.contains("not known")).count(), 0, "{}", found.1);
        assert!(!found.about(thing).is_empty(), "{thing}: {}", found.1);
    }
    // For people, what is remembered by a server counts too.
    let remembered = PublicUrl::parse("http://127.0.0.1:1").unwrap();
    taquilla_rules::admin::settings::set_public_url(&world.store, &remembered).await.unwrap();
    let mut command = taquilla(&world.address);
    let output = command.args(["doctor"]).env_remove("TAQUILLA_PUBLIC_URL").output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("public URL wrong: http://127.0.0.1:1 cannot be reached from here: connection refused"),
        "{said}"
    );
    assert!(String::from_utf8_lossy(&output.stderr).contains("something is wrong: public URL"), "{output:?}");
}

async fn every_schema_that_is_not_ours_is_named(world: World) {
    let raw = world.raw().await;
    let newer = LATEST + 1;
    raw.batch(&format!("INSERT INTO schema_migrations (version, name, applied_at) VALUES ({newer}, 'later', 0)")).await;
    Found::by(doctor(&world.address)).one("database", "wrong: its schema has version", "run a newer taquilla");
    raw.batch(&format!("DELETE FROM schema_migrations WHERE version >= {LATEST}")).await;
    let before = world.contents(&[]).await;
    let found = Found::by(doctor(&world.address));
    found.one("database", "doubtful: ", &format!("this taquilla works with version {LATEST}: The next start"));
    assert_eq!(world.contents(&[]).await, before, "nothing is changed");
}

async fn a_clock_that_is_behind_the_data_is_found(world: World) {
    world.producer("pr_a").await;
    world.raw().await.batch("UPDATE clocks SET clock = 4000000000000000").await;
    Found::by(doctor(&world.address)).one("clock", "wrong: it is ", "the last change in the database was at 2096-");
}

async fn a_database_that_is_not_there_is_no_error_and_is_not_made(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let address = new_address(world.engine, folder.path()).await;
    let found = Found::by(doctor(&address));
    found.one("database", "doubtful: there is no data of Taquilla", "the first start of the server makes it");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is made");
    Found::by(doctor("mysql://a:hunter2@b/c")).one(
        "database",
        "wrong: a database address is sqlite:PATH",
        "TAQUILLA_DATABASE",
    );
}

async fn variables_that_cannot_be_used_are_named(world: World) {
    let with = |variables: &[(&str, &str)]| {
        let mut command = doctor(&world.address);
        command.envs(variables.iter().copied());
        Found::by(command)
    };
    let found = with(&[("TAQUILLA_LISTN", "127.0.0.1:9000")]);
    found.one("settings", "doubtful: the variable TAQUILLA_LISTN is set", "Was TAQUILLA_LISTEN meant?");
    let found = with(&[("TAQUILLA_BACKUP_EVERY", "daily")]);
    found.one("settings", "wrong: invalid value 'daily'", "Correct the variable TAQUILLA_BACKUP_EVERY");
    let found = with(&[("TAQUILLA_TRUST_PROXY", "true"), ("TAQUILLA_LISTEN", "0.0.0.0:8080")]);
    found.one("settings", "doubtful: TAQUILLA_TRUST_PROXY is on", "Let only the proxy reach it");
    let found = with(&[("TAQUILLA_PUBLIC_URL", "https://127.0.0.1:1")]);
    found.one("settings", "doubtful: the public URL is https", "Set TAQUILLA_TRUST_PROXY=true");
    let found = with(&[("TAQUILLA_LISTEN", "0.0.0.0:8080")]);
    found.one("settings", "doubtful: other machines reach the server directly", "Let the server speak https");
    let folder = tempfile::tempdir().unwrap();
    let found = with(&[("TAQUILLA_BACKUP_DIR", folder.path().to_str().unwrap())]);
    assert!(found.about("disk").iter().any(|line| line.contains("free for backups")), "{}", found.1);
}

/// Says the same of settings as the server: one exits with 2 where the other finds something wrong.
async fn what_no_server_starts_with_is_wrong(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let put = |name: &str, issued: &Issued| {
        std::fs::write(path(&format!("{name}.pem")), issued.pem()).unwrap();
        std::fs::write(path(&format!("{name}.key")), issued.key.serialize_pem()).unwrap();
    };
    let authority = Authority::new();
    put("one", &authority.issue_for(&["localhost"]));
    put("other", &authority.issue_for(&["localhost"]));
    let mut ended = named(&["localhost"]);
    ended.not_before = rcgen::date_time_ymd(2025, 1, 1);
    ended.not_after = rcgen::date_time_ymd(2025, 4, 1);
    put("ended", &authority.issue(&ended));
    let file = path("one.pem");
    for (variables, about, says, starts) in [
        (
            vec![("TAQUILLA_TLS_CERT", path("one.pem")), ("TAQUILLA_TLS_KEY", path("one.key"))],
            "certificate",
            "it is valid until",
            true,
        ),
        (
            vec![("TAQUILLA_TLS_CERT", path("ended.pem")), ("TAQUILLA_TLS_KEY", path("ended.key"))],
            "certificate",
            "it ended on 2025-04-01",
            true,
        ),
        (
            vec![("TAQUILLA_TLS_CERT", path("one.pem")), ("TAQUILLA_TLS_KEY", path("other.key"))],
            "certificate",
            "belongs to another certificate",
            false,
        ),
        (
            vec![("TAQUILLA_TLS_CERT", path("none.pem")), ("TAQUILLA_TLS_KEY", path("one.key"))],
            "certificate",
            "cannot read",
            false,
        ),
        (
            vec![("TAQUILLA_BACKUP_DIR", file.clone())],
            "settings",
            "TAQUILLA_BACKUP_DIR: cannot write to the folder",
            false,
        ),
        (
            vec![("TAQUILLA_BACKUP_DIR", format!("{file}/below"))],
            "settings",
            "TAQUILLA_BACKUP_DIR: cannot write to the folder",
            false,
        ),
        (
            vec![("TAQUILLA_ACME", "a.example".to_owned()), ("TAQUILLA_ACME_DIR", file.clone())],
            "settings",
            "TAQUILLA_ACME_DIR: cannot write",
            false,
        ),
        (
            vec![("TAQUILLA_HTTP_LISTEN", "127.0.0.1:0".to_owned())],
            "settings",
            "--http-listen: it leads to https",
            false,
        ),
    ] {
        let mut command = doctor(&world.address);
        command.envs(variables.clone());
        let found = Found::by(command);
        let lines = found.about(about);
        assert!(lines.iter().any(|line| line.contains(says)), "{says}: {lines:#?}");
        assert!(starts || lines.iter().any(|line| line.starts_with("wrong: ")), "{says}: {lines:#?}");
        assert!(!says.contains("ended") || lines.iter().any(|line| line.starts_with("wrong: ")), "{lines:#?}");
        if !starts {
            let mut command = serve(&world.address);
            let output = command.envs(variables).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{output:?}");
        }
    }
    let missing = path("not/yet/there");
    let mut command = doctor(&world.address);
    let found = Found::by({
        command.env("TAQUILLA_BACKUP_DIR", &missing);
        command
    });
    found.one("settings", "good: ", "");
    assert!(!std::path::Path::new(&missing).exists(), "looking makes nothing");
}

async fn a_public_url_that_does_not_lead_here_is_told_apart(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let roots = folder.path().join("roots.pem");
    let at = |url: &str| {
        let mut command = doctor(&world.address);
        command.env("SSL_CERT_FILE", &roots).args(["--public-url", url]);
        Found::by(command).about("public URL")
    };
    let missing = Found::by(doctor(&world.address));
    missing.one("public URL", "doubtful: none is set", "TAQUILLA_PUBLIC_URL");
    let other = Receiver::start(Behaviour::ok()).await;
    let found = at(other.url("").trim_end_matches('/'));
    assert!(found[0].starts_with("wrong: something else answers at"), "{found:?}");
    let found = at("http://name.invalid");
    assert!(found[0].starts_with("wrong: http://name.invalid cannot be reached from here"), "{found:?}");
    let found = at(&world.client.base.replace("http:", "https:"));
    assert!(found[0].contains("does not speak TLS"), "{found:?}");
    let proxy = Proxy::start(Kind::Nginx, Proxy::free_address(), world.server.address).await;
    let found = at(&proxy.base());
    assert!(found[0].contains("certificate was not accepted: its issuer is not known here"), "{found:?}");
    std::fs::write(&roots, proxy.authority.pem()).unwrap();
    let found = at(&proxy.base());
    assert!(found[0].starts_with("good: https://localhost:"), "{found:?}");
    let lost = Proxy::start(Kind::Nginx, Proxy::free_address(), Proxy::free_address()).await;
    std::fs::write(&roots, lost.authority.pem()).unwrap();
    let found = at(&lost.base());
    assert!(found[0].contains("status 502: the proxy does not reach the server"), "{found:?}");
}

async fn a_file_that_cannot_be_written_or_that_all_may_read_is_found(world: World) {
    let file = std::path::Path::new(world.address.strip_prefix("sqlite:").unwrap());
    let mode = |mode| std::fs::set_permissions(file, PermissionsExt::from_mode(mode)).unwrap();
    mode(0o644);
    let found = Found::by(doctor(&world.address)).about("database");
    assert!(found[1].starts_with("doubtful: other users of this machine may open"), "{found:?}");
    assert!(found[1].contains("chmod 600"), "{found:?}");
    // Another user may read the file, and nothing else. Root may do everything, so it becomes somebody else.
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let (copy, program) = (folder.path().join("copy.db"), folder.path().join("taquilla"));
    std::fs::copy(file, &copy).unwrap();
    std::fs::set_permissions(&copy, PermissionsExt::from_mode(0o444)).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_taquilla"), &program).unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o555)).unwrap();
    let is_root = rustix::process::geteuid().is_root();
    let mut command = if is_root { Command::new("setpriv") } else { Command::new(&program) };
    if is_root {
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&program);
    }
    command.args(["doctor", "--json", "--database", &format!("sqlite:{}", copy.display())]).current_dir("/");
    let found = Found::by(command).about("database");
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    assert!(
        found.iter().any(|line| line.starts_with("wrong: ") && line.contains("read and write the file")),
        "{found:?}"
    );
}

async fn a_low_limit_of_open_files_is_found(world: World) {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 1024; exec \"$0\" doctor --json", env!("CARGO_BIN_EXE_taquilla")]);
    command.env("TAQUILLA_DATABASE", &world.address);
    Found::by(command).one("open files", "doubtful: up to 1024, enough for 512 connections", "LimitNOFILE=");
}
