//! Brings a database's schema up to date, once, even if several servers start at the same time.
//!
//! An upgrade needs tables for itself. On PostgreSQL whoever waits for a table keeps everybody waiting who comes later, so a
//! backup or a forgotten session would stop all sales for as long as it goes on. The upgrade waits for each lock for a moment
//! only, lets everybody go on in between, and says whom it waits for.

use taquilla_domain::{
    clock::Stamp,
    config::{SCHEMA_LOCK_AGAIN, SCHEMA_LOCK_ATTEMPTS, SCHEMA_LOCK_WAIT},
};

use super::{
    Conn, Dedicated, Error, Result, catch_up,
    distribution::{self, Distribution, SEQUENTIAL},
    engine::{seen::NEEDED, sql::params, transaction::Transaction},
};

/// A migration. Its file is `migrations/NNNN_name.sql`. Statements that differ between the engines are in a pair of
/// files beside it, `NNNN_name.sqlite.sql` and `NNNN_name.postgres.sql`, which run after it.
pub struct Migration {
    /// Its number. Each migration's is one higher than the last.
    pub version: i64,
    /// Its file's name without the ending.
    pub name: &'static str,
    shared: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
    /// Servers that know this version and no later one may run on beside it: it takes nothing away that they use, and what
    /// they write stays true. Its own number if none may.
    pub works_from: i64,
}

macro_rules! text {
    ($name:literal, $ending:literal) => {
        include_str!(concat!("../migrations/", $name, $ending))
    };
}

const fn shared(version: i64, name: &'static str, shared: &'static str) -> Migration {
    Migration { version, name, shared, sqlite: "", postgres: "", works_from: version }
}

