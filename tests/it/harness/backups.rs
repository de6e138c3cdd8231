//! Backups: made and restored by the real command.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use super::{Engine, new_address, taquilla};

/// What a command said.
#[derive(Debug)]
pub struct Said {
    pub code: Option<i32>,
    pub output: String,
    pub error: String,
}

impl Said {
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        Self {
            code: output.status.code(),
            output: String::from_utf8(output.stdout).unwrap(),
            error: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// What it printed, as JSON. It must have succeeded.
    pub fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{self:?}");
        serde_json::from_str(&self.output).unwrap()
    }

    /// Asserts that it failed with this code, and said all of this on one line.
    pub fn failed(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        for word in words {
            assert!(self.error.contains(word), "{word:?} is not in {self:?}");
        }
        assert_eq!(self.error.lines().count(), 1, "{self:?}");
        assert!(self.output.is_empty() && !self.error.contains("os error"), "{self:?}");
    }
}

/// The command that makes a backup.
pub fn backup(address: &str, file: &Path) -> Command {
    let mut command = taquilla(address);
    command.args(["backup", "--json"]).arg(file);
    command
}

/// The command that restores one.
pub fn restore(file: &Path, address: &str) -> Command {
    let mut command = taquilla(address);
    command.args(["restore", "--json"]).arg(file);
    command
}

/// Makes a backup of a database in a folder. Gives the file, and what the command said of it.
pub fn back_up(address: &str, folder: &Path) -> (PathBuf, Value) {
    let file = folder.join(format!("{:x}.backup", rand::random::<u64>()));
    let said = Said::of(&mut backup(address, &file)).json();
    (file, said)
}

/// Restores a backup into a new database. Everything must be as it should. Gives its address, and what the command said.
pub async fn restored(file: &Path, engine: Engine, folder: &Path) -> (String, Value) {
    let address = new_address(engine, &folder.join(format!("{:x}", rand::random::<u64>()))).await;
    let said = Said::of(&mut restore(file, &address)).json();
    assert_eq!(said["check"]["findings"], Value::Array(vec![]));
    (address, said)
}

/// The digest of a table in what a command said of a backup.
pub fn digest<'a>(said: &'a Value, table: &str) -> &'a Value {
    let tables = said["tables"].as_array().unwrap();
    tables.iter().find(|found| found["table"] == table).unwrap_or_else(|| panic!("no {table} in {said}"))
}

/// The other engine.
pub fn other(engine: Engine) -> Engine {
    match engine {
        Engine::Sqlite => Engine::Postgres,
        Engine::Postgres => Engine::Sqlite,
    }
}
