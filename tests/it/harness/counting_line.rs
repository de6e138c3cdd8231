//! A line to PostgreSQL that notes the statements of every move.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream, UnixStream},
};

use super::silent_line::socket_and_name;

/// A port of this machine that leads to the tests' cluster.
pub struct CountingLine {
    /// The `--database` address that leads through it.
    pub address: String,
    moves: Arc<Mutex<Vec<Vec<String>>>>,
}

impl CountingLine {
    /// A line to the database at this address, which is that of a socket.
    pub async fn to(database: &str) -> Self {
        let (socket, name) = socket_and_name(database);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let moves = Arc::<Mutex<Vec<Vec<String>>>>::default();
        let noted = Arc::clone(&moves);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = UnixStream::connect(&socket).await.unwrap();
                tokio::spawn(connect(client, server, Listener { moves: Arc::clone(&noted), ..Listener::default() }));
            }
        });
        // A client that asks for TLS first would begin with another message.
        Self { address: format!("postgres://taquilla@127.0.0.1:{port}/{name}?sslmode=disable"), moves }
    }

    /// The statements of each move that was committed since the last call, from `START TRANSACTION` to `COMMIT`.
    pub fn moves(&self) -> Vec<Vec<String>> {
        std::mem::take(&mut self.moves.lock())
    }
}

async fn connect(mut client: TcpStream, mut server: UnixStream, mut listener: Listener) {
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let asking = async {
        let mut bytes = vec![0; 16 * 1024];
        while let Ok(read @ 1..) = from_client.read(&mut bytes).await {
            listener.hear(&bytes[..read]);
            if to_server.write_all(&bytes[..read]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = asking => {}
        _ = tokio::io::copy(&mut from_server, &mut to_client) => {}
    }
}

/// What a client says on one connection, in the words of PostgreSQL's protocol.
#[derive(Default)]
struct Listener {
    heard: Vec<u8>,
    has_started: bool,
    /// The prepared statements by their names.
    prepared: HashMap<String, String>,
    /// The statement that the next `Execute` runs.
    bound: String,
    /// The statements of the transaction under way.
    transaction: Option<Vec<String>>,
    moves: Arc<Mutex<Vec<Vec<String>>>>,
}

impl Listener {
    fn hear(&mut self, bytes: &[u8]) {
        self.heard.extend_from_slice(bytes);
        loop {
            // The first message has a length and no kind; each later one begins with its kind.
            let kind = usize::from(self.has_started);
            let Some(length) = self.heard.get(kind..kind + 4) else { return };
            let end = kind + u32::from_be_bytes(length.try_into().unwrap()) as usize;
            if self.heard.len() < end {
                return;
            }
            let message: Vec<u8> = self.heard.drain(..end).collect();
            if self.has_started {
                self.understand(message[0], &message[5..]);
            }
            self.has_started = true;
        }
    }

    fn understand(&mut self, kind: u8, body: &[u8]) {
        let mut words = body.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
        let mut word = || words.next().unwrap_or_default();
        match kind {
            b'P' => {
                let name = word();
                self.prepared.insert(name, word());
            }
            b'B' => {
                let (_portal, name) = (word(), word());
                self.bound = self.prepared.get(&name).cloned().unwrap_or_default();
            }
            b'E' => self.note(self.bound.clone()),
            b'Q' => self.note(word()),
            _ => {}
        }
    }

    fn note(&mut self, statement: String) {
        if statement.starts_with("START TRANSACTION") || statement.starts_with("BEGIN") {
            self.transaction = Some(Vec::new());
        }
        let (commits, undoes) = (statement.starts_with("COMMIT"), statement == "ROLLBACK");
        if let Some(statements) = &mut self.transaction {
            statements.push(statement);
        }
        if !commits && !undoes {
            return;
        }
        let ended = self.transaction.take().filter(|_| commits);
        // A move takes a tick of the producer's clock. Other transactions keep the server's own books.
        let is_move = |statements: &Vec<String>| statements.iter().any(|one| one.contains("UPDATE clocks SET clock"));
        self.moves.lock().extend(ended.filter(is_move));
    }
}
