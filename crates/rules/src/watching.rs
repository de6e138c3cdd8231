//! Watches the database that a server works on: whether its clock agrees with the server's, and whether its schema is still
//! the one that this program knows.

use std::time::Duration;

use taquilla_domain::{
    config::{CLOCK_APART_MAX, DATABASE_WATCHED},
    time_source::TimeSource,
};
use taquilla_store::{Result, Store, pulse};

use crate::task::{Rounds, Task};

/// Begins to watch.
pub fn start(store: Store, time: TimeSource) -> Task {
    Task::every(DATABASE_WATCHED, Watching { store, time, was_apart: false })
}

struct Watching {
    store: Store,
    time: TimeSource,
    was_apart: bool,
}

impl Rounds for Watching {
    type Error = taquilla_store::Error;

    const TROUBLE: &'static str = "the database cannot be watched";

    async fn round(&mut self) -> Result<()> {
        // Who needs a database that does not answer says so; this would only say it again.
        let Ok(pulse) = pulse::feel(&self.store, &self.time).await else { return Ok(()) };
        let apart = Duration::from_micros(pulse.clock_ahead.unsigned_abs());
        let is_apart = apart > CLOCK_APART_MAX;
        if is_apart != self.was_apart {
            let ahead_s = pulse.clock_ahead as f64 / 1e6;
            match is_apart {
                true => tracing::warn!(ahead_s, "this server's clock differs from the database's"),
                false => tracing::info!(ahead_s, "this server's clock agrees with the database's again"),
            }
            self.was_apart = is_apart;
        }
        Ok(())
    }
}
