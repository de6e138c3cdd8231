//! Deletes old attempts, deliveries and messages, a few at a time.

use taquilla_domain::{
    clock::Stamp,
    config::{PRUNE_PAUSE, PRUNED_TOGETHER, WEBHOOK_KEPT},
    webhook::DeliveryStatus,
};

use super::endpoints;
use crate::{
    Error, Result, Store, Tenant,
    engine::sql::{Param, params},
    transaction,
};

/// Deletes one producer's old webhook rows.
pub async fn prune(store: &Store, tenant: Tenant, now: Stamp) -> Result<()> {
    for (endpoint_id, is_deleted) in all_endpoints(store, tenant).await? {
        if is_deleted {
            forget_endpoint(store, tenant, &endpoint_id).await?;
        } else {
            give_up_waiting(store, tenant, &endpoint_id, now).await?;
            for status in [DeliveryStatus::Delivered, DeliveryStatus::Failed] {
                while forget_deliveries(store, tenant, &endpoint_id, status, now, false).await? > 0 {
                    tokio::time::sleep(PRUNE_PAUSE).await;
                }
            }
        }
    }
    while forget_messages(store, tenant, now).await? > 0 {
        tokio::time::sleep(PRUNE_PAUSE).await;
    }
    Ok(())
}

async fn all_endpoints(store: &Store, tenant: Tenant) -> Result<Vec<(String, bool)>> {
    let sql = "SELECT id, deleted_at FROM webhook_endpoints WHERE producer_id = ?1 ORDER BY id";
    let mut conn = store.read().await?;
    conn.collect(sql, params![tenant.number()], |row| Ok((row.text(0)?.to_owned(), row.opt_int(1)?.is_some()))).await
}

/// Deletes a deleted endpoint's deliveries, and then its row.
async fn forget_endpoint(store: &Store, tenant: Tenant, id: &str) -> Result<()> {
    for status in DeliveryStatus::ALL {
        while forget_deliveries(store, tenant, id, *status, Stamp::END, true).await? > 0 {
            tokio::time::sleep(PRUNE_PAUSE).await;
        }
    }
    transaction!(store.begin_unstamped(), |tx| {
        let sql = "DELETE FROM webhook_endpoints WHERE producer_id = ?1 AND id = ?2 AND deleted_at IS NOT NULL";
        tx.execute(sql, params![tenant.number(), id]).await?;
        Ok::<_, Error>(())
    })
}

/// Marks deliveries as failed that have waited for WEBHOOK_KEPT because their endpoint is not active.
async fn give_up_waiting(store: &Store, tenant: Tenant, id: &str, now: Stamp) -> Result<()> {
    loop {
        let given_up = transaction!(store.begin_unstamped(), |tx| {
            let Some(endpoint) = endpoints::lock(tx, tenant, id).await? else { return Ok(0) };
            if endpoint.state.is_sent_to() {
                return Ok(0);
            }
            tx.execute(
                "UPDATE webhook_deliveries SET status = 'failed', due_at = ?3 WHERE producer_id = ?1 \
                 AND endpoint_id = ?2 AND sequence IN (SELECT sequence FROM webhook_deliveries WHERE producer_id = ?1 \
                 AND endpoint_id = ?2 AND status = 'pending' AND due_at <= ?5 ORDER BY due_at, sequence LIMIT ?4)",
                params![tenant.number(), id, now.plus(WEBHOOK_KEPT), PRUNED_TOGETHER, long_ago(now)],
            )
            .await
        })?;
        if given_up == 0 {
            return Ok(());
        }
        tokio::time::sleep(PRUNE_PAUSE).await;
    }
}

fn long_ago(now: Stamp) -> Stamp {
    now.minus(WEBHOOK_KEPT)
}

/// Deletes some deliveries whose `due_at` has passed, with their attempts.
async fn forget_deliveries(
    store: &Store,
    tenant: Tenant,
    endpoint_id: &str,
    status: DeliveryStatus,
    due: Stamp,
    of_deleted: bool,
) -> Result<usize> {
    transaction!(store.begin_unstamped(), |tx| {
        // The lock keeps a replay from reviving a delivery that is being deleted. Nobody replays those of a deleted
        // endpoint.
        if !of_deleted && endpoints::lock(tx, tenant, endpoint_id).await?.is_none() {
            return Ok(0);
        }
        let values = params![tenant.number(), endpoint_id, status.as_str(), due, PRUNED_TOGETHER];
        let settled = tx.collect(SETTLED, values, |row| row.int(0)).await?;
        let keys: Vec<Vec<Param<'_>>> = settled
            .iter()
            .map(|sequence| vec![tenant.number().into(), endpoint_id.into(), (*sequence).into()])
            .collect();
        for table in ["webhook_attempts", "webhook_deliveries"] {
            let sql = format!("DELETE FROM {table} WHERE producer_id = ?1 AND endpoint_id = ?2 AND sequence = ?3");
            tx.execute_many(&sql, &keys).await?;
        }
        Ok::<_, Error>(settled.len())
    })
}

/// The lowest seq that any endpoint still needs; see `forget_messages`.
pub const NEEDED: &str = "SELECT min(coalesce((SELECT d.message_seq FROM webhook_deliveries d \
     WHERE d.producer_id = ?1 AND d.endpoint_id = e.id ORDER BY d.sequence LIMIT 1), e.outbox_seq + 1)) \
     FROM webhook_endpoints e WHERE e.producer_id = ?1";

/// The query of `forget_deliveries`.
pub const SETTLED: &str = "SELECT sequence FROM webhook_deliveries WHERE producer_id = ?1 AND endpoint_id = ?2 \
     AND status = ?3 AND due_at <= ?4 ORDER BY due_at, sequence LIMIT ?5";

/// Deletes some old messages that no endpoint needs any more.
async fn forget_messages(store: &Store, tenant: Tenant, now: Stamp) -> Result<u64> {
    let before = long_ago(now);
    transaction!(store.begin_unstamped(), |tx| {
        // An endpoint with deliveries needs the message of its first delivery and all later ones. An endpoint without
        // any needs those after `outbox_seq`.
        let needed = tx.query_first(NEEDED, params![tenant.number()], |row| row.opt_int(0)).await?.flatten();
        let mut last = None;
        tx.query_while(
            "SELECT seq, occurred_at FROM outbox WHERE producer_id = ?1 AND seq < ?2 ORDER BY seq LIMIT ?3",
            params![tenant.number(), needed.unwrap_or(i64::MAX), PRUNED_TOGETHER],
            |row| {
                let is_old = row.stamp(1)? < before;
                if is_old {
                    last = Some(row.int(0)?);
                }
                Ok(is_old)
            },
        )
        .await?;
        match last {
            Some(last) => {
                tx.execute("DELETE FROM outbox WHERE producer_id = ?1 AND seq <= ?2", params![tenant.number(), last])
                    .await
            }
            None => Ok(0),
        }
    })
}
