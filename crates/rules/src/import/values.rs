//! The values of a line, each parsed by its rule. A fault names the line and the field.

use serde::de::DeserializeOwned;

use taquilla_domain::{
    clock::Stamp,
    config::ITEMS_MAX,
    count::Count,
    door_note::DoorNote,
    id,
    invalid::Invalid,
    money::{Amount, Currency},
    text::{Name, Text, detail},
};
use taquilla_store::import::staging::{Staged, Table, Value};
use taquilla_wire::strict_json;

use super::fault::Fault;

/// The line being parsed, which every fault names.
#[derive(Clone, Copy)]
pub(super) struct LinePlace {
    pub number: i64,
    pub now: Stamp,
}

pub(super) type Checked<T> = Result<T, Fault>;

impl LinePlace {
    pub fn fault<T>(self, field: impl Into<String>, message: impl Into<String>) -> Checked<T> {
        Err(Fault { line: self.number, field: Some(field.into()), message: message.into() })
    }

    pub fn read<T: DeserializeOwned>(self, text: &[u8]) -> Checked<T> {
        strict_json::read(text).map_err(|fault| Fault { line: self.number, field: fault.field, message: fault.message })
    }

    pub fn staged(self, table: Table, columns: Vec<(&'static str, Value)>) -> Staged {
        Staged { table, line: self.number, columns }
    }

    pub fn id(self, field: &str, value: String) -> Checked<String> {
        match id::is_plausible(&value) {
            true => Ok(value),
            false => self.fault(field, id::FORM),
        }
    }

    pub fn opt_id(self, field: &str, value: Option<String>) -> Checked<Option<String>> {
        value.map(|value| self.id(field, value)).transpose()
    }

    /// The parsed value, or a fault in this field.
    pub fn valid<T>(self, field: &str, parsed: Result<T, Invalid>) -> Checked<T> {
        parsed.or_else(|invalid| self.fault(field, invalid.to_string()))
    }

    pub fn name(self, field: &str, value: String) -> Checked<String> {
        self.valid(field, Name::parse(&value)).map(String::from)
    }

    /// A personal detail; an unknown one is empty.
    pub fn detail(self, field: &str, value: Option<String>) -> Checked<String> {
        self.valid(field, detail(&value.unwrap_or_default()))
    }

    pub fn opt_detail(self, field: &str, value: Option<String>) -> Checked<Option<String>> {
        value.map(|value| self.valid(field, detail(&value))).transpose()
    }

    pub fn door_note(self, value: Option<String>) -> Checked<DoorNote> {
        self.valid("door_note", DoorNote::parse(&value.unwrap_or_default()))
    }

    pub fn opt_text(self, field: &str, value: Option<String>) -> Checked<Option<Text>> {
        value.map(|value| self.valid(field, Text::parse(&value))).transpose()
    }

    pub fn currency(self, value: String) -> Checked<Currency> {
        self.valid("currency", Currency::parse(&value))
    }

    pub fn amount(self, field: &str, value: i64) -> Checked<i64> {
        self.valid(field, Amount::new(value)).map(Amount::get)
    }

    pub fn count(self, field: &str, value: i64, least: i64) -> Checked<i64> {
        self.valid(field, Count::at_least(least, value)).map(Count::get)
    }

    pub fn not_too_many(self, field: &str, count: usize) -> Checked<()> {
        match count <= ITEMS_MAX {
            true => Ok(()),
            false => self.fault(field, format!("there are more than {ITEMS_MAX} of them")),
        }
    }

    pub fn opt_stamp(self, field: &str, value: Option<String>) -> Checked<Option<Stamp>> {
        let Some(value) = value else { return Ok(None) };
        match Stamp::parse(&value) {
            Some(stamp) => Ok(Some(stamp)),
            None => self.fault(field, "an RFC 3339 timestamp is expected, such as 2026-09-05T22:41:07Z"),
        }
    }

    /// A past stamp. A future stamp would hide from pollers what happens until then.
    pub fn opt_past(self, field: &str, value: Option<String>) -> Checked<Option<Stamp>> {
        match self.opt_stamp(field, value)? {
            Some(stamp) if stamp > self.now => self.fault(field, "this time is in the future"),
            stamp => Ok(stamp),
        }
    }

    /// A value parsed from its name.
    pub fn named<T: Copy>(
        self,
        field: &str,
        value: Option<String>,
        default: T,
        all: &'static [T],
        name_of: fn(T) -> &'static str,
    ) -> Checked<T> {
        let Some(value) = value else { return Ok(default) };
        match all.iter().find(|known| name_of(**known) == value) {
            Some(known) => Ok(*known),
            None => {
                let names: Vec<&str> = all.iter().map(|known| name_of(*known)).collect();
                self.fault(field, format!("one of {} is expected", names.join(", ")))
            }
        }
    }
}
