//! `/`: shows each visitor the way.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::config::FRONT_EVENTS;
use taquilla_http::{
    app::App,
    errors::Error,
    rate::{Pace, Source},
};
use taquilla_pages::{
    local_time::at_the_event,
    page::{self, Layout},
    page_headers::SHOP,
    visitor::Visitor,
};
use taquilla_store::catalogue::on_sale::{self, OnSale};

#[derive(Template)]
#[template(path = "front.html")]
struct FrontPage {
    l: Layout,
    events: Vec<OnSale>,
}

impl FrontPage {
    /// When an event begins, by the clocks there, which are named where the producer is elsewhere.
    fn begins(&self, event: &OnSale) -> String {
        at_the_event(&event.starts_at, &event.timezone, &event.producer_time_zone)
    }

    /// What the cheapest ticket costs.
    fn price(&self, event: &OnSale, from: &i64) -> String {
        match from {
            0 => self.l.t.text("front-free"),
            from => self
                .l
                .t
                .with_two("front-from", [("price", (*from).into()), ("currency", event.currency.as_str().into())]),
        }
    }
}

/// The page.
pub async fn get_front(State(app): State<App>, visitor: Visitor) -> Result<Response, Error> {
    app.limits.count(Pace::ShopVisits, &[Source::address(visitor.address)])?;
    let events = on_sale::soonest(&mut app.store.read().await?, app.time.now(), FRONT_EVENTS).await?;
    page::show_at(SHOP, StatusCode::OK, &FrontPage { l: visitor.layout, events })
}
