//! Leading a buyer to the processor.

use taquilla_domain::{
    attempt::{Attempt, AttemptState, name},
    config::{ATTEMPTS_MAX, SESSION_LASTS},
};
use taquilla_payments::{NewSession, Trouble};
use taquilla_store::{ChangeResult, Tenant};

use super::{
    cashier::Cashier,
    look::{close_before, read},
};
use crate::boxoffice::Request;

/// What a buyer wants to pay, and where the ways lead.
#[derive(Clone, Copy, Debug)]
pub struct Way<'a> {
    /// The order.
    pub order_id: &'a str,
    /// The number of the attempt, as the buyer's page says it: a form that is sent twice is one attempt.
    pub number: i64,
    /// What is paid for, as the buyer reads it.
    pub title: &'a str,
    /// The tag of the buyer's language.
    pub language: &'a str,
    /// Where the buyer comes back to.
    pub back: &'a str,
    /// Where the processor sends its notices.
    pub notices: &'a str,
}

/// Where a buyer is led.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leads {
    /// To the processor's page.
    There(String),
    /// Back to the order's page, which says how things stand.
    Back,
}

/// Begins an attempt to pay for an order. An attempt before it is closed first; while one cannot be closed, no other begins.
pub async fn begin(cashier: &Cashier, tenant: Tenant, way: Way<'_>) -> ChangeResult<Leads> {
    let (kind, processor) = cashier.for_buyers();
    if !processor.opens_sessions() {
        return Ok(Leads::Back);
    }
    let Some((order, attempts)) = read(cashier, tenant, way.order_id).await? else { return Ok(Leads::Back) };
    let next = attempts.last().map_or(1, |last| last.number + 1);
    let is_new = way.number == next && attempts.len() < ATTEMPTS_MAX;
    if way.number > next || is_new && !close_before(cashier, tenant, &order, &attempts).await? {
        return Ok(Leads::Back);
    }
    let (id, number) = (way.order_id, way.number);
    let begun = cashier.queue.ask(tenant, Request::begin_attempt(id, number, kind, SESSION_LASTS)).await?;
    let Some(attempt) = begun.attempt else { return Ok(Leads::Back) };
    if attempt.state != AttemptState::Begun {
        return Ok(page_of(attempt));
    }
    let new = NewSession {
        attempt: &name(id, number),
        title: way.title,
        amount: begun.order.total,
        currency: &begun.order.currency,
        language: way.language,
        email: &begun.order.buyer.email,
        expires_at: attempt.expires_at,
        back: way.back,
        notices: way.notices,
    };
    let request = match processor.begin(&new).await {
        Ok(session) => Request::attempt_opened(id, number, session),
        Err(Trouble::Refused(reason)) => Request::attempt_refused(id, number, reason),
        Err(Trouble::Unknown(reason)) => Request::attempt_unknown(id, number, reason),
    };
    let opened = cashier.queue.ask(tenant, request).await?;
    Ok(opened.attempt.map_or(Leads::Back, page_of))
}

/// The page where an attempt is paid, if it still can be.
fn page_of(attempt: Attempt) -> Leads {
    let url = attempt.url.filter(|_| attempt.state == AttemptState::Open);
    url.map_or(Leads::Back, Leads::There)
}
