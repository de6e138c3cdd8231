//! Tickets.

use taquilla_client::{Client, Rows, Ticket, TicketFilter, Time};

use super::listed::{Listed, Stamp};
use crate::{
    cell::{Cell, Row},
    people::People,
    schema::{TICKETS, Table},
};

/// The tickets of an order.
pub fn of_order(client: &Client, order_id: &str) -> Rows<Ticket> {
    client.tickets(&TicketFilter { order_id: Some(order_id.to_owned()), ..TicketFilter::default() })
}

impl Listed for Ticket {
    const TABLE: &'static Table = &TICKETS;

    fn rows(client: &Client, after: Option<(Stamp, Time)>) -> Rows<Self> {
        let mark = |wanted: Stamp| after.filter(|(stamp, _)| *stamp == wanted).map(|(_, mark)| mark);
        client.tickets(&TicketFilter {
            updated_after: mark(Stamp::Updated),
            issued_after: mark(Stamp::Issued),
            scanned_after: mark(Stamp::Scanned),
            ..TicketFilter::default()
        })
    }

    fn stamp(&self, stamp: Stamp) -> Option<Time> {
        match stamp {
            Stamp::Updated => self.updated_at,
            Stamp::Issued => Some(self.issued_at),
            Stamp::Scanned => self.checked_in_at,
        }
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn event_id(&self) -> Option<&str> {
        Some(&self.event_id)
    }

    fn order_id(&self) -> Option<&str> {
        self.order_id.as_deref()
    }

    fn kept(self, people: &People) -> Row {
        let cells = vec![
            self.id.into(),
            self.event_id.into(),
            self.order_id.into(),
            self.order_item.into(),
            Cell::text(self.status.as_str()),
            self.ticket_type.id.into(),
            Cell::Boolean(self.from_bundle),
            self.bundle_id.into(),
            self.attendee.id.into(),
            people.kept(self.attendee.name),
            people.kept(self.attendee.email),
            people.kept(self.attendee.phone),
            people.kept(self.attendee.identity_document),
            Some(self.issued_at).into(),
            self.checked_in_at.into(),
            self.checked_in_by.into(),
            self.transferred_at.into(),
            self.transferred_to_ticket_id.into(),
            Cell::from(self.updated_at),
        ];
        Row { cells, children: Vec::new() }
    }
}
