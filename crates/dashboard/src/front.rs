//! `/`: shows each visitor the way.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::config::FRONT_EVENTS;
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::page::{self, Layout};
use taquilla_store::catalogue::on_sale::{self, OnSale};

use super::access::MaybeSignedIn;

#[derive(Template)]
#[template(path = "front.html")]
struct FrontPage {
    l: Layout,
    is_signed_in: bool,
    events: Vec<(OnSale, String)>,
}

impl FrontPage {
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
pub async fn get_front(
    State(app): State<App>,
    visitor: super::visitor::Visitor,
    MaybeSignedIn(user): MaybeSignedIn,
) -> Result<Response, Error> {
    app.limits.count_visit(visitor.address)?;
    let events = on_sale::soonest(&mut app.store.read().await?, app.time.now(), FRONT_EVENTS).await?;
    let events = events.into_iter().map(|event| (event.local_time(), event)).map(|(at, event)| (event, at)).collect();
    page::show(StatusCode::OK, &FrontPage { l: visitor.layout, is_signed_in: user.is_some(), events })
}
