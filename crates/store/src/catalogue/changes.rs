//! Every change of events, ticket types and bundles, with its stamp and the messages that tell of it.
//!
//! A change of a ticket type moves the `updated_at` of its event, too. So a client that follows the events learns when
//! to read an event's ticket types again. A sale moves neither: it changes counts only, and they are read when wanted.

use std::collections::HashSet;

use taquilla_domain::{
    clock::Stamp, event::KeptEvent, status::TypeStatus, ticket_type::TicketType, webhook::MessageKind,
};
use taquilla_wire::api;

use super::{events, ticket_types};
use crate::{
    Error, Move, Result,
    engine::sql::{Param, Row, params},
    sales::{figures, promoter_sums},
    webhooks::outbox::{self, Message},
};

/// Makes an event what it is to be, and tells of it. Its id and its stamps stay. All that it sells gets its currency.
pub async fn change_event(tx: &mut Move, after: &KeptEvent) -> Result<()> {
    let tenant = tx.tenant();
    let key = params![tenant.number(), &after.id];
    let differs = |row: &Row<'_>| Ok((row.text(0)? != after.timezone, row.text(1)? != after.currency));
    let (has_other_days, has_other_currency) = tx.query_first(BEFORE, key, differs).await?.unwrap_or_default();
    tx.execute(
        "UPDATE events SET name = ?3, venue = ?4, description = ?5, image_url = ?6, starts_at = ?7, ends_at = ?8, \
         status = ?9, timezone = ?10, currency = ?11, attendees_asked = ?12 WHERE producer_id = ?1 AND id = ?2",
        params![
            tenant.number(),
            &after.id,
            &after.name,
            after.venue.as_deref(),
            after.description.as_deref(),
            after.image_url.as_deref(),
            after.starts_at,
            after.ends_at,
            after.status.as_str(),
            &after.timezone,
            &after.currency,
            after.attendees_asked.as_str()
        ],
    )
    .await?;
    if has_other_days {
        figures::recount(tx, &after.id).await?;
        promoter_sums::recount(tx, &after.id).await?;
    }
    let repriced = if has_other_currency { reprice(tx, after).await? } else { Vec::new() };
    tell(tx, &after.id, &repriced).await
}

/// Gives all items of an event its currency. Their ids are returned, so that all of them are told of.
async fn reprice(tx: &mut Move, event: &KeptEvent) -> Result<Vec<String>> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let items = ticket_types::of_event(tx, tenant, &event.id, true).await?;
    let sql = "UPDATE ticket_types SET currency = ?3, updated_at = ?4 WHERE producer_id = ?1 AND event_id = ?2";
    tx.execute(sql, params![tenant.number(), &event.id, &event.currency, stamp]).await?;
    Ok(items.into_iter().map(|item| item.id).collect())
}

const BEFORE: &str = "SELECT timezone, currency FROM events WHERE producer_id = ?1 AND id = ?2";

/// The changeable fields of a ticket type or bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the columns of their names")]
pub struct Changeable<'a> {
    pub name: &'a str,
    pub price: i64,
    pub status: TypeStatus,
    pub limit: Option<i64>,
    pub max_per_order: i64,
    pub min_per_order: i64,
    pub on_sale_from: Option<Stamp>,
    pub expires_at: Option<Stamp>,
    pub deleted: bool,
    pub description: Option<&'a str>,
    pub image_url: Option<&'a str>,
    pub sort_order: i64,
    pub reentry: bool,
    pub door_note: &'a str,
}

impl<'a> Changeable<'a> {
    /// What an item has now.
    pub fn of(item: &'a TicketType) -> Self {
        Self {
            name: &item.name,
            price: item.price,
            status: item.status,
            limit: item.limit,
            max_per_order: item.max_per_order,
            min_per_order: item.min_per_order,
            on_sale_from: item.on_sale_from,
            expires_at: item.expires_at,
            deleted: item.deleted,
            description: item.description.as_deref(),
            image_url: item.image_url.as_deref(),
            sort_order: item.sort_order,
            reentry: item.reentry,
            door_note: item.door_note.as_str(),
        }
    }
}

