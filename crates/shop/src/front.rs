//! `/`: shows each visitor the way.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::clock::Stamp;
use taquilla_http::{
    app::App,
    errors::Error,
    rate::{Pace, Source},
};
use taquilla_pages::{
    address::in_path,
    formats::{Dates, ShownTime, money},
    page::{self, Layout},
    page_headers::SHOP,
    visitor::Visitor,
};
use taquilla_store::catalogue::on_sale::OnSale;

#[derive(Template)]
#[template(path = "front.html")]
struct FrontPage {
    l: Layout,
    now: Stamp,
    events: Vec<OnSale>,
}

impl FrontPage {
    /// When an event begins, by the clocks there, which are named where the producer is elsewhere.
    fn begins(&self, at: &Stamp, event: &OnSale) -> ShownTime {
        let dates = Dates::new(self.l.t.0, &event.timezone, self.now);
        match event.timezone == event.producer_time_zone {
            true => dates.time(at),
            false => dates.time_with_zone(at, &event.timezone),
        }
    }

    /// The address of a producer's shop.
    fn shop(&self, event: &OnSale) -> String {
        format!("/shop/{}", in_path(&event.producer_id))
    }

    /// The address of an event's page.
    fn page(&self, event: &OnSale) -> String {
        format!("{}/{}", self.shop(event), in_path(&event.id))
    }

    /// What the cheapest ticket costs.
    fn price(&self, event: &OnSale, from: &i64) -> String {
        match from {
            0 => self.l.t.text("front-free"),
            from => self.l.t.with("front-from", "price", money(self.l.t.0, *from, &event.currency)),
        }
    }
}

/// The page.
pub async fn get_front(State(app): State<App>, visitor: Visitor) -> Result<Response, Error> {
    app.limits.count(Pace::ShopVisits, &[Source::address(visitor.address)])?;
    let events = app.on_sale.soonest(&app.store, &app.time).await?;
    page::show_at(SHOP, StatusCode::OK, &FrontPage { l: visitor.layout, now: visitor.now, events })
}
