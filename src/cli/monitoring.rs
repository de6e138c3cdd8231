//! Flags about watching a server: metrics, and which requests get a line in the log.

use std::num::NonZeroU32;

use clap::Args;
use tokio::net::TcpListener;

use taquilla_domain::{
    config::{LOG_ONE_IN_MAX, LogRequests},
    invalid::Invalid,
};

use super::listen::{bind, parse_listen};

#[derive(Args)]
pub struct Monitoring {
    /// Serve metrics at this address and port, under /metrics, for Prometheus; keep it private
    #[arg(long, value_name = "ADDR", env = "TAQUILLA_METRICS_LISTEN", value_parser = parse_listen)]
    metrics_listen: Option<String>,
    /// Which requests get a line in the log: all, errors, or 1/N for errors and one in N of the others
    #[arg(long, value_name = "WHICH", env = "TAQUILLA_LOG_REQUESTS", default_value = "all", value_parser = parse_requests)]
    pub log_requests: LogRequests,
}

impl Monitoring {
    /// Listens for whoever asks for metrics, if anybody may.
    pub async fn bind(&self) -> anyhow::Result<Option<TcpListener>> {
        let Some(address) = &self.metrics_listen else { return Ok(None) };
        bind("--metrics-listen", address).await.map(Some)
    }
}

fn parse_requests(text: &str) -> Result<LogRequests, Invalid> {
    let one_in = |text: &str| {
        let many: NonZeroU32 = text.strip_prefix("1/")?.parse().ok()?;
        (many.get() <= LOG_ONE_IN_MAX).then_some(LogRequests::OneIn(many))
    };
    match text {
        "all" => Ok(LogRequests::All),
        "errors" => Ok(LogRequests::Errors),
        text => one_in(text).ok_or_else(|| {
            Invalid::new(format!("all, errors, or 1/N is expected, such as 1/100, with N up to {LOG_ONE_IN_MAX}"))
        }),
    }
}
