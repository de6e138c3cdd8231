//! Answers to orders, kept under the idempotency key that makes an order safe to repeat.

use std::collections::HashMap;

use taquilla_domain::clock::Stamp;

use crate::{
    Conn, Move, Question, Result, Tenant, Unstamped, Write,
    engine::sql::{Param, Row, params},
};

/// A key that makes a request safe to repeat, and the hash of what was requested.
#[derive(Clone, Debug)]
pub struct Idempotency {
    /// The key.
    pub key: String,
    /// The hash that tells one request from another.
    pub request_hash: String,
    /// The hash that the same request had by an earlier rule, if there was another one. Answers are kept for days, so one
    /// that was given before an upgrade has it.
    pub earlier_hash: Option<String>,
}

impl Idempotency {
    /// Whether a stored hash is of the same request.
    pub fn is_of(&self, stored: &str) -> bool {
        stored == self.request_hash || self.earlier_hash.as_deref() == Some(stored)
    }
}

/// The requests that used an idempotency key before, by key: the request's hash and the answer it got.
pub type Answered = HashMap<String, (String, String)>;

/// Asks for the requests that used these idempotency keys before.
pub fn find_answers<'a>(tenant: Tenant, keys: &[&'a str], into: &'a mut Answered) -> Question<'a> {
    let read = |row: &Row<'_>| {
        into.insert(row.text(0)?.to_owned(), (row.text(1)?.to_owned(), row.text(2)?.to_owned()));
        Ok(())
    };
    Question { sql: FIND, sets: tenant.keys(keys), read: Box::new(read) }
}

/// The query of [`find_answers`] for one key.
pub const FIND: &str = "SELECT key, request_hash, answer FROM idempotency_keys WHERE producer_id = ?1 AND key = ?2";

/// Keeps the answers to orders placed with these idempotency keys.
pub fn keep_answers<'a>(tx: &Move, answers: &'a [(Idempotency, String)]) -> Write<'a> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let sets = answers
        .iter()
        .map(|(Idempotency { key, request_hash, .. }, answer)| {
            vec![tenant.number().into(), key.into(), request_hash.into(), answer.into(), stamp.into()]
        })
        .collect();
    let sql =
        "INSERT INTO idempotency_keys (producer_id, key, request_hash, answer, created_at) VALUES (?1, ?2, ?3, ?4, ?5)";
    Write::new(sql, sets)
}

/// The keys of the oldest answers that were given before this.
pub async fn old(conn: &mut Conn, tenant: Tenant, before: Stamp, limit: i64) -> Result<Vec<String>> {
    conn.collect(OLD, params![tenant.number(), before, limit], |row| Ok(row.text(0)?.to_owned())).await
}

/// See [`old`].
pub const OLD: &str =
    "SELECT key FROM idempotency_keys WHERE producer_id = ?1 AND created_at < ?2 ORDER BY created_at LIMIT ?3";

/// Forgets some of the [`old`] answers.
pub async fn forget(tx: &mut Unstamped, tenant: Tenant, before: Stamp, limit: i64) -> Result<()> {
    let keys = old(tx, tenant, before, limit).await?;
    let sets: Vec<Vec<Param<'_>>> =
        keys.iter().map(|key| vec![tenant.number().into(), key.into(), before.into()]).collect();
    // Another server may have forgotten it meanwhile, and a buyer may have used the key anew.
    let sql = "DELETE FROM idempotency_keys WHERE producer_id = ?1 AND key = ?2 AND created_at < ?3";
    tx.execute_many(sql, &sets).await?;
    Ok(())
}
