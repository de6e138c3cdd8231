//! Pages of other websites may ask the shop if the producer has put them on its list (CORS).
//!
//! What the shop answers is the same for everybody. The list is for the buyers' browsers: a page of a stranger's website
//! neither reads what they bought nor places an order in their name.

use axum::http::{HeaderName, HeaderValue, Method, header, request::Parts};
use tower_http::cors::{AllowOrigin, CorsLayer};

use taquilla_domain::{config::SHOP_ORIGIN_REMEMBERED, id};
use taquilla_http::{
    app::App,
    client_address::ClientAddress,
    errors::LINE_PLACE,
    rate::{Pace, Source},
};
use taquilla_store::{self as store, Tenant, producers, sales::orders, shop_origins};

/// Answers what browsers ask before a request of another website, and says in each answer whether that website may read it.
pub fn layer(app: &App) -> CorsLayer {
    let app = app.clone();
    let allowed = AllowOrigin::async_predicate(move |origin: HeaderValue, parts: &Parts| {
        let is_counted = parts.method != Method::OPTIONS || {
            // No handler counts this one.
            let ClientAddress(address) = ClientAddress::of(parts);
            app.limits.count(Pace::ShopVisits, &[Source::address(address)]).is_ok()
        };
        let path = parts.uri.path().to_owned();
        async move { is_counted && may_ask(&app, &path, &origin).await.unwrap_or(false) }
    });
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::CONTENT_TYPE, HeaderName::from_static("idempotency-key"), LINE_PLACE])
        .expose_headers([header::RETRY_AFTER, LINE_PLACE, HeaderName::from_static("x-request-id")])
        .max_age(SHOP_ORIGIN_REMEMBERED)
        .vary([header::ORIGIN])
}

async fn may_ask(app: &App, path: &str, origin: &HeaderValue) -> store::Result<bool> {
    let Ok(origin) = origin.to_str() else { return Ok(false) };
    let mut conn = app.store.read().await?;
    match tenant(&mut conn, path).await? {
        Some(tenant) => shop_origins::has(&mut conn, tenant, origin).await,
        None => Ok(false),
    }
}

/// Whose shop a path is about: it names a producer, or an order by a reference, which begins with the producer's number.
async fn tenant(conn: &mut store::Conn, path: &str) -> store::Result<Option<Tenant>> {
    let mut parts = path.trim_start_matches("/shop/v1/").split('/');
    match (parts.next(), parts.next()) {
        (Some("orders"), Some(reference)) => Ok(orders::split_reference(reference).map(|(tenant, _)| tenant)),
        (Some(producer), Some(_)) if id::is_plausible(producer) => producers::find(conn, producer).await,
        _ => Ok(None),
    }
}
