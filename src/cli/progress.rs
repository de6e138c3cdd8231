//! How far long work has come: one bar over all of its phases, which have different speeds. It is drawn on standard error, and
//! only where a person is looking.

use std::{
    fmt::Write,
    sync::Arc,
    time::{Duration, Instant},
};

use indicatif::{HumanDuration, ProgressBar, ProgressFinish, ProgressState, ProgressStyle};
use parking_lot::Mutex;

/// A phase of long work.
#[derive(Clone, Copy)]
pub struct Phase {
    /// What is done in it.
    pub name: &'static str,
    /// How long it takes in comparison with the others, by experience.
    pub weight: u32,
}

/// A bar over phases.
pub struct Phases {
    bar: ProgressBar,
    course: Arc<Mutex<Course>>,
}

/// Where the work is.
struct Course {
    phases: &'static [Phase],
    at: usize,
    /// How much of the phase is done, where that is known.
    done: Option<f64>,
    began: Instant,
    phase_began: Instant,
}

/// The whole is never said to be done: the bar goes away instead.
const MOST: f64 = 0.99;

impl Course {
    fn name(&self) -> &'static str {
        self.phases.get(self.at).map_or("", |phase| phase.name)
    }

    fn share(&self, now: Instant) -> f64 {
        let before = self.phase_began.saturating_duration_since(self.began);
        share(self.phases, self.at, self.done, before, now.saturating_duration_since(self.phase_began))
    }
}

/// The share of the work that is done. The rest of a phase that does not say how far it is follows from the time that those
/// before took: it is half done after as long as is expected of it, and never all done.
fn share(phases: &[Phase], at: usize, done: Option<f64>, before: Duration, within: Duration) -> f64 {
    let sum = |phases: &[Phase]| phases.iter().map(|phase| f64::from(phase.weight)).sum::<f64>();
    let (earlier, this) = (sum(&phases[..at]), f64::from(phases[at].weight));
    let within = match done {
        Some(done) => done.clamp(0.0, 1.0),
        None if earlier == 0.0 => 0.0,
        None => {
            let expected = before.as_secs_f64() * this / earlier;
            let took = within.as_secs_f64();
            if took > 0.0 { took / (took + expected) } else { 0.0 }
        }
    };
    ((earlier + this * within) / sum(phases)).min(MOST)
}

/// How long the rest will take, if it goes on as before.
fn left(share: f64, took: Duration) -> Duration {
    if share <= 0.0 { Duration::ZERO } else { took.mul_f64((1.0 - share) / share) }
}

impl Phases {
    /// Begins the first phase.
    pub fn begin(phases: &'static [Phase]) -> Self {
        let now = Instant::now();
        let course = Arc::new(Mutex::new(Course { phases, at: 0, done: None, began: now, phase_began: now }));
        let (drawn, told) = (Arc::clone(&course), Arc::clone(&course));
        let style = ProgressStyle::with_template("{spinner} {share} {msg} ({elapsed}{left})");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        let style = style
            .with_key("share", move |_: &ProgressState, text: &mut dyn Write| {
                let _ = write!(text, "{:>2.0} %", 100.0 * drawn.lock().share(Instant::now()));
            })
            .with_key("left", move |_: &ProgressState, text: &mut dyn Write| {
                let (course, now) = (told.lock(), Instant::now());
                let rest = left(course.share(now), now.saturating_duration_since(course.began));
                // At first there is nothing to go by.
                if rest >= Duration::from_secs(1) {
                    let _ = write!(text, ", about {} left", HumanDuration(rest));
                }
            });
        let name = phases.first().map_or("", |phase| phase.name);
        let bar = ProgressBar::no_length().with_style(style).with_message(name).with_finish(ProgressFinish::AndClear);
        bar.enable_steady_tick(Duration::from_millis(120));
        Self { bar, course }
    }

    /// Says which phase the work is in. Work that begins a phase anew goes back to it.
    pub fn enter(&self, at: usize) {
        let mut course = self.course.lock();
        if let Some(phase) = course.phases.get(at) {
            self.bar.set_message(phase.name);
            (course.at, course.done, course.phase_began) = (at, None, Instant::now());
        }
    }

    /// Says how much of the phase is done.
    pub fn done(&self, part: u64, of: u64) {
        self.course.lock().done = Some(part as f64 / of.max(1) as f64);
    }

    /// Says what of the phase is done now.
    pub fn say(&self, what: &str) {
        let name = self.course.lock().name();
        self.bar.set_message(format!("{name}: {what}"));
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHASES: &[Phase] =
        &[Phase { name: "a", weight: 2 }, Phase { name: "b", weight: 1 }, Phase { name: "c", weight: 1 }];

    #[test]
    fn the_share_follows_the_work_that_is_left() {
        let second = Duration::from_secs(1);
        let at =
            |at: usize, done: Option<f64>, before: Duration, within: Duration| share(PHASES, at, done, before, within);
        // All of the first phase is half of the work.
        assert_eq!(at(0, Some(0.5), Duration::ZERO, second), 0.25);
        assert_eq!(at(0, Some(1.0), Duration::ZERO, second), 0.5);
        // The second one should take half as long as the first took.
        assert_eq!(at(1, None, second * 8, Duration::ZERO), 0.5);
        assert_eq!(at(1, None, second * 8, second * 4), 0.625);
        assert_eq!(left(0.5, second * 8), second * 8);
        // It only ever grows, and is never all.
        let mut last = 0.0;
        for (phase, before) in [(1, second * 8), (2, second * 12)] {
            for took in [0, 1, 10, 100, 10_000] {
                let now = at(phase, None, before, second * took);
                assert!(now >= last && now < 1.0, "{now} after {last}");
                last = now;
            }
        }
        assert!(at(2, Some(1.0), second, second) < 1.0, "while work goes on, something is left");
        assert_eq!(at(0, None, Duration::ZERO, second), 0.0);
        assert_eq!(left(0.0, second), Duration::ZERO);
    }
}
