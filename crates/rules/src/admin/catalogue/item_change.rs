//! Changing ticket types and bundles, and their order.

use taquilla_domain::{
    audit::{Action, By},
    clock::Stamp,
    count::Count,
    door_note::DoorNote,
    id,
    money::Amount,
    refusal::Refusal,
    status::TypeStatus,
    stock::Offer,
    text::{Name, Text},
    ticket_type::{Direction, TicketType, begins_before_it_ends, fewest_fit, reordered},
};
use taquilla_store::{
    ChangeResult, Move, Store, Tenant,
    catalogue::{
        changes::{self, Changeable},
        ticket_types,
    },
    sales::holds,
    staff::audit,
    transaction,
};

use super::differences::{Differences, check_unchanged};
use crate::boxoffice::PastHolds;

/// A change to a ticket type or bundle. `None` leaves a field as it is, and `Some(None)` empties it.
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
    /// How many one order must have: one at least.
    pub min_per_order: Option<Count>,
    /// When its sale to the public begins; `Some(None)` is at once.
    pub on_sale_from: Option<Option<Stamp>>,
    /// When its sale ends; `Some(None)` is never.
    pub expires_at: Option<Option<Stamp>>,
    /// What buyers read about it.
    pub description: Option<Option<Text>>,
    /// The address of its picture.
    pub image_url: Option<Option<Text>>,
    /// Its place among the event's items.
    pub sort_order: Option<Count>,
    /// Whether people may go out with it and come in again.
    pub reentry: Option<bool>,
    /// What the scanner shows with its tickets.
    pub door_note: Option<DoorNote>,
    /// Whether it is deleted. Its tickets work in either case.
    pub deleted: Option<bool>,
    /// Whether a new limit may take away what pending orders hold.
    pub past_holds: PastHolds,
}

impl TicketTypeChange {
    fn applied_to<'a>(&'a self, before: &'a TicketType) -> Changeable<'a> {
        let text = |change: &'a Option<Option<Text>>, before: &'a Option<String>| match change {
            Some(after) => after.as_ref().map(Text::as_str),
            None => before.as_deref(),
        };
        Changeable {
            name: self.name.as_ref().map_or(&before.name, Name::as_str),
            price: self.price.map_or(before.price, Amount::get),
            status: self.status.unwrap_or(before.status),
            limit: self.limit.map_or(before.limit, |limit| limit.map(Count::get)),
            max_per_order: self.max_per_order.map_or(before.max_per_order, Count::get),
            min_per_order: self.min_per_order.map_or(before.min_per_order, Count::get),
            on_sale_from: self.on_sale_from.unwrap_or(before.on_sale_from),
            expires_at: self.expires_at.unwrap_or(before.expires_at),
            deleted: self.deleted.unwrap_or(before.deleted),
            description: text(&self.description, &before.description),
            image_url: text(&self.image_url, &before.image_url),
            sort_order: self.sort_order.map_or(before.sort_order, Count::get),
            reentry: self.reentry.unwrap_or(before.reentry),
            door_note: self.door_note.as_ref().unwrap_or(&before.door_note).as_str(),
        }
    }
}

fn differences(before: &Changeable<'_>, after: &Changeable<'_>) -> Differences {
    let text = |text: &&str| (*text).to_owned();
    let mut differences = Differences::default();
    differences.compare_value("name", before.name, after.name, text);
    differences.compare_value("price", before.price, after.price, i64::to_string);
    differences.compare_value("status", before.status, after.status, |status| status.as_str().to_owned());
    differences.compare("limit", &before.limit, &after.limit, i64::to_string);
    differences.compare_value("max_per_order", before.max_per_order, after.max_per_order, i64::to_string);
    differences.compare_value("min_per_order", before.min_per_order, after.min_per_order, i64::to_string);
    differences.compare("on_sale_from", &before.on_sale_from, &after.on_sale_from, Stamp::to_string);
    differences.compare("expires_at", &before.expires_at, &after.expires_at, Stamp::to_string);
    differences.compare("description", &before.description, &after.description, text);
    differences.compare("image_url", &before.image_url, &after.image_url, text);
    differences.compare_value("sort_order", before.sort_order, after.sort_order, i64::to_string);
    differences.compare_value("door_note", before.door_note, after.door_note, text);
    let yes_or_no = |yes: &bool| if *yes { "yes" } else { "no" }.to_owned();
    differences.compare_value("reentry", before.reentry, after.reentry, yes_or_no);
    differences.compare_value("deleted", before.deleted, after.deleted, yes_or_no);
    differences
}

