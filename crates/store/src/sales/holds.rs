//! Holds: the stock that pending orders keep for their buyers until their time is over.
//!
//! An order's hold is its `held_until` and its items. Beside the orders there are sums: how many units of an item are held
//! until each moment. They are written with the orders, and adding up those that lie ahead reads as few rows as there are
//! such moments, however many orders hold the item. A hold that has ended needs nobody to end it.
//!
//! Ends are rounded up to a step that belongs to the length (`domain/hold.rs`), so holds of one length end at a few
//! hundred moments. Sums change in the move that changes the order; the view `holds` shows holds as rows, and `taquilla
//! check` compares both.
//!
//! There is no table of holds. An order's items already say what it holds, so rows of their own could disagree with
//! them and would cost every sale a write. A wrong sum could only keep stock back or promise it twice: issuing compares
//! `sold` with the limit in any case. Orders from before migration 0014 have no hold.

use std::collections::{BTreeMap, HashMap};

use taquilla_domain::{clock::Stamp, config::HELD_KEPT, order::Order};

use crate::{
    Conn, Move, Question, Result, Tenant, Unstamped, Write,
    engine::sql::{Param, Row, params},
};

/// What is held of an item now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// How many units.
    pub quantity: i64,
    /// When the next hold ends.
    pub until: Stamp,
}

/// What is held now, by item.
pub type HeldItems = HashMap<String, Held>;

/// Asks what is held of these items at a time, by item.
pub fn held<'a>(tenant: Tenant, ids: &[&'a str], now: Stamp, into: &'a mut HeldItems) -> Question<'a> {
    let sets = ids.iter().map(|id| vec![tenant.number().into(), (*id).into(), now.into()]).collect();
    Question { sql: HELD, sets, read: Box::new(|row: &Row<'_>| read(row, into)) }
}

/// The query of [`held`] for one item.
pub const HELD: &str = "SELECT ticket_type_id, CAST(sum(quantity) AS BIGINT), min(until) FROM held_stock \
     WHERE producer_id = ?1 AND ticket_type_id = ?2 AND until > ?3 AND quantity > 0 GROUP BY ticket_type_id";

/// What is held of these items now.
pub async fn held_now(conn: &mut Conn, tenant: Tenant, ids: &[&str]) -> Result<HeldItems> {
    let sql = HELD.replace("?3", &conn.clock());
    let mut items = HeldItems::new();
    let read = |row: &Row<'_>| read(row, &mut items);
    conn.ask(vec![Question { sql: &sql, sets: tenant.keys(ids), read: Box::new(read) }]).await?;
    Ok(items)
}

fn read(row: &Row<'_>, into: &mut HeldItems) -> Result<()> {
    into.insert(row.text(0)?.to_owned(), Held { quantity: row.int(1)?, until: row.stamp(2)? });
    Ok(())
}

/// Changes of what is held, by item and by the end of the holds.
#[derive(Default)]
pub struct HeldChanges(BTreeMap<(String, Stamp), i64>);

impl HeldChanges {
    /// Holds units of an item, or gives them back if `units` is negative.
    pub fn add(&mut self, id: &str, until: Stamp, units: i64) {
        *self.0.entry((id.to_owned(), until)).or_default() += units;
    }
}

/// Writes the changes.
pub fn write<'a>(tx: &Move, changes: &'a HeldChanges) -> [Write<'a>; 2] {
    let tenant = tx.tenant().number();
    let sets = |matches: fn(i64) -> bool| -> Vec<Vec<Param<'a>>> {
        let changed = changes.0.iter().filter(|(_, units)| matches(**units));
        changed.map(|((id, until), units)| vec![tenant.into(), id.into(), (*until).into(), (*units).into()]).collect()
    };
    // What is given back was held before. If its sum has been forgotten, the hold had ended long ago.
    [Write::new(HOLD, sets(|units| units > 0)), Write::new(GIVE_BACK, sets(|units| units < 0))]
}

const HOLD: &str = "INSERT INTO held_stock (producer_id, ticket_type_id, until, quantity) VALUES (?1, ?2, ?3, ?4) \
     ON CONFLICT (producer_id, ticket_type_id, until) DO UPDATE SET quantity = held_stock.quantity + excluded.quantity";

/// The statement that gives held units back.
pub const GIVE_BACK: &str = "UPDATE held_stock SET quantity = quantity + ?4 \
     WHERE producer_id = ?1 AND ticket_type_id = ?2 AND until = ?3";

