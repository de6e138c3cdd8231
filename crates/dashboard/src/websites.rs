//! The websites whose pages may ask the producer's shop.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{config::SHOP_ORIGINS_MAX, web_origin::WebOrigin};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, query::Query, redirects::go};
use taquilla_rules::admin;
use taquilla_store::{ChangeError, shop_origins};

use super::{
    access::{Administer, Member, WRONG},
    frame::Frame,
};

#[derive(Template)]
#[template(path = "websites.html")]
struct WebsitesPage {
    f: Frame,
    form: Form,
}

/// The form.
pub async fn get_websites(State(app): State<App>, member: Member<Administer>, query: Query) -> Result<Response, Error> {
    let listed = shop_origins::listed(&mut app.store.read().await?, member.tenant()).await?;
    let form = Form::filled(&[("origins", &listed)]);
    page::show(StatusCode::OK, &WebsitesPage { f: member.frame("settings").done(&query), form })
}

/// Replaces the list.
pub async fn post_websites(
    State(app): State<App>,
    member: Member<Administer>,
    mut form: Form,
) -> Result<Response, Error> {
    let t = member.layout.t;
    let origins = form.value("origins").lines().map(str::trim).filter(|line| !line.is_empty());
    let origins =
        origins.map(|line| WebOrigin::parse(line).map_err(|_| line.to_owned())).collect::<Result<Vec<_>, _>>();
    let wrong = match origins {
        Err(line) => t.with("wrong-website", "text", line),
        Ok(origins) => match admin::shop_origins::set(&app.store, member.tenant(), origins, member.by()).await {
            Ok(_) => return Ok(go(&member.path("/settings/websites?done=saved"))),
            Err(ChangeError::Refused(_)) => t.with("wrong-websites", "count", SHOP_ORIGINS_MAX),
            Err(error) => return Err(error.into()),
        },
    };
    form.wrong("origins", wrong);
    page::show(WRONG, &WebsitesPage { f: member.frame("settings"), form })
}
