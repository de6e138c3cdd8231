//! One traversal, page by page: fetched while the page before is stored, and each stored with the cursor that follows it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;

use taquilla_client::{Page, Time};

use crate::{
    error::Error,
    lists::{Listed, Stamp},
    mirror::{Batch, Clear, Queue},
    probe::Found,
    schema::{EVENTS, ORDERS, TICKETS},
    state::{ListState, Run},
    sync::{DIRTY, NUMBER, Sync},
    told::Told,
};

/// How far a mark stays behind the server's clock. Rows with equal or slightly older stamps may still come, where stamps are
/// coarser than Taquilla's or are taken before a row is committed; so may rows that the order of pages hid. What is read twice
/// for this does no harm.
const CAUTION: SignedDuration = SignedDuration::from_secs(60);

/// What a traversal is to read.
pub(crate) enum What {
    /// Everything. The server was found to be like this.
    All(Found),
    /// What has a later stamp than the mark.
    After(Stamp),
}

/// How a traversal ended.
pub(crate) enum Ended {
    Complete,
    /// Complete, but the server's clock was set back: what happened since may have stamps that marks have passed.
    ClockSetBack,
}

impl Sync {
    /// Begins a traversal.
    pub(crate) async fn begin<T: Listed>(&mut self, state: &mut ListState, what: What) -> Result<(), Error> {
        let mut next = state.clone();
        self.number += 1;
        let (after, limits, clear) = match what {
            What::All(Found { follows, newest }) => {
                next.follows = follows;
                // A full traversal does not show hidden tickets, so they need not be remembered.
                (None, newest, if T::TABLE.name == TICKETS.name { vec![Clear::KnownHidden] } else { Vec::new() })
            }
            What::After(stamp) => (Some(stamp), BTreeMap::new(), Vec::new()),
        };
        next.run = Some(Run { after, number: self.number, cursor: None, highest: BTreeMap::new(), limits, rows: 0 });
        let number = (NUMBER.to_owned(), self.number.to_string());
        let states = vec![next.written(T::TABLE.name)?, number];
        self.mirror.write(Batch { clear, state: states, ..Batch::default() }).await?;
        *state = next;
        Ok(())
    }

    /// Goes on with the traversal under way, to its end.
    pub(crate) async fn traverse<T: Listed>(&mut self, state: &mut ListState) -> Result<Ended, Error> {
        let Some(run) = state.run.clone() else { return Ok(Ended::Complete) };
        let mut rows = T::rows(&self.client, run.after.map(|stamp| (stamp, state.mark(stamp))));
        if let Some(cursor) = &run.cursor {
            rows = rows.from_cursor(cursor.as_str());
        }
        let list = T::TABLE.name;
        self.tell(Told::Began { list, stored: run.rows, expected: self.expected(list, &run).await? });
        let mut ended = Ended::Complete;
        let mut page = match rows.next_page().await {
            Ok(page) => page,
            Err(cause) => return Err(self.failed::<T>(state, cause).await),
        };
        while let Some(this) = page {
            let mut next = state.clone();
            let Some(run) = &mut next.run else { return Err(Error::Internal("a traversal was lost".into())) };
            if run.cursor.is_none() && note_clocks(run, &mut next.clocks, &next.follows, this.date) {
                ended = Ended::ClockSetBack;
            }
            let (is_last, is_full, count) = (this.next_cursor.is_none(), run.after.is_none(), this.data.len() as u64);
            let mut batch = self.batch::<T>(run, this);
            if is_last {
                let run = run.clone();
                next.finish(&run, Time::now());
                batch.sweep = sweep(list, &run);
            }
            batch.state.push(next.written(list)?);
            let is_dirty = count > 0 || !batch.sweep.is_empty();
            if is_dirty {
                batch.state.push((DIRTY.to_owned(), "yes".to_owned()));
            }
            let (stored, fetched) = tokio::join!(self.mirror.write(batch), async {
                if is_last { Ok(None) } else { rows.next_page().await }
            });
            stored?;
            self.is_dirty |= is_dirty;
            *state = next;
            self.count(list, count, is_full && is_last);
            page = match fetched {
                Ok(page) => page,
                Err(cause) => return Err(self.failed::<T>(state, cause).await),
            };
        }
        self.tell(Told::Ended);
        Ok(ended)
    }

    /// Forgets the cursor of a call that failed: the traversal begins anew. Marks stay where they are.
    async fn failed<T: Listed>(&mut self, state: &mut ListState, cause: taquilla_client::Error) -> Error {
        self.tell(Told::Ended);
        let next = ListState { run: None, ..state.clone() };
        let written = match next.written(T::TABLE.name) {
            Ok(written) => self.mirror.write(Batch { state: vec![written], ..Batch::default() }).await,
            Err(cause) => Err(cause),
        };
        match written {
            Ok(()) => {
                *state = next;
                cause.into()
            }
            Err(cause) => cause,
        }
    }

