//! What an event has for the public, read at one moment.

use taquilla_domain::{event::KeptEvent, pool::Pool, status::EventStatus, ticket_type::TicketType};
use taquilla_http::{app::App, errors::Error};
use taquilla_store::{
    self as store, Conn, Tenant,
    catalogue::{events, pools, ticket_types},
    sales::holds::{self, HeldItems},
};

/// An event, the items that the public sees of it, and what is held of them.
pub struct Offer {
    /// The event.
    pub event: KeptEvent,
    /// Its items, those whose sale has ended included. None if it is over or cancelled.
    pub items: Vec<TicketType>,
    /// What others hold of them.
    pub held: HeldItems,
    /// The pools that they share.
    pub pools: Vec<Pool>,
}

/// Reads it. To the public a draft does not exist yet.
pub async fn find(app: &App, tenant: Tenant, event_id: &str, access_code: Option<&str>) -> Result<Offer, Error> {
    // What is paid between two statements would count as sold and as held.
    let mut conn = app.store.read_state(tenant).await?;
    let found = read(&mut conn, tenant, event_id, access_code).await;
    conn.end_state().await?;
    found?.ok_or(Error::NotFound("event"))
}

async fn read(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    access_code: Option<&str>,
) -> store::Result<Option<Offer>> {
    let event = events::find_kept(conn, tenant, event_id).await?;
    let Some(event) = event.filter(|event| event.status != EventStatus::Draft) else { return Ok(None) };
    let items = match event.status {
        EventStatus::Published => ticket_types::for_public(conn, tenant, event_id, access_code).await?,
        _ => Vec::new(),
    };
    let limited: Vec<&str> = items.iter().filter(|item| item.limit.is_some()).map(|item| item.id.as_str()).collect();
    let held = holds::held_now(conn, tenant, &limited).await?;
    let pools = if items.is_empty() { Vec::new() } else { pools::of_event(conn, tenant, event_id).await? };
    Ok(Some(Offer { event, items, held, pools }))
}
