//! What no feed tells: ticket types of events that changed or sold, and tickets of orders that changed.

use taquilla_client::Error as ServerError;

use crate::{
    error::Error,
    lists::{self, Listed},
    mirror::{Batch, Clear, Queue},
    schema::{TICKET_TYPES, TICKETS},
    sync::{DIRTY, Sync},
};

impl Sync {
    /// Reads the ticket types again of every event that is waiting for it: a sale changes their counts without a stamp.
    pub(crate) async fn ticket_types_again(&mut self) -> Result<(), Error> {
        loop {
            let events = self.mirror.queued(Queue::Event).await?;
            if events.is_empty() {
                return Ok(());
            }
            for id in events {
                let rows = match self.client.ticket_types(&id, true).await {
                    Ok(items) => Some(Batch::without_repeats(items.into_iter().map(lists::ticket_type).collect())),
                    Err(cause) if cause.is_status(404) => Some(Vec::new()),
                    // The key may not read them: the list of events has said so.
                    Err(cause) if cause.is_status(403) => None,
                    Err(cause) => return Err(cause.into()),
                };
                let mut batch =
                    Batch { done: vec![(Queue::Event, id.clone())], traversal: self.number, ..Batch::default() };
                if let Some(rows) = rows {
                    self.count(TICKET_TYPES.name, rows.len() as u64, false);
                    batch.clear = vec![Clear::TypesOf(id)];
                    batch.rows = Some((&TICKET_TYPES, rows));
                    batch.state = vec![(DIRTY.to_owned(), "yes".to_owned())];
                    self.is_dirty = true;
                }
                self.mirror.write(batch).await?;
            }
            self.mirror.index(&TICKET_TYPES).await?;
        }
    }

    /// Reads the tickets again of every order that is waiting for it: on servers that do not tell when tickets change.
    pub(crate) async fn tickets_again(&mut self) -> Result<(), Error> {
        loop {
            let orders = self.mirror.queued(Queue::Order).await?;
            if orders.is_empty() {
                return Ok(());
            }
            for id in orders {
                self.tickets_of(id).await?;
            }
        }
    }

    async fn tickets_of(&mut self, order_id: String) -> Result<(), Error> {
        let mut pages = lists::of_order(&self.client, &order_id);
        let mut done = vec![(Queue::Order, order_id)];
        loop {
            let page = match pages.next_page().await {
                Ok(Some(page)) => page,
                Ok(None) => return Ok(()),
                // The key reads orders and no tickets.
                Err(cause @ ServerError::Refused(_)) if cause.is_status(403) => {
                    return self.mirror.write(Batch { done, ..Batch::default() }).await;
                }
                Err(cause) => return Err(cause.into()),
            };
            let is_last = page.next_cursor.is_none();
            let events: std::collections::BTreeSet<String> = page.data.iter().map(|row| row.event_id.clone()).collect();
            let people = &self.options.people;
            let rows = Batch::without_repeats(page.data.into_iter().map(|row| row.kept(people)).collect());
            let count = rows.len() as u64;
            let batch = Batch {
                rows: Some((&TICKETS, rows)),
                traversal: self.number,
                sweep: vec![Clear::Hidden],
                queue: events.into_iter().map(|id| (Queue::Event, id)).collect(),
                done: if is_last { std::mem::take(&mut done) } else { Vec::new() },
                state: vec![(DIRTY.to_owned(), "yes".to_owned())],
                ..Batch::default()
            };
            self.mirror.write(batch).await?;
            self.is_dirty = true;
            self.count(TICKETS.name, count, false);
            if is_last {
                return Ok(());
            }
        }
    }
}
