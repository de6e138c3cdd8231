//! Copies of orders and tickets: answers that are kept for whoever asks again, and messages for endpoints.
//!
//! A person is erased from the copies of what does not name them any more. Whoever bought again meanwhile is still named by
//! that order and its tickets, and so by their copies: a mirror would keep a state that never was.

use taquilla_domain::{clock::Stamp, config::PEOPLE_EXAMINED, whom::Whom};

use super::{
    find::read_person,
    texts::{about, erase_people},
};
use crate::{
    Conn, Error, Result, Store, Tenant,
    engine::sql::{Param, params},
    producers, transaction,
    webhooks::{delivery_log, endpoints},
};

/// A place among the answers to orders: when one was given, and its key.
pub type AnswerPlace = (Stamp, String);

/// The place before all answers.
pub fn first_answer() -> AnswerPlace {
    (Stamp::BEGINNING, String::new())
}

/// The last place of all copies that there are: the producer's clock, and the seq of a message.
pub async fn last(store: &Store, tenant: Tenant) -> Result<(Stamp, i64)> {
    let mut conn = store.read().await?;
    let clock = producers::clock(&mut conn, tenant).await?;
    let seq = conn.query_first(LAST_MESSAGE, params![tenant.number()], |row| row.int(0)).await?;
    Ok((clock, seq.unwrap_or(0)))
}

/// The seq of the last message.
pub const LAST_MESSAGE: &str = "SELECT seq FROM outbox WHERE producer_id = ?1 ORDER BY seq DESC LIMIT 1";

/// The next answers after a place, in the order of their age.
pub const ANSWERS: &str = "SELECT created_at, key, answer FROM idempotency_keys WHERE producer_id = ?1 \
     AND created_at >= ?2 AND (created_at, key) > (?2, ?3) ORDER BY created_at, key LIMIT ?4";

/// Erases whoever is meant from some answers to orders. Gives the place to go on after, or `None` after the last, and how
/// many answers named somebody.
pub async fn erase_answers(
    store: &Store,
    tenant: Tenant,
    (created_at, key): &AnswerPlace,
    whom: &Whom,
) -> Result<(Option<AnswerPlace>, i64)> {
    let values = params![tenant.number(), *created_at, key, PEOPLE_EXAMINED];
    let mut conn = store.read().await?;
    let page = conn
        .collect(ANSWERS, values, |row| Ok(((row.stamp(0)?, row.text(1)?.to_owned()), row.text(2)?.to_owned())))
        .await?;
    let mut erased = Vec::new();
    for ((created_at, key), answer) in &page {
        if let Some(answer) = erase_copy(&mut conn, tenant, answer, whom).await? {
            erased.push((key, *created_at, answer));
        }
    }
    drop(conn);
    if !erased.is_empty() {
        transaction!(store.begin_unstamped(), |tx| {
            let mut sets: Vec<Vec<Param<'_>>> = Vec::with_capacity(erased.len());
            for (key, created_at, answer) in &erased {
                sets.push(vec![tenant.number().into(), (*key).into(), (*created_at).into(), answer.into()]);
            }
            // A buyer may have used the key anew meanwhile.
            let sql = "UPDATE idempotency_keys SET answer = ?4 WHERE producer_id = ?1 AND key = ?2 AND created_at = ?3";
            tx.execute_many(sql, &sets).await
        })?;
    }
    Ok((page.last().map(|(place, _)| place.clone()), erased.len() as i64))
}

/// A message about a ticket or an order.
struct KeptMessage {
    seq: i64,
    id: String,
    data: String,
}

/// The next messages after a seq.
pub const MESSAGES: &str = "SELECT seq, id, data FROM outbox WHERE producer_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";

/// Erases whoever is meant from some messages, and what receivers answered to them. Gives the seq to go on after, or `None`
/// after the last, and how many messages named somebody.
pub async fn erase_messages(store: &Store, tenant: Tenant, after: i64, whom: &Whom) -> Result<(Option<i64>, i64)> {
    let mut conn = store.read().await?;
    let values = params![tenant.number(), after, PEOPLE_EXAMINED];
    let read = |row: &crate::engine::sql::Row<'_>| {
        Ok(KeptMessage { seq: row.int(0)?, id: row.text(1)?.to_owned(), data: row.text(2)?.to_owned() })
    };
    let page = conn.collect(MESSAGES, values, read).await?;
    let last = page.last().map(|kept| kept.seq);
    let mut erased = Vec::new();
    for KeptMessage { seq, id, data } in page {
        if let Some(data) = erase_copy(&mut conn, tenant, &data, whom).await? {
            erased.push(KeptMessage { seq, id, data });
        }
    }
    if erased.is_empty() {
        return Ok((last, 0));
    }
    let sent = deliveries_of(&mut conn, tenant, &erased).await?;
    drop(conn);
    transaction!(store.begin_unstamped(), |tx| {
        let mut sets: Vec<Vec<Param<'_>>> = Vec::with_capacity(erased.len());
        for kept in &erased {
            sets.push(vec![tenant.number().into(), kept.seq.into(), (&kept.data).into()]);
        }
        tx.execute_many("UPDATE outbox SET data = ?3 WHERE producer_id = ?1 AND seq = ?2", &sets).await?;
        let mut sets: Vec<Vec<Param<'_>>> = Vec::with_capacity(sent.len());
        for (endpoint_id, sequence) in &sent {
            sets.push(vec![tenant.number().into(), endpoint_id.into(), (*sequence).into()]);
        }
        // A receiver may answer with what it was sent.
        let sql = "UPDATE webhook_attempts SET response = '' WHERE producer_id = ?1 AND endpoint_id = ?2 \
             AND sequence = ?3";
        tx.execute_many(sql, &sets).await?;
        Ok::<_, Error>(())
    })?;
    Ok((last, erased.len() as i64))
}

/// The places of messages in the sequences of endpoints.
async fn deliveries_of(conn: &mut Conn, tenant: Tenant, messages: &[KeptMessage]) -> Result<Vec<(String, i64)>> {
    let mut found = Vec::new();
    for endpoint in endpoints::list(conn, tenant).await? {
        for message in messages {
            if let Some(sequence) = delivery_log::sequence_of(conn, &endpoint, &message.id).await? {
                found.push((endpoint.id.clone(), sequence));
            }
        }
    }
    Ok(found)
}

/// A copy with everybody erased who is meant; `None` if nobody is, or if its order or ticket names them still.
async fn erase_copy(conn: &mut Conn, tenant: Tenant, text: &str, whom: &Whom) -> Result<Option<String>> {
    let Some(erased) = erase_people(text, whom)? else { return Ok(None) };
    let id = about(text);
    let read = |row: &crate::engine::sql::Row<'_>| Ok((row.text(0)?.to_owned(), read_person(row, 1)?));
    let named = conn.collect(NAMED, params![tenant.number(), &id], read).await?;
    let is_named = named.iter().any(|(event_id, person)| whom.means(event_id, person));
    Ok(if is_named { None } else { Some(erased) })
}

/// Whom an order or a ticket names now. Ids of tickets are no ids of orders.
pub const NAMED: &str = "SELECT event_id, buyer_name, buyer_email, buyer_phone, buyer_document FROM orders \
     WHERE producer_id = ?1 AND id = ?2 \
     UNION ALL SELECT event_id, attendee_name, attendee_email, attendee_phone, attendee_document FROM tickets \
     WHERE producer_id = ?1 AND id = ?2";
