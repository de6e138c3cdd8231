//! New events, ticket types and bundles. They are lines of an import, with all its checks.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

use taquilla_domain::{
    audit::{Action, By},
    clock::Stamp,
    id, local_time,
    refusal::Refusal,
    status::{EventStatus, ItemKind},
    text::Name,
    ticket_type::TicketType,
};
use taquilla_store as store;
use taquilla_store::{
    ChangeError, ChangeResult, Store, Tenant,
    catalogue::{events, ticket_types},
    import::finish::Made,
};

use crate::import;

/// Creates one event, ticket type or bundle from a line of an import.
pub async fn create(store: &Store, tenant: Tenant, line: &Value, by: &By) -> ChangeResult<()> {
    create_all(store, tenant, std::slice::from_ref(line), &[], by).await
}

async fn create_all(
    store: &Store,
    tenant: Tenant,
    lines: &[Value],
    details: &[(&'static str, String)],
    by: &By,
) -> ChangeResult<()> {
    let made: Vec<Made> = lines.iter().map(|line| made(line, details)).collect();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    match import::create(store, tenant, &text, by, &made).await {
        Ok(_) => Ok(()),
        Err(import::Error::Line(fault)) => {
            Err(Refusal::invalid(fault.field.unwrap_or_else(|| "line".into()), fault.message).into())
        }
        Err(import::Error::Store(cause)) => Err(ChangeError::Store(cause)),
        Err(import::Error::Read(cause)) => Err(store::Error::internal(cause).into()),
    }
}

/// What the history says of a line.
fn made(line: &Value, details: &[(&'static str, String)]) -> Made {
    let text = |field: &str| line[field].as_str().unwrap_or_default().to_owned();
    let is_event = line["kind"] == "event";
    Made {
        action: if is_event { Action::EventCreated } else { Action::TicketTypeCreated },
        subject: text("id"),
        details: std::iter::once(("name", text("name"))).chain(details.iter().cloned()).collect(),
    }
}

/// Makes a draft like an event, with all that it sells and nothing sold, and returns its id. What has a time keeps its
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
    drop(conn);
    let zone = event.zone();
    let moved = |at: Option<Stamp>| {
        let (from, to) = event.starts_at.zip(starts_at)?;
        local_time::moved(at?, from, to, &zone).map(|at| at.to_string())
    };
    let id = id::new_id("ev", by.now);
    let mut lines = vec![json!({
        "kind": "event", "id": id, "name": name.as_str(), "description": event.description, "venue": event.venue,
        "timezone": zone.as_str(), "starts_at": starts_at.map(|at| at.to_string()), "ends_at": moved(event.ends_at),
        "currency": event.currency, "status": EventStatus::Draft.as_str(), "image_url": event.image_url,
    })];
    let copied = wanted(&items);
    let ids: HashMap<&str, String> = copied.iter().map(|item| (item.id.as_str(), id::new_id("tt", by.now))).collect();
    for item in copied {
        let includes: Vec<Value> = item
            .includes
            .iter()
            .map(|part| json!({"ticket_type_id": ids.get(part.ticket_type_id.as_str()), "quantity": part.quantity}))
            .collect();
        let is_bundle = item.kind == ItemKind::Bundle;
        lines.push(json!({
            "kind": item.kind.as_str(), "id": ids.get(item.id.as_str()), "event_id": id, "name": item.name,
            "category": item.category.as_str(), "description": item.description, "image_url": item.image_url,
            "price": item.price, "status": item.status.as_str(), "deleted": item.deleted, "limit": item.limit,
            "max_per_order": item.max_per_order, "expires_at": moved(item.expires_at), "sort_order": item.sort_order,
            "includes": is_bundle.then_some(includes),
        }));
    }
    create_all(store, tenant, &lines, &[("copy_of", event_id.to_owned())], by).await?;
    Ok(id)
}

/// The items to copy: all that are not deleted, and what a bundle among them includes.
fn wanted(items: &[TicketType]) -> Vec<&TicketType> {
    let kept = items.iter().filter(|item| !item.deleted);
    let included: HashSet<&str> =
        kept.flat_map(|item| item.includes.iter().map(|part| part.ticket_type_id.as_str())).collect();
    items.iter().filter(|item| !item.deleted || included.contains(item.id.as_str())).collect()
}
