//! Bringing a database's schema up to date, once, however many servers start at the same time.

use crate::domain::clock::Stamp;

use super::{
    Conn, Error, Result, producers,
    sql::{Param, params},
    ticket_rows,
};

/// A step of the schema. Its file is `migrations/NNNN_name.sql`, or a pair of files where the engines differ.
pub struct Migration {
    /// Its number; they rise by one.
    pub version: i64,
    /// Its file's name without the ending.
    pub name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

macro_rules! shared {
    ($version:literal, $name:literal) => {{
        const TEXT: &str = include_str!(concat!("../../migrations/", $name, ".sql"));
        Migration { version: $version, name: $name, sqlite: TEXT, postgres: TEXT }
    }};
}

/// Every step, oldest first.
pub const MIGRATIONS: &[Migration] = &[
    shared!(1, "0001_foundation"),
    shared!(2, "0002_box_office"),
    shared!(3, "0003_documents"),
    shared!(4, "0004_one_index_a_list"),
    shared!(5, "0005_door"),
    shared!(6, "0006_webhooks"),
];

/// Tickets from before this step have no document yet. Only the code can render one, once the schema is its own.
const DOCUMENTS: i64 = 3;

/// The version this binary works with.
pub const LATEST: i64 = MIGRATIONS[MIGRATIONS.len() - 1].version;

/// Applies what is missing. A schema newer than this binary is refused and left alone.
pub async fn run(conn: &mut Conn) -> Result<()> {
    // Most starts find nothing to do, and must not wait for somebody else's long write to learn so.
    if has_migrations(conn).await? && version(conn).await? == LATEST {
        return Ok(());
    }
    conn.begin_schema_change().await?;
    conn.batch(
        "CREATE TABLE IF NOT EXISTS schema_migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)",
    )
    .await?;
    let found = version(conn).await?;
    if found > LATEST {
        return Err(Error::NewerSchema { found, known: LATEST });
    }
    for migration in MIGRATIONS.iter().filter(|migration| migration.version > found) {
        // PostgreSQL has no rowids to go without.
        let postgres = migration.postgres.replace(" WITHOUT ROWID", "");
        conn.batch(conn.dialect(migration.sqlite, &postgres)).await?;
        let now = Stamp::from_micros(jiff::Timestamp::now().as_microsecond());
        conn.execute(
            "INSERT INTO schema_migrations (version, name, applied_at) VALUES (?1, ?2, ?3)",
            params![migration.version, migration.name, now],
        )
        .await?;
        tracing::info!(version = migration.version, name = migration.name, "migrated");
    }
    if found < DOCUMENTS {
        render_all(conn).await?;
    }
    conn.commit().await
}

/// Renders every ticket there is.
async fn render_all(conn: &mut Conn) -> Result<()> {
    for (tenant, _) in producers::all(conn).await? {
        let mut last = String::new();
        loop {
            let states = ticket_rows::states_after(conn, tenant, &last).await?;
            let Some((state, _)) = states.last() else { break };
            last.clone_from(&state.id);
            let mut rendered = Vec::with_capacity(states.len());
            for (state, _) in &states {
                rendered.push((&state.id, state.document()?));
            }
            let sets: Vec<Vec<Param<'_>>> = rendered
                .iter()
                .map(|(id, document)| vec![tenant.number().into(), (*id).into(), document.into()])
                .collect();
            conn.execute_many("UPDATE tickets SET document = ?3 WHERE producer_id = ?1 AND id = ?2", &sets).await?;
        }
    }
    Ok(())
}

async fn version(conn: &mut Conn) -> Result<i64> {
    let found = conn.query_first("SELECT max(version) FROM schema_migrations", &[], |row| row.opt_int(0)).await?;
    Ok(found.flatten().unwrap_or(0))
}

async fn has_migrations(conn: &mut Conn) -> Result<bool> {
    let sql = conn.dialect(
        "SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'",
        "SELECT 1::BIGINT FROM pg_catalog.pg_tables WHERE tablename = 'schema_migrations' AND schemaname = current_schema()",
    );
    Ok(conn.query_first(sql, &[], |row| row.int(0)).await?.is_some())
}
