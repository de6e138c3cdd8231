//! How much was sold and refunded, by item, channel and day. Every move updates these sums; pages read them, and never
//! count orders.
//!
//! An order is sold when it is paid. One that costs nothing is sold when it is placed, and so is an imported one whose
//! payment has no time. Its refund is a sum of its own, at the time of the refund, so that the sales of a day that is over
//! do not change any more. What is refunded of it alone counts when that is done, and the refund of the order counts the rest. Days are those of the event's clocks: if an event gets another time zone, its sums are counted
//! anew.

use std::collections::{BTreeMap, HashMap};

use jiff::{civil::Date, tz::TimeZone};

use taquilla_domain::{
    clock::Stamp,
    days,
    order::{Order, OrderItem},
    status::OrderChannel,
};

use super::refunded_items::{self, RefundedItem};
use crate::{
    Conn, Move, Result, Tenant, Write,
    derived::{self, QUARTER},
    engine::{
        sql::{Param, Row, params},
        transaction::Transaction,
    },
};

/// Units of what was sold and refunded, and the money for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sold {
    /// Units sold.
    pub units: i64,
    /// The money for them.
    pub amount: i64,
    /// Units that were refunded, with their order or alone.
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

    /// What this sum lacks to be nothing.
    pub(super) fn negated(&self) -> Self {
        let [units, amount, refunded_units, refunded_amount] =
            [self.units, self.amount, self.refunded_units, self.refunded_amount].map(|value| -value);
        Self { units, amount, refunded_units, refunded_amount }
    }

    /// Four columns of a row, from this one on.
    pub(super) fn read(row: &Row<'_>, first: usize) -> Result<Self> {
        Ok(Self {
            units: row.int(first)?,
            amount: row.int(first + 1)?,
            refunded_units: row.int(first + 2)?,
            refunded_amount: row.int(first + 3)?,
        })
    }

    pub(super) fn params(&self) -> [Param<'static>; 4] {
        [self.units.into(), self.amount.into(), self.refunded_units.into(), self.refunded_amount.into()]
    }
}

/// The event, the day, the item and the channel of a sum.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The event.
    pub event_id: String,
    /// The day, counted from 1970-01-01.
    pub day: i64,
    /// The item.
    pub ticket_type_id: String,
    /// The channel; empty where it is not known.
    pub channel: &'static str,
}

/// Sums, or changes to them, collected while a move decides and written once.
#[derive(Debug, Default)]
pub struct Sums(BTreeMap<Place, Sold>);

impl Sums {
    /// Counts an order that is approved now, of an event in this time zone.
    pub fn sell(&mut self, order: &Order, zone: &TimeZone) {
        let day = day(order.paid_at.unwrap_or(order.created_at), zone);
        for item in &order.items {
            let (units, amount) = (item.quantity, item.total);
            self.count(order, item, day, &Sold { units, amount, ..Sold::default() });
        }
    }

    /// Counts what is left of an order that is refunded now, of an event in this time zone.
    pub fn refund(&mut self, order: &Order, zone: &TimeZone, before: &[RefundedItem]) {
        let day = day(order.refunded_at.or(order.paid_at).unwrap_or(order.created_at), zone);
        for (item, position) in order.items.iter().zip(0..) {
            let (refunded_units, refunded_amount) = refunded_items::left(before, position, item.quantity, item.total);
            self.count(order, item, day, &Sold { refunded_units, refunded_amount, ..Sold::default() });
        }
    }

    /// Counts units of an order's items that are refunded alone, of an event in this time zone.
    pub fn refund_items(&mut self, order: &Order, zone: &TimeZone, items: &[RefundedItem]) {
        for refunded in items {
            let Some(item) = usize::try_from(refunded.position).ok().and_then(|at| order.items.get(at)) else {
                continue;
            };
            let (refunded_units, refunded_amount) = (refunded.units, refunded.amount);
            let sold = Sold { refunded_units, refunded_amount, ..Sold::default() };
            self.count(order, item, day(refunded.refunded_at, zone), &sold);
        }
    }

