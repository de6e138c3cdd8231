//! What a door answers to a scan, decided from the ticket and the door's scope.

use super::{
    id,
    status::{Category, TicketStatus, named},
};

named! {
    /// The outcome of a scan.
    Outcome {
        /// The ticket's holder may enter.
        Admitted = "admitted",
        /// The ticket has entered before.
        AlreadyScanned = "already_scanned",
        /// The ticket was passed on; another ticket replaced it.
        Transferred = "transferred",
        /// The ticket was cancelled.
        Cancelled = "cancelled",
        /// The ticket's order was refunded.
        Refunded = "refunded",
        /// The code is no ticket of this producer.
        Unknown = "unknown",
        /// The ticket is for another event.
        WrongEvent = "wrong_event",
        /// The ticket is outside the door's scope, such as a bar item at the gate.
        NotHere = "not_here",
        /// The phone refused the code while it was offline and reports that now.
        TurnedAway = "turned_away",
        /// The ticket's entry was taken back. A phone that was offline and let somebody in before that gets this too.
        EntryUndone = "entry_undone",
        /// Somebody who had entered and gone out came in again.
        Reentered = "reentered",
        /// Somebody who had entered went out, and may come in again.
        WentOut = "went_out",
        /// Nobody is inside with this ticket who could go out.
        NotInside = "not_inside",
        /// Whoever goes out with this ticket may not come in again.
        NoReentry = "no_reentry",
    }
}

/// Which way people go who are scanned at a door.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// In.
    #[default]
    In,
    /// Out, to come in again.
    Out,
}

/// Which ticket types a door admits. Without any category and ticket type it admits all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Ticket types of these categories.
    pub categories: Vec<Category>,
    /// These ticket types.
    pub ticket_types: Vec<String>,
}

impl Scope {
    /// Whether the door admits this ticket type.
    pub fn admits(&self, ticket_type_id: &str, category: Category) -> bool {
        let everything = self.categories.is_empty() && self.ticket_types.is_empty();
        everything || self.categories.contains(&category) || self.ticket_types.iter().any(|id| id == ticket_type_id)
    }
}

/// What a door's decision needs of a ticket.
#[derive(Clone, Copy, Debug)]
pub struct Credential<'a> {
    /// Its status.
    pub status: TicketStatus,
    /// The event it opens.
    pub event_id: &'a str,
    /// Its ticket type.
    pub ticket_type_id: &'a str,
    /// Its ticket type's category.
    pub category: Category,
    /// Whether somebody has entered with it and is outside now.
    pub is_outside: bool,
    /// Whether people may go out with tickets of its type and come in again.
    pub may_reenter: bool,
}

/// Decides a scan. A ticket for another event or outside the scope gets that answer whatever its status, so that a door
/// learns nothing about such tickets. `events` are the door's; none means any.
pub fn admit(ticket: Option<Credential<'_>>, events: &[String], scope: &Scope, way: Way) -> Outcome {
    match ticket {
        None => Outcome::Unknown,
        Some(ticket) if !events.is_empty() && !events.iter().any(|id| id == ticket.event_id) => Outcome::WrongEvent,
        Some(ticket) if !scope.admits(ticket.ticket_type_id, ticket.category) => Outcome::NotHere,
        Some(ticket) => Outcome::of(ticket.status, way, ticket.is_outside, ticket.may_reenter),
    }
}

/// The ticket ids that a code may mean: the code itself, and the code in capitals, because our ids have capitals only
/// and people type them as they like.
pub fn spellings(code: &str) -> impl Iterator<Item = String> {
    let capitals = code.to_ascii_uppercase();
    let differs = capitals != code;
    let plausible = id::is_plausible(code);
    [Some(code.to_owned()), differs.then_some(capitals)].into_iter().flatten().filter(move |_| plausible)
}

