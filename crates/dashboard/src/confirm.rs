//! Showing the password again before keys, payments, the team or secrets are changed.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_http::{
    app::App,
    errors::Error,
    rate::{Guess, TooMany},
};
use taquilla_metrics::{SignIn, SignedIn as Shown};
use taquilla_pages::{
    form::Form,
    page,
    query::Query,
    redirects::{go, safe_next},
};
use taquilla_rules::admin::staff::sessions;
use taquilla_store::staff::users;

use super::{
    access::{SignedIn, WRONG},
    frame::{FIRST, Frame},
};

#[derive(Template)]
#[template(path = "confirm.html")]
struct ConfirmPage {
    f: Frame,
    email: String,
    form: Form,
    next: String,
}

fn show(status: StatusCode, signed_in: &SignedIn, form: Form, next: String) -> Result<Response, Error> {
    let email = signed_in.user.email.clone();
    page::show(status, &ConfirmPage { f: signed_in.frame(""), email, form, next })
}

/// The page where one shows the password again.
pub async fn get_confirm(signed_in: SignedIn, query: Query) -> Result<Response, Error> {
    let next = safe_next(query.get("next").unwrap_or_default(), FIRST).to_owned();
    show(StatusCode::OK, &signed_in, Form::default(), next)
}

/// Takes the password.
pub async fn post_confirm(State(app): State<App>, signed_in: SignedIn, mut form: Form) -> Result<Response, Error> {
    let next = safe_next(form.value("next"), FIRST).to_owned();
    let t = signed_in.layout.t;
    let sources = [signed_in.as_source()];
    if let Err(TooMany { retry_after_s, .. }) = app.limits.attempt(Guess::SignIn, &sources) {
        app.metrics.count_sign_in(SignIn::Confirm, Shown::Limited);
        form.wrong("password", t.with("sign-in-too-many", "minutes", retry_after_s.div_ceil(60)));
        return show(StatusCode::TOO_MANY_REQUESTS, &signed_in, form, next);
    }
    let user = users::find(&mut app.store.read().await?, signed_in.user_id()).await?;
    let hash = user.map(|user| user.password_hash);
    if !app.passwords.is_right(form.value("password").to_owned(), hash).await? {
        app.metrics.count_sign_in(SignIn::Confirm, Shown::Wrong);
        form.wrong("password", t.text("confirm-wrong"));
        return show(WRONG, &signed_in, form, next);
    }
    app.metrics.count_sign_in(SignIn::Confirm, Shown::Ok);
    app.limits.was_right(Guess::SignIn, &sources);
    sessions::confirm(&app.store, &signed_in.user.session, signed_in.by()).await?;
    Ok(go(&next))
}
