//! Scans that arrive together are decided together.
//!
//! A producer's moves run one after another, and each ends with a wait for the disk. So scans that arrive during a move
//! wait here, and the next move decides all of them.

use std::{
    collections::{HashMap, VecDeque},
    panic::AssertUnwindSafe,
    sync::Arc,
    time::Duration,
};

use futures_util::FutureExt;
use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::admit::{Admission, Scan, admit_in};
use crate::{
    config::{SCANS_TOGETHER, SCANS_WAITING_MAX},
    store::{self, ChangeError, ChangeResult, Store, Tenant},
    time_source::TimeSource,
    transaction,
};

/// The waiting scans of one server. Cheap to clone.
#[derive(Clone)]
pub struct Gate(Arc<Waiting>);

struct Waiting {
    store: Store,
    time: TimeSource,
    /// How long a request waits for its answer. A group that takes longer is given up, because nobody waits for it.
    patience: Duration,
    /// The waiting requests. A producer has an entry while a task works on its queue.
    queues: Mutex<HashMap<Tenant, VecDeque<Party>>>,
}

/// The scans of one request, and where their answers go.
struct Party {
    scans: Vec<Scan>,
    answer: oneshot::Sender<store::Result<Vec<Admission>>>,
}

impl Party {
    /// Whether somebody still waits for the answer. A request that was given up has told its device that the scan
    /// failed, so its scans must not be admitted afterwards.
    fn is_waiting(&self) -> bool {
        !self.answer.is_closed()
    }
}

impl Gate {
    /// A gate with empty queues.
    pub fn new(store: Store, time: TimeSource, patience: Duration) -> Self {
        Self(Arc::new(Waiting { store, time, patience, queues: Mutex::default() }))
    }

    /// Decides scans together with those of other requests, in one transaction, and answers each.
    pub async fn admit(&self, tenant: Tenant, scans: Vec<Scan>) -> ChangeResult<Vec<Admission>> {
        if scans.is_empty() {
            return Ok(Vec::new());
        }
        let (answer, answered) = oneshot::channel();
        let is_first = {
            let mut queues = self.0.queues.lock();
            let before = queues.get(&tenant);
            let waiting: usize = before.into_iter().flatten().map(|party| party.scans.len()).sum();
            if waiting + scans.len() > SCANS_WAITING_MAX {
                return Err(store::Error::Unavailable("too many scans are waiting".into()).into());
            }
            let is_first = before.is_none();
            queues.entry(tenant).or_default().push_back(Party { scans, answer });
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
        while let Some(parties) = self.next_group(tenant) {
            let deciding = AssertUnwindSafe(self.decide(tenant, &parties)).catch_unwind();
            let answers = match tokio::time::timeout(self.0.patience, deciding).await {
                Ok(Ok(Ok(answers))) => Ok(answers),
                Ok(Ok(Err(ChangeError::Store(cause)))) => Err(cause),
                Ok(Ok(Err(ChangeError::Refused(refusal)))) => Err(store::Error::internal(refusal.to_string())),
                // A panic must not end this task: the producer's later scans wait for it.
                Ok(Err(_)) => Err(store::Error::internal("deciding scans panicked")),
                Err(_) => Err(store::Error::Unavailable("deciding scans took too long".into())),
            };
            let mut answers = answers.map(Vec::into_iter);
            for party in parties {
                let answer = match &mut answers {
                    Ok(answers) => Ok(answers.next().unwrap_or_default()),
                    Err(cause) => Err(cause.clone()),
                };
                // Sending fails if the phone has gone. If its scan was decided it stands, and a repeat with the same
                // scan_id gets its answer.
                let _gone = party.answer.send(answer);
            }
        }
    }

    /// Decides the scans of a group in one move, and gives the answers of each request.
    async fn decide(&self, tenant: Tenant, parties: &[Party]) -> ChangeResult<Vec<Vec<Admission>>> {
        transaction!(self.0.store.begin_move(tenant, self.0.time.now()), |tx| {
            // The wait for the producer may have been long, and who has gone meanwhile was told that the scan failed.
            // From here to the commit nothing waits for anybody else.
            let sizes: Vec<usize> =
                parties.iter().map(|party| if party.is_waiting() { party.scans.len() } else { 0 }).collect();
            let scans: Vec<&Scan> =
                parties.iter().zip(&sizes).flat_map(|(party, size)| &party.scans[..*size]).collect();
            if scans.is_empty() {
                return Err(store::Error::Unavailable("nobody waits for these scans".into()).into());
            }
            let mut admissions = admit_in(tx, &scans).await?.into_iter();
            Ok(sizes.into_iter().map(|size| admissions.by_ref().take(size).collect()).collect())
        })
    }

    /// The requests to decide next. `None` if none wait; the producer's entry is then removed.
    fn next_group(&self, tenant: Tenant) -> Option<Vec<Party>> {
        let mut queues = self.0.queues.lock();
        let queue = queues.get_mut(&tenant)?;
        queue.retain(Party::is_waiting);
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