/// Every migration, oldest first.
pub const MIGRATIONS: &[Migration] = &[
    shared(1, "0001_foundation", text!("0001_foundation", ".sql")),
    shared(2, "0002_box_office", text!("0002_box_office", ".sql")),
    shared(3, "0003_documents", text!("0003_documents", ".sql")),
    shared(4, "0004_one_index_a_list", text!("0004_one_index_a_list", ".sql")),
    shared(5, "0005_door", text!("0005_door", ".sql")),
    Migration {
        version: 6,
        name: "0006_webhooks",
        shared: text!("0006_webhooks", ".sql"),
        sqlite: text!("0006_webhooks", ".sqlite.sql"),
        postgres: text!("0006_webhooks", ".postgres.sql"),
        works_from: 6,
    },
    shared(7, "0007_words_and_ages", text!("0007_words_and_ages", ".sql")),
    shared(8, "0008_accounting_and_imports", text!("0008_accounting_and_imports", ".sql")),
    shared(9, "0009_unpaid_orders", text!("0009_unpaid_orders", ".sql")),
    shared(10, "0010_catalogue_changes", text!("0010_catalogue_changes", ".sql")),
    shared(11, "0011_station_entries", text!("0011_station_entries", ".sql")),
    shared(12, "0012_order_documents", text!("0012_order_documents", ".sql")),
    shared(13, "0013_fewer_indexes", text!("0013_fewer_indexes", ".sql")),
    Migration {
        version: 14,
        name: "0014_holds_and_money",
        shared: text!("0014_holds_and_money", ".sql"),
        sqlite: text!("0014_holds_and_money", ".sqlite.sql"),
        postgres: text!("0014_holds_and_money", ".postgres.sql"),
        works_from: 14,
    },
    shared(15, "0015_staff", text!("0015_staff", ".sql")),
    shared(16, "0016_work", text!("0016_work", ".sql")),
    shared(17, "0017_sales", text!("0017_sales", ".sql")),
    shared(18, "0018_entries", text!("0018_entries", ".sql")),
    Migration {
        version: 19,
        name: "0019_search",
        shared: text!("0019_search", ".sql"),
        sqlite: text!("0019_search", ".sqlite.sql"),
        postgres: text!("0019_search", ".postgres.sql"),
        works_from: 19,
    },
    shared(20, "0020_overview", text!("0020_overview", ".sql")),
    shared(21, "0021_sold", text!("0021_sold", ".sql")),
    shared(22, "0022_sales_by_day", text!("0022_sales_by_day", ".sql")),
    shared(23, "0023_backup", text!("0023_backup", ".sql")),
    shared(24, "0024_personal_data", text!("0024_personal_data", ".sql")),
    shared(25, "0025_invited_operators", text!("0025_invited_operators", ".sql")),
    shared(26, "0026_money", text!("0026_money", ".sql")),
    shared(27, "0027_called_off", text!("0027_called_off", ".sql")),
    shared(28, "0028_long_work_in_turns", text!("0028_long_work_in_turns", ".sql")),
    shared(29, "0029_letters_as_typed", text!("0029_letters_as_typed", ".sql")),
    shared(30, "0030_history", text!("0030_history", ".sql")),
    shared(31, "0031_order_numbers", text!("0031_order_numbers", ".sql")),
    shared(32, "0032_door_without_a_code", text!("0032_door_without_a_code", ".sql")),
    shared(33, "0033_event_totals", text!("0033_event_totals", ".sql")),
    shared(34, "0034_single_refunds", text!("0034_single_refunds", ".sql")),
    shared(35, "0035_order_notes", text!("0035_order_notes", ".sql")),
    shared(36, "0036_till", text!("0036_till", ".sql")),
    shared(37, "0037_inside", text!("0037_inside", ".sql")),
    shared(38, "0038_door_night", text!("0038_door_night", ".sql")),
    Migration {
        version: CLOCKS,
        name: "0039_clocks",
        shared: text!("0039_clocks", ".sql"),
        sqlite: text!("0039_clocks", ".sqlite.sql"),
        postgres: text!("0039_clocks", ".postgres.sql"),
        works_from: CLOCKS,
    },
    Migration {
        version: 40,
        name: "0040_import_staging",
        shared: text!("0040_import_staging", ".sql"),
        sqlite: text!("0040_import_staging", ".sqlite.sql"),
        postgres: text!("0040_import_staging", ".postgres.sql"),
        works_from: 40,
    },
    shared(WORKS_FROM, "0041_works_from", text!("0041_works_from", ".sql")),
    Migration { works_from: 41, ..shared(42, "0042_shop_origins", text!("0042_shop_origins", ".sql")) },
    // Servers from before would leave coupon and promoter out of the documents of orders that they decide.
    Migration {
        version: 43,
        name: "0043_order_origin",
        shared: text!("0043_order_origin", ".sql"),
        sqlite: text!("0043_order_origin", ".sqlite.sql"),
        postgres: text!("0043_order_origin", ".postgres.sql"),
        works_from: 43,
    },
    // Servers from before would sell what is not on sale yet.
    Migration {
        version: 44,
        name: "0044_sales_periods",
        shared: text!("0044_sales_periods", ".sql"),
        sqlite: text!("0044_sales_periods", ".sqlite.sql"),
        postgres: text!("0044_sales_periods", ".postgres.sql"),
        works_from: 44,
    },
    // Servers from before would sell places of pools twice.
    Migration {
        version: 45,
        name: "0045_pools",
        shared: text!("0045_pools", ".sql"),
        sqlite: text!("0045_pools", ".sqlite.sql"),
        postgres: text!("0045_pools", ".postgres.sql"),
        works_from: 45,
    },
    Migration {
        version: 46,
        name: "0046_coupons_and_surcharges",
        shared: text!("0046_coupons_and_surcharges", ".sql"),
        sqlite: text!("0046_coupons_and_surcharges", ".sqlite.sql"),
        postgres: text!("0046_coupons_and_surcharges", ".postgres.sql"),
        works_from: 46,
    },
    // Servers from before would refund and cancel what promoters gave away, and not give it back to them.
    shared(47, "0047_promoters", text!("0047_promoters", ".sql")),
    Migration { works_from: 47, ..shared(48, "0048_hold_extended", text!("0048_hold_extended", ".sql")) },
    Migration {
        version: 49,
        name: "0049_import_prices",
        shared: text!("0049_import_prices", ".sql"),
        sqlite: text!("0049_import_prices", ".sqlite.sql"),
        postgres: text!("0049_import_prices", ".postgres.sql"),
        works_from: 47,
    },
    // Servers from before would place orders whose buyers accepted no terms.
    Migration {
        version: 50,
        name: "0050_terms_and_attendees",
        shared: text!("0050_terms_and_attendees", ".sql"),
        sqlite: text!("0050_terms_and_attendees", ".sqlite.sql"),
        postgres: text!("0050_terms_and_attendees", ".postgres.sql"),
        works_from: 50,
    },
    Migration { works_from: 50, ..shared(51, "0051_payment_attempts", text!("0051_payment_attempts", ".sql")) },
    Migration { works_from: 50, ..shared(52, "0052_shop_look", text!("0052_shop_look", ".sql")) },
    Migration { works_from: 50, ..shared(53, "0053_waiting_lines", text!("0053_waiting_lines", ".sql")) },
];

