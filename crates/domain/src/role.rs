//! What members of a producer's team may do: rights, and the roles that bring them.

use super::{
    personal::Sees,
    status::{named, named_set},
};

named! {
    /// Something that can be done in the dashboard. This is the whole table: a page or a form names one of these, and a
    /// role is a set of them.
    Right {
        /// Make and revoke API keys, and change the producer's name, time zone and currency.
        Administer = "producer.administer",
        /// See which API keys there are.
        SeeKeys = "keys.see",
        /// See webhook endpoints, their messages and how they are.
        SeeWebhooks = "webhooks.see",
        /// Make, change, test, pause and delete webhook endpoints, and send messages again.
        ManageWebhooks = "webhooks.manage",
        /// See whether a payment account is connected, payments that pay for nothing, and what is to be paid back.
        SeePayments = "payments.see",
        /// Connect the payment account and replace its secret; deal with payments.
        ManagePayments = "payments.manage",
        /// See events, what they sell, and how much of it is sold.
        SeeEvents = "events.see",
        /// Make and change events, ticket types and bundles.
        ManageEvents = "events.manage",
        /// See orders and tickets, and search them.
        SeeOrders = "orders.see",
        /// Sell at the box office, and approve and reject orders.
        Sell = "orders.sell",
        /// Refund orders, one or all of an event.
        Refund = "orders.refund",
        /// Cancel, pass on and hide tickets.
        ManageTickets = "tickets.manage",
        /// See the door of an event, live.
        SeeDoor = "door.see",
        /// Let guests in by hand, undo mistaken entries, and make and revoke door links.
        ManageDoor = "door.manage",
        /// See reports, with money.
        SeeReports = "reports.see",
        /// Take out orders, tickets, scans and payments as files.
        Export = "data.export",
        /// Bring in events, orders and tickets from files.
        Import = "data.import",
        /// See who is in the team.
        SeeTeam = "team.see",
        /// Invite people, give them roles and take them out of the team.
        ManageTeam = "team.manage",
        /// See what staff did.
        SeeHistory = "history.see",
        /// See names, e-mail addresses, phone numbers and documents of buyers and attendees.
        SeePersonalData = "personal_data.see",
        /// Answer people who ask what is held of them: take it out, and erase it. Say for how long people are kept.
        ManagePersonalData = "personal_data.manage",
    }
}

named_set! {
    /// A set of rights.
    Rights of Right
}

impl Rights {
    /// Whether whoever has these rights sees people.
    pub fn sees(self) -> Sees {
        Sees::people_if(self.allow(Right::SeePersonalData))
    }

    /// Every right.
    pub fn all() -> Self {
        Right::ALL.iter().copied().collect()
    }

    /// Whether every right of the other set is in this one. Nobody gives away more than they have.
    pub fn include(self, other: Self) -> bool {
        other.iter().all(|right| self.allow(right))
    }

    /// The set that is stored, which may be empty.
    pub fn stored(names: &str) -> Option<Self> {
        if names.is_empty() { Some(Self::default()) } else { Self::parse(names) }
    }
}

named! {
    /// A role that every producer has. A producer can make more of its own.
    BuiltInRole {
        /// May do everything.
        Administrator = "administrator",
        /// Looks after events and what they sell.
        Editor = "editor",
        /// Sells, and finds orders.
        BoxOffice = "box_office",
        /// Looks after the door.
        DoorManager = "door_manager",
        /// Looks at the money, and takes it out as files.
        Accountant = "accountant",
        /// Looks.
        Viewer = "viewer",
    }
}

impl BuiltInRole {
    /// What it may do.
    pub fn rights(self) -> Rights {
        match self {
            Self::Administrator => Rights::all(),
            Self::Editor => [
                Right::SeeKeys,
                Right::SeeWebhooks,
                Right::ManageWebhooks,
                Right::SeeEvents,
                Right::ManageEvents,
                Right::SeeOrders,
                Right::Sell,
                Right::Refund,
                Right::ManageTickets,
                Right::SeeDoor,
                Right::ManageDoor,
                Right::SeeReports,
                Right::Export,
                Right::Import,
                Right::SeeTeam,
                Right::SeePersonalData,
            ]
            .into_iter()
            .collect(),
            Self::BoxOffice => [
                Right::SeeEvents,
                Right::SeeOrders,
                Right::Sell,
                Right::Refund,
                Right::ManageTickets,
                Right::SeeDoor,
                Right::SeePersonalData,
            ]
            .into_iter()
            .collect(),
            Self::DoorManager => {
                [Right::SeeEvents, Right::SeeOrders, Right::SeeDoor, Right::ManageDoor, Right::SeeTeam]
                    .into_iter()
                    .collect()
            }
            // Without people: whoever sees them sees the codes that open doors, too.
            Self::Accountant => [
                Right::SeePayments,
                Right::SeeEvents,
                Right::SeeOrders,
                Right::SeeReports,
                Right::Export,
                Right::SeeHistory,
            ]
            .into_iter()
            .collect(),
            Self::Viewer => [Right::SeeEvents, Right::SeeOrders, Right::SeeDoor, Right::SeeReports, Right::SeeWebhooks]
                .into_iter()
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_are_stored_and_compared() {
        for role in BuiltInRole::ALL {
            let rights = role.rights();
            assert_eq!(Rights::stored(&rights.to_string()), Some(rights));
            assert!(Rights::all().include(rights));
            assert_eq!(rights.include(Rights::all()), *role == BuiltInRole::Administrator);
        }
        assert_eq!(Rights::stored(""), Some(Rights::default()));
        assert_eq!(Rights::stored("tickets.fly"), None);
    }
}
