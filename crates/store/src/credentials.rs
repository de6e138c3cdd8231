//! What API keys and door links share in the database: revocation and the last use.

use taquilla_domain::{clock::Stamp, credential::Life};

use super::{
    Result, Tenant, Unstamped,
    engine::sql::{Row, params},
};

/// A kind of credential.
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

/// How many columns that are.
pub(super) const LIFE_WIDTH: usize = 4;

/// Reads the columns of [`LIFE`]; `first` is the number of the first one.
pub(super) fn read_life(row: &Row<'_>, first: usize) -> Result<Life> {
    Ok(Life {
        created_at: row.stamp(first)?,
        expires_at: row.opt_stamp(first + 1)?,
        revoked_at: row.opt_stamp(first + 2)?,
        last_used_at: row.opt_stamp(first + 3)?,
    })
}

/// Revokes a producer's credential. The time of the first revocation stays. `false` when there is none with this id.
///
/// It takes nothing from the producer's clock: a lost phone must be locked out also while an import holds the clock (G9).
pub async fn revoke(tx: &mut Unstamped, tenant: Tenant, what: Credential, id: &str, now: Stamp) -> Result<bool> {
    let table = what.table();
    let sql = format!("UPDATE {table} SET revoked_at = coalesce(revoked_at, ?3) WHERE producer_id = ?1 AND id = ?2");
    Ok(tx.execute(&sql, params![tenant.number(), id, now]).await? > 0)
}

/// Notes that a credential was used, unless a use after `not_since` is already noted, for example by another server.
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
