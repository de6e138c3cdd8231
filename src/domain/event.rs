//! Events: concerts and the like.

use super::{clock::Stamp, invalid::Invalid, status::EventStatus};

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
    pub created_at: Stamp,
    pub updated_at: Stamp,
}

/// Refuses an end before the start. Either may be unknown.
pub fn in_order(starts_at: Option<Stamp>, ends_at: Option<Stamp>) -> Result<(), Invalid> {
    match starts_at.zip(ends_at) {
        Some((start, end)) if end < start => Err(Invalid::new("the end is before the start")),
        _ => Ok(()),
    }
}
