//! Placing an order, and reading it again.

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use serde_json::Value;
use sha2::{Digest, Sha256};

use taquilla_domain as domain;
use taquilla_domain::{config::ID_MAX, key::hexadecimal, refusal::Refusal};
use taquilla_http::{
    app::App,
    body::{answer, answer_json},
    client_address::ClientAddress,
    errors::Error,
    path_id::PathId,
    rate::{Guess, Source},
    schema::{Id, Token},
};
use taquilla_rules::boxoffice::Request;
use taquilla_store as store;
use taquilla_store::{
    Conn, Tenant,
    sales::{holds, idempotency::Idempotency, orders},
    tickets::listed::{self, Bought},
};
use taquilla_wire::{
    Time,
    api::Order,
    shop::{BoughtOrder, BoughtTicket, Hold, PlacedOrder},
};

use super::{
    coupon_tries,
    line::gate,
    requests::{JsonBody, PlaceOrder, ShopEvent, Visitor},
};

/// Place an order
///
/// A free order is approved at once, and its tickets are issued. Any other is pending until it is paid, and its stock is
/// held for its buyer until `held_until`. Prices are those of this moment. A repeated `Idempotency-Key` with the same body gets the first answer again, word for word.
#[utoipa::path(post, path = "/shop/v1/{producer_id}/events/{event_id}/orders", tag = "Orders",
    params(("producer_id" = inline(Id), Path, description = "The producer's id."),
        ("event_id" = inline(Id), Path, description = "The event's id."),
        ("Idempotency-Key" = inline(Token), Header, description = "New for each order, and the same for each repetition of it.")),
    request_body(content = PlaceOrder, description = "What is bought, by whom and for whom."),
    responses((status = 201, description = "The order, and its reference.", body = PlacedOrder<'static>)))]
pub async fn place_order(
    _: Visitor,
    State(app): State<App>,
    ShopEvent { tenant, event_id }: ShopEvent,
    address: ClientAddress,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, Error> {
    let key = idempotency_key(&headers)?;
    let ClientAddress(visitor) = address;
    let request: PlaceOrder = body.read()?;
    let request_hash = hash(&event_id, &body.read()?);
    let request = request.for_event(event_id, address, &app.config)?;
    gate::order(&app, &headers, tenant, &request.event_id).await?;
    let names_promoter = request.promoter.is_some();
    let idempotency = Idempotency { key: key.to_owned(), request_hash, earlier_hash: None };
    let placed = coupon_tries::asked(&app, address, request.coupon.is_some(), async {
        Ok(app.queue.ask(tenant, Request::place(request, Some(idempotency))?).await?)
    });
    match placed.await {
        Ok(placed) => Ok(answer_json(StatusCode::CREATED, placed.answer())),
        // A token that opens nothing may be a guess.
        Err(refused @ Error::Refused(Refusal::PromoterRefused)) if names_promoter => {
            Err(app.limits.failed(Guess::Credential, Source::address(visitor), refused))
        }
        Err(error) => Err(error),
    }
}

/// Get an order
///
/// The order as it is now, and its tickets. Whoever has the reference may read it.
#[utoipa::path(get, path = "/shop/v1/orders/{reference}", tag = "Orders",
    params(("reference" = inline(Id), Path, description = "What the buyer got when the order was placed.")),
    responses((status = 200, description = "The order and its tickets.", body = BoughtOrder<'static>)))]
pub async fn get_order(_: Visitor, State(app): State<App>, reference: PathId) -> Result<Response, Error> {
    show(&find_by_reference(&app, &reference.of("order")?).await?)
}

/// Keep an order's items longer
///
/// The hold of a pending order ends later, by as much as a hold lasts by default. That is granted once, and only while the hold
/// lasts: then it is 409 `hold_stays`. The answer is the order, as reading it would give.
#[utoipa::path(post, path = "/shop/v1/orders/{reference}/extend", tag = "Orders",
    params(("reference" = inline(Id), Path, description = "What the buyer got when the order was placed.")),
    responses((status = 200, description = "The order, with the new end of its hold.", body = BoughtOrder<'static>)))]
pub async fn extend_hold(_: Visitor, State(app): State<App>, reference: PathId) -> Result<Response, Error> {
    let reference = reference.of("order")?;
    let OfBuyer { tenant, order, .. } = find_by_reference(&app, &reference).await?;
    app.queue.ask(tenant, Request::extend_hold(order.id, app.config.holds.lasts)).await?;
    show(&find_by_reference(&app, &reference).await?)
}

fn show(OfBuyer { order, tickets, lasts, .. }: &OfBuyer) -> Result<Response, Error> {
    let tickets = tickets.iter().map(shown).collect();
    let hold = order.held_until.zip(*lasts).map(|(until, lasts)| Hold { until: Time(until), lasts });
    answer(StatusCode::OK, &BoughtOrder { order: Order::from(order), hold, tickets })
}

/// An order of whoever has its reference.
pub struct OfBuyer {
    /// Whose shop it was placed in.
    pub tenant: Tenant,
    /// The order.
    pub order: domain::order::Order,
    /// Its tickets.
    pub tickets: Vec<Bought>,
    /// Whether its hold lasts; `None` without one.
    pub lasts: Option<bool>,
}

/// The order with this reference, as it is at one moment.
pub async fn find_by_reference(app: &App, reference: &str) -> Result<OfBuyer, Error> {
    let (tenant, secret) = orders::split_reference(reference).ok_or(Error::NotFound("order"))?;
    // An order that is paid between two statements would have no tickets, or a hold beside them.
    let mut conn = app.store.read_state(tenant).await?;
    let found = find(&mut conn, tenant, secret).await;
    conn.end_state().await?;
    found?.ok_or(Error::NotFound("order"))
}

async fn find(conn: &mut Conn, tenant: Tenant, secret: &str) -> store::Result<Option<OfBuyer>> {
    let Some(id) = orders::find_by_reference(conn, tenant, secret).await? else { return Ok(None) };
    let Some(order) = orders::find(conn, tenant, &id).await? else { return Ok(None) };
    let order = order.into_uncovered();
    let tickets = listed::bought(conn, tenant, &id).await?;
    let lasts = holds::lasts(conn, &order).await?;
    Ok(Some(OfBuyer { tenant, order, tickets, lasts }))
}

fn shown(ticket: &Bought) -> BoughtTicket<'_> {
    let Bought { id, status, name, attendee_name } = ticket;
    BoughtTicket { id, status: (*status).into(), name, attendee_name }
}

fn idempotency_key(headers: &HeaderMap) -> Result<&str, Error> {
    let mut given = headers.get_all("idempotency-key").iter();
    let key = given.next().and_then(|value| value.to_str().ok()).filter(|key| !key.is_empty() && key.len() <= ID_MAX);
    match (key, given.next()) {
        (Some(key), None) => Ok(key),
        _ => Err(Error::MissingIdempotencyKey),
    }
}

/// The hash of a request: the SHA-256, in hexadecimal, of the event's id, a line feed, and the body as JSON without spaces and
/// with the fields of each object in the order of their names. So spaces and the order of fields do not change it.
fn hash(event_id: &str, body: &Value) -> String {
    hexadecimal(&Sha256::digest(format!("{event_id}\n{body}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stored hashes are compared with these, so this rule must not change.
    #[test]
    fn the_hash_of_a_request_is_as_written_down() {
        let canonical =
            r#"{"buyer":{"email":"ana@example.org","name":"Ana"},"items":[{"quantity":2,"ticket_type_id":"tt"}]}"#;
        let sent = r#"{ "items": [ {"ticket_type_id": "tt", "quantity": 2} ],
            "buyer": {"name": "Ana", "email": "ana@example.org"} }"#;
        let expected = "dba9a1ffa635226a746cb8e686c813dae9ec3addeb58db7f772f53e611bf617b";
        for body in [canonical, sent] {
            let body: Value = serde_json::from_str(body).unwrap();
            assert_eq!((body.to_string().as_str(), hash("ev_1", &body).as_str()), (canonical, expected));
        }
    }
}
