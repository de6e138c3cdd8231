//! The frame around every page of the dashboard.

use std::borrow::Borrow;

use askama::Template;
use axum::{http::StatusCode, response::Response};
use jiff::civil::Date;

use taquilla_domain::{
    audit::{Action, COMMAND_LINE},
    clock::Stamp,
    id,
    order_number::OrderNumber,
    refusal::Refusal,
    role::{Right, Rights},
    work::WorkState,
};
use taquilla_http::errors::Error;
use taquilla_pages::{
    address::in_path,
    badges::{self, Badge},
    formats::{self, Dates, ShownTime},
    page::{self, Layout},
    query::Query,
    refusals::refusal_text,
    visitor::Visitor,
};
use taquilla_store::staff::{members::Membership, sessions::SignedIn};

use crate::browser_words;

/// The first page of the dashboard; the others are below it.
pub const FIRST: &str = "/dashboard";

/// The address of a producer's page.
pub fn producer_path(producer_id: &str, page: &str) -> String {
    format!("/dashboard/p/{}{page}", in_path(producer_id))
}

/// The producer that a page is about.
pub struct OfProducer {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    time_zone: String,
    rights: Rights,
}

/// Details of the history whose values are ours, and not what somebody wrote.
const NAMED_DETAILS: [&str; 14] = [
    "status",
    "role",
    "role_before",
    "required",
    "personal_data",
    "operator",
    "deleted",
    "limit",
    "expires_at",
    "reason",
    "ends_old_at_once",
    "which",
    "payment_method",
    "channel",
];

/// Details of the history that are moments, as programs write them.
const TIME_DETAILS: [&str; 2] = ["entered", "issued"];

/// Details of the history that are money, as programs write it.
const MONEY_DETAILS: [&str; 2] = ["cash", "difference"];

/// What is around a page: who looks at it, and where they can go.
pub struct Frame {
    /// What every page needs.
    pub l: Layout,
    /// The user's id, by which a browser knows whose form it keeps.
    pub user_id: String,
    /// The user's name.
    pub user_name: String,
    /// Whether the user may do what concerns all producers.
    pub is_operator: bool,
    /// The producer that the page is about.
    pub producer: Option<OfProducer>,
    /// Where else the user can go: addresses and names.
    pub producers: Vec<(String, String)>,
    /// The section that the page belongs to.
    pub section: &'static str,
    /// What was just done.
    pub done: Option<String>,
    now: Stamp,
    /// The clocks of pages that belong to no producer: those of the user's first one.
    own_zone: String,
}

/// The sections of a producer's pages: the address, the text's key, and the rights one of which shows it. None is for all.
const SECTIONS: [(&str, &str, &[Right]); 14] = [
    ("", "overview", &[]),
    ("/events", "events", &[Right::SeeEvents]),
    ("/orders", "orders", &[Right::SeeOrders]),
    ("/tickets", "tickets", &[Right::SeeOrders]),
    ("/door", "door", &[Right::SeeDoor]),
    ("/reports", "reports", &[Right::SeeReports]),
    ("/data", "data", &[Right::Export, Right::Import]),
    ("/people", "people", &[Right::ManagePersonalData]),
    ("/keys", "keys", &[Right::SeeKeys]),
    ("/webhooks", "webhooks", &[Right::SeeWebhooks]),
    ("/payments", "payments", &[Right::SeePayments]),
    ("/team", "team", &[Right::SeeTeam]),
    ("/history", "history", &[Right::SeeHistory]),
    ("/settings", "settings", &[Right::Administer]),
];

