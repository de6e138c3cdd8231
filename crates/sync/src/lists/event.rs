//! Events.

use taquilla_client::{Client, Event, EventFilter, Rows, Time};

use super::listed::{Listed, Stamp};
use crate::{
    cell::{Cell, Row},
    people::People,
    schema::{EVENTS, Table},
};

impl Listed for Event {
    const TABLE: &'static Table = &EVENTS;

    fn rows(client: &Client, after: Option<(Stamp, Time)>) -> Rows<Self> {
        client.events(&EventFilter { updated_after: after.map(|(_, mark)| mark) })
    }

    fn stamp(&self, stamp: Stamp) -> Option<Time> {
        self.updated_at.filter(|_| stamp == Stamp::Updated)
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn event_id(&self) -> Option<&str> {
        Some(&self.id)
    }

    fn order_id(&self) -> Option<&str> {
        None
    }

    fn kept(self, _: &People) -> Row {
        let cells = vec![
            self.id.into(),
            self.name.into(),
            self.description.into(),
            self.venue.into(),
            self.timezone.into(),
            self.starts_at.into(),
            self.ends_at.into(),
            self.currency.into(),
            self.status.map(|status| status.to_string()).into(),
            self.image_url.into(),
            self.created_at.into(),
            Cell::from(self.updated_at),
        ];
        Row { cells, children: Vec::new() }
    }
}
