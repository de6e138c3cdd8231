//! A server inside the test.

use std::net::SocketAddr;

use taquilla::server::{self, Listeners};
use taquilla_domain::{config::Config, time_source::TimeSource};
use taquilla_outside::Lookup;
use taquilla_store::Store;
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

/// A server on a free port of this machine.
pub struct Server {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
}

impl Server {
    pub async fn start(store: Store, config: Config, time: TimeSource) -> Self {
        Self::begin(store, config, time, None).await
    }

    /// A server that tells its metrics, and where.
    pub async fn start_watched(store: Store, config: Config, time: TimeSource) -> (Self, SocketAddr) {
        let metrics = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = metrics.local_addr().unwrap();
        (Self::begin(store, config, time, Some(metrics)).await, address)
    }

    async fn begin(store: Store, config: Config, time: TimeSource, metrics: Option<TcpListener>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self::start_at(Listeners { metrics, ..listener.into() }, store, config, time).await
    }

    pub async fn start_at(listeners: Listeners, store: Store, config: Config, time: TimeSource) -> Self {
        Self::start_with(listeners, store, config, time, Lookup::System).await
    }

    /// A server that looks up names in this way.
    pub async fn start_with(
        listeners: Listeners,
        store: Store,
        config: Config,
        time: TimeSource,
        lookup: Lookup,
    ) -> Self {
        let address = listeners.main.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(async move {
            let shutdown = async {
                // This ends when the test asks the server to stop, or is over.
                let _ = stopped.await;
                None::<std::future::Ready<()>>
            };
            server::run(listeners, store, config, time, lookup, shutdown).await.unwrap();
        });
        Self { address, stop: Some(stop), running }
    }

    /// Stops the server and waits for all requests under way and for the notes of last uses.
    pub async fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        (&mut self.running).await.unwrap();
    }
}
