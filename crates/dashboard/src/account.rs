//! A user's own account: name, password, second factor, sessions.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    config::{CONFIRMED_FOR, CONFIRMED_GRACE},
    email::Email,
    password::Password,
    text::Name,
};
use taquilla_http::{
    app::App,
    errors::Error,
    rate::{Guess, Source, TooMany},
};
use taquilla_pages::{form::Form, page, qr::drawn, query::Query, redirects::go};
use taquilla_rules::admin::staff::{second_factor, sessions, users};
use taquilla_store::{
    ChangeError,
    staff::{
        sessions::{self as rows, Session},
        users::{self as user_rows, User},
    },
};

use super::{
    access::{SignedIn, WRONG},
    browser_words,
    frame::Frame,
    links::weak_text,
    second_factor::guessed_code,
    turned::Turned,
};

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    f: Frame,
    email: String,
    form: Form,
    has_second_factor: bool,
    codes_left: i64,
    sessions: Vec<Session>,
    own_session: String,
}

impl AccountPage {
    /// The browser of a session.
    fn browser(&self, session: &Session) -> String {
        browser_words::of(&session.device, self.f.l.t)
    }

    /// Whether the page is read in this session.
    fn is_this(&self, session: &Session) -> bool {
        session.id == self.own_session
    }
}

async fn own(app: &App, signed_in: &SignedIn) -> Result<User, Error> {
    let found = user_rows::find(&mut app.store.read().await?, signed_in.user_id()).await?;
    found.ok_or(Error::NotFound("user"))
}

async fn show(
    status: StatusCode,
    app: &App,
    signed_in: &SignedIn,
    query: &Query,
    form: Form,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let now = app.time.now();
    let all = rows::of_user(&mut conn, signed_in.user_id()).await?;
    let page = AccountPage {
        f: signed_in.frame("account").done(query),
        email: signed_in.user.email.clone(),
        form,
        has_second_factor: signed_in.user.has_second_factor,
        codes_left: user_rows::recovery_codes_left(&mut conn, signed_in.user_id()).await?,
        sessions: all.into_iter().filter(|session| session.works(now)).collect(),
        own_session: signed_in.user.session.id.clone(),
    };
    page::show(status, &page)
}

/// The account's page.
pub async fn get_account(State(app): State<App>, signed_in: SignedIn, query: Query) -> Result<Response, Error> {
    let form = Form::filled(&[("name", &signed_in.user.name)]);
    show(StatusCode::OK, &app, &signed_in, &query, form).await
}

/// Changes the user's name.
pub async fn post_name(State(app): State<App>, signed_in: SignedIn, mut form: Form) -> Result<Response, Error> {
    let t = signed_in.layout.t;
    let Some(name) = form.read("name", Name::parse, |_| t.text("wrong-name")) else {
        return show(WRONG, &app, &signed_in, &Query::default(), form).await;
    };
    users::rename(&app.store, signed_in.user_id(), &name, signed_in.by()).await?;
    Ok(go("/dashboard/account?done=saved"))
}

/// Changes the password. The one before is asked for, and all other sessions end.
pub async fn post_password(State(app): State<App>, signed_in: SignedIn, mut form: Form) -> Result<Response, Error> {
    let t = signed_in.layout.t;
    let account = &signed_in.user.email;
    let sources = [signed_in.as_source()];
    if let Err(TooMany { retry_after_s, .. }) = app.limits.attempt(Guess::SignIn, &sources) {
        form.wrong("current", t.with("sign-in-too-many", "minutes", retry_after_s.div_ceil(60)));
        return show(StatusCode::TOO_MANY_REQUESTS, &app, &signed_in, &Query::default(), form).await;
    }
    let hash = own(&app, &signed_in).await?.password_hash;
    if !app.passwords.is_right(form.value("current").to_owned(), Some(hash)).await? {
        form.wrong("current", t.text("confirm-wrong"));
        return show(WRONG, &app, &signed_in, &Query::default(), form).await;
    }
    app.limits.was_right(Guess::SignIn, &sources);
    let Ok(email) = Email::parse(account) else { return Err(Error::NotFound("user")) };
    let chosen = form.read("password", |text| Password::choose(text, &email), |weak| weak_text(t, weak));
    let Some(password) = chosen else { return show(WRONG, &app, &signed_in, &Query::default(), form).await };
    let hash = app.passwords.hash(password).await?;
    let (id, session) = (signed_in.user_id(), &signed_in.user.session.id);
    users::change_password(&app.store, id, &hash, session, signed_in.by()).await?;
    Ok(go("/dashboard/account?done=password"))
}

