//! Where the tables of a database are: on one machine, or spread over the workers of a Citus cluster
//! (`distribute.rs`).
//!
//! Everything of a producer that grows is on one worker, so a statement, a move and its commit reach one machine. What every
//! server needs to know who somebody is (keys, links, users) stays on the coordinator. So a worker that is gone stops its own
//! producers only. Citus tells the workers of every table, so a server may have the address of any of the machines.

use serde::{Deserialize, Serialize};

use super::{
    Conn, Dedicated, Error, Result,
    engine::sql::{Row, params},
    settings,
    tables::{Placement, Table, on_postgres},
};

/// Where a database's tables are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// All on one machine.
    OneMachine,
    /// As they must be, over so many workers.
    Spread {
        /// How many.
        workers: i64,
    },
    /// Some of them are not where they must be. Nobody may use the database before they are.
    Unfinished {
        /// Those that are not.
        tables: Vec<&'static str>,
    },
}

impl Distribution {
    /// Looks where the tables are.
    pub async fn of(conn: &mut Conn) -> Result<Self> {
        if !has_citus(conn).await? {
            return Ok(Self::OneMachine);
        }
        let sql = "SELECT CAST(c.relname AS TEXT), CAST(p.partmethod AS TEXT) FROM pg_dist_partition p \
             JOIN pg_class c ON c.oid = p.logicalrelid";
        let placed = conn.collect(sql, &[], |row| Ok((row.text(0)?.to_owned(), row.text(1)?.to_owned()))).await?;
        let is_placed = |table: &Table| {
            let method = placed.iter().find(|(name, _)| name == table.name).map(|(_, method)| method.as_str());
            match table.placement {
                Placement::Spread => method == Some(HASHED),
                Placement::Coordinator => method == Some(KNOWN),
            }
        };
        let tables: Vec<&str> = on_postgres().filter(|table| !is_placed(table)).map(|table| table.name).collect();
        if tables.is_empty() && !has_keys_apart(conn).await? {
            return Ok(Self::Spread { workers: workers(conn).await? });
        }
        Ok(if placed.is_empty() && !has_keys_apart(conn).await? {
            Self::OneMachine
        } else {
            Self::Unfinished { tables }
        })
    }
}

/// What Citus says of a table that is spread by the hash of a column.
const HASHED: &str = "h";
/// What it says of a table on the coordinator that it knows.
const KNOWN: &str = "n";
/// The setting that keeps foreign keys while tables are spread: one that is and one that is not yet cannot refer to one another.
const KEYS_APART: &str = "foreign_keys_apart";

pub(super) async fn has_citus(conn: &mut Conn) -> Result<bool> {
    let sql =
        conn.dialect("SELECT 0 WHERE 1 = 0", "SELECT CAST(1 AS BIGINT) FROM pg_extension WHERE extname = 'citus'");
    Ok(conn.query_first(sql, &[], |_| Ok(())).await?.is_some())
}

pub(super) async fn workers(conn: &mut Conn) -> Result<i64> {
    let sql = "SELECT count(*) FROM pg_dist_node WHERE isactive AND shouldhaveshards AND noderole = 'primary'";
    Ok(conn.query_first(sql, &[], |row| row.int(0)).await?.unwrap_or(0))
}

/// Whether this connection leads to the coordinator, and not to one of the workers that it told of the tables.
pub(super) async fn is_coordinator(conn: &mut Conn) -> Result<bool> {
    let group =
        conn.query_first("SELECT CAST(groupid AS BIGINT) FROM pg_dist_local_group", &[], |row| row.int(0)).await?;
    Ok(group.unwrap_or(0) == 0)
}

async fn has_keys_apart(conn: &mut Conn) -> Result<bool> {
    Ok(settings::get(conn, KEYS_APART).await?.is_some())
}

/// A step of spreading a database.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The table that is spread now.
    pub table: &'static str,
    /// How many bytes were spread before it.
    pub done: u64,
    /// How many there are in all.
    pub bytes: u64,
}

