//! The tickets of an order as a door counts them while a group enters.

use std::{collections::HashMap, sync::LazyLock};

use taquilla_domain::{config::GROUP_TICKETS_MAX, status::TicketStatus};

use crate::{Conn, Result, Tenant};

/// A listed ticket of an order that is valid or has entered.
pub struct Member {
    /// Its id.
    pub id: String,
    /// The event it opens.
    pub event_id: String,
    /// Its ticket type.
    pub ticket_type_id: String,
    /// Whether it has entered.
    pub has_entered: bool,
}

/// The members of these orders, by order. Orders with more than [`GROUP_TICKETS_MAX`] tickets are left out.
pub async fn of_orders(conn: &mut Conn, tenant: Tenant, order_ids: &[&str]) -> Result<HashMap<String, Vec<Member>>> {
    let sets = tenant.keys(order_ids);
    let tickets = conn
        .collect_many(&OF_ORDER, &sets, |row| {
            let status = row.named(3, TicketStatus::parse)?;
            let is_live = !row.flag(4)? && matches!(status, TicketStatus::Valid | TicketStatus::Scanned);
            let member = Member {
                id: row.text(0)?.to_owned(),
                event_id: row.text(1)?.to_owned(),
                ticket_type_id: row.text(2)?.to_owned(),
                has_entered: status == TicketStatus::Scanned,
            };
            Ok((row.text(5)?.to_owned(), is_live.then_some(member)))
        })
        .await?;
    let mut orders: HashMap<String, Vec<Option<Member>>> = HashMap::new();
    for (order_id, member) in tickets {
        orders.entry(order_id).or_default().push(member);
    }
    orders.retain(|_, tickets| tickets.len() <= GROUP_TICKETS_MAX);
    Ok(orders.into_iter().map(|(id, tickets)| (id, tickets.into_iter().flatten().collect())).collect())
}

/// The query of [`of_orders`] for one order. It reads one ticket more than are counted, to tell that there are more.
pub static OF_ORDER: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT id, event_id, ticket_type_id, status, hidden, order_id FROM tickets INDEXED BY tickets_of_order \
         WHERE producer_id = ?1 AND order_id = ?2 LIMIT {}",
        GROUP_TICKETS_MAX + 1
    )
});
