//! New events and items as staff make them, which tests change as they need.

use taquilla_domain::{
    asked::AttendeesAsked,
    door_note::DoorNote,
    money::{Amount, Currency},
    status::{EventStatus, TypeStatus},
    text::Name,
    time_zone::TimeZone,
};
use taquilla_rules::admin::catalogue::{Content, NewEvent, NewItem};

pub fn new_event(id: &str) -> NewEvent {
    NewEvent {
        id: id.to_owned(),
        name: Name::parse(&format!("Event {id}")).unwrap(),
        description: None,
        venue: None,
        timezone: TimeZone::parse("Europe/Madrid").unwrap(),
        starts_at: None,
        ends_at: None,
        currency: Currency::parse("EUR").unwrap(),
        status: EventStatus::Published,
        image_url: None,
        attendees_asked: AttendeesAsked::None,
        terms: None,
        created_at: None,
    }
}

pub fn new_item(id: &str, event_id: &str, content: Content) -> NewItem {
    NewItem {
        id: id.to_owned(),
        event_id: event_id.to_owned(),
        content,
        category: None,
        name: Name::parse(&format!("Type {id}")).unwrap(),
        description: None,
        image_url: None,
        price: Amount::new(0).unwrap(),
        currency: Some(Currency::parse("EUR").unwrap()),
        status: TypeStatus::Active,
        deleted: false,
        limit: None,
        max_per_order: None,
        min_per_order: None,
        on_sale_from: None,
        expires_at: None,
        sort_order: None,
        reentry: false,
        door_note: DoorNote::default(),
    }
}
