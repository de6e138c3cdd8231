//! The replicas that a server may ask, and how each of them is.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::FutureExt;
use parking_lot::Mutex;
use tokio::time::timeout;

use taquilla_domain::{config::REPLICA_LEFT_ALONE, named, time_source::TimeSource};

use super::{
    conn::{Conn, Link},
    error::{Error, Result},
    postgres::{self, Postgres},
    seen::LastSeen,
};

named! {
    /// How a replica was when it was last asked.
    ReplicaState {
        /// It answered, or nobody has asked it yet.
        Answering = "answering",
        /// It had not yet seen what the client has.
        Behind = "behind",
        /// It did not answer in time, or it could not. It is left alone for a while.
        Away = "away",
    }
}

/// The replicas of a database. They take turns.
pub struct Replicas {
    all: Vec<Arc<Replica>>,
    next: AtomicUsize,
    wait: Duration,
}

struct Replica {
    /// Its host and port.
    name: String,
    postgres: Postgres,
    now: Mutex<Now>,
}

struct Now {
    state: ReplicaState,
    /// Nobody asks it before this much time has passed.
    alone_until: Duration,
}

impl Replicas {
    /// The replicas of a database at these addresses. They are connected to when they are first asked.
    pub fn open(database: &Postgres, addresses: &[String]) -> Result<Self> {
        let open = |address: &String| {
            let now = Mutex::new(Now { state: ReplicaState::Answering, alone_until: Duration::ZERO });
            let (name, postgres) = (postgres::servers(address)?, database.replica(address)?);
            Ok(Arc::new(Replica { name, postgres, now }))
        };
        let all = addresses.iter().map(open).collect::<Result<_>>()?;
        Ok(Self { all, next: AtomicUsize::new(0), wait: database.replica_wait() })
    }

    /// How each of them is.
    pub fn states(&self) -> Vec<ReplicaState> {
        self.all.iter().map(|replica| replica.now.lock().state).collect()
    }

    /// The next one that is not left alone.
    fn next(&self, passed: Duration) -> Option<Arc<Replica>> {
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        let mut order = (0..self.all.len()).filter_map(|step| self.all.get(first.wrapping_add(step) % self.all.len()));
        order.find(|replica| replica.now.lock().alone_until <= passed).cloned()
    }
}

/// One question to one replica.
pub struct AtReplica {
    replica: Arc<Replica>,
    clock: TimeSource,
    seen: Arc<LastSeen>,
    wait: Duration,
    is_behind: Arc<AtomicBool>,
}

impl AtReplica {
    pub(super) fn next(replicas: &Replicas, clock: &TimeSource, seen: &Arc<LastSeen>) -> Option<Self> {
        let replica = replicas.next(clock.passed())?;
        let (clock, seen, wait) = (clock.clone(), Arc::clone(seen), replicas.wait);
        Some(Self { replica, clock, seen, wait, is_behind: Arc::default() })
    }

    /// A connection to the replica.
    pub(crate) async fn read(&self) -> Result<Conn> {
        let session = self.replica.postgres.reader().boxed().await?;
        let link = Link::Postgres(Box::new(session));
        Ok(Conn { link, clock: self.clock.clone(), seen: Arc::clone(&self.seen) })
    }

    /// What tells that the replica has not yet seen what it must have.
    pub(crate) fn behind(&self) -> impl FnOnce() + Send + Sync + use<> {
        let is_behind = Arc::clone(&self.is_behind);
        move || is_behind.store(true, Ordering::Relaxed)
    }

    /// The replica's answer, if it comes in time. Without one the database itself has to be asked.
    pub async fn answer<T>(&self, asked: impl Future<Output = Result<T>>) -> Option<T> {
        let name = &self.replica.name;
        let cause = match timeout(self.wait, asked).await {
            Ok(Ok(answer)) => {
                self.is(ReplicaState::Answering);
                return Some(answer);
            }
            Ok(Err(_)) if self.is_behind.load(Ordering::Relaxed) => {
                self.is(ReplicaState::Behind);
                return None;
            }
            // What it replays took away what the statement read. The next one may go through.
            Ok(Err(Error::Again(_))) => return None,
            Ok(Err(cause)) => cause,
            Err(_) => Error::Unavailable(format!("it did not answer for {} ms", self.wait.as_millis())),
        };
        if self.is(ReplicaState::Away) != ReplicaState::Away {
            tracing::warn!(replica = %name, %cause, "a replica is left alone for a while; the database itself answers");
        }
        None
    }

    /// Notes how the replica is, and tells how it was.
    fn is(&self, state: ReplicaState) -> ReplicaState {
        let mut now = self.replica.now.lock();
        let before = std::mem::replace(&mut now.state, state);
        if state == ReplicaState::Away {
            now.alone_until = self.clock.passed() + REPLICA_LEFT_ALONE;
        } else if before == ReplicaState::Away {
            tracing::info!(replica = %self.replica.name, "a replica answers again");
        }
        before
    }
}
