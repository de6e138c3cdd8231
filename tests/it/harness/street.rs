//! The way from an authority to the servers that a domain leads to.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::net::{TcpListener, TcpStream};

/// Where Pebble comes to look, and from where it is led to servers in turn.
pub struct Street {
    pub port: u16,
    pub servers: Arc<Mutex<Vec<SocketAddr>>>,
    /// A domain that leads elsewhere: nobody answers there.
    pub astray: Arc<Mutex<Option<&'static str>>>,
}

/// Whether the beginning of a connection asks for this name, which stands in it as it is.
async fn asks_for(stream: &TcpStream, name: &str) -> bool {
    let mut hello = vec![0; 4096];
    let read = stream.peek(&mut hello).await.unwrap_or(0);
    hello[..read].windows(name.len()).any(|part| part == name.as_bytes())
}

impl Street {
    pub async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let servers = Arc::<Mutex<Vec<SocketAddr>>>::default();
        let astray = Arc::<Mutex<Option<&'static str>>>::default();
        let (ahead, elsewhere) = (Arc::clone(&servers), Arc::clone(&astray));
        tokio::spawn(async move {
            for number in 0.. {
                let (mut from, _) = listener.accept().await.unwrap();
                let (ahead, elsewhere) = (Arc::clone(&ahead), *elsewhere.lock());
                tokio::spawn(async move {
                    if let Some(name) = elsewhere
                        && asks_for(&from, name).await
                    {
                        return;
                    }
                    let one_of = |all: &[SocketAddr]| (!all.is_empty()).then(|| all[number % all.len()]);
                    let to = loop {
                        // The lock must be gone before the wait.
                        let chosen = one_of(&ahead.lock());
                        match chosen {
                            Some(to) => break to,
                            None => tokio::time::sleep(Duration::from_millis(20)).await,
                        }
                    };
                    if let Ok(mut to) = TcpStream::connect(to).await {
                        let _ = tokio::io::copy_bidirectional(&mut from, &mut to).await;
                    }
                });
            }
        });
        Self { port, servers, astray }
    }
}
