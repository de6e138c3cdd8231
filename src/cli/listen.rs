//! Addresses that a server listens on.

use anyhow::Context;
use clap::Args;
use tokio::net::TcpListener;

use crate::{config::DEFAULT_LISTEN, domain::invalid::Invalid};

#[derive(Args)]
pub struct Listen {
    /// The address and port to listen on
    #[arg(long, value_name = "ADDR", env = "TAQUILLA_LISTEN", default_value = DEFAULT_LISTEN, value_parser = parse_listen)]
    listen: String,
}

impl Listen {
    pub fn address(&self) -> &str {
        &self.listen
    }

    pub async fn bind(&self) -> anyhow::Result<TcpListener> {
        bind(&self.listen, "--listen").await
    }
}

/// Listens on an address, which a flag names.
pub async fn bind(address: &str, flag: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}; choose another with {flag}"))
}

/// An address and a port.
pub fn parse_listen(text: &str) -> Result<String, Invalid> {
    let port = text.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port.parse::<u16>());
    match port {
        Some(Ok(_)) => Ok(text.to_owned()),
        _ => Err(Invalid::new(format!("an address and a port are expected, such as {DEFAULT_LISTEN}"))),
    }
}
