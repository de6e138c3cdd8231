//! A backup is the state of one moment, whatever happens meanwhile, and becomes the same state on either engine.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use reqwest::Method;
use serde_json::{Value, json};
use taquilla_store::tables::{TABLES, in_backups};

use crate::{
    harness::{
        Client, Engine, Poller, Producer, Raw, Running, World, address_in,
        backups::{Said, back_up, backup, digest, other, restore, restored},
        event, everything, new_address, order, problem, seed, serve, start, taquilla, terminate, ticket, ticket_type,
        until, with,
    },
    upgrade::old_database,
};

both_engines![
    a_backup_under_load_is_one_moment_on_both_engines,
    a_move_to_the_other_engine_loses_nothing_and_nobody_notices,
    every_value_survives_the_way_through_the_other_engine,
    every_table_is_in_the_list,
    backups_of_older_schemas_are_brought_up_to_date,
    what_does_not_hold_is_restored_as_it_was_and_said,
];

const ORDERS: &str = "/shop/v1/pr_a/events/ev/orders";
const BUYERS: usize = 6;
/// Orders that are imported, each with four tickets.
const HOUSE: usize = 600;

fn start_server(address: &str) -> (Running, Client) {
    let (running, text, _log) = start(serve(address), "listening");
    (running, Client::new(address_in(&text).parse().unwrap()))
}

/// Ends a server politely.
async fn end(mut server: Running) {
    terminate(&server.0);
    let ended = tokio::task::spawn_blocking(move || server.0.wait().unwrap()).await.unwrap();
    assert!(ended.success());
}

/// A producer with a free item and some thousand tickets, so that going through all of them takes a while.
async fn a_house(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let item = with(ticket_type("tt", "ev"), json!({"price": 0, "max_per_order": 4}));
    let mut lines = vec![event("ev"), item];
    for number in 0..HOUSE {
        lines.push(order(&format!("or_{number}"), "ev", "tt"));
        let of_order =
            json!({"order_id": format!("or_{number}"), "attendee": {"name": format!("Ana \"{number}\" Ñandú")}});
        lines.extend((0..4).map(|each| with(ticket(&format!("T{number}-{each}"), "ev", "tt"), of_order.clone())));
    }
    world.import(producer.tenant, &lines).await;
    producer
}

/// People who buy, and enter, until they are told to stop.
struct Load {
    is_over: Arc<AtomicBool>,
    people: Vec<tokio::task::JoinHandle<()>>,
    told: Arc<Told>,
}

/// What was acknowledged so far: the references of orders, and the codes of those who have entered.
#[derive(Default)]
struct Told {
    sold: Mutex<Vec<String>>,
    entered: Mutex<Vec<String>>,
}

impl Load {
    /// The name is a part of every `Idempotency-Key`. Of the tickets of each order that was imported, those with these
    /// numbers enter.
    fn begin(client: &Client, gate: &str, name: &'static str, stations: [usize; 2]) -> Self {
        let (is_over, told) = (Arc::<AtomicBool>::default(), Arc::<Told>::default());
        let buyers = (0..BUYERS).map(|buyer| {
            let (client, is_over, told) = (client.clone(), Arc::clone(&is_over), Arc::clone(&told));
            tokio::spawn(async move {
                for number in 0.. {
                    if let Some(reference) = buy(&client, &format!("{name}-{buyer}-{number}")).await {
                        told.sold.lock().unwrap().push(reference);
                    }
                    if is_over.load(Ordering::SeqCst) {
                        break;
                    }
                }
            })
        });
        let stations = stations.map(|station| {
            let (client, is_over, told, gate) =
                (client.clone(), Arc::clone(&is_over), Arc::clone(&told), gate.to_owned());
            tokio::spawn(async move {
                for number in 0..HOUSE {
                    if is_over.load(Ordering::SeqCst) {
                        break;
                    }
                    let code = format!("T{number}-{station}");
                    let body = json!({"code": code, "scan_id": code, "station": "Door"});
                    let answer = client.post("/door/v1/scan", &[("authorization", &gate)], &body).await;
                    if answer.status == 200 {
                        told.entered.lock().unwrap().push(code);
                    }
                }
            })
        });
        let people = buyers.chain(stations).collect();
        Self { is_over, people, told }
    }

