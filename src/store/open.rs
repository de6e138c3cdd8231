//! Opening a database, which brings its schema up to date.

use super::{Result, Store, migrate};

impl Store {
    /// Opens `sqlite:PATH` or `postgres://…` and brings its schema up to date.
    pub async fn open(address: &str) -> Result<Self> {
        let store = Self::connect(address).await?;
        migrate::run(store.dedicated().await?).await?;
        Ok(store)
    }
}
