//! How much was sold and refunded, by item, channel and quarter of an hour. Every move updates these sums; reports add
//! them up, and never count orders.
//!
//! An order is sold when it is paid. One that costs nothing is sold when it is placed, and so is an imported one whose
//! payment has no time. Its refund is a sum of its own, at the time of the refund, so that the sales of a day that is over
//! do not change any more.

use std::collections::BTreeMap;

use crate::{
    domain::{clock::Stamp, order::Order, status::OrderChannel},
    store::{
        Conn, Move, Result, Tenant, Write,
        engine::sql::{Param, params},
    },
};

/// Microseconds of a quarter of an hour. The offsets of all time zones are whole quarters, and so their days are.
pub const QUARTER: i64 = 900_000_000;

const DAY: i64 = 96 * QUARTER;

/// Units of what was sold and refunded, and the money for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sold {
    /// Units sold.
    pub units: i64,
    /// The money for them.
    pub amount: i64,
    /// Units whose order was refunded.
    pub refunded_units: i64,
    /// The money that was given back for them.
    pub refunded_amount: i64,
}

impl Sold {
    /// What is left of the money.
    pub fn net(&self) -> i64 {
        self.amount.saturating_sub(self.refunded_amount)
    }

    /// Adds another sum.
    pub fn add(&mut self, other: &Self) {
        self.units += other.units;
        self.amount += other.amount;
        self.refunded_units += other.refunded_units;
        self.refunded_amount += other.refunded_amount;
    }
}

/// Event, quarter, item and channel.
type Key = (String, i64, String, &'static str);

/// Changes to the sums, collected while a move decides and written once.
#[derive(Default)]
pub struct SoldChanges(BTreeMap<Key, Sold>);

impl SoldChanges {
    /// Counts an order that is approved now.
    pub fn sell(&mut self, order: &Order) {
        let at = order.paid_at.unwrap_or(order.created_at);
        self.count(order, at, |sold, units, amount| {
            sold.units += units;
            sold.amount += amount;
        });
    }

    /// Counts an order that is refunded now.
    pub fn refund(&mut self, order: &Order) {
        let at = order.refunded_at.or(order.paid_at).unwrap_or(order.created_at);
        self.count(order, at, |sold, units, amount| {
            sold.refunded_units += units;
            sold.refunded_amount += amount;
        });
    }

    fn count(&mut self, order: &Order, at: Stamp, add: impl Fn(&mut Sold, i64, i64)) {
        let quarter = at.micros() - at.micros().rem_euclid(QUARTER);
        let channel = order.channel.map_or("", OrderChannel::as_str);
        for item in &order.items {
            let key = (order.event_id.clone(), quarter, item.ticket_type_id.clone(), channel);
            add(self.0.entry(key).or_default(), item.quantity, item.total);
        }
    }
}

/// Adds the changes to the stored sums.
pub fn write<'a>(tx: &Move, changes: &'a SoldChanges) -> Write<'a> {
    let tenant = tx.tenant().number();
    let set = |((event, quarter, item, channel), sold): (&'a Key, &'a Sold)| -> Vec<Param<'a>> {
        vec![
            tenant.into(),
            event.into(),
            (*quarter).into(),
            item.into(),
            (*channel).into(),
            sold.units.into(),
            sold.amount.into(),
            sold.refunded_units.into(),
            sold.refunded_amount.into(),
        ]
    };
    Write::new(ADD, changes.0.iter().map(set).collect())
}

const ADD: &str = "INSERT INTO sales (producer_id, event_id, quarter, ticket_type_id, channel, units, amount, \
     refunded_units, refunded_amount) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) \
     ON CONFLICT (producer_id, event_id, quarter, ticket_type_id, channel) DO UPDATE SET \
     units = sales.units + excluded.units, amount = sales.amount + excluded.amount, \
     refunded_units = sales.refunded_units + excluded.refunded_units, \
     refunded_amount = sales.refunded_amount + excluded.refunded_amount";

/// A stretch of time in which clocks of a time zone were this far ahead of UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Its beginning.
    pub from: Stamp,
    /// Its end, which does not belong to it.
    pub to: Stamp,
    /// Microseconds that the zone's clocks are ahead.
    pub ahead: i64,
}

