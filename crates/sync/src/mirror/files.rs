//! Files, one for each table. Each is whole at any time: a new one takes the place of the old one once it is written.

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Write},
    path::PathBuf,
    sync::Arc,
};

use parking_lot::Mutex;
use tempfile::NamedTempFile;

use super::{address::Format, sqlite::Sqlite, statements};
use crate::{
    cell::Cell,
    error::Error,
    schema::{TABLES, Table},
};

/// The files of a mirror.
#[derive(Clone, Debug)]
pub struct Files {
    pub format: Format,
    pub folder: PathBuf,
}

fn all_tables() -> impl Iterator<Item = &'static Table> {
    TABLES.into_iter().flat_map(|table| [Some(table), table.children]).flatten()
}

impl Files {
    fn path(&self, table: &Table) -> PathBuf {
        self.folder.join(format!("{}.{}", table.name, self.format.ending()))
    }

    /// Whether one of them is not there.
    pub fn are_missing(&self) -> bool {
        statements::ours().any(|name| !self.folder.join(format!("{name}.{}", self.format.ending())).exists())
    }

    /// Writes all of them anew.
    pub(super) async fn write(&self, from: &Sqlite) -> Result<(), Error> {
        for table in all_tables() {
            let (path, format) = (self.path(table), self.format);
            let name = path.display().to_string();
            let failed = |cause: io::Error| Error::File(name.clone(), cause);
            // Only its owner may read it.
            let new = NamedTempFile::new_in(&self.folder).map_err(failed)?;
            let writer = Arc::new(Mutex::new(BufWriter::new(new)));
            let (writing, named) = (Arc::clone(&writer), name.clone());
            let write =
                move |bytes: &[u8]| writing.lock().write_all(bytes).map_err(|cause| Error::File(named.clone(), cause));
            write(&header(table, format))?;
            from.each(table, move |cells| write(&line(table, &cells, format))).await?;
            let Some(writer) = Arc::into_inner(writer) else { return Err(Error::Internal("a file is in use".into())) };
            let new = writer.into_inner().into_inner().map_err(|cause| failed(cause.into_error()))?;
            new.as_file().sync_all().map_err(failed)?;
            new.persist(&path).map_err(|cause| failed(cause.error))?;
        }
        Ok(())
    }

    /// The files that are not what they should be, each with the row from which on.
    pub(super) async fn spoilt(&self, from: &Sqlite) -> Result<Vec<(String, String)>, Error> {
        let mut spoilt = Vec::new();
        for table in all_tables() {
            let (path, format) = (self.path(table), self.format);
            let name = path.display().to_string();
            let file = match File::open(&path) {
                Ok(file) => file,
                Err(_) => {
                    spoilt.push((name, "its beginning: it cannot be read".to_owned()));
                    continue;
                }
            };
            let state = Arc::new(Mutex::new((BufReader::new(file), None::<String>)));
            let shared = Arc::clone(&state);
            let compare = move |expected: &[u8], at: &dyn Fn() -> String| {
                let (file, differs) = &mut *shared.lock();
                let mut found = vec![0; expected.len()];
                if differs.is_none() && (file.read_exact(&mut found).is_err() || found != expected) {
                    *differs = Some(at());
                }
            };
            compare(&header(table, format), &|| "its first line".to_owned());
            from.each(table, move |cells| {
                compare(&line(table, &cells, format), &|| {
                    cells.iter().take(table.key).map(Cell::shown).collect::<Vec<_>>().join(" ")
                });
                Ok(())
            })
            .await?;
            let (file, differs) = &mut *state.lock();
            let has_more = matches!(file.read(&mut [0]), Ok(1..));
            let at = differs.take().or_else(|| has_more.then(|| "its end: it has more".to_owned()));
            spoilt.extend(at.map(|at| (name, at)));
        }
        Ok(spoilt)
    }
}

/// What stands before the rows.
fn header(table: &Table, format: Format) -> Vec<u8> {
    match format {
        Format::JsonLines => Vec::new(),
        Format::Csv => record(table.names().map(str::to_owned)),
    }
}

/// A row of a file.
fn line(table: &Table, cells: &[Cell], format: Format) -> Vec<u8> {
    match format {
        Format::Csv => record(cells.iter().map(Cell::shown)),
        Format::JsonLines => {
            let mut object = serde_json::Map::new();
            for (name, cell) in table.names().zip(cells) {
                let value = match cell {
                    Cell::Null => serde_json::Value::Null,
                    Cell::Integer(number) => (*number).into(),
                    Cell::Boolean(value) => (*value).into(),
                    text => text.shown().into(),
                };
                object.insert(name.to_owned(), value);
            }
            format!("{}\n", serde_json::Value::Object(object)).into_bytes()
        }
    }
}

fn record(values: impl Iterator<Item = String>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing into memory does not fail.
    let _ = writer.write_record(values);
    writer.into_inner().unwrap_or_default()
}
