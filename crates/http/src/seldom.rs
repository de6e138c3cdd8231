//! Warnings that a stranger can cause as often as they like.

use std::time::Instant;

use parking_lot::Mutex;

use taquilla_domain::config::WARN_EVERY;

/// Keeps such a warning from filling the log.
#[derive(Default)]
pub struct Seldom(Mutex<Option<Instant>>);

impl Seldom {
    /// Whether the warning was not due for a while. If so, it is given now.
    pub fn is_due(&self) -> bool {
        let mut last = self.0.lock();
        let due = last.is_none_or(|last| last.elapsed() >= WARN_EVERY);
        if due {
            *last = Some(Instant::now());
        }
        due
    }
}
