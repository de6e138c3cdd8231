//! A connection to a PostgreSQL database that is somebody else's, such as an analyst's.

use std::{ops::Deref, sync::Arc};

use deadpool::managed::Manager;

use taquilla_domain::config::PostgresTimeouts;

use super::{
    super::error::Result,
    client::Client,
    connect::{Address, Connector, Lineage, Part},
};

/// A connection to a database that is not ours, made as ours are: with TLS, password files, and advice where it fails. It is closed
/// when this is dropped.
pub struct Foreign(Client);

impl Foreign {
    /// Connects, and runs these settings first.
    pub async fn connect(address: &str, settings: &str) -> Result<Self> {
        let address = Address::parse(address)?.for_writing()?;
        let wait = PostgresTimeouts::default().wait;
        let connector = Connector::new(address, settings.to_owned(), wait, Part::Database, Arc::<Lineage>::default());
        Ok(Self(connector.create().await?))
    }
}

impl Deref for Foreign {
    type Target = tokio_postgres::Client;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
