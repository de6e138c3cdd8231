//! The list of events sorted by a column. Only the date has an index; any other order needs all events, so it is offered up
//! to [`EVENTS_SORTED_MAX`] of them.

use std::collections::HashMap;

use taquilla_domain::{
    clock::Stamp,
    config::EVENTS_SORTED_MAX,
    event::KeptEvent,
    folded::folded,
    status::{Category, EventStatus},
};
use taquilla_http::errors::Error;
use taquilla_pages::query::Query;
use taquilla_store::{
    Conn, Tenant,
    catalogue::by_date::{self, Place},
    sales::figures::Sold,
};

use crate::{
    frame::Frame,
    sorting::{Sort, SortHead},
};

const REVENUE: &str = "revenue";
const COLUMNS: [&str; 6] = ["name", "state", "starts", "venue", "sold", REVENUE];

/// What the address asks for. Those who see no money cannot learn from an order who earned more.
pub fn asked(query: &Query, sees_money: bool) -> Option<Sort> {
    Sort::asked(query, &COLUMNS).filter(|sort| sees_money || sort.column != REVENUE)
}

/// All events, or `None` if they are too many to be sorted.
pub async fn all(conn: &mut Conn, tenant: Tenant, over: Stamp) -> Result<Option<Vec<KeptEvent>>, Error> {
    let (found, more) = by_date::page(conn, tenant, &Place::first(over), over, EVENTS_SORTED_MAX).await?;
    Ok(more.is_none().then_some(found))
}

/// What events are sorted by that is not in them.
pub struct Measures<'a> {
    /// What was sold, by event.
    pub sold: &'a HashMap<String, Vec<(Category, i64)>>,
    /// What came in, by event.
    pub totals: &'a HashMap<String, Sold>,
}

impl Measures<'_> {
    /// Entrances, then the rest.
    fn sold(&self, event: &KeptEvent) -> (i64, i64) {
        let units = |is_entrance: bool| {
            let of = self.sold.get(&event.id).into_iter().flatten();
            of.filter(|(category, _)| (*category == Category::Ticket) == is_entrance).map(|(_, units)| units).sum()
        };
        (units(true), units(false))
    }

    fn revenue(&self, event: &KeptEvent) -> i64 {
        self.totals.get(&event.id).map_or(0, Sold::net)
    }
}

/// Sorts events that come in the usual order.
pub fn put(sort: Sort, events: &mut [KeptEvent], measures: &Measures<'_>) {
    match sort.column {
        "name" => sort.put(events, |event| folded(&event.name)),
        "state" => sort.put(events, |event| EventStatus::ALL.iter().position(|status| *status == event.status)),
        "starts" => {
            sort.put(events, |event| event.starts_at);
            // What has no date comes last, whichever way.
            events.sort_by_key(|event| event.starts_at.is_none());
        }
        "venue" => {
            sort.put(events, |event| event.venue.as_deref().map(folded));
            events.sort_by_key(|event| event.venue.is_none());
        }
        "sold" => sort.put(events, |event| measures.sold(event)),
        // Money of two currencies is never compared.
        _ => {
            sort.put(events, |event| measures.revenue(event));
            events.sort_by(|a, b| a.currency.cmp(&b.currency));
        }
    }
}

/// The heads of the columns.
pub struct Heads {
    /// The name.
    pub name: SortHead,
    /// The state.
    pub state: SortHead,
    /// When it begins.
    pub starts: SortHead,
    /// The venue.
    pub venue: SortHead,
    /// What was sold.
    pub sold: SortHead,
    /// What came in.
    pub revenue: SortHead,
}

impl Heads {
    /// The heads of a list that is sorted like this.
    pub fn new(f: &Frame, now: Option<Sort>, address: impl Fn(&str) -> String) -> Self {
        let head = |key: &str, column, descends| SortHead::new(f.text(key), Sort { column, descends }, now, &address);
        Self {
            name: head("label-name", "name", false),
            state: head("state", "state", false),
            starts: head("event-starts", "starts", true),
            venue: head("event-venue", "venue", false),
            sold: head("item-sold", "sold", true),
            revenue: head("events-revenue", REVENUE, true),
        }
    }
}
