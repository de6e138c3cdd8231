//! Scans that arrive together are decided together.
//!
//! A producer's moves run one after another, and each ends with a wait for the disk. So scans that arrive during a move
//! wait here, and the next move decides all of them.

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

/// The waiting scans of one server. Cheap to clone.
#[derive(Clone)]
pub struct Gate(Arc<Waiting>);

struct Waiting {
    store: Store,
    time: TimeSource,
    /// The waiting requests. A producer has an entry while a task works on its queue.
    queues: Mutex<HashMap<Tenant, VecDeque<Party>>>,
}

/// The scans of one request, and where their answers go.
struct Party {
    scans: Vec<Scan>,
    answer: oneshot::Sender<store::Result<Vec<Admission>>>,
}

impl Gate {
    /// A gate with empty queues.
    pub fn new(store: Store, time: TimeSource) -> Self {
        Self(Arc::new(Waiting { store, time, queues: Mutex::default() }))
    }

    /// Decides scans together with those of other requests, in one transaction, and answers each.
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
            // The work runs in its own task, so that it continues if the first request is dropped.
            tokio::spawn(self.clone().work(tenant));
        }
        Ok(answered.await.map_err(|_| store::Error::internal("scans were not answered"))??)
    }

    /// Decides group after group until the producer's queue is empty.
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
                // A panic must not end this task: the producer's later scans wait for it.
                Err(_) => Err(store::Error::internal("deciding scans panicked")),
            };
            for (party, size) in parties.into_iter().zip(sizes) {
                let answer = match &mut admissions {
                    Ok(admissions) => Ok(admissions.take(size).collect()),
                    Err(cause) => Err(cause.clone()),
                };
                // Sending fails if the phone has gone. The scan stands, and a repeat with the same scan_id gets its
                // answer.
                let _gone = party.answer.send(answer);
            }
        }
    }

    /// The requests to decide next. `None` if none wait; the producer's entry is then removed.
    fn next_group(&self, tenant: Tenant) -> Option<Vec<Party>> {
        let mut queues = self.0.queues.lock();
        let queue = queues.get_mut(&tenant)?;
        // A request that was given up has told its device that the scan failed, so its scans must not be admitted
        // afterwards.
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
