//! The outbox: messages for endpoints, committed together with the change they report (G10).

use crate::{
    domain::{id, webhook::MessageKind},
    store::{
        Move, Result,
        engine::sql::{Param, params},
    },
};

/// Adds messages, each with its resource as the API shows it at this moment.
pub async fn add(tx: &mut Move, messages: &[(MessageKind, String)]) -> Result<()> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let mut ids = Vec::with_capacity(messages.len());
    for _ in messages {
        ids.push((tx.next_seq()?, id::new_id(ID_PREFIX, stamp)));
    }
    let sets: Vec<Vec<Param<'_>>> = messages
        .iter()
        .zip(&ids)
        .map(|((kind, data), (seq, id))| {
            vec![tenant.number().into(), (*seq).into(), id.into(), kind.as_str().into(), stamp.into(), data.into()]
        })
        .collect();
    tx.execute_many(
        "INSERT INTO outbox (producer_id, seq, id, kind, occurred_at, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        &sets,
    )
    .await?;
    Ok(())
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
