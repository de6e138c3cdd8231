//! Links that do one thing once: beginning the service, joining a team, choosing a password, signing in to the demo.
//!
//! Opening a link changes nothing, because programs that preview links open them too. Its form does the thing.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    audit::By,
    email::Email,
    key::{Opens, Secret},
    password::{Password, Weak},
    refusal::Refusal,
    text::Name,
    time_zone,
};
use taquilla_http::{
    app::App,
    errors::Error,
    rate::{Guess, Source},
};
use taquilla_pages::{
    form::Form,
    page::{self, Layout},
    redirects::go,
    refusals::refusal_text,
    texts::Texts,
    visitor::Visitor,
};
use taquilla_rules::admin::staff::{
    first_start::{self, Administrator},
    password_links, sessions,
    team::{self, Guest},
    users,
};
use taquilla_store::{
    ChangeError,
    staff::{
        links::{self, Link, Purpose},
        users as user_rows,
    },
};

use super::{
    access::{MaybeSignedIn, SignedIn, WRONG},
    device,
    frame::producer_path,
    producer_form::read_producer,
    sign_in::{end_old_session, welcome},
};

/// What a page of a link shows.
struct Opened {
    token: Secret,
    link: Link,
    /// The producer that an invitation is to.
    producer: String,
}

#[derive(Template)]
#[template(path = "link.html")]
struct LinkPage {
    l: Layout,
    action: String,
    purpose: Purpose,
    email: String,
    producer: String,
    is_for_user: bool,
    signed_in_as: Option<String>,
    form: Form,
    zones: Vec<String>,
}

impl LinkPage {
    fn title_key(&self) -> &'static str {
        match self.purpose {
            Purpose::FirstStart => "begin-title",
            Purpose::Invitation => "join-page",
            Purpose::Reset => "choose-password",
            Purpose::SignIn | Purpose::SecondFactor => "demo-sign-in",
        }
    }
}

#[derive(Template)]
#[template(path = "dead_link.html")]
struct DeadLinkPage {
    l: Layout,
}

fn dead(layout: Layout) -> Result<Response, Error> {
    page::show(StatusCode::NOT_FOUND, &DeadLinkPage { l: layout })
}

/// The link with this token, if it still works.
async fn open(app: &App, visitor: &Visitor, token: &str) -> Result<Option<Opened>, Error> {
    app.limits.may_attempt(Guess::Credential, &Source::address(visitor.address))?;
    let parsed = Secret::parse(Opens::StaffLink, token);
    let now = app.time.now();
    let found = match &parsed {
        Some(token) => links::find(&mut app.store.read().await?, token, now).await?,
        None => None,
    };
    // The step between password and second factor belongs to a cookie.
    let (Some(token), Some(link)) = (parsed, found.filter(|link| link.purpose != Purpose::SecondFactor)) else {
        match app.limits.failed(Guess::Credential, Source::address(visitor.address), Error::NotFound("link")) {
            Error::NotFound(_) => return Ok(None),
            limited => return Err(limited),
        }
    };
    let mut producer = String::new();
    if link.purpose == Purpose::Invitation {
        producer = team::invitation(&app.store, &token, now).await?.map(|(_, name)| name).unwrap_or_default();
    }
    Ok(Some(Opened { token, link, producer }))
}

fn show(
    status: StatusCode,
    visitor: &Visitor,
    opened: &Opened,
    user: Option<&SignedIn>,
    form: Form,
) -> Result<Response, Error> {
    let zones = match opened.link.purpose {
        Purpose::FirstStart => time_zone::names(),
        _ => Vec::new(),
    };
    page::show(
        status,
        &LinkPage {
            l: visitor.layout.clone(),
            action: format!("/dashboard/links/{}", opened.token.reveal()),
            purpose: opened.link.purpose,
            email: opened.link.email.clone(),
            producer: opened.producer.clone(),
            is_for_user: opened.link.user_id.is_some(),
            signed_in_as: user.map(|user| user.user.email.clone()),
            form,
            zones,
        },
    )
}

/// The page of a link.
pub async fn get_link(
    State(app): State<App>,
    visitor: Visitor,
    MaybeSignedIn(user): MaybeSignedIn,
    Path(token): Path<String>,
) -> Result<Response, Error> {
    match open(&app, &visitor, &token).await? {
        Some(opened) => {
            let first = Form::filled(&[("time_zone", "Europe/Madrid"), ("currency", "EUR")]);
            show(StatusCode::OK, &visitor, &opened, user.as_ref(), first)
        }
        None => dead(visitor.layout),
    }
}

/// What is wrong with a password, in the reader's language.
pub fn weak_text(t: Texts, weak: Weak) -> String {
    t.text(match weak {
        Weak::Length => "wrong-password-length",
        Weak::Common => "wrong-password-common",
        Weak::OwnName => "wrong-password-own-name",
    })
}

