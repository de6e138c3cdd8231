//! Importing a file: it is uploaded, checked, shown, and imported once somebody says so.

use std::sync::Arc;

use askama::Template;
use axum::{
    Extension,
    body::Body,
    extract::{
        Multipart, Path, State,
        multipart::{Field, MultipartRejection},
    },
    http::StatusCode,
    response::Response,
};
use serde_json::Value;
use tokio::time::Instant;

use taquilla_domain::{
    clock::Stamp,
    config::{DASHBOARD_ROWS, UPLOAD_LASTS, UPLOAD_MAX},
    work::{WorkKind, WorkState},
};
use taquilla_http::{app::App, connections::Exchange, errors::Error};
use taquilla_pages::{address::in_path, download, form::Form, page, query::Query, redirects::go, texts::of_import};
use taquilla_rules::{
    admin::work::{self, Upload},
    import::EXAMPLE,
};
use taquilla_store::{
    ChangeError, ChangeResult,
    work::pieces::{self, Piece},
};

use crate::{
    access::{Import, Member, WRONG},
    csv,
    exports::query::separator,
    frame::Frame,
};

/// What few files have: shown only where there is any.
const SELDOM: [&str; 3] = ["import-pools", "import-coupons", "import-surcharges"];

#[derive(Template)]
#[template(path = "imports.html")]
struct ImportsPage {
    f: Frame,
    form: Form,
    before: Vec<(String, Piece)>,
    max_mb: i64,
}

async fn show(
    status: StatusCode,
    app: &App,
    member: &Member<Import>,
    query: &Query,
    form: Form,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let last = pieces::last(&mut conn, member.tenant(), WorkKind::Import, DASHBOARD_ROWS).await?;
    let with_path = |piece: Piece| (member.path(&format!("/imports/{}", in_path(&piece.id))), piece);
    let before = last.into_iter().map(with_path).collect();
    let f = member.frame("data").done(query);
    page::show(status, &ImportsPage { f, form, before, max_mb: UPLOAD_MAX / 1024 / 1024 })
}

/// The form, and what was imported before.
pub async fn get_imports(State(app): State<App>, member: Member<Import>, query: Query) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, &query, Form::default()).await
}

/// A table of tickets as an example, with the sign between its cells that the reader's spreadsheet wants.
pub async fn get_example(member: Member<Import>, query: Query) -> Result<Response, Error> {
    let separator = separator(&member, &query)?;
    let mut rows = ::csv::ReaderBuilder::new().has_headers(false).from_reader(EXAMPLE.as_bytes()).into_records();
    let heads = rows.next().and_then(Result::ok).unwrap_or_default();
    let mut file = csv::Lines::begin(separator, &heads);
    for row in rows.filter_map(Result::ok) {
        file.write(row.iter().map(csv::Cell::from));
    }
    Ok(download::file("example.csv", download::CSV, Body::from(file.into_bytes())))
}

/// Takes a file.
pub async fn post_imports(
    State(app): State<App>,
    member: Member<Import>,
    Extension(exchange): Extension<Arc<Exchange>>,
    body: Result<Multipart, MultipartRejection>,
) -> Result<Response, Error> {
    let wrong = |key: &str| {
        let mut form = Form::default();
        form.wrong("file", member.layout.t.text(key));
        form
    };
    let Ok(mut body) = body else {
        return show(WRONG, &app, &member, &Query::default(), wrong("import-no-file")).await;
    };
    exchange.wait_for_client();
    let field = body.next_field().await;
    exchange.take_turn().await;
    let field = match field {
        Ok(Some(field)) if field.name() == Some("file") => field,
        Ok(_) => return show(WRONG, &app, &member, &Query::default(), wrong("import-no-file")).await,
        Err(_) => return Err(Error::BodyIncomplete),
    };
    let name: String = field.file_name().unwrap_or_default().chars().filter(|c| !c.is_control()).take(100).collect();
    let begun = Upload::begin(&app.store, member.tenant(), &name, member.by()).await;
    let mut upload = match begun {
        Err(ChangeError::Refused(_)) => {
            return show(WRONG, &app, &member, &Query::default(), wrong("import-too-many")).await;
        }
        begun => begun?,
    };
    let key = match receive(&mut upload, field, &exchange).await {
        Ok(None) => return Ok(go(&member.path(&format!("/imports/{}", in_path(&upload.piece.id))))),
        Ok(Some(key)) => key,
        Err(error) => {
            upload.drop().await?;
            return Err(error);
        }
    };
    upload.drop().await?;
    show(WRONG, &app, &member, &Query::default(), wrong(key)).await
}

