//! Where a mirror is kept.

use std::{path::PathBuf, str::FromStr};

use crate::error::Error;

/// Where a mirror is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// In this file.
    Sqlite(PathBuf),
    /// In this database.
    Postgres(String),
    /// In files of this form in this folder, beside a SQLite file that they are written from.
    Files(Format, PathBuf),
}

/// The form of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON object a line.
    JsonLines,
    /// Comma-separated values, with the names in the first line.
    Csv,
}

impl Format {
    /// How the files' names end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
        }
    }
}

impl FromStr for Address {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        match text.split_once(':').filter(|(_, path)| !path.is_empty()) {
            Some(("sqlite", path)) => Ok(Self::Sqlite(path.into())),
            Some(("jsonl", path)) => Ok(Self::Files(Format::JsonLines, path.into())),
            Some(("csv", path)) => Ok(Self::Files(Format::Csv, path.into())),
            _ => Err(Error::Mistake(
                "sqlite:PATH, postgres://USER:PASSWORD@HOST/NAME, jsonl:FOLDER or csv:FOLDER is expected".to_owned(),
            )),
        }
    }
}