impl Outcome {
    /// The outcome for a ticket of this status at a door that admits it. Whoever was let out may come back, whatever has
    /// been decided about the ticket type since.
    pub fn of(status: TicketStatus, way: Way, is_outside: bool, may_reenter: bool) -> Self {
        match status {
            TicketStatus::Valid if way == Way::In => Self::Admitted,
            TicketStatus::Valid => Self::NotInside,
            TicketStatus::Scanned => match (way, is_outside, may_reenter) {
                (Way::In, false, _) => Self::AlreadyScanned,
                (Way::In, true, _) => Self::Reentered,
                (Way::Out, true, _) => Self::NotInside,
                (Way::Out, false, true) => Self::WentOut,
                (Way::Out, false, false) => Self::NoReentry,
            },
            TicketStatus::Transferred => Self::Transferred,
            TicketStatus::Cancelled => Self::Cancelled,
            TicketStatus::Refunded => Self::Refunded,
        }
    }

    /// Whether somebody passes the door.
    pub fn lets_pass(self) -> bool {
        matches!(self, Self::Admitted | Self::Reentered | Self::WentOut)
    }

    /// Whether it tells of somebody who came and was not let pass.
    pub fn is_refusal(self) -> bool {
        !self.lets_pass() && self != Self::EntryUndone
    }

    /// Whether the door may see the attendee's name.
    pub fn names_the_holder(self) -> bool {
        !matches!(self, Self::Unknown | Self::WrongEvent | Self::NotHere | Self::TurnedAway)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::TicketMove;

    fn ticket(status: TicketStatus) -> Credential<'static> {
        let category = Category::Ticket;
        Credential { status, event_id: "ev", ticket_type_id: "tt", category, is_outside: false, may_reenter: true }
    }

    #[test]
    fn exactly_the_tickets_that_may_be_scanned_are_admitted() {
        for status in TicketStatus::ALL {
            let admitted =
                admit(Some(ticket(*status)), &["ev".to_owned()], &Scope::default(), Way::In) == Outcome::Admitted;
            assert_eq!(admitted, TicketMove::Scan.from(*status).is_ok(), "{status:?}");
        }
    }

    #[test]
    fn what_is_out_of_place_is_told_before_how_it_stands() {
        let bar = Scope { categories: vec![Category::Merchandise], ticket_types: vec![] };
        let (night, others) = (["other", "ev"].map(str::to_owned), ["other", "another"].map(str::to_owned));
        for status in TicketStatus::ALL {
            let ticket = ticket(*status);
            for way in [Way::In, Way::Out] {
                assert_eq!(admit(Some(ticket), &others, &bar, way), Outcome::WrongEvent);
                assert_eq!(admit(Some(ticket), &night, &bar, way), Outcome::NotHere);
                let decided = Outcome::of(*status, way, false, true);
                assert_eq!(admit(Some(ticket), &night, &Scope::default(), way), decided);
                assert_eq!(admit(Some(ticket), &[], &Scope::default(), way), decided);
            }
        }
        assert_eq!(admit(None, &night, &bar, Way::In), Outcome::Unknown);
    }

    #[test]
    fn who_is_inside_goes_out_and_who_is_outside_comes_in() {
        let decided = |status, is_outside, may_reenter| {
            let ticket = Credential { is_outside, may_reenter, ..ticket(status) };
            [Way::In, Way::Out].map(|way| admit(Some(ticket), &[], &Scope::default(), way))
        };
        let (valid, scanned) = (TicketStatus::Valid, TicketStatus::Scanned);
        assert_eq!(decided(valid, false, true), [Outcome::Admitted, Outcome::NotInside]);
        assert_eq!(decided(scanned, false, true), [Outcome::AlreadyScanned, Outcome::WentOut]);
        assert_eq!(decided(scanned, false, false), [Outcome::AlreadyScanned, Outcome::NoReentry]);
        assert_eq!(decided(scanned, true, true), [Outcome::Reentered, Outcome::NotInside]);
        assert_eq!(decided(scanned, true, false), [Outcome::Reentered, Outcome::NotInside], "the way back stays open");
        assert_eq!(decided(TicketStatus::Refunded, true, true), [Outcome::Refunded, Outcome::Refunded]);
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
