//! Door links in the database, with only a hash of each token.

use std::sync::LazyLock;

use serde::de::DeserializeOwned;

use taquilla_domain::{
    admit::Scope,
    door_link::{DoorLink, LinkOptions},
    key::Secret,
    status::Category,
};

use crate::{
    Conn, Error, Move, Result, Tenant,
    credentials::{LIFE, LIFE_WIDTH, read_life},
    engine::sql::{Param, Row, params},
};

const COLUMNS: &str = "l.id, l.event_id, l.label, l.categories, l.ticket_types, l.stations, l.last_four, l.pin_hash, \
     l.salt, l.options, l.zone, l.more_events";

/// How many columns that are.
const WIDTH: usize = 12;

fn read(row: &Row<'_>) -> Result<DoorLink> {
    let categories: Vec<String> = read_list(row, 3)?;
    let categories = categories.iter().map(|name| Category::parse(name)).collect::<Option<_>>();
    Ok(DoorLink {
        id: row.text(0)?.to_owned(),
        event_id: row.text(1)?.to_owned(),
        label: row.text(2)?.to_owned(),
        scope: Scope {
            categories: categories.ok_or_else(|| Error::internal("a door link with an unknown category"))?,
            ticket_types: read_list(row, 4)?,
        },
        stations: read_list(row, 5)?,
        last_four: row.text(6)?.to_owned(),
        pin_hash: row.opt_text(7)?.map(str::to_owned),
        salt: row.text(8)?.to_owned(),
        options: row.named(9, LinkOptions::stored)?,
        zone: row.text(10)?.to_owned(),
        more_events: read_list(row, 11)?,
        life: read_life(row, WIDTH)?,
    })
}

fn read_list<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<Vec<T>> {
    serde_json::from_str(row.text(column)?).map_err(Error::internal)
}

/// Stores a new link, and only the hash of its token.
pub async fn insert(tx: &mut Move, link: &DoorLink, token: &Secret) -> Result<()> {
    let list = |texts: &[String]| serde_json::to_string(texts).map_err(Error::internal);
    let names: Vec<String> = link.scope.categories.iter().map(|category| category.as_str().to_owned()).collect();
    let tenant = tx.tenant();
    tx.execute(
        "INSERT INTO door_links (producer_id, id, event_id, label, categories, ticket_types, stations, last_four, \
         pin_hash, salt, options, created_at, expires_at, hash, zone, more_events) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        params![
            tenant.number(),
            &link.id,
            &link.event_id,
            &link.label,
            &list(&names)?,
            &list(&link.scope.ticket_types)?,
            &list(&link.stations)?,
            &link.last_four,
            &link.pin_hash,
            &link.salt,
            &link.options.to_string(),
            link.life.created_at,
            link.life.expires_at,
            &token.hash(),
            &link.zone,
            &list(&link.more_events)?
        ],
    )
    .await?;
    let sets: Vec<Vec<Param<'_>>> = link
        .more_events
        .iter()
        .map(|event_id| vec![tenant.number().into(), event_id.into(), link.life.created_at.into(), (&link.id).into()])
        .collect();
    let sql = "INSERT INTO door_link_events (producer_id, event_id, made_at, door_link_id) VALUES (?1, ?2, ?3, ?4)";
    tx.execute_many(sql, &sets).await?;
    Ok(())
}

/// The link whose token has this hash, even if it is expired or revoked, its producer, and that producer's public id.
pub async fn find_by_hash(conn: &mut Conn, hash: &str) -> Result<Option<(Tenant, String, DoorLink)>> {
    conn.query_first(&FIND_BY_HASH, params![hash], |row| {
        Ok((
            Tenant::from_column(row.int(WIDTH + LIFE_WIDTH)?),
            row.text(WIDTH + LIFE_WIDTH + 1)?.to_owned(),
            read(row)?,
        ))
    })
    .await
}

/// The query of [`find_by_hash`].
pub static FIND_BY_HASH: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS}, {LIFE}, l.producer_id, \
             (SELECT p.id FROM producers p WHERE p.producer_id = l.producer_id) FROM door_links l WHERE l.hash = ?1"
    )
});

/// A producer's link by its public id.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<DoorLink>> {
    let sql = format!("SELECT {COLUMNS}, {LIFE} FROM door_links l WHERE l.producer_id = ?1 AND l.id = ?2");
    conn.query_first(&sql, params![tenant.number(), id], read).await
}

/// A producer's links, newest first.
pub async fn list(conn: &mut Conn, tenant: Tenant) -> Result<Vec<DoorLink>> {
    let sql = format!("SELECT {COLUMNS}, {LIFE} FROM door_links l WHERE l.producer_id = ?1 ORDER BY l.created_at DESC");
    conn.collect(&sql, params![tenant.number()], read).await
}

/// An event's links, newest first, and at most so many; also those that are for other events besides.
pub async fn of_event(conn: &mut Conn, tenant: Tenant, event_id: &str, limit: i64) -> Result<Vec<DoorLink>> {
    let mut links = conn.collect(&OF_EVENT, params![tenant.number(), event_id, limit], read).await?;
    links.extend(conn.collect(&ALSO_OF_EVENT, params![tenant.number(), event_id, limit], read).await?);
    links.sort_by_key(|link| std::cmp::Reverse(link.life.created_at));
    links.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(links)
}

/// The query of [`of_event`] for links whose first event is another one.
pub static ALSO_OF_EVENT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS}, {LIFE} FROM door_link_events e JOIN door_links l ON l.producer_id = ?1 AND l.id = e.door_link_id \
         WHERE e.producer_id = ?1 AND e.event_id = ?2 ORDER BY e.made_at DESC LIMIT ?3"
    )
});

/// The query of [`of_event`] for links whose first event it is.
pub static OF_EVENT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {COLUMNS}, {LIFE} FROM door_links l WHERE l.producer_id = ?1 AND l.event_id = ?2 \
         ORDER BY l.created_at DESC LIMIT ?3"
    )
});
