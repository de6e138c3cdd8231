//! Databases written by an older Taquilla: with the schema of that time (`crates/store/migrations/`) and rows as it wrote them
//! (`fixtures/`).

use std::{fs, path::Path, process::Stdio};

use serde_json::{Value, json};
use taquilla_domain::{
    config::{Config, ORDERS_AT_A_TIME},
    key::{Opens, Secret},
    role::{Right, Rights},
    status::Category,
};
use taquilla_rules::admin;
use taquilla_store::{Open, Store, migrate::MIGRATIONS, producers};

use crate::harness::{
    Client, Engine, Raw, Running, Server, World, cart, event, new_address, order, run, serve, taquilla, ticket_type,
    until,
};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

both_engines![
    tickets_of_version_2_get_their_documents,
    webhooks_of_version_6_keep_their_places,
    orders_of_version_7_tell_what_is_known_of_their_payments,
    orders_of_version_10_get_their_documents,
    tickets_of_version_10_are_counted_at_their_stations,
    roles_of_version_28_see_the_payments_that_they_saw,
    orders_of_version_28_get_their_numbers,
    what_events_sold_before_is_in_their_totals,
    check_leaves_an_old_schema_as_it_is,
    rows_that_follow_a_schema_are_made_from_where_somebody_was_stopped,
];

/// An old database after its upgrade, and a server on it.
struct Upgraded {
    world: World,
    key: String,
    client: Client,
    address: String,
    _server: Server,
    _folder: tempfile::TempDir,
}

/// An old database that nobody has opened since, and a key in it.
pub async fn old_database(engine: Engine, version: i64, folder: &Path) -> (String, Secret) {
    let address = new_address(engine, folder).await;
    if let Some(path) = address.strip_prefix("sqlite:") {
        fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
    }
    let raw = Raw::open(&address).await;
    raw.batch(
        "CREATE TABLE schema_migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)",
    )
    .await;
    for migration in MIGRATIONS.iter().filter(|migration| migration.version <= version) {
        let own = if engine == Engine::Sqlite { ".sqlite.sql" } else { ".postgres.sql" };
        for ending in [".sql", own] {
            if let Ok(text) = fs::read_to_string(format!("{ROOT}/crates/store/migrations/{}{ending}", migration.name)) {
                raw.batch(&text).await;
            }
        }
        let (version, name) = (migration.version, migration.name);
        raw.batch(&format!("INSERT INTO schema_migrations VALUES ({version}, '{name}', 0)")).await;
    }
    let key = Secret::generate(Opens::Api);
    let rows = fs::read_to_string(format!("{ROOT}/tests/it/fixtures/version_{version}.sql")).unwrap();
    raw.batch(&rows.replace("{key_hash}", &key.hash())).await;
    (address, key)
}

impl Upgraded {
    async fn from(world: World, version: i64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (address, key) = old_database(world.engine, version, folder.path()).await;
        let store = Store::open(&address, Open::MayCreate).await.unwrap();
        let server = Server::start(store, Config::default(), world.time()).await;
        let client = Client::new(server.address);
        Self { world, key: key.reveal().to_owned(), client, address, _server: server, _folder: folder }
    }

    /// Asserts that `taquilla check` finds nothing wrong.
    fn check(&self) {
        let checked = taquilla(&self.address).arg("check").output().unwrap();
        assert!(checked.status.success(), "{checked:?}");
    }

    async fn get(&self, path: &str) -> Value {
        self.client.get(&format!("/api/v1/{path}"), &self.key).await.json()
    }
}

