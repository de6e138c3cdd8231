//! Payments reported by a payment processor.

use super::{common::find_order, decide};
use crate::{
    domain::{clock::Stamp, order::Order, refusal::Refusal, status::PaymentOutcome},
    store::{
        ChangeError, ChangeResult, Move, Store, Tenant,
        sales::{
            orders,
            payments::{self, Payment, SETTLED},
        },
    },
    transaction,
};

/// Approves or rejects the order of a payment. The caller has checked the signature.
///
/// A repeated notice changes nothing and gets the order as it is. A notice that cannot be settled (the item is sold
/// out, the order is already decided, the amount differs) is stored with its reason, because staff must deal with that
/// money.
pub async fn settle(store: &Store, tenant: Tenant, payment: &Payment, now: Stamp) -> ChangeResult<Order> {
    let outcome = transaction!(store.begin_move(tenant, now), |tx| settle_in(tx, payment).await);
    if let Err(ChangeError::Refused(refusal)) = &outcome {
        let code = refusal.code();
        transaction!(store.begin_move(tenant, now), |tx| payments::keep(tx, payment, code).await)?;
    }
    outcome
}

async fn settle_in(tx: &mut Move, payment: &Payment) -> ChangeResult<Order> {
    let tenant = tx.tenant();
    let order = find_order(tx, &payment.order_id).await?;
    match payments::find_settled(tx, tenant, payment).await? {
        Some(kept) if kept.is(payment) => return Ok(order),
        Some(_) => return Err(Refusal::PaymentMismatch.into()),
        None => {}
    }
    let paid = payment.outcome == PaymentOutcome::Paid;
    if paid && (payment.amount != order.total || payment.currency != order.currency) {
        return Err(Refusal::PaymentMismatch.into());
    }
    payments::keep(tx, payment, SETTLED).await?;
    match paid {
        true => {
            orders::set_payment(tx, &payment.order_id, &payment.id).await?;
            decide::approve_in(tx, &payment.order_id).await
        }
        false => decide::reject_in(tx, &payment.order_id).await,
    }
}
