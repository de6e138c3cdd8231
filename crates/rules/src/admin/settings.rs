//! Settings that all servers on one database share.

use taquilla_domain::public_url::PublicUrl;
use taquilla_store::{Result, Store, settings, transaction};

/// Stores the service's public URL.
pub async fn set_public_url(store: &Store, url: &PublicUrl) -> Result<()> {
    // Usually the URL is the same as at the last start, and nothing is written.
    if settings::public_url(&mut store.read().await?).await?.as_ref() == Some(url) {
        return Ok(());
    }
    transaction!(store.begin_unstamped(), |tx| settings::set_public_url(tx, url).await)
}
