//! Asking a processor how an attempt stands, and settling what it says.

use taquilla_domain::{
    attempt::{Attempt, AttemptState},
    config::{ATTEMPT_LOOK, ATTEMPT_SEEN},
    order::Order,
    status::OrderStatus,
};
use taquilla_payments::Trouble;
use taquilla_store::{
    ChangeResult, Tenant,
    sales::{attempts, orders},
};

use super::cashier::Cashier;
use crate::boxoffice::{Attempted, Request};

/// Whether an attempt should still be paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// It may be paid.
    Keep,
    /// Nobody should pay in it any more: its session is closed, if it can be.
    Close,
}

/// Looks at an attempt: asks the processor about its session and settles the answer. An attempt that nobody should pay any more is
/// closed there: another one was begun after it, its time is over, or its order is decided. Gives both as they are then; `None`
/// if there is no such attempt.
pub async fn look(cashier: &Cashier, tenant: Tenant, order_id: &str, number: i64) -> ChangeResult<Option<Attempted>> {
    let Some((order, attempts)) = read(cashier, tenant, order_id).await? else { return Ok(None) };
    let Some(attempt) = attempts.iter().find(|attempt| attempt.number == number) else { return Ok(None) };
    let is_over = cashier.time.now() >= attempt.expires_at;
    let is_last = attempts.iter().all(|other| other.number <= number);
    let wish = if is_over || !is_last || order.status != OrderStatus::Pending { Wish::Close } else { Wish::Keep };
    ask(cashier, tenant, &order, attempt, wish).await.map(Some)
}

/// The same for the page that a buyer has come back to, which may be loaded again and again: only an attempt that may still be paid
/// is looked at, and not right after the last look. If that cannot be done, the page says how things stood before.
pub async fn look_if_open(cashier: &Cashier, tenant: Tenant, order_id: &str) {
    if let Err(cause) = try_to_look(cashier, tenant, order_id).await {
        tracing::warn!(?cause, "nothing could be settled for a buyer who has come back");
    }
}

async fn try_to_look(cashier: &Cashier, tenant: Tenant, order_id: &str) -> ChangeResult<()> {
    let Some((order, attempts)) = read(cashier, tenant, order_id).await? else { return Ok(()) };
    let now = cashier.time.now();
    let is_fresh = |attempt: &Attempt| attempt.looked_at.is_none_or(|at| now.since(at) >= ATTEMPT_SEEN);
    if let Some(last) = attempts.last().filter(|last| last.state.is_open() && last.session.is_some() && is_fresh(last))
    {
        ask(cashier, tenant, &order, last, Wish::Keep).await?;
    }
    Ok(())
}

/// Has the processor close every attempt of an order that may still be paid. `false` if one stays open, or was paid.
pub(super) async fn close_before(
    cashier: &Cashier,
    tenant: Tenant,
    order: &Order,
    attempts: &[Attempt],
) -> ChangeResult<bool> {
    for attempt in attempts.iter().filter(|attempt| attempt.state.is_open()) {
        let closed = ask(cashier, tenant, order, attempt, Wish::Close).await?;
        if closed.order.status != OrderStatus::Pending || closed.attempt.is_some_and(|now| now.state.is_open()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// An order and its attempts.
pub(super) async fn read(
    cashier: &Cashier,
    tenant: Tenant,
    order_id: &str,
) -> ChangeResult<Option<(Order, Vec<Attempt>)>> {
    let mut conn = cashier.store.read().await?;
    let Some(order) = orders::find(&mut conn, tenant, order_id).await? else { return Ok(None) };
    let attempts = attempts::of_order(&mut conn, tenant, order_id).await?;
    Ok(Some((order.into_uncovered(), attempts)))
}

async fn ask(
    cashier: &Cashier,
    tenant: Tenant,
    order: &Order,
    attempt: &Attempt,
    wish: Wish,
) -> ChangeResult<Attempted> {
    let (id, number) = (order.id.as_str(), attempt.number);
    let unknown = |reason: String| Request::attempt_unknown(id, number, reason);
    let request = match (&attempt.session, cashier.named(&attempt.processor)) {
        // Nobody was led to a page. Whoever asks for the session still has had the time to.
        (None, _) if wish == Wish::Close || cashier.time.now().since(attempt.created_at) >= ATTEMPT_LOOK => {
            Request::attempt_refused(id, number, NO_SESSION.to_owned())
        }
        (None, _) => unknown(NO_SESSION.to_owned()),
        (Some(_), None) => unknown(format!("this server has no processor {}", attempt.processor)),
        (Some(session), Some(processor)) => {
            let is_open = matches!(attempt.state, AttemptState::Open | AttemptState::Pending);
            let said = match wish {
                Wish::Close if is_open => processor.cancel(session).await,
                _ => processor.fetch(session).await,
            };
            match said {
                Ok(state) => Request::settle_attempt(order, number, state),
                Err(Trouble::Refused(reason) | Trouble::Unknown(reason)) => unknown(reason),
            }
        }
    };
    cashier.queue.ask(tenant, request).await
}

/// Why an attempt without a session has failed.
const NO_SESSION: &str = "the processor has not opened a session";