/// What was sold of an item, on one day, through one channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoldOnDay {
    /// The event.
    pub event_id: String,
    /// The item.
    pub ticket_type_id: String,
    /// The channel; empty where it is not known.
    pub channel: String,
    /// The day, counted from 1970-01-01, by the clocks of the stretch.
    pub day: i64,
    /// How much.
    pub sold: Sold,
}

/// What was sold in a stretch of time, of one event or of all, by item, channel and day: some rows at most.
pub async fn by_day(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: Option<&str>,
    stretch: &Stretch,
    most: usize,
) -> Result<Vec<SoldOnDay>> {
    let (sql, values) = statement(tenant, event_id, stretch, most);
    conn.collect(&sql, &values, |row| {
        Ok(SoldOnDay {
            event_id: row.text(0)?.to_owned(),
            ticket_type_id: row.text(1)?.to_owned(),
            channel: row.text(2)?.to_owned(),
            day: row.int(3)?,
            sold: Sold {
                units: row.int(4)?,
                amount: row.int(5)?,
                refunded_units: row.int(6)?,
                refunded_amount: row.int(7)?,
            },
        })
    })
    .await
}

/// The query of [`by_day`]. The sales of all events have an index of their own (migration 0017). An offset is added before the day is taken, and days are never before 1970.
pub fn statement<'a>(
    tenant: Tenant,
    event_id: Option<&'a str>,
    stretch: &Stretch,
    most: usize,
) -> (String, Vec<Param<'a>>) {
    let mut values: Vec<Param<'a>> = vec![
        tenant.number().into(),
        stretch.from.into(),
        stretch.to.into(),
        stretch.ahead.into(),
        (most as i64).into(),
    ];
    let (index, of_event) = match event_id {
        Some(event) => {
            values.push(event.into());
            ("", " AND s.event_id = ?6")
        }
        None => (" INDEXED BY sales_by_quarter", " AND s.ticket_type_id <> ''"),
    };
    let day = format!("(s.quarter + CAST(?4 AS BIGINT)) / {DAY}");
    let sql = format!(
        "SELECT s.event_id, s.ticket_type_id, s.channel, {day} AS day, CAST(sum(s.units) AS BIGINT), \
         CAST(sum(s.amount) AS BIGINT), CAST(sum(s.refunded_units) AS BIGINT), CAST(sum(s.refunded_amount) AS BIGINT) \
         FROM sales s{index} WHERE s.producer_id = ?1{of_event} AND s.quarter >= ?2 AND s.quarter < ?3 \
         GROUP BY 1, 2, 3, 4 LIMIT ?5"
    );
    (sql, values)
}

/// What was sold and refunded between two moments, of all events.
pub async fn between(conn: &mut Conn, tenant: Tenant, from: Stamp, to: Stamp) -> Result<Sold> {
    let sold = conn
        .query_first(BETWEEN, params![tenant.number(), from, to], |row| {
            Ok(Sold {
                units: row.int(0)?,
                amount: row.int(1)?,
                refunded_units: row.int(2)?,
                refunded_amount: row.int(3)?,
            })
        })
        .await?;
    Ok(sold.unwrap_or_default())
}

/// The query of [`between`].
pub const BETWEEN: &str = "SELECT CAST(coalesce(sum(units), 0) AS BIGINT), CAST(coalesce(sum(amount), 0) AS BIGINT), \
     CAST(coalesce(sum(refunded_units), 0) AS BIGINT), CAST(coalesce(sum(refunded_amount), 0) AS BIGINT) \
     FROM sales INDEXED BY sales_by_quarter WHERE producer_id = ?1 AND ticket_type_id <> '' AND quarter >= ?2 AND quarter < ?3";

/// When the first and the last of an event's sales or refunds were, to the quarter of an hour. `None` if there were none.
pub async fn span(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Option<(Stamp, Stamp)>> {
    let mut ends = [None; 2];
    for (sql, end) in [FIRST, LAST].into_iter().zip(&mut ends) {
        *end = conn.query_first(sql, params![tenant.number(), event_id], |row| row.stamp(0)).await?;
    }
    Ok(ends[0].zip(ends[1]))
}

/// The first quarter of an event in which something was sold.
pub const FIRST: &str = "SELECT quarter FROM sales WHERE producer_id = ?1 AND event_id = ?2 ORDER BY quarter LIMIT 1";
/// The last one.
pub const LAST: &str =
    "SELECT quarter FROM sales WHERE producer_id = ?1 AND event_id = ?2 ORDER BY quarter DESC LIMIT 1";
