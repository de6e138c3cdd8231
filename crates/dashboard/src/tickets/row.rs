//! A ticket as a line of a list.

use std::collections::{BTreeSet, HashMap};

use taquilla_domain::{clock::Stamp, status::TicketStatus};
use taquilla_http::errors::Error;
use taquilla_pages::badges::{self, Badge};
use taquilla_store::{
    Conn,
    catalogue::{events, ticket_types},
    tickets::{rows::State, staff::Held},
};

use crate::{
    access::Member,
    list_place,
    orders::named::{NamedOrder, named},
};

/// A ticket on a page.
pub struct TicketRow {
    /// The address of its page.
    pub path: String,
    /// The attendee's name.
    pub attendee: String,
    /// The ticket type's name.
    pub name: String,
    /// The event's name.
    pub event: String,
    /// The event's time zone.
    pub time_zone: String,
    /// Its order.
    pub order: Option<NamedOrder>,
    /// How it stands.
    pub badge: Badge,
    /// Whether it has entered.
    pub has_entered: bool,
    /// Whether it is in no list.
    pub hidden: bool,
    /// When it was issued.
    pub issued_at: Stamp,
}

/// The address of a ticket's page.
pub fn path<N>(member: &Member<N>, held: &Held) -> String {
    member.path(&format!("/tickets/{}", list_place::written(held.place())))
}

/// Tickets as lines, as the member sees them, with the names of what they are for.
pub async fn rows<N>(conn: &mut Conn, member: &Member<N>, held: Vec<Held>) -> Result<Vec<TicketRow>, Error> {
    let (tenant, sees) = (member.tenant(), member.sees());
    let seen: Vec<(String, State)> =
        held.into_iter().map(|held| (path(member, &held), held.state.seen_by(sees))).collect();
    let types: BTreeSet<&str> = seen.iter().map(|(_, state)| state.ticket_type_id.as_str()).collect();
    let types: Vec<&str> = types.into_iter().collect();
    let names = ticket_types::summaries(conn, tenant, &types).await?;
    let names: HashMap<&str, String> = types.into_iter().zip(names.into_iter().map(|(name, _)| name)).collect();
    let events: BTreeSet<&str> = seen.iter().map(|(_, state)| state.event_id.as_str()).collect();
    let events: Vec<&str> = events.into_iter().collect();
    let events = events::named(conn, tenant, &events).await?;
    let orders: Vec<&str> = seen.iter().filter_map(|(_, state)| state.order_id.as_deref()).collect();
    let orders = named(conn, member, &orders).await?;
    let row = |(path, state): &(String, State)| {
        let event = events.get(&state.event_id).cloned().unwrap_or_default();
        TicketRow {
            path: path.clone(),
            attendee: state.attendee.name.clone(),
            name: names.get(state.ticket_type_id.as_str()).cloned().unwrap_or_default(),
            event: event.name,
            time_zone: event.time_zone,
            order: state.order_id.as_ref().and_then(|id| orders.get(id)).cloned(),
            badge: badges::of_ticket(state.status),
            has_entered: state.status == TicketStatus::Scanned,
            hidden: state.hidden,
            issued_at: state.issued_at,
        }
    };
    Ok(seen.iter().map(row).collect())
}
