//! Producers: the tenants.

use taquilla_domain::{
    clock::Stamp, colour::Colour, money::Currency, order_number::OrderNumber, text::Name, time_zone::TimeZone,
};

use super::{
    Conn, Error, Move, Result, Tenant, Unstamped, Write,
    engine::{
        sql::{Row, params},
        transaction::Locked,
    },
};

/// Creates a producer. `None` if the id is taken.
pub async fn insert(
    tx: &mut Unstamped,
    id: &str,
    name: &Name,
    time_zone: &TimeZone,
    currency: &Currency,
    now: Stamp,
) -> Result<Option<Tenant>> {
    // Each producer gets the next number. Of two that are created at once, one waits here until the other has its own.
    tx.lock_first("SELECT value FROM settings WHERE name = 'new_producer'", Locked::Wait, &[], |_| Ok(())).await?;
    let sql = "INSERT INTO producers (producer_id, id, name, created_at, time_zone, currency) \
         SELECT coalesce(max(producer_id), 0) + 1, CAST(?1 AS TEXT), CAST(?2 AS TEXT), CAST(?3 AS BIGINT), \
         CAST(?4 AS TEXT), CAST(?5 AS TEXT) FROM producers WHERE 1 = 1 \
         ON CONFLICT (id) DO NOTHING RETURNING producer_id";
    let values = params![id, name.as_str(), now, time_zone.as_str(), currency.as_str()];
    let made = tx.query_first(sql, values, |row| row.int(0).map(Tenant::from_column)).await?;
    if let Some(tenant) = made {
        let sql = "INSERT INTO clocks (producer_id, clock, last_seq) VALUES (?1, ?2, 0)";
        tx.execute(sql, params![tenant.number(), now]).await?;
    }
    Ok(made)
}

/// Changes what is said of a producer.
pub async fn change(
    tx: &mut Unstamped,
    tenant: Tenant,
    name: &Name,
    time_zone: &TimeZone,
    currency: &Currency,
) -> Result<()> {
    let sql = "UPDATE producers SET name = ?2, time_zone = ?3, currency = ?4 WHERE producer_id = ?1";
    tx.execute(sql, params![tenant.number(), name.as_str(), time_zone.as_str(), currency.as_str()]).await?;
    Ok(())
}

/// Writes down the number of the last order that a move has placed.
pub fn count_orders<'a>(tx: &Move, last: OrderNumber) -> Write<'a> {
    let sql = "UPDATE clocks SET last_order_number = ?2 WHERE producer_id = ?1";
    Write::new(sql, vec![vec![tx.tenant().number().into(), last.get().into()]])
}

/// Sets whether a producer's team must use a second factor.
pub async fn set_needs_second_factor(tx: &mut Unstamped, tenant: Tenant, needs: bool) -> Result<()> {
    let sql = "UPDATE producers SET needs_second_factor = ?2 WHERE producer_id = ?1";
    tx.execute(sql, params![tenant.number(), needs]).await?;
    Ok(())
}

/// The producer with this public id.
pub async fn find(conn: &mut Conn, id: &str) -> Result<Option<Tenant>> {
    let sql = "SELECT producer_id FROM producers WHERE id = ?1";
    conn.query_first(sql, params![id], |row| row.int(0).map(Tenant::from_column)).await
}

/// A producer as the pages of its shop name it.
#[derive(Clone, Debug)]
pub struct Shopkeeper {
    /// Its number.
    pub tenant: Tenant,
    /// Its public id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its time zone: where an event is in another one, pages name that.
    pub time_zone: String,
    /// The colour of its shop.
    pub colour: Option<Colour>,
    /// The version of its shop's picture, if it has one.
    pub picture: Option<String>,
}

const SHOPKEEPER: &str = "SELECT producer_id, id, name, time_zone, shop_colour, shop_picture FROM producers";

fn read_shopkeeper(row: &Row<'_>) -> Result<Shopkeeper> {
    let text = |column| row.text(column).map(str::to_owned);
    Ok(Shopkeeper {
        tenant: Tenant::from_column(row.int(0)?),
        id: text(1)?,
        name: text(2)?,
        time_zone: text(3)?,
        colour: Colour::parse(row.text(4)?).ok(),
        picture: Some(text(5)?).filter(|version| !version.is_empty()),
    })
}

