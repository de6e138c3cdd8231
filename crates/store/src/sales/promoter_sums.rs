//! How much each promoter sold and gave away. As with all figures, every move updates these sums, and pages read them.
//!
//! Sums by day and item are in `promoter_sales`, and those of all days in the promoter's own row. There stands, too, how much of
//! the contingent is given away: the tickets of it that are live. So one that is cancelled, hidden or refunded may be given away
//! again.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{civil::Date, tz::TimeZone};

use taquilla_domain::{days, order::Order, status::OrderChannel};

use super::{
    figures::{self, Place, Sold, SoldOnDay, Sums},
    refunded_items::RefundedItem,
};
use crate::{
    Conn, Move, Result, Tenant, Write, derived,
    engine::sql::{Param, Row, params},
};

/// Changes of promoters' sums, collected while a move decides and written once.
#[derive(Debug, Default)]
pub struct PromoterSums {
    sold: BTreeMap<(String, Place), Sold>,
    given_away: BTreeMap<String, i64>,
}

impl PromoterSums {
    /// Counts an order that is approved now, if a promoter sold it.
    pub fn sell(&mut self, order: &Order, zone: &TimeZone) {
        self.count(order, |sums| sums.sell(order, zone));
    }

    /// Counts what is left of an order that is refunded now.
    pub fn refund(&mut self, order: &Order, zone: &TimeZone, before: &[RefundedItem]) {
        self.count(order, |sums| sums.refund(order, zone, before));
    }

    /// Counts units of an order's items that are refunded alone.
    pub fn refund_items(&mut self, order: &Order, zone: &TimeZone, items: &[RefundedItem]) {
        self.count(order, |sums| sums.refund_items(order, zone, items));
    }

    /// Counts tickets of a contingent as given away, or, if there are less than none, as not given away any more.
    pub fn give(&mut self, promoter_id: &str, tickets: i64) {
        *self.given_away.entry(promoter_id.to_owned()).or_default() += tickets;
    }

    fn count(&mut self, order: &Order, counted: impl FnOnce(&mut Sums)) {
        let Some(id) = order.promoter.as_ref().and_then(|promoter| promoter.id.as_ref()) else { return };
        let mut sums = Sums::default();
        counted(&mut sums);
        for (place, sold) in sums.into_places() {
            self.add(id, place, &sold);
        }
    }

    fn add(&mut self, promoter_id: &str, place: Place, sold: &Sold) {
        self.sold.entry((promoter_id.to_owned(), place)).or_default().add(sold);
    }
}

/// Adds the changes to the stored sums.
pub fn write<'a>(tenant: Tenant, changes: &'a PromoterSums) -> [Write<'a>; 2] {
    let of_day = |((promoter_id, place), sold): (&'a (String, Place), &'a Sold)| -> Vec<Param<'a>> {
        let key = [
            tenant.number().into(),
            promoter_id.into(),
            place.day.into(),
            (&place.ticket_type_id).into(),
            place.channel.into(),
            (&place.event_id).into(),
        ];
        key.into_iter().chain(sold.params()).collect()
    };
    let ids: BTreeSet<&'a String> = changes.sold.keys().map(|(id, _)| id).chain(changes.given_away.keys()).collect();
    let mut totals: BTreeMap<&'a str, Sold> = BTreeMap::new();
    for ((promoter_id, place), sold) in &changes.sold {
        if place.channel != OrderChannel::Promoter.as_str() {
            totals.entry(promoter_id).or_default().add(sold);
        }
    }
    let in_all = |id: &'a String| -> Vec<Param<'a>> {
        let given_away = changes.given_away.get(id).copied().unwrap_or_default();
        let sold = totals.get(id.as_str()).copied().unwrap_or_default();
        [tenant.number().into(), id.into(), given_away.into()].into_iter().chain(sold.params()).collect()
    };
    [
        Write::new(ADD, changes.sold.iter().map(of_day).collect()),
        Write::new(ADD_IN_ALL, ids.into_iter().map(in_all).collect()),
    ]
}