/// Changes an item and tells of it, unless nothing of it changed but its access code. If its name changes, the catalogue gets
/// the move's stamp as its new version, which tells every server. A stamp never recurs.
pub async fn change_ticket_type(
    tx: &mut Move,
    item: &TicketType,
    after: &Changeable<'_>,
    access_code: Option<&str>,
) -> Result<()> {
    let (tenant, stamp, id) = (tx.tenant(), tx.stamp(), item.id.as_str());
    tx.execute(
        "UPDATE ticket_types SET name = ?3, price = ?4, status = ?5, stock_limit = ?6, max_per_order = ?7, \
         expires_at = ?8, deleted = ?9, access_code = ?10, description = ?11, image_url = ?12, sort_order = ?13, \
         reentry = ?14, door_note = ?15, min_per_order = ?16, on_sale_from = ?17 \
         WHERE producer_id = ?1 AND id = ?2",
        params![
            tenant.number(),
            id,
            after.name,
            after.price,
            after.status.as_str(),
            after.limit,
            after.max_per_order,
            after.expires_at,
            after.deleted,
            access_code,
            after.description,
            after.image_url,
            after.sort_order,
            after.reentry,
            after.door_note,
            after.min_per_order,
            after.on_sale_from
        ],
    )
    .await?;
    if *after == Changeable::of(item) {
        return Ok(());
    }
    let mut changed = vec![id.to_owned()];
    if after.name != item.name {
        let sql = "UPDATE clocks SET catalog_version = ?2 WHERE producer_id = ?1";
        tx.execute(sql, params![tenant.number(), stamp]).await?;
        // A bundle shows the names of what it includes.
        changed.extend(ticket_types::bundles_with(tx, tenant, &item.event_id, id).await?);
    }
    let sets: Vec<Vec<Param<'_>>> =
        changed.iter().map(|id| vec![tenant.number().into(), id.into(), stamp.into()]).collect();
    tx.execute_many("UPDATE ticket_types SET updated_at = ?3 WHERE producer_id = ?1 AND id = ?2", &sets).await?;
    tell(tx, &item.event_id, &changed).await
}

/// Gives items of an event other places in the organiser's order, and tells of it.
pub async fn reorder(tx: &mut Move, event_id: &str, places: &[(&str, i64)]) -> Result<()> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let sets: Vec<Vec<Param<'_>>> = places
        .iter()
        .map(|(id, place)| vec![tenant.number().into(), (*id).into(), (*place).into(), stamp.into()])
        .collect();
    let sql = "UPDATE ticket_types SET sort_order = ?3, updated_at = ?4 WHERE producer_id = ?1 AND id = ?2";
    tx.execute_many(sql, &sets).await?;
    let changed: Vec<String> = places.iter().map(|(id, _)| (*id).to_owned()).collect();
    tell(tx, event_id, &changed).await
}

/// Stamps an event, and writes a message for it and for each of its items that are new or changed and have the move's
/// stamp already, as the API shows them now.
pub async fn tell(tx: &mut Move, event_id: &str, changed: &[String]) -> Result<()> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let sql = "UPDATE events SET updated_at = ?3 WHERE producer_id = ?1 AND id = ?2";
    tx.execute(sql, params![tenant.number(), event_id, stamp]).await?;
    let shown = events::find(tx, tenant, event_id, |event| serde_json::to_string(&api::Event::from(event))).await?;
    let shown = shown.ok_or_else(|| Error::internal("a change of an event that is not there"))?;
    let mut messages = vec![Message::new(MessageKind::EventUpdated, shown.map_err(Error::internal)?, stamp)];
    if !changed.is_empty() {
        let changed: HashSet<&str> = changed.iter().map(String::as_str).collect();
        for item in ticket_types::of_event(tx, tenant, event_id, true).await? {
            if changed.contains(item.id.as_str()) {
                let shown = serde_json::to_string(&api::TicketType::from(&item)).map_err(Error::internal)?;
                messages.push(Message::new(MessageKind::TicketTypeUpdated, shown, stamp));
            }
        }
    }
    outbox::add(tx, &messages).await
}
