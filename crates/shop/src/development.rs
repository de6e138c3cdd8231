//! The page of the development processor, on which whoever tries the demo says what becomes of a payment. No other server has it.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_http::{
    app::App,
    errors::Error,
    path_id::PathId,
    rate::{Pace, Source},
};
use taquilla_pages::{
    form::Form,
    formats,
    page::{self, Layout},
    page_headers::SHOP,
    redirects::go,
    visitor::Visitor,
};
use taquilla_payments::{Act, Development, DevelopmentSession};

/// What can be done, and the texts of its button and of what follows.
const ACTS: [(&str, &str, &str); 4] = [
    ("pay", "made-up-pay", "made-up-pay-about"),
    ("refuse", "made-up-refuse", "made-up-refuse-about"),
    ("late", "made-up-late", "made-up-late-about"),
    ("twice", "made-up-twice", "made-up-twice-about"),
];

#[derive(Template)]
#[template(path = "development.html")]
struct PaymentPage {
    l: Layout,
    session: DevelopmentSession,
    amount: String,
    acts: &'static [(&'static str, &'static str, &'static str)],
}

/// A session of the demo's processor.
fn session<'a>(app: &'a App, id: &str) -> Option<(DevelopmentSession, &'a Development)> {
    let development = app.cashier.development.as_deref()?;
    Some((development.session(id)?, development))
}

/// The page.
pub async fn get_payment(State(app): State<App>, visitor: Visitor, id: PathId) -> Result<Response, Error> {
    app.limits.count(Pace::ShopVisits, &[Source::address(visitor.address)])?;
    let (session, _) = session(&app, &id.of("payment")?).ok_or(Error::NotFound("payment"))?;
    let amount = formats::money(visitor.layout.t.0, session.amount, &session.currency);
    page::show_at(SHOP, StatusCode::OK, &PaymentPage { l: visitor.layout, session, amount, acts: &ACTS })
}

/// Does what was chosen, and leads back to the order.
pub async fn post_payment(State(app): State<App>, visitor: Visitor, id: PathId, form: Form) -> Result<Response, Error> {
    app.limits.count(Pace::ShopVisits, &[Source::address(visitor.address)])?;
    let (session, development) = session(&app, &id.of("payment")?).ok_or(Error::NotFound("payment"))?;
    if let Some(act) = Act::parse(form.value("act")) {
        development.act(&session.id, act);
    }
    Ok(go(&session.back))
}
