//! How many of which items a form asks for.

use taquilla_domain::event::KeptEvent;
use taquilla_pages::form::Form;

use crate::pages::{
    frame::Frame,
    offered::{Offered, QUANTITY, State},
};

/// A line of what was chosen.
#[derive(Debug)]
pub struct Line<'a> {
    /// The place of the item among all.
    pub at: usize,
    /// The item.
    pub offered: &'a Offered,
    /// How many of it.
    pub quantity: i64,
}

impl Line<'_> {
    /// What it costs.
    pub fn total(&self) -> i64 {
        self.offered.item.price.saturating_mul(self.quantity)
    }
}

/// Where a page says what is wrong with the item in this place.
pub fn anchor(at: usize) -> String {
    format!("item-{}", at + 1)
}

/// The ids of the items that a form asks for, and how many of each, in the form's order. What cannot be read is not asked for.
pub fn asked(form: &Form) -> Vec<(&str, i64)> {
    let ids = form.names().filter_map(|name| Some((name.strip_prefix(QUANTITY)?, wanted(form.value(name))?)));
    ids.filter(|(_, quantity)| *quantity > 0).collect()
}

/// The lines of what was chosen, as far as the event has such items.
pub fn lines<'a>(form: &Form, items: &'a [Offered]) -> Vec<Line<'a>> {
    let line = |(at, offered): (usize, &'a Offered)| {
        let quantity = wanted(form.value(&offered.field())).filter(|quantity| *quantity > 0)?;
        Some(Line { at, offered, quantity })
    };
    items.iter().enumerate().filter_map(line).collect()
}

/// Reads what was chosen. What is wrong is said beside the item that it is about.
pub fn read<'a>(form: &mut Form, items: &'a [Offered], event: &KeptEvent, f: &Frame) -> Vec<Line<'a>> {
    let lines = lines(form, items);
    for Line { at, offered, quantity } in &lines {
        if let Some(message) = obstacle(offered, *quantity, event, f) {
            form.wrong(anchor(*at), message);
        }
    }
    for (at, offered) in items.iter().enumerate() {
        if wanted(form.value(&offered.field())).is_none() {
            form.wrong(anchor(at), f.text("shop-wrong-quantity"));
        }
    }
    let known: Vec<String> = items.iter().map(Offered::field).collect();
    let is_gone = |name: &str| name.starts_with(QUANTITY) && !known.iter().any(|field| field == name);
    if form.names().any(|name| is_gone(name) && wanted(form.value(name)) != Some(0)) {
        form.wrong("items", f.text("shop-gone"));
    } else if lines.is_empty() && form.errors().is_empty() {
        form.wrong("items", f.text("shop-choose-something"));
    }
    lines
}

/// How many are wanted; nothing written is none.
fn wanted(text: &str) -> Option<i64> {
    let text = text.trim();
    if text.is_empty() { Some(0) } else { text.parse().ok().filter(|quantity| *quantity >= 0) }
}

/// Why so many of it cannot be bought now.
fn obstacle(offered: &Offered, quantity: i64, event: &KeptEvent, f: &Frame) -> Option<String> {
    match offered.state {
        State::Open { .. } if quantity < offered.least() => Some(f.l.t.with("shop-too-few", "count", offered.least())),
        State::Open { most, .. } if quantity <= most => None,
        State::Open { most, .. } => Some(f.l.t.with("shop-too-many", "count", most)),
        State::SoldOut => Some(f.text("shop-now-sold-out")),
        State::Held(until) => Some(f.l.t.with("shop-held-about", "time", f.soon(&until, event))),
        State::NotYet(from) => Some(f.l.t.with("shop-not-yet-about", "time", f.time(&from, &event.timezone))),
        State::Ended(_) => Some(f.text("shop-now-ended")),
    }
}

/// The address of the next step with what was chosen.
pub fn next_step(lines: &[Line<'_>], event_id: &str, f: &Frame) -> String {
    address(lines, event_id, "/order", f)
}

/// The address of a page of the event, with what was chosen.
pub fn address(lines: &[Line<'_>], event_id: &str, page: &str, f: &Frame) -> String {
    let chosen: Vec<(String, String)> =
        lines.iter().map(|line| (line.offered.field(), line.quantity.to_string())).collect();
    let chosen: Vec<(&str, &str)> = chosen.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    format!("{}{}", f.event_page(event_id, page), f.carried.query(&chosen))
}
