//! The links that door staff scan with: which there are, making one, and revoking one. A link may be for several events of one
//! night; it stands on the page of each.

use std::{
    collections::{BTreeSet, HashMap},
    time::Duration,
};

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    admit::Scope,
    clock::Stamp,
    config::{DOOR_LIST_MAX, LINK_EVENTS_MAX, LIVE_LINKS},
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
    ChangeError, Conn, Tenant,
    catalogue::{events, ticket_types},
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
/// Events that begin this close to one another may share a door.
const SAME_NIGHT: Duration = Duration::from_hours(24);
/// Events that the form looks at. Who has more of them names them at the command line.
const NIGHTS_OFFERED: i64 = 20;

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
    /// The other events it is for.
    more_events: String,
    works: bool,
    badge: Badge,
    created: ShownTime,
    used: ShownTime,
    expires: ShownTime,
    link: DoorLink,
}

impl LinkRow {
    fn new(link: DoorLink, night: &Night, named: &Named, f: &Frame, now: Stamp) -> Self {
        let categories = link.scope.categories.iter().map(|category| f.text(category_key(*category)));
        let admits: Vec<String> = categories.chain(link.scope.ticket_types.iter().map(|id| named.item(id))).collect();
        let others: Vec<String> = link.events().filter(|id| *id != night.event_id).map(|id| named.event(id)).collect();
        let dates = f.dates(&night.time_zone);
        let at = |at: Option<Stamp>| at.map_or_else(|| ShownTime::none(f.text("never")), |at| dates.time(&at));
        Self {
            admits: if admits.is_empty() { f.text("door-everything") } else { admits.join(", ") },
            stations: if link.stations.is_empty() { f.text("door-any-station") } else { link.stations.join(", ") },
            options: link.options.iter().map(|option| f.text(&option_key(option))).collect::<Vec<_>>().join(", "),
            more_events: others.join(", "),
            works: link.life.works(now),
            badge: badges::of_door_link(link.life.state(now)),
            created: at(Some(link.life.created_at)),
            used: at(link.life.last_used_at),
            expires: at(link.life.expires_at),
            link,
        }
    }
}

/// The names of what links are for.
struct Named {
    items: Vec<TicketType>,
    events: HashMap<String, String>,
}

impl Named {
    /// Of all that these links of an event name.
    async fn of(conn: &mut Conn, tenant: Tenant, night: &Night, links: &[DoorLink]) -> Result<Self, Error> {
        let others: BTreeSet<&str> = links.iter().flat_map(DoorLink::events).collect();
        let ids: Vec<&str> = others.into_iter().filter(|id| *id != night.event_id).collect();
        let mut items = ticket_types::of_event(conn, tenant, &night.event_id, true).await?;
        // An item that is not found here is shown by its id.
        for id in ids.iter().take(LINK_EVENTS_MAX) {
            items.extend(ticket_types::of_event(conn, tenant, id, true).await?);
        }
        Ok(Self { items, events: events::names(conn, tenant, &ids).await? })
    }

    fn item(&self, id: &str) -> String {
        self.items.iter().find(|item| item.id == id).map_or_else(|| id.to_owned(), |item| item.name.clone())
    }

    fn event(&self, id: &str) -> String {
        self.events.get(id).cloned().unwrap_or_else(|| id.to_owned())
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
    let found = links::of_event(&mut conn, member.tenant(), &event_id, LIVE_LINKS).await?;
    let named = Named::of(&mut conn, member.tenant(), &night, &found).await?;
    let (f, now) = (member.frame("door").done(&query), app.time.now());
    let rows = found.into_iter().map(|link| LinkRow::new(link, &night, &named, &f, now)).collect();
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
    /// The items that can be named, each with its event if that is another one.
    items: Vec<(TicketType, Option<String>)>,
    /// Other events of the same night.
    others: Vec<Night>,
    /// What a link may do besides scanning: the value, its name, and what it means.
    options: Vec<(&'static str, String, String)>,
}

/// The other events that begin within a day of this one. Of an event without a date nobody knows the night.
async fn same_night(conn: &mut Conn, tenant: Tenant, night: &Night) -> Result<Vec<Night>, Error> {
    let Some(starts_at) = night.starts_at else { return Ok(Vec::new()) };
    let mut others = nights::from(conn, tenant, starts_at.minus(SAME_NIGHT), NIGHTS_OFFERED).await?;
    others.retain(|other| {
        let is_near = other.starts_at.is_some_and(|other| other <= starts_at.plus(SAME_NIGHT));
        is_near && other.event_id != night.event_id
    });
    Ok(others)
}

async fn new_link_page(
    status: StatusCode,
    app: &App,
    member: &Member<ManageDoor>,
    night: Night,
    form: Form,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let others = same_night(&mut conn, member.tenant(), &night).await?;
    let mut items = Vec::new();
    for of in std::iter::once(&night).chain(&others) {
        let name = Some(&of.name).filter(|_| of.event_id != night.event_id);
        let there = ticket_types::of_event(&mut conn, member.tenant(), &of.event_id, false).await?;
        items.extend(there.into_iter().map(|item| (item, name.cloned())));
    }
    items.retain(|(item, _)| item.kind == ItemKind::TicketType);
    items.truncate(DOOR_LIST_MAX);
    let f = member.frame("door");
    let categories = CATEGORIES.iter().map(|kind| (kind.as_str(), f.text(category_key(*kind)))).collect();
    let offered = |option: &LinkOption| {
        let key = option_key(*option);
        (option.as_str(), f.text(&key), f.text(&format!("{key}-about")))
    };
    let options = LinkOption::ALL.iter().map(offered).collect();
    let path = path(member, &night.event_id, "");
    page::show(status, &NewLinkPage { f, night, path, form, categories, items, others, options })
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
    let more_events: Vec<String> = form.values("event").map(str::to_owned).collect();
    if more_events.len() >= LINK_EVENTS_MAX {
        form.wrong("event", t.with("door-wrong-events", "most", LINK_EVENTS_MAX as i64));
    }
    let ticket_types = form.values("ticket_type").map(str::to_owned).collect();
    let chosen = LinkOption::ALL.iter().copied().filter(|option| form.has("option", option.as_str()));
    let options: LinkOptions = chosen.collect();
    if options.allow(LinkOption::Kiosk) && options.check().is_err() {
        form.wrong("option", t.text("door-wrong-kiosk"));
    } else if options.check().is_err() {
        form.wrong("option", t.text("door-wrong-out"));
    }
    let zone = match form.value("zone").trim().to_owned() {
        none if none.is_empty() => None,
        _ => form.read("zone", |text| Name::parse(text.trim()), |_| t.text("wrong-name")),
    };
    form.errors().is_empty().then_some(())?;
    Some(NewDoorLink {
        event_id: night.event_id.clone(),
        more_events,
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
            let made = std::slice::from_ref(&link);
            let named = Named::of(&mut app.store.read().await?, member.tenant(), &night, made).await?;
            let url = format!("{}/door#{}", member.service_address(&app), token.reveal());
            let f = member.frame("door");
            let row = LinkRow::new(link, &night, &named, &f, now);
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
    found.filter(|link| link.is_for(event_id)).ok_or(Error::NotFound("door link"))
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
    let named = Named::of(&mut conn, member.tenant(), &night, std::slice::from_ref(&link)).await?;
    let f = member.frame("door");
    let row = LinkRow::new(link, &night, &named, &f, app.time.now());
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
