//! What the pages of events and items share: finding them, and reading the fields that both have.

use taquilla_domain::{
    clock::Stamp,
    event::KeptEvent,
    local_time::{self, Unclear, Which},
    status::{EventStatus, TypeStatus},
    text::{Text, web_address},
    ticket_type::TicketType,
    time_zone::TimeZone,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, texts::Texts};
use taquilla_store::{
    Tenant,
    catalogue::{events, ticket_types},
};

use crate::access::Member;

/// The event in the path.
pub async fn find_event(app: &App, tenant: Tenant, id: &str) -> Result<KeptEvent, Error> {
    let found = events::find_kept(&mut app.store.read().await?, tenant, id).await?;
    found.ok_or(Error::NotFound("event"))
}

/// The event and the item in the path, and the code that opens the item while it is hidden.
pub async fn find_item(
    app: &App,
    tenant: Tenant,
    event_id: &str,
    id: &str,
) -> Result<(KeptEvent, TicketType, Option<String>), Error> {
    let event = find_event(app, tenant, event_id).await?;
    let found = ticket_types::find(&mut app.store.read().await?, tenant, id).await?;
    let (item, access_code) = found.filter(|(item, _)| item.event_id == event_id).ok_or(Error::NotFound("item"))?;
    Ok((event, item, access_code))
}

/// The address of an event's page.
pub fn event_path<N>(member: &Member<N>, id: &str) -> String {
    member.path(&format!("/events/{}", in_path(id)))
}

/// The address of an item's page.
pub fn item_path<N>(member: &Member<N>, event_id: &str, id: &str) -> String {
    format!("{}/items/{}", event_path(member, event_id), in_path(id))
}

/// The class of the badge of an event's status.
pub fn event_badge(status: EventStatus) -> &'static str {
    match status {
        EventStatus::Published => "good",
        EventStatus::Cancelled => "bad",
        EventStatus::Draft | EventStatus::Finished => "quiet",
    }
}

/// The key of an event's status.
pub fn event_status_key(status: EventStatus) -> String {
    format!("event-status-{}", status.as_str())
}

/// The key of an item's status.
pub fn item_status_key(status: TypeStatus) -> String {
    format!("item-status-{}", status.as_str())
}

/// The `updated_at` that a form was filled from. A form without it matches nothing.
pub fn expected(form: &Form) -> Option<Stamp> {
    Some(form.value("updated_at").parse().map_or(Stamp::BEGINNING, Stamp::from_micros))
}

/// Reads a text that may be left empty. Browsers end lines in their own way.
pub fn read_text(form: &mut Form, field: &'static str, t: Texts) -> Option<Option<Text>> {
    let read = |text: &str| match text.trim() {
        "" => Ok(None),
        text => Text::parse(&text.replace("\r\n", "\n")).map(Some),
    };
    form.read(field, read, |_| t.text("wrong-text"))
}

/// Reads the address of a picture, which may be left empty.
pub fn read_image(form: &mut Form, t: Texts) -> Option<Option<Text>> {
    let read = |text: &str| match text.trim() {
        "" => Ok(None),
        text => web_address(text).map(Some),
    };
    form.read("image_url", read, |_| t.text("wrong-image_url"))
}

/// A field with a time, and the one that says which of two times is meant.
#[derive(Clone, Copy)]
pub struct TimeField {
    /// The field's name.
    pub name: &'static str,
    /// The name of the other.
    pub which: &'static str,
}

/// When an event begins.
pub const STARTS_AT: TimeField = TimeField { name: "starts_at", which: "starts_at_which" };
/// When an event ends.
pub const ENDS_AT: TimeField = TimeField { name: "ends_at", which: "ends_at_which" };
/// When the sale of an item to the public begins.
pub const ON_SALE_FROM: TimeField = TimeField { name: "on_sale_from", which: "on_sale_from_which" };
/// When the sale of an item ends.
pub const EXPIRES_AT: TimeField = TimeField { name: "expires_at", which: "expires_at_which" };

impl TimeField {
    /// Reads a time by the clocks of the event, which may be left empty. If it comes twice, the form asks which one is
    /// meant.
    pub fn read(self, form: &mut Form, zone: &TimeZone, t: Texts) -> Option<Option<Stamp>> {
        let text = form.value(self.name).trim().to_owned();
        if text.is_empty() {
            return Some(None);
        }
        match local_time::read(&text, Which::parse(form.value(self.which)), zone) {
            Ok(at) => Some(Some(at)),
            Err(unclear) => {
                if unclear == Unclear::Twice {
                    form.set(self.which, "asked");
                }
                form.wrong(
                    self.name,
                    match unclear {
                        Unclear::NoTime => t.text("wrong-moment"),
                        Unclear::Skipped => t.with("wrong-moment-skipped", "zone", zone.as_str().to_owned()),
                        Unclear::Twice => t.with("wrong-moment-twice", "zone", zone.as_str().to_owned()),
                    },
                );
                None
            }
        }
    }

    /// Fills the field.
    pub fn fill(self, form: &mut Form, at: Option<Stamp>, zone: &TimeZone) {
        if let Some(at) = at {
            let (text, which) = local_time::write(at, zone);
            form.set(self.name, text);
            form.set(self.which, which.map_or("", Which::as_str));
        }
    }
}
