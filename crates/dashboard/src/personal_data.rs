//! Answering people who ask what is held of them: looking it up, taking it out, and erasing it.
//!
//! Who is meant is only ever in the body of a form: addresses of pages are kept in histories and logs.

use askama::Template;
use axum::{
    body::Body,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use serde_json::Value;

use taquilla_domain::{
    config::{DASHBOARD_ROWS, PERSON_ROWS_MAX},
    invalid::Invalid,
    role::Right,
    whom::{Named, NamedBy},
    work::WorkKind,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{
    address::in_path,
    download::{JSON, file},
    form::Form,
    page,
    query::Query,
    redirects::go,
};
use taquilla_rules::admin::{
    people::{self, PersonHoldings},
    person_export,
};
use taquilla_store::{
    people::due,
    work::pieces::{self, Piece},
};
use taquilla_wire::person::HowMuch;

use super::{
    access::{ManagePersonalData, Member, WRONG},
    frame::{Frame, refused},
};

#[derive(Template)]
#[template(path = "people.html")]
struct PeoplePage {
    f: Frame,
    form: Form,
    before: Vec<(String, Piece)>,
    retention_days: Option<i64>,
}

async fn show(
    status: StatusCode,
    app: &App,
    member: &Member<ManagePersonalData>,
    form: Form,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let mut last = pieces::last(&mut conn, member.tenant(), WorkKind::Erasure, DASHBOARD_ROWS).await?;
    last.extend(pieces::last(&mut conn, member.tenant(), WorkKind::Retention, DASHBOARD_ROWS).await?);
    let retention_days = due::retention_days(&mut conn, member.tenant()).await?;
    drop(conn);
    last.sort_by(|one, other| other.id.cmp(&one.id));
    last.truncate(DASHBOARD_ROWS as usize);
    let with_path = |piece: Piece| (member.path(&format!("/people/{}", in_path(&piece.id))), piece);
    let before = last.into_iter().map(with_path).collect();
    page::show(status, &PeoplePage { f: member.frame("people"), form, before, retention_days })
}

/// The form that asks for a person, and the erasures before.
pub async fn get_people(State(app): State<App>, member: Member<ManagePersonalData>) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, Form::default()).await
}

/// Reads who is meant.
fn read(form: &mut Form, member: &Member<ManagePersonalData>) -> Option<Named> {
    let by = NamedBy::parse(form.value("by")).unwrap_or(NamedBy::Email);
    let parse = |text: &str| -> Result<Named, Invalid> {
        match by {
            NamedBy::Email => Named::email(text),
            NamedBy::Document => Named::document(text),
        }
    };
    form.read("detail", parse, |_| member.layout.t.text("wrong-detail"))
}

#[derive(Template)]
#[template(path = "person.html")]
struct PersonPage {
    f: Frame,
    form: Form,
    much: HowMuch,
    has_more: bool,
    sees_people: bool,
}

fn show_found(
    status: StatusCode,
    member: &Member<ManagePersonalData>,
    named: &Named,
    found: &PersonHoldings,
    form: Form,
) -> Result<Response, Error> {
    let (much, has_more) = (found.how_much(named).seen_by(member.sees()), found.has_more());
    let sees_people = member.sees().people();
    page::show(status, &PersonPage { f: member.frame("people"), form, much, has_more, sees_people })
}

async fn find(app: &App, member: &Member<ManagePersonalData>, named: &Named) -> Result<PersonHoldings, Error> {
    member.still_may(&mut app.store.read().await?).await?;
    Ok(people::find(&app.store, member.tenant(), named, PERSON_ROWS_MAX).await?)
}

/// How much is held of a person.
pub async fn post_find(
    State(app): State<App>,
    member: Member<ManagePersonalData>,
    mut form: Form,
) -> Result<Response, Error> {
    let Some(named) = read(&mut form, &member) else { return show(WRONG, &app, &member, form).await };
    let found = find(&app, &member, &named).await?;
    show_found(StatusCode::OK, &member, &named, &found, form)
}

/// Everything that is held of a person, as a file.
pub async fn post_export(
    State(app): State<App>,
    member: Member<ManagePersonalData>,
    mut form: Form,
) -> Result<Response, Error> {
    if !member.sees().people() {
        return refused(member.frame("people"), Right::SeePersonalData);
    }
    let Some(named) = read(&mut form, &member) else { return show(WRONG, &app, &member, form).await };
    let found = find(&app, &member, &named).await?;
    if found.has_more() {
        form.wrong("detail", member.layout.t.text("person-too-much"));
        return show_found(WRONG, &member, &named, &found, form);
    }
    let producer = (member.producer.producer_id.as_str(), member.producer.producer_name.as_str());
    let json = person_export::json(producer, &named, &found, member.by().now)?;
    people::note_export(&app.store, member.tenant(), &named, &found, member.by()).await?;
    Ok(file("person.json", JSON, Body::from(json.seen_by(member.sees()))))
}

/// Begins to erase a person.
pub async fn post_erase(
    State(app): State<App>,
    member: Member<ManagePersonalData>,
    mut form: Form,
) -> Result<Response, Error> {
    let Some(named) = read(&mut form, &member) else { return show(WRONG, &app, &member, form).await };
    if !form.has("sure", "yes") {
        form.wrong("sure", member.layout.t.text("wrong-sure"));
        let found = find(&app, &member, &named).await?;
        return show_found(WRONG, &member, &named, &found, form);
    }
    let piece = people::begin_erasure(&app.store, member.tenant(), &named, member.by()).await?;
    Ok(go(&member.path(&format!("/people/{}", in_path(&piece.id)))))
}

#[derive(Template)]
#[template(path = "erasure.html")]
struct ErasurePage {
    f: Frame,
    base: String,
    piece: Piece,
    /// How much was erased: the text's key and the number.
    counts: Vec<(&'static str, u64)>,
}

impl ErasurePage {
    fn what(&self) -> String {
        self.f.text(&format!("erasure-kind-{}", self.piece.kind.as_str()))
    }
}

/// How far an erasure is, and what it erased.
pub async fn get_erasure(
    State(app): State<App>,
    member: Member<ManagePersonalData>,
    Path((_, id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let found = match pieces::find(&mut conn, member.tenant(), WorkKind::Erasure, &id).await? {
        None => pieces::find(&mut conn, member.tenant(), WorkKind::Retention, &id).await?,
        found => found,
    };
    drop(conn);
    let piece = found.ok_or(Error::NotFound("piece of work"))?;
    let outcome: Value = serde_json::from_str(&piece.outcome).unwrap_or_default();
    let count = |key: &'static str, field: &str| Some((key, outcome[field].as_u64()?));
    let counts = [
        count("erased-orders", "orders"),
        count("erased-tickets", "tickets"),
        count("erased-named", "waiting"),
        count("erased-answers", "answers"),
        count("erased-messages", "messages"),
        count("erased-files", "files"),
    ];
    let (f, base) = (member.frame("people").done(&query), member.path(&format!("/people/{}", in_path(&id))));
    page::show(StatusCode::OK, &ErasurePage { f, base, piece, counts: counts.into_iter().flatten().collect() })
}
