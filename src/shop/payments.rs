//! Callbacks of a payment processor, signed as the Standard Webhooks specification says.

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};

use super::requests::{JsonBody, PaymentBody};
use crate::{
    boxoffice::Request,
    config::PAYMENT_TOLERANCE,
    domain::{clock::Stamp, id, money::Currency, refusal::Refusal, signature::SigningSecret},
    http::{
        app::App,
        body::answer,
        client_address::ClientAddress,
        errors::Error,
        path_id::PathId,
        schema::{Id, Token},
    },
    store::{
        producers,
        sales::{
            orders,
            payments::{self, Payment},
        },
    },
    wire::shop::Settled,
};

/// Report a payment
///
/// Approves or rejects a pending order, as the processor reports. A repeated notice changes nothing. The call is signed
/// as the Standard Webhooks specification says, with the secret that `taquilla payment connect` made.
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
    body: JsonBody,
) -> Result<Response, Error> {
    let now = app.time.now();
    // Only wrong signatures count against an address, because a busy processor must not be slowed down.
    let refuse = || app.limits.count_failure(address.0, Error::InvalidSignature);
    let producer_id = producer_id.of("producer")?;
    let signed = Signed::read(&headers, &body.0, now).ok_or_else(refuse)?;
    let is_known = app.known_processors.get(&producer_id).is_some_and(|secret| signed.is_by(&secret));
    if !is_known {
        app.limits.may_fail(address.0)?;
    }
    let mut conn = app.store.read().await?;
    // An unknown producer, a producer without a processor and a wrong signature get the same answer.
    let tenant = producers::find(&mut conn, &producer_id).await?.ok_or_else(refuse)?;
    let secret = payments::secret(&mut conn, tenant).await?.ok_or_else(refuse)?;
    if !signed.is_by(&secret) {
        if is_known {
            app.known_processors.forget(&producer_id);
        }
        return Err(refuse());
    }
    if !is_known {
        app.known_processors.remember(producer_id, secret);
    }

    let notice: PaymentBody = body.read()?;
    if !id::is_plausible(&notice.payment_id) {
        return Err(Refusal::invalid("payment_id", id::FORM).into());
    }
    let currency = Currency::parse(&notice.currency).map_err(|invalid| invalid.in_field("currency"))?;
    let (owner, reference) = orders::split_reference(&notice.reference).ok_or(Error::NotFound("order"))?;
    if owner != tenant {
        return Err(Error::NotFound("order"));
    }
    let order_id = orders::find_by_reference(&mut conn, tenant, reference).await?.ok_or(Error::NotFound("order"))?;
    drop(conn);
    let payment = Payment {
        id: notice.payment_id,
        order_id,
        outcome: notice.status.into(),
        amount: notice.amount,
        currency: currency.into(),
    };
    let order = app.queue.ask(tenant, Request::Settle(payment)).await?.order()?;
    answer(StatusCode::OK, &Settled { order_id: &order.id, status: order.status })
}

/// A callback with its signatures, which are still to be checked.
struct Signed<'a> {
    id: &'a str,
    timestamp: &'a str,
    body: &'a [u8],
    signatures: &'a str,
}

impl<'a> Signed<'a> {
    /// `None` if the callback is not signed, or its time is too far from the present.
    fn read(headers: &'a HeaderMap, body: &'a [u8], now: Stamp) -> Option<Self> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let timestamp = text("webhook-timestamp")?;
        let seconds: i64 = timestamp.parse().ok()?;
        let is_recent = (now.micros() / 1_000_000).abs_diff(seconds) <= PAYMENT_TOLERANCE.as_secs();
        let signed = Self { id: text("webhook-id")?, timestamp, body, signatures: text("webhook-signature")? };
        is_recent.then_some(signed)
    }

    /// Whether one of the signatures was made with this secret.
    fn is_by(&self, secret: &SigningSecret) -> bool {
        secret.verify(self.id, self.timestamp, self.body, self.signatures)
    }
}
