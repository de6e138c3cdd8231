//! Metrics as Prometheus sees them, and the files for it in `ops/`: each is checked by Prometheus' own programs.

use std::{
    collections::BTreeSet,
    fs,
    io::Write,
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use taquilla_domain::{
    config::{Backups, Config, METRICS_KEPT},
    webhook::MessageKind,
};

use crate::harness::{
    Engine, Hooks, Running, Scraped, Watch, World, cart, http_client, place,
    receiver::{Behaviour, Receiver},
    run, ticket_type, to_this_machine, unpacked, until, with,
};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// One of Prometheus' programs.
fn program(name: &str) -> Command {
    unpacked(&format!("usr/bin/{name}"))
}

/// Runs promtool. It must succeed; what it said is given.
fn promtool(arguments: &[&str], input: &str) -> String {
    let mut command = program("promtool");
    command.args(arguments).current_dir(format!("{ROOT}/ops/prometheus"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {said}");
    said
}

fn read(path: &str) -> String {
    fs::read_to_string(format!("{ROOT}/{path}")).unwrap()
}

/// The files with the unit tests of the alerts.
const RULE_TESTS: [&str; 2] = ["taquilla.rules.test.yml", "taquilla.rules.day.test.yml"];

fn rule_tests() -> String {
    RULE_TESTS.map(|file| read(&format!("ops/prometheus/{file}"))).concat()
}

/// A server that has everything that metrics tell of, and has told of it.
async fn busy(world: World) -> (Hooks, Watch, Scraped) {
    let folder = tempfile::tempdir().unwrap();
    let mut hooks = Box::pin(Hooks::new(world)).await;
    let every = std::time::Duration::from_secs(3_600);
    let backups = Some(Backups { folder: folder.path().to_owned(), every, kept: 2 });
    let watch = Box::pin(hooks.world.watch(Config { backups, ..to_this_machine() })).await;
    let lines = [with(ticket_type("tt_free", "ev"), json!({"price": 0}))];
    hooks.world.import(hooks.producer.tenant, &lines).await;
    assert_eq!(place(&hooks.world, "a", &cart("tt_free", 1)).await.status, 201);
    let receiver = Receiver::start(Behaviour::ok()).await;
    hooks.endpoint(&receiver.url("/"), &[MessageKind::TicketScanned]).await;
    hooks.scan().await;
    let is_complete = async || {
        hooks.world.step(METRICS_KEPT);
        let names = watch.scrape().await.names();
        names.contains("taquilla_webhook_attempts_total") && names.contains("taquilla_backup_last_timestamp_seconds")
    };
    assert!(until(is_complete).await, "{:?}", watch.scrape().await);
    let scraped = watch.scrape().await;
    (hooks, watch, scraped)
}

both_engines![promtool_finds_nothing_wrong_with_the_metrics];

async fn promtool_finds_nothing_wrong_with_the_metrics(world: World) {
    let (_hooks, _watch, scraped) = Box::pin(busy(world)).await;
    assert_eq!(promtool(&["check", "metrics"], &scraped.text), "", "{}", scraped.text);
}

#[test]
fn the_rules_are_right_and_do_what_they_are_for() {
    let said = promtool(&["check", "rules", "--lint-fatal", "taquilla.rules.yml"], "");
    let rules = read("ops/prometheus/taquilla.rules.yml");
    let alerts: BTreeSet<&str> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert!(alerts.len() >= 15 && said.contains(&format!("{} rules found", alerts.len())), "{said}");
    for file in RULE_TESTS {
        promtool(&["test", "rules", file], "");
    }
    let tests = rule_tests();
    for alert in alerts {
        assert!(tests.contains(alert), "{alert} is never seen to alert");
    }
    promtool(&["check", "config", "prometheus.yml"], "");
}

/// The names of metrics in a text.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with("taquilla_") || word.starts_with("process_")).map(str::to_owned).collect()
}

/// The names of the table in docs/operate/metrics.md.
fn documented() -> BTreeSet<String> {
    let text = read("docs/operate/metrics.md");
    let cells = text.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('|'));
    cells.flat_map(|(cell, _)| named(cell)).collect()
}

#[test]
fn every_metric_that_is_named_anywhere_is_told() {
    let mut told = BTreeSet::new();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        run(engine, async |world: World| told.extend(Box::pin(busy(world)).await.2.names()));
    }
    // These need https of the server's own: `metrics::what_waits_and_what_ends_is_told`.
    told.extend(["taquilla_certificate_ends_timestamp_seconds", "taquilla_acme_failures"].map(str::to_owned));
    let dashboard: Value = serde_json::from_str(&read("ops/grafana/taquilla.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter().flat_map(|panel| panel["targets"].as_array());
    let asked: Vec<&str> = panels.flatten().map(|target| target["expr"].as_str().unwrap()).collect();
    assert!(asked.len() > 30);
    let (rules, tests) = (read("ops/prometheus/taquilla.rules.yml"), rule_tests());
    for name in named(&asked.join("\n")).union(&named(&rules)).chain(&named(&tests)) {
        assert!(told.contains(name), "{name} is not told");
    }
    // A histogram is documented by its own name.
    let own = |name: &String| {
        let histogram = ["_bucket", "_sum", "_count"].iter().find_map(|ending| name.strip_suffix(ending));
        histogram.unwrap_or(name).to_owned()
    };
    assert_eq!(documented(), told.iter().map(own).collect());
}

/// A real Prometheus reads a server, and evaluates the rules and the dashboard.
#[test]
fn prometheus_itself_reads_a_server() {
    run(Engine::Sqlite, async |world: World| {
        let (_hooks, watch, _) = Box::pin(busy(world)).await;
        let folder = tempfile::tempdir().unwrap();
        let config = read("ops/prometheus/prometheus.yml").replace("15s", "1s");
        let config = config.replace("127.0.0.1:9464", &watch.address.to_string());
        fs::write(folder.path().join("prometheus.yml"), config).unwrap();
        fs::copy(format!("{ROOT}/ops/prometheus/taquilla.rules.yml"), folder.path().join("taquilla.rules.yml"))
            .unwrap();
        // The port is free now; nobody else on this machine takes it at once.
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut command = program("prometheus");
        command.args(["--config.file=prometheus.yml", "--storage.tsdb.path=data"]);
        command.arg(format!("--web.listen-address={free}")).current_dir(folder.path());
        let log = fs::File::create(folder.path().join("log")).unwrap();
        let _running = Running(command.stdout(Stdio::null()).stderr(log).spawn().unwrap());
        let ask = async |path: &str, query: &str| {
            let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("query", query).finish();
            let answer = http_client().get(format!("http://{free}/api/v1/{path}?{query}")).send().await.ok()?;
            answer.json::<Value>().await.ok()
        };
        let first = async |query: &str| {
            ask("query", query).await?["data"]["result"][0]["value"][1].as_str()?.parse::<f64>().ok()
        };
        let is_up = async || first(r#"up{job="taquilla"}"#).await == Some(1.0);
        assert!(until(is_up).await, "{}", fs::read_to_string(folder.path().join("log")).unwrap());
        assert_eq!(first(r#"taquilla_moves_total{kind="order",outcome="done"}"#).await, Some(1.0));
        assert_eq!(first("taquilla_build_info").await, Some(1.0));
        let evaluated = async || {
            let Some(rules) = ask("rules", "").await else { return false };
            let Some(rules) = rules["data"]["groups"][0]["rules"].as_array().cloned() else { return false };
            rules.len() >= 15 && rules.iter().all(|rule| rule["health"] == "ok")
        };
        assert!(until(evaluated).await, "{:?}", ask("rules", "").await);
        let dashboard: Value = serde_json::from_str(&read("ops/grafana/taquilla.json")).unwrap();
        for panel in dashboard["panels"].as_array().unwrap() {
            for target in panel["targets"].as_array().into_iter().flatten() {
                let query =
                    target["expr"].as_str().unwrap().replace("$__rate_interval", "1m").replace("$instance", ".*");
                let answer = ask("query", &query).await.unwrap();
                assert_eq!(answer["status"], "success", "{query}: {answer}");
            }
        }
    });
}
