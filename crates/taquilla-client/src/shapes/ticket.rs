//! Tickets.

use serde::{Deserialize, Serialize};

use super::{
    super::time::Time,
    lenient::{or_nothing, whole_or_null},
    named::named,
    ticket_type::Category,
};

named! {
    /// What a ticket is worth at the door.
    TicketStatus {
        /// Unused, ready to enter.
        Valid = "valid",
        /// Has entered.
        Scanned = "scanned",
        /// Passed on; another ticket took its place.
        Transferred = "transferred",
        /// Deleted by the organiser.
        Cancelled = "cancelled",
        /// Its order was refunded.
        Refunded = "refunded",
    }
}

/// The person who holds a ticket.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attendee {
    /// The attendee's id.
    #[serde(default, deserialize_with = "or_nothing")]
    pub id: String,
    /// The attendee's name.
    #[serde(default, deserialize_with = "or_nothing")]
    pub name: String,
    /// The attendee's e-mail address.
    #[serde(default, deserialize_with = "or_nothing")]
    pub email: String,
    /// The attendee's phone number.
    #[serde(default)]
    pub phone: Option<String>,
    /// The attendee's identity document.
    #[serde(default, deserialize_with = "or_nothing")]
    pub identity_document: String,
}

/// What a ticket says of its ticket type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketTypeSummary {
    /// The ticket type's id. Join by it.
    pub id: String,
    /// Its present name. A new name does not move the ticket's `updated_at`.
    #[serde(default, deserialize_with = "or_nothing")]
    pub name: String,
    /// What it is.
    pub category: Category,
}

/// A ticket: the credential that a person shows at the door.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// The value of the QR code. Who has it can enter with it.
    pub id: String,
    /// The event it belongs to.
    pub event_id: String,
    /// The order it came from; `None` on very old tickets loaded by hand.
    #[serde(default)]
    pub order_id: Option<String>,
    /// The index, in the order's items, of the item it was issued for.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub order_item: Option<i64>,
    /// What it is worth at the door.
    pub status: TicketStatus,
    /// The item it was issued for; for a ticket out of a bundle, the included item.
    pub ticket_type: TicketTypeSummary,
    /// Whether it came out of a bundle. Such tickets do not count in `sold` of their ticket type.
    #[serde(default, deserialize_with = "or_nothing")]
    pub from_bundle: bool,
    /// The bundle it came out of.
    #[serde(default)]
    pub bundle_id: Option<String>,
    /// Who holds it. Personal data.
    #[serde(default, deserialize_with = "or_nothing")]
    pub attendee: Attendee,
    /// When it was issued. Tickets from before 11 August 2026 all carry one date.
    pub issued_at: Time,
    /// When it entered.
    #[serde(default)]
    pub checked_in_at: Option<Time>,
    /// The scanning station's label.
    #[serde(default)]
    pub checked_in_by: Option<String>,
    /// When it was passed on.
    #[serde(default)]
    pub transferred_at: Option<Time>,
    /// The ticket that took its place.
    #[serde(default)]
    pub transferred_to_ticket_id: Option<String>,
    /// When anything about it last changed. Not every server tells.
    #[serde(default)]
    pub updated_at: Option<Time>,
}
