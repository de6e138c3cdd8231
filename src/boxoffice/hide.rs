//! Hiding a test or staff ticket.

use super::common::{release, tell_hidden};
use crate::{
    domain::{clock::Stamp, refusal::Refusal},
    store::{
        ChangeResult, Store, Tenant,
        tickets::rows::{self, Mark},
    },
    transaction,
};

/// Hides a ticket: it leaves all lists and counts, and still works at the door. Hiding it again changes nothing.
pub async fn hide(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> ChangeResult<()> {
    transaction!(store.begin_move(tenant, now), |tx| {
        let mut ticket = rows::state(tx, tenant, id).await?.ok_or(Refusal::NotFound("ticket"))?;
        if ticket.hidden {
            return Ok(());
        }
        let (status, counted) = (ticket.status, ticket.counts());
        rows::mark(tx, &mut ticket, status, Mark::Hidden).await?;
        if counted {
            release(tx, &ticket).await?;
        }
        tell_hidden(tx, &ticket).await
    })
}