    /// Waits until so many bought, and some entered.
    async fn reach(&self, sold: usize) {
        let told = &self.told;
        let enough = async || told.sold.lock().unwrap().len() >= sold && !told.entered.lock().unwrap().is_empty();
        assert!(until(enough).await, "hardly anything was acknowledged");
    }

    /// What was acknowledged so far.
    fn told(&self) -> (Vec<String>, Vec<String>) {
        (self.told.sold.lock().unwrap().clone(), self.told.entered.lock().unwrap().clone())
    }

    async fn end(self) -> (Vec<String>, Vec<String>) {
        self.is_over.store(true, Ordering::SeqCst);
        for person in self.people {
            person.await.unwrap();
        }
        (self.told.sold.lock().unwrap().clone(), self.told.entered.lock().unwrap().clone())
    }
}

/// Buys one free ticket. The order's reference, or nothing if there was too much to do.
async fn buy(client: &Client, key: &str) -> Option<String> {
    let body =
        json!({"buyer": {"name": "B", "email": "b@example.com"}, "items": [{"ticket_type_id": "tt", "quantity": 1}]});
    let answer = client.post(ORDERS, &[("idempotency-key", key)], &body).await;
    (answer.status == 201).then(|| answer.json()["reference"].as_str().unwrap().to_owned())
}

async fn count(address: &str, table: &str) -> usize {
    Raw::open(address).await.rows(&format!("SELECT count(*) FROM {table}")).await[0][0].parse().unwrap()
}

async fn a_backup_under_load_is_one_moment_on_both_engines(mut world: World) {
    let folder = tempfile::tempdir().unwrap();
    world.server.stop().await;
    let producer = a_house(&world).await;
    let gate = format!("Bearer {}", world.door(producer.tenant, "ev", &[]).await.0);
    let (server, client) = start_server(&world.address);
    let feed = ("tickets", "updated_after", "updated_at");
    let mut early = Poller::new(client.clone(), &producer.key, feed, 200);

    let load = Load::begin(&client, &gate, "before", [0, 1]);
    load.reach(20).await;
    early.poll().await;
    let (sold, entered) = load.told();
    let (address, path) = (world.address.clone(), folder.path().to_owned());
    let (file, made) = tokio::task::spawn_blocking(move || back_up(&address, &path)).await.unwrap();
    load.reach(sold.len() + 20).await;
    load.end().await;
    // Whatever begins from here on is not in the backup.
    let load = Load::begin(&client, &gate, "after", [2, 3]);
    load.reach(20).await;
    let (lost_orders, lost_entries) = load.end().await;
    let mut late = Poller::new(client.clone(), &producer.key, feed, 200);
    late.poll().await;
    let cursor = client.get("/api/v1/tickets?limit=5", &producer.key).await.json()["next_cursor"].clone();
    end(server).await;

    for engine in [Engine::Sqlite, Engine::Postgres] {
        let (address, said) = restored(&file, engine, folder.path()).await;
        assert_eq!(said["tables"], made["tables"], "every row is there as it was");
        let (_server, client) = start_server(&address);
        for (references, status) in [(&sold, 200), (&lost_orders, 404)] {
            for reference in references {
                let shown = client.send(Method::GET, &format!("/shop/v1/orders/{reference}"), &[]).await;
                assert_eq!(shown.status, status, "{reference}");
            }
        }
        for (codes, status) in [(&entered, "scanned"), (&lost_entries, "valid")] {
            for code in codes {
                let shown = client.get(&format!("/api/v1/tickets/{code}"), &producer.key).await;
                assert_eq!(shown.json()["status"], status, "{code}");
            }
        }

        // A client whose mark is from before goes on, and has everything at the end.
        let mut early = early.at(&client);
        early.poll().await;
        assert_eq!(early.rows, everything(&client, &producer.key, "tickets").await);
        // One that knows what is gone is told to load anew, by every feed.
        let mark = late.mark();
        for path in [
            format!("tickets?updated_after={mark}"),
            format!("tickets?issued_after={mark}"),
            format!("tickets?event_id=ev&scanned_after={mark}"),
            format!("orders?updated_after={mark}"),
            format!("events?updated_after={mark}"),
        ] {
            let param = path.split(['?', '&', '=']).nth_back(1).unwrap().to_owned();
            let told = client.get(&format!("/api/v1/{path}"), &producer.key).await;
            assert_eq!(told.problem(), problem(410, "mark_lost", Some(&param)), "{path}");
            assert!(told.json()["detail"].as_str().unwrap().contains("Load the list anew"), "{}", told.text);
        }
        let path = format!("/door/v1/codes?updated_after={mark}");
        let told = client.get(&path, gate.strip_prefix("Bearer ").unwrap()).await;
        assert_eq!(told.problem(), problem(410, "mark_lost", Some("updated_after")), "phones are told, too");
        // Cursors stay good.
        let path = format!("/api/v1/tickets?limit=5&cursor={}", cursor.as_str().unwrap());
        assert_eq!(client.get(&path, &producer.key).await.data().len(), 5);
        // It loads anew, and from then on misses nothing.
        let mut anew = Poller::new(client.clone(), &producer.key, feed, 200);
        anew.poll().await;
        assert!(anew.mark() < mark);
        assert!(buy(&client, "once more").await.is_some());
        anew.poll().await;
        early.poll().await;
        let all = everything(&client, &producer.key, "tickets").await;
        assert!(anew.rows == all && early.rows == all);
        assert!(anew.mark() > mark, "what is new is newer than anything that anybody has seen");
        Said::of(taquilla(&address).args(["check", "--json"])).json();
    }
}

