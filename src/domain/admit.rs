//! What a door answers: who may enter here, decided from what is known of the ticket and of the door.

use super::{
    id,
    status::{Category, TicketStatus, named},
};

named! {
    /// What became of an attempt to enter.
    Outcome {
        /// Come in.
        Admitted = "admitted",
        /// This ticket has entered before.
        AlreadyScanned = "already_scanned",
        /// Passed on; another ticket took its place.
        Transferred = "transferred",
        /// Taken back.
        Cancelled = "cancelled",
        /// Paid back.
        Refunded = "refunded",
        /// No ticket of this producer.
        Unknown = "unknown",
        /// A ticket for another event.
        WrongEvent = "wrong_event",
        /// Good elsewhere: a bar item at the gate.
        NotHere = "not_here",
        /// The phone refused it while it was offline and tells of it now.
        TurnedAway = "turned_away",
    }
}

/// Which items a door admits. No category and no ticket type is everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Items of these categories.
    pub categories: Vec<Category>,
    /// These items.
    pub ticket_types: Vec<String>,
}

impl Scope {
    /// Whether an item is admitted.
    pub fn admits(&self, ticket_type_id: &str, category: Category) -> bool {
        let everything = self.categories.is_empty() && self.ticket_types.is_empty();
        everything || self.categories.contains(&category) || self.ticket_types.iter().any(|id| id == ticket_type_id)
    }
}

/// What a door needs to know of a ticket.
#[derive(Clone, Copy, Debug)]
pub struct Credential<'a> {
    /// Where it stands.
    pub status: TicketStatus,
    /// The event it opens.
    pub event_id: &'a str,
    /// Its item.
    pub ticket_type_id: &'a str,
    /// What its item is.
    pub category: Category,
}

/// Decides. What is out of place is told before how it stands, so that a door learns nothing of tickets that are none
/// of its business. `event_id` is the door's event; `None` is any.
pub fn admit(ticket: Option<Credential<'_>>, event_id: Option<&str>, scope: &Scope) -> Outcome {
    match ticket {
        None => Outcome::Unknown,
        Some(ticket) if event_id.is_some_and(|event_id| event_id != ticket.event_id) => Outcome::WrongEvent,
        Some(ticket) if !scope.admits(ticket.ticket_type_id, ticket.category) => Outcome::NotHere,
        Some(ticket) => Outcome::of(ticket.status),
    }
}

/// The ticket ids that a code may stand for: itself, and in capitals, because ours have no other letters and people
/// type them as they like.
pub fn spellings(code: &str) -> impl Iterator<Item = String> {
    let capitals = code.to_ascii_uppercase();
    let differs = capitals != code;
    let plausible = id::is_plausible(code);
    [Some(code.to_owned()), differs.then_some(capitals)].into_iter().flatten().filter(move |_| plausible)
}

impl Outcome {
    /// What a ticket in this state gets where it belongs. The order of precedence is in the status itself.
    pub fn of(status: TicketStatus) -> Self {
        match status {
            TicketStatus::Valid => Self::Admitted,
            TicketStatus::Scanned => Self::AlreadyScanned,
            TicketStatus::Transferred => Self::Transferred,
            TicketStatus::Cancelled => Self::Cancelled,
            TicketStatus::Refunded => Self::Refunded,
        }
    }

    /// Whether a door may say whose ticket it is.
    pub fn names_the_holder(self) -> bool {
        !matches!(self, Self::Unknown | Self::WrongEvent | Self::NotHere | Self::TurnedAway)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::moves::TicketMove;

    fn ticket(status: TicketStatus) -> Credential<'static> {
        Credential { status, event_id: "ev", ticket_type_id: "tt", category: Category::Ticket }
    }

    #[test]
    fn exactly_the_tickets_that_may_be_scanned_are_admitted() {
        for status in TicketStatus::ALL {
            let admitted = admit(Some(ticket(*status)), Some("ev"), &Scope::default()) == Outcome::Admitted;
            assert_eq!(admitted, TicketMove::Scan.from(*status).is_ok(), "{status:?}");
        }
    }

    #[test]
    fn what_is_out_of_place_is_told_before_how_it_stands() {
        let bar = Scope { categories: vec![Category::Merchandise], ticket_types: vec![] };
        for status in TicketStatus::ALL {
            let ticket = ticket(*status);
            assert_eq!(admit(Some(ticket), Some("other"), &bar), Outcome::WrongEvent);
            assert_eq!(admit(Some(ticket), Some("ev"), &bar), Outcome::NotHere);
            assert_eq!(admit(Some(ticket), None, &Scope::default()), Outcome::of(*status));
        }
        assert_eq!(admit(None, Some("ev"), &bar), Outcome::Unknown);
    }

    #[test]
    fn a_scope_admits_its_categories_and_its_types_and_an_empty_one_everything() {
        let gate = Scope { categories: vec![Category::Ticket], ticket_types: vec!["tt_locker".into()] };
        assert!(gate.admits("tt", Category::Ticket) && gate.admits("tt_locker", Category::Merchandise));
        assert!(!gate.admits("tt_beer", Category::Merchandise));
        let only = Scope { categories: vec![], ticket_types: vec!["tt_vip".into()] };
        assert!(only.admits("tt_vip", Category::Ticket) && !only.admits("tt", Category::Ticket));
        assert!(Scope::default().admits("tt_beer", Category::Merchandise));
    }
}
