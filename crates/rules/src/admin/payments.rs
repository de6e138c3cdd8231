//! Connecting a payment processor, and money that staff have paid back.

use taquilla_domain::{
    audit::{Action, By, METHOD},
    clock::Stamp,
    config::PAYMENT_SECRETS_MAX,
    refusal::Refusal,
    signature::SigningSecret,
    status::{OrderStatus, PaymentMethod},
    text::Name,
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    sales::{
        orders,
        pay_backs::{self, PayBack},
        payments::{self, ReportedPayment, SETTLED},
        processors::{self, Before},
    },
    staff::audit,
    transaction,
};

/// Makes a new secret for the producer's payment processor, and tells what becomes of the one before: it is taken for a
/// while, or ends at once because others have seen it.
pub async fn connect(store: &Store, tenant: Tenant, at_once: bool, by: &By) -> ChangeResult<(SigningSecret, Before)> {
    let secret = SigningSecret::generate();
    let before: ChangeResult<Before> = transaction!(store.begin_move(tenant, by.now), |tx| {
        match processors::set_secret(tx, &secret, at_once, by.now).await? {
            Before::TooMany => {
                let message = format!(
                    "{PAYMENT_SECRETS_MAX} secrets are taken already; wait until the oldest of them has had its 24 hours, \
                     or end those before at once (--at-once)"
                );
                Err(Refusal::Full(message).into())
            }
            before => {
                let at_once = if at_once { "yes" } else { "no" };
                audit::add(tx, Some(tenant), by, Action::PaymentsConnected, "", &[("ends_old_at_once", at_once)])
                    .await?;
                Ok(before)
            }
        }
    });
    Ok((secret, before?))
}

/// Marks a payment as paid back, so that it pays for nothing any more and nobody has to deal with it. If it has settled an
/// order and was told of with another amount, too, only the latter is marked. One that has settled an order which is
/// refunded is what that refund owed. Returns everything that was told of it.
pub async fn mark_paid_back(
    store: &Store,
    tenant: Tenant,
    id: &str,
    note: &Name,
    by: &By,
) -> ChangeResult<Vec<ReportedPayment>> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        let told = payments::told_of(tx, tenant, id).await?;
        if told.is_empty() {
            return Err(Refusal::NotFound("payment").into());
        }
        let has_open = told.iter().any(ReportedPayment::is_open);
        for kept in told.iter().filter(|kept| kept.is_open() || !has_open) {
            if let Some(order_id) = kept.order_id.as_deref().filter(|_| kept.result == SETTLED) {
                let order = orders::find(tx, tenant, order_id).await?;
                if order.is_some_and(|order| order.uncovered().status == OrderStatus::Approved) {
                    return Err(Refusal::PaymentSettled(order_id.to_owned()).into());
                }
                for owing in unpaid(pay_backs::of_order(tx, tenant, order_id).await?) {
                    pay_backs::mark(tx, &owing, note.as_str(), None, &by.actor).await?;
                }
            }
            payments::mark_paid_back(tx, kept, note.as_str()).await?;
        }
        // A note may name somebody, and what is in the history stays there. The payment has it.
        audit::add(tx, Some(tenant), by, Action::PaymentPaidBack, id, &[]).await?;
        Ok(payments::told_of(tx, tenant, id).await?)
    })
}

/// Those that are not paid back yet; of none, all, whose notes are written anew.
fn unpaid(all: Vec<PayBack>) -> Vec<PayBack> {
    let has_open = all.iter().any(|owing| owing.paid_back_at.is_none());
    all.into_iter().filter(|owing| owing.paid_back_at.is_none() || !has_open).collect()
}

/// Marks what refunds owe for an order as paid back: since this time, or all of it. The payment that had settled the order, if
/// there was one, is paid back once the order is refunded and nothing is owed for it any more.
pub async fn mark_order_paid_back(
    store: &Store,
    tenant: Tenant,
    order_id: &str,
    owed_at: Option<Stamp>,
    note: &Name,
    method: Option<PaymentMethod>,
    by: &By,
) -> ChangeResult<Vec<PayBack>> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        let mut marked = unpaid(pay_backs::of_order(tx, tenant, order_id).await?);
        marked.retain(|owing| owed_at.is_none_or(|at| owing.owed_at == at));
        let order = orders::find(tx, tenant, order_id).await?.filter(|_| !marked.is_empty());
        let order = order.ok_or(Refusal::NotFound("refund"))?;
        for owing in &marked {
            pay_backs::mark(tx, owing, note.as_str(), method, &by.actor).await?;
        }
        let all = pay_backs::of_order(tx, tenant, order_id).await?;
        let is_all =
            order.uncovered().status == OrderStatus::Refunded && all.iter().all(|owing| owing.paid_back_at.is_some());
        if let Some(payment_id) = all.iter().find_map(|owing| owing.owed.payment_id.as_deref()).filter(|_| is_all) {
            let told = payments::told_of(tx, tenant, payment_id).await?;
            let has_settled = |kept: &&ReportedPayment| kept.is_settled() && kept.order_id.as_deref() == Some(order_id);
            for kept in told.iter().filter(has_settled) {
                payments::mark_paid_back(tx, kept, note.as_str()).await?;
            }
        }
        let details: Vec<_> = method.map(|method| (METHOD, method.as_str())).into_iter().collect();
        audit::add(tx, Some(tenant), by, Action::OrderPaidBack, order_id, &details).await?;
        let is_marked = |owing: &PayBack| marked.iter().any(|marked| marked.owed_at == owing.owed_at);
        Ok(all.into_iter().filter(is_marked).collect())
    })
}