/// Unpaid orders that hold stock now, of a buyer or from an address.
#[derive(Clone, Copy, Debug)]
pub struct Unpaid {
    /// How many.
    pub orders: i64,
    /// When the next hold of them ends.
    pub until: Stamp,
}

/// The unpaid orders that hold stock now, as far as they were asked for.
#[derive(Default)]
pub struct UnpaidOrders {
    /// By the buyer's e-mail address in lower case.
    pub of_buyers: HashMap<String, Unpaid>,
    /// By the address that they came from.
    pub from_addresses: HashMap<String, Unpaid>,
}

/// Whose unpaid orders are counted.
pub struct Counted<'a> {
    /// Those of this e-mail address, whatever the case of its letters.
    pub email: Option<&'a str>,
    /// Those from this address.
    pub address: Option<&'a str>,
}

/// Asks for the unpaid orders that hold stock at a time.
pub fn unpaid<'a>(tenant: Tenant, counted: &[Counted<'a>], now: Stamp, into: &'a mut UnpaidOrders) -> Question<'a> {
    let sets = counted.iter().filter(|counted| counted.email.is_some() || counted.address.is_some());
    let set =
        |counted: &Counted<'a>| vec![tenant.number().into(), counted.email.into(), counted.address.into(), now.into()];
    let read = |row: &Row<'_>| {
        let unpaid = Unpaid { orders: row.int(2)?, until: row.stamp(3)? };
        match (row.opt_text(0)?, row.opt_text(1)?) {
            (Some(email), _) => into.of_buyers.insert(email.to_lowercase(), unpaid),
            (None, address) => into.from_addresses.insert(address.unwrap_or_default().to_owned(), unpaid),
        };
        Ok(())
    };
    Question { sql: UNPAID, sets: sets.map(set).collect(), read: Box::new(read) }
}

/// The query of [`unpaid`] for one buyer at one address.
pub const UNPAID: &str = "SELECT ?2, NULL, count(*), min(held_until) FROM orders WHERE producer_id = ?1 \
     AND lower(buyer_email) = lower(?2) AND held_until > ?4 AND channel = 'shop' HAVING count(*) > 0 \
     UNION ALL SELECT NULL, ?3, count(*), min(held_until) FROM orders WHERE producer_id = ?1 \
     AND placed_from = ?3 AND held_until > ?4 HAVING count(*) > 0";

/// Whether an order's hold lasts still, by the database's clock; `None` if it has none.
pub async fn lasts(conn: &mut Conn, order: &Order) -> Result<Option<bool>> {
    let Some(until) = order.held_until else { return Ok(None) };
    let now = conn.query_first(&format!("SELECT {}", conn.clock()), &[], |row| row.stamp(0)).await?;
    Ok(Some(now.is_some_and(|now| until > now)))
}

/// Some sums of holds that ended long ago, each with its item and the moment.
async fn old(conn: &mut Conn, tenant: Tenant, limit: i64) -> Result<Vec<(String, Stamp)>> {
    let sql = format!(
        "SELECT ticket_type_id, until FROM held_stock WHERE producer_id = ?1 AND until < {} - ?2 LIMIT ?3",
        conn.clock()
    );
    let kept = i64::try_from(HELD_KEPT.as_micros()).unwrap_or(i64::MAX);
    conn.collect(&sql, params![tenant.number(), kept, limit], |row| Ok((row.text(0)?.to_owned(), row.stamp(1)?))).await
}

/// Whether there are sums of holds that ended long ago.
pub async fn has_old(conn: &mut Conn, tenant: Tenant) -> Result<bool> {
    Ok(!old(conn, tenant, 1).await?.is_empty())
}

/// Forgets some sums of holds that ended long ago.
pub async fn forget(tx: &mut Unstamped, tenant: Tenant, limit: i64) -> Result<()> {
    let sums = old(tx, tenant, limit).await?;
    let sets: Vec<Vec<Param<'_>>> =
        sums.iter().map(|(id, until)| vec![tenant.number().into(), id.into(), (*until).into()]).collect();
    let sql = "DELETE FROM held_stock WHERE producer_id = ?1 AND ticket_type_id = ?2 AND until = ?3";
    tx.execute_many(sql, &sets).await?;
    Ok(())
}
