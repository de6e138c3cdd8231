//! What somebody wants as a file: a kind of rows, a format and filters.

use jiff::tz::TimeZone;

use taquilla_domain::{
    admit::Outcome,
    clock::Stamp,
    days,
    personal::Sees,
    status::{OrderStatus, TicketStatus},
};
use taquilla_http::errors::Error;
use taquilla_pages::query::Query;
use taquilla_store::Conn;

use crate::{
    access::{Export, Member},
    chosen_event::{self, ChosenEvent},
    csv::Separator,
};

/// What can be taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Tickets.
    Tickets,
    /// Orders.
    Orders,
    /// Scans.
    Scans,
    /// Payments.
    Payments,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Tickets, Self::Orders, Self::Scans, Self::Payments];

    /// Its name in addresses and texts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tickets => "tickets",
            Self::Orders => "orders",
            Self::Scans => "scans",
            Self::Payments => "payments",
        }
    }

    /// The statuses by which rows of this kind are filtered.
    pub fn statuses(self) -> Vec<&'static str> {
        match self {
            Self::Tickets => TicketStatus::ALL.iter().map(|status| status.as_str()).collect(),
            Self::Orders => OrderStatus::ALL.iter().map(|status| status.as_str()).collect(),
            Self::Scans => Outcome::ALL.iter().map(|outcome| outcome.as_str()).collect(),
            Self::Payments => vec![],
        }
    }
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table for people and spreadsheets.
    Csv,
    /// A JSON object on each line, for programs.
    JsonLines,
}

/// Whose clocks the times in a table are by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clocks {
    /// Those of each row's event.
    Event,
    /// UTC.
    Utc,
}

/// What somebody wants as a file.
pub struct ExportQuery {
    /// The rows.
    pub kind: Kind,
    /// How they are written.
    pub format: Format,
    /// Only rows of this event.
    pub event: Option<ChosenEvent>,
    /// Only rows of this status.
    pub status: Option<&'static str>,
    /// Only rows from this moment on.
    pub from: Option<Stamp>,
    /// Only rows before this moment.
    pub to: Option<Stamp>,
    /// Whose clocks times are by.
    pub clocks: Clocks,
    /// What separates the cells of a table.
    pub separator: Separator,
    /// The producer's time zone, for rows of no event.
    pub zone: String,
    /// Whether people, and what opens doors, are seen in it.
    pub sees: Sees,
}

/// What separates the cells of a table: what was asked for, else what the spreadsheets of the reader's language want.
pub fn separator<N>(member: &Member<N>, query: &Query) -> Result<Separator, Error> {
    match query.get("separator") {
        None => Ok(Separator::of(member.layout.t.0)),
        Some(name) => Separator::parse(name)
            .ok_or_else(|| Error::invalid("separator", "cells are separated by comma or semicolon")),
    }
}

impl ExportQuery {
    /// Reads what a file's name and the query ask for. Everything must be right: a file that is not what was asked for
    /// would be taken for it.
    pub async fn read(conn: &mut Conn, member: &Member<Export>, file: &str, query: &Query) -> Result<Self, Error> {
        let (name, ending) = file.split_once('.').ok_or(Error::NotFound("page"))?;
        let kind = Kind::ALL.into_iter().find(|kind| kind.as_str() == name).ok_or(Error::NotFound("page"))?;
        let format = match ending {
            "csv" => Format::Csv,
            "jsonl" => Format::JsonLines,
            _ => return Err(Error::NotFound("page")),
        };
        let event = match query.get("event") {
            Some(id) => Some(chosen_event::find(conn, member.tenant(), id).await?),
            None => None,
        };
        let status = match query.get("status") {
            Some(given) => {
                let known = kind.statuses().into_iter().find(|status| *status == given);
                Some(known.ok_or_else(|| Error::invalid("status", "there is no such status"))?)
            }
            None => None,
        };
        let clocks = match query.get("zone") {
            None | Some("event") => Clocks::Event,
            Some("utc") => Clocks::Utc,
            Some(_) => return Err(Error::invalid("zone", "times are by the clocks of the event, or utc")),
        };
        let zone = member.producer.time_zone.clone();
        let days_zone = match clocks {
            Clocks::Utc => TimeZone::UTC,
            Clocks::Event => days::zone(event.as_ref().map_or(&zone, |event| &event.time_zone)),
        };
        let day = |name: &'static str| match query.get(name) {
            Some(text) => days::parse(text.trim())
                .map(Some)
                .ok_or_else(|| Error::invalid(name, "this is no day, such as 2026-11-01")),
            None => Ok(None),
        };
        let (from, to) = (day("from")?, day("to")?);
        Ok(Self {
            kind,
            format,
            event,
            status,
            from: from.map(|day| days::beginning(day, &days_zone)),
            to: to.and_then(|day| day.tomorrow().ok()).map(|day| days::beginning(day, &days_zone)),
            clocks,
            separator: separator(member, query)?,
            zone,
            sees: member.sees(),
        })
    }

    /// Whether a moment is between the days that are wanted.
    pub fn has(&self, at: Stamp) -> bool {
        self.from.is_none_or(|from| at >= from) && self.to.is_none_or(|to| at < to)
    }
}
