//! A mirror in a PostgreSQL database.

use std::{
    collections::HashMap,
    time::{Duration, SystemTime},
};

use parking_lot::Mutex;
use taquilla_store::Foreign;
use tokio_postgres::{
    Statement,
    error::SqlState,
    types::{ToSql, Type},
};

use super::{
    batch::{Batch, Queue},
    lock,
    seen::{NAMED, Unseen},
    statements::{self, Param, for_postgres},
};
use crate::{
    cell::{Cell, Row},
    error::Error,
    schema::{self, Engine, Kind, Table},
};

/// A mirror in a PostgreSQL database, in the schema that its connections look into first.
pub struct Postgres {
    client: Foreign,
    prepared: Mutex<HashMap<String, Statement>>,
}

/// What other syncs into the same schema are kept out by, for as long as the connection lasts. The server may need a moment to see
/// that another one was killed.
const LOCK: &str = "SET lock_timeout = '10s'; \
     SELECT pg_advisory_lock(hashtext('taquilla sync'), hashtext(current_schema())); SET lock_timeout = 0";

impl Postgres {
    pub async fn open(address: &str) -> Result<Self, Error> {
        // A server that is lost may lose the last pages, with the marks that belong to them. They are read again.
        let settings = "SET synchronous_commit = off; SET client_min_messages = warning";
        let client = Foreign::connect(address, settings).await.map_err(|cause| match cause {
            taquilla_store::Error::Address(message) => Error::Mistake(message),
            cause => Error::Connection(cause),
        })?;
        let mirror = Self { client, prepared: Mutex::default() };
        match mirror.client.batch_execute(LOCK).await {
            Ok(()) => Ok(mirror),
            Err(cause) if cause.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                Err(Error::Mistake(lock::BUSY.to_owned()))
            }
            Err(cause) => Err(cause.into()),
        }
    }

    /// The names of all tables of the schema.
    pub async fn tables(&self) -> Result<Vec<String>, Error> {
        let sql = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()";
        Ok(self.client.query(sql, &[]).await?.iter().map(|row| row.get(0)).collect())
    }

    pub async fn create(&self) -> Result<(), Error> {
        let sql = format!("BEGIN; {} COMMIT;", schema::create(Engine::Postgres));
        let created = self.client.batch_execute(&sql).await;
        if created.is_err() {
            self.client.batch_execute("ROLLBACK").await?;
        }
        Ok(created?)
    }

    pub async fn state(&self) -> Result<HashMap<String, String>, Error> {
        let rows = self.client.query("SELECT name, value FROM sync_state", &[]).await?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }

    pub async fn queued(&self, queue: Queue) -> Result<Vec<String>, Error> {
        let rows = self.client.query(&for_postgres(statements::QUEUED), &[&queue.as_str()]).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    pub async fn write(&self, batch: Batch) -> Result<(), Error> {
        self.client.batch_execute("BEGIN").await?;
        match self.write_all(&batch).await {
            Ok(()) => Ok(self.client.batch_execute("COMMIT").await?),
            Err(cause) => {
                // The connection may be gone, and with it the transaction.
                let _ = self.client.batch_execute("ROLLBACK").await;
                Err(cause)
            }
        }
    }

    async fn write_all(&self, batch: &Batch) -> Result<(), Error> {
        self.clear(&batch.clear).await?;
        if let Some((table, rows)) = &batch.rows {
            self.put(table, rows, batch.traversal).await?;
        }
        let (what, ids): (Vec<&str>, Vec<&str>) =
            batch.queue.iter().map(|(what, id)| (what.as_str(), id.as_str())).unzip();
        if !what.is_empty() {
            let sql = "INSERT INTO sync_queue (what, id) SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) \
                 ON CONFLICT DO NOTHING";
            self.client.execute(&self.prepare(sql).await?, &[&what, &ids]).await?;
        }
        self.clear(&batch.sweep).await?;
        for (queue, id) in &batch.done {
            let sql = for_postgres(statements::DEQUEUE);
            self.client.execute(&self.prepare(&sql).await?, &[&queue.as_str(), id]).await?;
        }
        for (name, value) in &batch.state {
            let sql = for_postgres(statements::REMEMBER);
            self.client.execute(&self.prepare(&sql).await?, &[name, value]).await?;
        }
        Ok(())
    }

    async fn clear(&self, clears: &[super::batch::Clear]) -> Result<(), Error> {
        for (sql, params) in clears.iter().flat_map(statements::clear) {
            let params: Vec<&(dyn ToSql + Sync)> = params
                .iter()
                .map(|param| match param {
                    Param::Text(text) => text as &(dyn ToSql + Sync),
                    Param::Integer(number) => number,
                })
                .collect();
            self.client.execute(&self.prepare(&for_postgres(&sql)).await?, &params).await?;
        }
        Ok(())
    }

    async fn put(&self, table: &'static Table, rows: &[Row], traversal: i64) -> Result<(), Error> {
        if rows.is_empty() {
            return Ok(());
        }
        self.insert(table, &rows.iter().map(|row| row.cells.as_slice()).collect::<Vec<_>>(), Some(traversal)).await?;
        let Some(children) = table.children else { return Ok(()) };
        let key = children.columns.first().map_or("", |column| column.name);
        let ids: Vec<&str> = rows.iter().map(Row::id).collect();
        let delete = format!("DELETE FROM {} WHERE {key} = ANY($1)", children.name);
        self.client.execute(&self.prepare(&delete).await?, &[&ids]).await?;
        let of_all: Vec<&[Cell]> = rows.iter().flat_map(|row| &row.children).map(Vec::as_slice).collect();
        if !of_all.is_empty() {
            self.insert(children, &of_all, None).await?;
        }
        Ok(())
    }

    /// Inserts rows, or replaces them, in one statement: the values of each column are one array.
    async fn insert(&self, table: &Table, rows: &[&[Cell]], traversal: Option<i64>) -> Result<(), Error> {
        let arrays: Vec<String> = table
            .columns
            .iter()
            .enumerate()
            .map(|(at, column)| format!("${}::{}[]", at + 1, array_type(column.kind)))
            .collect();
        let (names, arrays) = (statements::columns(table), arrays.join(", "));
        let traversals = format!(", ${}::bigint", table.columns.len() + 1);
        let (extra_name, extra) = match traversal {
            Some(_) => (", sync_traversal", traversals.as_str()),
            None => ("", ""),
        };
        let on_conflict = statements::on_conflict(table, traversal.is_some());
        let sql = format!(
            "INSERT INTO {} ({names}{extra_name}) SELECT u.*{extra} FROM unnest({arrays}) AS u {on_conflict}",
            table.name
        );
        let columns: Vec<Array<'_>> =
            table.columns.iter().enumerate().map(|(at, column)| Array::of(column.kind, at, rows)).collect();
        let mut params: Vec<&(dyn ToSql + Sync)> = columns.iter().map(Array::param).collect();
        if let Some(traversal) = &traversal {
            params.push(traversal);
        }
        self.client.execute(&self.prepare(&sql).await?, &params).await?;
        Ok(())
    }

    pub async fn index(&self, table: &Table) -> Result<(), Error> {
        Ok(self.client.batch_execute(&format!("{} ANALYZE {};", schema::indexes(table), table.name)).await?)
    }

    pub async fn number(&self, sql: &str) -> Result<u64, Error> {
        Ok(self.client.query_one(sql, &[]).await?.get::<_, i64>(0).unsigned_abs())
    }

    pub async fn rows(&self, table: &'static Table, ids: Vec<String>) -> Result<HashMap<String, Row>, Error> {
        let sql = format!("SELECT {} FROM {} WHERE id = ANY($1)", statements::columns(table), table.name);
        let mut found = HashMap::with_capacity(ids.len());
        for row in self.client.query(&self.prepare(&sql).await?, &[&ids]).await? {
            let row = Row { cells: cells(&row, table), children: Vec::new() };
            found.insert(row.id().to_owned(), row);
        }
        if let Some(child) = table.children {
            let key = child.columns.first().map_or("", |column| column.name);
            let (columns, name) = (statements::columns(child), child.name);
            let sql =
                format!("SELECT {columns} FROM {name} WHERE {key} = ANY($1) ORDER BY {}", statements::BY_POSITION);
            for row in self.client.query(&self.prepare(&sql).await?, &[&ids]).await? {
                let child = cells(&row, child);
                if let Some(Cell::Text(of)) = child.first()
                    && let Some(parent) = found.get_mut(of)
                {
                    parent.children.push(child);
                }
            }
        }
        Ok(found)
    }

    pub async fn begin_seeing(&self) -> Result<(), Error> {
        let sql = "DROP TABLE IF EXISTS pg_temp.sync_seen; CREATE TEMP TABLE sync_seen (id text NOT NULL PRIMARY KEY);";
        self.prepared.lock().retain(|sql, _| !sql.contains("sync_seen"));
        Ok(self.client.batch_execute(sql).await?)
    }

    pub async fn see(&self, ids: Vec<String>) -> Result<(), Error> {
        let sql = "INSERT INTO pg_temp.sync_seen SELECT DISTINCT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING";
        self.client.execute(&self.prepare(sql).await?, &[&ids]).await?;
        Ok(())
    }

    pub async fn unseen(&self, table: &'static Table) -> Result<Unseen, Error> {
        let sql = format!(
            "SELECT t.id FROM {} t WHERE NOT EXISTS (SELECT 1 FROM pg_temp.sync_seen s WHERE s.id = t.id) \
             AND t.id > $1 ORDER BY t.id LIMIT {NAMED}",
            table.name
        );
        let (mut unseen, mut after) = (Unseen::default(), String::new());
        loop {
            let ids: Vec<String> = self.client.query(&sql, &[&after]).await?.iter().map(|row| row.get(0)).collect();
            let Some(last) = ids.last().cloned() else { return Ok(unseen) };
            self.rows(table, ids).await?.into_values().for_each(|row| unseen.add(row));
            after = last;
        }
    }

    async fn prepare(&self, sql: &str) -> Result<Statement, Error> {
        let known = self.prepared.lock().get(sql).cloned();
        if let Some(statement) = known {
            return Ok(statement);
        }
        let statement = self.client.prepare(sql).await?;
        self.prepared.lock().insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

fn array_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "text",
        Kind::Integer => "bigint",
        Kind::Boolean => "boolean",
        Kind::Time => "timestamptz",
    }
}

