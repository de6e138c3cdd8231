//! All producers one after the other, and then from the beginning.

use std::time::{Duration, Instant};

use taquilla_domain::config::PRODUCERS_LISTED;
use taquilla_store::{Result, Store, Tenant, producers};

/// A round that never ends. It keeps one page of the list of producers.
#[derive(Default)]
pub(super) struct Sweep {
    /// How long a page is used again that has all producers.
    again: Duration,
    page: Vec<Tenant>,
    /// How many of them had their turn.
    gone: usize,
    /// Whether the page begins with the first of all producers.
    begins: bool,
    /// Whether it ends with the last.
    ends: bool,
    listed: Option<Instant>,
    is_past_first: bool,
}

impl Sweep {
    /// A round that uses its list again for a while, if it has all producers.
    pub(super) fn again(again: Duration) -> Self {
        Self { again, ..Self::default() }
    }

    /// The next in turn: at most this many, and nobody twice.
    pub(super) async fn next(&mut self, store: &Store, most: usize) -> Result<Vec<Tenant>> {
        if self.gone == self.page.len() {
            self.turn_page(store).await?;
        }
        let next: Vec<Tenant> = self.page.iter().skip(self.gone).take(most).copied().collect();
        self.gone += next.len();
        self.is_past_first |= self.is_at_end();
        Ok(next)
    }

    async fn turn_page(&mut self, store: &Store) -> Result<()> {
        if self.begins && self.ends && self.listed.is_some_and(|at| at.elapsed() < self.again) {
            self.gone = 0;
            return Ok(());
        }
        let last = self.page.last().copied().filter(|_| !self.ends);
        let page = producers::after(&mut store.read().await?, last, PRODUCERS_LISTED).await?;
        (self.begins, self.ends) = (last.is_none(), page.len() < PRODUCERS_LISTED);
        (self.page, self.gone, self.listed) = (page, 0, Some(Instant::now()));
        Ok(())
    }

    /// Whether the last of all producers had the last turn.
    pub(super) fn is_at_end(&self) -> bool {
        self.ends && self.gone == self.page.len()
    }

    /// Whether everybody had a turn.
    pub(super) fn is_past_first(&self) -> bool {
        self.is_past_first
    }
}