async fn a_move_to_the_other_engine_loses_nothing_and_nobody_notices(mut world: World) {
    let folder = tempfile::tempdir().unwrap();
    world.server.stop().await;
    let producer = a_house(&world).await;
    let gate = format!("Bearer {}", world.door(producer.tenant, "ev", &[]).await.0);
    let mut address = world.address.clone();
    let mut engine = world.engine;
    let mut pollers: Vec<Poller> = Vec::new();
    for round in 0..3 {
        let (server, client) = start_server(&address);
        let feeds = [
            ("tickets", "updated_after", "updated_at"),
            ("tickets", "scanned_after", "checked_in_at"),
            ("orders", "updated_after", "updated_at"),
        ];
        if pollers.is_empty() {
            pollers.extend(feeds.map(|feed| Poller::new(client.clone(), &producer.key, feed, 100)));
        }
        pollers = pollers.iter().map(|poller| poller.at(&client)).collect();
        for number in 0..5 {
            assert!(buy(&client, &format!("{round}-{number}")).await.is_some());
            let code = format!("T{number}-{round}");
            let body = json!({"code": code, "scan_id": code, "station": "Door"});
            let answer = client.post("/door/v1/scan", &[("authorization", &gate)], &body).await;
            assert_eq!(answer.json()["outcome"], "admitted");
        }
        for poller in &mut pollers {
            poller.poll().await;
        }
        assert_eq!(pollers[0].rows, everything(&client, &producer.key, "tickets").await);
        assert_eq!(pollers[2].rows, everything(&client, &producer.key, "orders").await);
        assert_eq!(pollers[1].rows.len(), 5 * (round + 1));
        end(server).await;
        let (file, made) = back_up(&address, folder.path());
        engine = other(engine);
        let said;
        (address, said) = restored(&file, engine, folder.path()).await;
        assert_eq!(said["tables"], made["tables"]);
    }
    // A key, a door link and a scan that were made on the first engine work on the fourth.
    let (_server, client) = start_server(&address);
    let body = json!({"code": "T0-0", "scan_id": "T0-0", "station": "Door"});
    let again = client.post("/door/v1/scan", &[("authorization", &gate)], &body).await;
    assert_eq!(again.json()["outcome"], "admitted", "the same scan gets the same answer");
}