/// Who keeps the shop under this public id.
pub async fn shopkeeper(conn: &mut Conn, id: &str) -> Result<Option<Shopkeeper>> {
    conn.query_first(&format!("{SHOPKEEPER} WHERE id = ?1"), params![id], read_shopkeeper).await
}

/// Who keeps the shop of this producer.
pub async fn shopkeeper_of(conn: &mut Conn, tenant: Tenant) -> Result<Shopkeeper> {
    let sql = format!("{SHOPKEEPER} WHERE producer_id = ?1");
    let found = conn.query_first(&sql, params![tenant.number()], read_shopkeeper).await?;
    found.ok_or_else(|| Error::internal("the producer is gone"))
}

/// Every producer, with its public id.
pub async fn all(conn: &mut Conn) -> Result<Vec<(Tenant, String)>> {
    conn.collect("SELECT producer_id, id FROM producers ORDER BY producer_id", &[], |row| {
        Ok((Tenant::from_column(row.int(0)?), row.text(1)?.to_owned()))
    })
    .await
}

/// The next producers after one, in the order of their numbers.
pub async fn after(conn: &mut Conn, last: Option<Tenant>, limit: usize) -> Result<Vec<Tenant>> {
    let values = params![last.map_or(0, Tenant::number), limit as i64];
    conn.collect(AFTER, values, |row| row.int(0).map(Tenant::from_column)).await
}

/// The query of [`after`].
pub const AFTER: &str = "SELECT producer_id FROM producers WHERE producer_id > ?1 ORDER BY producer_id LIMIT ?2";

/// A producer as staff see it.
pub struct Details {
    /// Its public id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// When it was created.
    pub created_at: Stamp,
    /// Days after an event's end for which its people are kept; `None` is for ever.
    pub retention_days: Option<i64>,
}

fn read_details(row: &Row<'_>) -> Result<Details> {
    Ok(Details {
        id: row.text(0)?.to_owned(),
        name: row.text(1)?.to_owned(),
        created_at: row.stamp(2)?,
        retention_days: row.opt_int(3)?,
    })
}

/// Some producers, the newest first.
pub async fn newest(conn: &mut Conn, limit: i64) -> Result<Vec<Details>> {
    conn.collect(NEWEST, params![limit], read_details).await
}

/// The query of [`newest`].
pub const NEWEST: &str =
    "SELECT id, name, created_at, retention_days FROM producers ORDER BY producer_id DESC LIMIT ?1";

/// The details of the producer with this public id.
pub async fn details(conn: &mut Conn, id: &str) -> Result<Option<Details>> {
    let sql = "SELECT id, name, created_at, retention_days FROM producers WHERE id = ?1";
    conn.query_first(sql, params![id], read_details).await
}

/// A producer's time zone.
pub async fn time_zone(conn: &mut Conn, tenant: Tenant) -> Result<String> {
    let sql = "SELECT time_zone FROM producers WHERE producer_id = ?1";
    let found = conn.query_first(sql, params![tenant.number()], |row| Ok(row.text(0)?.to_owned())).await?;
    found.ok_or_else(|| Error::internal("the producer is gone"))
}

/// The last seq that a producer's counter gave out.
pub async fn last_seq(conn: &mut Conn, tenant: Tenant) -> Result<i64> {
    let sql = "SELECT last_seq FROM clocks WHERE producer_id = ?1";
    let found = conn.query_first(sql, params![tenant.number()], |row| row.int(0)).await?;
    found.ok_or_else(|| Error::internal("the producer is gone"))
}

/// The stamp of a producer's last move. It differs whenever a feed, or a door, shows something else.
pub async fn clock(conn: &mut Conn, tenant: Tenant) -> Result<Stamp> {
    let found = conn.query_first(CLOCK, params![tenant.number()], |row| row.stamp(0)).await?;
    found.ok_or_else(|| Error::internal("the producer is gone"))
}

/// The query of [`clock`].
pub const CLOCK: &str = "SELECT clock FROM clocks WHERE producer_id = ?1";

/// A producer's public id and name.
pub async fn get(conn: &mut Conn, tenant: Tenant) -> Result<(String, String)> {
    conn.query_first("SELECT id, name FROM producers WHERE producer_id = ?1", params![tenant.number()], |row| {
        Ok((row.text(0)?.to_owned(), row.text(1)?.to_owned()))
    })
    .await?
    .ok_or_else(|| Error::internal("the producer is gone"))
}
