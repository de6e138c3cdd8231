//! Parameters and rows of statements, the same for both engines.

use bytes::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use taquilla_domain::clock::Stamp;

use super::error::{Error, Result};

/// A value bound to `?N`. Stamps, money, counts and flags are integers; everything else is text.
#[derive(Clone, Copy, Debug)]
pub enum Param<'a> {
    /// An integer or NULL.
    Int(Option<i64>),
    /// A text or NULL.
    Text(Option<&'a str>),
}

impl<'a> Param<'a> {
    /// The integer, or nothing if it is NULL or a text.
    pub fn int(self) -> Option<i64> {
        match self {
            Self::Int(value) => value,
            Self::Text(_) => None,
        }
    }

    /// The text, or nothing if it is NULL or an integer.
    pub fn text(self) -> Option<&'a str> {
        match self {
            Self::Text(value) => value,
            Self::Int(_) => None,
        }
    }
}

macro_rules! param_from {
    ($($from:ty => |$value:ident| $param:expr),+ $(,)?) => {
        $(impl<'a> From<$from> for Param<'a> {
            fn from($value: $from) -> Self { $param }
        })+
    };
}
param_from! {
    i64 => |value| Param::Int(Some(value)),
    Option<i64> => |value| Param::Int(value),
    bool => |value| Param::Int(Some(i64::from(value))),
    Stamp => |value| Param::Int(Some(value.micros())),
    Option<Stamp> => |value| Param::Int(value.map(Stamp::micros)),
    &'a str => |value| Param::Text(Some(value)),
    &'a String => |value| Param::Text(Some(value)),
    Option<&'a str> => |value| Param::Text(value),
    &'a Option<String> => |value| Param::Text(value.as_deref()),
}

/// A parameter that is kept until its statement runs.
#[derive(Clone, Debug)]
pub enum KeptParam {
    /// An integer.
    Int(i64),
    /// A text.
    Text(String),
}

impl<'a> From<&'a KeptParam> for Param<'a> {
    fn from(kept: &'a KeptParam) -> Self {
        match kept {
            KeptParam::Int(value) => Param::Int(Some(*value)),
            KeptParam::Text(value) => Param::Text(Some(value)),
        }
    }
}

/// The parameters of a statement, in the order of their numbers.
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::engine::sql::Param::from($value)),*] };
}
pub(crate) use params;

impl rusqlite::ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        use rusqlite::types::{ToSqlOutput, ValueRef};
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Int(Some(value)) => ValueRef::Integer(*value),
            Self::Text(Some(value)) => ValueRef::Text(value.as_bytes()),
            Self::Int(None) | Self::Text(None) => ValueRef::Null,
        }))
    }
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Int(value) => value.to_sql(ty, out),
            Self::Text(value) => value.to_sql(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        <i64 as ToSql>::accepts(ty) || <&str as ToSql>::accepts(ty)
    }

    to_sql_checked!();
}

/// A text from PostgreSQL that is not checked for UTF-8 again, because the database checked it.
struct Unchecked<'r>(&'r [u8]);

impl<'r> FromSql<'r> for Unchecked<'r> {
    fn from_sql(_: &Type, raw: &'r [u8]) -> std::result::Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(raw))
    }

    fn accepts(ty: &Type) -> bool {
        <&str as FromSql<'_>>::accepts(ty)
    }
}

/// A row being read. Texts are borrowed from the engine's own buffer, so a page is shaped without copying them.
pub enum Row<'r> {
    /// The current row of a SQLite query.
    Sqlite(&'r rusqlite::Row<'r>),
    /// A row that PostgreSQL sent, and how many of its columns the statement has by itself.
    Postgres(&'r tokio_postgres::Row, usize),
}

impl Row<'_> {
    /// How many columns there are.
    pub fn columns(&self) -> usize {
        match self {
            Self::Sqlite(row) => row.as_ref().column_count(),
            Self::Postgres(_, columns) => *columns,
        }
    }

    /// The integer in this column, or nothing for NULL.
    pub fn opt_int(&self, column: usize) -> Result<Option<i64>> {
        match self {
            Self::Sqlite(row) => Ok(row.get_ref(column)?.as_i64_or_null().map_err(Error::internal)?),
            Self::Postgres(row, _) => Ok(row.try_get(column)?),
        }
    }

    /// The text in this column, or nothing for NULL.
    pub fn opt_text(&self, column: usize) -> Result<Option<&str>> {
        match self {
            Self::Sqlite(row) => Ok(row.get_ref(column)?.as_str_or_null().map_err(Error::internal)?),
            Self::Postgres(row, _) => Ok(row.try_get(column)?),
        }
    }

    /// The integer in this column.
    pub fn int(&self, column: usize) -> Result<i64> {
        self.opt_int(column)?.ok_or_else(|| Error::internal(format!("column {column} is NULL")))
    }

    /// The text in this column.
    pub fn text(&self, column: usize) -> Result<&str> {
        self.opt_text(column)?.ok_or_else(|| Error::internal(format!("column {column} is NULL")))
    }

    /// The bytes of the text in this column, for callers that only pass it on.
    pub fn bytes(&self, column: usize) -> Result<&[u8]> {
        match self {
            Self::Sqlite(row) => Ok(row.get_ref(column)?.as_bytes().map_err(Error::internal)?),
            Self::Postgres(row, _) => Ok(row.try_get::<_, Unchecked<'_>>(column)?.0),
        }
    }

    /// The flag in this column.
    pub fn flag(&self, column: usize) -> Result<bool> {
        Ok(self.int(column)? != 0)
    }

    /// The stamp in this column.
    pub fn stamp(&self, column: usize) -> Result<Stamp> {
        self.int(column).map(Stamp::from_micros)
    }

    /// The stamp in this column, or nothing for NULL.
    pub fn opt_stamp(&self, column: usize) -> Result<Option<Stamp>> {
        Ok(self.opt_int(column)?.map(Stamp::from_micros))
    }

    /// The value in this column, parsed from its name.
    pub fn named<T>(&self, column: usize, parse: impl Fn(&str) -> Option<T>) -> Result<T> {
        let name = self.text(column)?;
        parse(name).ok_or_else(|| Error::internal(format!("column {column} has the unknown value {name}")))
    }
}