/// Does what the link is for.
pub async fn post_link(
    State(app): State<App>,
    visitor: Visitor,
    MaybeSignedIn(user): MaybeSignedIn,
    Path(token): Path<String>,
    mut form: Form,
) -> Result<Response, Error> {
    let Some(opened) = open(&app, &visitor, &token).await? else { return dead(visitor.layout) };
    let outcome = match opened.link.purpose {
        Purpose::FirstStart => begin(&app, &visitor, &opened, &mut form).await?,
        Purpose::Invitation => join(&app, &visitor, &opened, user.as_ref(), &mut form).await?,
        Purpose::Reset => reset(&app, &visitor, &opened, &mut form).await?,
        Purpose::SignIn => {
            let by = visitor.by(&opened.link.email, &app);
            let token = users::sign_in_by_link(&app.store, &opened.token, &device::of(&visitor), &by).await;
            Some(("/dashboard".to_owned(), token.map(Some)))
        }
        Purpose::SecondFactor => None,
    };
    let Some((next, token)) = outcome else { return show(WRONG, &visitor, &opened, user.as_ref(), form) };
    match token {
        Ok(Some(token)) => {
            end_old_session(&app, user).await?;
            // The link that begins the service is for nobody yet.
            let email = if opened.link.email.is_empty() { form.value("email") } else { &opened.link.email };
            let email = Email::parse(email).map_err(|_| Error::NotFound("user"))?;
            welcome(&app, &visitor, email.as_str(), &token, &next)
        }
        Ok(None) => Ok(go(&next)),
        Err(ChangeError::Refused(Refusal::NotFound("link"))) => dead(visitor.layout),
        Err(ChangeError::Refused(refusal)) => {
            form.wrong("email", refusal_text(visitor.layout.t, &refusal));
            show(WRONG, &visitor, &opened, user.as_ref(), form)
        }
        Err(error) => Err(error.into()),
    }
}

/// Where to go next and the session's token, or nothing if the form has to be shown again.
type Outcome = Option<(String, Result<Option<Secret>, ChangeError>)>;

async fn password_hash(app: &App, form: &mut Form, email: &Email, t: Texts) -> Result<Option<String>, Error> {
    let chosen = form.read("password", |text| Password::choose(text, email), |weak| weak_text(t, weak));
    match chosen.filter(|_| form.errors().is_empty()) {
        Some(password) => Ok(Some(app.passwords.hash(password).await?)),
        None => Ok(None),
    }
}

async fn begin(app: &App, visitor: &Visitor, opened: &Opened, form: &mut Form) -> Result<Outcome, Error> {
    let t = visitor.layout.t;
    let name = form.read("name", Name::parse, |_| t.text("wrong-name"));
    let email = form.read("email", Email::parse, |_| t.text("wrong-email"));
    let producer = read_producer(form, "producer", t);
    let Some(email) = email else { return Ok(None) };
    let hash = password_hash(app, form, &email, t).await?;
    let (Some(name), Some(producer), Some(password_hash)) = (name, producer, hash) else { return Ok(None) };
    let by = visitor.by(email.as_str(), app);
    let administrator = Administrator { email, name, password_hash };
    let begun =
        first_start::begin(&app.store, &opened.token, &administrator, &producer, &device::of(visitor), &by).await;
    Ok(Some(match begun {
        Ok((producer_id, token)) => (producer_path(&producer_id, "?done=begun"), Ok(Some(token))),
        Err(error) => (String::new(), Err(error)),
    }))
}

async fn join(
    app: &App,
    visitor: &Visitor,
    opened: &Opened,
    user: Option<&SignedIn>,
    form: &mut Form,
) -> Result<Outcome, Error> {
    let t = visitor.layout.t;
    let by = visitor.by(&opened.link.email, app);
    let device = device::of(visitor);
    let joined = match user {
        Some(signed_in) => {
            let found = user_rows::find(&mut app.store.read().await?, signed_in.user_id()).await?;
            let Some(user) = found else { return Ok(None) };
            if opened.link.user_id.as_ref().is_some_and(|meant| *meant != user.id) {
                form.wrong("email", t.with("join-only", "email", opened.link.email.as_str()));
                return Ok(None);
            }
            let by = By { authority: signed_in.by().authority.clone(), ..by };
            team::accept(&app.store, &opened.token, Guest::User(&user), &device, &by).await
        }
        None => {
            let Ok(email) = Email::parse(&opened.link.email) else { return Ok(None) };
            let name = form.read("name", Name::parse, |_| t.text("wrong-name"));
            let hash = password_hash(app, form, &email, t).await?;
            let (Some(name), Some(hash)) = (name, hash) else { return Ok(None) };
            let joined = team::accept(&app.store, &opened.token, Guest::New(&name, &hash), &device, &by).await;
            if let Err(ChangeError::Refused(Refusal::IdTaken(_))) = joined {
                // Whoever tries this learns that the address has an account, and its owner that somebody tried.
                let user = user_rows::by_email(&mut app.store.read().await?, &email).await?;
                sessions::note_failure(&app.store, user.as_ref(), &by).await?;
            }
            joined
        }
    };
    Ok(Some(match joined {
        Ok((producer_id, token)) => (producer_path(&producer_id, "?done=joined"), Ok(token)),
        Err(error) => (String::new(), Err(error)),
    }))
}

async fn reset(app: &App, visitor: &Visitor, opened: &Opened, form: &mut Form) -> Result<Outcome, Error> {
    let Ok(email) = Email::parse(&opened.link.email) else { return Ok(None) };
    let Some(hash) = password_hash(app, form, &email, visitor.layout.t).await? else { return Ok(None) };
    let by = visitor.by(email.as_str(), app);
    let changed = password_links::use_up(&app.store, &opened.token, &hash, &device::of(visitor), &by).await;
    let next = match changed {
        Ok(None) => "/dashboard/sign-in",
        _ => "/dashboard?done=password",
    };
    Ok(Some((next.to_owned(), changed)))
}