async fn tickets_of_version_2_get_their_documents(world: World) {
    let old = Upgraded::from(world, 2).await;
    old.check();
    let listed = old.client.get("/api/v1/tickets?limit=200", &old.key).await;
    assert_eq!(listed.ids(), ["TAKEN", "BACK", "GONE", "PASSED", "SCANNED", "VALID"]);
    for ticket in listed.data() {
        assert_eq!(old.get(&format!("tickets/{}", ticket["id"].as_str().unwrap())).await, ticket);
        assert_eq!(ticket["ticket_type"]["name"], r#"General "A" \u0001"#);
    }
    let scanned = old.get("tickets/SCANNED").await;
    assert_eq!(scanned["checked_in_at"], "2026-09-21T14:13:20.000020Z");
    assert_eq!((&scanned["checked_in_by"], &scanned["attendee"]["phone"]), (&json!(r"Gate \1"), &Value::Null));
    assert_eq!(old.get("tickets/PASSED").await["transferred_to_ticket_id"], "TAKEN");
    let items = old.client.get("/api/v1/events/ev/ticket-types", &old.key).await.data();
    assert_eq!(items.iter().map(|item| item["sold"].as_i64().unwrap()).collect::<Vec<_>>(), [3, 0]);
    let changed = &old.get("events/ev").await["updated_at"];
    assert!(items.iter().all(|item| item["updated_at"] == *changed), "as far as anybody was told: {items:#?}");
}

async fn webhooks_of_version_6_keep_their_places(world: World) {
    let old = Upgraded::from(world, 6).await;
    let run = |arguments: &[&str]| {
        let output = taquilla(&old.address).args(arguments).arg("--json").output().unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let messages = run(&["webhook", "events", "wh_old", "--after", "0"]);
    let told: Vec<(i64, &str, &str)> = messages
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["sequence"].as_i64().unwrap(), row["type"].as_str().unwrap(), row["status"].as_str().unwrap()))
        .collect();
    let expected =
        [(1, "order.created", "delivered"), (2, "order.approved", "pending"), (3, "order.refunded", "pending")];
    assert_eq!(told, expected, "the third one was not numbered before the upgrade");
    assert_eq!(run(&["webhook", "log", "wh_old"])[0]["response"], "ok");
    let scans = Raw::open(&old.address).await.rows("SELECT scan_id FROM scans ORDER BY seq").await;
    assert_eq!(scans, [["s1"], ["s2"]]);
    old.check();
    assert_eq!(old.world.findings().await, []);
}

async fn orders_of_version_7_tell_what_is_known_of_their_payments(world: World) {
    let old = Upgraded::from(world, 7).await;
    old.check();
    let mut found = Vec::new();
    for id in ["or_paid", "or_back", "or_free", "or_wait", "or_import"] {
        let order = old.get(&format!("orders/{id}")).await;
        let at = |name: &str| order[name].as_str().map(|stamp| stamp[20..26].to_owned());
        let text = |name: &str| order[name].as_str().map(str::to_owned);
        found.push((text("channel"), text("payment_id"), at("paid_at"), at("refunded_at"), text("reference")));
    }
    let text = |text: &str| Some(text.to_owned());
    let expected = [
        (None, text("pay_1"), text("000011"), None, text("1-REFPAID")),
        (None, None, text("000012"), text("000030"), text("1-REFBACK")),
        (None, None, None, None, text("1-REFFREE")),
        (None, None, None, None, text("1-REFWAIT")),
        (text("import"), None, None, None, None),
    ];
    assert_eq!(found, expected);
    let mut items = Vec::new();
    for id in ["SINGLE", "PACKED", "LUIS", "LOOSE", "ALONE"] {
        let ticket = old.get(&format!("tickets/{id}")).await;
        items.push((ticket["order_item"].clone(), ticket["bundle_id"].clone()));
    }
    let (bundle, none) = (json!("bu"), Value::Null);
    let known = (json!(1), bundle);
    assert_eq!(
        items,
        [(json!(0), none.clone()), known.clone(), known, (none.clone(), none.clone()), (none.clone(), none)]
    );
}

/// More of them than are rendered together.
async fn orders_of_version_28_get_their_numbers(world: World) {
    let old = Upgraded::from(world, 28).await;
    let listed = old.client.get("/api/v1/orders", &old.key).await.data();
    let shown = |order: &Value| [&order["id"], &order["number"]].map(|value| value.as_str().unwrap().to_owned());
    assert_eq!(listed.iter().map(shown).collect::<Vec<_>>(), [["or_b", "1002"], ["or_a", "1001"]]);
    assert_eq!(listed[1]["buyer"]["name"], "Ana }}");
    let placed =
        old.client.post("/shop/v1/pr_old/events/ev/orders", &[("idempotency-key", "k")], &cart("tt", 1)).await.json();
    assert_eq!(placed["order"]["number"], "1003", "{placed}");
    old.check();
}

