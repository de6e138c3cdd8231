//! API keys at rest: hashes, permissions, revocation, last use.

use crate::{
    domain::{
        clock::Stamp,
        id,
        key::{Permissions, Secret},
    },
    transaction,
    wire::KeyInfo,
};

use super::{
    Conn, Error, Result, Store,
    producers::Tenant,
    sql::{Row, params},
};

/// A key as the database knows it.
#[derive(Clone, Debug)]
pub struct Key {
    /// Whose rows it reads.
    pub tenant: Tenant,
    /// Its public id (`key_…`).
    pub id: String,
    /// What its owner called it.
    pub name: String,
    /// What it may read.
    pub permissions: Permissions,
    /// The last four characters of the secret.
    pub last_four: String,
    /// When it was created.
    pub created_at: Stamp,
    /// When it stops working by itself.
    pub expires_at: Option<Stamp>,
    /// When it was revoked.
    pub revoked_at: Option<Stamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Stamp>,
}

const COLUMNS: &str = "producer_id, id, name, permissions, last_four, created_at, expires_at, revoked_at, last_used_at";

impl Key {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            tenant: Tenant::from_column(row.int(0)?),
            id: row.text(1)?.to_owned(),
            name: row.text(2)?.to_owned(),
            permissions: read_permissions(row, 3)?,
            last_four: row.text(4)?.to_owned(),
            created_at: row.stamp(5)?,
            expires_at: row.opt_stamp(6)?,
            revoked_at: row.opt_stamp(7)?,
            last_used_at: row.opt_stamp(8)?,
        })
    }
}

fn read_permissions(row: &Row<'_>, column: usize) -> Result<Permissions> {
    Permissions::parse(row.text(column)?).ok_or_else(|| Error::internal("a key with an unknown permission"))
}

impl From<&Key> for KeyInfo {
    fn from(key: &Key) -> Self {
        Self {
            id: key.id.clone(),
            name: key.name.clone(),
            permissions: key.permissions.iter().collect(),
            created_at: key.created_at.into(),
            last_used_at: key.last_used_at.map(Into::into),
            expires_at: key.expires_at.map(Into::into),
        }
    }
}

/// Keeps a new key's hash and tells its record. The secret itself stays with the caller.
pub async fn create(
    store: &Store,
    tenant: Tenant,
    secret: &Secret,
    name: &str,
    permissions: Permissions,
    expires_at: Option<Stamp>,
    now: Stamp,
) -> Result<Key> {
    let key = Key {
        tenant,
        id: id::new_id("key", now),
        name: name.to_owned(),
        permissions,
        last_four: secret.last_four().to_owned(),
        created_at: now,
        expires_at,
        revoked_at: None,
        last_used_at: None,
    };
    transaction!(store, |tx| {
        tx.execute(
            "INSERT INTO api_keys (producer_id, id, name, permissions, last_four, created_at, expires_at, hash) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                tenant.number(),
                &key.id,
                name,
                &permissions.to_string(),
                &key.last_four,
                now,
                expires_at,
                &secret.hash()
            ],
        )
        .await
    })?;
    Ok(key)
}

/// What every request asks of its key, and nothing more.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Whose rows it reads.
    pub tenant: Tenant,
    /// Its public id.
    pub id: String,
    /// What it may read.
    pub permissions: Permissions,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Stamp>,
    expires_at: Option<Stamp>,
    revoked_at: Option<Stamp>,
}

const FIND_BY_HASH: &str =
    "SELECT producer_id, id, permissions, last_used_at, expires_at, revoked_at FROM api_keys WHERE hash = ?1";

impl Checked {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            tenant: Tenant::from_column(row.int(0)?),
            id: row.text(1)?.to_owned(),
            permissions: read_permissions(row, 2)?,
            last_used_at: row.opt_stamp(3)?,
            expires_at: row.opt_stamp(4)?,
            revoked_at: row.opt_stamp(5)?,
        })
    }

    /// Whether the key opens anything at this moment.
    pub fn works(&self, now: Stamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|expiry| now < expiry)
    }
}

/// The key with this hash, whatever its state.
pub async fn find_by_hash(conn: &mut Conn, hash: &str) -> Result<Option<Checked>> {
    conn.query_first(FIND_BY_HASH, params![hash], Checked::read).await
}

/// Asks for the key with this hash together with the connection's next statement, which is as good as not asked where
/// `check` refuses the answer.
pub fn check_along(
    conn: &mut Conn,
    hash: String,
    check: impl FnOnce(Option<Checked>) -> Result<()> + Send + Sync + 'static,
) -> Result<()> {
    conn.check_along(FIND_BY_HASH, hash, move |row| check(row.map(Checked::read).transpose()?))
}

/// A producer's key by its public id.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<Key>> {
    let sql = format!("SELECT {COLUMNS} FROM api_keys WHERE id = ?1 AND producer_id = ?2");
    conn.query_first(&sql, params![id, tenant.number()], Key::read).await
}

/// A producer's keys, newest first.
pub async fn list(conn: &mut Conn, tenant: Tenant) -> Result<Vec<Key>> {
    let sql = format!("SELECT {COLUMNS} FROM api_keys WHERE producer_id = ?1 ORDER BY created_at DESC");
    let mut keys = Vec::new();
    conn.query(&sql, params![tenant.number()], |row| {
        keys.push(Key::read(row)?);
        Ok(())
    })
    .await?;
    Ok(keys)
}

/// Revokes a key by its public id. The first revocation's time stays. `None` when there is no such key.
pub async fn revoke(store: &Store, id: &str, now: Stamp) -> Result<Option<Key>> {
    let sql = format!("UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1 RETURNING {COLUMNS}");
    transaction!(store, |tx| tx.query_first(&sql, params![id, now], Key::read).await)
}

/// Notes that a key was used, unless a use since `not_since` is already noted (by another server, say).
pub async fn touch(conn: &mut Conn, id: &str, now: Stamp, not_since: Stamp) -> Result<()> {
    conn.execute(
        "UPDATE api_keys SET last_used_at = ?2 WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at <= ?3)",
        params![id, now, not_since],
    )
    .await?;
    Ok(())
}
