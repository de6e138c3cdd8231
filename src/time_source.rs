//! The present time. All code that needs the time gets it as an argument, and in the end from here.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use crate::domain::clock::Stamp;

/// The source of the present time: the machine's clock, or a test that steps it.
#[derive(Clone, Debug, Default)]
pub enum TimeSource {
    /// The machine's clock.
    #[default]
    System,
    /// Microseconds that change only when a test changes them.
    Stepped(Arc<AtomicI64>),
}

impl TimeSource {
    /// The present.
    pub fn now(&self) -> Stamp {
        Stamp::from_micros(match self {
            Self::System => jiff::Timestamp::now().as_microsecond(),
            Self::Stepped(micros) => micros.load(Ordering::SeqCst),
        })
    }
}
