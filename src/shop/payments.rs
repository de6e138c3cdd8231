//! Callbacks of a payment processor, signed as the Standard Webhooks specification says.

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};

use super::requests::{JsonBody, PaymentBody};
use crate::{
    boxoffice,
    config::PAYMENT_TOLERANCE,
    domain::{clock::Stamp, id, money::Currency, refusal::Refusal, signature::SigningSecret},
    http::{app::App, body::answer, client_address::ClientAddress, errors::Error, path_id::PathId},
    store::{
        producers,
        sales::{
            orders,
            payments::{self, Payment},
        },
    },
    wire::shop::Settled,
};

/// Approves or rejects a pending order, as the processor reports. A repeated notice changes nothing.
///
/// Only wrong signatures count against an address, because a busy processor must not be slowed down.
pub async fn settle_payment(
    State(app): State<App>,
    address: ClientAddress,
    producer_id: PathId,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, Error> {
    let now = app.time.now();
    let refuse = || app.limits.count_failure(address.0, Error::InvalidSignature);
    let producer_id = producer_id.of("producer")?;
    let mut conn = app.store.read().await?;
    // An unknown producer, a producer without a processor and a wrong signature get the same answer.
    let tenant = producers::find(&mut conn, &producer_id).await?.ok_or_else(refuse)?;
    let secret = payments::secret(&mut conn, tenant).await?.ok_or_else(refuse)?;
    verify(&secret, &headers, &body.0, now).ok_or_else(refuse)?;

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
    let order = boxoffice::settle(&app.store, tenant, &payment, now).await?;
    answer(StatusCode::OK, &Settled { order_id: &order.id, status: order.status })
}

/// `Some` if one of the signatures fits this id, time and body, and the time is near the present.
fn verify(secret: &SigningSecret, headers: &HeaderMap, body: &[u8], now: Stamp) -> Option<()> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let id = text("webhook-id")?;
    let timestamp = text("webhook-timestamp")?;
    let seconds: i64 = timestamp.parse().ok()?;
    let distance = (now.micros() / 1_000_000).abs_diff(seconds);
    if distance > PAYMENT_TOLERANCE.as_secs() {
        return None;
    }
    secret.verify(id, timestamp, body, text("webhook-signature")?).then_some(())
}
