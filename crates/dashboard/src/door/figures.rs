//! What there is to see at a door: all of it read from kept counts and along indexes, a bounded number of rows.

use std::time::Duration;

use serde::Deserialize;

use taquilla_domain::{
    admit::Outcome,
    clock::Stamp,
    config::{LIVE_LINKS, LIVE_MINUTES, LIVE_ROWS},
    door_link::DoorLink,
    personal::Personal,
    status::Category,
};
use taquilla_store::{
    Conn, Result, Tenant,
    door::{
        entries::{self, OfType},
        inside::{self, Zone},
        link_scans, links,
        nights::{self, Night},
        scans,
    },
    tickets::entered::{self, Entry},
};

/// The figures of a door at one moment.
pub struct Figures {
    /// The event.
    pub night: Night,
    /// Its ticket types.
    pub types: Vec<OfType>,
    /// How many entered in the minutes of the chart, without the minutes in which nobody did.
    pub minutes: Vec<(Stamp, Category, i64)>,
    /// The first and the last minute of the chart, if anybody has entered.
    pub span: Option<(Stamp, Stamp)>,
    /// Stations and how many entered there, the busiest first.
    pub stations: Vec<(String, i64)>,
    /// The door links.
    pub links: Vec<LinkFigures>,
    /// The people inside: in all, then by zone.
    pub inside: Vec<Zone>,
    /// The last to enter.
    pub latest: Vec<Entry>,
    /// The last who were refused.
    pub refused: Vec<Refusal>,
    /// The last whom a phone let in by itself, and the server would not have.
    pub conflicts: Vec<Refusal>,
    /// When they were read.
    pub now: Stamp,
}

/// What came of a door link.
pub struct LinkFigures {
    /// The link.
    pub link: DoorLink,
    /// Whether it works.
    pub works: bool,
    /// Scans that admitted somebody.
    pub admitted: i64,
    /// Scans that did not.
    pub refused: i64,
    /// Those among them that are conflicts.
    pub conflicts: i64,
}

/// A scan that admitted nobody.
pub struct Refusal {
    /// When the server decided it.
    pub at: Stamp,
    /// When it was made, by the device's clock, if that was not the same minute.
    pub made_at: Option<Stamp>,
    /// The station.
    pub station: String,
    /// The label of the link.
    pub link: String,
    /// Why.
    pub outcome: Outcome,
    /// The name on the ticket, where the door was told.
    pub name: Personal<String>,
    /// The ticket type's name, if the code is a ticket.
    pub ticket_type: String,
    /// When and where the ticket entered before.
    pub before: Option<(Stamp, String)>,
}

/// What a door was answered, as far as a live page shows it.
#[derive(Deserialize)]
struct Answer {
    ticket: Option<AnsweredTicket>,
    first_scan: Option<FirstScan>,
}

#[derive(Deserialize)]
struct AnsweredTicket {
    name: String,
    ticket_type: NamedType,
    event: OfEvent,
}

#[derive(Deserialize)]
struct OfEvent {
    id: String,
}

#[derive(Deserialize)]
struct NamedType {
    name: String,
}

#[derive(Deserialize)]
struct FirstScan {
    scanned_at: String,
    station: Option<String>,
}

/// Reads the figures of an event. `None` if the producer has no such event.
pub async fn read(conn: &mut Conn, tenant: Tenant, event_id: &str, now: Stamp) -> Result<Option<Figures>> {
    let Some(night) = nights::find(conn, tenant, event_id).await? else { return Ok(None) };
    let types = entries::by_type(conn, tenant, event_id).await?;
    let last = entries::last_minute(conn, tenant, event_id).await?;
    let shown = Duration::from_secs(60 * (LIVE_MINUTES.unsigned_abs() - 1));
    // While people come, the chart ends now; afterwards with the last who came.
    let end = last.map(|last| if now.minute() <= last.plus(shown) { last.max(now.minute()) } else { last });
    let (mut minutes, mut span) = (Vec::new(), None);
    if let Some(end) = end {
        minutes = entries::by_minute(conn, tenant, event_id, &types, end.minus(shown)).await?;
        span = minutes.first().map(|(first, ..)| (*first, end));
    }
    let inside = inside::by_zone(conn, tenant, event_id).await?;
    let stations = entries::by_station(conn, tenant, event_id, LIVE_ROWS as i64).await?;
    let links = links::of_event(conn, tenant, event_id, LIVE_LINKS).await?;
    let ids: Vec<&str> = links.iter().map(|link| link.id.as_str()).collect();
    let counts = link_scans::of_links(conn, tenant, &ids).await?;
    let refused = refusals(conn, tenant, event_id, &links, false).await?;
    let conflicts = refusals(conn, tenant, event_id, &links, true).await?;
    let latest = entered::latest(conn, tenant, event_id, LIVE_ROWS).await?;
    let of_link = |link: DoorLink| {
        let mut figures = LinkFigures { works: link.life.works(now), link, admitted: 0, refused: 0, conflicts: 0 };
        for count in counts.iter().filter(|count| count.link_id == figures.link.id) {
            match count.outcome {
                Outcome::Admitted => figures.admitted += count.scans,
                outcome if outcome.is_refusal() => figures.refused += count.scans,
                _ => {}
            }
            figures.conflicts += count.conflicts;
        }
        figures
    };
    let links = links.into_iter().map(of_link).collect();
    Ok(Some(Figures { night, types, minutes, span, stations, links, inside, latest, refused, conflicts, now }))
}

/// The last refusals through some links, or the last conflicts. What a link for several events refused of another one is told
/// there.
async fn refusals(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    links: &[DoorLink],
    conflicts_only: bool,
) -> Result<Vec<Refusal>> {
    let ids: Vec<&str> = links.iter().map(|link| link.id.as_str()).collect();
    let mut found = scans::refused(conn, tenant, &ids, conflicts_only, LIVE_ROWS as i64).await?;
    found.retain(|scan| {
        let answer: Option<Answer> = serde_json::from_str(&scan.answer).ok();
        let of = answer.and_then(|answer| answer.ticket).map(|ticket| ticket.event.id);
        let link = links.iter().find(|link| link.id == scan.link_id);
        link.zip(of).is_none_or(|(link, of)| of == event_id || !link.is_for(&of))
    });
    found.sort_by_key(|scan| std::cmp::Reverse(scan.accepted_at));
    found.truncate(LIVE_ROWS);
    let shown = |scan: scans::Refused| {
        let answer: Option<Answer> = serde_json::from_str(&scan.answer).ok();
        let (ticket, first) = answer.map_or((None, None), |answer| (answer.ticket, answer.first_scan));
        let (name, ticket_type) = ticket.map(|ticket| (ticket.name, ticket.ticket_type.name)).unwrap_or_default();
        let before =
            first.and_then(|first| Some((Stamp::parse(&first.scanned_at)?, first.station.unwrap_or_default())));
        let link = links.iter().find(|link| link.id == scan.link_id).map(|link| link.label.clone());
        Refusal {
            at: scan.accepted_at,
            made_at: scan.scanned_at.filter(|made| made.minute() != scan.accepted_at.minute()),
            station: scan.station,
            link: link.unwrap_or_default(),
            outcome: scan.outcome,
            name: Personal::new(name),
            ticket_type,
            before,
        }
    };
    Ok(found.into_iter().map(shown).collect())
}
