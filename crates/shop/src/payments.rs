//! Callbacks of a payment processor, signed as the Standard Webhooks specification says.

use axum::{
    extract::{RawQuery, State},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use serde_json::Value;
use sha2::{Digest, Sha256};

use taquilla_domain::{
    config::{TOLD_BEFORE_DIGEST, TOLD_MAX},
    id,
    key::hexadecimal,
    money::Currency,
    refusal::Refusal,
    signature::SigningSecret,
    status::PaymentOutcome,
    text::is_obeyed,
};
use taquilla_http::{
    app::App,
    body::answer,
    caller,
    client_address::ClientAddress,
    errors::Error,
    path_id::PathId,
    rate::{Guess, Source},
    schema::{Id, Token},
};
use taquilla_payments::{Incoming, Processor, SignedNotice};
use taquilla_rules::boxoffice::Request;
use taquilla_store::{
    producers,
    sales::{orders, payments::Payment, processors},
};
use taquilla_wire::shop::Settled;

use super::requests::{JsonBody, PaymentBody};

/// Report a payment
///
/// Approves or rejects a pending order, as the processor reports. A repeated notice changes nothing. A payment that cannot
/// be settled is kept for staff, also if no order has its reference or the notice is not as it should be. The call is
/// signed as the Standard Webhooks specification says, with the secret that `taquilla payment connect` made.
#[utoipa::path(post, path = "/shop/v1/{producer_id}/payments", tag = "Payments", security(("signature" = [])),
    params(("producer_id" = inline(Id), Path, description = "The producer's id."),
        ("webhook-id" = inline(Token), Header, description = "The message's own id."),
        ("webhook-timestamp" = i64, Header, description = "Seconds since 1970, at most five minutes from the server's clock.",
            minimum = 0)),
    request_body(content = PaymentBody, description = "What became of a payment."),
    responses((status = 200, description = "The order's id, and where the order stands.", body = Settled<'static>)))]
pub async fn settle_payment(
    State(app): State<App>,
    address: ClientAddress,
    producer_id: PathId,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
    body: JsonBody,
) -> Result<Response, Error> {
    let now = app.time.now();
    let incoming = Incoming { headers: &headers, query: query.as_deref().unwrap_or_default(), body: &body.0, now };
    let is_signed_by = |secret: &SigningSecret| SignedNotice(secret).verify(&incoming).is_some();
    // Only wrong signatures count against an address, because a busy processor must not be slowed down.
    let refuse = || app.limits.failed(Guess::Credential, Source::address(address.0), Error::InvalidSignature);
    let producer_id = producer_id.of("producer")?;
    if !SignedNotice::may_be(&incoming) {
        return Err(refuse());
    }
    let is_known = app.known_processors.get(&producer_id).is_some_and(|secret| is_signed_by(&secret));
    if !is_known {
        app.limits.may_attempt(Guess::Credential, &Source::address(address.0))?;
    }
    let mut conn = app.store.read().await?;
    // An unknown producer, a producer without a processor and a wrong signature get the same answer.
    let tenant = producers::find(&mut conn, &producer_id).await?.ok_or_else(refuse)?;
    let secrets = processors::secrets(&mut conn, tenant).await?.ok_or_else(refuse)?;
    let Some(secret) = secrets.valid(now).find(|secret| is_signed_by(secret)) else {
        if is_known {
            app.known_processors.forget(&producer_id);
        }
        return Err(refuse());
    };
    caller::is_about(&producer_id);
    if !is_known {
        app.known_processors.remember(producer_id, secret.clone());
    }

    let notice: PaymentBody = match body.read() {
        Ok(notice) => notice,
        Err(Error::Refused(fault)) => {
            drop(conn);
            if let Some(payment) = unreadable(&body.0, &fault) {
                app.queue.ask(tenant, Request::settle(payment)).await?;
            }
            return Err(fault.into());
        }
        Err(error) => return Err(error),
    };
    let outcome = PaymentOutcome::from(notice.status);
    let fault = notice.fault();
    if let Some(fault) = fault.clone().filter(|_| outcome == PaymentOutcome::Failed) {
        return Err(fault.into());
    }
    let secret = orders::split_reference(&notice.reference).filter(|(owner, _)| *owner == tenant);
    let order_id = match secret {
        Some((_, secret)) => orders::find_by_reference(&mut conn, tenant, secret).await?,
        None => None,
    };
    drop(conn);
    let payment = Payment {
        id: key_of(&notice.payment_id, &body.0),
        reference: as_told(&notice.reference),
        order_id,
        outcome,
        amount: notice.amount,
        currency: as_told(&notice.currency),
        fault,
    };
    let order = app.queue.ask(tenant, Request::settle(payment)).await?;
    answer(StatusCode::OK, &Settled { order_id: &order.id, status: order.status.into() })
}

impl PaymentBody {
    /// What is wrong with the notice itself.
    fn fault(&self) -> Option<Refusal> {
        if !id::is_plausible(&self.payment_id) {
            return Some(Refusal::invalid("payment_id", id::FORM));
        }
        if self.amount < 0 {
            return Some(Refusal::invalid("amount", "a whole number of at least 0 is expected"));
        }
        Currency::told(&self.currency).err().map(|invalid| invalid.in_field("currency"))
    }
}

/// What can be read of a notice that money was paid, although the notice is not as it should be.
fn unreadable(body: &[u8], fault: &Refusal) -> Option<Payment> {
    let told: Value = serde_json::from_slice(body).ok()?;
    if !told.get("status")?.as_str()?.eq_ignore_ascii_case("paid") {
        return None;
    }
    let text = |name: &str| match told.get(name) {
        Some(Value::String(text)) => as_told(text),
        other => as_told(&other.map(Value::to_string).unwrap_or_default()),
    };
    let amount = told.get("amount").and_then(Value::as_f64).unwrap_or_default();
    Some(Payment {
        id: match told.get("payment_id") {
            Some(Value::String(id)) => key_of(id, body),
            Some(Value::Number(id)) => key_of(&id.to_string(), body),
            _ => key_of("", body),
        },
        reference: text("reference"),
        order_id: None,
        outcome: PaymentOutcome::Paid,
        amount: amount as i64,
        currency: text("currency"),
        fault: Some(fault.clone()),
    })
}

/// What a payment is kept by: its id, or, where there is none or it cannot be kept whole, a digest of the notice with what
/// can be read of it. Two such notices are two payments, and the same one again is the same payment.
fn key_of(id: &str, body: &[u8]) -> String {
    let told = as_told(id);
    if !told.is_empty() && told == id {
        return told;
    }
    let digest = hexadecimal(&Sha256::digest(body)[..16]);
    let begins: String = told.chars().take(TOLD_BEFORE_DIGEST).collect();
    if begins.is_empty() { format!("notice-{digest}") } else { format!("{begins}-{digest}") }
}

/// A value of a notice as it is kept for staff. A right one stays as it is; whatever else it is, they can read it.
fn as_told(text: &str) -> String {
    text.chars().take(TOLD_MAX).map(|letter| if is_obeyed(letter) { '\u{fffd}' } else { letter }).collect()
}
