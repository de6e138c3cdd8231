//! What is around every page of a shop, and how its pages write money and moments.

use std::borrow::Borrow;

use taquilla_domain::{clock::Stamp, event::KeptEvent, order_number::OrderNumber};
use taquilla_pages::{
    address::in_path,
    formats::{self, Dates, ShownTime},
    page::Layout,
    shop_links,
};
use taquilla_store::producers::Shopkeeper;

use super::carried::Carried;

/// What is around a page of a shop.
pub struct Frame {
    /// What every page needs.
    pub l: Layout,
    /// Whose shop it is.
    pub keeper: Shopkeeper,
    /// The present.
    pub now: Stamp,
    /// What the link carried.
    pub carried: Carried,
    /// The address of this service.
    pub service: String,
}

impl Frame {
    /// The same for an answer to a form: in another language the event's page is shown, which is asked for by its address.
    pub fn at_event(mut self, event_id: &str) -> Self {
        self.l.here = format!("{}{}", self.event_page(event_id, ""), self.query());
        self
    }

    /// A text.
    pub fn text(&self, key: &str) -> String {
        self.l.t.text(key)
    }

    /// The address of the shop's page.
    pub fn shop(&self) -> String {
        format!("/shop/{}", in_path(&self.keeper.id))
    }

    /// The address of a page of an event, such as `""` and `"/order"`.
    pub fn event_page(&self, event_id: &str, page: &str) -> String {
        format!("{}/{}{page}", self.shop(), in_path(event_id))
    }

    /// The address of the style sheet with the shop's colour, if it has one.
    pub fn own_style(&self) -> Option<String> {
        self.keeper.colour.map(|colour| shop_links::colour(&self.keeper.id, colour))
    }

    /// What the link carried, as the query of a link.
    pub fn query(&self) -> String {
        self.carried.query(&[])
    }

    /// An order's number as people say it.
    pub fn number(&self, number: &OrderNumber) -> String {
        self.l.t.with("bought-title", "number", number.to_string())
    }

    /// An amount of a currency.
    pub fn money(&self, amount: impl Borrow<i64>, currency: &str) -> String {
        formats::money(self.l.t.0, *amount.borrow(), currency)
    }

    /// A moment by the clocks of an event's place, which are named where the producer is elsewhere.
    pub fn time(&self, at: &Stamp, zone: &str) -> ShownTime {
        let dates = Dates::new(self.l.t.0, zone, self.now);
        if zone == self.keeper.time_zone { dates.time(at) } else { dates.time_with_zone(at, zone) }
    }

    /// A moment that comes soon, by the clocks of an event's place, which are named where the producer is elsewhere.
    pub fn soon(&self, at: &Stamp, event: &KeptEvent) -> ShownTime {
        let named = Some(event.timezone.as_str()).filter(|zone| *zone != self.keeper.time_zone);
        Dates::new(self.l.t.0, &event.timezone, self.now).soon(at, named)
    }
}
