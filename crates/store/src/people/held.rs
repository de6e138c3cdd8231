//! Everything that is held of a person, to be handed out.

use std::collections::HashMap;

use taquilla_domain::{order::Order, person::Person, personal::Personal, whom::Whom};

use super::find::Look;
use crate::{
    Result,
    door::scans::{self, Attempt},
    sales::{
        notes::{self, Note},
        orders::{self, Attendees},
        pay_backs::{self, PayBack},
        payments::{self, ReportedPayment},
    },
    tickets::{
        shown,
        staff::{self, Held as HeldTicket},
    },
};

/// An order that somebody bought.
pub struct Bought {
    /// The order, with its items.
    pub order: Order,
    /// What was paid for it.
    pub payments: Vec<ReportedPayment>,
    /// What refunds owed for it.
    pub pay_backs: Vec<PayBack>,
    /// What staff wrote about it.
    pub notes: Vec<Personal<Note>>,
    /// The address that it came from, while it holds stock.
    pub placed_from: Option<String>,
}

/// A ticket that somebody has or had.
pub struct Ticket {
    /// The ticket.
    pub held: HeldTicket,
    /// What the API shows of it.
    pub shown: String,
    /// What was shown of it at doors, newest first.
    pub scans: Vec<Attempt>,
}

/// Everything that is held of a person.
#[derive(Default)]
pub struct Held {
    /// The orders that the person bought.
    pub orders: Vec<Bought>,
    /// The tickets that are the person's, or were.
    pub tickets: Vec<Ticket>,
    /// Orders that are not decided yet, and what their buyers wrote of the person.
    pub waiting: Vec<(String, Person)>,
    /// Whether there is more than was asked for.
    pub has_more: bool,
}

/// Scans of one ticket that are handed out.
const SCANS: i64 = 100;
/// Rows that are read at a time.
const TOGETHER: usize = 100;

impl Look {
    /// Everything that is held of a person, up to so many orders and so many tickets.
    pub async fn held(&mut self, whom: &Whom, limit: usize) -> Result<Held> {
        let (mut order_ids, mut ticket_ids) =
            (self.orders(whom, limit.saturating_add(1)).await?, self.tickets(whom, limit.saturating_add(1)).await?);
        let has_more = order_ids.len() > limit || ticket_ids.len() > limit;
        order_ids.truncate(limit);
        ticket_ids.truncate(limit);
        let mut held = Held { has_more, ..Held::default() };
        for ids in order_ids.chunks(TOGETHER) {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            self.add_orders(&ids, &mut held).await?;
        }
        for ids in ticket_ids.chunks(TOGETHER) {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            self.add_tickets(&ids, &mut held).await?;
        }
        let waiting = self.waiting(whom).await?;
        for ids in waiting.chunks(TOGETHER) {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            let (tenant, mut named) = (self.tenant(), HashMap::<String, Attendees>::new());
            self.conn().ask(vec![orders::attendees(tenant, &ids, &mut named)]).await?;
            for (id, people) in named {
                let meant = people.into_values().filter(|person| whom.means("", person));
                held.waiting.extend(meant.map(|person| (id.clone(), person)));
            }
        }
        Ok(held)
    }

    async fn add_orders(&mut self, ids: &[&str], held: &mut Held) -> Result<()> {
        let (tenant, mut found) = (self.tenant(), Vec::new());
        self.conn().ask(vec![orders::find_all(tenant, ids, &mut found)]).await?;
        orders::add_items(self.conn(), tenant, &mut found).await?;
        for order in found {
            let payments = payments::of_order(self.conn(), tenant, &order.id).await?;
            let placed_from = orders::placed_from(self.conn(), tenant, &order.id).await?;
            let pay_backs = pay_backs::of_order(self.conn(), tenant, &order.id).await?;
            let notes = notes::of_order(self.conn(), tenant, &order.id).await?;
            held.orders.push(Bought { order, payments, pay_backs, notes, placed_from });
        }
        Ok(())
    }

    async fn add_tickets(&mut self, ids: &[&str], held: &mut Held) -> Result<()> {
        let tenant = self.tenant();
        let found = staff::with_ids(self.conn(), tenant, ids).await?;
        let states: Vec<_> = found.iter().map(|ticket| ticket.state.uncovered()).collect();
        let shown = shown::shown(self.conn(), tenant, &states).await?;
        for (ticket, shown) in found.into_iter().zip(shown) {
            let scans = scans::of_ticket(self.conn(), tenant, &ticket.state.uncovered().id, SCANS).await?;
            held.tickets.push(Ticket { held: ticket, shown, scans });
        }
        Ok(())
    }
}
