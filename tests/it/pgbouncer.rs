//! Through PgBouncer, which gives each transaction another connection to PostgreSQL.

use serde_json::{Value, json};
use taquilla_domain::{
    config::{Config, IMPORT_AHEAD_LINES, PostgresTimeouts},
    role::BuiltInRole,
    status::Category,
    webhook::{DeliveryStatus, MessageKind},
};

use crate::harness::{
    DAY, Engine, Hooks, PgBouncer, Raw, World, cart, event, order, place,
    receiver::{Behaviour, Receiver},
    run, taquilla, ticket, ticket_type, until, with,
};
use taquilla_store::import::staging::{self, Import, Staged, Table};

/// What a session may keep of ours: nothing, because it is somebody else's next.
const KEPT: &str = "SELECT name, setting FROM pg_settings WHERE source = 'session' AND (name LIKE 'enable%' OR \
     name LIKE '%timeout' OR name LIKE 'default_transaction%' OR name IN ('plan_cache_mode', 'jit', 'synchronous_commit'))";

fn succeeds(address: &str, arguments: &[&str]) {
    let output = taquilla(address).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

/// A file of an event with an order and so many tickets, which all have the same ids at every producer.
fn file(name: &str, tickets: i64) -> Vec<Value> {
    let mut lines = vec![event("big"), ticket_type("big_tt", "big"), order("big_or", "big", "big_tt")];
    lines.extend(
        (0..tickets).map(|number| {
            with(ticket(&format!("BIG{number:06}"), "big", "big_tt"), json!({"attendee": {"name": name}}))
        }),
    );
    lines
}

#[test]
fn everything_goes_through_it() {
    run(Engine::Postgres, async |mut world: World| {
        let bouncer = PgBouncer::start("transaction", 200);
        let direct = world.address.clone();
        world.address = bouncer.to(&direct);
        let hooks = Hooks::new(world.reopened(Config::default(), PostgresTimeouts::default()).await).await;
        let (world, producer) = (&hooks.world, &hooks.producer);

        // Sold, scanned, listed and told.
        let receiver = Receiver::start(Behaviour::ok()).await;
        let endpoint = hooks.endpoint(&receiver.url("/hook"), &[MessageKind::TicketScanned]).await;
        assert_eq!(place(world, "k", &cart("tt", 1)).await.status, 201);
        let (token, _) = world.door(producer.tenant, "ev", &[Category::Ticket]).await;
        let header = format!("Bearer {token}");
        let scan = json!({"code": "T399", "scan_id": "s"});
        let scanned = world.client.post("/door/v1/scan", &[("authorization", &header)], &scan).await;
        assert_eq!(scanned.json()["outcome"], "admitted", "{}", scanned.text);
        let listed = world.client.get("/api/v1/tickets?status=scanned", &producer.key).await;
        assert_eq!(listed.ids(), ["T399"]);
        hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 1).await;

        // Two files with the same ids at the same time, one of them written ahead of its move.
        let other = world.producer("pr_b").await;
        let (large, small) = (file("Ana", IMPORT_AHEAD_LINES), file("Bea", 500));
        tokio::join!(world.import(producer.tenant, &large), world.import(other.tenant, &small));
        for (producer, name) in [(producer, "Ana"), (&other, "Bea")] {
            let ticket = world.client.get("/api/v1/tickets/BIG000499", &producer.key).await.json();
            assert_eq!(ticket["attendee"]["name"], name, "{ticket}");
        }
        assert_eq!(world.client.get("/api/v1/tickets/BIG000500", &other.key).await.status, 404);
        let raw = Raw::open(&direct).await;
        for table in ["import_runs", "import_tickets", "import_ready", "import_orders", "import_places"] {
            assert_eq!(raw.rows(&format!("SELECT count(*) FROM {table}")).await, [["0"]], "{table}");
        }

        // Staff and commands.
        let staff = world.staff(other.tenant, "ana@x.example", BuiltInRole::Editor).await;
        let exported = staff.get("/dashboard/p/pr_b/exports/tickets.csv").await;
        assert_eq!((exported.status.as_u16(), exported.text.lines().count()), (200, 501));
        let folder = tempfile::tempdir().unwrap();
        let backup = folder.path().join("all.backup");
        succeeds(&world.address, &["backup", backup.to_str().unwrap()]);
        succeeds(
            &format!("sqlite:{}", folder.path().join("copy.db").display()),
            &["restore", backup.to_str().unwrap()],
        );
        succeeds(&world.address, &["check"]);
        succeeds(&world.address, &["doctor"]);

        // A list is read as it would be without a pooler, and nobody finds our settings.
        let plan = world.store.read().await.unwrap().explain("SELECT name FROM producers", &[]).await.unwrap();
        assert!(plan[0].contains("cost=10000000000"), "a scan is not forbidden: {plan:?}");
        let (one, two) = (Raw::open(&world.address).await, Raw::open(&world.address).await);
        one.batch("BEGIN").await;
        two.batch("BEGIN").await;
        assert_ne!(one.rows("SELECT pg_backend_pid()").await, two.rows("SELECT pg_backend_pid()").await);
        for session in [one, two] {
            assert_eq!(session.rows(KEPT).await, Vec::<Vec<String>>::new());
            session.batch("COMMIT").await;
        }
    });
}

#[test]
fn one_that_forgets_statements_is_told_apart() {
    run(Engine::Postgres, async |world: World| {
        let bouncer = PgBouncer::start("transaction", 0);
        let refused = taquilla(&bouncer.to(&world.address)).arg("check").output().unwrap();
        let said = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(1), "{said}");
        assert!(said.contains("forgets prepared statements") && said.contains("PgBouncer 1.21"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        // In this mode PgBouncer keeps a connection for whoever has it, so nothing is forgotten.
        let bouncer = PgBouncer::start("session", 0);
        succeeds(&format!("{}?pooler=session", bouncer.to(&world.address)), &["check"]);
    });
}

#[test]
fn what_a_dead_import_staged_is_deleted_after_a_day() {
    run(Engine::Postgres, async |world: World| {
        let producer = world.producer("pr_a").await;
        let import = Import::new(producer.tenant, world.now());
        let mut conn = world.store.dedicated().await.unwrap();
        staging::begin(&mut conn, &import, world.now()).await.unwrap();
        let row = Staged { table: Table::Events, line: 1, columns: vec![("id", "ev".into())] };
        staging::stage(&mut conn, &import, &[row]).await.unwrap();
        drop(conn);
        // The same file comes again meanwhile.
        world.import(producer.tenant, &[event("ev")]).await;
        let raw = world.raw().await;
        let left = "SELECT (SELECT count(*) FROM import_events), (SELECT count(*) FROM import_runs)";
        assert_eq!(raw.rows(left).await, [["1", "1"]], "it may still go on");
        world.step(DAY + DAY / 24);
        assert!(until(async || raw.rows(left).await == [["0", "0"]]).await);
    });
}
