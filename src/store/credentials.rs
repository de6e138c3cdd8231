//! What API keys and door links share in the database: being revoked, and being noted as used.

use super::{
    Move, Result, Tenant, Unstamped,
    engine::sql::{Row, params},
};
use crate::domain::{clock::Stamp, credential::Life};

/// Which credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Credential {
    /// API keys.
    Key,
    /// Door links.
    DoorLink,
}

impl Credential {
    const fn table(self) -> &'static str {
        match self {
            Self::Key => "api_keys",
            Self::DoorLink => "door_links",
        }
    }
}

/// The columns of a [`Life`], in the order that [`read_life`] takes them.
pub(super) const LIFE: &str = "created_at, expires_at, revoked_at, last_used_at";

/// Reads the columns of [`LIFE`] from this one on.
pub(super) fn read_life(row: &Row<'_>, first: usize) -> Result<Life> {
    Ok(Life {
        created_at: row.stamp(first)?,
        expires_at: row.opt_stamp(first + 1)?,
        revoked_at: row.opt_stamp(first + 2)?,
        last_used_at: row.opt_stamp(first + 3)?,
    })
}

/// Revokes a credential of the move's producer. The first revocation's time stays. `false` when there is none with this id.
pub async fn revoke(tx: &mut Move, what: Credential, id: &str) -> Result<bool> {
    let (table, tenant, now) = (what.table(), tx.tenant(), tx.stamp());
    let sql = format!("UPDATE {table} SET revoked_at = coalesce(revoked_at, ?3) WHERE producer_id = ?1 AND id = ?2");
    Ok(tx.execute(&sql, params![tenant.number(), id, now]).await? > 0)
}

/// Notes that a credential was used, unless a use since `not_since` is already noted (by another server, say).
pub async fn touch(
    tx: &mut Unstamped,
    tenant: Tenant,
    what: Credential,
    id: &str,
    now: Stamp,
    not_since: Stamp,
) -> Result<()> {
    let sql = format!(
        "UPDATE {} SET last_used_at = ?3 WHERE producer_id = ?1 AND id = ?2 \
         AND (last_used_at IS NULL OR last_used_at <= ?4)",
        what.table()
    );
    tx.execute(&sql, params![tenant.number(), id, now, not_since]).await?;
    Ok(())
}
