//! Door links: what staff open on their phones to let people in. Only a hash of the token is kept.

use std::sync::LazyLock;

use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::{
    domain::{
        admit::Scope,
        clock::Stamp,
        id,
        key::{Secret, hexadecimal},
        status::Category,
    },
    transaction,
    wire::DoorLinkInfo,
};

use super::{
    Conn, Error, Result, Store,
    producers::Tenant,
    sql::{Row, params},
};

/// A door link as the database knows it.
#[derive(Clone, Debug)]
pub struct DoorLink {
    /// Whose tickets it admits.
    pub tenant: Tenant,
    /// Its public id (`dl_…`).
    pub id: String,
    /// The event it opens.
    pub event_id: String,
    /// What it is called.
    pub label: String,
    /// Which items it admits.
    pub scope: Scope,
    /// The stations it may be used at; empty is any.
    pub stations: Vec<String>,
    /// The last four characters of the token.
    pub last_four: String,
    /// A hash of its PIN, where it has one: see [`pin_hash`].
    pub pin_hash: Option<String>,
    /// What the offline list of codes is hashed with.
    pub salt: String,
    /// When it was created.
    pub created_at: Stamp,
    /// When it stops working by itself.
    pub expires_at: Option<Stamp>,
    /// When it was revoked.
    pub revoked_at: Option<Stamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Stamp>,
}

const COLUMNS: &str = "producer_id, id, event_id, label, categories, ticket_types, stations, last_four, pin_hash, salt, \
     created_at, expires_at, revoked_at, last_used_at";

impl DoorLink {
    fn read(row: &Row<'_>) -> Result<Self> {
        let categories: Vec<String> = read_list(row, 4)?;
        let categories = categories.iter().map(|name| Category::parse(name)).collect::<Option<_>>();
        Ok(Self {
            tenant: Tenant::from_column(row.int(0)?),
            id: row.text(1)?.to_owned(),
            event_id: row.text(2)?.to_owned(),
            label: row.text(3)?.to_owned(),
            scope: Scope {
                categories: categories.ok_or_else(|| Error::internal("a door link with an unknown category"))?,
                ticket_types: read_list(row, 5)?,
            },
            stations: read_list(row, 6)?,
            last_four: row.text(7)?.to_owned(),
            pin_hash: row.opt_text(8)?.map(str::to_owned),
            salt: row.text(9)?.to_owned(),
            created_at: row.stamp(10)?,
            expires_at: row.opt_stamp(11)?,
            revoked_at: row.opt_stamp(12)?,
            last_used_at: row.opt_stamp(13)?,
        })
    }

    /// Whether it opens anything at this moment.
    pub fn works(&self, now: Stamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|expiry| now < expiry)
    }
}

fn read_list<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<Vec<T>> {
    serde_json::from_str(row.text(column)?).map_err(Error::internal)
}

/// How a PIN is kept. A plain hash is no weaker than a slow one here: whoever has the table could try every PIN either
/// way, and would still lack the token.
pub fn pin_hash(link_id: &str, pin: &str) -> String {
    hexadecimal(&Sha256::digest(format!("{link_id}:{pin}")))
}

impl From<&DoorLink> for DoorLinkInfo {
    fn from(link: &DoorLink) -> Self {
        Self {
            id: link.id.clone(),
            event_id: link.event_id.clone(),
            label: link.label.clone(),
            categories: link.scope.categories.clone(),
            ticket_types: link.scope.ticket_types.clone(),
            stations: link.stations.clone(),
            has_pin: link.pin_hash.is_some(),
            created_at: link.created_at.into(),
            expires_at: link.expires_at.map(Into::into),
            revoked_at: link.revoked_at.map(Into::into),
            last_used_at: link.last_used_at.map(Into::into),
        }
    }
}