/// Tables that nothing else refers to and that no rule speaks of, so that any row may be in them.
const FREE: [&str; 5] = ["idempotency_keys", "audit", "webhook_attempts", "work_orders", "settings"];

async fn every_value_survives_the_way_through_the_other_engine(world: World) {
    let mut chance = StdRng::seed_from_u64(seed());
    let folder = tempfile::tempdir().unwrap();
    let raw = world.raw().await;
    let texts = [
        "",
        "NULL",
        "null",
        "\\N",
        "\\",
        "'",
        "\"",
        "1",
        "-0",
        " ",
        "\t",
        "a\nb\r\n",
        "é",
        "e\u{301}",
        "ß",
        "İ",
        "🎫",
        "\u{1}\u{1f}\u{7f}",
        "\u{2028}\u{2029}\u{feff}",
        "\u{202e}",
        "\u{ffff}\u{10ffff}",
        "{\"a\":[1]}",
        "[]",
        "?1 $1",
    ];
    let numbers = [0, 1, -1, i64::MIN, i64::MAX, 1 << 53, -(1 << 53) - 1, 1_786_406_400_123_456];
    for (table, columns) in columns(&raw, world.engine).await {
        if !FREE.contains(&table.as_str()) {
            continue;
        }
        for row in 0..40 {
            let values: Vec<String> = columns
                .iter()
                .map(|(_, is_text, is_nullable)| match (is_text, is_nullable) {
                    (_, true) if chance.random_bool(0.3) => "NULL".to_owned(),
                    // Keys tell rows apart, so a text has the row's number in it.
                    (true, _) => {
                        let text = texts.choose(&mut chance).unwrap().repeat(chance.random_range(1..300));
                        format!("'{}{row}'", text.replace('\'', "''"))
                    }
                    (false, _) => numbers.choose(&mut chance).unwrap().to_string(),
                })
                .collect();
            let names: Vec<&str> = columns.iter().map(|(name, ..)| name.as_str()).collect();
            raw.batch(&format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), values.join(", "))).await;
        }
    }
    let (file, made) = back_up(&world.address, folder.path());
    let (there, said_there) = restored(&file, other(world.engine), folder.path()).await;
    let (file, made_there) = back_up(&there, folder.path());
    let (back, said_back) = restored(&file, world.engine, folder.path()).await;
    for table in FREE {
        assert!(digest(&made, table)["rows"].as_u64() >= Some(40), "{table}");
        for said in [&said_there, &said_back] {
            // A restore is written down.
            if table == "audit" {
                continue;
            }
            assert_eq!(digest(said, table), digest(&made, table), "{table}");
        }
        assert_eq!(digest(&said_there, table), digest(&made, table));
        assert_eq!(digest(&said_back, table), digest(&made_there, table));
    }
    let (before, after) = (raw.contents(&[]).await, Raw::open(&back).await.contents(&[]).await);
    for table in FREE {
        let is_old = |row: &&String| !row.contains("database.restored");
        let (before, after): (BTreeSet<&String>, BTreeSet<&String>) =
            (before[table].iter().collect(), after[table].iter().filter(is_old).collect());
        assert_eq!(before, after, "{table}");
    }
}

/// Every table with its columns, whether each is a text, and whether it may be NULL.
async fn columns(raw: &Raw, engine: Engine) -> BTreeMap<String, Vec<(String, bool, bool)>> {
    let sql = match engine {
        Engine::Sqlite => {
            "SELECT t.name, c.name, lower(c.type), CASE WHEN c.\"notnull\" = 1 OR c.pk > 0 THEN 'NO' ELSE 'YES' END \
             FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY 1, c.cid"
        }
        Engine::Postgres => {
            "SELECT c.table_name, c.column_name, c.data_type, c.is_nullable FROM information_schema.columns c \
             JOIN information_schema.tables t ON t.table_name = c.table_name AND t.table_schema = c.table_schema \
             WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY 1, c.ordinal_position"
        }
    };
    let mut tables: BTreeMap<String, Vec<(String, bool, bool)>> = BTreeMap::new();
    for row in raw.rows(sql).await {
        assert!(["bigint", "text"].contains(&row[2].as_str()), "{row:?}: a backup knows no other values");
        tables.entry(row[0].clone()).or_default().push((row[1].clone(), row[2] == "text", row[3] == "YES"));
    }
    tables
}