impl Frame {
    /// A frame.
    pub fn new(
        visitor: &Visitor,
        user: &SignedIn,
        memberships: &[Membership],
        producer: Option<&Membership>,
        section: &'static str,
    ) -> Self {
        let producers = memberships
            .iter()
            .map(|other| (producer_path(&other.producer_id, ""), other.producer_name.clone()))
            .collect();
        let producer = producer.map(|producer| OfProducer {
            id: producer.producer_id.clone(),
            name: producer.producer_name.clone(),
            time_zone: producer.time_zone.clone(),
            rights: producer.rights,
        });
        let (user_id, user_name, is_operator) = (user.session.user_id.clone(), user.name.clone(), user.is_operator);
        let (l, now) = (visitor.layout.clone(), visitor.now);
        let own_zone = memberships.first().map_or("UTC", |first| &first.time_zone).to_owned();
        Self { l, user_id, user_name, is_operator, producer, producers, section, done: None, now, own_zone }
    }

    /// The same frame, which says what was just done. Only texts of ours are said.
    pub fn done(mut self, query: &Query) -> Self {
        let key = query.get("done").map(|done| format!("done-{done}"));
        self.done = key.filter(|key| self.l.t.has(key)).map(|key| self.l.t.text(&key));
        self
    }

    /// The same frame, for a page about one event: all of its moments are told by the event's clocks.
    pub fn by_clocks_of(mut self, zone: &str) -> Self {
        if let Some(producer) = self.producer.as_mut().filter(|_| !zone.is_empty()) {
            producer.time_zone = zone.to_owned();
        }
        self
    }

    /// A text.
    pub fn text(&self, key: &str) -> String {
        self.l.t.text(key)
    }

    /// The name of a detail of the history, in words where there are some.
    pub fn detail(&self, name: &str) -> String {
        let key = format!("detail-{}", name.replace('_', "-"));
        if self.l.t.has(&key) { self.text(&key) } else { name.to_owned() }
    }

    /// From where something was done: an address, or the command line.
    pub fn origin(&self, origin: &str) -> String {
        if origin == COMMAND_LINE { self.text("history-command-line") } else { origin.to_owned() }
    }

    /// The value of a detail of the history. States, roles and the like have words; what people wrote is as they wrote it.
    pub fn detail_value(&self, name: &str, value: &str) -> String {
        if let Some(at) = Stamp::parse(value).filter(|_| TIME_DETAILS.contains(&name)) {
            return self.time(&at).text().to_owned();
        }
        if name == "device" {
            return browser_words::of(value, self.l.t);
        }
        if MONEY_DETAILS.contains(&name) {
            return value.split(", ").map(|amount| self.written_money(amount)).collect::<Vec<_>>().join(", ");
        }
        let key = format!("detail-value-{}", value.replace(['_', '.'], "-"));
        let is_named = NAMED_DETAILS.contains(&name) && !value.is_empty();
        if is_named && self.l.t.has(&key) { self.text(&key) } else { value.to_owned() }
    }

    /// Money that was written down as "100 EUR". What is anything else stays as it is.
    fn written_money(&self, text: &str) -> String {
        let parts = text.split_once(' ').and_then(|(amount, currency)| Some((amount.parse::<i64>().ok()?, currency)));
        parts.map_or_else(|| text.to_owned(), |(amount, currency)| self.money(amount, currency))
    }

    /// A new key for a form that makes something once ([`SignedIn::by_form`](crate::access::SignedIn::by_form)).
    pub fn form_key(&self) -> String {
        id::new_ticket_id()
    }

    /// The sections that the user may open: address, name, and whether the page belongs to it.
    pub fn sections(&self) -> Vec<(String, String, bool)> {
        let Some(producer) = &self.producer else { return Vec::new() };
        let may = |rights: &[Right]| rights.is_empty() || rights.iter().any(|right| producer.rights.allow(*right));
        let open = SECTIONS.iter().filter(|(_, _, rights)| may(rights));
        open.map(|(page, key, _)| {
            (producer_path(&producer.id, page), self.text(&format!("section-{key}")), self.is_in(key))
        })
        .collect()
    }

    /// Whether the page belongs to a section.
    pub fn is_in(&self, section: &str) -> bool {
        self.section == section
    }

