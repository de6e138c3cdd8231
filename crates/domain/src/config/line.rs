//! The line of an event that more come to buy than can be decided.

use std::time::Duration;

/// Buyers of one event who go on to buying in a second. With more there is a line. A small machine shows each of them the three
/// steps and decides their order beside everything else; in a minute it is six thousand people, more than most halls have places.
pub const LINE_PER_SECOND: i64 = 100;
/// How old what a server knows of a line may be.
pub const LINE_KNOWN: Duration = Duration::from_secs(1);
/// Those whom nobody let in for a while, because nobody looked, are let in together for this long at most.
pub const LINE_CATCHES_UP: Duration = Duration::from_secs(5);
/// A line is over when nobody has had to wait for this long.
pub const LINE_ENDS: Duration = Duration::from_secs(10);
/// How long whoever was at a form when the line began may go on with it: time enough to type all of it in peace.
pub const LINE_FORM_LASTS: Duration = Duration::from_mins(15);
/// How long a browser keeps its places: longer than any line.
pub const LINE_PLACE_LASTS: Duration = Duration::from_hours(12);
/// Events whose lines one browser waits in at the same time.
pub const LINE_PLACES_MAX: usize = 4;
/// How soon a waiting page looks again: when half of the wait has passed, within these limits. So a long line costs few looks,
/// and whoever is next does not wait for nothing.
pub const LINE_LOOKS: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(20));
/// Events whose lines one server remembers at the same time. Only those of the last seconds are.
pub const LINES_KNOWN_MAX: usize = 1_000;
