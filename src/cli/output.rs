//! What commands print: tables for people, JSON for machines.

use std::io::Write;

use clap::Args;
use comfy_table::{ColumnConstraint, ContentArrangement, Row, Table, Width, presets::NOTHING};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use taquilla_domain::{
    clock::Stamp,
    config::{TABLE_ID_WIDTH, TABLE_WIDTH},
    refusal::Refusal,
};
use taquilla_store::ChangeError;

use super::printable::{printable, printable_json};

#[derive(Args)]
pub struct Output {
    /// Print JSON for machines instead of a table for people
    #[arg(long)]
    pub json: bool,
    /// Print every column and every value whole, however wide the table becomes
    #[arg(long)]
    pub wide: bool,
}

/// A column of a list.
#[derive(Clone, Copy)]
pub enum Column {
    /// Something that people copy. It is never wrapped.
    Id(&'static str),
    /// Something short that makes no sense when it is cut: a status, a moment, a count.
    Fact(&'static str),
    /// Anything else. It is cut where there is no room.
    Text(&'static str),
}

impl Column {
    fn name(self) -> &'static str {
        match self {
            Self::Id(name) | Self::Fact(name) | Self::Text(name) => name,
        }
    }
}

/// The fields of one thing that people copy. They are never wrapped.
const COPIED: &[&str] = &[
    "id",
    "event",
    "order",
    "bundle",
    "payment",
    "passed on as",
    "reference",
    "access code",
    "key",
    "secret",
    "token",
    "link",
    "callback",
    "url",
    "message",
];

impl Output {
    /// Prints one thing: its fields one below the other, or as one JSON object. Long values are wrapped, except those
    /// that people copy.
    pub fn one(&self, value: &impl Serialize, fields: &[(&str, String)]) -> anyhow::Result<()> {
        if self.json {
            return print_json(value);
        }
        let names = fields.iter().map(|(name, _)| name.width()).max().unwrap_or(0) as u16 + PADDING;
        let room = usize::from(TABLE_WIDTH.saturating_sub(names + PADDING));
        let fields: Vec<(&str, String)> = fields.iter().map(|(name, value)| (*name, printable(value))).collect();
        let is_whole = |field: &(&str, String)| self.wide || (COPIED.contains(&field.0) && field.1.width() > room);
        // A table wraps a column or does not, so fields that follow each other make a table of their own.
        for part in fields.chunk_by(|field, next| is_whole(field) == is_whole(next)) {
            let mut table = if is_whole(&part[0]) { table() } else { narrow_table() };
            for (name, value) in part {
                table.add_row([*name, value]);
            }
            if let Some(column) = table.column_mut(0) {
                column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(names)));
            }
            say(&table.to_string())?;
        }
        Ok(())
    }

    /// Prints a list: a row each, or a JSON array of what each is shown as. `more` are the columns of `--wide`; their
    /// cells follow the others in each row.
    pub fn list<'v, T, S: Serialize>(
        &self,
        values: &'v [T],
        columns: &[Column],
        more: &[Column],
        shown: impl Fn(&'v T) -> S,
        row: impl Fn(&T) -> Vec<String>,
    ) -> anyhow::Result<()> {
        if self.json {
            return print_json(&values.iter().map(shown).collect::<Vec<_>>());
        }
        let more = if self.wide { more } else { &[] };
        let columns = [columns, more].concat();
        let rows = values.iter().map(row).map(|cells| cells.iter().map(|cell| printable(cell)).collect());
        say(&lines(&columns, rows, self.wide).join("\n"))
    }
}

/// The lines of a list. Without `--wide` a row is one line, before which stand the ids that are too long for it.
fn lines(columns: &[Column], rows: impl Iterator<Item = Vec<String>>, wide: bool) -> Vec<String> {
    let mut table = if wide { table() } else { narrow_table() };
    // Cut anywhere, not only between words.
    table.set_truncation_indicator("…").set_delimiter('\0');
    let one_line = |cells: Vec<String>| {
        let mut row = Row::from(cells);
        row.max_height(1);
        row
    };
    table.set_header(one_line(columns.iter().map(|column| column.name().to_owned()).collect()));
    let mut too_long = Vec::new();
    for mut cells in rows {
        let mut alone = Vec::new();
        for (column, cell) in columns.iter().zip(&mut cells) {
            if !wide && matches!(column, Column::Id(_)) && cell.width() > TABLE_ID_WIDTH {
                alone.push(format!(" {cell}"));
                *cell = beginning(cell);
            }
        }
        cells.truncate(columns.len());
        too_long.push(alone);
        table.add_row(one_line(cells));
    }
    for (column, kind) in table.column_iter_mut().zip(columns) {
        if !matches!(kind, Column::Text(_)) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    let before = std::iter::once(Vec::new()).chain(too_long);
    table.lines().zip(before).flat_map(|(line, before)| before.into_iter().chain([line])).collect()
}

/// As much of a long id as a column has room for.
fn beginning(id: &str) -> String {
    let mut shown = String::new();
    for letter in id.chars() {
        shown.push(letter);
        if shown.width() >= TABLE_ID_WIDTH {
            shown.pop();
            break;
        }
    }
    shown + "…"
}

/// The spaces around the text of a cell.
const PADDING: u16 = 2;

fn table() -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table
}

/// A table of [`TABLE_WIDTH`], on a terminal of any width and where there is none: what people see and what a file gets
/// is the same.
fn narrow_table() -> Table {
    let mut table = table();
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(TABLE_WIDTH);
    table
}

fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    say(&printable_json(serde_json::to_string(value)?))
}

/// A refusal, with its code.
pub fn refused(error: ChangeError) -> anyhow::Error {
    match error {
        ChangeError::Refused(refusal @ (Refusal::Held { .. } | Refusal::HoldEnded { .. })) => {
            anyhow::anyhow!("{refusal} Say --past-holds to take them all the same. ({})", refusal.code())
        }
        ChangeError::Refused(refusal) => anyhow::anyhow!("{} ({})", refusal, refusal.code()),
        ChangeError::Store(cause) => cause.into(),
    }
}

/// A moment as a person reads it, to the second.
pub fn moment(at: Option<Stamp>) -> String {
    at.map_or_else(|| "–".into(), |at| format!("{}Z", &at.to_string()[..19]).replace('T', " "))
}

/// A moment by the clocks of a time zone, to the minute. In a zone that this machine does not know, it is in UTC.
pub fn local_moment(at: Option<Stamp>, zone: &str) -> String {
    let local = at.and_then(|at| jiff::Timestamp::from_microsecond(at.micros()).ok()?.in_tz(zone).ok());
    local.map_or_else(|| moment(at), |local| local.strftime("%Y-%m-%d %H:%M").to_string())
}

/// Prints to standard output. A reader that has seen enough and went away is no error.
pub fn say(text: &str) -> anyhow::Result<()> {
    match writeln!(std::io::stdout(), "{text}") {
        Err(cause) if cause.kind() != std::io::ErrorKind::BrokenPipe => Err(cause.into()),
        _ => Ok(()),
    }
}
