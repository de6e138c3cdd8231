//! The links that door staff scan with: which there are, making one, and revoking one.

use std::time::Duration;

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    admit::Scope,
    clock::Stamp,
    config::{DOOR_LIST_MAX, LIVE_LINKS},
    door_link::{DoorLink, LinkOption, LinkOptions, NewDoorLink, Stations},
    pin::Pin,
    status::{Category, ItemKind},
    text::Name,
    ticket_type::TicketType,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{
    address::in_path,
    badges::{self, Badge},
    form::Form,
    formats::ShownTime,
    page, qr,
    query::Query,
    redirects::go,
};
use taquilla_rules::admin;
use taquilla_store::{
    ChangeError, Conn,
    catalogue::ticket_types,
    door::{
        links,
        nights::{self, Night},
    },
};

use super::view::category_key;
use crate::{
    access::{ManageDoor, Member, WRONG},
    frame::Frame,
};

/// The categories that a link can be for. A bundle is not shown at a door; what it includes is.
const CATEGORIES: [Category; 2] = [Category::Ticket, Category::Merchandise];

/// A link that is made before the event and after its last day would open nothing any more.
const AFTER_EVENT: Duration = Duration::from_hours(12);

async fn find(conn: &mut Conn, member: &Member<ManageDoor>, event_id: &str) -> Result<Night, Error> {
    nights::find(conn, member.tenant(), event_id).await?.ok_or(Error::NotFound("event"))
}

/// The address of a page about the door of an event.
fn path(member: &Member<ManageDoor>, event_id: &str, page: &str) -> String {
    member.path(&format!("/door/{}{page}", in_path(event_id)))
}

/// A link on the page.
struct LinkRow {
    admits: String,
    stations: String,
    /// What it may do besides scanning.
    options: String,
    works: bool,
    badge: Badge,
    created: ShownTime,
    used: ShownTime,
    expires: ShownTime,
    link: DoorLink,
}

impl LinkRow {
    fn new(link: DoorLink, night: &Night, items: &[TicketType], f: &Frame, now: Stamp) -> Self {
        let categories = link.scope.categories.iter().map(|category| f.text(category_key(*category)));
        let named = |id: &String| items.iter().find(|item| item.id == *id).map_or(id.clone(), |item| item.name.clone());
        let admits: Vec<String> = categories.chain(link.scope.ticket_types.iter().map(named)).collect();
        let dates = f.dates(&night.time_zone);
        let at = |at: Option<Stamp>| at.map_or_else(|| ShownTime::none(f.text("never")), |at| dates.time(&at));
        Self {
            admits: if admits.is_empty() { f.text("door-everything") } else { admits.join(", ") },
            stations: if link.stations.is_empty() { f.text("door-any-station") } else { link.stations.join(", ") },
            options: link.options.iter().map(|option| f.text(&option_key(option))).collect::<Vec<_>>().join(", "),
            works: link.life.works(now),
            badge: badges::of_door_link(link.life.state(now)),
            created: at(Some(link.life.created_at)),
            used: at(link.life.last_used_at),
            expires: at(link.life.expires_at),
            link,
        }
    }
}

/// The key of an option's name.
fn option_key(option: LinkOption) -> String {
    format!("door-option-{}", option.as_str().replace('_', "-"))
}

/// A moment as the form writes it, by the clocks of the event.
fn in_form(at: Stamp, night: &Night) -> String {
    let local = jiff::Timestamp::from_microsecond(at.micros()).ok().and_then(|at| at.in_tz(&night.time_zone).ok());
    local.map_or_else(|| at.to_string(), |local| local.strftime("%Y-%m-%dT%H:%M").to_string())
}

#[derive(Template)]
#[template(path = "door_links.html")]
struct LinksPage {
    f: Frame,
    night: Night,
    path: String,
    rows: Vec<LinkRow>,
}

