//! Refunds of orders that are too large for a group.
//!
//! The shop and the box office make no order of more than `ORDER_TICKETS_MAX` tickets, but an import may. Its tickets are all
//! changed by one move, because an order is refunded as a whole or not at all. In a group that would take longer than
//! everybody else in it may wait, and longer than a pooled connection may. So such an order is decided by itself, on a
//! connection for long work. Moves of the same producer wait meanwhile.

use taquilla_domain::{clock::Stamp, config::TICKETS_TOGETHER};
use taquilla_store as store;
use taquilla_store::{Store, Tenant, tickets::staff, transaction};

use super::{
    group::{self, Decision},
    request::QueuedRequest,
};

/// Whether a request changes more tickets than one group should.
pub(super) async fn is_large(store: &Store, tenant: Tenant, asked: &QueuedRequest) -> store::Result<bool> {
    let Some(order_id) = asked.refunds() else { return Ok(false) };
    staff::has_more_than(&mut store.read().await?, tenant, order_id, TICKETS_TOGETHER as i64).await
}

/// Decides a request by itself, however long that takes.
pub(super) async fn decide(
    store: &Store,
    tenant: Tenant,
    asked: &QueuedRequest,
    now: Stamp,
) -> store::Result<Vec<Decision>> {
    transaction!(store.begin_long_move(tenant, now), |tx| group::decide(tx, &[asked]).await)
}