    fn count(&mut self, order: &Order, item: &OrderItem, day: i64, sold: &Sold) {
        let place = Place {
            event_id: order.event_id.clone(),
            day,
            ticket_type_id: item.ticket_type_id.clone(),
            channel: order.channel.map_or("", OrderChannel::as_str),
        };
        self.add(place, sold);
    }

    /// The sums by their places.
    pub(super) fn into_places(self) -> impl Iterator<Item = (Place, Sold)> {
        self.0.into_iter()
    }

    fn add(&mut self, place: Place, sold: &Sold) {
        self.0.entry(place).or_default().add(sold);
    }
}

/// The day of a moment. SQL adds up by quarters, so the beginning of the quarter decides here, too.
fn day(at: Stamp, zone: &TimeZone) -> i64 {
    let quarter = at.micros() - at.micros().rem_euclid(QUARTER);
    days::number(days::day_of(Stamp::from_micros(quarter), zone))
}

/// Adds the changes to the stored sums.
pub fn write<'a>(tenant: Tenant, changes: &'a Sums) -> [Write<'a>; 3] {
    let of_item = |(place, sold): (&'a Place, &'a Sold)| -> Vec<Param<'a>> {
        let key = [
            tenant.number().into(),
            (&place.event_id).into(),
            place.day.into(),
            (&place.ticket_type_id).into(),
            place.channel.into(),
        ];
        key.into_iter().chain(sold.params()).collect()
    };
    let mut of_events: BTreeMap<(i64, &'a str, &'static str), Sold> = BTreeMap::new();
    let mut totals: BTreeMap<&'a str, Sold> = BTreeMap::new();
    for (place, sold) in &changes.0 {
        of_events.entry((place.day, &place.event_id, place.channel)).or_default().add(sold);
        totals.entry(&place.event_id).or_default().add(sold);
    }
    let of_event = |((day, event_id, channel), sold): ((i64, &'a str, &'static str), Sold)| -> Vec<Param<'a>> {
        let key = [tenant.number().into(), day.into(), event_id.into(), channel.into()];
        key.into_iter().chain(sold.params()).collect()
    };
    let in_all = |(event_id, sold): (&'a str, Sold)| -> Vec<Param<'a>> {
        [tenant.number().into(), event_id.into()].into_iter().chain(sold.params()).collect()
    };
    [
        Write::new(ADD, changes.0.iter().map(of_item).collect()),
        Write::new(ADD_OF_EVENT, of_events.into_iter().map(of_event).collect()),
        Write::new(ADD_IN_ALL, totals.into_iter().map(in_all).collect()),
    ]
}

const ADD: &str = "INSERT INTO sales (producer_id, event_id, day, ticket_type_id, channel, units, amount, \
     refunded_units, refunded_amount) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) \
     ON CONFLICT (producer_id, event_id, day, ticket_type_id, channel) DO UPDATE SET \
     units = sales.units + excluded.units, amount = sales.amount + excluded.amount, \
     refunded_units = sales.refunded_units + excluded.refunded_units, \
     refunded_amount = sales.refunded_amount + excluded.refunded_amount";

const ADD_OF_EVENT: &str = "INSERT INTO event_sales (producer_id, day, event_id, channel, units, amount, \
     refunded_units, refunded_amount) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) \
     ON CONFLICT (producer_id, day, event_id, channel) DO UPDATE SET \
     units = event_sales.units + excluded.units, amount = event_sales.amount + excluded.amount, \
     refunded_units = event_sales.refunded_units + excluded.refunded_units, \
     refunded_amount = event_sales.refunded_amount + excluded.refunded_amount";

const ADD_IN_ALL: &str = "INSERT INTO event_totals (producer_id, event_id, units, amount, refunded_units, refunded_amount) \
     VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (producer_id, event_id) DO UPDATE SET \
     units = event_totals.units + excluded.units, amount = event_totals.amount + excluded.amount, \
     refunded_units = event_totals.refunded_units + excluded.refunded_units, \
     refunded_amount = event_totals.refunded_amount + excluded.refunded_amount";