/// Refuses a limit below what is sold and, unless staff pass over holds, a lower one that takes away what is held.
async fn check_limit(tx: &mut Move, item: &TicketType, limit: Option<i64>, past_holds: PastHolds) -> ChangeResult<()> {
    let Some(limit) = limit.filter(|limit| Some(*limit) != item.limit) else { return Ok(()) };
    if limit < item.sold {
        return Err(Refusal::LimitBelowSold(item.sold).into());
    }
    if past_holds == PastHolds::No && item.limit.is_none_or(|before| limit < before) {
        let tenant = tx.tenant();
        let held = holds::held_now(tx, tenant, &[&item.id]).await?;
        let (held, held_until) = held.get(&item.id).map_or((0, None), |held| (held.quantity, Some(held.until)));
        let offer = Offer {
            id: item.id.clone(),
            status: item.status,
            deleted: item.deleted,
            limit: Some(limit),
            sold: item.sold,
            held,
            held_until,
            max_per_order: item.max_per_order,
            min_per_order: item.min_per_order,
            on_sale_from: item.on_sale_from,
            expires_at: item.expires_at,
            access_code: None,
        };
        offer.is_free(0, tx.now())?;
    }
    Ok(())
}

/// Changes an item. It gets an access code when it first becomes hidden. A change that changes nothing leaves no trace.
/// `expected` is the `updated_at` that whoever changes it has seen: if it was changed since, that is refused.
pub async fn change_ticket_type(
    store: &Store,
    tenant: Tenant,
    id: &str,
    change: &TicketTypeChange,
    expected: Option<Stamp>,
    by: &By,
) -> ChangeResult<()> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        let found = ticket_types::find_row(tx, tenant, id).await?;
        let (item, code) = found.ok_or(Refusal::NotFound("ticket type"))?;
        check_unchanged(expected, item.updated_at)?;
        let after = change.applied_to(&item);
        let invalid = fewest_fit(after.min_per_order, after.max_per_order);
        invalid.map_err(|invalid| invalid.in_field("min_per_order"))?;
        let invalid = begins_before_it_ends(after.on_sale_from, after.expires_at);
        invalid.map_err(|invalid| invalid.in_field("expires_at"))?;
        check_limit(tx, &item, after.limit, change.past_holds).await?;
        let access_code = match code {
            None if after.status == TypeStatus::Hidden => Some(id::new_ticket_id()),
            code => code,
        };
        changes::change_ticket_type(tx, &item, &after, access_code.as_deref()).await?;
        let differences = differences(&Changeable::of(&item), &after);
        if differences.is_empty() {
            return Ok(());
        }
        Ok(audit::add(tx, Some(tenant), by, Action::TicketTypeChanged, id, &differences.details()).await?)
    })
}

/// Lets an item change places with its neighbour in the organiser's order. Deleted ones do not count.
pub async fn move_item(
    store: &Store,
    tenant: Tenant,
    event_id: &str,
    id: &str,
    direction: Direction,
    by: &By,
) -> ChangeResult<()> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        let items = ticket_types::of_event(tx, tenant, event_id, false).await?;
        if !items.iter().any(|item| item.id == id) {
            return Err(Refusal::NotFound("ticket type").into());
        }
        let places: Vec<(&str, i64)> = items.iter().map(|item| (item.id.as_str(), item.sort_order)).collect();
        let changed = reordered(&places, id, direction);
        if changed.is_empty() {
            return Ok(());
        }
        changes::reorder(tx, event_id, &changed).await?;
        let place =
            changed.iter().find(|(item, _)| *item == id).map_or_else(String::new, |(_, place)| place.to_string());
        let details = [("sort_order", place.as_str())];
        Ok(audit::add(tx, Some(tenant), by, Action::TicketTypeChanged, id, &details).await?)
    })
}
