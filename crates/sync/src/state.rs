//! What a mirror remembers of each list.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use taquilla_client::Time;

use crate::{error::Error, lists::Stamp};

/// Where the mirror is with a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ListState {
    /// The stamps that the server can be asked by. With none of them, the list is always read as a whole.
    pub follows: Vec<Stamp>,
    /// Up to where everything is stored, by stamp.
    pub marks: BTreeMap<Stamp, Time>,
    /// The highest stamps in complete traversals. Marks may be a little lower.
    pub reached: BTreeMap<Stamp, Time>,
    /// When the last full traversal was complete, by the clock of this machine.
    pub full_at: Option<Time>,
    /// The traversal under way.
    pub run: Option<Run>,
    /// The server's clock and that of this machine at the last traversal.
    pub clocks: Option<(Time, Time)>,
    /// Whether the key may not read this list.
    pub is_refused: bool,
}

/// A traversal under way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Which rows: all, or those with a later stamp than the mark.
    pub after: Option<Stamp>,
    /// Its number, which its rows get. Each is higher than the one before.
    pub number: i64,
    /// What continues it after what is stored.
    pub cursor: Option<String>,
    /// The highest stamps in what is stored.
    pub highest: BTreeMap<Stamp, Time>,
    /// What no mark may pass: the traversal may have missed what happened after it.
    pub limits: BTreeMap<Stamp, Time>,
    /// How many rows are stored.
    pub rows: u64,
}

impl ListState {
    pub fn read(remembered: &HashMap<String, String>, list: &str) -> Result<Self, Error> {
        let Some(text) = remembered.get(&name(list)) else { return Ok(Self::default()) };
        serde_json::from_str(text).map_err(|cause| Error::State(format!("{list}: {cause}")))
    }

    /// The state as it is written.
    pub fn written(&self, list: &str) -> Result<(String, String), Error> {
        let text = serde_json::to_string(self).map_err(|cause| Error::State(format!("{list}: {cause}")))?;
        Ok((name(list), text))
    }

    /// The mark that a list is asked by.
    pub fn mark(&self, stamp: Stamp) -> Time {
        self.marks.get(&stamp).copied().unwrap_or(Time::BEGINNING)
    }

    /// Ends the traversal under way, whose rows are all stored: only now marks move.
    pub fn finish(&mut self, run: &Run, now: Time) {
        let stamps = match run.after {
            None => self.follows.clone(),
            Some(stamp) => vec![stamp],
        };
        for stamp in stamps {
            let limit = run.limits.get(&stamp).copied();
            let reached = run.highest.get(&stamp).map(|highest| limit.map_or(*highest, |limit| limit.min(*highest)));
            match (run.after, reached) {
                // What a restored server has lost, a full traversal forgets.
                (None, Some(mark)) => drop(self.marks.insert(stamp, mark)),
                (None, None) => drop(self.marks.remove(&stamp)),
                (Some(_), Some(mark)) => drop(self.marks.insert(stamp, mark.max(self.mark(stamp)))),
                (Some(_), None) => {}
            }
        }
        for (stamp, highest) in &run.highest {
            let reached = self.reached.entry(*stamp).or_insert(*highest);
            *reached = (*highest).max(*reached);
        }
        if run.after.is_none() {
            self.full_at = Some(now);
        }
        self.run = None;
    }
}

fn name(list: &str) -> String {
    format!("list {list}")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn at(second: u8) -> Time {
        format!("2026-11-01T12:00:{second:02}Z").parse().unwrap()
    }

    fn run(after: Option<Stamp>, highest: Option<u8>, limit: u8) -> Run {
        let of = |second: u8| BTreeMap::from([(Stamp::Updated, at(second))]);
        let highest = highest.map_or_else(BTreeMap::new, of);
        Run { after, number: 1, cursor: None, highest, limits: of(limit), rows: 0 }
    }

    #[test]
    fn a_mark_is_the_highest_stamp_that_nothing_can_have_slipped_below() {
        let mut state = ListState { follows: vec![Stamp::Updated], ..ListState::default() };
        assert_eq!(state.mark(Stamp::Updated), Time::BEGINNING);
        state.finish(&run(None, Some(9), 5), at(0));
        assert_eq!(state.mark(Stamp::Updated), at(5));
        let increment = Some(Stamp::Updated);
        state.finish(&run(increment, Some(9), 59), at(0));
        assert_eq!(state.mark(Stamp::Updated), at(9));
        state.finish(&run(increment, None, 59), at(0));
        assert_eq!(state.mark(Stamp::Updated), at(9), "no row, no move");
        state.finish(&run(increment, Some(8), 59), at(0));
        assert_eq!(state.mark(Stamp::Updated), at(9), "never back");
        state.finish(&run(None, Some(3), 59), at(0));
        assert_eq!(state.mark(Stamp::Updated), at(3), "but for a full traversal");
        let written = state.written("tickets").unwrap();
        assert_eq!(ListState::read(&HashMap::from([written]), "tickets").unwrap(), state);
    }
}
