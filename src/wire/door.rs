//! What a door is told: never an e-mail address, a phone number or a document.

use serde::Serialize;

use super::{api::TicketTypeSummary, time::Time};
use crate::domain::{admit::Outcome, door_link::DoorLink, event, status::Category};

/// What a door answers to a scan.
#[derive(Debug, Serialize)]
pub struct ScanAnswer<'a> {
    /// The scan that is answered.
    pub scan_id: &'a str,
    /// What was decided.
    pub outcome: Outcome,
    /// The ticket, where it is one of the producer's.
    pub ticket: Option<DoorTicket<'a>>,
    /// When and where the ticket entered before.
    pub first_scan: Option<FirstScan<'a>>,
}

/// What a door is told of a ticket: never e-mail address, phone or document.
#[derive(Debug, Serialize)]
pub struct DoorTicket<'a> {
    /// Who holds it; empty where that is none of this door's business.
    pub name: &'a str,
    /// The item it was issued for.
    pub ticket_type: TicketTypeSummary<'a>,
    /// The event it opens.
    pub event: EventSummary<'a>,
}

/// An event in a few words.
#[derive(Debug, Serialize)]
pub struct EventSummary<'a> {
    /// The event's id.
    pub id: &'a str,
    /// Its name.
    pub name: &'a str,
}

/// When and where a ticket entered.
#[derive(Debug, Serialize)]
pub struct FirstScan<'a> {
    /// When that scan was accepted.
    pub scanned_at: Time,
    /// Where, if that is known.
    pub station: Option<&'a str>,
}

/// How many have entered, and how many may still come.
#[derive(Debug, Serialize)]
pub struct DoorCounts {
    /// Tickets that have entered.
    pub entered: i64,
    /// Tickets that have not.
    pub to_come: i64,
}

/// A code that a door may be shown, as its phones keep it for when they are offline.
#[derive(Debug, Serialize)]
pub struct DoorCode<'a> {
    /// A salted hash of the code, not the code.
    pub code: &'a str,
    /// What a scan would be answered now.
    pub outcome: Outcome,
    /// The name of its item.
    pub ticket_type: &'a str,
    /// When anything about the ticket last changed.
    pub updated_at: Time,
}

/// A door link without its token.
#[derive(Debug, Serialize)]
pub struct DoorLinkInfo<'a> {
    /// The link's id; not the token.
    pub id: &'a str,
    /// The event it opens.
    pub event_id: &'a str,
    /// What it is called.
    pub label: &'a str,
    /// It admits items of these categories; with no category and no ticket type, everything.
    pub categories: &'a [Category],
    /// It admits these items.
    pub ticket_types: &'a [String],
    /// The stations it may be used at; empty is any.
    pub stations: &'a [String],
    /// Whether a PIN is needed besides the link.
    pub has_pin: bool,
    /// When it was created.
    pub created_at: Time,
    /// When it stops working by itself; null is never.
    pub expires_at: Option<Time>,
    /// When it was revoked.
    pub revoked_at: Option<Time>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Time>,
}

/// What a phone is told when it opens a door link.
#[derive(Debug, Serialize)]
pub struct OpenedDoor<'a> {
    /// The link.
    pub link: DoorLinkInfo<'a>,
    /// The event it opens.
    pub event: DoorEvent<'a>,
    /// To be sent as `Door-Pass` with every other call, where the link has a PIN.
    pub pass: Option<&'a str>,
    /// What codes are hashed with in the offline list.
    pub salt: &'a str,
    /// How many have entered.
    pub counts: DoorCounts,
}

/// What a door is told of its event.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "as in the event itself")]
pub struct DoorEvent<'a> {
    pub id: &'a str,
    pub name: &'a str,
    pub venue: Option<&'a str>,
    pub timezone: &'a str,
    pub starts_at: Option<Time>,
    pub ends_at: Option<Time>,
}

/// A line of the scan log.
#[derive(Debug, Serialize)]
pub struct LoggedScan<'a> {
    /// What the device called it.
    pub scan_id: &'a str,
    /// Where it was.
    pub station: &'a str,
    /// What was answered.
    pub outcome: Outcome,
    /// The ticket, where it is one of the producer's.
    pub ticket_id: Option<&'a str>,
    /// The device's own time.
    pub scanned_at: Option<Time>,
    /// When the server accepted it.
    pub accepted_at: Time,
}

impl<'a> From<event::Event<'a>> for DoorEvent<'a> {
    fn from(event: event::Event<'a>) -> Self {
        Self {
            id: event.id,
            name: event.name,
            venue: event.venue,
            timezone: event.timezone,
            starts_at: event.starts_at.map(Time),
            ends_at: event.ends_at.map(Time),
        }
    }
}

impl<'a> From<&'a DoorLink> for DoorLinkInfo<'a> {
    fn from(link: &'a DoorLink) -> Self {
        Self {
            id: &link.id,
            event_id: &link.event_id,
            label: &link.label,
            categories: &link.scope.categories,
            ticket_types: &link.scope.ticket_types,
            stations: &link.stations,
            has_pin: link.pin_hash.is_some(),
            created_at: link.life.created_at.into(),
            expires_at: link.life.expires_at.map(Time),
            revoked_at: link.life.revoked_at.map(Time),
            last_used_at: link.life.last_used_at.map(Time),
        }
    }
}
