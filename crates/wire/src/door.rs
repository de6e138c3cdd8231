//! What the door's calls answer: never an e-mail address, a phone number or an identity document.

use serde::Serialize;
use serde_json::{Value, value::RawValue};
use utoipa::ToSchema;

use taquilla_domain::{config::GROUP_TICKETS_MAX, door_link::DoorLink, event};

use super::{
    api::TicketTypeSummary,
    names::{Category, LinkOption, Outcome, TicketStatus},
    time::Time,
};

/// The answer to a scan.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScanAnswer<'a> {
    /// The scan's id.
    pub scan_id: &'a str,
    /// What was decided.
    pub outcome: Outcome,
    /// The ticket, if the code is one of the producer's.
    #[schema(required)]
    pub ticket: Option<DoorTicket<'a>>,
    /// When and where the ticket entered before, if it did.
    #[schema(required)]
    pub first_scan: Option<FirstScan<'a>>,
    /// When the server decided it; for a ticket that was let in, its `checked_in_at`. Answers from before
    /// this was told do not have it.
    #[schema(required = false, value_type = Time)]
    pub accepted_at: Time,
}

/// A scan of an upload that was not decided.
#[derive(Debug, Serialize, ToSchema)]
pub struct UndecidedScan<'a> {
    /// The scan's id as it was sent, or null.
    #[schema(value_type = Value)]
    pub scan_id: &'a Value,
    /// Why it was not decided.
    pub error: ScanError<'a>,
}

/// Why a scan was not decided.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScanError<'a> {
    /// The error's stable name, for machines.
    #[schema(example = "invalid_body")]
    pub code: &'a str,
    /// What went wrong, and what to do.
    pub detail: &'a str,
}

/// A ticket as a door sees it: without e-mail address, phone number and identity document.
#[derive(Debug, Serialize, ToSchema)]
pub struct DoorTicket<'a> {
    /// The attendee's name; empty if the outcome does not allow the door to see it.
    pub name: &'a str,
    /// Its ticket type.
    pub ticket_type: TicketTypeSummary<'a>,
    /// The event it is for.
    pub event: EventSummary<'a>,
    /// How many of its order have entered, if the order has several tickets that this door admits. Only where
    /// somebody has entered with it.
    #[schema(required)]
    pub group: Option<Group>,
    /// What staff want the door to know about this ticket, such as "VIP". Only with outcomes that tell the name, like the next.
    /// Answers from before there were notes have neither.
    #[schema(required)]
    pub door_note: Option<&'a str>,
    /// What staff want the door to know about all tickets of its type, such as "needs a wristband".
    #[schema(required)]
    pub ticket_type_note: Option<&'a str>,
}

/// The tickets of one order for the event that the door admits and that are valid or have entered, hidden ones apart.
/// A ticket that was passed on counts as the ticket that replaced it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Group {
    /// How many of them have entered, with this scan.
    #[schema(minimum = 1)]
    pub entered: usize,
    /// How many there are.
    #[schema(minimum = 2, maximum = 200)]
    pub of: usize,
}

const _: () = assert!(GROUP_TICKETS_MAX == 200, "the number in the attribute above");

/// An event's id and name.
#[derive(Debug, Serialize, ToSchema)]
pub struct EventSummary<'a> {
    /// The event's id.
    pub id: &'a str,
    /// Its name.
    pub name: &'a str,
}

/// When and where a ticket entered.
#[derive(Debug, Serialize, ToSchema)]
pub struct FirstScan<'a> {
    /// When that scan was accepted.
    #[schema(value_type = Time)]
    pub scanned_at: Time,
    /// The station, if it is known.
    #[schema(required)]
    pub station: Option<&'a str>,
}

/// How many tickets have entered, and how many may still come.
#[derive(Debug, Serialize, ToSchema)]
pub struct DoorCounts<'a> {
    /// Tickets that have entered.
    #[schema(minimum = 0)]
    pub entered: i64,
    /// Valid tickets that have not entered.
    #[schema(minimum = 0)]
    pub to_come: i64,
    /// Tickets that have entered at the station that was asked for; null when none was.
    #[schema(required, minimum = 0)]
    pub entered_here: Option<i64>,
    /// How many are inside, where somebody set a limit: in all, and in the link's zone. Nobody is refused by it.
    pub inside: Vec<DoorInside<'a>>,
}

/// How many people are inside a place, and how many should be at most.
#[derive(Debug, Serialize, ToSchema)]
pub struct DoorInside<'a> {
    /// The zone; null is the event as a whole.
    #[schema(required)]
    pub zone: Option<&'a str>,
    /// How many are inside now.
    pub people: i64,
    /// How many should be at most.
    #[schema(minimum = 1)]
    pub limit: i64,
}

/// A code on the offline list of a door's phones.
#[derive(Debug, Serialize, ToSchema)]
pub struct DoorCode<'a> {
    /// A salted hash of the code, not the code.
    pub code: &'a str,
    /// The outcome that a scan would have now, as long as nobody is outside with the ticket.
    pub outcome: Outcome,
    /// The name of its ticket type.
    pub ticket_type: &'a str,
    /// The id of its ticket type.
    pub ticket_type_id: &'a str,
    /// The event it is for; left out if the link is for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    pub event_id: Option<&'a str>,
    /// What the door is to know about this ticket; left out if it is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    pub door_note: Option<&'a str>,
    /// When anything about the ticket last changed.
    #[schema(value_type = Time)]
    pub updated_at: Time,
}

