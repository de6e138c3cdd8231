//! What a receiver has seen so far, and how it behaves next.

use std::time::Duration;

use tokio::{
    sync::watch,
    time::{Instant, timeout_at},
};

use super::{behaviour::Behaviour, request::Received};

/// The record that a receiver and its connections share. Every change wakes those who wait for one.
pub struct Record(watch::Sender<Seen>);

pub struct Seen {
    behaviour: Behaviour,
    pub received: Vec<Received>,
    /// Errors on connections. A test whose wait fails shows them.
    pub mishaps: Vec<String>,
    pub connections: usize,
    pub busy: usize,
    pub busiest: usize,
    pub body_bytes: u64,
}

impl Record {
    pub fn new(behaviour: Behaviour) -> Self {
        let (received, mishaps) = (Vec::new(), Vec::new());
        Self(watch::Sender::new(Seen {
            behaviour,
            received,
            mishaps,
            connections: 0,
            busy: 0,
            busiest: 0,
            body_bytes: 0,
        }))
    }

    pub fn seen(&self) -> watch::Ref<'_, Seen> {
        self.0.borrow()
    }

    pub fn behave(&self, behaviour: Behaviour) {
        self.0.send_modify(|seen| seen.behaviour = behaviour);
    }

    pub fn connected(&self) {
        self.0.send_modify(|seen| seen.connections += 1);
    }

    pub fn mishap(&self, what: String) {
        self.0.send_modify(|seen| seen.mishaps.push(what));
    }

    pub fn body_sent(&self, bytes: usize) {
        self.0.send_modify(|seen| seen.body_bytes += bytes as u64);
    }

    /// Notes a request. Returns its index, how to behave towards it, and a guard that keeps it counted as busy.
    pub fn begin(&self, received: Received) -> (usize, Behaviour, Busy<'_>) {
        let mut begun = None;
        self.0.send_modify(|seen| {
            begun = Some((seen.received.len(), seen.behaviour.clone()));
            seen.received.push(received);
            seen.busy += 1;
            seen.busiest = seen.busiest.max(seen.busy);
        });
        let (index, behaviour) = begun.unwrap();
        (index, behaviour, Busy(self))
    }

    /// Waits until a condition holds. If it does not in time, panics with all that was seen.
    pub async fn until(&self, what: &str, patience: Duration, holds: impl Fn() -> bool) {
        // The subscription comes before the first look, so that no change between the two is missed.
        let mut changes = self.0.subscribe();
        let deadline = Instant::now() + patience;
        while !holds() {
            if timeout_at(deadline, changes.changed()).await.is_err() {
                let Seen { received, mishaps, connections, busy, .. } = &*self.seen();
                panic!(
                    "still waiting for {what}; {connections} connections, {busy} requests being answered, \
                     mishaps {mishaps:?}, received {}: {received:#?}",
                    received.len()
                );
            }
        }
    }
}

/// Counts a request as being answered until this is dropped.
pub struct Busy<'a>(&'a Record);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.0.send_modify(|seen| seen.busy -= 1);
    }
}

#[tokio::test]
#[should_panic(expected = "still waiting for nothing that will ever be; 1 connections, 0 requests being answered, \
                           mishaps [\"an accident\"], received 0")]
async fn waiting_in_vain_tells_what_was_seen() {
    let record = Record::new(Behaviour::ok());
    record.connected();
    record.mishap("an accident".to_owned());
    record.until("nothing that will ever be", Duration::from_millis(10), || false).await;
}
