//! Letting a guest in without a code: somebody who looks after the door finds them by name, order or e-mail address.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    admit::Outcome, config::GUESTS_FOUND, id, refusal::Refusal, search_text::SearchText, status::TicketStatus,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, page, query::Query, redirects::go};
use taquilla_rules::boxoffice::{Admission, Door, Request, Scan};
use taquilla_store::{
    door::nights::{self, Night},
    tickets::staff::Held,
};

use super::{undo::who, view::outcome_key};
use crate::{
    access::{ManageDoor, Member, WRONG},
    frame::Frame,
    list_place,
    tickets::{
        list::searched,
        one::{find, id_for_rules},
        row::{self, TicketRow},
    },
};

/// Somebody who was found.
struct GuestRow {
    ticket: TicketRow,
    /// The address of the form that lets them in, and the id of that scan. Sent twice, it is one scan.
    enter: Option<(String, String)>,
    /// The address of the page that undoes their entry.
    undo: Option<String>,
}

#[derive(Template)]
#[template(path = "door_by_hand.html")]
struct ByHandPage {
    f: Frame,
    form: Form,
    night: Night,
    /// The address of the event's door.
    door: String,
    text: String,
    rows: Vec<GuestRow>,
    is_cut: bool,
    sees_people: bool,
}

async fn show(
    status: StatusCode,
    app: &App,
    member: &Member<ManageDoor>,
    event_id: &str,
    (text, form, query): (String, Form, Option<&Query>),
) -> Result<Response, Error> {
    let (tenant, now) = (member.tenant(), app.time.now());
    let mut conn = app.store.read().await?;
    let night = nights::find(&mut conn, tenant, event_id).await?.ok_or(Error::NotFound("event"))?;
    let door = member.path(&format!("/door/{}", in_path(event_id)));
    let (mut found, mut is_cut) = (Vec::new(), false);
    if let Some(words) = SearchText::parse(&text) {
        // Those who may still come, then the others: those who are in do not fill the page.
        for is_coming in [true, false] {
            let is_wanted = |held: &Held| {
                held.is(Some(event_id), None, &[])
                    && !held.is_hidden()
                    && held.is(None, None, &[TicketStatus::Valid]) == is_coming
            };
            let result = searched(&mut conn, tenant, text.trim(), &words, member.sees(), is_wanted).await?;
            found.extend(result.rows);
            is_cut |= result.is_cut;
        }
        is_cut |= found.len() > GUESTS_FOUND;
        found.truncate(GUESTS_FOUND);
    }
    let handles: Vec<(String, TicketStatus, bool)> = found
        .iter()
        .map(|held| {
            let standing = TicketStatus::ALL.iter().copied().find(|status| held.is(None, None, &[*status]));
            (list_place::written(held.place()), standing.unwrap_or(TicketStatus::Valid), held.is_outside())
        })
        .collect();
    let tickets = row::rows(&mut conn, member, found).await?;
    let guest = |(ticket, (handle, status, is_outside)): (TicketRow, (String, TicketStatus, bool))| GuestRow {
        ticket,
        enter: (status == TicketStatus::Valid || is_outside)
            .then(|| (format!("{door}/by-hand/{handle}"), id::new_id("hd", now))),
        undo: (status == TicketStatus::Scanned).then(|| format!("{door}/entries/{handle}/undo")),
    };
    let rows = tickets.into_iter().zip(handles).map(guest).collect();
    let f = member.frame("door").by_clocks_of(&night.time_zone);
    let f = match query {
        Some(query) => f.done(query),
        None => f,
    };
    let sees_people = member.sees().people();
    page::show(status, &ByHandPage { f, form, night, door, text, rows, is_cut, sees_people })
}

/// The search, and who was found.
pub async fn get_by_hand(
    State(app): State<App>,
    member: Member<ManageDoor>,
    Path((_, event_id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let text = query.get("q").unwrap_or_default().to_owned();
    show(StatusCode::OK, &app, &member, &event_id, (text, Form::default(), Some(&query))).await
}

/// Lets a guest in, by the rules of a scan. It is written in the scan log with the member's name.
pub async fn post_by_hand(
    State(app): State<App>,
    member: Member<ManageDoor>,
    Path((_, event_id, handle)): Path<(String, String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let held = find(&app, member.tenant(), &handle).await?;
    let text = form.value("q").to_owned();
    let scan_id = form.value("scan_id").to_owned();
    if !id::is_plausible(&scan_id) {
        form.wrong("guests", member.frame("").refusal(&Refusal::ChangedMeanwhile));
        return show(WRONG, &app, &member, &event_id, (text, form, None)).await;
    }
    let scan = Scan {
        scan_id,
        code: id_for_rules(&held).to_owned(),
        station: who(&member),
        scanned_at: None,
        turned_away: false,
        kept: false,
        door: Door { events: vec![event_id.clone()], ..Door::default() },
    };
    match app.queue.ask(member.tenant(), Request::admit(vec![scan]).by(member.by())).await {
        Ok(admissions) => match admissions.into_iter().next() {
            Some(Admission::Decided(Outcome::Admitted | Outcome::Reentered, _)) => {
                let query: String =
                    url::form_urlencoded::Serializer::new(String::new()).append_pair("q", &text).finish();
                let door = member.path(&format!("/door/{}", in_path(&event_id)));
                Ok(go(&format!("{door}/by-hand?{query}&done=door-let-in-by-hand")))
            }
            Some(Admission::Decided(outcome, _)) => {
                form.wrong("guests", member.frame("").text(&outcome_key(outcome)));
                show(WRONG, &app, &member, &event_id, (text, form, None)).await
            }
            Some(Admission::Reused) | None => {
                form.wrong("guests", member.frame("").refusal(&Refusal::ChangedMeanwhile));
                show(WRONG, &app, &member, &event_id, (text, form, None)).await
            }
        },
        Err(error) => Err(error.into()),
    }
}
