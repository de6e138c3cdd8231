//! Signing in with e-mail address and password, and signing out.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{email::Email, key::Secret, refusal::Refusal};
use taquilla_http::{
    app::App,
    errors::Error,
    rate::{Guess, TooMany},
};
use taquilla_metrics::{SignIn, SignedIn as Shown};
use taquilla_pages::{
    cookies::with_cookie,
    form::Form,
    page::{self, Layout},
    query::Query,
    redirects::{go, go_and_return, safe_next},
    visitor::Visitor,
};
use taquilla_rules::admin::staff::sessions;
use taquilla_store as store;
use taquilla_store::{ChangeError, staff::users};

use super::{
    access::{MaybeSignedIn, SignedIn, WRONG},
    cookies::{SESSION, STEP},
    device,
    frame::FIRST,
    known_browser,
};

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    l: Layout,
    form: Form,
    next: String,
    /// Whether nobody can sign in yet. It is never said of a server that has users.
    is_unbegun: bool,
}

impl SignInPage {
    /// What is said to somebody whose session has ended.
    fn ended(&self) -> Option<String> {
        let key = match self.form.value("ended") {
            "page" => "sign-in-ended-page",
            "form" => "sign-in-ended-form",
            _ => return None,
        };
        Some(self.l.t.text(key))
    }
}

/// The page where one signs in.
pub async fn get_sign_in(State(app): State<App>, visitor: Visitor, query: Query) -> Result<Response, Error> {
    let next = safe_next(query.get("next").unwrap_or_default(), FIRST).to_owned();
    let form = Form::filled(&[("ended", query.get("ended").unwrap_or_default())]);
    let is_unbegun = !users::any(&mut app.store.read().await?).await?;
    page::show(StatusCode::OK, &SignInPage { l: visitor.layout, form, next, is_unbegun })
}

/// The cookies of a new session of a user, and the way on.
pub fn welcome(app: &App, visitor: &Visitor, email: &str, token: &Secret, next: &str) -> Result<Response, Error> {
    let response = with_cookie(go(next), SESSION.set(token, visitor.https));
    let response = with_cookie(response, known_browser::remember(visitor, app, email)?);
    Ok(with_cookie(response, STEP.clear(visitor.https)))
}

/// Ends the session that the browser had before, so that nobody goes on with somebody else's.
pub async fn end_old_session(app: &App, old: Option<SignedIn>) -> Result<(), Error> {
    let Some(old) = old else { return Ok(()) };
    end_session(app, &old).await
}

/// Ends a session, which may have ended meanwhile: by a new password, or in another tab.
async fn end_session(app: &App, whose: &SignedIn) -> Result<(), Error> {
    match sessions::end(&app.store, whose.user_id(), &whose.user.session.id, whose.by()).await {
        Err(ChangeError::Refused(Refusal::NotFound(_)) | ChangeError::Store(store::Error::AuthorityWithdrawn)) => {
            Ok(())
        }
        ended => Ok(ended?),
    }
}

/// Signs in. A wrong password and an unknown user get the same answer in the same time.
pub async fn post_sign_in(
    State(app): State<App>,
    visitor: Visitor,
    MaybeSignedIn(old): MaybeSignedIn,
    mut form: Form,
) -> Result<Response, Error> {
    let next = safe_next(form.value("next"), FIRST).to_owned();
    let t = visitor.layout.t;
    // A text that is no address belongs to nobody. It is counted and answered as an address that nobody has.
    let email = Email::parse(form.value("email")).ok();
    let account = email.as_ref().map_or("", Email::as_str);
    let sources = known_browser::sources(&visitor, &app, account, account);
    if let Err(TooMany { retry_after_s, .. }) = app.limits.attempt(Guess::SignIn, &sources) {
        app.metrics.count_sign_in(SignIn::Password, Shown::Limited);
        form.wrong("email", t.with("sign-in-too-many", "minutes", retry_after_s.div_ceil(60)));
        return page::show(
            StatusCode::TOO_MANY_REQUESTS,
            &SignInPage { l: visitor.layout, form, next, is_unbegun: false },
        );
    }
    let found = match &email {
        Some(email) => users::by_email(&mut app.store.read().await?, email).await?,
        None => None,
    };
    let user = found.filter(|user| user.disabled_at.is_none());
    let hash = user.as_ref().map(|user| user.password_hash.clone());
    let right = app.passwords.is_right(form.value("password").to_owned(), hash).await?;
    let Some(user) = user.as_ref().filter(|_| right) else {
        app.metrics.count_sign_in(SignIn::Password, Shown::Wrong);
        let actor = user.as_ref().map_or("", |user| &user.email);
        sessions::note_failure(&app.store, user.as_ref(), &visitor.by(actor, &app)).await?;
        form.wrong("email", t.text("sign-in-wrong"));
        return page::show(WRONG, &SignInPage { l: visitor.layout, form, next, is_unbegun: false });
    };
    app.metrics.count_sign_in(SignIn::Password, Shown::Ok);
    app.limits.was_right(Guess::SignIn, &sources);
    end_old_session(&app, old).await?;
    let by = visitor.by(&user.email, &app);
    let (begun, asks) = match user.totp {
        Some(_) => (sessions::ask_for_second_factor(&app.store, user, &by).await, true),
        None => (sessions::begin(&app.store, user, &device::of(&visitor), &by).await, false),
    };
    match begun {
        Ok(token) if asks => {
            let response = go_and_return("/dashboard/second-factor", &next);
            Ok(with_cookie(response, STEP.set(&token, visitor.https)))
        }
        Ok(token) => welcome(&app, &visitor, &user.email, &token, &next),
        // Something else than this password is needed by now.
        Err(ChangeError::Refused(Refusal::ChangedMeanwhile)) => Ok(go_and_return("/dashboard/sign-in", &next)),
        Err(error) => Err(error.into()),
    }
}

/// Signs out.
pub async fn post_sign_out(State(app): State<App>, signed_in: SignedIn) -> Result<Response, Error> {
    end_session(&app, &signed_in).await?;
    Ok(with_cookie(go("/dashboard/sign-in"), SESSION.clear(signed_in.https)))
}
