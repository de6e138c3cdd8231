//! New events, ticket types and bundles, by the rules of an import.

use std::collections::{HashMap, HashSet};

use taquilla_domain::{
    audit::{Action, By},
    clock::Stamp,
    config::COUNT_MAX,
    count::Count,
    id,
    invalid::Invalid,
    local_time,
    money::{Amount, Currency},
    pool::NewPool,
    refusal::Refusal,
    status::{EventStatus, ItemKind},
    surcharge::Surcharge,
    terms::NewTerms,
    text::{Name, Text},
    ticket_type::TicketType,
};
use taquilla_store::{
    ChangeError, ChangeResult, Store, Tenant,
    catalogue::{
        created::{self, CreatedRow},
        events, pools, ticket_types,
    },
    sales::{surcharges, terms},
    transaction,
};

use crate::import::{self, Content, New, NewEvent, NewInclude, NewItem};

/// Creates an event.
pub async fn create_event(store: &Store, tenant: Tenant, event: NewEvent, by: &By) -> ChangeResult<()> {
    create_all(store, tenant, vec![New::Event(event)], &[], &[], by).await
}

/// Creates a ticket type or bundle.
pub async fn create_item(store: &Store, tenant: Tenant, item: NewItem, by: &By) -> ChangeResult<()> {
    create_all(store, tenant, vec![New::Item(item)], &[], &[], by).await
}

