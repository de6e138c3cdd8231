//! Taking back a mistaken entry.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{clock::Stamp, id, refusal::Refusal, role::Right, status::TicketStatus};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, page, query::Query, redirects::go};
use taquilla_rules::boxoffice::{Door, Entry, Request, Undo};
use taquilla_store::{
    ChangeError,
    catalogue::ticket_types,
    door::nights::{self, Night},
    tickets::staff::Held,
};

use crate::{
    access::{ManageDoor, Member, WRONG},
    frame::Frame,
    tickets::{
        one::{find, id_for_rules},
        row,
    },
};

#[derive(Template)]
#[template(path = "door_undo.html")]
struct UndoPage {
    f: Frame,
    form: Form,
    night: Night,
    /// The address of the event's door.
    door: String,
    /// Where it leads back to.
    back: String,
    action: String,
    name: String,
    ticket_type: String,
    /// When and where the ticket entered.
    entered: Option<(Stamp, String)>,
}

/// The value of `from` for those who come from the ticket's page.
const FROM_TICKET: &str = "ticket";

/// The ticket of the path, if it is for the event of the path.
async fn ticket(app: &App, member: &Member<ManageDoor>, event_id: &str, handle: &str) -> Result<Held, Error> {
    let held = find(app, member.tenant(), handle).await?;
    if held.is(Some(event_id), None, &[]) { Ok(held) } else { Err(Error::NotFound("ticket")) }
}

/// The address of the event's door, and the one to go back to.
fn ways(member: &Member<ManageDoor>, event_id: &str, held: &Held, from: Option<&str>) -> (String, String) {
    let door = member.path(&format!("/door/{}", in_path(event_id)));
    let from_ticket = from == Some(FROM_TICKET) && member.may(Right::SeeOrders);
    (door.clone(), if from_ticket { row::path(member, held) } else { door })
}

async fn ask(
    status: StatusCode,
    app: &App,
    member: &Member<ManageDoor>,
    held: &Held,
    (event_id, handle): (&str, &str),
    form: Form,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let night = nights::find(&mut conn, member.tenant(), event_id).await?.ok_or(Error::NotFound("event"))?;
    let state = held.state.clone().seen_by(member.sees());
    let mut names = ticket_types::summaries(&mut conn, member.tenant(), &[&state.ticket_type_id]).await?;
    let (door, back) = ways(member, event_id, held, Some(form.value("from")));
    let entered = state.checked_in.filter(|_| state.status == TicketStatus::Scanned);
    let page = UndoPage {
        f: member.frame("door").by_clocks_of(&night.time_zone),
        action: format!("{door}/entries/{}/undo", in_path(handle)),
        form,
        night,
        door,
        back,
        name: state.attendee.name,
        ticket_type: names.pop().map(|(name, _)| name).unwrap_or_default(),
        entered: entered.map(|(at, station)| (at, station.unwrap_or_default())),
    };
    page::show(status, &page)
}

/// The page that says what taking it back means.
pub async fn get_undo(
    State(app): State<App>,
    member: Member<ManageDoor>,
    Path((_, event_id, handle)): Path<(String, String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let held = ticket(&app, &member, &event_id, &handle).await?;
    let form = Form::filled(&[("from", query.get("from").unwrap_or_default())]);
    ask(StatusCode::OK, &app, &member, &held, (&event_id, &handle), form).await
}

/// Takes the entry back that the page showed.
pub async fn post_undo(
    State(app): State<App>,
    member: Member<ManageDoor>,
    Path((_, event_id, handle)): Path<(String, String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let held = ticket(&app, &member, &event_id, &handle).await?;
    let entered_at = form.value("entered_at").parse().map(Stamp::from_micros);
    let Ok(entered_at) = entered_at else {
        form.wrong("change", member.frame("").refusal(&Refusal::ChangedMeanwhile));
        return ask(WRONG, &app, &member, &held, (&event_id, &handle), form).await;
    };
    let undo = Undo {
        undo_id: id::new_id("un", app.time.now()),
        entry: Entry::OfTicket(id_for_rules(&held).to_owned(), entered_at),
        station: who(&member),
        door: Door { events: vec![event_id.clone()], ..Door::default() },
    };
    match app.queue.ask(member.tenant(), Request::undo(undo).by(member.by())).await {
        Ok(_) => {
            let (_, back) = ways(&member, &event_id, &held, Some(form.value("from")));
            Ok(go(&format!("{back}?done=door-entry-undone")))
        }
        Err(ChangeError::Refused(refusal)) => {
            form.wrong("change", member.frame("").refusal(&refusal));
            let held = ticket(&app, &member, &event_id, &handle).await?;
            ask(WRONG, &app, &member, &held, (&event_id, &handle), form).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Who does something at the door from the dashboard, as the scan log says it.
pub fn who<N>(member: &Member<N>) -> String {
    let user = &member.user;
    if user.name.is_empty() { user.email.clone() } else { user.name.clone() }
}