/// The version since which a database remembers beside which servers each migration works.
const WORKS_FROM: i64 = 41;

/// Producers' clocks have a table of their own since this version.
const CLOCKS: i64 = 39;

/// The table with the producers' clocks, whose row every move locks, in a schema of this version.
pub(super) fn locked_by_moves(version: i64) -> &'static str {
    if version < CLOCKS { "producers" } else { "clocks" }
}

/// The version this binary works with.
pub const LATEST: i64 = MIGRATIONS[MIGRATIONS.len() - 1].version;

/// Applies the missing migrations, then brings rows up to date. A newer schema is left as it is, and refused if this binary
/// cannot work with it.
pub(super) async fn run(mut conn: Dedicated) -> Result<()> {
    // Usually there is nothing to do. This check then spares the start from waiting for another server's long write.
    let mut is_spread = false;
    if has_schema(&mut conn).await? {
        let found = version(&mut conn).await?;
        if found > LATEST {
            return refuse_newer(&mut conn).await;
        }
        if found == LATEST {
            return catch_up::all(conn).await;
        }
        is_spread = Distribution::of(&mut conn).await? != Distribution::OneMachine;
        if is_spread && !distribution::is_coordinator(&mut conn).await? {
            let why = format!(
                "its schema has version {found}; start a program with the coordinator's address, which upgrades it"
            );
            return Err(Error::NotSpread(why));
        }
    }
    let wait = format!("SET LOCAL lock_timeout = {}; {SEQUENTIAL}", SCHEMA_LOCK_WAIT.as_millis());
    let mut attempts = 0;
    loop {
        let mut tx = conn.begin_schema_change().await?;
        tx.batch(tx.dialect("", &wait)).await?;
        match migrate(&mut tx).await {
            Err(cause) if cause.is_lock_timeout() => conn = Dedicated::undo(tx).await?,
            Err(cause) => return tx.end(Err(cause)).await,
            Ok(()) => {
                conn = Dedicated::commit(tx).await?;
                if is_spread {
                    // New tables go where the others are.
                    distribution::place(&mut conn, &mut |_| {}).await?;
                }
                return catch_up::all(conn).await;
            }
        }
        let others = oldest_transaction(&mut conn).await?;
        attempts += 1;
        if attempts == SCHEMA_LOCK_ATTEMPTS {
            return Err(Error::Unavailable(format!("its schema cannot be upgraded, because others use it: {others}")));
        }
        tracing::warn!(%others, "the upgrade of the schema waits for a transaction of others; it is tried again, and they go on");
        tokio::time::sleep(SCHEMA_LOCK_AGAIN).await;
    }
}

/// Which transaction of others goes on for longest. PostgreSQL tells a user without rights only of the user's own.
async fn oldest_transaction(conn: &mut Conn) -> Result<String> {
    let sql = "SELECT CAST(pid AS BIGINT), application_name, \
               CAST(extract(epoch FROM clock_timestamp() - xact_start) AS BIGINT) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL \
               ORDER BY xact_start LIMIT 1";
    let found = conn.query_first(sql, &[], |row| {
        Ok(format!("process {} ({}), for {} s", row.int(0)?, row.opt_text(1)?.unwrap_or_default(), row.int(2)?))
    });
    Ok(found.await?.unwrap_or_else(|| "somebody whom this user is not told of".into()))
}

/// Refuses a newer schema that servers of this version must not run beside.
pub(super) async fn refuse_newer(conn: &mut Conn) -> Result<()> {
    match needed(conn).await? {
        found if found > LATEST => Err(Error::NewerSchema { found, known: LATEST }),
        _ => Ok(()),
    }
}

/// Brings a schema up to date, and notes which rows have to follow.
pub(super) async fn migrate(tx: &mut Transaction) -> Result<()> {
    let found = up_to(tx, LATEST).await?;
    catch_up::note(tx, found).await
}