    /// What a page is stored as. The traversal moves on to what follows it.
    fn batch<T: Listed>(&self, run: &mut Run, page: Page<T>) -> Batch {
        let mut again: BTreeSet<(&'static str, String)> = BTreeSet::new();
        for row in &page.data {
            for stamp in [Stamp::Updated, Stamp::Issued, Stamp::Scanned] {
                if let Some(at) = row.stamp(stamp) {
                    let highest = run.highest.entry(stamp).or_insert(at);
                    *highest = at.max(*highest);
                }
            }
            again.extend(row.event_id().map(|id| (Queue::Event.as_str(), id.to_owned())));
            if run.after.is_some() && self.follows_orders() {
                again.extend(row.order_id().map(|id| (Queue::Order.as_str(), id.to_owned())));
            }
        }
        let queue = again
            .into_iter()
            .map(|(what, id)| (if what == Queue::Event.as_str() { Queue::Event } else { Queue::Order }, id));
        let queue = queue.collect();
        run.rows += page.data.len() as u64;
        run.cursor = page.next_cursor;
        let people = &self.options.people;
        let rows = Batch::without_repeats(page.data.into_iter().map(|row| row.kept(people)).collect());
        Batch { rows: Some((T::TABLE, rows)), traversal: run.number, queue, ..Batch::default() }
    }

    /// Whether orders tell of tickets, because tickets do not tell of themselves.
    pub(crate) fn follows_orders(&self) -> bool {
        self.states.get(TICKETS.name).is_some_and(|tickets| tickets.follows.contains(&Stamp::Issued))
    }

    /// About how many rows a traversal will have, where that can be told.
    async fn expected(&self, list: &'static str, run: &Run) -> Result<Option<u64>, Error> {
        if run.after.is_some() {
            return Ok(None);
        }
        let (table, sold) = match list {
            name if name == TICKETS.name => (&TICKETS, self.mirror.tickets_sold().await?),
            name if name == ORDERS.name => (&ORDERS, self.mirror.orders_of_tickets().await?),
            _ => (&EVENTS, 0),
        };
        let expected = if run.rows > 0 { sold } else { sold.max(self.mirror.count(table).await?) };
        Ok(Some(expected).filter(|expected| *expected > 0))
    }
}

/// What goes when a traversal is complete.
fn sweep(list: &'static str, run: &Run) -> Vec<Clear> {
    let mut sweep = Vec::new();
    if run.after.is_none() {
        sweep.push(Clear::NotSeenSince(list, run.number));
    }
    if list == EVENTS.name && run.after.is_none() {
        sweep.push(Clear::TypesOfNoEvent);
    }
    if list == TICKETS.name {
        sweep.push(Clear::Hidden);
    }
    sweep
}

/// Notes the clocks when a traversal begins, and what its marks may not pass. Tells whether the server's clock was set back.
fn note_clocks(run: &mut Run, clocks: &mut Option<(Time, Time)>, follows: &[Stamp], date: Option<Time>) -> bool {
    let here = Time::now();
    // Without the server's date there is only our own clock to go by.
    let there = date.unwrap_or(here);
    let limit = Time::from(there.timestamp().saturating_sub(CAUTION).unwrap_or_default());
    for stamp in run.after.map_or_else(|| follows.to_vec(), |stamp| vec![stamp]) {
        let limits = run.limits.entry(stamp).or_insert(limit);
        *limits = limit.min(*limits);
    }
    let was_set_back = clocks.is_some_and(|(there_before, here_before)| {
        let passed = here.timestamp().duration_since(here_before.timestamp());
        let passed_there = there.timestamp().duration_since(there_before.timestamp());
        passed_there + CAUTION < passed
    });
    *clocks = Some((there, here));
    was_set_back && run.after.is_some()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_mark_stays_behind_the_servers_clock_and_a_clock_that_goes_back_is_noticed() {
        let mut run = Run {
            after: Some(Stamp::Updated),
            number: 1,
            cursor: None,
            highest: BTreeMap::new(),
            limits: BTreeMap::new(),
            rows: 0,
        };
        let date = |text: &str| Some(text.parse::<Time>().unwrap());
        let mut clocks = None;
        assert!(!note_clocks(&mut run, &mut clocks, &[], date("2026-11-01T12:01:00Z")), "the first time");
        assert_eq!(run.limits[&Stamp::Updated], date("2026-11-01T12:00:00Z").unwrap());
        assert!(!note_clocks(&mut run, &mut clocks, &[], date("2026-11-01T12:01:00Z")), "the same second");
        assert!(!note_clocks(&mut run, &mut clocks, &[], date("2026-11-01T13:00:00Z")), "forward loses nothing");
        assert!(note_clocks(&mut run, &mut clocks, &[], date("2026-11-01T12:01:00Z")), "back");
        assert!(!note_clocks(&mut run, &mut clocks, &[], date("2026-11-01T12:01:00Z")), "once");
    }
}