/// A table that is forgotten in the list would be forgotten in every backup.
async fn every_table_is_in_the_list(world: World) {
    let listed: BTreeSet<&str> = TABLES.iter().map(|table| table.name).collect();
    assert_eq!(listed.len(), TABLES.len(), "a table is listed twice");
    let tables = columns(&world.raw().await, world.engine).await;
    // Imports wait in tables of their own on PostgreSQL, which nobody misses.
    let names = tables.keys().map(String::as_str);
    let there: BTreeSet<&str> = names.filter(|name| !name.starts_with("import_")).collect();
    assert_eq!(listed, there, "left: crates/store/src/backup/tables.rs; right: the schema");
    // What is in a backup, and what is not and why, is documented for each.
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/operate/backups.md")).unwrap();
    let (_, chapter) = text.split_once("## What is in a backup\n").unwrap();
    let (inside, outside) = chapter.split_once("Not in it:").unwrap();
    let outside = outside.split("\n## ").next().unwrap();
    for table in TABLES {
        let place = if table.is_kept { inside } else { outside };
        assert!(place.contains(&format!("`{}`", table.name)), "{} is not documented", table.name);
    }
    // Parents come before their children.
    let folder = tempfile::tempdir().unwrap();
    let (_, made) = back_up(&world.address, folder.path());
    let written: Vec<&str> =
        made["tables"].as_array().unwrap().iter().map(|table| table["table"].as_str().unwrap()).collect();
    assert_eq!(written, in_backups().collect::<Vec<_>>());
}

async fn backups_of_older_schemas_are_brought_up_to_date(world: World) {
    let folder = tempfile::tempdir().unwrap();
    for version in [2, 6, 7] {
        let (address, key) = old_database(world.engine, version, &folder.path().join(version.to_string())).await;
        let (file, made) = back_up(&address, folder.path());
        assert_eq!(made["schema"], version);
        let (_, again) = back_up(&address, folder.path());
        assert_eq!(
            (&again["tables"], &again["schema"]),
            (&made["tables"], &made["schema"]),
            "a backup changes nothing"
        );
        for engine in [Engine::Sqlite, Engine::Postgres] {
            let (address, said) = restored(&file, engine, folder.path()).await;
            assert_eq!((&said["tables"], &said["schema"]), (&made["tables"], &made["schema"]));
            let (_server, client) = start_server(&address);
            let listed = client.get("/api/v1/tickets?limit=200", key.reveal()).await.data();
            let hidden = count(&address, "tickets WHERE hidden = 1").await;
            let rows = digest(&made, "tickets")["rows"].as_u64().unwrap() as usize;
            assert_eq!(listed.len() + hidden, rows, "{version}");
        }
    }
}

async fn what_does_not_hold_is_restored_as_it_was_and_said(world: World) {
    let folder = tempfile::tempdir().unwrap();
    a_house(&world).await;
    world.raw().await.batch("UPDATE ticket_types SET sold = sold + 1").await;
    let file = folder.path().join("broken.backup");
    Said::of(&mut backup(&world.address, &file)).json();
    let address = new_address(world.engine, &folder.path().join("restored")).await;
    let said = Said::of(&mut restore(&file, &address));
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.error.contains("everything is restored as it was, but it is: not as it must be: 1"), "{said:?}");
    let findings = said.output.parse::<Value>().unwrap()["check"]["findings"].clone();
    assert_eq!(findings[0]["problem"], "2401 count as sold, but 2400 are live");
    assert_eq!(count(&address, "tickets").await, 2_400);
}
