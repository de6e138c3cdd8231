//! Letting a ticket's holder in.

use super::{Result, begin, find_ticket, tell_tickets};
use crate::{
    domain::{clock::Stamp, moves::TicketMove},
    store::{
        Store,
        outbox::EventKind,
        producers::Tenant,
        ticket_rows::{self, Mark},
    },
    transaction,
};

/// Records that a ticket entered at a station. For one ticket this succeeds once (G4).
pub async fn scan(store: &Store, tenant: Tenant, id: &str, station: &str, now: Stamp) -> Result<()> {
    transaction!(store, |tx| {
        let mut tick = begin(tx, tenant, now).await?;
        let (mut ticket, after) = find_ticket(tx, tenant, id, TicketMove::Scan).await?;
        ticket_rows::mark(tx, tenant, &mut ticket, after, Mark::Scanned(station), tick.stamp).await?;
        tell_tickets(tx, tenant, &mut tick, EventKind::TicketScanned, &[&ticket]).await
    })
}
