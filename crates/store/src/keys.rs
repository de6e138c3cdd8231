//! API keys in the database: permissions, and of each secret only the hash.

use std::sync::Arc;

use taquilla_domain::{
    clock::Stamp,
    credential::Life,
    key::{Key, Permissions, Secret},
};

use super::{
    Conn, Error, Move, Result, Tenant,
    credentials::{LIFE, read_life},
    engine::sql::{KeptParam, Row, params},
};

const COLUMNS: &str = "id, name, permissions, last_four";

fn read(row: &Row<'_>) -> Result<Key> {
    Ok(Key {
        id: row.text(0)?.to_owned(),
        name: row.text(1)?.to_owned(),
        permissions: read_permissions(row, 2)?,
        last_four: row.text(3)?.to_owned(),
        life: read_life(row, 4)?,
    })
}

fn read_permissions(row: &Row<'_>, column: usize) -> Result<Permissions> {
    Permissions::parse(row.text(column)?).ok_or_else(|| Error::internal("a key with an unknown permission"))
}

/// Stores a new key, and only the hash of its secret.
pub async fn insert(tx: &mut Move, key: &Key, secret: &Secret) -> Result<()> {
    let tenant = tx.tenant();
    tx.execute(
        "INSERT INTO api_keys (producer_id, id, name, permissions, last_four, created_at, expires_at, hash) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            tenant.number(),
            &key.id,
            &key.name,
            &key.permissions.to_string(),
            &key.last_four,
            key.life.created_at,
            key.life.expires_at,
            &secret.hash()
        ],
    )
    .await?;
    Ok(())
}

/// The part of a key that every request needs.
#[derive(Debug)]
pub struct Checked {
    /// The producer whose rows the key reads.
    pub tenant: Tenant,
    /// That producer's public id.
    pub producer: String,
    /// Its public id.
    pub id: String,
    /// What it may read.
    pub permissions: Permissions,
    stored_permissions: String,
    life: Life,
}

/// The query of [`find_by_hash`].
pub const FIND_BY_HASH: &str = "SELECT producer_id, id, permissions, created_at, expires_at, revoked_at, last_used_at, \
     (SELECT p.id FROM producers p WHERE p.producer_id = k.producer_id) FROM api_keys k WHERE hash = ?1";

impl Checked {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            tenant: Tenant::from_column(row.int(0)?),
            id: row.text(1)?.to_owned(),
            permissions: read_permissions(row, 2)?,
            stored_permissions: row.text(2)?.to_owned(),
            life: read_life(row, 3)?,
            producer: row.text(7)?.to_owned(),
        })
    }

    /// Whether the key is neither expired nor revoked.
    pub fn works(&self, now: Stamp) -> bool {
        self.life.works(now)
    }

    /// When it was last used, to the minute.
    pub fn last_used_at(&self) -> Option<Stamp> {
        self.life.last_used_at
    }
}

/// The key with this hash, even if it is expired or revoked.
pub async fn find_by_hash(conn: &mut Conn, hash: &str) -> Result<Option<Arc<Checked>>> {
    conn.query_first_unless_unchanged(FIND_BY_HASH, hash, |row| Checked::read(row).map(Arc::new)).await
}

/// Whether a key is still as it was read, and works. It says in SQL what [`Life::works`] says. It finds the key by its
/// hash: the `+ 0` keeps PostgreSQL from reading all keys of the producer instead.
const STILL_WORKS: &str = "SELECT 1 FROM api_keys WHERE hash = ?1 AND producer_id + 0 = ?2 AND permissions = ?3 \
     AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?4)";

/// Checks a key that was read before, as a part of the connection's next statement. If it is no longer as it was or no
/// longer works, that statement gives no rows but [`Error::KeyRefused`], and `refused` is called.
pub fn check_along(
    conn: &mut Conn,
    hash: String,
    key: &Checked,
    now: Stamp,
    refused: impl FnOnce() + Send + Sync + 'static,
) -> Result<()> {
    let params = vec![
        KeptParam::Text(hash),
        KeptParam::Int(key.tenant.number()),
        KeptParam::Text(key.stored_permissions.clone()),
        KeptParam::Int(now.micros()),
    ];
    conn.check_along(STILL_WORKS, params, refused)
}

/// A producer's key by its public id.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<Key>> {
    let sql = format!("SELECT {COLUMNS}, {LIFE} FROM api_keys WHERE id = ?1 AND producer_id = ?2");
    conn.query_first(&sql, params![id, tenant.number()], read).await
}

/// A producer's keys, newest first.
pub async fn list(conn: &mut Conn, tenant: Tenant) -> Result<Vec<Key>> {
    let sql = format!("SELECT {COLUMNS}, {LIFE} FROM api_keys WHERE producer_id = ?1 ORDER BY created_at DESC");
    conn.collect(&sql, params![tenant.number()], read).await
}
