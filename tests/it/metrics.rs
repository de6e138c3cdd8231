//! Metrics: what is counted, for whom it is told, and what never is.

use std::{collections::BTreeSet, time::Duration};

use reqwest::Method;
use serde_json::json;
use taquilla::routes;
use taquilla_domain::{
    config::{Config, METRICS_KEPT, PostgresTimeouts},
    role::BuiltInRole,
    webhook::MessageKind,
};
use taquilla_rules::boxoffice;
use taquilla_store::{Open, Store};

use crate::harness::{
    Authority, Client, Cluster, Engine, Hooks, Running, Scraped, Server, SilentLine, Staff, Watch, World, cart, event,
    http_client, named, pay, place,
    receiver::{Behaviour, Receiver},
    run, serve, start, ticket, ticket_type, to_this_machine, until, with,
};

both_engines![
    what_happens_is_counted,
    strangers_add_no_labels,
    the_listener_tells_metrics_and_nothing_else,
    a_database_that_fails_is_told_and_all_else_goes_on,
    an_open_live_page_is_counted_until_it_ends,
    late_webhooks_and_failing_receivers_are_told,
    what_waits_and_what_ends_is_told,
];

/// A server with more flags in its own process, and where it tells its metrics.
fn watched(world: &World, flags: &[&str]) -> (Running, Watch) {
    let mut command = serve(&world.address);
    command.args(["--metrics-listen", "127.0.0.1:0"]).args(flags);
    let (running, log, _) = start(command, "listening");
    let line = log.lines().find(|line| line.contains("\"listening\"")).unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    (running, Watch::new(line["metrics"].as_str().unwrap().parse().unwrap()))
}

