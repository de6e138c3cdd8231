//! What an event asks of its buyers besides who they are: who comes, and terms to accept.

use taquilla_domain::{
    asked::AttendeesAsked, config::SHOP_ATTENDEES_MAX, email::Email, event::KeptEvent, person::Person,
    status::Category, stock::Channel, terms::Terms,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::form::Form;
use taquilla_store::sales::terms;

use super::choice::Line;
use crate::pages::frame::Frame;

/// The name of the box that makes an entrance the buyer's. Its value is the entrance.
pub const MINE: &str = "mine";
/// The name of the box that accepts the terms. Its value is the id of those that were shown.
pub const TERMS: &str = "terms";

/// What an event asks.
pub struct Asked {
    attendees: AttendeesAsked,
    /// The terms to accept.
    pub terms: Option<Terms>,
}

/// Somebody to be named: who comes with one unit of what was chosen.
pub struct Entrance<'a> {
    /// Its place among all, from 1.
    pub number: usize,
    /// The name of the item.
    pub item: &'a str,
    /// What tells it from others: the unit and the item.
    pub key: String,
    /// The name of the field with the attendee's name.
    pub name: String,
    /// The name of the field with the attendee's e-mail address, if that is asked for.
    pub email: Option<String>,
}

/// The name of a field about the attendee of a unit of an item.
pub fn field(what: &str, unit: usize, item_id: &str) -> String {
    format!("attendee-{what}-{}", key(unit, item_id))
}

fn key(unit: usize, item_id: &str) -> String {
    format!("{unit}-{item_id}")
}

impl Asked {
    /// What an event asks now.
    pub async fn of(app: &App, f: &Frame, event: &KeptEvent) -> Result<Self, Error> {
        let terms = terms::of_event(&mut app.store.read().await?, f.keeper.tenant, &event.id).await?;
        Ok(Self { attendees: event.attendees_asked, terms })
    }

    /// Who is to be named for what was chosen, as many as one page asks for.
    pub fn entrances<'a>(&self, lines: &'a [Line<'_>]) -> Vec<Entrance<'a>> {
        let lines = lines.iter().filter(|line| self.attendees.asks() && is_entrance(line));
        let units = lines.flat_map(|line| (0..units(line)).map(move |unit| (&line.offered.item, unit)));
        let entrance = |(at, (item, unit)): (usize, (&'a taquilla_domain::ticket_type::TicketType, usize))| Entrance {
            number: at + 1,
            item: &item.name,
            key: key(unit, &item.id),
            name: field("name", unit, &item.id),
            email: self.attendees.asks_email().then(|| field("email", unit, &item.id)),
        };
        units.take(SHOP_ATTENDEES_MAX).enumerate().map(entrance).collect()
    }

    /// Says all that is missing, each beside its field.
    pub fn check(&self, form: &mut Form, lines: &[Line<'_>], f: &Frame) {
        let all: usize = lines.iter().filter(|line| is_entrance(line)).map(units).sum();
        if self.attendees.asks() && all > SHOP_ATTENDEES_MAX {
            form.wrong("items", f.l.t.with("shop-too-many-attendees", "count", SHOP_ATTENDEES_MAX));
        }
        for entrance in self.entrances(lines) {
            if form.has(MINE, &entrance.key) {
                continue;
            }
            let name = Person { name: form.value(&entrance.name).trim().to_owned(), ..Person::default() };
            if name.name.is_empty() {
                form.wrong(entrance.name, f.l.t.with("shop-no-attendee", "number", entrance.number));
            } else if name.check("attendee", Channel::Public).is_err() {
                form.wrong(entrance.name, f.text("shop-wrong-name"));
            }
            let Some(field) = entrance.email else { continue };
            let email = Person { email: form.value(&field).trim().to_owned(), ..Person::default() };
            if Email::parse(&email.email).is_err() || email.check("attendee", Channel::Public).is_err() {
                form.wrong(field, f.l.t.with("shop-no-attendee-email", "number", entrance.number));
            }
        }
        if self.terms.as_ref().is_some_and(|terms| form.value(TERMS) != terms.id) {
            form.wrong(TERMS, f.text("shop-no-terms"));
        }
    }
}

fn is_entrance(line: &Line<'_>) -> bool {
    line.offered.item.category != Category::Merchandise
}

fn units(line: &Line<'_>) -> usize {
    usize::try_from(line.quantity).unwrap_or(0)
}

/// Who comes with the units of an item, as a form says it: as many as it names from the first on.
pub fn attendees(form: &Form, item_id: &str, quantity: i64, buyer: &Person) -> Vec<Person> {
    let most = usize::try_from(quantity).unwrap_or(0).min(SHOP_ATTENDEES_MAX);
    let named = |unit: usize| {
        if form.has(MINE, &key(unit, item_id)) {
            return Some(buyer.clone());
        }
        let text = |what: &str| Some(form.values(&field(what, unit, item_id)).next()?.trim().to_owned());
        Some(Person { name: text("name")?, email: text("email").unwrap_or_default(), ..Person::default() })
    };
    (0..most).map_while(named).collect()
}
