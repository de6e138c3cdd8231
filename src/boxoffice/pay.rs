//! Settling a pending order by what a payment processor says. The other way is by hand: `approve` and `reject`.

use super::{Error, Result, begin, decide, find_order};
use crate::{
    domain::{clock::Stamp, refusal::Refusal},
    store::{
        Conn, Store,
        payments::{self, Payment, SETTLED},
        producers::Tenant,
    },
    transaction,
    wire::Order,
};

/// Approves or rejects the order of a payment; its signature was checked by the caller.
///
/// A notice that comes again changes nothing and gets the order as it is. One that cannot be settled (the item is sold
/// out, the order is decided, the amount is another) is kept with its reason: that money needs a person.
pub async fn settle(store: &Store, tenant: Tenant, payment: &Payment, now: Stamp) -> Result<Order> {
    let outcome = transaction!(store, |tx| settle_in(tx, tenant, payment, now).await);
    if let Err(Error::Refused(refusal)) = &outcome {
        let code = refusal.code();
        transaction!(store, |tx| payments::keep(tx, tenant, payment, code, now).await)?;
    }
    outcome
}

async fn settle_in(conn: &mut Conn, tenant: Tenant, payment: &Payment, now: Stamp) -> Result<Order> {
    let mut tick = begin(conn, tenant, now).await?;
    let order = find_order(conn, tenant, &payment.order_id).await?;
    match payments::find_settled(conn, tenant, payment).await? {
        Some(kept) if kept.is(payment) => return Ok(order),
        Some(_) => return Err(Refusal::PaymentMismatch.into()),
        None => {}
    }
    let paid = payment.outcome == "paid";
    if paid && (payment.amount != order.total || payment.currency != order.currency) {
        return Err(Refusal::PaymentMismatch.into());
    }
    payments::keep(conn, tenant, payment, SETTLED, tick.stamp).await?;
    match paid {
        true => decide::approve_in(conn, tenant, &mut tick, &payment.order_id).await,
        false => decide::reject_in(conn, tenant, &mut tick, &payment.order_id).await,
    }
}
