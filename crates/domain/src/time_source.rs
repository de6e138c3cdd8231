//! The present time. All code that needs the time gets it as an argument, and in the end from here.

use std::{
    sync::{
        Arc, LazyLock,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use crate::clock::Stamp;

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

    /// The time since some moment in the past, for what counts by passed time. Unlike the present, it is not changed when
    /// somebody sets the machine's clock.
    pub fn passed(&self) -> Duration {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        match self {
            Self::System => START.elapsed(),
            Self::Stepped(micros) => Duration::from_micros(micros.load(Ordering::SeqCst).max(0).cast_unsigned()),
        }
    }
}
