//! Events.

use serde::{Deserialize, Serialize};

use super::{super::time::Time, named::named};

named! {
    /// Where an event stands.
    EventStatus {
        /// Not shown to buyers yet.
        Draft = "draft",
        /// Shown to buyers.
        Published = "published",
        /// Over.
        Finished = "finished",
        /// Does not take place.
        Cancelled = "cancelled",
    }
}

named! {
    /// What buyers of the shop say of those who come.
    AttendeesAsked {
        /// Nothing.
        Nothing = "none",
        /// A name.
        Name = "name",
        /// A name and an e-mail address.
        NameAndEmail = "name_and_email",
    }
}

/// Something to go to. The specification promises its id only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The event's id.
    pub id: String,
    /// Its name.
    #[serde(default)]
    pub name: Option<String>,
    /// What buyers read about it.
    #[serde(default)]
    pub description: Option<String>,
    /// Where it is.
    #[serde(default)]
    pub venue: Option<String>,
    /// The IANA time zone of the place.
    #[serde(default)]
    pub timezone: Option<String>,
    /// When it begins.
    #[serde(default)]
    pub starts_at: Option<Time>,
    /// When it ends.
    #[serde(default)]
    pub ends_at: Option<Time>,
    /// The currency its items are priced in.
    #[serde(default)]
    pub currency: Option<String>,
    /// Where it stands.
    #[serde(default)]
    pub status: Option<EventStatus>,
    /// Its picture.
    #[serde(default)]
    pub image_url: Option<String>,
    /// What buyers of the shop say of those who come.
    #[serde(default)]
    pub attendees_asked: Option<AttendeesAsked>,
    /// When it was created.
    #[serde(default)]
    pub created_at: Option<Time>,
    /// When anything about it or its ticket types last changed, apart from what a sale changes.
    #[serde(default)]
    pub updated_at: Option<Time>,
}