/// Sums by the quarter of an hour become sums by day. The query gives the event, its time zone, the quarter, the item, the
/// channel and the sum.
pub(crate) async fn from_quarters(conn: &mut Conn, sql: &str, values: &[Param<'_>]) -> Result<Sums> {
    let mut sums = Sums::default();
    each_quarter(conn, sql, values, |_, place, sold| {
        sums.add(place, &sold);
        Ok(())
    })
    .await?;
    Ok(sums)
}

/// Reads sums by the quarter of an hour, each with its place and its whole row.
pub(super) async fn each_quarter(
    conn: &mut Conn,
    sql: &str,
    values: &[Param<'_>],
    mut each: impl FnMut(&Row<'_>, Place, Sold) -> Result<()> + Send,
) -> Result<()> {
    let mut zones: HashMap<String, TimeZone> = HashMap::new();
    conn.query(sql, values, |row| {
        let (name, quarter) = (row.text(1)?, row.stamp(2)?);
        let day = match zones.get(name) {
            Some(zone) => day(quarter, zone),
            None => day(quarter, zones.entry(name.to_owned()).or_insert(days::zone(name))),
        };
        let place = Place {
            event_id: row.text(0)?.to_owned(),
            day,
            ticket_type_id: row.text(3)?.to_owned(),
            channel: channel(row.text(4)?),
        };
        each(row, place, Sold::read(row, 5)?)
    })
    .await
}

fn channel(text: &str) -> &'static str {
    OrderChannel::parse(text).map_or("", OrderChannel::as_str)
}

/// What the sums should be, from the orders: of one event, or of all.
pub(crate) async fn counted(conn: &mut Conn, tenant: Tenant, event_id: Option<&str>) -> Result<Sums> {
    let (sql, mut values) = (derived::sales(event_id.is_some()), vec![Param::from(tenant.number())]);
    values.extend(event_id.map(Param::from));
    from_quarters(conn, &sql, &values).await
}

/// Counts the sums of an event anew, because its days are others now.
pub async fn recount(tx: &mut Move, event_id: &str) -> Result<()> {
    let tenant = tx.tenant();
    for sql in ["DELETE FROM sales", "DELETE FROM event_sales", "DELETE FROM event_totals"] {
        let of_event = format!("{sql} WHERE producer_id = ?1 AND event_id = ?2");
        tx.execute(&of_event, params![tenant.number(), event_id]).await?;
    }
    let sums = counted(tx, tenant, Some(event_id)).await?;
    tx.write_all(write(tenant, &sums).into()).await
}

/// Counts the sums of a producer that has none yet.
pub(crate) async fn count_all(tx: &mut Transaction, tenant: Tenant) -> Result<()> {
    let sums = counted(tx, tenant, None).await?;
    tx.write_all(write(tenant, &sums).into()).await
}

/// How far the stored sums of a producer are from what its orders say, wherever they are.
pub(crate) async fn differences(conn: &mut Conn, tenant: Tenant) -> Result<Vec<SoldOnDay>> {
    let sql = "SELECT event_id, day, ticket_type_id, channel, units, amount, refunded_units, refunded_amount \
         FROM sales WHERE producer_id = ?1";
    let mut by = Sums(conn.collect(sql, params![tenant.number()], read).await?.into_iter().collect());
    for (place, sold) in counted(conn, tenant, None).await?.0 {
        by.add(place, &sold.negated());
    }
    Ok(by.0.into_iter().filter(|(_, by)| *by != Sold::default()).collect())
}

/// What was sold at one place.
pub type SoldOnDay = (Place, Sold);

pub(super) fn read(row: &Row<'_>) -> Result<SoldOnDay> {
    let place = Place {
        event_id: row.text(0)?.to_owned(),
        day: row.int(1)?,
        ticket_type_id: row.text(2)?.to_owned(),
        channel: channel(row.text(3)?),
    };
    Ok((place, Sold::read(row, 4)?))
}

/// What was sold of an event on some days, by item, channel and day: some rows at most.
pub async fn of_event(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    (from, to): (Date, Date),
    most: usize,
) -> Result<Vec<SoldOnDay>> {
    let values = params![tenant.number(), event_id, days::number(from), days::number(to), most as i64];
    conn.collect(OF_EVENT, values, read).await
}

/// The query of [`of_event`].
pub const OF_EVENT: &str = "SELECT event_id, day, ticket_type_id, channel, units, amount, refunded_units, refunded_amount \
     FROM sales WHERE producer_id = ?1 AND event_id = ?2 AND day >= ?3 AND day <= ?4 ORDER BY day, ticket_type_id, channel LIMIT ?5";

/// What was sold of one item on some days, by day.
pub async fn of_item(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    item_id: &str,
    (from, to): (Date, Date),
) -> Result<HashMap<i64, Sold>> {
    let values = params![tenant.number(), event_id, days::number(from), days::number(to), item_id];
    let rows = conn.collect(OF_ITEM, values, |row| Ok((row.int(0)?, Sold::read(row, 1)?))).await?;
    Ok(rows.into_iter().collect())
}

/// The query of [`of_item`].
pub const OF_ITEM: &str = "SELECT day, CAST(sum(units) AS BIGINT), CAST(sum(amount) AS BIGINT), \
     CAST(sum(refunded_units) AS BIGINT), CAST(sum(refunded_amount) AS BIGINT) FROM sales \
     WHERE producer_id = ?1 AND event_id = ?2 AND day >= ?3 AND day <= ?4 AND ticket_type_id = ?5 GROUP BY day";

/// What was sold of all events on some days, by event, channel and day: some rows at most. They name no item.
pub async fn of_events(
    conn: &mut Conn,
    tenant: Tenant,
    (from, to): (Date, Date),
    most: usize,
) -> Result<Vec<SoldOnDay>> {
    let values = params![tenant.number(), days::number(from), days::number(to), most as i64];
    conn.collect(OF_EVENTS, values, read).await
}

/// The query of [`of_events`].
pub const OF_EVENTS: &str = "SELECT event_id, day, '', channel, units, amount, refunded_units, refunded_amount \
     FROM event_sales WHERE producer_id = ?1 AND day >= ?2 AND day <= ?3 ORDER BY day, event_id, channel LIMIT ?4";

/// The first and the last day on which something of an event was sold or refunded. `None` if nothing was.
pub async fn span(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Option<(Date, Date)>> {
    let mut ends = [None; 2];
    for (sql, end) in [FIRST, LAST].into_iter().zip(&mut ends) {
        *end = conn.query_first(sql, params![tenant.number(), event_id], |row| row.int(0)).await?.map(days::numbered);
    }
    Ok(ends[0].zip(ends[1]))
}

/// The first day on which something of an event was sold.
pub const FIRST: &str = "SELECT day FROM sales WHERE producer_id = ?1 AND event_id = ?2 ORDER BY day LIMIT 1";
/// The last one.
pub const LAST: &str = "SELECT day FROM sales WHERE producer_id = ?1 AND event_id = ?2 ORDER BY day DESC LIMIT 1";

/// What was paid for the orders of an event and not refunded, by currency. It reads the sums of the event's days.
pub async fn left_by_currency(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Vec<(String, i64)>> {
    let read = |row: &Row<'_>| Ok((row.text(0)?.to_owned(), row.int(1)?));
    conn.collect(LEFT_BY_CURRENCY, params![tenant.number(), event_id], read).await
}

/// The query of [`left_by_currency`].
pub const LEFT_BY_CURRENCY: &str = "SELECT y.currency, CAST(sum(s.amount - s.refunded_amount) AS BIGINT) FROM sales s \
     JOIN ticket_types y ON y.producer_id = s.producer_id AND y.id = s.ticket_type_id \
     WHERE s.producer_id = ?1 AND s.event_id = ?2 GROUP BY y.currency ORDER BY y.currency";

/// What some events sold in all, by their ids. An event that sold nothing yet is not there.
pub async fn in_all(conn: &mut Conn, tenant: Tenant, event_ids: &[&str]) -> Result<HashMap<String, Sold>> {
    let read = |row: &Row<'_>| Ok((row.text(0)?.to_owned(), Sold::read(row, 1)?));
    Ok(conn.collect_many(IN_ALL, &tenant.keys(event_ids), read).await?.into_iter().collect())
}

/// The query of [`in_all`], for one event.
pub const IN_ALL: &str = "SELECT event_id, units, amount, refunded_units, refunded_amount FROM event_totals \
     WHERE producer_id = ?1 AND event_id = ?2";
