//! The terms that buyers accept at all events of the producer that have none of their own.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, query::Query, redirects::go};
use taquilla_store::sales::terms;

use super::{
    access::{Administer, Member, WRONG},
    events::present::Present,
    frame::Frame,
    terms_form,
};

#[derive(Template)]
#[template(path = "terms.html")]
struct TermsPage {
    f: Frame,
    form: Form,
    /// Nobody else writes this form.
    present: Present,
}

/// The form.
pub async fn get_terms(State(app): State<App>, member: Member<Administer>, query: Query) -> Result<Response, Error> {
    let terms = terms::made_for(&mut app.store.read().await?, member.tenant(), None).await?;
    let mut form = Form::default();
    terms_form::fill(&mut form, terms.as_ref());
    let f = member.frame("settings").done(&query);
    page::show(StatusCode::OK, &TermsPage { f, form, present: Present::default() })
}

/// Has buyers accept these terms, or none if nothing is written.
pub async fn post_terms(State(app): State<App>, member: Member<Administer>, mut form: Form) -> Result<Response, Error> {
    match terms_form::save(&app, &member, None, &mut form).await? {
        true => Ok(go(&member.path("/settings/terms?done=saved"))),
        false => page::show(WRONG, &TermsPage { f: member.frame("settings"), form, present: Present::default() }),
    }
}
