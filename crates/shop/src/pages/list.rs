//! What is coming at a producer.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    clock::Stamp,
    config::{EVENT_LASTS, EVENT_LASTS_MAX, SHOP_EVENTS},
    id,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{page, page_headers::SHOP, query::Query};
use taquilla_store::catalogue::on_sale::{self, OnSale, Place};

use super::{carried::Carried, frame::Frame, guest::Guest, sharing::Sharing};

#[derive(Template)]
#[template(path = "shop.html")]
struct ShopPage {
    f: Frame,
    events: Vec<OnSale>,
    /// The address of the events after these.
    more: Option<String>,
    is_first: bool,
}

impl ShopPage {
    fn sharing(&self) -> Sharing {
        Sharing::of_shop(&self.f)
    }

    /// What the cheapest entrance costs.
    fn price(&self, event: &OnSale) -> String {
        match event.from_price {
            Some(0) => self.f.text("front-free"),
            Some(from) => self.f.l.t.with("front-from", "price", self.f.money(from, &event.currency)),
            None if event.is_sold_out => self.f.text("shop-sold-out"),
            None => String::new(),
        }
    }
}

/// A place as the query of a page has it: the moment in microseconds, or nothing, and the event's id.
fn written(place: &Place) -> String {
    let at = place.starts_at.map(|at| at.micros().to_string()).unwrap_or_default();
    format!("{at}.{}", place.id)
}

/// `None` for what is no place: then the list begins where it begins.
fn read(text: &str) -> Option<Place> {
    let (at, event_id) = text.split_once('.')?;
    let starts_at = if at.is_empty() { None } else { Some(Stamp::from_micros(at.parse().ok()?)) };
    id::is_plausible(event_id).then(|| Place { starts_at, id: event_id.to_owned() })
}

/// The page. Events that have begun are there while they last.
pub async fn get_shop(State(app): State<App>, guest: Guest, query: Query) -> Result<Response, Error> {
    let f = guest.frame(&app, Carried::in_query(&query));
    let (now, tenant) = (f.now, f.keeper.tenant);
    let after = query.get("after").and_then(read);
    let is_first = after.is_none();
    let from = after.unwrap_or_else(|| Place::first(now.minus(EVENT_LASTS_MAX)));
    let mut conn = app.store.read().await?;
    // One more than is shown says whether there are more.
    let mut events = on_sale::soonest(&mut conn, tenant, &from, now.minus(EVENT_LASTS), now, SHOP_EVENTS + 1).await?;
    drop(conn);
    let has_more = events.len() > SHOP_EVENTS;
    events.truncate(SHOP_EVENTS);
    let last = events.last().filter(|_| has_more);
    let more = last.map(|last| {
        let place = Place { starts_at: last.starts_at, id: last.id.clone() };
        format!("{}{}", f.shop(), f.carried.query(&[("after", &written(&place))]))
    });
    page::show_at(SHOP, StatusCode::OK, &ShopPage { f, events, more, is_first })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written() {
        for (starts_at, id) in [(Some(Stamp::from_micros(1_790_000_000_000_000)), "ev_1"), (None, "a.b c")] {
            let place = Place { starts_at, id: id.to_owned() };
            assert_eq!(read(&written(&place)), Some(place));
        }
        for text in ["", "x", "1", "x.ev", "1.", ".", "99999999999999999999.ev"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
