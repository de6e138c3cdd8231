//! Writes the rows of free orders, as many orders together as a group has, in one transaction on one connection, each
//! transaction durable before the next begins. It reads nothing, decides nothing and answers nobody: a server that writes
//! the same rows in groups of the same size has more to do.

use std::time::{Duration, Instant, SystemTime};

use rusqlite::Connection;
use taquilla_domain::config::{SEQS_PER_MOVE, SQLITE_WAL_KEPT, SQLITE_WRITER_CACHE_KIB};
use tokio_postgres::{Client, Statement, types::ToSql};

use crate::{
    Failure, latencies, queries,
    template::{Column, Table, Template},
};

pub async fn write(database: &str, template: &str, group: usize, span: Duration) -> Result<(), Failure> {
    let template = Template::parse(template)?;
    let mut engine = match database.strip_prefix("sqlite:") {
        Some(path) => Engine::Sqlite(Sqlite::open(path, &template)?),
        None => Engine::Postgres(Box::new(Postgres::open(database, &template).await?)),
    };
    let started = Instant::now();
    let mut latencies = Vec::new();
    while started.elapsed() < span {
        let begun = Instant::now();
        match &mut engine {
            Engine::Sqlite(sqlite) => sqlite.write(&template, group)?,
            Engine::Postgres(postgres) => postgres.write(&template, group).await?,
        }
        latencies.push(begun.elapsed().as_micros() as u64);
    }
    let orders = latencies.len() * group;
    println!("{}", latencies::summary(latencies, orders, started.elapsed()));
    Ok(())
}

enum Engine {
    Sqlite(Sqlite),
    Postgres(Box<Postgres>),
}

fn now() -> Result<i64, Failure> {
    Ok(SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_micros() as i64)
}

const TICK: &str = "UPDATE producers SET clock = CASE WHEN clock >= $2 THEN clock + 1 ELSE $2 END, \
     last_seq = last_seq + $3 WHERE producer_id = $1 RETURNING clock, last_seq";
const COUNT: &str = "UPDATE ticket_types SET sold = sold + $3, valid_tickets = valid_tickets + $3 \
     WHERE producer_id = $1 AND id = $2";

/// A set of rows is one statement.
struct Postgres {
    client: Client,
    tick: Statement,
    count: Statement,
    inserts: Vec<Statement>,
}

impl Postgres {
    async fn open(url: &str, template: &Template) -> Result<Self, Failure> {
        let client = queries::client(url).await?;
        let mut inserts = Vec::new();
        for table in &template.tables {
            let sql = table.insert(|table| {
                let kind = |column: Column| if matches!(column, Column::Texts(_)) { "text" } else { "bigint" };
                let arrays = table.empty().into_iter().map(kind).zip(1..).map(|(kind, n)| format!("${n}::{kind}[]"));
                format!("SELECT * FROM unnest({})", arrays.collect::<Vec<_>>().join(", "))
            });
            inserts.push(client.prepare(&sql).await?);
        }
        let (tick, count) = (client.prepare(TICK).await?, client.prepare(COUNT).await?);
        Ok(Self { client, tick, count, inserts })
    }

    async fn write(&mut self, template: &Template, group: usize) -> Result<(), Failure> {
        let transaction = self.client.transaction().await?;
        let ticked = transaction.query_one(&self.tick, &[&template.producer, &now()?, &SEQS_PER_MOVE]).await?;
        let (stamp, seq) = (ticked.try_get(0)?, ticked.try_get::<_, i64>(1)? - SEQS_PER_MOVE);
        for (insert, columns) in self.inserts.iter().zip(template.copies(group, stamp, seq)) {
            let array = |column| match column {
                Column::Texts(texts) => Box::new(texts) as Box<dyn ToSql + Sync + Send>,
                Column::Numbers(numbers) => Box::new(numbers),
            };
            let arrays: Vec<_> = columns.into_iter().map(array).collect();
            let arrays: Vec<&(dyn ToSql + Sync)> = arrays.iter().map(|array| array.as_ref() as _).collect();
            transaction.execute(insert, &arrays).await?;
        }
        transaction.execute(&self.count, &[&template.producer, &template.ticket_type, &(group as i64)]).await?;
        Ok(transaction.commit().await?)
    }
}

/// Each row is one execution of a prepared statement.
struct Sqlite {
    connection: Connection,
    inserts: Vec<String>,
}

impl Sqlite {
    /// Opens a file that Taquilla made, with the settings of its writer.
    fn open(path: &str, template: &Template) -> Result<Self, Failure> {
        let connection = Connection::open(path)?;
        connection.set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        connection.pragma_update(None, "cache_size", -SQLITE_WRITER_CACHE_KIB)?;
        connection.pragma_update(None, "journal_size_limit", SQLITE_WAL_KEPT)?;
        let values = |table: &Table| {
            let places = (1..=table.columns.len()).map(|n| format!("?{n}"));
            format!("VALUES ({})", places.collect::<Vec<_>>().join(", "))
        };
        let inserts = template.tables.iter().map(|table| table.insert(values)).collect();
        Ok(Self { connection, inserts })
    }

    fn write(&mut self, template: &Template, group: usize) -> Result<(), Failure> {
        // $N is a name for SQLite, and names are numbered as they come, so the parameters are named.
        let connection = &self.connection;
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let ticked = connection
            .prepare_cached(TICK)?
            .query_row(&[("$1", &template.producer), ("$2", &now()?), ("$3", &SEQS_PER_MOVE)], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
            })?;
        let (stamp, seq) = (ticked.0, ticked.1 - SEQS_PER_MOVE);
        for (sql, columns) in self.inserts.iter().zip(template.copies(group, stamp, seq)) {
            let mut insert = connection.prepare_cached(sql)?;
            let rows = columns.first().map_or(0, Column::len);
            for row in 0..rows {
                insert.execute(rusqlite::params_from_iter(columns.iter().map(|column| column.value(row))))?;
            }
        }
        let count: [(&str, &dyn rusqlite::ToSql); 3] =
            [("$1", &template.producer), ("$2", &template.ticket_type), ("$3", &(group as i64))];
        connection.prepare_cached(COUNT)?.execute(&count[..])?;
        connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    }
}
