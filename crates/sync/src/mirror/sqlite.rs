//! A mirror in a SQLite file.

use std::{
    collections::HashMap,
    fs::{File, OpenOptions},
    os::unix::fs::OpenOptionsExt,
    path::Path,
    sync::Arc,
};

use parking_lot::Mutex;
use rusqlite::{
    Connection, ToSql,
    types::{ToSqlOutput, Value, ValueRef},
};

use super::{
    batch::{Batch, Queue},
    lock,
    seen::Unseen,
    statements::{self, Param},
};
use crate::{
    cell::{Cell, Row},
    error::Error,
    schema::{self, Engine, Kind, Table},
};

/// A mirror in a SQLite file. Others may read it meanwhile.
#[derive(Clone)]
pub struct Sqlite {
    connection: Arc<Mutex<Connection>>,
    _lock: Arc<File>,
}

/// How long a write waits for somebody else who writes into the file.
const BUSY_MS: u64 = 10_000;

impl Sqlite {
    /// Opens the file, or makes it, for nobody else to read: it may hold personal data.
    pub async fn open(path: &Path) -> Result<Self, Error> {
        let path = path.to_owned();
        blocking(move || {
            let failed = |cause| Error::File(path.display().to_string(), cause);
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                std::fs::create_dir_all(folder).map_err(failed)?;
            }
            let mut beside = path.clone().into_os_string();
            beside.push("-sync-lock");
            let lock = lock::take(Path::new(&beside))?;
            OpenOptions::new().create(true).append(true).mode(0o600).open(&path).map_err(failed)?;
            let connection = Connection::open(&path)?;
            connection.busy_timeout(std::time::Duration::from_millis(BUSY_MS))?;
            // A lost computer may lose the last pages, with the marks that belong to them. They are read again.
            connection
                .execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;")?;
            connection.set_prepared_statement_cache_capacity(64);
            Ok(Self { connection: Arc::new(Mutex::new(connection)), _lock: Arc::new(lock) })
        })
        .await
    }

    /// The names of all tables.
    pub async fn tables(&self) -> Result<Vec<String>, Error> {
        self.with(|connection| texts(connection, "SELECT name FROM sqlite_master WHERE type = 'table'", &[])).await
    }

    pub async fn create(&self) -> Result<(), Error> {
        self.with(|connection| {
            connection.execute_batch(&format!("BEGIN IMMEDIATE; {} COMMIT;", schema::create(Engine::Sqlite)))?;
            Ok(())
        })
        .await
    }

    pub async fn state(&self) -> Result<HashMap<String, String>, Error> {
        self.with(|connection| {
            let mut statement = connection.prepare("SELECT name, value FROM sync_state")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    pub async fn queued(&self, queue: Queue) -> Result<Vec<String>, Error> {
        self.with(move |connection| texts(connection, statements::QUEUED, &[&queue.as_str()])).await
    }

    pub async fn write(&self, batch: Batch) -> Result<(), Error> {
        self.with(move |connection| {
            let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            write(&transaction, &batch)?;
            Ok(transaction.commit()?)
        })
        .await
    }

    pub async fn index(&self, table: &'static Table) -> Result<(), Error> {
        self.with(move |connection| Ok(connection.execute_batch(&schema::indexes(table))?)).await
    }

    pub async fn number(&self, sql: String) -> Result<u64, Error> {
        self.with(move |connection| Ok(connection.query_row(&sql, [], |row| row.get::<_, i64>(0))?.unsigned_abs()))
            .await
    }

    /// The rows with these ids.
    pub async fn rows(&self, table: &'static Table, ids: Vec<String>) -> Result<HashMap<String, Row>, Error> {
        self.with(move |connection| {
            let mut found = HashMap::with_capacity(ids.len());
            for id in ids {
                if let Some(row) = row(connection, table, &id)? {
                    found.insert(id, row);
                }
            }
            Ok(found)
        })
        .await
    }

    pub async fn begin_seeing(&self) -> Result<(), Error> {
        self.with(|connection| {
            let sql = "DROP TABLE IF EXISTS temp.sync_seen; \
                 CREATE TEMP TABLE sync_seen (id text NOT NULL PRIMARY KEY) WITHOUT ROWID;";
            Ok(connection.execute_batch(sql)?)
        })
        .await
    }

    pub async fn see(&self, ids: Vec<String>) -> Result<(), Error> {
        self.with(move |connection| {
            let transaction = connection.transaction()?;
            for id in ids {
                transaction
                    .prepare_cached("INSERT INTO sync_seen VALUES (?1) ON CONFLICT DO NOTHING")?
                    .execute([id])?;
            }
            Ok(transaction.commit()?)
        })
        .await
    }

    pub async fn unseen(&self, table: &'static Table) -> Result<Unseen, Error> {
        self.with(move |connection| {
            let sql = format!("SELECT id FROM {} WHERE id NOT IN (SELECT id FROM sync_seen) ORDER BY id", table.name);
            let mut unseen = Unseen::default();
            let mut statement = connection.prepare(&sql)?;
            let mut ids = statement.query([])?;
            while let Some(found) = ids.next()? {
                if let Some(row) = row(connection, table, &found.get::<_, String>(0)?)? {
                    unseen.add(row);
                }
            }
            Ok(unseen)
        })
        .await
    }

    /// Shows every row of a table, of the parts of others too, by its key.
    pub async fn each<F>(&self, table: &'static Table, mut show: F) -> Result<(), Error>
    where
        F: FnMut(Vec<Cell>) -> Result<(), Error> + Send + 'static,
    {
        self.with(move |connection| {
            let (columns, key) = (statements::columns(table), table.key_names().join(", "));
            let mut statement = connection.prepare(&format!("SELECT {columns} FROM {} ORDER BY {key}", table.name))?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                show(cells(row, table)?)?;
            }
            Ok(())
        })
        .await
    }

    async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let connection = Arc::clone(&self.connection);
        blocking(move || work(&mut connection.lock())).await
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Error> + Send + 'static) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(|cause| Error::Internal(cause.to_string()))?
}

fn write(connection: &Connection, batch: &Batch) -> Result<(), Error> {
    let run = |(sql, params): (String, Vec<Param>)| -> Result<(), Error> {
        connection.prepare_cached(&sql)?.execute(rusqlite::params_from_iter(params))?;
        Ok(())
    };
    batch.clear.iter().flat_map(statements::clear).try_for_each(run)?;
    if let Some((table, rows)) = &batch.rows {
        put(connection, table, rows, batch.traversal)?;
    }
    for (queue, id) in &batch.queue {
        connection.prepare_cached(statements::ENQUEUE)?.execute([queue.as_str(), id])?;
    }
    batch.sweep.iter().flat_map(statements::clear).try_for_each(run)?;
    for (queue, id) in &batch.done {
        connection.prepare_cached(statements::DEQUEUE)?.execute([queue.as_str(), id])?;
    }
    for (name, value) in &batch.state {
        connection.prepare_cached(statements::REMEMBER)?.execute([name, value])?;
    }
    Ok(())
}

fn put(connection: &Connection, table: &Table, rows: &[Row], traversal: i64) -> Result<(), Error> {
    let traversal = Cell::Integer(traversal);
    let mut insert = connection.prepare_cached(&insert(table, true))?;
    for row in rows {
        insert.execute(rusqlite::params_from_iter(row.cells.iter().chain([&traversal])))?;
    }
    let Some(children) = table.children else { return Ok(()) };
    let key = children.columns.first().map_or("", |column| column.name);
    let mut delete = connection.prepare_cached(&format!("DELETE FROM {} WHERE {key} = ?1", children.name))?;
    let mut insert = connection.prepare_cached(&self::insert(children, false))?;
    for row in rows {
        delete.execute([row.id()])?;
        for child in &row.children {
            insert.execute(rusqlite::params_from_iter(child))?;
        }
    }
    Ok(())
}

fn insert(table: &Table, with_traversal: bool) -> String {
    let mut columns: Vec<&str> = table.names().collect();
    columns.extend(with_traversal.then_some("sync_traversal"));
    let places: Vec<String> = (1..=columns.len()).map(|number| format!("?{number}")).collect();
    let on_conflict = statements::on_conflict(table, with_traversal);
    format!("INSERT INTO {} ({}) VALUES ({}) {on_conflict}", table.name, columns.join(", "), places.join(", "))
}

fn texts(connection: &Connection, sql: &str, params: &[&dyn ToSql]) -> Result<Vec<String>, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params, |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn row(connection: &Connection, table: &Table, id: &str) -> Result<Option<Row>, Error> {
    let sql = format!("SELECT {} FROM {} WHERE id = ?1", statements::columns(table), table.name);
    let mut statement = connection.prepare_cached(&sql)?;
    let mut found = statement.query([id])?;
    let Some(row) = found.next()? else { return Ok(None) };
    let cells_of_row = cells(row, table)?;
    let mut children = Vec::new();
    if let Some(child) = table.children {
        let key = child.columns.first().map_or("", |column| column.name);
        let (columns, name) = (statements::columns(child), child.name);
        let sql = format!("SELECT {columns} FROM {name} WHERE {key} = ?1 ORDER BY {}", statements::BY_POSITION);
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([id])?;
        while let Some(row) = rows.next()? {
            children.push(cells(row, child)?);
        }
    }
    Ok(Some(Row { cells: cells_of_row, children }))
}

fn cells(row: &rusqlite::Row<'_>, table: &Table) -> Result<Vec<Cell>, Error> {
    let one = |(at, column): (usize, &schema::Column)| -> Result<Cell, Error> {
        let cell = match (row.get_ref(at)?, column.kind) {
            (ValueRef::Null, _) => Cell::Null,
            (ValueRef::Integer(number), Kind::Boolean) => Cell::Boolean(number != 0),
            (ValueRef::Integer(number), _) => Cell::Integer(number),
            (ValueRef::Text(text), kind) => {
                let text = String::from_utf8_lossy(text).into_owned();
                let time = (kind == Kind::Time).then(|| text.parse::<taquilla_client::Time>().ok()).flatten();
                time.map_or(Cell::Text(text), |time| Cell::Time(time.timestamp().as_microsecond()))
            }
            (ValueRef::Real(_) | ValueRef::Blob(_), _) => Cell::Text("a value that no sync has written".to_owned()),
        };
        Ok(cell)
    };
    table.columns.iter().enumerate().map(one).collect()
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Value::Null),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Integer(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            Self::Boolean(value) => ToSqlOutput::Owned(Value::Integer(i64::from(*value))),
            Self::Time(micros) => ToSqlOutput::Owned(Value::Text(Self::shown_time(*micros))),
        })
    }
}

impl ToSql for Param {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            Self::Text(text) => text.to_sql(),
            Self::Integer(number) => number.to_sql(),
        }
    }
}
