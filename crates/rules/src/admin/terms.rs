//! Making and ending terms that buyers accept.

use taquilla_domain::{
    audit::{Action, By},
    id,
    refusal::Refusal,
    terms::{NewTerms, Terms},
};
use taquilla_store::{
    ChangeResult, Move, Store, Tenant, catalogue::events, sales::terms as rows, staff::audit, transaction,
};

/// Has the buyers of an event, or of all events of the producer that have none of their own, accept these terms from now on
/// instead of those before. The same terms again change nothing.
pub async fn set(store: &Store, tenant: Tenant, event_id: Option<&str>, terms: &NewTerms, by: &By) -> ChangeResult<()> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        let before = made_for(tx, tenant, event_id).await?;
        if before.as_ref().is_some_and(|before| terms.are(before)) {
            return Ok(());
        }
        let id = id::new_id("te", tx.stamp());
        rows::end(tx, event_id).await?;
        rows::insert(tx, &id, event_id, terms).await?;
        Ok(audit::add(tx, Some(tenant), by, Action::TermsMade, &id, &details(event_id)).await?)
    })
}

/// Has nobody accept them any more. Orders keep what their buyers accepted. Without terms it changes nothing.
pub async fn end(store: &Store, tenant: Tenant, event_id: Option<&str>, by: &By) -> ChangeResult<()> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        let Some(before) = made_for(tx, tenant, event_id).await? else { return Ok(()) };
        rows::end(tx, event_id).await?;
        Ok(audit::add(tx, Some(tenant), by, Action::TermsEnded, &before.id, &details(event_id)).await?)
    })
}

async fn made_for(tx: &mut Move, tenant: Tenant, event_id: Option<&str>) -> ChangeResult<Option<Terms>> {
    if let Some(event_id) = event_id
        && !events::exists(tx, tenant, event_id).await?
    {
        return Err(Refusal::NotFound("event").into());
    }
    Ok(rows::made_for(tx, tenant, event_id).await?)
}

fn details(event_id: Option<&str>) -> Vec<(&'static str, &str)> {
    event_id.map(|event_id| ("event", event_id)).into_iter().collect()
}
