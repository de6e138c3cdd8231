//! Letting guests in without their codes, through a link that allows it.

use axum::{extract::State, http::StatusCode, response::Response};
use serde::Deserialize;
use utoipa::ToSchema;

use taquilla_domain::{
    config::{DOOR_BODY_MAX, GUEST_LETTERS_MIN, GUEST_TEXT_MAX},
    door_link::{DoorLink, LinkOption},
    id,
    refusal::Refusal,
};
use taquilla_http::{
    app::App,
    body::{JsonBody, answer, answer_json},
    errors::Error,
    rate::{Guess, Source},
    schema::{GuestText, Handle, Id, Station},
};
use taquilla_rules::{
    admin::guests,
    boxoffice::{Admission, Request, Scan},
};
use taquilla_store::tickets::staff;
use taquilla_wire::door::{Guest, Guests, ScanAnswer};

use super::{
    access::DoorKeeper,
    scan::{door_of, station_here},
};

/// Whom to look for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Search)]
struct SentSearch {
    /// The beginning of each word of a name, with three letters of one of them at least; a whole e-mail address; or the
    /// number or id of an order.
    #[schema(value_type = GuestText, example = "ana ru")]
    text: String,
}

/// What the handles of a link are bound to.
fn binding(link: &DoorLink) -> String {
    format!("guest\n{}", link.id)
}

/// Find guests
///
/// Guests of the events whom the link admits, 20 at most: those who have not entered come first, and newer tickets before older
/// ones. It needs a link with the option `by_name`, which may look 30 times a minute. What was just sold is found a second later.
#[utoipa::path(post, path = "/door/v1/search", tag = "Guests", security(("link" = [])),
    request_body(content = SentSearch, description = "Whom to look for."),
    responses((status = 200, description = "Who was found.", body = Guests<'static>)))]
pub async fn search(
    State(app): State<App>,
    DoorKeeper(holder): DoorKeeper,
    body: JsonBody<DOOR_BODY_MAX>,
) -> Result<Response, Error> {
    holder.may(LinkOption::ByName)?;
    let SentSearch { text: typed } = body.read()?;
    let too_little = || Refusal::invalid("text", format!("{GUEST_LETTERS_MIN} letters of a word at least are needed"));
    if typed.len() > GUEST_TEXT_MAX {
        return Err(Refusal::invalid("text", format!("{GUEST_TEXT_MAX} bytes at most are looked for")).into());
    }
    let text = guests::asked(&typed).ok_or_else(too_little)?;
    app.limits.attempt(Guess::Guest, &[Source::id(&holder.link.id)])?;
    let mut conn = app.store.read_of(holder.tenant).await?;
    let (found, has_more) = guests::find(&mut conn, holder.tenant, &holder.link, &typed, &text).await?;
    drop(conn);
    shown(&app, &holder.link, &found, has_more)
}

/// Answers with guests.
fn shown(app: &App, link: &DoorLink, found: &[guests::Guest], has_more: bool) -> Result<Response, Error> {
    let binding = binding(link);
    let handles: Vec<String> =
        found.iter().map(|guest| app.sealer.handle(&binding, guest.place)).collect::<Result<_, _>>()?;
    let data = found.iter().zip(&handles).map(|(guest, handle)| Guest {
        handle,
        name: &guest.name,
        ticket_type: &guest.ticket_type,
        event_id: &guest.event_id,
        order_number: guest.order_number.as_deref(),
        state: guest.status.into(),
    });
    answer(StatusCode::OK, &Guests { data: data.collect(), has_more })
}

/// A ticket that was scanned.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Party)]
struct SentParty {
    /// The scan, which this link made and which admitted the ticket or said that it had entered.
    #[schema(value_type = Id, example = "0d0c6e0e-7f9c-4fef-91a0-2b1c3d4e5f60")]
    scan_id: String,
}

/// Find the others of an order
///
/// The guests of the same order and event whom the link admits and who have not entered, 50 at most. It needs a link with the
/// option `party`. Each is let in by an entry of their own.
#[utoipa::path(post, path = "/door/v1/party", tag = "Guests", security(("link" = [])),
    request_body(content = SentParty, description = "The ticket that was scanned."),
    responses((status = 200, description = "The others.", body = Guests<'static>)))]
pub async fn party(
    State(app): State<App>,
    DoorKeeper(holder): DoorKeeper,
    body: JsonBody<DOOR_BODY_MAX>,
) -> Result<Response, Error> {
    holder.may(LinkOption::Party)?;
    let SentParty { scan_id } = body.read()?;
    let mut conn = app.store.read_of(holder.tenant).await?;
    let found = guests::party(&mut conn, holder.tenant, &holder.link, &scan_id).await?;
    drop(conn);
    let (others, has_more) = found.ok_or(Error::NotFound("scan"))?;
    shown(&app, &holder.link, &others, has_more)
}

/// A guest to be let in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Enter)]
struct SentEntry {
    /// The guest, as this link found them.
    #[schema(value_type = Handle)]
    handle: String,
    /// A new random one for each try to let somebody in, and the same when it is sent again.
    #[schema(value_type = Id, example = "0d0c6e0e-7f9c-4fef-91a0-2b1c3d4e5f60")]
    scan_id: String,
    /// Where. Without it, it is the link's only station, or the link's label.
    #[schema(value_type = Option<Station>, example = "Desk")]
    station: Option<String>,
}

/// Let a guest in
///
/// Decides and logs it exactly as a scan of the ticket's code. It needs a link with the option `by_name` or `party`.
#[utoipa::path(post, path = "/door/v1/enter", tag = "Guests", security(("link" = [])),
    request_body(content = SentEntry, description = "The guest."),
    responses((status = 200, description = "What was decided.", body = ScanAnswer<'static>)))]
pub async fn enter(
    State(app): State<App>,
    DoorKeeper(holder): DoorKeeper,
    body: JsonBody<DOOR_BODY_MAX>,
) -> Result<Response, Error> {
    holder.may_by_one_of(&[LinkOption::ByName, LinkOption::Party])?;
    let SentEntry { handle, scan_id, station } = body.read()?;
    if !id::is_plausible(&scan_id) {
        return Err(Refusal::invalid("scan_id", id::FORM).into());
    }
    let station = station_here(station, &holder.link)?;
    let place = app.sealer.place(&binding(&holder.link), &handle).ok_or(Error::NotFound("guest"))?;
    let found = staff::at(&mut app.store.read_of(holder.tenant).await?, holder.tenant, place).await?;
    let code = found.ok_or(Error::NotFound("guest"))?.state.into_uncovered().id;
    let scan =
        Scan { scan_id, code, station, scanned_at: None, turned_away: false, kept: false, door: door_of(&holder.link) };
    match app.queue.ask(holder.tenant, Request::admit(vec![scan])).await?.pop() {
        Some(Admission::Decided(_, json)) => Ok(answer_json(StatusCode::OK, json)),
        Some(Admission::Reused) => Err(Error::ScanIdReused),
        None => Err(Error::Internal("a scan was not answered".into())),
    }
}