/// Puts every table where it must be.
pub(super) async fn place(conn: &mut Dedicated, each: &mut impl FnMut(Step)) -> Result<()> {
    let distribution = Distribution::of(conn).await?;
    let is_left = |table: &&Table| match &distribution {
        Distribution::OneMachine => true,
        Distribution::Spread { .. } => false,
        Distribution::Unfinished { tables } => tables.contains(&table.name),
    };
    let mut left = Vec::new();
    for table in on_postgres().filter(is_left) {
        let sql = "SELECT pg_total_relation_size(to_regclass(?1))";
        let size = conn.query_first(sql, params![table.name], |row| row.opt_int(0)).await?.flatten().unwrap_or(0);
        left.push((table, size.unsigned_abs()));
    }
    if left.is_empty() && !has_keys_apart(conn).await? {
        return Ok(());
    }
    take_keys_apart(conn, &left).await?;
    let (bytes, mut done) = (left.iter().map(|(_, size)| size).sum(), 0);
    for (table, size) in left {
        each(Step { table: table.name, done, bytes });
        place_one(conn, table).await?;
        done += size;
    }
    put_keys_together(conn).await
}

async fn place_one(conn: &mut Dedicated, table: &Table) -> Result<()> {
    let name = table.name;
    match table.placement {
        Placement::Coordinator => conn.batch(&format!("SELECT citus_add_local_table_to_metadata('{name}')")).await,
        Placement::Spread => {
            let with = if name == FIRST { "default" } else { FIRST };
            conn.batch(&format!("SELECT create_distributed_table('{name}', 'producer_id', colocate_with => '{with}')"))
                .await?;
            // The rows are on the workers now; those that stayed behind only take room.
            conn.batch(&format!("SELECT truncate_local_data_after_distributing_table('{name}')")).await
        }
    }
}

/// The table beside whose rows all others are.
const FIRST: &str = "clocks";

/// Drops the foreign keys of tables that are to be placed, and keeps what they were.
async fn take_keys_apart(conn: &mut Dedicated, left: &[(&Table, u64)]) -> Result<()> {
    let sql = "SELECT CAST(c.relname AS TEXT), CAST(k.conname AS TEXT), pg_get_constraintdef(k.oid) FROM pg_constraint k \
         JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'f' AND c.relnamespace = current_schema()::regnamespace \
         ORDER BY 1, 2";
    let read = |row: &Row<'_>| Ok((row.text(0)?.to_owned(), row.text(1)?.to_owned(), row.text(2)?.to_owned()));
    let found: Vec<(String, String, String)> = conn.collect(sql, &[], read).await?;
    let is_left = |name: &str| left.iter().any(|(table, _)| table.name == name);
    let apart: Vec<&(String, String, String)> = found.iter().filter(|(table, ..)| is_left(table)).collect();
    let mut adds = kept_keys(conn).await?;
    let mut drops = String::new();
    for (table, name, definition) in apart {
        drops.push_str(&format!("ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name};"));
        let key = ForeignKey { table: table.clone(), name: name.clone(), definition: definition.clone() };
        adds.retain(|kept| kept != &key);
        adds.push(key);
    }
    let value = serde_json::to_string(&adds).map_err(Error::internal)?;
    let kept = format!(
        "INSERT INTO settings (name, value) VALUES ('{KEYS_APART}', '{}') ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        value.replace('\'', "''")
    );
    conn.batch(&format!("BEGIN; {SEQUENTIAL}; {kept}; {drops} COMMIT")).await
}

/// A foreign key that waits to be put back.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct ForeignKey {
    table: String,
    name: String,
    definition: String,
}

async fn kept_keys(conn: &mut Conn) -> Result<Vec<ForeignKey>> {
    let kept = settings::get(conn, KEYS_APART).await?.unwrap_or_else(|| "[]".into());
    serde_json::from_str(&kept).map_err(Error::internal)
}

/// Puts the foreign keys back that [`take_keys_apart`] dropped.
async fn put_keys_together(conn: &mut Dedicated) -> Result<()> {
    let adds = kept_keys(conn).await?;
    conn.batch(&format!("BEGIN; {SEQUENTIAL}")).await?;
    for ForeignKey { table, name, definition } in adds {
        // Somebody else who spread the database at the same time may have put it back.
        let sql = "SELECT 1 FROM pg_constraint WHERE conrelid = to_regclass(?1) AND conname = ?2";
        if conn.query_first(sql, params![&table, &name], |_| Ok(())).await?.is_none() {
            conn.batch(&format!("ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")).await?;
        }
    }
    conn.batch(&format!("DELETE FROM settings WHERE name = '{KEYS_APART}'")).await?;
    conn.batch("COMMIT").await
}

/// Citus changes the parts of a table one after the other: those of several tables change in one transaction. PostgreSQL without it
/// takes the setting for one that nobody reads.
pub(super) const SEQUENTIAL: &str = "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'";
