//! The second step of signing in: a code of the authenticator app, or a recovery code.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::refusal::Refusal;
use taquilla_http::{
    app::App,
    errors::Error,
    rate::{Guess, TooMany},
};
use taquilla_metrics::{SignIn, SignedIn};
use taquilla_pages::{
    form::Form,
    page::{self, Layout},
    query::Query,
    redirects::{go, safe_next},
    visitor::Visitor,
};
use taquilla_rules::admin::staff::{second_factor, sessions};
use taquilla_store::ChangeError;

use super::{access::WRONG, cookies::STEP, device, frame::FIRST, known_browser, sign_in::welcome};

#[derive(Template)]
#[template(path = "second_factor.html")]
struct SecondFactorPage {
    l: Layout,
    form: Form,
    next: String,
}

/// By what guesses of a user's codes are counted. It is apart from passwords: who guesses codes has the password already.
pub fn guessed_code(user_id: &str) -> String {
    format!("second factor of {user_id}")
}

/// The page where one shows the second factor.
pub async fn get_second_factor(State(app): State<App>, visitor: Visitor, query: Query) -> Result<Response, Error> {
    let next = safe_next(query.get("next").unwrap_or_default(), FIRST).to_owned();
    let Some(token) = visitor.cookie(STEP, &app) else { return Ok(go("/dashboard/sign-in")) };
    match second_factor::expected(&app.store, &token, app.time.now()).await? {
        Some(_) => page::show(StatusCode::OK, &SecondFactorPage { l: visitor.layout, form: Form::default(), next }),
        None => Ok(go("/dashboard/sign-in")),
    }
}

/// Signs in with the code.
pub async fn post_second_factor(State(app): State<App>, visitor: Visitor, mut form: Form) -> Result<Response, Error> {
    let next = safe_next(form.value("next"), FIRST).to_owned();
    let Some(token) = visitor.cookie(STEP, &app) else { return Ok(go("/dashboard/sign-in")) };
    let Some(user) = second_factor::expected(&app.store, &token, app.time.now()).await? else {
        return Ok(go("/dashboard/sign-in"));
    };
    let t = visitor.layout.t;
    let account = guessed_code(&user.id);
    let sources = known_browser::sources(&visitor, &app, &user.email, &account);
    if let Err(TooMany { retry_after_s, .. }) = app.limits.attempt(Guess::SignIn, &sources) {
        app.metrics.count_sign_in(SignIn::SecondFactor, SignedIn::Limited);
        form.wrong("code", t.with("sign-in-too-many", "minutes", retry_after_s.div_ceil(60)));
        return page::show(StatusCode::TOO_MANY_REQUESTS, &SecondFactorPage { l: visitor.layout, form, next });
    }
    let by = visitor.by(&user.email, &app);
    match second_factor::sign_in(&app.store, &token, form.value("code"), &device::of(&visitor), &by).await {
        Ok(session) => {
            app.metrics.count_sign_in(SignIn::SecondFactor, SignedIn::Ok);
            app.limits.was_right(Guess::SignIn, &sources);
            welcome(&app, &visitor, &user.email, &session, &next)
        }
        Err(ChangeError::Refused(Refusal::Invalid { .. })) => {
            app.metrics.count_sign_in(SignIn::SecondFactor, SignedIn::Wrong);
            sessions::note_failure(&app.store, Some(&user), &by).await?;
            form.wrong("code", t.text("wrong-code"));
            page::show(WRONG, &SecondFactorPage { l: visitor.layout, form, next })
        }
        Err(ChangeError::Refused(_)) => Ok(go("/dashboard/sign-in")),
        Err(error) => Err(error.into()),
    }
}
