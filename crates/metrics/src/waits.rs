//! How long this process waited for its database.

use std::time::Instant;

use prometheus_client::{
    metrics::{family::Family, histogram::Histogram},
    registry::Registry,
};

use taquilla_domain::named;

/// Upper bounds in seconds. A wait ends with a 503 after a few seconds.
const WAITED: [f64; 8] = [0.0001, 0.001, 0.005, 0.025, 0.1, 0.5, 2.0, 10.0];

named! {
    /// What is waited for.
    Wait {
        /// SQLite: the one connection that writes.
        Writer = "writer",
        /// PostgreSQL: the turn of a producer's moves.
        Turn = "turn",
        /// PostgreSQL: a permit to write.
        Permit = "permit",
        /// PostgreSQL: a connection.
        Connection = "connection",
    }
}

/// The one label of a wait: what it is for.
type Label = [(&'static str, &'static str); 1];

/// Waits by what for. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Waits {
    family: Family<Label, Histogram, fn() -> Histogram>,
    /// Those of the family, so that none has to be looked up by name.
    known: Vec<(Wait, Histogram)>,
}

impl Waits {
    /// Waits for these, which are what an engine has.
    pub fn new(waits: &[Wait]) -> Self {
        let family = Family::new_with_constructor((|| Histogram::new(WAITED)) as fn() -> Histogram);
        let known = waits.iter().map(|wait| (*wait, family.get_or_create_owned(&[("wait", wait.as_str())]))).collect();
        Self { family, known }
    }

    /// Notes a wait that is over now. It does not take the future that waits: connecting is a large one, and wrapping it would
    /// make it larger.
    pub fn note(&self, wait: Wait, began: Instant) {
        if let Some((_, waits)) = self.known.iter().find(|(known, _)| *known == wait) {
            waits.observe(began.elapsed().as_secs_f64());
        }
    }

    /// Adds them to what is told.
    pub fn register(&self, registry: &mut Registry) {
        let help = "Waits of this server for its database, by what for";
        registry.register("database_wait_seconds", help, self.family.clone());
    }
}
