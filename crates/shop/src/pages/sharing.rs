//! What other programs read of a page: search engines, and those that show a link to people.
//!
//! It says what everybody may buy, also on a page that a link opened with more. A page that a link opened is for those who have
//! it, so search engines are asked to leave it out.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use taquilla_domain::{
    config::SHARED_TEXT_MAX,
    event::KeptEvent,
    key::hexadecimal,
    status::{EventStatus, TypeStatus},
};
use taquilla_pages::shop_links;

use super::{
    frame::Frame,
    offered::{Offered, State},
};

/// What other programs read of a page.
pub struct Sharing {
    /// What it is called.
    pub title: String,
    /// What it is about, in a line.
    pub description: String,
    /// The one address of it, without what a link carried.
    pub address: String,
    /// The address of its picture: the event's own, else the organiser's, else one that is drawn.
    pub picture: String,
    /// The event as schema.org describes one.
    pub event: Option<String>,
    /// Whether search engines may keep it.
    pub is_listed: bool,
}

impl Sharing {
    /// The list of a producer's events.
    pub fn of_shop(f: &Frame) -> Self {
        let producer = f.keeper.name.as_str();
        Self {
            title: producer.to_owned(),
            description: f.l.t.with("shop-about", "producer", producer),
            address: format!("{}{}", f.service, f.shop()),
            picture: format!("{}{}", f.service, shop_links::picture(&f.keeper.id, &version(f, None))),
            event: None,
            is_listed: true,
        }
    }

    /// An event's page.
    pub fn of_event(f: &Frame, event: &KeptEvent, items: &[Offered], picture: Option<&str>) -> Self {
        let address = format!("{}{}", f.service, f.event_page(&event.id, ""));
        let begins = event.starts_at.map(|at| f.time(&at, &event.timezone).text().to_owned());
        let drawn = || shop_links::event_picture(&f.keeper.id, &event.id, &version(f, Some(event)));
        let picture = picture.map_or_else(|| format!("{}{}", f.service, drawn()), str::to_owned);
        let facts = [begins.as_deref(), event.venue.as_deref(), event.description.as_deref()];
        Self {
            title: event.name.clone(),
            description: in_a_line(&facts.into_iter().flatten().collect::<Vec<_>>().join(" · ")),
            event: Some(in_a_page(&described(f, event, items, &picture, &address))),
            picture,
            is_listed: f.carried.access_code().is_none(),
            address,
        }
    }
}

/// What changes whenever the picture of the shop or of an event does.
fn version(f: &Frame, event: Option<&KeptEvent>) -> String {
    let own = f.keeper.picture.clone();
    own.unwrap_or_else(|| {
        let drawn = format!("{:?} {} {:?}", f.keeper.colour, f.keeper.name, event);
        hexadecimal(&Sha256::digest(drawn)[..8])
    })
}

/// The beginning of a text, on one line.
fn in_a_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(SHARED_TEXT_MAX) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

/// JSON inside a page: no letter of it ends the element that it stands in.
fn in_a_page(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

fn described(f: &Frame, event: &KeptEvent, items: &[Offered], picture: &str, address: &str) -> Value {
    let status = match event.status {
        EventStatus::Cancelled => "https://schema.org/EventCancelled",
        _ => "https://schema.org/EventScheduled",
    };
    let mut described = json!({
        "@context": "https://schema.org",
        "@type": "Event",
        "name": event.name,
        "url": address,
        "image": [picture],
        "eventStatus": status,
        "organizer": {"@type": "Organization", "name": f.keeper.name, "url": format!("{}{}", f.service, f.shop())},
        "offers": items.iter().filter_map(|offered| offer(offered, address)).collect::<Vec<_>>(),
    });
    let venue = event.venue.as_deref().map(|venue| json!({"@type": "Place", "name": venue, "address": venue}));
    let known = [
        ("startDate", event.starts_at.map(|at| json!(at.to_string()))),
        ("endDate", event.ends_at.map(|at| json!(at.to_string()))),
        ("description", event.description.as_deref().map(|text| json!(text))),
        ("location", venue),
    ];
    for (name, value) in known {
        if let Some(value) = value {
            described[name] = value;
        }
    }
    described
}

/// What everybody can buy, or could until it was sold.
fn offer(offered: &Offered, address: &str) -> Option<Value> {
    let item = &offered.item;
    let availability = match offered.state {
        State::Open { is_scarce: false, .. } => "https://schema.org/InStock",
        State::Open { .. } | State::Held(_) => "https://schema.org/LimitedAvailability",
        State::SoldOut => "https://schema.org/SoldOut",
        _ => return None,
    };
    (item.status != TypeStatus::Hidden).then(|| {
        json!({
            "@type": "Offer",
            "name": item.name,
            "price": item.price,
            "priceCurrency": item.currency,
            "availability": availability,
            "url": address,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_shortened_to_a_line() {
        assert_eq!(in_a_line(" a\n b  c "), "a b c");
        let long = "é ".repeat(SHARED_TEXT_MAX);
        let line = in_a_line(&long);
        assert!(line.ends_with('…') && line.chars().count() <= SHARED_TEXT_MAX + 1, "{line}");
    }

    #[test]
    fn no_text_ends_the_element_that_it_stands_in() {
        let text = "</script><!--&amp;";
        let written = in_a_page(&json!({"name": text}));
        assert!(!written.contains(['<', '>', '&']), "{written}");
        let read: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(read["name"], text);
    }
}