async fn orders_of_version_10_get_their_documents(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let (address, key) = old_database(world.engine, 10, folder.path()).await;
    let ids: Vec<String> = (0..2 * ORDERS_AT_A_TIME + 1).map(|number| format!("or_{number:04}")).collect();
    let mut rows = String::new();
    for (number, id) in ids.iter().enumerate() {
        let (seq, stamp) = (number + 100, 1_790_000_000_000_000 + number);
        rows += &format!(
            "INSERT INTO orders (producer_id, seq, id, reference, event_id, status, buyer_name, buyer_email, \
             buyer_document, currency, total, channel, created_at, updated_at) VALUES \
             (1, {seq}, '{id}', 'REF{number}', 'ev', 'pending', 'Ana \"{number}\"', '', '', 'EUR', 30, 'shop', {stamp}, {stamp}); \
             INSERT INTO order_items (producer_id, order_id, position, ticket_type_id, kind, name, quantity, list_price, \
             unit_price, total) VALUES (1, '{id}', 1, 'tt_beer', 'ticket_type', 'Beer', 1, 5, 5, 5), \
             (1, '{id}', 0, 'tt', 'ticket_type', 'General', 1, 25, 25, 25);"
        );
    }
    Raw::open(&address).await.batch(&format!("BEGIN; {rows} COMMIT")).await;
    let store = Store::open(&address, Open::MayCreate).await.unwrap();
    let server = Server::start(store, Config::default(), world.time()).await;
    let client = Client::new(server.address);
    let (mut listed, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = client.get(&format!("/api/v1/orders?limit=200{cursor}"), key.reveal()).await;
        listed.extend(page.data());
        let Some(next) = page.json()["next_cursor"].as_str().map(str::to_owned) else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(listed.len(), ids.len());
    for (number, order) in listed.iter().rev().enumerate() {
        assert_eq!(order["id"], ids[number]);
        assert_eq!(order["buyer"]["name"], format!("Ana \"{number}\""));
        assert_eq!((&order["items"][0]["name"], &order["items"][1]["name"]), (&json!("General"), &json!("Beer")));
        assert_eq!(order["reference"], format!("1-REF{number}"));
    }
    assert_eq!(client.get(&format!("/api/v1/orders/{}", ids[7]), key.reveal()).await.json(), listed[listed.len() - 8]);
    let checked = taquilla(&address).args(["check", "--json"]).output().unwrap();
    let findings = serde_json::from_slice::<Value>(&checked.stdout).unwrap()["findings"].clone();
    let of_orders = findings.as_array().unwrap().iter().filter(|finding| finding["kind"] == "order");
    assert_eq!(of_orders.collect::<Vec<_>>(), Vec::<&Value>::new());
}

/// An upgrade renders rows a few at a time. One that was stopped has noted how far it came.
async fn rows_that_follow_a_schema_are_made_from_where_somebody_was_stopped(world: World) {
    let tenant = world.producer("pr_a").await.tenant;
    let ids = ["or_1", "or_2", "or_3"];
    let orders = ids.map(|id| order(id, "ev", "tt"));
    world.import(tenant, &[&[event("ev"), ticket_type("tt", "ev")], &orders[..]].concat()).await;
    let raw = world.raw().await;
    let whole = raw.rows("SELECT document FROM orders ORDER BY id").await;
    raw.batch("UPDATE orders SET document = 'not yet'").await;
    let number = tenant.number();
    raw.batch(&format!("INSERT INTO settings (name, value) VALUES ('catch_up', '10 {number} 1 or_1')")).await;
    assert!(taquilla(&world.address).args(["producer", "list"]).output().unwrap().status.success());
    let made = raw.rows("SELECT document FROM orders ORDER BY id").await;
    assert_eq!(made, [vec!["not yet".to_owned()], whole[1].clone(), whole[2].clone()], "the first was said to be done");
    assert_eq!(raw.rows("SELECT value FROM settings WHERE name = 'catch_up'").await, Vec::<Vec<String>>::new());
}

async fn tickets_of_version_10_are_counted_at_their_stations(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let (address, _) = old_database(world.engine, 10, folder.path()).await;
    let store = Store::open(&address, Open::MayCreate).await.unwrap();
    let tenant = producers::find(&mut store.read().await.unwrap(), "pr_old").await.unwrap().unwrap();
    let server = Server::start(store.clone(), Config::default(), world.time()).await;
    let client = Client::new(server.address);
    for (categories, at) in [(&[Category::Ticket][..], [2, 1, 0]), (&[], [3, 1, 0])] {
        let new = World::new_door("ev", categories);
        let (_, token) = admin::door_links::create(&store, tenant, new, &world.by()).await.unwrap();
        for (station, entered) in ["Gate+1", "Gate+2", "Gate+3"].into_iter().zip(at) {
            let counts = client.get(&format!("/door/v1/counts?station={station}"), token.reveal()).await.json();
            assert_eq!(counts["entered_here"], entered, "{station}, {categories:?}");
        }
    }
}

async fn roles_of_version_28_see_the_payments_that_they_saw(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let (address, _) = old_database(world.engine, 28, folder.path()).await;
    drop(Store::open(&address, Open::MayCreate).await.unwrap());
    let roles = Raw::open(&address).await.rows("SELECT rights FROM roles ORDER BY id").await;
    let rights: Vec<Vec<Right>> =
        roles.iter().map(|row| Rights::stored(&row[0]).unwrap().iter().collect::<Vec<_>>()).collect();
    let cashier = vec![Right::SeePayments, Right::ManagePayments, Right::SeeOrders];
    assert_eq!(rights, [cashier, vec![Right::SeeOrders], vec![]]);
}

async fn what_events_sold_before_is_in_their_totals(world: World) {
    let tenant = world.producer("pr_a").await.tenant;
    let lines = [event("ev"), ticket_type("tt", "ev"), order("or_1", "ev", "tt"), order("or_2", "ev", "tt")];
    world.import(tenant, &lines).await;
    let migration = MIGRATIONS.iter().find(|migration| migration.name.ends_with("_event_totals")).unwrap();
    let text = fs::read_to_string(format!("{ROOT}/crates/store/migrations/{}.sql", migration.name)).unwrap();
    let raw = world.raw().await;
    raw.batch("DROP TABLE event_totals").await;
    raw.batch(&text).await;
    let totals = raw.rows("SELECT event_id, units, amount, refunded_units, refunded_amount FROM event_totals").await;
    assert_eq!(totals, [["ev", "2", "50", "0", "0"]]);
    assert!(world.findings().await.is_empty());
}

async fn check_leaves_an_old_schema_as_it_is(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let (address, _) = old_database(world.engine, 6, folder.path()).await;
    let raw = Raw::open(&address).await;
    let before = (raw.tables().await, raw.contents(&[]).await);
    let refused = taquilla(&address).arg("check").output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("schema has version 6") && said.contains("taquilla serve"), "{said}");
    assert_eq!((raw.tables().await, raw.contents(&[]).await), before);
    // Every other command brings it up to date.
    assert!(taquilla(&address).args(["webhook", "log", "wh_old"]).output().unwrap().status.success());
    let checked = taquilla(&address).arg("check").output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
}

