//! Opening a mirror, or beginning one.

use std::collections::HashMap;

use super::{
    address::Address,
    files::Files,
    kept::{Kept, Mirror},
    postgres::Postgres,
    sqlite::Sqlite,
    statements,
};
use crate::error::Error;

/// The form of the tables. Another number is another version's.
const SCHEMA: &str = "1";

/// What is said where something else lives already.
fn taken(table: &str) -> Error {
    Error::Mistake(format!(
        "there is a table {table} already that no sync has made; choose another place for the mirror"
    ))
}

impl Mirror {
    /// Opens a mirror, or begins one in a place where there is none. Gives what it remembers.
    pub async fn open(address: &Address) -> Result<(Self, HashMap<String, String>), Error> {
        let (kept, files) = match address {
            Address::Sqlite(path) => (Kept::Sqlite(Sqlite::open(path).await?), None),
            Address::Postgres(address) => (Kept::Postgres(Box::new(Postgres::open(address).await?)), None),
            Address::Files(format, folder) => {
                let sqlite = Sqlite::open(&folder.join("mirror.db")).await?;
                (Kept::Sqlite(sqlite), Some(Files { format: *format, folder: folder.clone() }))
            }
        };
        let mirror = Self { kept, files };
        let tables = mirror.tables().await?;
        if !tables.iter().any(|table| table == "sync_state") {
            if let Some(table) = statements::ours().find(|ours| tables.iter().any(|table| table == ours)) {
                return Err(taken(table));
            }
            mirror.create(SCHEMA).await?;
        }
        let state = mirror.state().await?;
        match state.get("schema").map(String::as_str) {
            Some(SCHEMA) => Ok((mirror, state)),
            _ => Err(Error::Mistake(
                "the mirror was made by another version of this program; begin a new one in another place".to_owned(),
            )),
        }
    }
}
