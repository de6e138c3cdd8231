//! Changing events.

use taquilla_domain::{
    asked::AttendeesAsked,
    audit::{Action, By},
    clock::Stamp,
    event::{KeptEvent, in_order},
    money::Currency,
    refusal::Refusal,
    status::EventStatus,
    text::{Name, Text},
    time_zone::TimeZone,
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    catalogue::{changes, events},
    staff::audit,
    transaction,
};

use super::differences::{Differences, check_unchanged};

/// A change to an event. `None` leaves a field as it is, and `Some(None)` empties it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventChange {
    /// Its name.
    pub name: Option<Name>,
    /// Its venue.
    pub venue: Option<Option<Text>>,
    /// What buyers read about it.
    pub description: Option<Option<Text>>,
    /// The address of its picture.
    pub image_url: Option<Option<Text>>,
    /// The time zone of its place.
    pub timezone: Option<TimeZone>,
    /// When it begins.
    pub starts_at: Option<Option<Stamp>>,
    /// When it ends.
    pub ends_at: Option<Option<Stamp>>,
    /// What it and all that it sells is priced in. It can be corrected until somebody orders.
    pub currency: Option<Currency>,
    /// Its status.
    pub status: Option<EventStatus>,
    /// What its buyers say of those who come.
    pub attendees_asked: Option<AttendeesAsked>,
}

impl EventChange {
    fn applied_to(&self, before: &KeptEvent) -> KeptEvent {
        let text = |change: &Option<Option<Text>>, before: &Option<String>| match change {
            Some(after) => after.clone().map(String::from),
            None => before.clone(),
        };
        KeptEvent {
            name: self.name.clone().map_or_else(|| before.name.clone(), String::from),
            venue: text(&self.venue, &before.venue),
            description: text(&self.description, &before.description),
            image_url: text(&self.image_url, &before.image_url),
            timezone: self.timezone.clone().map_or_else(|| before.timezone.clone(), String::from),
            starts_at: self.starts_at.unwrap_or(before.starts_at),
            ends_at: self.ends_at.unwrap_or(before.ends_at),
            currency: self.currency.clone().map_or_else(|| before.currency.clone(), String::from),
            status: self.status.unwrap_or(before.status),
            attendees_asked: self.attendees_asked.unwrap_or(before.attendees_asked),
            ..before.clone()
        }
    }
}

fn differences(before: &KeptEvent, after: &KeptEvent) -> Differences {
    let mut differences = Differences::default();
    differences.compare_value("name", &before.name, &after.name, |name| name.to_string());
    differences.compare_value("timezone", &before.timezone, &after.timezone, |zone| zone.to_string());
    differences.compare("venue", &before.venue, &after.venue, String::clone);
    differences.compare("description", &before.description, &after.description, String::clone);
    differences.compare("image_url", &before.image_url, &after.image_url, String::clone);
    differences.compare("starts_at", &before.starts_at, &after.starts_at, Stamp::to_string);
    differences.compare("ends_at", &before.ends_at, &after.ends_at, Stamp::to_string);
    differences.compare_value("currency", &before.currency, &after.currency, |currency| currency.to_string());
    differences.compare_value("status", before.status, after.status, |status| status.as_str().to_owned());
    differences.compare_value("attendees_asked", before.attendees_asked, after.attendees_asked, |asked| {
        asked.as_str().to_owned()
    });
    differences
}

/// Changes an event. A change that changes nothing leaves no trace. `expected` is the `updated_at` that whoever changes it has
/// seen: if the event, or what it sells, was changed since, that is refused.
pub async fn change_event(
    store: &Store,
    tenant: Tenant,
    id: &str,
    change: &EventChange,
    expected: Option<Stamp>,
    by: &By,
) -> ChangeResult<()> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        let before = events::find_kept(tx, tenant, id).await?.ok_or(Refusal::NotFound("event"))?;
        check_unchanged(expected, before.updated_at)?;
        let after = change.applied_to(&before);
        // Both that are there may have been imported out of order; then they are only put right together.
        if (before.starts_at, before.ends_at) != (after.starts_at, after.ends_at) {
            in_order(after.starts_at, after.ends_at).map_err(|invalid| invalid.in_field("ends_at"))?;
        }
        if before.currency != after.currency && events::has_orders(tx, tenant, id).await? {
            let message = format!("the event has orders in {}, so its currency stays", before.currency);
            return Err(Refusal::invalid("currency", message).into());
        }
        let differences = differences(&before, &after);
        if differences.is_empty() {
            return Ok(());
        }
        changes::change_event(tx, &after).await?;
        Ok(audit::add(tx, Some(tenant), by, Action::EventChanged, id, &differences.details()).await?)
    })
}
