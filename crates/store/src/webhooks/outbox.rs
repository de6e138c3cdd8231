//! The outbox: messages for endpoints, committed together with the change they report (G10).
//!
//! A move writes its messages, with the resource as the API shows it then, and does nothing else about webhooks. Moves
//! commit in the order of their seqs, so "everything after `outbox_seq`" misses none. A message's id holds its time, so
//! a replay finds it by halving, without an index that every scan would pay for.

use taquilla_domain::{clock::Stamp, id, webhook::MessageKind};

use crate::{Move, Result, Write, engine::sql::params};

/// A message to be written, with its resource as the API shows it at this moment.
pub struct Message {
    kind: MessageKind,
    id: String,
    data: String,
}

impl Message {
    /// A message of a move with this stamp.
    pub fn new(kind: MessageKind, data: String, stamp: Stamp) -> Self {
        Self { kind, id: id::new_id(ID_PREFIX, stamp), data }
    }
}

/// Adds messages, in their order.
pub async fn add(tx: &mut Move, messages: &[Message]) -> Result<()> {
    let write = write(tx, messages)?;
    tx.write_all(vec![write]).await
}

/// Does what [`add`] does, together with other writes.
pub fn write<'a>(tx: &mut Move, messages: &'a [Message]) -> Result<Write<'a>> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    // A long move begins without saying so.
    tx.concerns(tenant);
    let first = tx.next_seqs(messages.len() as i64)?;
    let sets = messages
        .iter()
        .zip(first..)
        .map(|(Message { kind, id, data }, seq)| {
            vec![tenant.number().into(), seq.into(), id.into(), kind.as_str().into(), stamp.into(), data.into()]
        })
        .collect();
    let sql = "INSERT INTO outbox (producer_id, seq, id, kind, occurred_at, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    Ok(Write::new(sql, sets))
}

/// Adds a test message for one endpoint and returns its id.
pub async fn add_test(tx: &mut Move, endpoint_id: &str, data: &str) -> Result<String> {
    let (tenant, stamp, seq) = (tx.tenant(), tx.stamp(), tx.next_seq()?);
    let id = id::new_id(ID_PREFIX, stamp);
    tx.execute(
        "INSERT INTO outbox (producer_id, seq, id, kind, occurred_at, data, endpoint_id) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![tenant.number(), seq, &id, MessageKind::WebhookTest.as_str(), stamp, data, endpoint_id],
    )
    .await?;
    Ok(id)
}

/// The prefix of message ids.
pub(super) const ID_PREFIX: &str = "we";
