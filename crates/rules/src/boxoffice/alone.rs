//! Requests decided by themselves, each in a move of its own, for the command line. A server decides them in groups; see
//! [`Queue`](super::Queue). These are groups of one.

use taquilla_domain::{
    audit::Mover, clock::Stamp, door_note::DoorNote, order::Order, person::Person, status::PaymentMethod,
};
use taquilla_store::{
    ChangeResult, Error, Store, Tenant,
    sales::{idempotency::Idempotency, payments::Payment},
    transaction,
};

use super::{
    admit::{Admission, Scan},
    group::{self, Decision},
    large,
    order_request::{OrderRequest, PastHolds},
    placed::Placed,
    request::Request,
};

/// Places an order. A free one is approved at once; any other is pending until its payment is settled.
pub async fn place(
    store: &Store,
    tenant: Tenant,
    request: &OrderRequest,
    idempotency: Option<Idempotency>,
    mover: impl Into<Mover>,
) -> ChangeResult<Placed> {
    alone(store, tenant, Request::place(request.clone(), idempotency)?, mover).await
}

/// Approves a pending order: checks its stock again and issues its tickets.
pub async fn approve(
    store: &Store,
    tenant: Tenant,
    id: &str,
    past_holds: PastHolds,
    mover: impl Into<Mover>,
) -> ChangeResult<Order> {
    approve_paid(store, tenant, id, past_holds, None, mover).await
}

/// The same, with how staff were paid for it, if they say so.
pub async fn approve_paid(
    store: &Store,
    tenant: Tenant,
    id: &str,
    past_holds: PastHolds,
    method: Option<PaymentMethod>,
    mover: impl Into<Mover>,
) -> ChangeResult<Order> {
    alone(store, tenant, Request::approve_paid(id, past_holds, method), mover).await
}

/// Rejects a pending order.
pub async fn reject(store: &Store, tenant: Tenant, id: &str, mover: impl Into<Mover>) -> ChangeResult<Order> {
    alone(store, tenant, Request::reject(id), mover).await
}

/// Refunds an approved order. Its tickets stop working.
pub async fn refund(store: &Store, tenant: Tenant, id: &str, mover: impl Into<Mover>) -> ChangeResult<Order> {
    alone(store, tenant, Request::refund(id), mover).await
}

/// Refunds tickets of an approved order.
pub async fn refund_tickets(
    store: &Store,
    tenant: Tenant,
    order_id: &str,
    tickets: Vec<String>,
    mover: impl Into<Mover>,
) -> ChangeResult<Order> {
    alone(store, tenant, Request::refund_tickets(order_id, tickets), mover).await
}

/// Approves or rejects the order of a payment.
pub async fn settle(store: &Store, tenant: Tenant, payment: &Payment, now: Stamp) -> ChangeResult<Order> {
    alone(store, tenant, Request::settle(payment.clone()), now).await
}

/// Settles an order with a payment that has paid for nothing, as staff say.
pub async fn settle_with(
    store: &Store,
    tenant: Tenant,
    order_id: &str,
    payment_id: &str,
    past_holds: PastHolds,
    mover: impl Into<Mover>,
) -> ChangeResult<Order> {
    alone(store, tenant, Request::settle_with(order_id, payment_id, past_holds), mover).await
}

/// Cancels a ticket and gives its stock back.
pub async fn cancel(store: &Store, tenant: Tenant, id: &str, mover: impl Into<Mover>) -> ChangeResult<()> {
    alone(store, tenant, Request::cancel(id), mover).await.map(|_cancelled| ())
}

/// Hides a ticket: it leaves all lists and counts, and still works at the door. Hiding it again changes nothing.
pub async fn hide(store: &Store, tenant: Tenant, id: &str, mover: impl Into<Mover>) -> ChangeResult<()> {
    alone(store, tenant, Request::hide(id), mover).await.map(|_hidden| ())
}

/// Has the scanner show a note with a ticket, or none.
pub async fn note(
    store: &Store,
    tenant: Tenant,
    id: &str,
    note: DoorNote,
    mover: impl Into<Mover>,
) -> ChangeResult<()> {
    alone(store, tenant, Request::note(id, note), mover).await.map(|_noted| ())
}

/// Passes a ticket on to another attendee and returns the id of the new ticket that replaces it.
pub async fn transfer(
    store: &Store,
    tenant: Tenant,
    id: &str,
    to: &Person,
    mover: impl Into<Mover>,
) -> ChangeResult<String> {
    alone(store, tenant, Request::transfer(id, to.clone())?, mover).await.map(|new| new.id)
}

/// Decides scans in their order.
pub async fn admit(
    store: &Store,
    tenant: Tenant,
    scans: &[Scan],
    mover: impl Into<Mover>,
) -> ChangeResult<Vec<Admission>> {
    alone(store, tenant, Request::admit(scans.to_vec()), mover).await
}

async fn alone<A>(store: &Store, tenant: Tenant, request: Request<A>, mover: impl Into<Mover>) -> ChangeResult<A> {
    let Mover { by, now } = mover.into();
    let request = match &by {
        Some(by) => request.by(by),
        None => request,
    };
    let (asked, answered) = request.split();
    let decisions = match large::is_large(store, tenant, &asked).await? {
        true => large::decide(store, tenant, &asked, now).await?,
        false => transaction!(store.begin_move(tenant, now), |tx| group::decide(tx, &[&asked]).await)?,
    };
    for decision in decisions {
        match decision {
            Decision::Made(verdict) => verdict.tell(),
            Decision::Withdrawn => asked.fail(Error::AuthorityWithdrawn),
            Decision::Later => {}
        }
    }
    drop(asked);
    answered.wait().await
}
