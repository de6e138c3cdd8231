//! What a database must not go on with as it was, once it was restored.
//!
//! Whatever happened after the backup is gone, but clients remember it. Clocks go on after every stamp that may have been
//! given out, so a client's mark never hides a new row; and the time in between is written down, so that a client whose mark
//! is from it is told to load anew.

use taquilla_domain::{
    audit::{Action, By},
    clock::Stamp,
    config::RESTORED_SEQUENCE_STEP,
};

use super::{
    foretold::{NotSetRight, foretell},
    lost::{clocks, lost},
};
use crate::{
    Result, Store, Tenant,
    engine::{
        sql::{Param, params},
        transaction::Transaction,
    },
    staff::audit,
    transaction,
};

/// A restored database: of when it is, and what is known that it cannot know.
pub struct Restoration<'a> {
    /// When the backup was made. `None` if that is not known: then it may have been right after the last move.
    pub taken_at: Option<Stamp>,
    /// Who restores it, and when.
    pub by: &'a By,
    /// Keys, door links and users that were revoked or disabled since.
    pub revoked: &'a [Revoked],
}

/// A key, a door link or a user that was revoked or disabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revoked {
    /// Its id.
    pub id: String,
    /// When.
    pub at: Stamp,
}

/// Sets a database right that was restored by other means than [`Filling`](super::filling::Filling), unless the time that is
/// given for its state cannot be true.
pub async fn restored_elsewhere(store: &Store, restoration: &Restoration<'_>) -> Result<usize, NotSetRight> {
    transaction!(store.begin_unstamped(), |tx| {
        foretell(tx, restoration.taken_at, restoration.by.now).await?;
        Ok(set_right(tx, restoration).await?)
    })
}

/// Sets everything right. How many keys, links and users were revoked.
pub(super) async fn set_right(tx: &mut Transaction, restoration: &Restoration<'_>) -> Result<usize> {
    lose_history(tx, restoration).await?;
    for sql in SET_RIGHT {
        tx.batch(sql).await?;
    }
    skip_places(tx).await?;
    let now = restoration.by.now;
    tx.execute(GIVE_UP_IMPORTS, params![now]).await?;
    revoke(tx, restoration).await
}

/// - Sessions that were ended since, and links that were used since, must not work again.
/// - Nobody goes on to refund orders before staff have seen what is left of them.
/// - Of files that were on their way in, nothing is kept.
const SET_RIGHT: [&str; 4] = [
    "DELETE FROM sessions",
    "DELETE FROM staff_links",
    "UPDATE work SET state = 'stopped', leased_until = 0 WHERE kind = 'refund' AND state = 'running'",
    "DELETE FROM uploads",
];

const GIVE_UP_IMPORTS: &str = "UPDATE work SET state = 'given_up', finished_at = ?1, leased_until = 0 \
     WHERE kind = 'import' AND finished_at IS NULL";

/// Places in the sequences of endpoints go on at the next full step: those after the backup were given out before, to other
/// messages, and a receiver sees by the jump that some are missing.
async fn skip_places(tx: &mut Transaction) -> Result<()> {
    let sql = "UPDATE webhook_endpoints SET last_sequence = (last_sequence / ?1 + 1) * ?1";
    tx.execute(sql, params![RESTORED_SEQUENCE_STEP]).await?;
    Ok(())
}

/// Sets every producer's clock after all that it may have given out, and writes down what was lost.
async fn lose_history(tx: &mut Transaction, restoration: &Restoration<'_>) -> Result<()> {
    let Restoration { taken_at, by, .. } = restoration;
    let clocks = clocks(tx).await?;
    let taken = taken_at.map_or_else(String::new, |at| at.to_string());
    let details = [("taken_at", taken.as_str())];
    audit::add(tx, None, by, Action::DatabaseRestored, "", &details).await?;
    for (tenant, clock) in &clocks {
        audit::add(tx, Some(*tenant), by, Action::DatabaseRestored, "", &details).await?;
        let (after, until) = lost(*clock, *taken_at, by.now);
        tx.execute("UPDATE clocks SET clock = ?2 WHERE producer_id = ?1", params![tenant.number(), until]).await?;
        let sql = "INSERT INTO lost_history (producer_id, lost_until, lost_after, restored_at) VALUES (?1, ?2, ?3, ?4)";
        tx.execute(sql, params![tenant.number(), until, after, by.now]).await?;
    }
    Ok(())
}

/// Revokes what the operator knows to be revoked. Ids that are not here were made after the backup.
async fn revoke(tx: &mut Transaction, restoration: &Restoration<'_>) -> Result<usize> {
    let mut revoked = 0;
    for Revoked { id, at } in restoration.revoked {
        let set: &[Param<'_>] = params![id.as_str(), *at];
        for (table, column, action) in REVOCABLE {
            let sql = format!("UPDATE {table} SET {column} = ?2 WHERE id = ?1 AND {column} IS NULL");
            if tx.execute(&sql, set).await? == 0 {
                continue;
            }
            revoked += 1;
            let since = at.to_string();
            let details = [("since", since.as_str())];
            match action {
                Action::UserDisabled => audit::add_for_user(tx, id, restoration.by, *action, id, &details).await?,
                _ => {
                    let sql = format!("SELECT producer_id FROM {table} WHERE id = ?1");
                    let owner = tx.query_first(&sql, &set[..1], |row| row.int(0).map(Tenant::from_column)).await?;
                    audit::add(tx, owner, restoration.by, *action, id, &details).await?;
                }
            }
        }
    }
    Ok(revoked)
}

/// What can be revoked, and what is then written down.
const REVOCABLE: &[(&str, &str, Action)] = &[
    ("api_keys", "revoked_at", Action::KeyRevoked),
    ("door_links", "revoked_at", Action::DoorLinkRevoked),
    ("users", "disabled_at", Action::UserDisabled),
];
