//! The last entries of an event.

use taquilla_domain::{clock::Stamp, personal::Personal, status::TicketStatus};

use crate::{
    Conn, Result, Tenant,
    lists::{self, FIRST, Filter, First, Position, Source, Test},
};

/// The list of those who have entered, as people at the door see it: without the code.
pub const ENTERED: Source = Source {
    table: "tickets",
    columns: "t.attendee_name, t.checked_in_by, (SELECT y.name FROM ticket_types y \
              WHERE y.producer_id = ?1 AND y.id = t.ticket_type_id), t.issued_at",
    visible: " AND t.hidden = 0",
};

/// Somebody who has entered.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The ticket's place in the list by issue, which names it on pages.
    pub place: Position,
    /// When.
    pub at: Stamp,
    /// The name on the ticket.
    pub name: Personal<String>,
    /// The ticket type's name.
    pub ticket_type: String,
    /// The station, if it is known.
    pub station: Option<String>,
}

/// The filter of [`latest`].
pub fn filter(event_id: &str) -> Filter<'_> {
    let still_in = Test::OneOf("status", vec![TicketStatus::Scanned.as_str()]);
    let equal = vec![("event_id", event_id)];
    Filter {
        stamp: "checked_in_at",
        after: None,
        equal,
        also: vec![],
        statuses: vec![],
        tested: vec![still_in],
        first: First::Newest,
    }
}

/// The last entries, the latest first. Those whose ticket was cancelled or refunded since are left out.
pub async fn latest(conn: &mut Conn, tenant: Tenant, event_id: &str, limit: usize) -> Result<Vec<Entry>> {
    let mut entries = Vec::with_capacity(limit);
    let from = Position::above(Stamp::END);
    lists::page(conn, tenant, &ENTERED, &filter(event_id), from, limit, |row| {
        entries.push(Entry {
            place: Position { stamp: row.stamp(FIRST + 3)?, seq: row.int(1)? },
            at: row.stamp(0)?,
            name: Personal::new(row.text(FIRST)?.to_owned()),
            station: row.opt_text(FIRST + 1)?.map(str::to_owned),
            ticket_type: row.opt_text(FIRST + 2)?.unwrap_or_default().to_owned(),
        });
        Ok(())
    })
    .await?;
    Ok(entries)
}
