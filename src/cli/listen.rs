//! Where a server listens: its flags.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use anyhow::Context;
use clap::Args;
use listenfd::ListenFd;
use tokio::net::TcpListener;

use taquilla_domain::{config::DEFAULT_LISTEN, invalid::Invalid};

#[derive(Args)]
pub struct Listen {
    /// The address and port to listen on [default: 127.0.0.1:8080; with --tls-cert or --acme 0.0.0.0:443, with --https-local 0.0.0.0:8443]
    #[arg(long, value_name = "ADDR", env = "TAQUILLA_LISTEN", value_parser = parse_listen)]
    listen: Option<String>,
}

pub fn parse_listen(text: &str) -> Result<String, Invalid> {
    let port = text.rsplit_once(':').filter(|(host, _)| !host.is_empty()).map(|(_, port)| port.parse::<u16>());
    match port {
        Some(Ok(_)) => Ok(text.to_owned()),
        _ => Err(Invalid::new(format!("an address and a port are expected, such as {DEFAULT_LISTEN}"))),
    }
}

impl Listen {
    /// The address that was said, else this one.
    pub fn address<'a>(&'a self, default: &'a str) -> &'a str {
        self.listen.as_deref().unwrap_or(default)
    }

    /// Listens where it was said, else here.
    pub async fn bind(&self, default: &str) -> anyhow::Result<TcpListener> {
        bind("--listen", self.address(default)).await
    }
}

/// A listener that whoever started this process has opened, as systemd does for a socket unit (`LISTEN_FDS`).
pub fn handed_over() -> anyhow::Result<Option<TcpListener>> {
    let taken = ListenFd::from_env().take_tcp_listener(0).context("the socket in LISTEN_FDS cannot be used")?;
    let Some(listener) = taken else { return Ok(None) };
    listener.set_nonblocking(true)?;
    Ok(Some(TcpListener::from_std(listener)?))
}

/// Listens on an address that this flag gives.
pub async fn bind(flag: &str, address: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|cause| {
        let advice = match cause.kind() {
            io::ErrorKind::PermissionDenied => {
                "ports below 1024 need the capability CAP_NET_BIND_SERVICE, which docs/operate/https.md says how to give; or "
            }
            _ => "",
        };
        anyhow::Error::new(cause).context(format!("cannot listen on {address}; {advice}choose another with {flag}"))
    })
}

/// An address by which this machine reaches its own listener.
pub fn from_here(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}
