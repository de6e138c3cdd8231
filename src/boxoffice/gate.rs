//! Scans that arrive together are decided together.
//!
//! One producer's moves follow one another, and each ends with a wait for the disk. So whoever comes while a
//! transaction runs waits here, and the next one takes all of them.

use std::{
    collections::{HashMap, VecDeque},
    mem,
    panic::AssertUnwindSafe,
    sync::Arc,
};

use futures_util::FutureExt;
use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::admit::{Admission, Scan, admit};
use crate::{
    config::{SCANS_TOGETHER, SCANS_WAITING_MAX},
    store::{self, ChangeError, ChangeResult, Store, Tenant},
    time_source::TimeSource,
};

/// The scans of one server that wait for their turn. Cheap to clone.
#[derive(Clone)]
pub struct Gate(Arc<Waiting>);

struct Waiting {
    store: Store,
    time: TimeSource,
    /// A producer is here while a task works for it.
    queues: Mutex<HashMap<Tenant, VecDeque<Party>>>,
}

/// Scans that one request brought, and where their answers go.
struct Party {
    scans: Vec<Scan>,
    answer: oneshot::Sender<store::Result<Vec<Admission>>>,
}

impl Gate {
    /// With nobody waiting.
    pub fn new(store: Store, time: TimeSource) -> Self {
        Self(Arc::new(Waiting { store, time, queues: Mutex::default() }))
    }

    /// Decides scans together with those of others, in one transaction, and answers each.
    pub async fn admit(&self, tenant: Tenant, scans: Vec<Scan>) -> ChangeResult<Vec<Admission>> {
        if scans.is_empty() {
            return Ok(Vec::new());
        }
        let (answer, answered) = oneshot::channel();
        let is_first = {
            let mut queues = self.0.queues.lock();
            let is_first = !queues.contains_key(&tenant);
            let queue = queues.entry(tenant).or_default();
            if queue.iter().map(|party| party.scans.len()).sum::<usize>() + scans.len() > SCANS_WAITING_MAX {
                return Err(store::Error::Unavailable("too many scans are waiting".into()).into());
            }
            queue.push_back(Party { scans, answer });
            is_first
        };
        if is_first {
            // A task of its own: the one who came first may leave, and the others still get their answers.
            tokio::spawn(self.clone().work(tenant));
        }
        Ok(answered.await.map_err(|_| store::Error::internal("scans were not answered"))??)
    }

    /// Takes group after group until nobody waits.
    async fn work(self, tenant: Tenant) {
        while let Some(mut parties) = self.next_group(tenant) {
            let mut scans = Vec::new();
            let sizes: Vec<usize> = parties.iter().map(|party| party.scans.len()).collect();
            for party in &mut parties {
                scans.append(&mut mem::take(&mut party.scans));
            }
            let admitted = AssertUnwindSafe(admit(&self.0.store, tenant, &scans, self.0.time.now())).catch_unwind();
            let mut admissions = match admitted.await {
                Ok(Ok(admissions)) => Ok(admissions.into_iter()),
                Ok(Err(ChangeError::Store(cause))) => Err(cause),
                Ok(Err(ChangeError::Refused(refusal))) => Err(store::Error::internal(refusal.to_string())),
                // Without this task nobody of this producer would ever be answered again.
                Err(_) => Err(store::Error::internal("deciding scans panicked")),
            };
            for (party, size) in parties.into_iter().zip(sizes) {
                let answer = match &mut admissions {
                    Ok(admissions) => Ok(admissions.take(size).collect()),
                    Err(cause) => Err(cause.clone()),
                };
                // Nobody listens any more when the phone has gone; the scan stands, and the same scan_id tells.
                let _gone = party.answer.send(answer);
            }
        }
    }

    /// Those who go next, or nobody: then the producer has left, too.
    fn next_group(&self, tenant: Tenant) -> Option<Vec<Party>> {
        let mut queues = self.0.queues.lock();
        let queue = queues.get_mut(&tenant)?;
        // Whoever waited in vain was told so, and was sent away: they must not enter behind everybody's back.
        queue.retain(|party| !party.answer.is_closed());
        let mut group: Vec<Party> = Vec::new();
        let mut scans = 0;
        while let Some(party) = queue.front() {
            if !group.is_empty() && scans + party.scans.len() > SCANS_TOGETHER {
                break;
            }
            scans += party.scans.len();
            group.extend(queue.pop_front());
        }
        if group.is_empty() {
            queues.remove(&tenant);
            return None;
        }
        Some(group)
    }
}
