//! Where clients come to.

use std::sync::Arc;

use tokio::net::TcpListener;

use crate::tls::Certificates;

/// Where a server listens, and what it speaks there.
pub struct Listeners {
    /// Where the service is: over https if there are certificates, else over plain http.
    pub main: TcpListener,
    /// Whether that listener was handed over by somebody who keeps it open while servers come and go.
    pub stays: bool,
    /// What https needs.
    pub certificates: Option<Arc<Certificates>>,
    /// Where clients of plain http are led to https, if the service is there.
    pub http: Option<TcpListener>,
    /// Where metrics are told, if anybody may ask for them.
    pub metrics: Option<TcpListener>,
}

impl From<TcpListener> for Listeners {
    fn from(main: TcpListener) -> Self {
        Self { main, stays: false, certificates: None, http: None, metrics: None }
    }
}
