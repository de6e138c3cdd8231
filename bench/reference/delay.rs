//! A way to PostgreSQL that takes longer, as if the database were on another machine. Bytes wait in a queue until they
//! are due, so what is sent meanwhile is delayed as much and no more: the way is longer, not narrower.
//!
//! It has threads, because the runtime's timers tick once in a millisecond, which is as long as what is to be measured.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    os::unix::net::UnixStream,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use crate::Failure;

/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;

/// Carries everything that comes at an address to a socket, and what comes back.
pub fn carry_all(address: &str, socket: &str, delay: Duration) -> Result<(), Failure> {
    for client in TcpListener::bind(address)?.incoming() {
        let client = client?;
        client.set_nodelay(true)?;
        let server = UnixStream::connect(socket)?;
        carry(client.try_clone()?, server.try_clone()?, delay);
        carry(server, client, delay);
    }
    Ok(())
}

/// One direction of a connection.
fn carry(mut from: impl Read + Send + 'static, mut to: impl Write + End + Send + 'static, delay: Duration) {
    let (queue, due) = mpsc::channel();
    thread::spawn(move || {
        let mut chunk = vec![0; CHUNK];
        while let Ok(length @ 1..) = from.read(&mut chunk) {
            if queue.send((Instant::now() + delay, chunk[..length].to_vec())).is_err() {
                break;
            }
        }
    });
    thread::spawn(move || {
        for (moment, bytes) in due {
            thread::sleep(moment.saturating_duration_since(Instant::now()));
            if to.write_all(&bytes).is_err() {
                break;
            }
        }
        to.end();
    });
}

/// What can tell the other side that nothing more comes.
trait End {
    fn end(&self);
}

impl End for TcpStream {
    fn end(&self) {
        // Whoever has gone already need not be told.
        let _ = self.shutdown(Shutdown::Both);
    }
}

impl End for UnixStream {
    fn end(&self) {
        let _ = self.shutdown(Shutdown::Both);
    }
}
