//! docs/schema.sql is the schema that all migrations together make, for people to read. It is written for SQLite.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use taquilla_store::{Open, Store, tables::is_spread};

use crate::harness::{Engine, World, new_address, run};

const HEAD: &str = "\
-- The present schema, as all migrations together make it on SQLite. `make schema` writes this file; do not edit it.
-- PostgreSQL has the same tables and columns; the few statements that it needs otherwise are in
-- crates/store/migrations/*.postgres.sql. Times are microseconds since 1970, money is in whole units of its currency,
-- flags are 0 or 1, and what belongs to a producer has its producer_id. Comments on columns are in the migrations.
";

/// Every table and view in reading order, and what it is for.
const ABOUT: &[(&str, &str)] = &[
    ("schema_migrations", "which migrations have run"),
    ("settings", "what the service remembers, such as the key that seals cursors"),
    ("producers", "organisations that sell"),
    ("clocks", "the clock and the counters of each producer, which every move locks"),
    ("lost_history", "spans of a producer's stamps that a restore lost; marks from them are refused"),
    ("shop_pictures", "the picture of each producer's shop"),
    ("events", "what is played, where and when"),
    ("ticket_types", "what an event sells: ticket types, merchandise and bundles, with stock and counters"),
    ("bundle_items", "what a bundle includes"),
    ("pools", "places that several items of an event share"),
    ("pool_items", "which items share a pool"),
    ("coupons", "codes that make an order of an event cheaper, and how often each is used"),
    ("coupon_items", "the items that a coupon is for"),
    ("terms", "terms that buyers accept, and accepted"),
    ("surcharges", "what buyers of the shop pay besides the prices"),
    (
        "promoters",
        "who sells for the producer at an event, by the hash of a token, with sums and what each may give away",
    ),
    ("waiting_lines", "the line of an event that more come to buy than can be decided, while there is one"),
    ("orders", "who ordered what for how much, until when it is held, and the order as the API sends it"),
    ("order_items", "the items of an order, with the prices of that moment"),
    ("order_attendees", "attendees that a buyer named, until the order is decided"),
    ("holds", "what pending orders hold, as rows"),
    ("held_stock", "sums of holds: units of an item, or uses of a coupon, that are held until a moment"),
    ("idempotency_keys", "answers to orders, for whoever repeats one"),
    ("payments", "every notice of a payment, whatever became of it"),
    ("pay_backs", "what refunds owe, and whether it was paid back"),
    ("payment_attempts", "attempts to pay for orders at a processor, and when each is looked at again"),
    ("shifts", "shifts at the box office"),
    ("shift_cash", "the cash of a shift, by currency"),
    ("order_notes", "what staff wrote about an order for one another"),
    ("refunded_items", "units of an order's items that were refunded alone, and what they cost"),
    ("payment_accounts", "the secrets that a producer's payment processor signs with"),
    ("tickets", "tickets with their facts, their status, and the ticket as the API sends it"),
    ("door_links", "links for door and bar staff, by their hash"),
    ("door_link_events", "the events of door links besides their first one, to find the links of an event by"),
    ("scans", "the scan log, with the answer to each scan_id"),
    ("station_entries", "how many entered, by ticket type and station"),
    ("inside", "how many are inside, by zone and ticket type"),
    ("inside_limits", "how many people should be inside an event or a zone at most"),
    ("entries", "how many entered, by minute and ticket type"),
    ("link_scans", "how many scans a door link made, by outcome"),
    ("sales", "units and money sold and refunded, by item, channel and day"),
    ("event_sales", "the same for all items of an event together"),
    ("event_totals", "the same for all days of an event together"),
    ("promoter_sales", "units and money sold and refunded, by promoter, item, channel and day"),
    ("api_keys", "keys of the read API, by their hash"),
    ("outbox", "messages for webhooks, written by the move that they tell of"),
    ("webhook_endpoints", "where messages are sent, and how far each endpoint has come"),
    ("webhook_deliveries", "messages with their place in an endpoint's sequence, and what became of each"),
    ("webhook_attempts", "attempts to deliver, with the answer"),
    ("imports", "files that were imported, by digest"),
    ("users", "people who sign in to the dashboard"),
    ("recovery_codes", "codes that stand in for a lost second factor, by their hash"),
    ("sessions", "who is signed in where, by the hash of a cookie"),
    ("staff_links", "one-time links to join, to choose a password or to begin"),
    ("roles", "roles that a producer made, with their rights"),
    ("members", "who is in which team, with which role"),
    ("audit", "what staff did; rows are only ever added"),
    ("work", "long work that staff began, and the lease of the server that does it"),
    ("work_orders", "what became of each order of a piece of work"),
    ("uploads", "files on their way in, in parts"),
    ("search_words", "words by which staff find orders and tickets"),
    ("search_marks", "how far the words have come, for each producer"),
    ("backup_turn", "which server makes the next backup, and when the last was made"),
];

/// A statement without comments and line breaks.
fn in_one_line(sql: &str) -> String {
    let lines = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    words.join(" ").replace("( ", "(").replace(" )", ")").replace(" ,", ",")
}

/// A table with a line for each column.
fn laid_out(sql: &str) -> String {
    let Some((before, rest)) = sql.split_once('(').filter(|_| sql.starts_with("CREATE TABLE")) else {
        return sql.to_owned();
    };
    let (columns, after) = rest.rsplit_once(')').unwrap();
    let mut text = format!("{} (\n    ", before.trim());
    let mut depth = 0;
    for letter in columns.chars() {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        text.push(letter);
        if letter == ',' && depth == 0 {
            text.push_str("\n   ");
        }
    }
    format!("{text}\n){after}")
}

#[tokio::test]
async fn the_committed_schema_is_what_the_migrations_make() {
    let folder = tempfile::tempdir().unwrap();
    let address = new_address(Engine::Sqlite, folder.path()).await;
    drop(Store::open(&address, Open::MayCreate).await.unwrap());
    let database = rusqlite::Connection::open(address.strip_prefix("sqlite:").unwrap()).unwrap();
    let mut statements: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let sql = "SELECT tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type = 'index', name";
    let mut query = database.prepare(sql).unwrap();
    let mut rows = query.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let statement = laid_out(&in_one_line(&row.get::<_, String>(1).unwrap()));
        statements.entry(row.get(0).unwrap()).or_default().push(statement);
    }
    let mut text = HEAD.to_owned();
    for (name, about) in ABOUT {
        let made = statements.remove(*name).unwrap_or_else(|| panic!("there is no {name} any more"));
        write!(text, "\n-- {name}: {about}.\n{};\n", made.join(";\n")).unwrap();
    }
    assert!(statements.is_empty(), "say in tests/it/schema.rs what these are for: {:?}", statements.keys());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema.sql");
    if std::env::var_os("TAQUILLA_WRITE_SCHEMA").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "docs/schema.sql is not what the migrations make: run `make schema`");
}

/// Citus takes a foreign key only between two tables that it spreads or two that it does not, and a unique one only with the
/// producer in it.
#[test]
fn keys_of_tables_allow_them_to_be_spread_over_machines() {
    run(Engine::Postgres, async |world: World| {
        let raw = world.raw().await;
        let foreign =
            "SELECT conrelid::regclass::text, confrelid::regclass::text FROM pg_constraint WHERE contype = 'f'";
        let foreign = raw.rows(foreign).await;
        assert!(foreign.len() > 20);
        for key in foreign {
            assert_eq!(is_spread(&key[0]), is_spread(&key[1]), "{} refers to {}", key[0], key[1]);
        }
        let without_producer = "SELECT indrelid::regclass::text, indexrelid::regclass::text FROM pg_index i \
             JOIN pg_class c ON c.oid = indrelid WHERE indisunique AND relnamespace = current_schema()::regnamespace \
             AND NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE attrelid = indrelid AND attnum = ANY (indkey) \
             AND attname = 'producer_id')";
        let unique = raw.rows(without_producer).await;
        assert!(!unique.is_empty(), "users, for one, have no producer");
        for key in unique {
            assert!(!is_spread(&key[0]), "{} of {}", key[1], key[0]);
        }
    });
}