/// An upgrade needs tables for itself. One that waits for a long transaction, such as a backup, lets everybody else go on.
#[test]
fn an_upgrade_that_waits_keeps_nobody_waiting() {
    run(Engine::Postgres, async |_: World| {
        let folder = tempfile::tempdir().unwrap();
        let (address, _) = old_database(Engine::Postgres, 10, folder.path()).await;
        let (reader, seller) = (Raw::open(&address).await, Raw::open(&address).await);
        reader.batch("SET application_name = 'a backup'; BEGIN; SELECT count(*) FROM tickets").await;
        let log = folder.path().join("log");
        let mut command = serve(&address);
        command.stdout(Stdio::null()).stderr(fs::File::create(&log).unwrap()).stdin(Stdio::null());
        let _running = Running(command.spawn().unwrap());
        let read = || fs::read_to_string(&log).unwrap();
        assert!(until(async || read().contains("waits for a transaction of others")).await, "{}", read());
        assert!(read().contains("(a backup), for"), "{}", read());
        // Longer than an upgrade waits for a lock; it would last for ever.
        seller.batch("SET lock_timeout = '60s'; UPDATE producers SET clock = clock + 1").await;
        assert_eq!(seller.rows("SELECT max(version) FROM schema_migrations").await, [["10"]], "nothing has changed");
        reader.batch("COMMIT").await;
        assert!(until(async || read().contains("\"listening\"")).await, "{}", read());
        let latest = MIGRATIONS.last().unwrap().version.to_string();
        assert_eq!(seller.rows("SELECT max(version) FROM schema_migrations").await, [[latest]]);
    });
}
