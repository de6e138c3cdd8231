//! Settling a pending order by what a payment processor says. The other way is by hand: `approve` and `reject`.

use super::{Result, begin, decide, find_order};
use crate::{
    domain::{clock::Stamp, refusal::Refusal},
    store::{
        Store, orders,
        payments::{self, Payment},
        producers::Tenant,
    },
    transaction,
    wire::Order,
};

/// What a processor says about an order; its signature was checked by the caller.
#[derive(Clone, Debug)]
pub struct PaymentNotice {
    /// The processor's id for the payment: one notice counts once.
    pub payment_id: String,
    /// The order's reference.
    pub reference: String,
    /// Whether it was paid; otherwise it will not be.
    pub paid: bool,
    /// How much, in whole units.
    pub amount: i64,
    /// Of what.
    pub currency: String,
}

/// Approves or rejects the order. A notice that comes again changes nothing and gets the order as it is.
pub async fn settle(store: &Store, tenant: Tenant, notice: &PaymentNotice, now: Stamp) -> Result<Order> {
    transaction!(store, |tx| {
        let mut tick = begin(tx, tenant, now).await?;
        let id = orders::find_by_reference(tx, tenant, &notice.reference).await?.ok_or(Refusal::NotFound("order"))?;
        let order = find_order(tx, tenant, &id).await?;
        if notice.paid && (notice.amount != order.total || notice.currency != order.currency) {
            return Err(Refusal::PaymentMismatch.into());
        }
        let payment = Payment {
            id: &notice.payment_id,
            order_id: &id,
            outcome: if notice.paid { "paid" } else { "failed" },
            amount: notice.amount,
            currency: &notice.currency,
        };
        if !payments::insert(tx, tenant, &payment, tick.stamp).await? {
            return Ok(order);
        }
        match notice.paid {
            true => decide::approve_in(tx, tenant, &mut tick, &id).await,
            false => decide::reject_in(tx, tenant, &mut tick, &id).await,
        }
    })
}
