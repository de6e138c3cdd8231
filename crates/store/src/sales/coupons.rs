//! Coupons of events, and how often each is used.
//!
//! `used` and `discount` are sums over approved orders, and change in the move that changes the order. Uses that pending orders
//! hold are sums beside those of items, under the coupon's id (`holds.rs`). How often a buyer uses a coupon is counted from
//! the orders themselves, so that whoever is erased leaves nothing behind.

use std::collections::{BTreeMap, HashMap};

use taquilla_domain::{clock::Stamp, coupon::Coupon, pricing::Rate};

use crate::{
    Conn, Error, Move, Question, Result, Tenant, Write,
    engine::sql::{Param, Row, params},
};

const COLUMNS: &str = "c.id, c.event_id, c.code, c.percent, c.amount, c.valid_from, c.valid_until, c.use_limit, c.per_buyer, \
     c.used, c.discount, c.created_at, c.ended_at";

fn read(row: &Row<'_>) -> Result<Coupon> {
    Ok(Coupon {
        id: row.text(0)?.to_owned(),
        event_id: row.text(1)?.to_owned(),
        code: row.text(2)?.to_owned(),
        rate: Rate::new(row.opt_int(3)?, row.opt_int(4)?).map_err(Error::internal)?,
        items: Vec::new(),
        from: row.opt_stamp(5)?,
        until: row.opt_stamp(6)?,
        limit: row.opt_int(7)?,
        per_buyer: row.opt_int(8)?,
        used: row.int(9)?,
        discount: row.int(10)?,
        held: 0,
        created_at: row.stamp(11)?,
        ended_at: row.opt_stamp(12)?,
    })
}

/// Coupons, by id.
pub type Coupons = HashMap<String, Coupon>;

/// Asks for the coupons that these codes mean now: each an event and a folded code. Without their items, and what is held.
pub fn by_code<'a>(tenant: Tenant, codes: &[(&'a str, &'a str)], into: &'a mut Coupons) -> Question<'a> {
    let sets =
        codes.iter().map(|(event, code)| vec![tenant.number().into(), (*event).into(), (*code).into()]).collect();
    Question { sql: BY_CODE, sets, read: Box::new(|row: &Row<'_>| keep(row, into)) }
}

/// The query of [`by_code`] for one code.
pub const BY_CODE: &str = "SELECT c.id, c.event_id, c.code, c.percent, c.amount, c.valid_from, c.valid_until, c.use_limit, \
     c.per_buyer, c.used, c.discount, c.created_at, c.ended_at FROM coupons c WHERE c.producer_id = ?1 \
     AND c.event_id = ?2 AND c.folded = ?3 AND c.ended_at IS NULL";

/// Asks for the coupons with these ids, in the same way.
pub fn by_id<'a>(tenant: Tenant, ids: &[&'a str], into: &'a mut Coupons) -> Question<'a> {
    Question { sql: BY_ID, sets: tenant.keys(ids), read: Box::new(|row: &Row<'_>| keep(row, into)) }
}

/// The query of [`by_id`] for one coupon.
pub const BY_ID: &str = "SELECT c.id, c.event_id, c.code, c.percent, c.amount, c.valid_from, c.valid_until, c.use_limit, \
     c.per_buyer, c.used, c.discount, c.created_at, c.ended_at FROM coupons c WHERE c.producer_id = ?1 AND c.id = ?2";

fn keep(row: &Row<'_>, into: &mut Coupons) -> Result<()> {
    let coupon = read(row)?;
    into.insert(coupon.id.clone(), coupon);
    Ok(())
}

/// Asks for the items that these coupons are for, each with its coupon.
pub fn items<'a>(tenant: Tenant, ids: &[&'a str], into: &'a mut Vec<(String, String)>) -> Question<'a> {
    let read = |row: &Row<'_>| {
        into.push((row.text(0)?.to_owned(), row.text(1)?.to_owned()));
        Ok(())
    };
    Question { sql: ITEMS, sets: tenant.keys(ids), read: Box::new(read) }
}

/// The query of [`items`] for one coupon.
pub const ITEMS: &str = "SELECT coupon_id, ticket_type_id FROM coupon_items WHERE producer_id = ?1 AND coupon_id = ?2";

