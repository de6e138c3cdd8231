//! Whom a task looks after next.
//!
//! A server knows most of what there is to do without asking: its own commits tell whose turn it is, and whoever was asked
//! told when to come again. What other processes leave (commands, other servers that were killed) is found by going through
//! all producers, a few on each look, however many there are.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    time::Instant,
};

use taquilla_domain::{
    clock::Stamp,
    config::{FIRST_ROUND_FASTER, PRODUCERS_LISTED_AGAIN},
    time_source::TimeSource,
};
use taquilla_store::{Followed, Result, Store, Tenant};

use super::{pauses::Pauses, sweep::Sweep};

/// Whom a task looks after next.
pub(crate) struct Rota {
    store: Store,
    time: TimeSource,
    commits: Followed,
    /// When those are to be asked of whom that is known; the earliest first.
    order: BTreeSet<(Stamp, Tenant)>,
    due: HashMap<Tenant, Stamp>,
    /// Those who are being asked. What becomes due meanwhile waits.
    asked: HashSet<Tenant>,
    pauses: Pauses<Tenant>,
    sweep: Sweep,
}

impl Rota {
    pub(crate) fn new(store: Store, time: TimeSource) -> Self {
        let commits = store.follow_commits();
        let (order, due, asked) = (BTreeSet::new(), HashMap::new(), HashSet::new());
        Self {
            store,
            time,
            commits,
            order,
            due,
            asked,
            pauses: Pauses::default(),
            sweep: Sweep::again(PRODUCERS_LISTED_AGAIN),
        }
    }

    /// Takes note of the commits since the last time. Each shows that its producer can be reached.
    pub(crate) fn note_commits(&mut self) {
        for tenant in self.commits.take() {
            self.pauses.end(&tenant);
            self.ask_again(tenant);
        }
    }

    /// Those who are due, at most this many. Each is asked until [`Rota::done`] or [`Rota::failed`] says otherwise.
    pub(crate) fn due(&mut self, most: usize) -> Vec<Tenant> {
        let (now, machine) = (self.time.now(), Instant::now());
        let due = self.order.iter().take_while(|(at, _)| *at <= now).map(|(_, tenant)| *tenant);
        let free = due.filter(|tenant| !self.asked.contains(tenant) && !self.pauses.has(tenant, machine));
        // Those who failed before may take long to fail again: most places are for the others.
        let mut failed_before = 0;
        let due = free.filter(|tenant| {
            failed_before += usize::from(self.pauses.has_failed(tenant));
            !self.pauses.has_failed(tenant) || failed_before <= (most / 4).max(1)
        });
        let due: Vec<Tenant> = due.take(most).collect();
        for tenant in &due {
            self.forget(*tenant);
            self.asked.insert(*tenant);
        }
        due
    }

    /// The next in the round through all, at most this many unless the server has just started.
    pub(crate) async fn in_turn(&mut self, some: usize) -> Result<Vec<Tenant>> {
        let most = if self.sweep.is_past_first() { some } else { some * FIRST_ROUND_FASTER };
        let mut next = self.sweep.next(&self.store, most).await?;
        let now = Instant::now();
        next.retain(|tenant| !self.pauses.has(tenant, now) && self.asked.insert(*tenant));
        next.iter().for_each(|tenant| self.forget(*tenant));
        Ok(next)
    }

    /// Somebody was asked, and told when to come again.
    pub(crate) fn done(&mut self, tenant: Tenant, again: Option<Stamp>) {
        self.asked.remove(&tenant);
        self.pauses.end(&tenant);
        if let Some(at) = again {
            self.ask_at(tenant, at);
        }
    }

    /// Somebody could not be asked, and is left alone for a while.
    pub(crate) fn failed(&mut self, tenant: Tenant) {
        self.asked.remove(&tenant);
        self.pauses.begin(tenant, Instant::now());
        self.ask_again(tenant);
    }

    /// Those who were being asked by a round that ended early, by a defect, are left alone for a while like others who failed.
    pub(crate) fn none_is_asked(&mut self) {
        for tenant in std::mem::take(&mut self.asked) {
            self.failed(tenant);
        }
    }

    /// Somebody is to be asked soon.
    pub(crate) fn ask_again(&mut self, tenant: Tenant) {
        self.ask_at(tenant, self.time.now());
    }

    fn ask_at(&mut self, tenant: Tenant, at: Stamp) {
        if self.due.get(&tenant).is_some_and(|known| *known <= at) {
            return;
        }
        self.forget(tenant);
        self.due.insert(tenant, at);
        self.order.insert((at, tenant));
    }

    fn forget(&mut self, tenant: Tenant) {
        if let Some(at) = self.due.remove(&tenant) {
            self.order.remove(&(at, tenant));
        }
    }
}