/// Ends one of the user's sessions.
pub async fn post_end_session(
    State(app): State<App>,
    signed_in: SignedIn,
    Path(id): Path<String>,
    _form: Form,
) -> Result<Response, Error> {
    sessions::end(&app.store, signed_in.user_id(), &id, signed_in.by()).await?;
    Ok(go("/dashboard/account?done=session-ended"))
}

/// Ends all sessions of the user but this one.
pub async fn post_end_sessions(State(app): State<App>, signed_in: SignedIn, _form: Form) -> Result<Response, Error> {
    sessions::end_others(&app.store, signed_in.user_id(), &signed_in.user.session.id, signed_in.by()).await?;
    Ok(go("/dashboard/account?done=session-ended"))
}

#[derive(Template)]
#[template(path = "account_second_factor.html")]
struct SecondFactorPage {
    f: Frame,
    form: Form,
    has_second_factor: bool,
    codes_left: i64,
    secret: String,
    qr: String,
}

async fn show_second_factor(
    status: StatusCode,
    app: &App,
    signed_in: &SignedIn,
    query: &Query,
    form: Form,
) -> Result<Response, Turned> {
    if !signed_in.user.session.is_confirmed(app.time.now(), CONFIRMED_FOR + CONFIRMED_GRACE) {
        return Err(Turned::Confirm("/dashboard/account/second-factor".to_owned()));
    }
    let user = own(app, signed_in).await?;
    let (mut secret, mut qr) = (String::new(), String::new());
    if user.totp.is_none() {
        let pending = second_factor::pending_secret(&app.store, &user, signed_in.by()).await?;
        pending.reveal().clone_into(&mut secret);
        qr = pending.address(&user.email).and_then(|address| drawn(&address)).unwrap_or_default();
    }
    let codes_left = user_rows::recovery_codes_left(&mut app.store.read().await?, &user.id).await?;
    let f = signed_in.frame("account").done(query);
    let has_second_factor = user.totp.is_some();
    Ok(page::show(status, &SecondFactorPage { f, form, has_second_factor, codes_left, secret, qr })?)
}

/// The page of the second factor.
pub async fn get_second_factor(State(app): State<App>, signed_in: SignedIn, query: Query) -> Result<Response, Turned> {
    show_second_factor(StatusCode::OK, &app, &signed_in, &query, Form::default()).await
}

#[derive(Template)]
#[template(path = "recovery_codes.html")]
struct CodesPage {
    f: Frame,
    codes: Vec<String>,
}

/// Sets up, renews the codes of, or removes the second factor. Each takes a code: who found a session open has none.
pub async fn post_second_factor(
    State(app): State<App>,
    signed_in: SignedIn,
    mut form: Form,
) -> Result<Response, Turned> {
    if !signed_in.user.session.is_confirmed(app.time.now(), CONFIRMED_FOR + CONFIRMED_GRACE) {
        return Err(Turned::Confirm("/dashboard/account/second-factor".to_owned()));
    }
    let (id, by, code) = (signed_in.user_id(), signed_in.by(), form.value("code").to_owned());
    // Until it is set up there is nothing to guess: the secret is on the page.
    let guessed = signed_in.user.has_second_factor.then(|| Source::id(&guessed_code(id)));
    let sources = guessed.as_slice();
    if let Err(TooMany { retry_after_s, .. }) = app.limits.attempt(Guess::SignIn, sources) {
        form.wrong("code", signed_in.layout.t.with("sign-in-too-many", "minutes", retry_after_s.div_ceil(60)));
        return show_second_factor(StatusCode::TOO_MANY_REQUESTS, &app, &signed_in, &Query::default(), form).await;
    }
    let session = &signed_in.user.session.id;
    let made = match (form.value("change"), signed_in.user.has_second_factor) {
        ("set-up", false) => second_factor::set_up(&app.store, id, session, &code, by).await.map(Some),
        ("renew", true) => second_factor::renew_codes(&app.store, id, &code, by).await.map(Some),
        ("remove", true) => second_factor::remove(&app.store, id, &code, by).await.map(|()| None),
        _ => return Err(Error::Forbidden.into()),
    };
    match made {
        Err(ChangeError::Refused(_)) => {
            form.wrong("code", signed_in.layout.t.text("wrong-code"));
            show_second_factor(WRONG, &app, &signed_in, &Query::default(), form).await
        }
        made => {
            app.limits.was_right(Guess::SignIn, sources);
            let Some(codes) = made? else { return Ok(go("/dashboard/account?done=second-factor-off")) };
            let (f, codes) = (signed_in.frame("account"), codes.reveal().to_vec());
            Ok(page::show(StatusCode::OK, &CodesPage { f, codes })?)
        }
    }
}
