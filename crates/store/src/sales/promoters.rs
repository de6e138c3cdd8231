//! Promoters in the database, with only a hash of each token.

use std::{collections::HashMap, sync::LazyLock};

use taquilla_domain::{
    key::{Opens, Secret},
    promoter::{NamedPromoter, Promoter},
};

use super::figures::Sold;
use crate::{
    Conn, Move, Question, Result, Tenant,
    engine::sql::{Row, params},
};

const COLUMNS: &str = "p.id, p.event_id, p.name, p.last_four, p.complimentary, p.given_away, p.created_at, p.ended_at";

/// How many columns that are.
const WIDTH: usize = 8;

fn read(row: &Row<'_>) -> Result<Promoter> {
    Ok(Promoter {
        id: row.text(0)?.to_owned(),
        event_id: row.text(1)?.to_owned(),
        name: row.text(2)?.to_owned(),
        last_four: row.text(3)?.to_owned(),
        complimentary: row.int(4)?,
        given_away: row.int(5)?,
        created_at: row.stamp(6)?,
        ended_at: row.opt_stamp(7)?,
    })
}

/// The token as its promoter holds it. It begins with the producer's number, because it opens a page whose address names no
/// producer.
pub fn join_token(tenant: Tenant, secret: &Secret) -> String {
    format!("{}-{}", tenant.number(), secret.reveal())
}

/// The producer and the secret of a token. Its checksum refuses most that are none.
pub fn split_token(token: &str) -> Option<(Tenant, Secret)> {
    let (producer, secret) = token.split_once('-')?;
    let (tenant, secret) = (Tenant::from_column(producer.parse().ok()?), Secret::parse(Opens::Promoter, secret)?);
    // A token has one spelling: `01-…` is none.
    (join_token(tenant, &secret) == token).then_some((tenant, secret))
}

/// Whom an order names as its promoter: by the token, or else by the id.
pub fn named(text: &str) -> NamedPromoter {
    match split_token(text) {
        Some((_, secret)) => NamedPromoter::Token(secret.hash()),
        None => NamedPromoter::Id(text.to_owned()),
    }
}

/// Stores a new promoter, and only the hash of the token.
pub async fn insert(tx: &mut Move, promoter: &Promoter, token: &Secret) -> Result<()> {
    let tenant = tx.tenant().number();
    tx.execute(
        "INSERT INTO promoters (producer_id, id, event_id, name, hash, last_four, complimentary, created_at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            tenant,
            &promoter.id,
            &promoter.event_id,
            &promoter.name,
            &token.hash(),
            &promoter.last_four,
            promoter.complimentary,
            promoter.created_at
        ],
    )
    .await?;
    Ok(())
}

/// Ends a promoter. The time of the first end stays.
pub async fn end(tx: &mut Move, id: &str) -> Result<()> {
    let sql = "UPDATE promoters SET ended_at = coalesce(ended_at, ?3) WHERE producer_id = ?1 AND id = ?2";
    let (tenant, stamp) = (tx.tenant().number(), tx.stamp());
    tx.execute(sql, params![tenant, id, stamp]).await?;
    Ok(())
}

/// Gives a promoter another token. The one before opens nothing any more.
pub async fn renew(tx: &mut Move, id: &str, token: &Secret) -> Result<()> {
    let sql = "UPDATE promoters SET hash = ?3, last_four = ?4 WHERE producer_id = ?1 AND id = ?2";
    let tenant = tx.tenant().number();
    tx.execute(sql, params![tenant, id, &token.hash(), token.last_four()]).await?;
    Ok(())
}

/// A promoter with what they have sold, without what they gave away.
#[derive(Clone, Debug)]
pub struct Selling {
    /// The promoter.
    pub promoter: Promoter,
    /// What was sold in their name.
    pub sold: Sold,
}

fn read_selling(row: &Row<'_>) -> Result<Selling> {
    Ok(Selling { promoter: read(row)?, sold: Sold::read(row, WIDTH)? })
}

const SOLD: &str = "p.units, p.amount, p.refunded_units, p.refunded_amount";

/// A producer's promoter by the public id.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<Selling>> {
    conn.query_first(&FIND, params![tenant.number(), id], read_selling).await
}

/// The query of [`find`].
pub static FIND: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {COLUMNS}, {SOLD} FROM promoters p WHERE p.producer_id = ?1 AND p.id = ?2"));