/// Applies the missing migrations up to a version, and tells the version that was found. Rows are not rendered yet.
pub(super) async fn up_to(tx: &mut Transaction, wanted: i64) -> Result<i64> {
    tx.batch(
        "CREATE TABLE IF NOT EXISTS schema_migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)",
    )
    .await?;
    let found = version(tx).await?;
    if found > LATEST {
        // Another server was faster, with a newer program.
        return refuse_newer(tx).await.map(|()| found);
    }
    if (1..wanted).contains(&found) {
        // Moves under way end first, and later ones wait and then see the new version (`moves.rs`). SQLite has one writer.
        let lock = format!("LOCK TABLE {} IN EXCLUSIVE MODE", locked_by_moves(found));
        tx.batch(tx.dialect("", &lock)).await?;
    }
    for migration in MIGRATIONS.iter().filter(|migration| migration.version > found && migration.version <= wanted) {
        if tx.is_remote() {
            // One by one: a database of many machines takes changes of its schema in no other way.
            for statement in statements(migration.shared).iter().chain(&statements(migration.postgres)) {
                tx.batch(statement).await?;
            }
        } else {
            tx.batch(migration.shared).await?;
            tx.batch(migration.sqlite).await?;
        }
        let now = Stamp::from_micros(jiff::Timestamp::now().as_microsecond());
        tx.execute(
            "INSERT INTO schema_migrations (version, name, applied_at) VALUES (?1, ?2, ?3)",
            params![migration.version, migration.name, now],
        )
        .await?;
        if migration.version >= WORKS_FROM {
            let sql = "UPDATE schema_migrations SET works_from = ?2 WHERE version = ?1";
            tx.execute(sql, params![migration.version, migration.works_from]).await?;
        }
        tracing::info!(version = migration.version, name = migration.name, "migrated");
    }
    Ok(found)
}

/// The statements of a text, without comments.
fn statements(text: &str) -> Vec<String> {
    let (mut found, mut statement, mut is_quoted) = (Vec::new(), String::new(), false);
    for line in text.lines() {
        let mut letters = line.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '-' if !is_quoted && letters.peek() == Some(&'-') => break,
                ';' if !is_quoted => found.push(std::mem::take(&mut statement)),
                _ => {
                    is_quoted ^= letter == '\'';
                    statement.push(letter);
                }
            }
        }
        statement.push('\n');
    }
    found.push(statement);
    found.retain(|statement| !statement.trim().is_empty());
    found
}

/// The version that servers must know at least to run on a database whose schema is this binary's or newer.
async fn needed(conn: &mut Conn) -> Result<i64> {
    let found = conn.query_first(&format!("SELECT {NEEDED}"), &[], |row| row.opt_int(0)).await?;
    Ok(found.flatten().unwrap_or(0))
}

/// The version of a schema that is there.
pub(super) async fn version(conn: &mut Conn) -> Result<i64> {
    let found = conn.query_first("SELECT max(version) FROM schema_migrations", &[], |row| row.opt_int(0)).await?;
    Ok(found.flatten().unwrap_or(0))
}

/// Whether Taquilla has been in this database before.
pub(super) async fn has_schema(conn: &mut Conn) -> Result<bool> {
    let sql = conn.dialect(
        "SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'",
        "SELECT 1::BIGINT FROM pg_catalog.pg_tables WHERE tablename = 'schema_migrations' AND schemaname = current_schema()",
    );
    Ok(conn.query_first(sql, &[], |row| row.int(0)).await?.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_apart_at_its_semicolons_only() {
        let text = "-- One; two.\nCREATE TABLE a (b TEXT DEFAULT ';--'); -- three;\n\nDROP TABLE a;\n";
        let found = statements(text);
        let found: Vec<&str> = found.iter().map(|statement| statement.trim()).collect();
        assert_eq!(found, ["CREATE TABLE a (b TEXT DEFAULT ';--')", "DROP TABLE a"]);
        for migration in MIGRATIONS {
            for statement in statements(migration.shared) {
                let first = statement.split_whitespace().next().unwrap();
                let known = ["CREATE", "ALTER", "DROP", "UPDATE", "INSERT", "DELETE"];
                assert!(known.contains(&first), "{}: {statement}", migration.name);
            }
            assert!(migration.works_from <= migration.version, "{}", migration.name);
        }
    }
}
