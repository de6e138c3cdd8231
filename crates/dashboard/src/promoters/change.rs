//! Ending a promoter, and giving one a new link.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, redirects::go};
use taquilla_rules::admin;
use taquilla_store::sales::promoters::Selling;

use super::{
    make::{lacks_right, show_made},
    rows::{find, given, list_path},
};
use crate::{
    access::{ManageEvents, Member},
    chosen_event::{self, ChosenEvent},
    events::event_path,
    frame::Frame,
};

#[derive(Template)]
#[template(path = "promoter_change.html")]
struct ChangePage {
    f: Frame,
    event: ChosenEvent,
    event_path: String,
    path: String,
    selling: Selling,
    /// How much of the contingent is given away.
    given: String,
    /// What is to be done: `end` or `renew`.
    what: &'static str,
}

impl ChangePage {
    /// The key of a text about what is to be done.
    fn key(&self, part: &str) -> String {
        format!("promoter-{}{part}", self.what)
    }
}

/// The page that says what will happen.
async fn ask(
    app: &App,
    member: &Member<ManageEvents>,
    (event_id, id): (&str, &str),
    what: &'static str,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let event = chosen_event::find(&mut conn, member.tenant(), event_id).await?;
    let selling = find(&mut conn, member, &event, id).await?;
    drop(conn);
    let f = member.frame("events").by_clocks_of(&event.time_zone);
    let (event_path, path) = (event_path(member, &event.id), list_path(member, &event.id));
    page::show(
        StatusCode::OK,
        &ChangePage { given: given(&f, &selling.promoter), f, event, event_path, path, selling, what },
    )
}

/// Looks the promoter up, who must be of this event.
async fn look(app: &App, member: &Member<ManageEvents>, event_id: &str, id: &str) -> Result<(), Error> {
    let mut conn = app.store.read().await?;
    let event = chosen_event::find(&mut conn, member.tenant(), event_id).await?;
    find(&mut conn, member, &event, id).await.map(|_| ())
}

/// The page before a promoter is ended.
pub async fn get_end(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id, id)): Path<(String, String, String)>,
) -> Result<Response, Error> {
    ask(&app, &member, (&event_id, &id), "end").await
}

/// Ends a promoter.
pub async fn post_end(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id, id)): Path<(String, String, String)>,
    _form: Form,
) -> Result<Response, Error> {
    look(&app, &member, &event_id, &id).await?;
    admin::promoters::end(&app.store, member.tenant(), &id, member.by()).await?;
    Ok(go(&format!("{}?done=promoter-ended", list_path(&member, &event_id))))
}

/// The page before a promoter gets a new link.
pub async fn get_renew(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id, id)): Path<(String, String, String)>,
) -> Result<Response, Error> {
    match lacks_right(&member) {
        Some(refused) => refused,
        None => ask(&app, &member, (&event_id, &id), "renew").await,
    }
}

/// Gives a promoter a new link and shows it, this once.
pub async fn post_renew(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id, id)): Path<(String, String, String)>,
    form: Form,
) -> Result<Response, Error> {
    if let Some(refused) = lacks_right(&member) {
        return refused;
    }
    look(&app, &member, &event_id, &id).await?;
    let renewed = admin::promoters::renew(&app.store, member.tenant(), &id, &member.by_form(&form)).await?;
    let (promoter, token) = renewed;
    show_made(&app, &member, promoter, &token)
}
