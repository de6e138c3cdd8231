//! Kinds of requests.

use taquilla_domain::config::{ORDERS_TOGETHER, PAYMENTS_TOGETHER, SCANS_TOGETHER, STAFF_TOGETHER};

/// Kinds of requests. Each has its own queue and its own place in every group, so that many of one kind do not hold up
/// those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What staff decide about orders and single tickets.
    Staff,
    /// Payments.
    Payment,
    /// New orders.
    Order,
    /// Scans.
    Scan,
}

impl Kind {
    /// Every kind, in the order in which a group is decided: what gives stock back first, then what is paid.
    pub const ALL: [Self; 4] = [Self::Staff, Self::Payment, Self::Order, Self::Scan];

    /// Its name, for metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Staff => "staff",
            Self::Payment => "payment",
            Self::Order => "order",
            Self::Scan => "scan",
        }
    }

    /// How many of this kind one group takes.
    pub fn together(self) -> usize {
        match self {
            Self::Staff => STAFF_TOGETHER,
            Self::Payment => PAYMENTS_TOGETHER,
            Self::Order => ORDERS_TOGETHER,
            Self::Scan => SCANS_TOGETHER,
        }
    }
}
