//! Mirrors that `taquilla sync` has made, read back by nothing of its own.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::Value;
use taquilla_domain::clock::Stamp;

use super::{Engine, Raw, backups::Said, new_address, taquilla};

/// Rows by their id, each with its columns as texts. Null is an empty text, as in CSV.
pub type SyncedRows = BTreeMap<String, BTreeMap<String, String>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Sqlite,
    Postgres,
    JsonLines,
    Csv,
}

/// A mirror of a test.
pub struct Synced {
    target: Target,
    /// The `--to` address.
    pub to: String,
    place: PathBuf,
}

impl Synced {
    pub async fn new(target: Target, folder: &Path) -> Self {
        let place = folder.join(format!("mirror_{:x}", rand::random::<u64>()));
        let to = match target {
            Target::Sqlite => format!("sqlite:{}", place.display()),
            Target::Postgres => new_address(Engine::Postgres, folder).await,
            Target::JsonLines => format!("jsonl:{}", place.display()),
            Target::Csv => format!("csv:{}", place.display()),
        };
        Self { target, to, place }
    }

    /// The same with this `--to` address.
    pub fn at(self, to: String) -> Self {
        Self { to, ..self }
    }

    /// The command that brings it up to date.
    pub fn command(&self, url: &str, key: &str, more: &[&str]) -> Command {
        let mut command = taquilla("sqlite:/nowhere");
        command.args(["sync", url, "--to", &self.to]).args(more).env("TAQUILLA_KEY", key);
        command
    }

    /// Runs the command to its end, and gives what it printed.
    pub async fn run(&self, url: &str, key: &str, more: &[&str]) -> Said {
        let mut command = self.command(url, key, more);
        tokio::task::spawn_blocking(move || Said::of(&mut command)).await.unwrap()
    }

    /// Runs the command to its end, which must be a good one.
    pub async fn bring_up(&self, url: &str, key: &str, more: &[&str]) -> Value {
        self.run(url, key, &[&["--json"], more].concat()).await.json()
    }

    /// Begins to run the command.
    pub fn begin(&self, url: &str, key: &str) -> Child {
        let mut command = self.command(url, key, &[]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    /// Changes the mirror behind the back of the command. Files are written from a SQLite file.
    pub async fn tamper(&self, sql: &str) {
        let file = match self.target {
            Target::Postgres => return Raw::open(&self.to).await.batch(sql).await,
            Target::Sqlite => self.place.clone(),
            Target::JsonLines | Target::Csv => self.place.join("mirror.db"),
        };
        rusqlite::Connection::open(file).unwrap().execute_batch(sql).unwrap();
    }

    /// What is in a table, or in a view, with this column as the key.
    pub async fn rows(&self, table: &str, key: &[&str]) -> SyncedRows {
        let rows: Vec<BTreeMap<String, Value>> = match self.target {
            Target::Sqlite => sqlite(&self.place, table),
            Target::Postgres => postgres(&self.to, table).await,
            Target::JsonLines => {
                let text = std::fs::read_to_string(self.place.join(format!("{table}.jsonl"))).unwrap();
                text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
            }
            Target::Csv => {
                let mut reader = csv::Reader::from_path(self.place.join(format!("{table}.csv"))).unwrap();
                let rows = reader.deserialize::<BTreeMap<String, String>>();
                let row =
                    |row: BTreeMap<String, String>| row.into_iter().map(|(name, text)| (name, text.into())).collect();
                rows.map(|found| row(found.unwrap())).collect()
            }
        };
        let mut found = SyncedRows::new();
        for row in rows {
            let row: BTreeMap<String, String> = row
                .into_iter()
                .filter(|(name, _)| name != "sync_traversal")
                .map(|(name, value)| (name.clone(), shown(&name, &value)))
                .collect();
            let id = key.iter().map(|key| row[*key].as_str()).collect::<Vec<_>>().join("/");
            assert!(found.insert(id.clone(), row).is_none(), "{table} has {id} twice");
        }
        found
    }
}

/// A value as all engines have it.
pub fn shown(name: &str, value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Number(number) if ["deleted", "from_bundle"].contains(&name) => (number.as_i64() != Some(0)).to_string(),
        Value::String(text) if name.ends_with("_at") || name.ends_with("_from") => {
            Stamp::parse(text).map_or_else(|| text.clone(), |stamp| stamp.to_string())
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn sqlite(path: &Path, table: &str) -> Vec<BTreeMap<String, Value>> {
    let conn = rusqlite::Connection::open(path).unwrap();
    let mut statement = conn.prepare(&format!("SELECT * FROM {table}")).unwrap();
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let rows = statement.query_map([], |row| {
        let value = |at: usize| -> rusqlite::Result<Value> {
            Ok(match row.get(at)? {
                rusqlite::types::Value::Null => Value::Null,
                rusqlite::types::Value::Integer(number) => number.into(),
                rusqlite::types::Value::Text(text) => text.into(),
                other => panic!("{other:?}"),
            })
        };
        names.iter().enumerate().map(|(at, name)| Ok((name.clone(), value(at)?))).collect()
    });
    rows.unwrap().map(Result::unwrap).collect()
}

async fn postgres(address: &str, table: &str) -> Vec<BTreeMap<String, Value>> {
    let raw = Raw::open(address).await;
    raw.batch("SET timezone = 'UTC'").await;
    let rows = raw.rows(&format!("SELECT row_to_json(t)::text FROM {table} t")).await;
    rows.iter().map(|row| serde_json::from_str(&row[0]).unwrap()).collect()
}
