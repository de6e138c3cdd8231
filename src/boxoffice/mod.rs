//! The box office: every change to what is sold, one transaction each, the same on both engines.
//!
//! Each move first takes a tick of the producer's clock. That locks the producer until the commit, so within a move
//! nothing else of this producer changes: stock is checked against exactly what is sold, and stamps are in the order of
//! commits. Each move writes its events to the outbox in the same transaction.

mod admit;
mod cancel;
pub mod catalog;
mod decide;
mod gate;
mod hide;
mod pay;
mod refund;
mod scan;
mod sell;
mod transfer;

pub use self::{
    admit::{Admission, Door, Scan, admit},
    cancel::cancel,
    decide::{approve, reject},
    gate::Gate,
    hide::hide,
    pay::settle,
    refund::refund,
    scan::scan,
    sell::{Idempotency, ItemRequest, OrderRequest, Placed, place},
    transfer::transfer,
};

use crate::{
    config::SEQS_PER_MOVE,
    domain::{clock::Stamp, moves::TicketMove, refusal::Refusal, status::TicketStatus, webhook::EventKind},
    store::{
        self, Conn, MayBeLost, orders, outbox,
        producers::{self, Tenant, Tick},
        ticket_rows::{self, State},
        types,
    },
    wire::Order,
};

/// Why a move did not happen. Nothing was changed.
#[derive(Debug)]
pub enum Error {
    /// The rules say no.
    Refused(Refusal),
    /// The database failed.
    Store(store::Error),
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<store::Error> for Error {
    fn from(cause: store::Error) -> Self {
        Self::Store(cause)
    }
}

impl From<Error> for crate::error::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => Self::Refused(refusal),
            Error::Store(cause) => cause.into(),
        }
    }
}

impl MayBeLost for Error {
    fn lost(self) -> Result<String, Self> {
        match self {
            Self::Store(cause) => cause.lost().map_err(Self::Store),
            refused => Err(refused),
        }
    }
}

/// The outcome of a move.
pub type Result<T, E = Error> = std::result::Result<T, E>;

async fn begin(conn: &mut Conn, tenant: Tenant, now: Stamp) -> Result<Tick> {
    Ok(producers::tick(conn, tenant, now, SEQS_PER_MOVE).await?)
}

async fn find_order(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Order> {
    Ok(orders::find(conn, tenant, id).await?.ok_or(Refusal::NotFound("order"))?)
}

/// A ticket and the status that a move would give it.
async fn find_ticket(conn: &mut Conn, tenant: Tenant, id: &str, step: TicketMove) -> Result<(State, TicketStatus)> {
    let state = ticket_rows::state(conn, tenant, id).await?.ok_or(Refusal::NotFound("ticket"))?;
    let after = step.from(state.status)?;
    Ok((state, after))
}

/// Tells of an order as it is now.
async fn tell_order(conn: &mut Conn, tenant: Tenant, tick: &mut Tick, kind: EventKind, id: &str) -> Result<Order> {
    let order = find_order(conn, tenant, id).await?;
    let data = serde_json::to_string(&order).map_err(store::Error::internal)?;
    outbox::add(conn, tenant, tick, &[(kind, data)]).await?;
    Ok(order)
}

/// Tells of tickets as they are now.
async fn tell_tickets(
    conn: &mut Conn,
    tenant: Tenant,
    tick: &mut Tick,
    kind: EventKind,
    states: &[&State],
) -> Result<()> {
    if states.is_empty() {
        return Ok(());
    }
    let shown = ticket_rows::shown(conn, tenant, states).await?;
    let events: Vec<(EventKind, String)> = shown.into_iter().map(|data| (kind, data)).collect();
    Ok(outbox::add(conn, tenant, tick, &events).await?)
}

/// Gives back the stock of a ticket that counted until now and was just taken out of the count.
async fn release(conn: &mut Conn, tenant: Tenant, state: &State) -> Result<()> {
    match (&state.bundle_id, state.from_bundle) {
        // A bundle is sold as long as one of its tickets is live.
        (Some(bundle_id), _) => {
            if !ticket_rows::bundle_is_live(conn, tenant, state).await? {
                types::add_sold(conn, tenant, bundle_id, -1).await?;
            }
        }
        (None, true) => {}
        (None, false) => types::add_sold(conn, tenant, &state.ticket_type_id, -1).await?,
    }
    Ok(())
}