/// The links of an event.
pub async fn get_links(
    State(app): State<App>,
    member: Member<ManageDoor>,
    Path((_, event_id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let night = find(&mut conn, &member, &event_id).await?;
    let items = ticket_types::of_event(&mut conn, member.tenant(), &event_id, true).await?;
    let found = links::of_event(&mut conn, member.tenant(), &event_id, LIVE_LINKS).await?;
    let (f, now) = (member.frame("door").done(&query), app.time.now());
    let rows = found.into_iter().map(|link| LinkRow::new(link, &night, &items, &f, now)).collect();
    page::show(StatusCode::OK, &LinksPage { f, path: path(&member, &event_id, ""), night, rows })
}

#[derive(Template)]
#[template(path = "door_link_new.html")]
struct NewLinkPage {
    f: Frame,
    night: Night,
    path: String,
    form: Form,
    categories: Vec<(&'static str, String)>,
    items: Vec<TicketType>,
    /// What a link may do besides scanning: the value, its name, and what it means.
    options: Vec<(&'static str, String, String)>,
}

async fn new_link_page(
    status: StatusCode,
    app: &App,
    member: &Member<ManageDoor>,
    night: Night,
    form: Form,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let mut items = ticket_types::of_event(&mut conn, member.tenant(), &night.event_id, false).await?;
    items.retain(|item| item.kind == ItemKind::TicketType);
    items.truncate(DOOR_LIST_MAX);
    let f = member.frame("door");
    let categories = CATEGORIES.iter().map(|kind| (kind.as_str(), f.text(category_key(*kind)))).collect();
    let offered = |option: &LinkOption| {
        let key = option_key(*option);
        (option.as_str(), f.text(&key), f.text(&format!("{key}-about")))
    };
    let options = LinkOption::ALL.iter().map(offered).collect();
    let path = path(member, &night.event_id, "");
    page::show(status, &NewLinkPage { f, night, path, form, categories, items, options })
}

/// The form for a new link.
pub async fn get_new_link(
    State(app): State<App>,
    member: Member<ManageDoor>,
    Path((_, event_id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let night = find(&mut app.store.read().await?, &member, &event_id).await?;
    // A link that nobody thought of should not work for ever.
    let after = night.starts_at.unwrap_or_else(|| app.time.now()).max(app.time.now()).plus(AFTER_EVENT);
    let expires = in_form(after, &night);
    let form = Form::filled(&[("category", Category::Ticket.as_str()), ("expires_at", &expires)]);
    new_link_page(StatusCode::OK, &app, &member, night, form).await
}

/// A moment of the form, by the clocks of the event.
fn moment(text: &str, night: &Night) -> Option<Stamp> {
    // Browsers leave the seconds out, or not.
    let civil: jiff::civil::DateTime = text.parse().ok()?;
    let zoned = civil.in_tz(&night.time_zone).ok()?;
    Some(Stamp::from_micros(zoned.timestamp().as_microsecond()))
}

/// Reads the form. What is wrong is said in it.
fn read(form: &mut Form, night: &Night, member: &Member<ManageDoor>, now: Stamp) -> Option<NewDoorLink> {
    let t = member.layout.t;
    let label = form.read("label", Name::parse, |_| t.text("wrong-name"));
    let names: Result<Vec<Name>, _> =
        form.value("stations").lines().map(str::trim).filter(|line| !line.is_empty()).map(Name::parse).collect();
    let stations = names.and_then(Stations::new);
    if stations.is_err() {
        form.wrong("stations", t.text("door-wrong-stations"));
    }
    let pin = match form.value("pin").trim() {
        "" => None,
        digits => {
            let pin = Pin::parse(digits).ok();
            if pin.is_none() {
                form.wrong("pin", t.text("door-wrong-pin"));
            }
            pin
        }
    };
    let expires_at = match form.value("expires_at").trim().to_owned() {
        none if none.is_empty() => None,
        text => {
            let at = moment(&text, night);
            match at {
                None => form.wrong("expires_at", t.text("door-wrong-moment")),
                Some(at) if at <= now => form.wrong("expires_at", t.text("door-wrong-moment-past")),
                Some(_) => {}
            }
            at
        }
    };
    let categories = CATEGORIES.into_iter().filter(|category| form.has("category", category.as_str())).collect();
    let ticket_types = form.values("ticket_type").map(str::to_owned).collect();
    let chosen = LinkOption::ALL.iter().copied().filter(|option| form.has("option", option.as_str()));
    let options: LinkOptions = chosen.collect();
    if options.check().is_err() {
        form.wrong("option", t.text("door-wrong-out"));
    }
    let zone = match form.value("zone").trim().to_owned() {
        none if none.is_empty() => None,
        _ => form.read("zone", |text| Name::parse(text.trim()), |_| t.text("wrong-name")),
    };
    form.errors().is_empty().then_some(())?;
    Some(NewDoorLink {
        event_id: night.event_id.clone(),
        label: label?,
        scope: Scope { categories, ticket_types },
        stations: stations.ok()?,
        zone,
        options,
        pin,
        expires_at,
    })
}

#[derive(Template)]
#[template(path = "door_link_made.html")]
struct LinkMadePage {
    f: Frame,
    night: Night,
    path: String,
    row: LinkRow,
    url: String,
    qr: String,
}

/// Makes a link and shows it, this once.
pub async fn post_links(
    State(app): State<App>,
    member: Member<ManageDoor>,
    Path((_, event_id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let night = find(&mut app.store.read().await?, &member, &event_id).await?;
    let now = app.time.now();
    let Some(new) = read(&mut form, &night, &member, now) else {
        return new_link_page(WRONG, &app, &member, night, form).await;
    };
    match admin::door_links::create(&app.store, member.tenant(), new, &member.by_form(&form)).await {
        Ok((link, token)) => {
            let items = ticket_types::of_event(&mut app.store.read().await?, member.tenant(), &event_id, true).await?;
            let url = format!("{}/door#{}", member.service_address(&app), token.reveal());
            let f = member.frame("door");
            let row = LinkRow::new(link, &night, &items, &f, now);
            let qr = qr::drawn(&url).unwrap_or_default();
            let path = path(&member, &event_id, "");
            page::show(StatusCode::OK, &LinkMadePage { f, night, path, row, url, qr })
        }
        Err(ChangeError::Refused(_)) => {
            // A ticket type that is no longer there; the form offers those that are.
            form.wrong("ticket_type", member.layout.t.text("door-wrong-ticket-type"));
            new_link_page(WRONG, &app, &member, night, form).await
        }
        Err(error) => Err(error.into()),
    }
}

#[derive(Template)]
#[template(path = "door_link_revoke.html")]
struct RevokePage {
    f: Frame,
    night: Night,
    path: String,
    row: LinkRow,
}

/// The link of an event.
async fn find_link(conn: &mut Conn, member: &Member<ManageDoor>, event_id: &str, id: &str) -> Result<DoorLink, Error> {
    let found = links::find(conn, member.tenant(), id).await?;
    found.filter(|link| link.event_id == event_id).ok_or(Error::NotFound("door link"))
}

/// The page that says what will stop.
pub async fn get_revoke(
    State(app): State<App>,
    member: Member<ManageDoor>,
    Path((_, event_id, id)): Path<(String, String, String)>,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let night = find(&mut conn, &member, &event_id).await?;
    let link = find_link(&mut conn, &member, &event_id, &id).await?;
    let items = ticket_types::of_event(&mut conn, member.tenant(), &event_id, true).await?;
    let f = member.frame("door");
    let row = LinkRow::new(link, &night, &items, &f, app.time.now());
    page::show(StatusCode::OK, &RevokePage { f, path: path(&member, &event_id, ""), night, row })
}

/// Revokes a link.
pub async fn post_revoke(
    State(app): State<App>,
    member: Member<ManageDoor>,
    Path((_, event_id, id)): Path<(String, String, String)>,
    _form: Form,
) -> Result<Response, Error> {
    find_link(&mut app.store.read().await?, &member, &event_id, &id).await?;
    admin::door_links::revoke(&app.store, member.tenant(), &id, member.by()).await?;
    Ok(go(&path(&member, &event_id, "/links?done=door-link-revoked")))
}
