//! Opening a door link, and the counts of entered tickets.

use std::sync::LazyLock;

use axum::{
    extract::{RawQuery, State},
    http::StatusCode,
    response::Response,
};
use serde::Deserialize;
use serde_json::value::to_raw_value;
use utoipa::{IntoParams, ToSchema};

use taquilla_domain::{config::DOOR_BODY_MAX, door_link::DoorLink, pin::Pin, text::Name};
use taquilla_http::{
    app::App,
    body::{JsonBody, answer, answer_json},
    errors::Error,
    params::{Known, Params},
    rate::{Guess, Source},
    schema::FullStation,
};
use taquilla_metrics::{SignIn, SignedIn};
use taquilla_store as store;
use taquilla_store::{
    Conn, Tenant,
    catalogue::{
        events,
        ticket_counts::{self, Entered},
    },
    door::inside::{self, Zone},
};
use taquilla_wire::door::{DoorCounts, DoorEvent, DoorInside, DoorLinkInfo, OpenedDoor};

use super::access::{DoorKeeper, LinkHolder, pass};

/// What a phone shows to open a link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = OpenDoor)]
struct OpenBody {
    /// The link's PIN, if it has one and this phone has no pass yet.
    pin: Option<String>,
}

/// Open the link
///
/// Tells a phone what its link is for. If the link has a PIN, it must be right, and the answer has a pass to send with
/// every other call.
#[utoipa::path(post, path = "/door/v1/open", tag = "Link", security(("link" = [])),
    request_body(content = OpenBody, description = "The PIN, if the link has one."),
    responses((status = 200, description = "The link, its events, and the counts.", body = OpenedDoor<'static>)))]
pub async fn open_door(
    State(app): State<App>,
    holder: LinkHolder,
    body: JsonBody<DOOR_BODY_MAX>,
) -> Result<Response, Error> {
    let OpenBody { pin } = body.read()?;
    let may_enter = holder.has_shown_the_pin(&app);
    let LinkHolder { tenant, link, address, .. } = holder;
    if let Some(expected) = link.pin_hash.as_ref().filter(|_| !may_enter) {
        let pin = pin.ok_or(Error::PinRequired)?;
        // The try is counted before the PIN is compared, so that simultaneous tries all count.
        let sources = Source::both(&link.id, address);
        app.limits
            .attempt(Guess::Pin, &sources)
            .inspect_err(|_| app.metrics.count_sign_in(SignIn::Pin, SignedIn::Limited))?;
        // A text that cannot be a PIN counts as a wrong one.
        if !Pin::parse(&pin).is_ok_and(|pin| pin.hash(&link.id) == *expected) {
            app.metrics.count_sign_in(SignIn::Pin, SignedIn::Wrong);
            return Err(Error::WrongPin);
        }
        app.metrics.count_sign_in(SignIn::Pin, SignedIn::Ok);
        app.limits.was_right(Guess::Pin, &sources);
    }
    let pass = pass(&app, &link)?;
    let mut conn = app.store.read_of(tenant).await?;
    let counts = entered(&mut conn, tenant, &link, None).await?;
    let zones = zones(&mut conn, tenant, &link).await?;
    let mut more_events = Vec::with_capacity(link.more_events.len());
    for event_id in &link.more_events {
        let shown = events::find(&mut conn, tenant, event_id, |event| to_raw_value(&DoorEvent::from(event))).await?;
        more_events.extend(shown.transpose().map_err(store::Error::internal)?);
    }
    let opened = events::find(&mut conn, tenant, &link.event_id, |event| {
        let opened = OpenedDoor {
            link: DoorLinkInfo::from(&link),
            event: DoorEvent::from(event),
            more_events: &more_events,
            pass: pass.as_deref(),
            salt: &link.salt,
            counts: shown(counts, None, &zones),
        };
        serde_json::to_string(&opened).map_err(store::Error::internal)
    })
    .await?;
    let json = opened.ok_or_else(|| Error::Internal("a door link without its event".into()))??;
    Ok(answer_json(StatusCode::OK, json))
}

/// The counts of all of a link's events.
async fn entered(conn: &mut Conn, tenant: Tenant, link: &DoorLink, station: Option<&str>) -> Result<Entered, Error> {
    let mut sum = Entered::default();
    for event_id in link.events() {
        let Entered { entered, to_come, at_station } =
            ticket_counts::entered(conn, tenant, event_id, &link.scope, station).await?;
        sum = Entered {
            entered: sum.entered + entered,
            to_come: sum.to_come + to_come,
            at_station: sum.at_station + at_station,
        };
    }
    Ok(sum)
}

/// The people inside each of a link's events and inside its zone, where there is a limit.
async fn zones(conn: &mut Conn, tenant: Tenant, link: &DoorLink) -> Result<Vec<Zone>, Error> {
    let mut zones = Vec::new();
    for event_id in link.events() {
        zones.extend(inside::near(conn, tenant, event_id, &link.zone).await?);
    }
    Ok(zones)
}

fn shown<'a>(counts: Entered, station: Option<&str>, zones: &'a [Zone]) -> DoorCounts<'a> {
    let Entered { entered, to_come, at_station } = counts;
    let inside = zones.iter().filter_map(|Zone { name, people, limit }| {
        Some(DoorInside {
            zone: Some(name.as_str()).filter(|name| !name.is_empty()),
            people: *people,
            limit: (*limit)?,
        })
    });
    DoorCounts { entered, to_come, entered_here: station.map(|_| at_station), inside: inside.collect() }
}

static PARAMS: LazyLock<Known> = LazyLock::new(Known::of::<GetCounts>);

/// The parameters of [`get_counts`].
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the handler reads them one by one, to name the one at fault")]
struct GetCounts {
    /// A station, to be told how many of the tickets entered there.
    #[param(required = false, inline)]
    station: FullStation,
}

/// Get the counts
///
/// How many of the tickets that the link admits have entered, how many are still to come, and how many entered at a
/// station.
#[utoipa::path(get, path = "/door/v1/counts", tag = "Link", params(GetCounts), security(("link" = [])),
    responses((status = 200, description = "The counts.", body = DoorCounts<'static>)))]
pub async fn get_counts(
    State(app): State<App>,
    DoorKeeper(LinkHolder { tenant, link, .. }): DoorKeeper,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let station = Params::parse(query.as_deref(), &PARAMS)?.name("station")?;
    let station = station.as_ref().map(Name::as_str);
    let mut conn = app.store.read_of(tenant).await?;
    let counts = entered(&mut conn, tenant, &link, station).await?;
    let zones = zones(&mut conn, tenant, &link).await?;
    answer(StatusCode::OK, &shown(counts, station, &zones))
}