    /// Whether this address is that of the producer whose page it is.
    pub fn is_here(&self, path: &str) -> bool {
        self.producer.is_some() && self.path("") == path
    }

    /// The name of the producer, or of the service.
    pub fn producer_name(&self) -> &str {
        self.producer.as_ref().map_or("", |producer| &producer.name)
    }

    /// Whether the user may do something here.
    pub fn may(&self, right: Right) -> bool {
        self.producer.as_ref().is_some_and(|producer| producer.rights.allow(right))
    }

    /// The address of a page of the producer.
    pub fn path(&self, page: &str) -> String {
        self.producer.as_ref().map_or_else(|| FIRST.to_owned(), |producer| producer_path(&producer.id, page))
    }

    /// How days and moments are written by the clocks of a zone.
    pub fn dates(&self, zone: &str) -> Dates {
        Dates::new(self.l.t.0, zone, self.now)
    }

    /// An order's number as people say it.
    pub fn number(&self, number: &OrderNumber) -> String {
        self.l.t.with("order-number", "number", number.to_string())
    }

    /// A moment as people here read it, to the minute.
    pub fn time(&self, at: &Stamp) -> ShownTime {
        self.dates(self.time_zone()).time(at)
    }

    /// A moment of an event, by the clocks of that event. They are named where they are not those of the page.
    pub fn time_of_event(&self, at: &Stamp, zone: &str) -> ShownTime {
        if zone.is_empty() || zone == self.time_zone() {
            return self.time(at);
        }
        self.dates(zone).time_with_zone(at, zone)
    }

    /// A day.
    pub fn day(&self, date: &Date) -> ShownTime {
        self.dates(self.time_zone()).day(*date)
    }

    /// A day as the axis of a chart shows it.
    pub fn tick(&self, date: &Date) -> String {
        self.dates(self.time_zone()).tick(*date)
    }

    /// An amount of a currency.
    pub fn money(&self, amount: impl Borrow<i64>, currency: &str) -> String {
        formats::money(self.l.t.0, *amount.borrow(), currency)
    }

    /// How scripts write amounts of a currency.
    pub fn money_pattern(&self, currency: &str) -> String {
        formats::money_pattern(self.l.t.0, currency)
    }

    /// The time zone of the moments on the page.
    pub fn time_zone(&self) -> &str {
        self.producer.as_ref().map_or(&self.own_zone, |producer| &producer.time_zone)
    }

    /// The same of a moment that may not have come.
    pub fn time_or(&self, at: &Option<Stamp>, key: &str) -> ShownTime {
        at.as_ref().map_or_else(|| ShownTime::none(self.text(key)), |at| self.time(at))
    }

    /// The name of an action.
    pub fn action(&self, action: &Action) -> String {
        self.text(&format!("action-{}", action.as_str().replace(['.', '_'], "-")))
    }

    /// How far a piece of work is.
    pub fn work_badge(&self, state: &WorkState) -> Badge {
        badges::of_work(*state)
    }

    /// What a refusal means, in the reader's language.
    pub fn refusal(&self, refusal: &Refusal) -> String {
        refusal_text(self.l.t, refusal)
    }
}

#[derive(Template)]
#[template(path = "refused.html")]
struct RefusedPage {
    f: Frame,
    right: String,
}

/// The page that says which right is missing.
pub fn refused(f: Frame, right: Right) -> Result<Response, Error> {
    let right = f.text(&right_key(right));
    page::show(StatusCode::FORBIDDEN, &RefusedPage { f, right })
}

/// The key of a right's name.
pub fn right_key(right: Right) -> String {
    format!("right-{}", right.as_str().replace(['.', '_'], "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_one_part_of_a_path() {
        assert_eq!(producer_path("a/b c?d", "/keys"), "/dashboard/p/a%2Fb%20c%3Fd/keys");
    }
}
