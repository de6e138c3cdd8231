//! Notes about an order, which staff write for one another.

use axum::{
    extract::{Path, State},
    response::Response,
};

use taquilla_domain::{config::ORDER_NOTE_MAX, refusal::Refusal, text::Text};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, query::Query, redirects::go};
use taquilla_rules::admin;
use taquilla_store::ChangeError;

use super::one::{base, show};
use crate::access::{Member, Sell, WRONG};

/// Writes a note.
pub async fn post_note(
    State(app): State<App>,
    member: Member<Sell>,
    Path((_, id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let t = member.layout.t;
    let written = form.value("note").trim().to_owned();
    let fits = (1..=ORDER_NOTE_MAX).contains(&written.chars().count());
    match Text::parse(&written).ok().filter(|_| fits) {
        None => form.wrong("note", t.with("order-note-wrong", "most", ORDER_NOTE_MAX as i64)),
        Some(text) => match admin::notes::write(&app.store, member.tenant(), &id, &text, member.by()).await {
            Ok(()) => return Ok(go(&format!("{}?done=order-noted#notes", base(&member, &id)))),
            Err(ChangeError::Refused(Refusal::NotFound(_))) => return Err(Error::NotFound("order")),
            Err(ChangeError::Refused(_)) => form.wrong("note", t.text("order-notes-full")),
            Err(error) => return Err(error.into()),
        },
    }
    show(WRONG, &app, &member, &id, &Query::default(), form).await
}
