//! A line to PostgreSQL that can forget its connections, as a firewall does: they stay open and carry nothing.

use std::{future::pending, path::PathBuf};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
};

/// The socket and the name in a database's address.
pub(super) fn socket_and_name(database: &str) -> (PathBuf, &str) {
    let (_, place) = database.split_once('@').unwrap();
    let (folder, name) = place.split_once('/').unwrap();
    (PathBuf::from(folder.replace("%2F", "/")).join(".s.PGSQL.5432"), name)
}

/// A port of this machine that leads to the tests' cluster.
pub struct SilentLine {
    /// The `--database` address that leads through it.
    pub address: String,
    pub port: u16,
    /// How many times it forgot its connections.
    forgot: watch::Sender<u32>,
}

impl SilentLine {
    /// A line to the database at this address, which is that of a socket.
    pub async fn to(database: &str) -> Self {
        let (socket, name) = socket_and_name(database);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (forgot, forgetting) = watch::channel(0);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                // While there is no server, whoever comes is disconnected.
                if let Ok(server) = UnixStream::connect(&socket).await {
                    tokio::spawn(connect(client, server, forgetting.clone()));
                }
            }
        });
        Self { address: format!("postgres://taquilla@127.0.0.1:{port}/{name}"), port, forgot }
    }

    /// Forgets every connection made so far. Neither end notices. New connections work.
    pub fn forget(&self) {
        self.forgot.send_modify(|times| *times += 1);
    }
}

async fn connect(mut client: TcpStream, mut server: UnixStream, forgetting: watch::Receiver<u32>) {
    let born = *forgetting.borrow();
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    let is_forgotten = || *forgetting.borrow() != born;
    tokio::select! {
        () = carry(from_client, to_server, is_forgotten) => {}
        () = carry(from_server, to_client, is_forgotten) => {}
    }
}

/// Carries bytes until one end closes. Once the line has forgotten them, it carries neither bytes nor the end.
async fn carry(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, is_forgotten: impl Fn() -> bool) {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        let read = from.read(&mut bytes).await.unwrap_or(0);
        match (is_forgotten(), read) {
            (true, 0) => pending().await,
            (true, _) => {}
            (false, 0) => return,
            (false, _) => {
                if to.write_all(&bytes[..read]).await.is_err() {
                    return;
                }
            }
        }
    }
}
