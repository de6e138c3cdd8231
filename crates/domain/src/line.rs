//! The line of an event that more come to buy than can be decided: everybody has a place in the order in which they came, and is
//! let in in that order, so many in a second.
//!
//! Places are numbers from 1. All up to `let_in` may buy. A line begins with the first who has to wait, and is over when nobody
//! has had to wait for a while. A later line is another one, and its places have nothing to do with these.

use std::time::Duration;

use super::clock::Stamp;
use crate::config::{LINE_CATCHES_UP, LINE_ENDS, LINE_LOOKS, LINE_PER_SECOND};

const SECOND: i64 = 1_000_000;

/// A line at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// When it began, which tells it from every other line of the event.
    pub opened_at: Stamp,
    /// The last place that somebody has.
    pub last_place: i64,
    /// Everybody up to this place may buy.
    pub let_in: i64,
    /// Up to when those who may be let in were let in.
    pub let_in_at: Stamp,
    /// When somebody last had to wait.
    pub waited_at: Stamp,
}

impl Line {
    /// A line that begins.
    pub fn new(now: Stamp) -> Self {
        Self { opened_at: now, last_place: 0, let_in: 0, let_in_at: now, waited_at: now }
    }

    /// The same after so many have joined at its end. Gives the first of their places.
    pub fn join(&mut self, comers: i64) -> i64 {
        let first = self.last_place.saturating_add(1);
        self.last_place = self.last_place.saturating_add(comers);
        first
    }

    /// Lets in whom the time that has passed allows, unless what is sold is behind with those who are in.
    pub fn go_on(&mut self, now: Stamp, is_behind: bool) {
        let from = if is_behind { now } else { self.let_in_at.max(now.minus(LINE_CATCHES_UP)) };
        let passed = now.micros().saturating_sub(from.micros()).max(0);
        let waiting = self.last_place - self.let_in;
        let allowed = passed.saturating_mul(LINE_PER_SECOND) / SECOND;
        let now_in = allowed.min(waiting);
        self.let_in += now_in;
        // What is left of the time is kept, for a second at most: those who come next need not wait for it again.
        let used = Duration::from_micros((now_in * SECOND / LINE_PER_SECOND).unsigned_abs());
        let kept_from = if now_in < waiting { from } else { from.max(now.minus(Duration::from_secs(1)).minus(used)) };
        self.let_in_at = kept_from.plus(used).min(now.max(from));
        if self.let_in < self.last_place {
            self.waited_at = now;
        }
    }

    /// Whether nobody needs it any more.
    pub fn is_over(&self, now: Stamp) -> bool {
        self.let_in >= self.last_place && now >= self.waited_at.plus(LINE_ENDS)
    }

    /// Whether somebody with this place may buy.
    pub fn has_let_in(&self, place: i64) -> bool {
        place <= self.let_in
    }

    /// How many are before somebody with this place.
    pub fn before(&self, place: i64) -> i64 {
        (place - self.let_in - 1).max(0)
    }

    /// How long somebody with this place waits, about.
    pub fn wait(&self, place: i64) -> Duration {
        Duration::from_secs((self.before(place) / LINE_PER_SECOND + 1).unsigned_abs())
    }

    /// When somebody with this place looks again.
    pub fn looks_again(&self, place: i64) -> Duration {
        let (soonest, latest) = LINE_LOOKS;
        (self.wait(place) / 2).clamp(soonest, latest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Stamp {
        Stamp::from_micros(1_800_000_000 * SECOND + millis * 1_000)
    }

    #[test]
    fn so_many_are_let_in_each_second_in_their_order() {
        let mut line = Line::new(at(0));
        assert_eq!((line.join(250), line.join(1)), (1, 251));
        line.go_on(at(0), false);
        assert_eq!(line.let_in, 0);
        for (millis, let_in) in
            [(10, 1), (19, 1), (20, 2), (500, 50), (1_000, 100), (2_004, 200), (2_509, 250), (2_510, 251)]
        {
            line.go_on(at(millis), false);
            assert_eq!(line.let_in, let_in, "{millis}");
        }
        assert!(line.has_let_in(251) && !line.has_let_in(252));
        line.go_on(at(60_000), false);
        assert_eq!(line.join(1), 252);
        line.go_on(at(60_000), false);
        assert_eq!(line.let_in, 252, "the time of a second is kept for who comes next");
        assert_eq!(line.join(1_000), 253);
        line.go_on(at(60_000), false);
        assert!(line.let_in < 252 + 101, "and no more: {line:?}");
    }

    #[test]
    fn nobody_is_let_in_while_what_is_sold_is_behind() {
        let mut line = Line::new(at(0));
        line.join(500);
        line.go_on(at(3_000), true);
        assert_eq!(line.let_in, 0);
        line.go_on(at(3_100), false);
        assert_eq!(line.let_in, 10, "the time is not made up for");
        line.go_on(at(100_000), false);
        assert_eq!(line.let_in, 500);
        line.join(10_000);
        line.go_on(at(200_000), false);
        assert!(line.let_in <= 500 + 5 * 100 + 100, "nobody looked for long: {line:?}");
    }

    #[test]
    fn a_line_is_over_when_nobody_has_waited_for_a_while() {
        let mut line = Line::new(at(0));
        line.join(1);
        line.go_on(at(0), false);
        assert!(!line.is_over(at(1_000_000)), "somebody waits");
        line.go_on(at(1_000), false);
        assert!(!line.is_over(at(5_000)) && line.is_over(at(10_000)));
        for millis in (2_000..30_000).step_by(500) {
            line.join(1);
            line.go_on(at(millis), false);
        }
        assert!(line.is_over(at(30_000)), "those who come one by one wait for nothing");
    }

    #[test]
    fn what_is_said_of_a_place_follows_from_those_before_it() {
        let mut line = Line::new(at(0));
        line.join(5_000);
        line.go_on(at(1_000), false);
        assert_eq!((line.before(101), line.before(100), line.before(5_000)), (0, 0, 4_899));
        assert_eq!((line.wait(101).as_secs(), line.wait(5_000).as_secs()), (1, 49));
        assert_eq!((line.looks_again(101).as_secs(), line.looks_again(5_000).as_secs()), (2, 20));
    }

    #[test]
    fn a_clock_that_goes_back_lets_nobody_in_twice() {
        let mut line = Line::new(at(10_000));
        line.join(1_000);
        line.go_on(at(11_000), false);
        let before = line.let_in;
        line.go_on(at(5_000), false);
        assert_eq!(line.let_in, before);
        line.go_on(at(11_000), false);
        assert_eq!(line.let_in, before);
    }
}
