//! Events: concerts and the like.

use super::{asked::AttendeesAsked, clock::Stamp, invalid::Invalid, status::EventStatus, time_zone::TimeZone};

/// An event. Its texts are borrowed from the row it was read from.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "as the API shows them: see wire::api::Event")]
pub struct Event<'a> {
    pub id: &'a str,
    pub name: &'a str,
    pub description: Option<&'a str>,
    pub venue: Option<&'a str>,
    pub timezone: &'a str,
    pub starts_at: Option<Stamp>,
    pub ends_at: Option<Stamp>,
    pub currency: &'a str,
    pub status: EventStatus,
    pub image_url: Option<&'a str>,
    pub attendees_asked: AttendeesAsked,
    pub created_at: Stamp,
    pub updated_at: Stamp,
}

/// An event that is kept apart from its row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "as the API shows them: see wire::api::Event")]
pub struct KeptEvent {
    pub id: String,
    pub name: String,
    pub description: Option<String>,
    pub venue: Option<String>,
    pub timezone: String,
    pub starts_at: Option<Stamp>,
    pub ends_at: Option<Stamp>,
    pub currency: String,
    pub status: EventStatus,
    pub image_url: Option<String>,
    pub attendees_asked: AttendeesAsked,
    pub created_at: Stamp,
    pub updated_at: Stamp,
}

impl Event<'_> {
    /// The same, kept apart from its row.
    pub fn kept(self) -> KeptEvent {
        KeptEvent {
            id: self.id.to_owned(),
            name: self.name.to_owned(),
            description: self.description.map(str::to_owned),
            venue: self.venue.map(str::to_owned),
            timezone: self.timezone.to_owned(),
            starts_at: self.starts_at,
            ends_at: self.ends_at,
            currency: self.currency.to_owned(),
            status: self.status,
            image_url: self.image_url.map(str::to_owned),
            attendees_asked: self.attendees_asked,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }
}

impl KeptEvent {
    /// The time zone of its place. One that is no longer known counts as UTC.
    pub fn zone(&self) -> TimeZone {
        TimeZone::parse(&self.timezone).unwrap_or_default()
    }
}

/// Refuses an end before the start. Either may be unknown.
pub fn in_order(starts_at: Option<Stamp>, ends_at: Option<Stamp>) -> Result<(), Invalid> {
    match starts_at.zip(ends_at) {
        Some((start, end)) if end < start => Err(Invalid::new("the end is before the start")),
        _ => Ok(()),
    }
}
