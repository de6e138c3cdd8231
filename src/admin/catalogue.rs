//! Creating and changing events, ticket types and bundles. New ones are lines of an import, also one at a time.

use serde_json::Value;

use crate::{
    boxoffice::PastHolds,
    domain::{
        clock::Stamp,
        count::Count,
        event::in_order,
        id,
        money::Amount,
        refusal::Refusal,
        status::TypeStatus,
        stock::Offer,
        text::{Name, Text},
    },
    import,
    store::{
        self, ChangeError, ChangeResult, Store, Tenant,
        catalogue::{
            changes::{self, Changeable},
            events, ticket_types,
        },
        sales::holds,
    },
    time_source::TimeSource,
    transaction,
};

pub use crate::store::catalogue::changes::EventChange;

/// Creates one event, ticket type or bundle from a line of an import, with all its checks.
pub async fn create(store: &Store, tenant: Tenant, line: &Value, time: &TimeSource) -> ChangeResult<()> {
    match import::create(store, tenant, &line.to_string(), time).await {
        Ok(_) => Ok(()),
        Err(import::Error::Line(fault)) => {
            Err(Refusal::invalid(fault.field.unwrap_or_else(|| "line".into()), fault.message).into())
        }
        Err(import::Error::Store(cause)) => Err(ChangeError::Store(cause)),
        Err(import::Error::Read(cause)) => Err(store::Error::internal(cause).into()),
    }
}

/// Changes an event.
pub async fn change_event(
    store: &Store,
    tenant: Tenant,
    id: &str,
    change: &EventChange,
    now: Stamp,
) -> ChangeResult<()> {
    transaction!(store.begin_move(tenant, now), |tx| {
        let times = events::find(tx, tenant, id, |event| (event.starts_at, event.ends_at)).await?;
        let (starts_at, ends_at) = times.ok_or(Refusal::NotFound("event"))?;
        // Both that are there may have been imported out of order; then they are only put right together.
        if change.starts_at.is_some() || change.ends_at.is_some() {
            in_order(change.starts_at.or(starts_at), change.ends_at.or(ends_at))
                .map_err(|invalid| invalid.in_field("ends_at"))?;
        }
        Ok(changes::change_event(tx, id, change).await?)
    })
}

/// A change to a ticket type or bundle; `None` leaves a field as it is.
#[derive(Clone, Debug, Default)]
pub struct TicketTypeChange {
    /// Its name.
    pub name: Option<Name>,
    /// Its list price.
    pub price: Option<Amount>,
    /// Its status.
    pub status: Option<TypeStatus>,
    /// Its stock; `Some(None)` is unlimited.
    pub limit: Option<Option<Count>>,
    /// How many one order may hold.
    pub max_per_order: Option<Count>,
    /// When its sale ends; `Some(None)` is never.
    pub expires_at: Option<Option<Stamp>>,
    /// What buyers read about it.
    pub description: Option<Text>,
    /// Its place among the event's items.
    pub sort_order: Option<Count>,
    /// Whether it is deleted. Its tickets work in either case.
    pub deleted: Option<bool>,
    /// Whether a new limit may take away what pending orders hold.
    pub past_holds: PastHolds,
}

/// Changes an item. It gets an access code when it first becomes hidden.
pub async fn change_ticket_type(
    store: &Store,
    tenant: Tenant,
    id: &str,
    change: &TicketTypeChange,
    now: Stamp,
) -> ChangeResult<()> {
    transaction!(store.begin_move(tenant, now), |tx| {
        let item = ticket_types::find_for_sale(tx, tenant, id).await?.ok_or(Refusal::NotFound("ticket type"))?;
        let offer = &item.offer;
        let limit = change.limit.map_or(offer.limit, |limit| limit.map(Count::get));
        if limit.is_some_and(|limit| limit < offer.sold) {
            return Err(Refusal::LimitBelowSold(offer.sold).into());
        }
        if let (Some(Some(limit)), PastHolds::No) = (change.limit, change.past_holds)
            && offer.limit.is_none_or(|before| limit.get() < before)
        {
            let held = holds::held_now(tx, tenant, &[id]).await?;
            let (held, held_until) = held.get(id).map_or((0, None), |held| (held.quantity, Some(held.until)));
            Offer { limit: Some(limit.get()), held, held_until, ..offer.clone() }.is_free(0, tx.now())?;
        }
        let status = change.status.unwrap_or(offer.status);
        let access_code = match &offer.access_code {
            None if status == TypeStatus::Hidden => Some(id::new_ticket_id()),
            code => code.clone(),
        };
        let after = Changeable {
            name: change.name.as_ref().map_or(&item.name, Name::as_str),
            price: change.price.map_or(item.price, Amount::get),
            status,
            limit,
            max_per_order: change.max_per_order.map_or(offer.max_per_order, Count::get),
            expires_at: change.expires_at.unwrap_or(offer.expires_at),
            deleted: change.deleted.unwrap_or(offer.deleted),
            description: change.description.as_ref().map(Text::as_str),
            sort_order: change.sort_order.map(Count::get),
        };
        Ok(changes::change_ticket_type(tx, &item, &after, access_code.as_deref()).await?)
    })
}
