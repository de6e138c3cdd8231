//! Load: many who do the same thing again and again, each on a connection of its own, as fast as they are answered. All
//! are waited for at the end, so that no slow answer is left out, as wrk would.
//!
//! It has one thread and leaves the others to what is measured. How little it takes shows in its own rate against
//! constant bytes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use rand::RngExt;
use serde_json::json;

use crate::{Failure, buyers::Sale, connection::Connection, latencies};

/// What each of them does.
pub enum Doing {
    Buy(Sale),
    Scan(Door),
    Read(List),
}

/// A door, and tickets that are scanned there, each once.
pub struct Door {
    pub token: String,
    /// The number of the next scan.
    pub next: AtomicU64,
    /// The way from one ticket to the next: they are scanned all over the table.
    pub step: u64,
    pub tickets: u64,
}

/// Paths, one of which is chosen at random each time.
pub struct List {
    pub key: String,
    pub paths: Vec<String>,
}

pub async fn run(address: &str, count: usize, span: Duration, doing: Doing) -> Result<(), Failure> {
    let doing = Arc::new(doing);
    let mut connections = Vec::new();
    for _ in 0..count {
        connections.push(Connection::open(address).await?);
    }
    let started = Instant::now();
    let repeat = |connection| tokio::spawn(Arc::clone(&doing).repeat(connection, started + span));
    let running: Vec<_> = connections.into_iter().map(repeat).collect();
    let (mut latencies, mut refused) = (Vec::new(), 0);
    for each in running {
        let (taken, not_taken) = each.await??;
        latencies.extend(taken);
        refused += not_taken;
    }
    let count = latencies.len();
    let mut summary = latencies::summary(latencies, count, started.elapsed());
    summary["refused"] = json!(refused);
    println!("{summary}");
    Ok(())
}

impl Doing {
    /// Goes on until the time is over. The latencies in microseconds, and how often it was refused.
    async fn repeat(self: Arc<Self>, mut connection: Connection, until: Instant) -> Result<(Vec<u64>, usize), Failure> {
        let (mut latencies, mut refused) = (Vec::new(), 0);
        while Instant::now() < until {
            let begun = Instant::now();
            let taken = match &*self {
                Self::Buy(sale) => sale.buy(&mut connection).await?,
                Self::Scan(door) => door.scan(&mut connection).await?,
                Self::Read(list) => list.read(&mut connection).await?,
            };
            if taken {
                latencies.push(begun.elapsed().as_micros() as u64);
            } else {
                refused += 1;
            }
        }
        Ok((latencies, refused))
    }
}

impl Door {
    async fn scan(&self, connection: &mut Connection) -> Result<bool, Failure> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let ticket = number * self.step % self.tickets;
        let body = format!(
            "{{\"code\":\"BENCH{ticket:020}\",\"scan_id\":\"7f9c24e8-3b12-4fef-91a0-{number:012}\",\
             \"station\":\"Gate 1\",\"scanned_at\":\"2026-11-01T21:00:00Z\"}}"
        );
        let key = format!("Authorization: Bearer {}\r\n", self.token);
        Ok(connection.ask("POST", "/door/v1/scan", &key, &body).await?.0)
    }
}

impl List {
    async fn read(&self, connection: &mut Connection) -> Result<bool, Failure> {
        let path = &self.paths[rand::rng().random_range(0..self.paths.len())];
        let key = format!("Authorization: Bearer {}\r\n", self.key);
        Ok(connection.ask("GET", path, &key, "").await?.0)
    }
}
