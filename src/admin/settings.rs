//! What holds for every server on one database.

use crate::{
    domain::public_url::PublicUrl,
    store::{Result, Store, settings},
    transaction,
};

/// Remembers where the world reaches the service.
pub async fn set_public_url(store: &Store, url: &PublicUrl) -> Result<()> {
    // Most starts say the same as the one before, and write nothing.
    if settings::public_url(&mut store.read().await?).await?.as_ref() == Some(url) {
        return Ok(());
    }
    transaction!(store.begin_unstamped(), |tx| settings::set_public_url(tx, url).await)
}
