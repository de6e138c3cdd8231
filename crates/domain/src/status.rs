//! The statuses of tickets, ticket types, orders and events, and how a ticket's status follows from its facts.
//!
//! There is one order of precedence, [`TicketStatus::PRECEDENCE`]. The import's SQL and `taquilla check` are made from
//! it.

/// An enum whose values have one stable name each, in the database and on the wire.
#[macro_export]
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$value_doc])* $value),+ }

        impl $name {
            /// Every value, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$value),+];

            /// The stable name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $text),+ }
            }

            /// The value with this name.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$value),)+ _ => None }
            }
        }
    };
}
pub(crate) use named;

/// A set of such values, stored and shown as names separated by spaces.
macro_rules! named_set {
    ($(#[$doc:meta])* $set:ident of $value:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $set(u32);

        impl $set {
            /// Whether the set contains this value.
            pub fn allow(self, value: $value) -> bool {
                self.0 & (1 << value as u32) != 0
            }

            /// The values in the set.
            pub fn iter(self) -> impl Iterator<Item = $value> {
                $value::ALL.iter().copied().filter(move |value| self.allow(*value))
            }

            /// The set with these names, or `None` if one of them is unknown.
            pub fn parse(names: &str) -> Option<Self> {
                names.split(' ').map($value::parse).collect()
            }
        }

        impl FromIterator<$value> for $set {
            fn from_iter<I: IntoIterator<Item = $value>>(values: I) -> Self {
                Self(values.into_iter().fold(0, |bits, value| bits | 1 << value as u32))
            }
        }

        impl std::fmt::Display for $set {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                for (at, value) in self.iter().enumerate() {
                    let space = if at == 0 { "" } else { " " };
                    write!(f, "{space}{}", value.as_str())?;
                }
                Ok(())
            }
        }
    };
}
pub(crate) use named_set;

named! {
    /// The status of a ticket.
    TicketStatus {
        /// Unused, ready to enter.
        Valid = "valid",
        /// Already entered.
        Scanned = "scanned",
        /// Passed on; another ticket replaced it.
        Transferred = "transferred",
        /// Cancelled by staff.
        Cancelled = "cancelled",
        /// Its order was refunded.
        Refunded = "refunded",
    }
}

/// The facts about a ticket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// It was passed on.
    pub transferred: bool,
    /// Its order was refunded.
    pub refunded: bool,
    /// It was cancelled by staff.
    pub cancelled: bool,
    /// It entered.
    pub scanned: bool,
}

impl TicketStatus {
    /// All statuses, strongest first. A ticket has the first status whose fact holds. `Valid` needs no fact.
    pub const PRECEDENCE: [Self; 5] = [Self::Transferred, Self::Refunded, Self::Cancelled, Self::Scanned, Self::Valid];

    /// The status that follows from the facts.
    pub fn of(facts: Facts) -> Self {
        let holds = |status: &Self| match status {
            Self::Transferred => facts.transferred,
            Self::Refunded => facts.refunded,
            Self::Cancelled => facts.cancelled,
            Self::Scanned => facts.scanned,
            Self::Valid => true,
        };
        Self::PRECEDENCE.into_iter().find(holds).unwrap_or(Self::Valid)
    }
}

named! {
    /// The status of an order.
    OrderStatus {
        /// Waiting for its payment; its stock is held for a while.
        Pending = "pending",
        /// Paid; its tickets are issued.
        Approved = "approved",
        /// The payment failed or staff refused it.
        Rejected = "rejected",
        /// Refunded; its tickets no longer work.
        Refunded = "refunded",
    }
}

named! {
    /// How staff were paid for an order, or paid its money back.
    PaymentMethod {
        /// Money that is in the drawer, or was taken out of it.
        Cash = "cash",
        /// A card, at a terminal of the house.
        Card = "card",
        /// Any other way: a transfer, a voucher, an invoice.
        Other = "other",
    }
}

named! {
    /// Where an order was sold.
    OrderChannel {
        /// By anybody, through the shop.
        Shop = "shop",
        /// By the producer's staff.
        BoxOffice = "box_office",
        /// Elsewhere; it was imported.
        Import = "import",
        /// By a promoter, who gave the tickets away.
        Promoter = "promoter",
    }
}

named! {
    /// The outcome of a payment.
    PaymentOutcome {
        /// The money was received.
        Paid = "paid",
        /// The money will not come.
        Failed = "failed",
    }
}

named! {
    /// The status of an event.
    EventStatus {
        /// Being prepared; not on sale.
        Draft = "draft",
        /// Announced.
        Published = "published",
        /// Over.
        Finished = "finished",
        /// Will not take place.
        Cancelled = "cancelled",
    }
}

named! {
    /// The status of a ticket type or bundle.
    TypeStatus {
        /// Visible and on sale.
        Active = "active",
        /// Not listed; the public buys it only with its access code.
        Hidden = "hidden",
        /// Reserved for the team (promoters, complimentary).
        Exclusive = "exclusive",
        /// Sold out, because nothing is left or because the organiser said so.
        SoldOut = "sold_out",
        /// Switched off by the organiser.
        Inactive = "inactive",
    }
}

impl TypeStatus {
    /// The status to show: an active item with nothing left is shown as sold out, and as active again once stock
    /// returns.
    pub fn shown(self, limit: Option<i64>, sold: i64) -> Self {
        match (self, limit) {
            (Self::Active, Some(limit)) if sold >= limit => Self::SoldOut,
            _ => self,
        }
    }
}

named! {
    /// The category of a ticket type or bundle.
    Category {
        /// An entrance.
        Ticket = "ticket",
        /// Something from the bar.
        Merchandise = "merchandise",
        /// Several items sold as one.
        Bundle = "bundle",
    }
}

named! {
    /// Whether an item is a single ticket type or a bundle.
    ItemKind {
        /// A single item.
        TicketType = "ticket_type",
        /// Several items sold as one.
        Bundle = "bundle",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_outweighs_a_refund_outweighs_a_cancellation_outweighs_a_scan() {
        for bits in 0..16_u8 {
            let facts = Facts {
                transferred: bits & 8 != 0,
                refunded: bits & 4 != 0,
                cancelled: bits & 2 != 0,
                scanned: bits & 1 != 0,
            };
            let expected = match bits {
                8.. => TicketStatus::Transferred,
                4.. => TicketStatus::Refunded,
                2.. => TicketStatus::Cancelled,
                1.. => TicketStatus::Scanned,
                0 => TicketStatus::Valid,
            };
            assert_eq!(TicketStatus::of(facts), expected, "{facts:?}");
        }
    }

    #[test]
    fn names_read_back_and_strangers_do_not() {
        for status in TicketStatus::ALL {
            assert_eq!(TicketStatus::parse(status.as_str()), Some(*status));
        }
        assert_eq!(TicketStatus::parse("VALID"), None);
    }

    #[test]
    fn only_an_active_item_reads_sold_out_by_its_stock() {
        assert_eq!(TypeStatus::Active.shown(Some(2), 2), TypeStatus::SoldOut);
        assert_eq!(TypeStatus::Active.shown(Some(2), 1), TypeStatus::Active);
        assert_eq!(TypeStatus::Active.shown(None, 9), TypeStatus::Active);
        assert_eq!(TypeStatus::Hidden.shown(Some(2), 2), TypeStatus::Hidden);
    }
}