/// Reads a file as it arrives, and lets servers check it once it is whole. `Some` is the text that says why it cannot be
/// used.
///
/// The client has the usual time for each piece, not for the whole file, which may be large.
async fn receive(
    upload: &mut Upload<'_>,
    mut field: Field<'_>,
    exchange: &Exchange,
) -> Result<Option<&'static str>, Error> {
    let until = Instant::now() + UPLOAD_LASTS;
    // The beginning of a character whose end is in the next piece.
    let mut rest: Vec<u8> = Vec::new();
    loop {
        exchange.wait_for_client();
        let piece = field.chunk().await;
        exchange.take_turn().await;
        let piece = match piece {
            Ok(Some(piece)) => piece,
            Ok(None) if !rest.is_empty() => return Ok(Some("import-not-text")),
            Ok(None) if upload.bytes() == 0 => return Ok(Some("import-no-file")),
            Ok(None) => return kept(upload.end().await),
            Err(_) => return Err(Error::BodyIncomplete),
        };
        if Instant::now() > until {
            return Err(Error::BodyTooSlow);
        }
        if upload.bytes() + piece.len() as i64 > UPLOAD_MAX {
            return Ok(Some("import-too-large"));
        }
        rest.extend_from_slice(&piece);
        let (text, left) = match std::str::from_utf8(&rest) {
            Ok(text) => (text, 0),
            Err(fault) if fault.error_len().is_none() => {
                let valid = fault.valid_up_to();
                (std::str::from_utf8(&rest[..valid]).unwrap_or_default(), rest.len() - valid)
            }
            Err(_) => return Ok(Some("import-not-text")),
        };
        if text.contains('\0') {
            return Ok(Some("import-not-text"));
        }
        if let Some(key) = kept(upload.add(text).await)? {
            return Ok(Some(key));
        }
        rest.drain(..rest.len() - left);
    }
}

/// Whether more of a file was kept, or what says why not.
fn kept(added: ChangeResult<()>) -> Result<Option<&'static str>, Error> {
    match added {
        Err(ChangeError::Refused(_)) => Ok(Some("import-no-room")),
        added => Ok(added.map(|()| None)?),
    }
}

#[derive(Template)]
#[template(path = "import.html")]
struct ImportPage {
    f: Frame,
    base: String,
    piece: Piece,
    /// How many lines of each kind there are: the text's key and the number.
    counts: Vec<(&'static str, u64)>,
    /// When the same file was imported before.
    imported_at: Option<Stamp>,
    /// What is wrong: the line, the field and the message.
    fault: Option<(i64, String, String)>,
}

impl ImportPage {
    fn is_active(&self) -> bool {
        self.piece.state.is_active()
    }

    /// What is wrong, in the reader's language, where that is not English.
    fn said(&self, message: &str) -> Option<String> {
        of_import(self.f.l.t, message)
    }

    fn is_checked(&self) -> bool {
        self.piece.state == WorkState::Checked
    }
}

/// What the file would bring, what is wrong with it, or how far its import is.
pub async fn get_import(
    State(app): State<App>,
    member: Member<Import>,
    Path((_, id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let found = pieces::find(&mut app.store.read().await?, member.tenant(), WorkKind::Import, &id).await?;
    let piece = found.ok_or(Error::NotFound("import"))?;
    let outcome: Value = serde_json::from_str(&piece.outcome).unwrap_or_default();
    let count = |key: &'static str, field: &str| (key, outcome[field].as_u64().unwrap_or(0));
    let counts = match piece.state {
        WorkState::Checked | WorkState::Running | WorkState::Done => [
            count("import-events", "events"),
            count("import-ticket-types", "ticket_types"),
            count("import-bundles", "bundles"),
            count("import-pools", "pools"),
            count("import-coupons", "coupons"),
            count("import-surcharges", "surcharges"),
            count("import-orders", "orders"),
            count("import-tickets", "tickets"),
        ]
        .into_iter()
        .filter(|(key, count)| *count > 0 || !SELDOM.contains(key))
        .collect(),
        _ => vec![],
    };
    let text = |field: &str| outcome[field].as_str().unwrap_or_default().to_owned();
    let fault = (piece.state == WorkState::Faulty)
        .then(|| (outcome["line"].as_i64().unwrap_or(0), text("field"), text("message")));
    let imported_at = outcome["already_imported_at"].as_str().and_then(Stamp::parse);
    let (f, base) = (member.frame("data").done(&query), member.path(&format!("/imports/{}", in_path(&id))));
    page::show(StatusCode::OK, &ImportPage { f, base, piece, counts, imported_at, fault })
}

/// Imports a file that was checked.
pub async fn post_import(
    State(app): State<App>,
    member: Member<Import>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    work::import(&app.store, member.tenant(), &id, member.by()).await?;
    Ok(go(&member.path(&format!("/imports/{}", in_path(&id)))))
}

/// Gives a file up.
pub async fn post_give_up(
    State(app): State<App>,
    member: Member<Import>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    work::give_up(&app.store, member.tenant(), &id, member.by()).await?;
    Ok(go(&member.path("/imports?done=import-given-up")))
}
