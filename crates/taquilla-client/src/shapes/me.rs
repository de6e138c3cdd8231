//! Who is asking.

use serde::{Deserialize, Serialize};

use super::{super::time::Time, lenient::or_nothing, named::named};

named! {
    /// What a key may read.
    Permission {
        /// Events and ticket types.
        EventsRead = "EVENTS_READ",
        /// Orders, with their buyers.
        OrdersRead = "ORDERS_READ",
        /// Tickets, with their attendees.
        TicketsRead = "TICKETS_READ",
    }
}

/// Who is asking. The specification promises nothing of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Me {
    /// Whose data the key reads.
    #[serde(default)]
    pub producer: Option<Producer>,
    /// The key that was used.
    #[serde(default)]
    pub key: Option<KeyInfo>,
}

/// An organisation that sells tickets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Producer {
    /// The producer's id.
    pub id: String,
    /// The producer's name.
    #[serde(default)]
    pub name: Option<String>,
}

/// A key without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyInfo {
    /// The key's id; not the key itself.
    pub id: String,
    /// What its owner called it.
    #[serde(default)]
    pub name: Option<String>,
    /// What it may read.
    #[serde(default, deserialize_with = "or_nothing")]
    pub permissions: Vec<Permission>,
    /// When it was created.
    #[serde(default)]
    pub created_at: Option<Time>,
    /// When it was last used, to the minute.
    #[serde(default)]
    pub last_used_at: Option<Time>,
    /// When it stops working by itself; `None` is never.
    #[serde(default)]
    pub expires_at: Option<Time>,
}
