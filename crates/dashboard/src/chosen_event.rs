//! The event that a page is about, chosen from a list.

use taquilla_domain::{clock::Stamp, config::EVENTS_OFFERED, event::Event, status::EventStatus};
use taquilla_http::errors::Error;
use taquilla_store::{
    Conn, Tenant,
    catalogue::events::{self, EVENTS},
    lists::{self, Position},
};

/// What pages need to know of an event.
#[derive(Clone, Debug)]
pub struct ChosenEvent {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The name of its time zone.
    pub time_zone: String,
    /// Its currency.
    pub currency: String,
    /// Its status.
    pub status: EventStatus,
    /// When it begins.
    pub starts_at: Option<Stamp>,
    /// When it ends.
    pub ends_at: Option<Stamp>,
}

/// An event without an end is over a day after its beginning.
const OVER_AFTER: std::time::Duration = std::time::Duration::from_secs(24 * 3_600);

impl ChosenEvent {
    /// What is needed of an event.
    pub fn of(event: Event<'_>) -> Self {
        Self {
            id: event.id.to_owned(),
            name: event.name.to_owned(),
            time_zone: event.timezone.to_owned(),
            currency: event.currency.to_owned(),
            status: event.status,
            starts_at: event.starts_at,
            ends_at: event.ends_at,
        }
    }

    /// Whether nobody can come any more.
    pub fn is_over(&self, now: Stamp) -> bool {
        let ended = self.ends_at.or_else(|| self.starts_at.map(|start| start.plus(OVER_AFTER)));
        matches!(self.status, EventStatus::Finished | EventStatus::Cancelled) || ended.is_some_and(|ended| ended <= now)
    }
}

/// The event with this id.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<ChosenEvent, Error> {
    events::find(conn, tenant, id, ChosenEvent::of).await?.ok_or(Error::NotFound("event"))
}

/// The event with this id, where one is named.
pub async fn named(conn: &mut Conn, tenant: Tenant, id: Option<&str>) -> Result<Option<ChosenEvent>, Error> {
    match id {
        Some(id) => find(conn, tenant, id).await.map(Some),
        None => Ok(None),
    }
}

/// The newest events, and the one with this id if it is older than they are.
pub async fn choice(conn: &mut Conn, tenant: Tenant, chosen: Option<&str>) -> Result<Vec<ChosenEvent>, Error> {
    let mut found = Vec::new();
    let start = Position::above(Stamp::END);
    lists::page(conn, tenant, &EVENTS, &events::filter(None), start, EVENTS_OFFERED, |row| {
        found.push(ChosenEvent::of(events::listed(row)?));
        Ok(())
    })
    .await?;
    if let Some(id) = chosen.filter(|id| found.iter().all(|event| event.id != *id)) {
        found.extend(events::find(conn, tenant, id, ChosenEvent::of).await?);
    }
    Ok(found)
}
