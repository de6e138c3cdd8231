//! Requests decided by themselves, each in a move of its own, for the command line. A server decides them in groups; see
//! [`Queue`](super::Queue).

use taquilla_domain::{audit::Mover, clock::Stamp, order::Order};
use taquilla_store as store;
use taquilla_store::{
    ChangeError, ChangeResult, Store, Tenant,
    sales::{idempotency::Idempotency, payments::Payment},
    transaction,
};

use super::{
    admit::{Admission, Scan},
    group::{self, Decision},
    order_request::{OrderRequest, PastHolds},
    request::{Answer, Request},
    sell::Placed,
};

/// Places an order. A free one is approved at once; any other is pending until its payment is settled.
pub async fn place(
    store: &Store,
    tenant: Tenant,
    request: &OrderRequest,
    idempotency: Option<Idempotency>,
    mover: impl Into<Mover>,
) -> ChangeResult<Placed> {
    alone(store, tenant, Request::place(request.clone(), idempotency)?, mover).await?.placed()
}

/// Approves a pending order: checks its stock again and issues its tickets.
pub async fn approve(
    store: &Store,
    tenant: Tenant,
    id: &str,
    past_holds: PastHolds,
    mover: impl Into<Mover>,
) -> ChangeResult<Order> {
    alone(store, tenant, Request::Approve(id.to_owned(), past_holds), mover).await?.order()
}

/// Rejects a pending order.
pub async fn reject(store: &Store, tenant: Tenant, id: &str, mover: impl Into<Mover>) -> ChangeResult<Order> {
    alone(store, tenant, Request::Reject(id.to_owned()), mover).await?.order()
}

/// Refunds an approved order. Its tickets stop working.
pub async fn refund(store: &Store, tenant: Tenant, id: &str, mover: impl Into<Mover>) -> ChangeResult<Order> {
    alone(store, tenant, Request::Refund(id.to_owned()), mover).await?.order()
}

/// Approves or rejects the order of a payment.
pub async fn settle(store: &Store, tenant: Tenant, payment: &Payment, now: Stamp) -> ChangeResult<Order> {
    alone(store, tenant, Request::Settle(payment.clone()), now).await?.order()
}

/// Decides scans in their order.
pub async fn admit(
    store: &Store,
    tenant: Tenant,
    scans: &[Scan],
    mover: impl Into<Mover>,
) -> ChangeResult<Vec<Admission>> {
    alone(store, tenant, Request::Admit(scans.to_vec()), mover).await?.admitted()
}

async fn alone(store: &Store, tenant: Tenant, request: Request, mover: impl Into<Mover>) -> ChangeResult<Answer> {
    let Mover { by, now } = mover.into();
    let request = match &by {
        Some(by) => request.by(by),
        None => request,
    };
    let decided = transaction!(store.begin_move(tenant, now), |tx| group::decide(tx, &[&request]).await)?;
    match decided.into_iter().next() {
        Some(Decision::Made(answer)) => answer.map_err(ChangeError::Refused),
        _ => Err(store::Error::internal("a request was not decided").into()),
    }
}