/// How often buyers use or hold coupons, by the coupon and the e-mail address in lower case.
pub type OfBuyers = HashMap<(String, String), i64>;

/// Asks how often these buyers use or hold these coupons at a time, each a coupon's id and an e-mail address.
pub fn of_buyers<'a>(
    tenant: Tenant,
    buyers: &[(&'a str, &'a str)],
    now: Stamp,
    into: &'a mut OfBuyers,
) -> Question<'a> {
    let set =
        |(id, email): &(&'a str, &'a str)| vec![tenant.number().into(), (*id).into(), (*email).into(), now.into()];
    let read = |row: &Row<'_>| {
        *into.entry((row.text(0)?.to_owned(), row.text(1)?.to_lowercase())).or_default() += row.int(2)?;
        Ok(())
    };
    Question { sql: OF_BUYER, sets: buyers.iter().map(set).collect(), read: Box::new(read) }
}

/// The query of [`of_buyers`] for one buyer of one coupon.
pub const OF_BUYER: &str = "SELECT ?2, ?3, count(*) FROM orders WHERE producer_id = ?1 AND coupon_id = ?2 \
     AND lower(buyer_email) = lower(?3) AND status = 'approved' UNION ALL SELECT ?2, ?3, count(*) FROM orders \
     WHERE producer_id = ?1 AND coupon_id = ?2 AND lower(buyer_email) = lower(?3) AND status = 'pending' AND held_until > ?4";

/// Changes of how often coupons are used, and of what they took off.
#[derive(Default)]
pub struct UseChanges(BTreeMap<String, (i64, i64)>);

impl UseChanges {
    /// Counts uses, or gives them back, with what they took off.
    pub fn add(&mut self, id: &str, uses: i64, discount: i64) {
        let (used, off) = self.0.entry(id.to_owned()).or_default();
        (*used, *off) = (*used + uses, *off + discount);
    }
}

/// Writes the changes.
pub fn write<'a>(tx: &Move, changes: &'a UseChanges) -> Write<'a> {
    let tenant = tx.tenant().number();
    let set = |(id, (used, discount)): (&'a String, &'a (i64, i64))| -> Vec<Param<'a>> {
        vec![tenant.into(), id.into(), (*used).into(), (*discount).into()]
    };
    Write::new(USE, changes.0.iter().map(set).collect())
}

/// The statement of [`write()`] for one coupon.
pub const USE: &str =
    "UPDATE coupons SET used = used + ?3, discount = discount + ?4 WHERE producer_id = ?1 AND id = ?2";

/// Writes down a new coupon. `false` if another one of the event has its code.
pub async fn insert(tx: &mut Move, coupon: &Coupon, folded: &str) -> Result<bool> {
    let tenant = tx.tenant().number();
    let taken = "SELECT 1 FROM coupons WHERE producer_id = ?1 AND event_id = ?2 AND folded = ?3 AND ended_at IS NULL";
    if tx.query_first(taken, params![tenant, &coupon.event_id, folded], |_| Ok(())).await?.is_some() {
        return Ok(false);
    }
    let (percent, amount) = coupon.rate.parts();
    tx.execute(
        "INSERT INTO coupons (producer_id, id, event_id, code, folded, percent, amount, valid_from, valid_until, use_limit, \
         per_buyer, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        params![
            tenant,
            &coupon.id,
            &coupon.event_id,
            &coupon.code,
            folded,
            percent,
            amount,
            coupon.from,
            coupon.until,
            coupon.limit,
            coupon.per_buyer,
            coupon.created_at
        ],
    )
    .await?;
    let sets: Vec<Vec<Param<'_>>> =
        coupon.items.iter().map(|item| vec![tenant.into(), (&coupon.id).into(), item.into()]).collect();
    tx.execute_many("INSERT INTO coupon_items (producer_id, coupon_id, ticket_type_id) VALUES (?1, ?2, ?3)", &sets)
        .await?;
    Ok(true)
}