/// A door link about to exist.
pub struct NewDoorLink<'a> {
    /// The event it opens.
    pub event_id: &'a str,
    /// What it is called.
    pub label: &'a str,
    /// Which items it admits.
    pub scope: Scope,
    /// The stations it may be used at; empty is any.
    pub stations: Vec<String>,
    /// What opens it besides its token.
    pub pin: Option<&'a str>,
    /// When it stops working by itself.
    pub expires_at: Option<Stamp>,
}

/// Keeps a new link's hash and tells its record. The token itself stays with the caller.
pub async fn create(
    store: &Store,
    tenant: Tenant,
    token: &Secret,
    new: NewDoorLink<'_>,
    now: Stamp,
) -> Result<DoorLink> {
    let id = id::new_id("dl", now);
    let link = DoorLink {
        tenant,
        pin_hash: new.pin.map(|pin| pin_hash(&id, pin)),
        id,
        event_id: new.event_id.to_owned(),
        label: new.label.to_owned(),
        scope: new.scope,
        stations: new.stations,
        last_four: token.last_four().to_owned(),
        salt: hexadecimal(&rand::random::<[u8; 16]>()),
        created_at: now,
        expires_at: new.expires_at,
        revoked_at: None,
        last_used_at: None,
    };
    let list = |texts: &[String]| serde_json::to_string(texts).map_err(Error::internal);
    let names: Vec<String> = link.scope.categories.iter().map(|category| category.as_str().to_owned()).collect();
    let (categories, ticket_types, stations) = (list(&names)?, list(&link.scope.ticket_types)?, list(&link.stations)?);
    transaction!(store, |tx| {
        tx.execute(
            "INSERT INTO door_links (producer_id, id, event_id, label, categories, ticket_types, stations, last_four, \
             pin_hash, salt, created_at, expires_at, hash) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            params![
                tenant.number(),
                &link.id,
                &link.event_id,
                &link.label,
                &categories,
                &ticket_types,
                &stations,
                &link.last_four,
                &link.pin_hash,
                &link.salt,
                now,
                link.expires_at,
                &token.hash()
            ],
        )
        .await
    })?;
    Ok(link)
}

/// The link whose token has this hash, whatever its state.
pub async fn find_by_hash(conn: &mut Conn, hash: &str) -> Result<Option<DoorLink>> {
    static FIND: LazyLock<String> = LazyLock::new(|| format!("SELECT {COLUMNS} FROM door_links WHERE hash = ?1"));
    conn.query_first(&FIND, params![hash], DoorLink::read).await
}

/// A producer's links, newest first.
pub async fn list(conn: &mut Conn, tenant: Tenant) -> Result<Vec<DoorLink>> {
    let sql = format!("SELECT {COLUMNS} FROM door_links WHERE producer_id = ?1 ORDER BY created_at DESC");
    let mut links = Vec::new();
    conn.query(&sql, params![tenant.number()], |row| {
        links.push(DoorLink::read(row)?);
        Ok(())
    })
    .await?;
    Ok(links)
}

/// A link by its public id.
pub async fn find(conn: &mut Conn, id: &str) -> Result<Option<DoorLink>> {
    let sql = format!("SELECT {COLUMNS} FROM door_links WHERE id = ?1");
    conn.query_first(&sql, params![id], DoorLink::read).await
}

/// Revokes a link by its public id. The first revocation's time stays. `None` when there is no such link.
pub async fn revoke(store: &Store, id: &str, now: Stamp) -> Result<Option<DoorLink>> {
    let sql = format!("UPDATE door_links SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1 RETURNING {COLUMNS}");
    transaction!(store, |tx| tx.query_first(&sql, params![id, now], DoorLink::read).await)
}

/// Notes that a link was used, unless a use since `not_since` is already noted (by another server, say).
pub async fn touch(conn: &mut Conn, id: &str, now: Stamp, not_since: Stamp) -> Result<()> {
    conn.execute(
        "UPDATE door_links SET last_used_at = ?2 WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at <= ?3)",
        params![id, now, not_since],
    )
    .await?;
    Ok(())
}