const ADD: &str = "INSERT INTO promoter_sales (producer_id, promoter_id, day, ticket_type_id, channel, event_id, units, amount, \
     refunded_units, refunded_amount) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
     ON CONFLICT (producer_id, promoter_id, day, ticket_type_id, channel) DO UPDATE SET \
     units = promoter_sales.units + excluded.units, amount = promoter_sales.amount + excluded.amount, \
     refunded_units = promoter_sales.refunded_units + excluded.refunded_units, \
     refunded_amount = promoter_sales.refunded_amount + excluded.refunded_amount";

/// The statement that adds to the sums of one promoter.
pub const ADD_IN_ALL: &str = "UPDATE promoters SET given_away = given_away + ?3, units = units + ?4, amount = amount + ?5, \
     refunded_units = refunded_units + ?6, refunded_amount = refunded_amount + ?7 WHERE producer_id = ?1 AND id = ?2";

/// What the sums should be, from the orders: of one event, or of all.
async fn counted(conn: &mut Conn, tenant: Tenant, event_id: Option<&str>) -> Result<PromoterSums> {
    let (sql, mut values) = (derived::promoter_sales(event_id.is_some()), vec![Param::from(tenant.number())]);
    values.extend(event_id.map(Param::from));
    let mut sums = PromoterSums::default();
    figures::each_quarter(conn, &sql, &values, |row, place, sold| {
        sums.add(row.text(9)?, place, &sold);
        Ok(())
    })
    .await?;
    Ok(sums)
}

/// Counts the sums of an event's promoters anew, because its days are others now.
pub async fn recount(tx: &mut Move, event_id: &str) -> Result<()> {
    let tenant = tx.tenant();
    let removed = "DELETE FROM promoter_sales WHERE producer_id = ?1 AND event_id = ?2";
    let emptied = "UPDATE promoters SET units = 0, amount = 0, refunded_units = 0, refunded_amount = 0 \
         WHERE producer_id = ?1 AND event_id = ?2";
    for sql in [removed, emptied] {
        tx.execute(sql, params![tenant.number(), event_id]).await?;
    }
    let sums = counted(tx, tenant, Some(event_id)).await?;
    tx.write_all(write(tenant, &sums).into()).await
}

/// The promoters whose stored sums by day are not what the orders say, and by how much.
pub(crate) async fn differences(conn: &mut Conn, tenant: Tenant) -> Result<Vec<(String, Sold)>> {
    let sql = "SELECT event_id, day, ticket_type_id, channel, units, amount, refunded_units, refunded_amount, promoter_id \
         FROM promoter_sales WHERE producer_id = ?1";
    let read = |row: &Row<'_>| Ok((row.text(8)?.to_owned(), figures::read(row)?));
    let mut by = PromoterSums::default();
    for (id, (place, sold)) in conn.collect(sql, params![tenant.number()], read).await? {
        by.add(&id, place, &sold);
    }
    for ((id, place), sold) in counted(conn, tenant, None).await?.sold {
        by.add(&id, place, &sold.negated());
    }
    Ok(by.sold.into_iter().filter(|(_, by)| *by != Sold::default()).map(|((id, _), by)| (id, by)).collect())
}

/// What one promoter sold and gave away, by day, item and channel: as many rows as there were such days.
pub async fn of_promoter(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Vec<SoldOnDay>> {
    conn.collect(OF_PROMOTER, params![tenant.number(), id], figures::read).await
}

/// The query of [`of_promoter`].
pub const OF_PROMOTER: &str = "SELECT event_id, day, ticket_type_id, channel, units, amount, refunded_units, refunded_amount \
     FROM promoter_sales WHERE producer_id = ?1 AND promoter_id = ?2";

/// What an event's promoters sold and gave away on some days, each with the promoter: some rows at most.
pub async fn of_event(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    (from, to): (Date, Date),
    most: usize,
) -> Result<Vec<(String, SoldOnDay)>> {
    let values = params![tenant.number(), event_id, days::number(from), days::number(to), most as i64];
    conn.collect(OF_EVENT, values, |row| Ok((row.text(8)?.to_owned(), figures::read(row)?))).await
}

/// The query of [`of_event`].
pub const OF_EVENT: &str = "SELECT event_id, day, ticket_type_id, channel, units, amount, refunded_units, refunded_amount, \
     promoter_id FROM promoter_sales WHERE producer_id = ?1 AND event_id = ?2 AND day >= ?3 AND day <= ?4 \
     ORDER BY day, promoter_id LIMIT ?5";