/// Ends a coupon. One that has ended stays as it is.
pub async fn end(tx: &mut Move, id: &str) -> Result<()> {
    let (tenant, stamp) = (tx.tenant().number(), tx.stamp());
    let sql = "UPDATE coupons SET ended_at = ?3 WHERE producer_id = ?1 AND id = ?2 AND ended_at IS NULL";
    tx.execute(sql, params![tenant, id, stamp]).await.map(drop)
}

/// How many coupons of an event can be used, or could at another time.
pub async fn count(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<i64> {
    let sql = "SELECT count(*) FROM coupons WHERE producer_id = ?1 AND event_id = ?2 AND ended_at IS NULL";
    Ok(conn.query_first(sql, params![tenant.number(), event_id], |row| row.int(0)).await?.unwrap_or(0))
}

/// A coupon with its items and what is held of it now.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<Coupon>> {
    let mut found = Coupons::new();
    conn.ask(vec![by_id(tenant, &[id], &mut found)]).await?;
    let mut coupons: Vec<Coupon> = found.into_values().collect();
    complete(conn, tenant, &mut coupons).await?;
    Ok(coupons.pop())
}

/// The coupon that a folded code means now, in the same way.
pub async fn find_by_code(conn: &mut Conn, tenant: Tenant, event_id: &str, folded: &str) -> Result<Option<Coupon>> {
    let mut found = Coupons::new();
    conn.ask(vec![by_code(tenant, &[(event_id, folded)], &mut found)]).await?;
    let mut coupons: Vec<Coupon> = found.into_values().collect();
    complete(conn, tenant, &mut coupons).await?;
    Ok(coupons.pop())
}

/// The coupons of an event, newest first: all that have not ended, and then so many that have.
pub async fn of_event(conn: &mut Conn, tenant: Tenant, event_id: &str, ended: i64) -> Result<Vec<Coupon>> {
    let list = |is_ended: &str| {
        format!(
            "SELECT {COLUMNS} FROM coupons c WHERE c.producer_id = ?1 AND c.event_id = ?2 AND c.ended_at {is_ended} \
             ORDER BY c.created_at DESC, c.id DESC LIMIT ?3"
        )
    };
    let mut coupons = conn.collect(&list("IS NULL"), params![tenant.number(), event_id, i64::MAX], read).await?;
    coupons.extend(conn.collect(&list("IS NOT NULL"), params![tenant.number(), event_id, ended], read).await?);
    complete(conn, tenant, &mut coupons).await?;
    Ok(coupons)
}

/// Adds the items of coupons, and what is held of them now.
async fn complete(conn: &mut Conn, tenant: Tenant, coupons: &mut [Coupon]) -> Result<()> {
    let ids: Vec<String> = coupons.iter().map(|coupon| coupon.id.clone()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut named = Vec::new();
    conn.ask(vec![items(tenant, &ids, &mut named)]).await?;
    let held = super::holds::held_now(conn, tenant, &ids).await?;
    for coupon in coupons {
        coupon.held = held.get(&coupon.id).map_or(0, |held| held.quantity);
        coupon.items = named.iter().filter(|(id, _)| *id == coupon.id).map(|(_, item)| item.clone()).collect();
    }
    Ok(())
}

/// Says what the sums of coupons should be, for those that are something else: a coupon, how often it is used and what it took
/// off by its row, and by the orders.
pub(crate) const WRONG_USES: &str = "SELECT c.id, CAST(c.used AS TEXT) || ' times and ' || CAST(c.discount AS TEXT), \
     CAST(coalesce(o.used, 0) AS TEXT) || ' times and ' || CAST(coalesce(o.discount, 0) AS TEXT) FROM coupons c LEFT JOIN (\
     SELECT coupon_id, count(*) AS used, sum(discount) AS discount FROM orders WHERE producer_id = ?1 \
     AND coupon_id IS NOT NULL AND status = 'approved' GROUP BY coupon_id) o ON o.coupon_id = c.id WHERE c.producer_id = ?1 \
     AND (c.used <> coalesce(o.used, 0) OR c.discount <> coalesce(o.discount, 0))";

/// Finds coupons that are used more often than they may be.
pub(crate) const USED_TOO_OFTEN: &str = "SELECT id, CAST(used AS TEXT), CAST(use_limit AS TEXT) FROM coupons \
     WHERE producer_id = ?1 AND used > use_limit";