/// What the door is to know about all tickets of one type.
#[derive(Debug, Serialize, ToSchema)]
pub struct TicketTypeNote<'a> {
    /// The ticket type.
    pub ticket_type_id: &'a str,
    /// The note.
    pub note: &'a str,
}

/// A guest as a door finds them, without the code of the ticket.
#[derive(Debug, Serialize, ToSchema)]
pub struct Guest<'a> {
    /// What names the ticket, for this link alone. It opens nothing elsewhere.
    pub handle: &'a str,
    /// The attendee's name.
    pub name: &'a str,
    /// The name of the ticket type.
    pub ticket_type: &'a str,
    /// The event that the ticket opens.
    pub event_id: &'a str,
    /// The number of the guest's order, if the ticket comes from one.
    #[schema(required)]
    pub order_number: Option<&'a str>,
    /// How the ticket stands.
    pub state: TicketStatus,
}

/// The guests that were found.
#[derive(Debug, Serialize, ToSchema)]
pub struct Guests<'a> {
    /// The guests, 20 at most.
    pub data: Vec<Guest<'a>>,
    /// Whether there are more, who are found by more of their name.
    pub has_more: bool,
}

/// A door link without its token.
#[derive(Debug, Serialize, ToSchema)]
pub struct DoorLinkInfo<'a> {
    /// The link's id; not the token.
    pub id: &'a str,
    /// The event it is for, or the first of them.
    pub event_id: &'a str,
    /// The other events it is for.
    pub more_event_ids: &'a [String],
    /// Its name.
    pub label: &'a str,
    /// The categories it admits. Without categories and ticket types it admits everything.
    pub categories: Vec<Category>,
    /// The ticket types it admits.
    pub ticket_types: &'a [String],
    /// The stations where it may be used; empty means any.
    pub stations: &'a [String],
    /// The zone its doors lead to; null is the event as a whole.
    #[schema(required)]
    pub zone: Option<&'a str>,
    /// What it may do besides scanning.
    pub options: Vec<LinkOption>,
    /// Whether a PIN is needed besides the link.
    pub has_pin: bool,
    /// When it was created.
    #[schema(value_type = Time)]
    pub created_at: Time,
    /// When it stops working by itself; null is never.
    #[schema(required, value_type = Option<Time>)]
    pub expires_at: Option<Time>,
    /// When it was revoked.
    #[schema(required, value_type = Option<Time>)]
    pub revoked_at: Option<Time>,
    /// When it was last used, to the minute.
    #[schema(required, value_type = Option<Time>)]
    pub last_used_at: Option<Time>,
}

/// The answer when a phone opens a door link.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenedDoor<'a> {
    /// The link.
    pub link: DoorLinkInfo<'a>,
    /// The event it is for, or the first of them.
    pub event: DoorEvent<'a>,
    /// The other events it is for.
    #[schema(value_type = Vec<DoorEvent<'static>>)]
    pub more_events: &'a [Box<RawValue>],
    /// The pass to send as `Door-Pass` with every other call, if the link has a PIN.
    #[schema(required)]
    pub pass: Option<&'a str>,
    /// The salt of the hashes on the offline list.
    pub salt: &'a str,
    /// How many tickets have entered.
    pub counts: DoorCounts<'a>,
}

/// The event as a door sees it.
#[derive(Debug, Serialize, ToSchema)]
pub struct DoorEvent<'a> {
    /// The event's id.
    pub id: &'a str,
    /// Its name.
    pub name: &'a str,
    /// Where it is.
    #[schema(required)]
    pub venue: Option<&'a str>,
    /// The IANA time zone of the place.
    #[schema(example = "Europe/Madrid")]
    pub timezone: &'a str,
    /// When it begins.
    #[schema(required, value_type = Option<Time>)]
    pub starts_at: Option<Time>,
    /// When it ends.
    #[schema(required, value_type = Option<Time>)]
    pub ends_at: Option<Time>,
}

/// A line of the scan log.
#[derive(Debug, Serialize)]
pub struct LoggedScan<'a> {
    /// The id that the device gave it.
    pub scan_id: &'a str,
    /// The station.
    pub station: &'a str,
    /// What was decided.
    pub outcome: Outcome,
    /// The ticket, if the code is one of the producer's.
    pub ticket_id: Option<&'a str>,
    /// The time of the scan by the device's clock.
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
            more_event_ids: &link.more_events,
            label: &link.label,
            categories: link.scope.categories.iter().copied().map(Into::into).collect(),
            ticket_types: &link.scope.ticket_types,
            stations: &link.stations,
            zone: Some(link.zone.as_str()).filter(|zone| !zone.is_empty()),
            options: link.options.iter().map(Into::into).collect(),
            has_pin: link.pin_hash.is_some(),
            created_at: link.life.created_at.into(),
            expires_at: link.life.expires_at.map(Time),
            revoked_at: link.life.revoked_at.map(Time),
            last_used_at: link.life.last_used_at.map(Time),
        }
    }
}
