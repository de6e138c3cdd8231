//! What every server on one database must share.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};

use super::{Error, Result, Store, sql::params};
use crate::transaction;

/// The key that seals cursors: made by the first server to ask, the same for all of them ever after.
pub async fn cursor_key(store: &Store) -> Result<[u8; 32]> {
    let fresh = BASE64.encode(rand::random::<[u8; 32]>());
    let find = "SELECT value FROM settings WHERE name = 'cursor_key'";
    let found = store.read().await?.query_first(find, &[], |row| Ok(row.text(0)?.to_owned())).await?;
    let text = match found {
        Some(text) => text,
        None => transaction!(store, |tx| {
            tx.execute(
                "INSERT INTO settings (name, value) VALUES ('cursor_key', ?1) ON CONFLICT (name) DO NOTHING",
                params![&fresh],
            )
            .await?;
            tx.query_first(find, &[], |row| Ok(row.text(0)?.to_owned())).await
        })?
        .ok_or_else(|| Error::internal("the cursor key was not kept"))?,
    };
    BASE64
        .decode(text)
        .ok()
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(|| Error::internal("the cursor key in the settings table is damaged"))
}

/// Where the world reaches the service, if a server was ever started with it.
pub async fn public_url(store: &Store) -> Result<Option<String>> {
    let find = "SELECT value FROM settings WHERE name = 'public_url'";
    store.read().await?.query_first(find, &[], |row| Ok(row.text(0)?.to_owned())).await
}

/// Remembers where the world reaches the service.
pub async fn set_public_url(store: &Store, url: &str) -> Result<()> {
    if public_url(store).await?.as_deref() == Some(url) {
        return Ok(());
    }
    transaction!(store, |tx| {
        let sql = "INSERT INTO settings (name, value) VALUES ('public_url', ?1) \
                   ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        tx.execute(sql, params![url]).await?;
        Ok(())
    })
}
