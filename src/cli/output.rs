//! What commands print: a table for people, one JSON object for machines.

use std::io::Write;

use clap::Args;
use comfy_table::{ContentArrangement, Table, presets::NOTHING};
use serde::Serialize;

use super::printable::{printable, printable_json};
use crate::{domain::clock::Stamp, store::ChangeError};

#[derive(Args)]
pub struct Output {
    /// Print JSON for machines instead of a table for people
    #[arg(long)]
    pub json: bool,
}

impl Output {
    /// Prints one thing: its fields one below the other, or as one JSON object.
    pub fn one(&self, value: &impl Serialize, fields: &[(&str, String)]) -> anyhow::Result<()> {
        if self.json {
            return print_json(value);
        }
        let mut table = table();
        for (name, value) in fields {
            table.add_row([*name, &printable(value)]);
        }
        say(&table.to_string())
    }

    /// Prints a list: a row each, or a JSON array of what each is shown as.
    pub fn list<'v, T, S: Serialize>(
        &self,
        values: &'v [T],
        header: &[&str],
        shown: impl Fn(&'v T) -> S,
        row: impl Fn(&T) -> Vec<String>,
    ) -> anyhow::Result<()> {
        if self.json {
            return print_json(&values.iter().map(shown).collect::<Vec<_>>());
        }
        let mut table = table();
        table.set_header(header);
        for value in values {
            table.add_row(row(value).iter().map(|cell| printable(cell)));
        }
        say(&table.to_string())
    }
}

fn table() -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table
}

fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    say(&printable_json(serde_json::to_string(value)?))
}

/// A refusal, with its code.
pub fn refused(error: ChangeError) -> anyhow::Error {
    match error {
        ChangeError::Refused(refusal) => anyhow::anyhow!("{} ({})", refusal, refusal.code()),
        ChangeError::Store(cause) => cause.into(),
    }
}

/// A moment as a person reads it, to the second.
pub fn moment(at: Option<Stamp>) -> String {
    at.map_or_else(|| "–".into(), |at| format!("{}Z", &at.to_string()[..19]).replace('T', " "))
}

/// Prints to standard output. A reader that has seen enough and went away is no error.
pub fn say(text: &str) -> anyhow::Result<()> {
    match writeln!(std::io::stdout(), "{text}") {
        Err(cause) if cause.kind() != std::io::ErrorKind::BrokenPipe => Err(cause.into()),
        _ => Ok(()),
    }
}