/// The values of a column.
enum Array<'a> {
    Texts(Vec<Option<&'a str>>),
    Integers(Vec<Option<i64>>),
    Booleans(Vec<Option<bool>>),
    Times(Vec<Option<SystemTime>>),
}

impl<'a> Array<'a> {
    fn of(kind: Kind, at: usize, rows: &[&'a [Cell]]) -> Self {
        let cells = rows.iter().map(|cells| cells.get(at).unwrap_or(&Cell::Null));
        match kind {
            Kind::Text => Self::Texts(
                cells.map(|cell| if let Cell::Text(text) = cell { Some(text.as_str()) } else { None }).collect(),
            ),
            Kind::Integer => Self::Integers(
                cells.map(|cell| if let Cell::Integer(number) = cell { Some(*number) } else { None }).collect(),
            ),
            Kind::Boolean => Self::Booleans(
                cells.map(|cell| if let Cell::Boolean(value) = cell { Some(*value) } else { None }).collect(),
            ),
            Kind::Time => Self::Times(
                cells.map(|cell| if let Cell::Time(at) = cell { Some(Cell::system_time(*at)) } else { None }).collect(),
            ),
        }
    }

    fn param(&self) -> &(dyn ToSql + Sync) {
        match self {
            Self::Texts(values) => values,
            Self::Integers(values) => values,
            Self::Booleans(values) => values,
            Self::Times(values) => values,
        }
    }
}

fn cells(row: &tokio_postgres::Row, table: &Table) -> Vec<Cell> {
    let micros = |at: SystemTime| {
        let span = |span: Duration| i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
        at.duration_since(SystemTime::UNIX_EPOCH).map_or_else(|before| -span(before.duration()), span)
    };
    let one = |at: usize| match *row.columns()[at].type_() {
        Type::TEXT => row.get::<_, Option<String>>(at).map_or(Cell::Null, Cell::Text),
        Type::INT8 => row.get::<_, Option<i64>>(at).map_or(Cell::Null, Cell::Integer),
        Type::BOOL => row.get::<_, Option<bool>>(at).map_or(Cell::Null, Cell::Boolean),
        Type::TIMESTAMPTZ => row.get::<_, Option<SystemTime>>(at).map_or(Cell::Null, |at| Cell::Time(micros(at))),
        _ => Cell::Text("a column that no sync has made".to_owned()),
    };
    (0..table.columns.len()).map(one).collect()
}