async fn what_waits_and_what_ends_is_told(mut world: World) {
    let producer = a_shop(&world).await;
    let secret = world.connect_processor(&producer).await;
    let watch = world.watch(Config::default()).await;
    let before = anew(&world, &watch).await;
    let waiting = ["taquilla_payments_open", "taquilla_erasures_open", "taquilla_erasure_age_seconds"];
    assert_eq!(waiting.map(|name| before.value(name)), [0.0; 3]);
    assert_eq!(before.value("taquilla_schema_version"), taquilla_store::migrate::LATEST as f64);
    let is_file = world.engine == Engine::Sqlite;
    assert_eq!(before.get(r#"taquilla_disk_free_bytes{of="data"}"#).is_some_and(|free| free > 0.0), is_file);
    // Money for nothing, an erasure that nobody takes up, and an index that stands still.
    let paid = json!({"payment_id": "p1", "reference": "1-NOBODY", "status": "paid", "amount": 5, "currency": "EUR"});
    pay(&world, &paid, &secret, 0).await;
    let began = world.now().micros();
    let work = format!(
        "INSERT INTO work (producer_id, id, kind, subject, state, done, failed, outcome, created_by, origin, created_at, \
         leased_until, pass_refunded, at_stamp, at_seq) VALUES (1, 'wk_1', 'erasure', 's', 'running', 0, 0, '', 'e', '', {began}, \
         9000000000000000, 0, 0, 0)"
    );
    world.raw().await.batch(&work).await;
    world.step(Duration::from_mins(10));
    let after = anew(&world, &watch).await;
    let [payments, erasures, age] = waiting.map(|name| after.value(name));
    assert_eq!((payments, erasures), (1.0, 1.0));
    assert!(age >= 600.0, "{age}");
    assert!(
        after.get("taquilla_search_behind_seconds").is_some() && after.get("taquilla_webhook_undelivered").is_some()
    );
    assert_eq!(after.get("taquilla_certificate_ends_timestamp_seconds"), None);

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut params = named(&["localhost"]);
    params.not_after = rcgen::date_time_ymd(2030, 1, 1);
    let issued = Authority::new().issue(&params);
    std::fs::write(path("c.pem"), issued.pem()).unwrap();
    std::fs::write(path("c.key"), issued.key.serialize_pem()).unwrap();
    let (_running, watch) = watched(&world, &["--tls-cert", &path("c.pem"), "--tls-key", &path("c.key")]);
    let scraped = watch.scrape().await;
    assert_eq!(scraped.value("taquilla_certificate_ends_timestamp_seconds"), 1_893_456_000.0);
    assert_eq!(scraped.get("taquilla_acme_failures"), None, "nothing is ordered");
    let authority = ["--acme-directory", "https://127.0.0.1:1/nobody", "--acme-dir", &path("acme")];
    let (_running, watch) = watched(&world, &[&["--acme", "tickets.example"][..], &authority].concat());
    let failed = async || watch.scrape().await.get("taquilla_acme_failures") == Some(1.0);
    assert!(until(failed).await, "{:?}", watch.scrape().await);
}

/// What people and programs are called in these tests. None of it may be told.
const PERSONAL: &[&str] = &[
    "pr_a",
    "Ana",
    "ana@example.com",
    "boss@example.com",
    "T1",
    "tt_",
    "ev_",
    "127.0.0.1",
    "tq_",
    "tqd_",
    "key_",
    "dl_",
    "or_",
    "wh_",
    "us_",
    "Gate",
];

const ORDERS: &str = r#"route="/shop/v1/{producer_id}/events/{event_id}/orders",method="POST""#;

/// A producer that sells a free item and a paid one, and has a ticket.
async fn a_shop(world: &World) -> crate::harness::Producer {
    let producer = world.producer("pr_a").await;
    let lines = [
        event("ev"),
        with(ticket_type("tt_free", "ev"), json!({"price": 0, "limit": 1})),
        ticket_type("tt_paid", "ev"),
        ticket("T1", "ev", "tt_paid"),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

fn moves(scraped: &Scraped, kind: &str, outcome: &str) -> f64 {
    scraped.value(&format!(r#"taquilla_moves_total{{kind="{kind}",outcome="{outcome}"}}"#))
}

fn answers(scraped: &Scraped, route_and_method: &str, status: u16) -> f64 {
    scraped.value(&format!(r#"taquilla_http_requests_total{{{route_and_method},status="{status}"}}"#))
}

fn sign_ins(scraped: &Scraped, kind: &str, outcome: &str) -> f64 {
    scraped.value(&format!(r#"taquilla_sign_ins_total{{kind="{kind}",outcome="{outcome}"}}"#))
}

/// Metrics of which nothing was remembered.
async fn anew(world: &World, watch: &Watch) -> Scraped {
    world.step(METRICS_KEPT);
    watch.scrape().await
}

async fn what_happens_is_counted(mut world: World) {
    let watch = world.watch(Config::default()).await;
    let producer = a_shop(&world).await;
    let secret = world.connect_processor(&producer).await;
    let before = anew(&world, &watch).await;
    assert_eq!((moves(&before, "order", "done"), before.value("taquilla_held_units")), (0.0, 0.0));
    assert_eq!(before.get(&format!(r#"taquilla_http_requests_total{{{ORDERS},status="201"}}"#)), None);

    // A sale, its repetition, and one too many.
    assert_eq!(place(&world, "a", &cart("tt_free", 1)).await.status, 201);
    assert_eq!(place(&world, "a", &cart("tt_free", 1)).await.status, 201);
    assert_eq!(place(&world, "b", &cart("tt_free", 1)).await.status, 409);
    let sold = anew(&world, &watch).await;
    assert_eq!([201, 409].map(|status| answers(&sold, ORDERS, status)), [2.0, 1.0]);
    let outcomes = ["done", "repeated", "refused", "failed"];
    assert_eq!(
        outcomes.map(|outcome| sold
            .get(&format!(r#"taquilla_moves_total{{kind="order",outcome="{outcome}"}}"#))
            .unwrap_or(0.0)),
        [1.0, 1.0, 1.0, 0.0]
    );
    assert_eq!(sold.value("taquilla_group_size_count"), 3.0);
    assert_eq!(sold.value("taquilla_group_size_sum"), 3.0);
    assert_eq!(sold.value(r#"taquilla_queue_wait_seconds_count{kind="order"}"#), 3.0);
    let route = r#"{route="/shop/v1/{producer_id}/events/{event_id}/orders"}"#;
    assert_eq!(sold.value(&format!("taquilla_http_request_duration_seconds_count{route}")), 3.0);

    // A hold, which ends with the payment.
    let placed = place(&world, "c", &cart("tt_paid", 2)).await.json();
    assert_eq!(anew(&world, &watch).await.value("taquilla_held_units"), 2.0);
    let reference = placed["order"]["reference"].as_str().or(placed["reference"].as_str()).unwrap();
    let notice = json!({"payment_id": "p", "reference": reference, "status": "paid", "amount": 50, "currency": "EUR"});
    assert_eq!(pay(&world, &notice, &secret, 0).await.status, 200);
    let paid = anew(&world, &watch).await;
    assert_eq!((moves(&paid, "payment", "done"), paid.value("taquilla_held_units")), (1.0, 0.0));

    // A scan, and the same ticket again.
    let (token, _) = world.door(producer.tenant, "ev", &[]).await;
    for scan in ["one", "two"] {
        let (bearer, body) = (format!("Bearer {token}"), json!({"code": "T1", "scan_id": scan, "station": "Gate"}));
        assert_eq!(world.client.post("/door/v1/scan", &[("authorization", &bearer)], &body).await.status, 200);
    }
    let scanned = anew(&world, &watch).await;
    assert_eq!(["done", "refused"].map(|outcome| moves(&scanned, "scan", outcome)), [1.0, 1.0]);
    assert_eq!(answers(&scanned, r#"route="/door/v1/scan",method="POST""#, 200), 2.0);

    // A wrong password, a right one, and a wrong key.
    world.user(producer.tenant, "boss@example.com", BuiltInRole::Administrator.as_str()).await;
    let staff = Staff::new(&world.client.base);
    let wrong = [("email", "boss@example.com"), ("password", "not this one")];
    assert_eq!(staff.post("/dashboard/sign-in", &wrong).await.status, 422);
    assert_eq!(staff.sign_in("boss@example.com").await.status, 303);
    assert_eq!(world.client.get("/api/v1/me", "tq_nonsense").await.status, 401);
    let signed_in = anew(&world, &watch).await;
    assert_eq!(["ok", "wrong", "limited"].map(|outcome| sign_ins(&signed_in, "password", outcome)), [1.0, 1.0, 0.0]);
    assert_eq!(answers(&signed_in, r#"route="/api/v1/me",method="GET""#, 401), 1.0);

    // The rest, as far as it is the same in every run.
    assert_eq!(signed_in.value("taquilla_database_up"), 1.0);
    assert_eq!(signed_in.value("taquilla_database_writable"), 1.0);
    assert!(signed_in.value("process_resident_memory_bytes") > 1e6, "{}", signed_in.text);
    assert!(signed_in.value("process_open_fds") > 3.0);
    assert!(signed_in.value("taquilla_connections_accepted_total") >= 1.0);
    let version = env!("CARGO_PKG_VERSION");
    assert!(signed_in.text.contains(&format!("taquilla_build_info{{version=\"{version}\",build=\"debug build\"}}")));
    match world.engine {
        Engine::Sqlite => {
            assert!(signed_in.value("taquilla_sqlite_wal_bytes") > 0.0);
            assert!(signed_in.value("taquilla_sqlite_commits_total") >= 5.0);
            assert!(signed_in.value(r#"taquilla_database_wait_seconds_count{wait="writer"}"#) >= 5.0);
            assert!(signed_in.text.contains(r#"taquilla_database_info{engine="sqlite"} 1"#));
        }
        Engine::Postgres => {
            assert!(signed_in.value(r#"taquilla_pool_connections{state="idle"}"#) >= 1.0);
            assert!(signed_in.value(r#"taquilla_database_wait_seconds_count{wait="connection"}"#) >= 5.0);
            assert!(signed_in.value(r#"taquilla_database_wait_seconds_count{wait="turn"}"#) >= 5.0);
            assert!(signed_in.text.contains(r#"taquilla_database_info{engine="postgres"} 1"#));
        }
    }
    for personal in PERSONAL {
        assert!(!signed_in.text.contains(personal), "{personal} is told: {}", signed_in.text);
    }
    assert!(!signed_in.text.contains(reference) && !signed_in.text.contains(&producer.key));
}

async fn strangers_add_no_labels(mut world: World) {
    let watch = world.watch(Config::default()).await;
    let strange = async |round: u32| {
        for number in 0..20 {
            let path = format!("/x{round}-{number}/{}", "a%2fb/".repeat(number));
            world.client.send(Method::GET, &path, &[]).await;
            let method = Method::from_bytes(format!("BREW{round}X{number}").as_bytes()).unwrap();
            world.client.send(method.clone(), "/healthz", &[]).await;
            world.client.send(method, &format!("/api/v1/tickets/T{round}-{number}"), &[]).await;
            world.client.get(&format!("/api/v1/events/ev{round}-{number}\"}}%0Aevil 1"), "tq_x").await;
        }
        watch.scrape().await
    };
    let first = strange(1).await;
    let second = strange(2).await;
    let series = |scraped: &Scraped| {
        let lines = scraped.text.lines().filter(|line| line.starts_with("taquilla_http"));
        lines.map(|line| line.rsplit_once(' ').unwrap().0.to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(series(&first), series(&second), "no path and no method of a stranger is a label");
    assert_eq!(answers(&second, r#"route="none",method="GET""#, 404), 40.0);
    assert_eq!(answers(&second, r#"route="/healthz",method="other""#, 405), 40.0);
    let all = [
        routes::api_routes(),
        routes::door_routes(),
        routes::shop_routes(),
        routes::payment_routes(),
        routes::producer_routes(),
        routes::staff_routes(),
    ];
    let known: BTreeSet<&str> = all.iter().flatten().map(|(path, _)| *path).chain(["none", "/healthz"]).collect();
    let told = second.labels("route");
    assert!(told.iter().all(|route| known.contains(route.as_str())), "{told:?}");
    let methods = second.labels("method");
    assert_eq!(methods.iter().map(String::as_str).collect::<Vec<_>>(), ["GET", "other"]);
    assert!(second.count() < 400, "{} series", second.count());
}

async fn the_listener_tells_metrics_and_nothing_else(mut world: World) {
    assert_eq!(world.client.send(Method::GET, "/metrics", &[]).await.status, 404, "not where the world is");
    let watch = world.watch(Config::default()).await;
    assert_eq!(world.client.send(Method::GET, "/metrics", &[]).await.status, 404);
    let (http, base) = (http_client(), format!("http://{}", watch.address));
    for path in ["/", "/healthz", "/api/v1/me", "/dashboard", "/metrics/", "/metrics/x"] {
        assert_eq!(http.get(format!("{base}{path}")).send().await.unwrap().status(), 404, "{path}");
    }
    for method in [Method::POST, Method::PUT, Method::DELETE] {
        let refused = http.request(method, format!("{base}/metrics")).body("x").send().await.unwrap();
        assert_eq!((refused.status().as_u16(), &refused.headers()["allow"]), (405, &"GET, HEAD".parse().unwrap()));
    }
    let head = http.head(format!("{base}/metrics")).send().await.unwrap();
    assert_eq!((head.status().as_u16(), head.text().await.unwrap().len()), (200, 0));

    let classic = watch.scrape().await;
    assert_eq!(classic.kind, "text/plain; version=0.0.4; charset=utf-8");
    assert!(classic.text.contains("# TYPE taquilla_moves_total counter\n") && !classic.text.contains("# EOF"));
    let accepted = "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,\
                    text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
    let open = watch.scrape_as(accepted).await;
    assert_eq!(open.kind, "application/openmetrics-text; version=1.0.0; charset=utf-8");
    assert!(open.text.contains("# TYPE taquilla_moves counter\n") && open.text.ends_with("# EOF\n"));
    assert_eq!(open.names(), classic.names());
}

#[test]
fn a_taken_address_is_said() {
    run(Engine::Sqlite, async |world: World| {
        let mut command = serve(&world.address);
        command.args(["--metrics-listen", &world.server.address.to_string()]);
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let expected = format!("cannot listen on {}; choose another with --metrics-listen", world.server.address);
        assert!(output.status.code() == Some(1) && said.contains(&expected), "{said}");
    });
}

async fn a_database_that_fails_is_told_and_all_else_goes_on(mut world: World) {
    let watch = world.watch(Config::default()).await;
    a_shop(&world).await;
    assert_eq!(place(&world, "a", &cart("tt_free", 1)).await.status, 201);
    assert_eq!(anew(&world, &watch).await.value("taquilla_database_up"), 1.0);
    world.raw().await.batch("DROP TABLE backup_turn").await;
    let remembered = watch.scrape().await;
    assert_eq!(remembered.value("taquilla_database_up"), 1.0, "it is not asked again at once");
    let failing = anew(&world, &watch).await;
    assert_eq!(failing.value("taquilla_database_up"), 0.0);
    assert_eq!(failing.value("taquilla_database_writable"), 0.0);
    for unknown in ["taquilla_held_units", "taquilla_webhook_lag_seconds", "taquilla_backup_last_timestamp_seconds"] {
        assert_eq!(failing.get(unknown), None, "what is not known is not told");
    }
    assert_eq!(moves(&failing, "order", "done"), 1.0);
    assert!(failing.value("process_open_fds") > 3.0);
}

/// What a server tells of a PostgreSQL that is stopped, that says nothing, and that is back.
#[test]
fn metrics_are_told_while_postgres_is_away() {
    let cluster = Cluster::start();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let mut world = World::on(&cluster).await;
        let watch = world.watch(Config::default()).await;
        assert_eq!(anew(&world, &watch).await.value("taquilla_database_up"), 1.0);
        cluster.stop();
        let away = anew(&world, &watch).await;
        assert_eq!(away.value("taquilla_database_up"), 0.0);
        assert_eq!(world.client.send(Method::GET, "/readyz", &[]).await.status, 503);
        assert_eq!(answers(&watch.scrape().await, r#"route="/readyz",method="GET""#, 503), 1.0);
        cluster.run();
        let tells = async |up: f64, writable: f64| {
            let told = anew(&world, &watch).await;
            ["taquilla_database_up", "taquilla_database_writable"].map(|name| told.value(name)) == [up, writable]
        };
        assert!(until(async || tells(1.0, 1.0).await).await, "it finds out by itself");
        cluster.demote();
        assert!(until(async || tells(1.0, 0.0).await).await);
    });
}

#[test]
fn a_silent_database_delays_metrics_by_little() {
    run(Engine::Postgres, async |world: World| {
        let line = SilentLine::to(&world.address).await;
        // All waits but that of the metrics are longer than any test.
        let (wait, never) = (Duration::from_secs(3_600), Duration::from_secs(3_600));
        let timeouts =
            PostgresTimeouts { turn: wait, wait, statement: never, margin: Duration::from_secs(1), replica: wait };
        let store = Store::open_with(&line.address, Open::Existing, timeouts, world.time()).await.unwrap();
        let (_server, address) = Server::start_watched(store, Config::default(), world.time()).await;
        let watch = Watch::new(address);
        assert_eq!(anew(&world, &watch).await.value("taquilla_database_up"), 1.0);
        line.forget();
        assert_eq!(anew(&world, &watch).await.value("taquilla_database_up"), 0.0);
    });
}

async fn an_open_live_page_is_counted_until_it_ends(mut world: World) {
    let watch = world.watch(Config::default()).await;
    let producer = a_shop(&world).await;
    let staff = world.staff(producer.tenant, "boss@example.com", BuiltInRole::Administrator).await;
    assert_eq!(watch.scrape().await.value("taquilla_live_streams"), 0.0);
    let cookies: Vec<String> = staff.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect();
    let stream = http_client().get(format!("{}/dashboard/p/pr_a/door/ev/stream", world.client.base));
    let mut stream = stream.header("cookie", cookies.join("; ")).send().await.unwrap();
    assert!(stream.chunk().await.unwrap().is_some());
    assert_eq!(watch.scrape().await.value("taquilla_live_streams"), 1.0);
    drop(stream);
    // The server notices when it next writes, and an attempt at the door, admitted or not, is written to every stream.
    let is_gone = async || {
        let _ = boxoffice::scan(&world.store, producer.tenant, "T1", "North", world.now()).await;
        watch.scrape().await.value("taquilla_live_streams") == 0.0
    };
    assert!(until(is_gone).await);
}

async fn late_webhooks_and_failing_receivers_are_told(world: World) {
    let mut hooks = Box::pin(Hooks::new(world)).await;
    let watch = Box::pin(hooks.world.watch(to_this_machine())).await;
    let receiver = Receiver::start(Behaviour::status(500)).await;
    let endpoint = hooks.endpoint(&receiver.url("/hidden-token"), &[MessageKind::TicketScanned]).await;
    hooks.scan().await;
    let again = r#"taquilla_webhook_attempts_total{outcome="again",status="5xx"}"#;
    assert!(until(async || watch.scrape().await.get(again) == Some(1.0)).await, "{:?}", watch.scrape().await);
    let is_written = async || hooks.now(&endpoint).await.failing_since.is_some();
    assert!(until(is_written).await);
    let failing = anew(&hooks.world, &watch).await;
    assert_eq!(failing.value("taquilla_webhook_endpoints_failing"), 1.0);
    assert_eq!(failing.value("taquilla_webhook_failing_seconds"), METRICS_KEPT.as_secs_f64());
    assert_eq!(failing.value(r#"taquilla_webhook_endpoints{state="active"}"#), 1.0);
    assert!(!failing.text.contains("hidden-token") && !failing.text.contains(&endpoint.id), "{}", failing.text);

    // Nobody sends while the server is stopped, so the message is late.
    receiver.behave(Behaviour::ok());
    assert!(until(async || hooks.now(&endpoint).await.lease_owner.is_empty()).await);
    hooks.world.server.stop().await;
    hooks.world.step(Duration::from_mins(10));
    let lag = {
        let mut conn = hooks.world.store.read().await.unwrap();
        let vitals = taquilla_store::vitals::read(&mut conn, hooks.producer.tenant, hooks.world.now()).await.unwrap();
        hooks.world.now().micros() - vitals.overdue_since.unwrap().micros()
    };
    assert!((300_000_000..=600_000_000).contains(&lag), "{lag}");
    let watch = {
        let (server, address) =
            Server::start_watched(hooks.world.store.clone(), to_this_machine(), hooks.world.time()).await;
        hooks.world.client = Client::new(server.address);
        hooks.world.server = server;
        Watch::new(address)
    };
    let delivered = r#"taquilla_webhook_attempts_total{outcome="delivered",status="2xx"}"#;
    assert!(until(async || watch.scrape().await.get(delivered) == Some(1.0)).await);
    let is_well = async || hooks.now(&endpoint).await.failing_since.is_none();
    assert!(until(is_well).await);
    let well = anew(&hooks.world, &watch).await;
    let told =
        ["taquilla_webhook_lag_seconds", "taquilla_webhook_endpoints_failing", "taquilla_webhook_failing_seconds"];
    assert_eq!(told.map(|name| well.value(name)), [0.0; 3]);
}
