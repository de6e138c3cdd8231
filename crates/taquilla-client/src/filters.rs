//! What a list is to show.

use super::{
    shapes::{OrderStatus, TicketStatus},
    time::Time,
};

/// The parameters of a call.
pub(crate) type Query = Vec<(&'static str, String)>;

fn put(query: &mut Query, name: &'static str, value: Option<&impl ToString>) {
    query.extend(value.map(|value| (name, value.to_string())));
}

/// Which tickets; all of them by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TicketFilter {
    /// Only those of this event.
    pub event_id: Option<String>,
    /// Only those of this order.
    pub order_id: Option<String>,
    /// Only those with one of these statuses. Leave it out of a feed: a ticket that changes would silently leave.
    pub status: Vec<TicketStatus>,
    /// Only those issued after this.
    pub issued_after: Option<Time>,
    /// Only those that entered after this.
    pub scanned_after: Option<Time>,
    /// Only those that entered up to this.
    pub scanned_before: Option<Time>,
    /// Only those that changed after this. Not every server knows it.
    pub updated_after: Option<Time>,
}

impl TicketFilter {
    pub(crate) fn query(&self) -> Query {
        let mut query = Query::new();
        put(&mut query, "event_id", self.event_id.as_ref());
        put(&mut query, "order_id", self.order_id.as_ref());
        query.extend(self.status.iter().map(|status| ("status", status.to_string())));
        put(&mut query, "issued_after", self.issued_after.as_ref());
        put(&mut query, "scanned_after", self.scanned_after.as_ref());
        put(&mut query, "scanned_before", self.scanned_before.as_ref());
        put(&mut query, "updated_after", self.updated_after.as_ref());
        query
    }
}

/// Which orders; all of them by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OrderFilter {
    /// Only those for this event.
    pub event_id: Option<String>,
    /// Only those with one of these statuses. Leave it out of a feed.
    pub status: Vec<OrderStatus>,
    /// Only those that changed after this: the filter to synchronise by.
    pub updated_after: Option<Time>,
    /// Only those placed after this. Do not synchronise by it: you would miss refunds.
    pub created_after: Option<Time>,
}

impl OrderFilter {
    pub(crate) fn query(&self) -> Query {
        let mut query = Query::new();
        put(&mut query, "event_id", self.event_id.as_ref());
        query.extend(self.status.iter().map(|status| ("status", status.to_string())));
        put(&mut query, "updated_after", self.updated_after.as_ref());
        put(&mut query, "created_after", self.created_after.as_ref());
        query
    }
}

/// Which events; all of them by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventFilter {
    /// Only those that changed after this, or whose ticket types did. Not every server knows it.
    pub updated_after: Option<Time>,
}

impl EventFilter {
    pub(crate) fn query(&self) -> Query {
        let mut query = Query::new();
        put(&mut query, "updated_after", self.updated_after.as_ref());
        query
    }
}