/// The promoter whose token has this hash, even if they have ended.
pub async fn find_by_hash(conn: &mut Conn, tenant: Tenant, hash: &str) -> Result<Option<Selling>> {
    conn.query_first(&FIND_BY_HASH, params![tenant.number(), hash], read_selling).await
}

/// The query of [`find_by_hash`].
pub static FIND_BY_HASH: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {COLUMNS}, {SOLD} FROM promoters p WHERE p.producer_id = ?1 AND p.hash = ?2"));

/// An event's promoters in the order in which they began, and at most so many.
pub async fn of_event(conn: &mut Conn, tenant: Tenant, event_id: &str, limit: i64) -> Result<Vec<Selling>> {
    conn.collect(&OF_EVENT, params![tenant.number(), event_id, limit], read_selling).await
}

/// The query of [`of_event`].
pub static OF_EVENT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS}, {SOLD} FROM promoters p WHERE p.producer_id = ?1 AND p.event_id = ?2 \
         ORDER BY p.created_at LIMIT ?3"
    )
});

/// The promoters that orders of a group name.
#[derive(Debug, Default)]
pub struct KnownPromoters {
    by_id: HashMap<String, Promoter>,
    ids_by_hash: HashMap<String, String>,
}

impl KnownPromoters {
    /// Adds what was found.
    pub fn extend(&mut self, found: Vec<Found>) {
        for Found { hash, promoter } in found {
            self.ids_by_hash.insert(hash, promoter.id.clone());
            self.by_id.insert(promoter.id.clone(), promoter);
        }
    }

    /// Who is meant.
    pub fn find(&self, named: &NamedPromoter) -> Option<&Promoter> {
        match named {
            NamedPromoter::Id(id) => self.by_id.get(id),
            NamedPromoter::Token(hash) => self.by_id.get(self.ids_by_hash.get(hash)?),
        }
    }

    /// Counts tickets as given away, or as not given away any more, for whoever is decided next.
    pub fn give(&mut self, id: &str, tickets: i64) {
        if let Some(promoter) = self.by_id.get_mut(id) {
            promoter.given_away += tickets;
        }
    }
}

/// A promoter, and the hash of the token.
#[derive(Debug)]
pub struct Found {
    hash: String,
    promoter: Promoter,
}

/// Asks for promoters by their ids.
pub fn by_ids<'a>(tenant: Tenant, ids: &[&'a str], into: &'a mut Vec<Found>) -> Question<'a> {
    Question { sql: &BY_ID, sets: tenant.keys(ids), read: Box::new(|row: &Row<'_>| read_found(row, into)) }
}

/// Asks for promoters by the hashes of their tokens.
pub fn by_hashes<'a>(tenant: Tenant, hashes: &[&'a str], into: &'a mut Vec<Found>) -> Question<'a> {
    Question { sql: &BY_HASH, sets: tenant.keys(hashes), read: Box::new(|row: &Row<'_>| read_found(row, into)) }
}

fn read_found(row: &Row<'_>, into: &mut Vec<Found>) -> Result<()> {
    into.push(Found { hash: row.text(WIDTH)?.to_owned(), promoter: read(row)? });
    Ok(())
}

/// The query of [`by_ids`] for one promoter.
pub static BY_ID: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {COLUMNS}, p.hash FROM promoters p WHERE p.producer_id = ?1 AND p.id = ?2"));

/// The query of [`by_hashes`] for one promoter.
pub static BY_HASH: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {COLUMNS}, p.hash FROM promoters p WHERE p.producer_id = ?1 AND p.hash = ?2"));

/// Whose contingents the tickets of these orders are from: a promoter for each order that gave tickets away.
pub async fn who_gave(conn: &mut Conn, tenant: Tenant, order_ids: &[&str]) -> Result<HashMap<String, String>> {
    let read = |row: &Row<'_>| Ok((row.text(0)?.to_owned(), row.text(1)?.to_owned()));
    Ok(conn.collect_many(WHO_GAVE, &tenant.keys(order_ids), read).await?.into_iter().collect())
}

/// The query of [`who_gave`] for one order.
pub const WHO_GAVE: &str = "SELECT id, promoter_id FROM orders WHERE producer_id = ?1 AND id = ?2 AND channel = 'promoter' \
     AND promoter_id IS NOT NULL";
