//! Settings that all servers on one database share.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};

use taquilla_domain::public_url::PublicUrl;

use super::{Conn, Error, Result, Store, Unstamped, engine::sql::params};
use crate::transaction;

const CURSOR_KEY: &str = "cursor_key";
const PUBLIC_URL: &str = "public_url";

pub(super) async fn get(conn: &mut Conn, name: &str) -> Result<Option<String>> {
    let sql = "SELECT value FROM settings WHERE name = ?1";
    conn.query_first(sql, params![name], |row| Ok(row.text(0)?.to_owned())).await
}

/// Reads a setting to see whether the database answers.
pub async fn answer(conn: &mut Conn) -> Result<()> {
    get(conn, CURSOR_KEY).await.map(|_| ())
}

/// The key that seals cursors. The first server makes it, and all servers use it from then on.
pub async fn cursor_key(store: &Store) -> Result<[u8; 32]> {
    let found = get(&mut store.read().await?, CURSOR_KEY).await?;
    let text = match found {
        Some(text) => text,
        None => {
            let fresh = BASE64.encode(rand::random::<[u8; 32]>());
            transaction!(store.begin_unstamped(), |tx| {
                let sql = "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING";
                tx.execute(sql, params![CURSOR_KEY, &fresh]).await?;
                get(tx, CURSOR_KEY).await
            })?
            .ok_or_else(|| Error::internal("the cursor key was not kept"))?
        }
    };
    BASE64
        .decode(text)
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(|| Error::internal("the cursor key in the settings table is damaged"))
}

/// The key that seals cursors, as it is kept, if a server was ever started.
pub(super) async fn kept_cursor_key(conn: &mut Conn) -> Result<Option<String>> {
    get(conn, CURSOR_KEY).await
}

/// The service's public URL, if a server was ever started with one.
pub async fn public_url(conn: &mut Conn) -> Result<Option<PublicUrl>> {
    // A stored URL that can no longer be parsed counts as none.
    Ok(get(conn, PUBLIC_URL).await?.and_then(|url| PublicUrl::parse(&url).ok()))
}

/// Stores the service's public URL.
pub async fn set_public_url(tx: &mut Unstamped, url: &PublicUrl) -> Result<()> {
    let sql =
        "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    tx.execute(sql, params![PUBLIC_URL, url.as_str()]).await?;
    Ok(())
}