async fn create_all(
    store: &Store,
    tenant: Tenant,
    new: Vec<New>,
    charged: &[Surcharge],
    details: &[(&'static str, String)],
    by: &By,
) -> ChangeResult<()> {
    let made: Vec<CreatedRow> = new.iter().map(|new| made(new, details)).collect();
    let rows = import::rows(new, by.now)
        .map_err(|fault| Refusal::invalid(fault.field.unwrap_or_else(|| "line".into()), fault.message))?;
    transaction!(store.begin_move(tenant, by.now), |tx| {
        if let Some((field, message)) = created::insert(tx, &rows).await? {
            return Err(ChangeError::from(Refusal::invalid(field, message)));
        }
        for surcharge in charged {
            surcharges::insert(tx, surcharge).await?;
        }
        created::note(tx, by, &made).await?;
        Ok(())
    })
}

/// What the history says of something new.
fn made(new: &New, details: &[(&'static str, String)]) -> CreatedRow {
    let (action, id, name) = match new {
        New::Event(event) => (Action::EventCreated, &event.id, &event.name),
        New::Item(item) => (Action::TicketTypeCreated, &item.id, &item.name),
        New::Pool(pool) => (Action::PoolCreated, &pool.id, &pool.name),
    };
    let details = std::iter::once(("name", name.as_str().to_owned())).chain(details.iter().cloned()).collect();
    CreatedRow { action, subject: id.clone(), details }
}

/// A value that was stored, or why it would not be taken anew.
fn again<T>(field: &str, parsed: Result<T, Invalid>) -> Result<T, Refusal> {
    parsed.map_err(|invalid| invalid.in_field(field))
}

fn text_again(field: &str, stored: Option<&str>) -> Result<Option<Text>, Refusal> {
    stored.map(|text| again(field, Text::parse(text))).transpose()
}

/// Makes a draft like an event, with all that it sells, its pools, its surcharges, its own terms and nothing sold, and returns its id. Coupons are
/// given to people, so those are not copied. What has a time keeps its
/// distance from the start; without a new start it has no time. Hidden items get access codes of their own.
pub async fn copy_event(
    store: &Store,
    tenant: Tenant,
    event_id: &str,
    name: &Name,
    starts_at: Option<Stamp>,
    by: &By,
) -> ChangeResult<String> {
    let mut conn = store.read().await?;
    let found = events::find_kept(&mut conn, tenant, event_id).await?;
    let event = found.ok_or(Refusal::NotFound("event"))?;
    let items = ticket_types::of_event(&mut conn, tenant, event_id, true).await?;
    let pools = pools::of_event(&mut conn, tenant, event_id).await?;
    let charged = surcharges::of_event(&mut conn, tenant, event_id).await?;
    let terms = terms::made_for(&mut conn, tenant, Some(event_id)).await?;
    drop(conn);
    let zone = event.zone();
    let moved = |at: Option<Stamp>| {
        let (from, to) = event.starts_at.zip(starts_at)?;
        local_time::moved(at?, from, to, &zone)
    };
    let id = id::new_id("ev", by.now);
    let mut new = vec![New::Event(NewEvent {
        id: id.clone(),
        name: name.clone(),
        description: text_again("description", event.description.as_deref())?,
        venue: text_again("venue", event.venue.as_deref())?,
        timezone: zone.clone(),
        starts_at,
        ends_at: moved(event.ends_at),
        currency: again("currency", Currency::told(&event.currency))?,
        status: EventStatus::Draft,
        image_url: text_again("image_url", event.image_url.as_deref())?,
        attendees_asked: event.attendees_asked,
        terms: terms
            .map(|terms| NewTerms::parse(terms.text.as_deref(), terms.url.as_deref()))
            .transpose()
            .map_err(|(field, invalid)| invalid.in_field(field))?,
        created_at: None,
    })];
    let copied = wanted(&items);
    let ids: HashMap<&str, String> = copied.iter().map(|item| (item.id.as_str(), id::new_id("tt", by.now))).collect();
    let copy_of = |old: &str| ids.get(old).cloned().unwrap_or_default();
    for item in copied {
        let includes = item
            .includes
            .iter()
            .map(|part| NewInclude { ticket_type_id: copy_of(&part.ticket_type_id), quantity: part.quantity });
        new.push(New::Item(NewItem {
            id: copy_of(&item.id),
            event_id: id.clone(),
            content: match item.kind {
                ItemKind::Bundle => Content::Bundle(includes.collect()),
                ItemKind::TicketType => Content::Single,
            },
            category: Some(item.category),
            name: again("name", Name::parse(&item.name))?,
            description: text_again("description", item.description.as_deref())?,
            image_url: text_again("image_url", item.image_url.as_deref())?,
            price: again("price", Amount::new(item.price))?,
            currency: None,
            status: item.status,
            deleted: item.deleted,
            limit: item.limit.map(|limit| again("limit", Count::at_least(0, limit))).transpose()?,
            max_per_order: Some(again("max_per_order", Count::at_least(0, item.max_per_order))?),
            min_per_order: Some(again("min_per_order", Count::at_least(1, item.min_per_order))?),
            on_sale_from: moved(item.on_sale_from),
            expires_at: moved(item.expires_at),
            reentry: item.reentry,
            sort_order: Some(again("sort_order", Count::at_least(-COUNT_MAX, item.sort_order))?),
            door_note: item.door_note.clone(),
        }));
    }
    for pool in pools {
        let items: Vec<String> = pool.items.iter().filter_map(|item| ids.get(item.as_str()).cloned()).collect();
        // Nobody shares it any more whose items are all deleted.
        if items.is_empty() {
            continue;
        }
        new.push(New::Pool(NewPool {
            id: id::new_id("pool", by.now),
            event_id: id.clone(),
            name: again("name", Name::parse(&pool.name))?,
            limit: again("limit", Count::at_least(0, pool.places.limit))?,
            items,
        }));
    }
    let charged: Vec<Surcharge> = charged
        .into_iter()
        .map(|surcharge| Surcharge { id: id::new_id("su", by.now), event_id: id.clone(), ..surcharge })
        .collect();
    create_all(store, tenant, new, &charged, &[("copy_of", event_id.to_owned())], by).await?;
    Ok(id)
}

/// The items to copy: all that are not deleted, and what a bundle among them includes.
fn wanted(items: &[TicketType]) -> Vec<&TicketType> {
    let kept = items.iter().filter(|item| !item.deleted);
    let included: HashSet<&str> =
        kept.flat_map(|item| item.includes.iter().map(|part| part.ticket_type_id.as_str())).collect();
    items.iter().filter(|item| !item.deleted || included.contains(item.id.as_str())).collect()
}
