//! The rows that Taquilla wrote for one order, to be copied. Ids, seqs and stamps are new in each copy.

use std::collections::BTreeMap;

use rand::RngExt;
use serde_json::{Map, Value};
use taquilla_domain::{clock::Stamp, id};

use crate::Failure;

/// The columns whose texts are new in each copy, wherever they stand in it.
const IDS: [(&str, &str); 6] = [
    ("orders", "id"),
    ("orders", "reference"),
    ("tickets", "id"),
    ("tickets", "attendee_id"),
    ("outbox", "id"),
    ("idempotency_keys", "key"),
];
/// The order in which tables are written: an item refers to its order.
const TABLES: [&str; 5] = ["orders", "order_items", "tickets", "outbox", "idempotency_keys"];

/// The rows of one order, with holes for what is new in each copy.
pub struct Template {
    pub producer: i64,
    pub ticket_type: String,
    pub tables: Vec<Table>,
    /// The ids of the order that was copied.
    ids: Vec<String>,
}

pub struct Table {
    name: &'static str,
    pub columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

enum Cell {
    Number(i64),
    Seq,
    Stamp,
    Text(Vec<Part>),
}

enum Part {
    Same(String),
    /// The new id in place of this one.
    Id(usize),
}

/// One column of all rows that are written to a table together.
pub enum Column {
    Numbers(Vec<i64>),
    Texts(Vec<String>),
}

impl Template {
    /// Parses an object with the rows of each table, each an object. Columns that are NULL are left out.
    pub fn parse(json: &str) -> Result<Self, Failure> {
        let mut tables: BTreeMap<String, Vec<Map<String, Value>>> = serde_json::from_str(json)?;
        for row in tables.values_mut().flatten() {
            row.retain(|_, value| !value.is_null());
        }
        let mut ids = Vec::new();
        for (table, column) in IDS {
            let rows = tables.get(table).ok_or_else(|| format!("the template has no {table}"))?;
            ids.extend(rows.iter().filter_map(|row| row.get(column)?.as_str().map(str::to_owned)));
        }
        let first = |table: &str, column: &str| tables.get(table).and_then(|rows| rows.first()?.get(column));
        Ok(Self {
            producer: first("orders", "producer_id").and_then(Value::as_i64).ok_or("an order has a producer")?,
            ticket_type: first("tickets", "ticket_type_id").and_then(Value::as_str).unwrap_or_default().to_owned(),
            tables: TABLES.iter().map(|name| Table::parse(name, &tables[*name], &ids)).collect::<Result<_, _>>()?,
            ids,
        })
    }

    /// As many copies as a group has, by table and column.
    pub fn copies(&self, group: usize, stamp: i64, mut seq: i64) -> Vec<Vec<Column>> {
        let mut written: Vec<Vec<Column>> = self.tables.iter().map(Table::empty).collect();
        for _ in 0..group {
            let ids: Vec<String> = self.ids.iter().map(|old| new_in_place_of(old, stamp)).collect();
            for (table, columns) in self.tables.iter().zip(&mut written) {
                for row in &table.rows {
                    seq += 1;
                    for (cell, column) in row.iter().zip(&mut *columns) {
                        column.push(cell, &ids, stamp, seq);
                    }
                }
            }
        }
        written
    }
}

/// Ids with a prefix sort by time, the others are random, as Taquilla makes them.
fn new_in_place_of(old: &str, stamp: i64) -> String {
    match old.split_once('_') {
        Some((prefix, _)) => id::new_id(prefix, Stamp::from_micros(stamp)),
        None if old.len() == 26 => id::new_ticket_id(),
        None => {
            let mut random = rand::rng();
            old.chars().map(|_| char::from_digit(random.random_range(0..16), 16).unwrap_or('0')).collect()
        }
    }
}

impl Table {
    fn parse(name: &'static str, rows: &[Map<String, Value>], ids: &[String]) -> Result<Self, Failure> {
        let columns: Vec<String> = rows.first().ok_or(format!("{name} has no row"))?.keys().cloned().collect();
        let cell = |column: &String, row: &Map<String, Value>| match row.get(column) {
            Some(Value::Number(_)) if column == "seq" => Ok(Cell::Seq),
            Some(Value::Number(_)) if column.ends_with("_at") => Ok(Cell::Stamp),
            Some(Value::Number(number)) => Ok(Cell::Number(number.as_i64().ok_or("a number is too large")?)),
            Some(Value::String(text)) => Ok(Cell::Text(parts(text, ids))),
            _ => Err(Failure::from(format!("{name}.{column} is not in every row"))),
        };
        let rows = rows.iter().map(|row| columns.iter().map(|column| cell(column, row)).collect());
        Ok(Self { name, rows: rows.collect::<Result<_, _>>()?, columns })
    }

    pub fn empty(&self) -> Vec<Column> {
        let column = |cell: &Cell| match cell {
            Cell::Text(_) => Column::Texts(Vec::new()),
            _ => Column::Numbers(Vec::new()),
        };
        self.rows.first().map(|row| row.iter().map(column).collect()).unwrap_or_default()
    }

    /// An insertion of the values that the placeholders stand for.
    pub fn insert(&self, values: impl FnOnce(&Self) -> String) -> String {
        format!("INSERT INTO {} ({}) {}", self.name, self.columns.join(", "), values(self))
    }
}

/// A text, cut at the ids in it.
fn parts(text: &str, ids: &[String]) -> Vec<Part> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((at, number)) =
        ids.iter().enumerate().filter_map(|(number, id)| Some((rest.find(id.as_str())?, number))).min()
    {
        found.push(Part::Same(rest[..at].to_owned()));
        found.push(Part::Id(number));
        rest = &rest[at + ids[number].len()..];
    }
    found.push(Part::Same(rest.to_owned()));
    found
}

impl Column {
    fn push(&mut self, cell: &Cell, ids: &[String], stamp: i64, seq: i64) {
        match (self, cell) {
            (Self::Texts(texts), Cell::Text(parts)) => {
                let part = |part| match part {
                    &Part::Id(number) => ids[number].as_str(),
                    Part::Same(text) => text.as_str(),
                };
                texts.push(parts.iter().map(part).collect());
            }
            (Self::Numbers(numbers), Cell::Number(number)) => numbers.push(*number),
            (Self::Numbers(numbers), Cell::Stamp) => numbers.push(stamp),
            (Self::Numbers(numbers), _) => numbers.push(seq),
            (Self::Texts(texts), _) => texts.push(String::new()),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Texts(texts) => texts.len(),
        }
    }

    pub fn value(&self, row: usize) -> &dyn rusqlite::ToSql {
        match self {
            Self::Numbers(numbers) => &numbers[row],
            Self::Texts(texts) => &texts[row],
        }
    }
}
