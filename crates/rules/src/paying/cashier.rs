//! Who knows which payment processor a producer has.

use std::sync::Arc;

use taquilla_domain::{config::Config, time_source::TimeSource};
use taquilla_payments::{ByHand, Development, Processor};
use taquilla_store::Store;

use crate::boxoffice::Queue;

/// Asks payment processors, and settles what they say. Cheap to clone.
#[derive(Clone)]
pub struct Cashier {
    /// The database.
    pub store: Store,
    /// Who decides about orders.
    pub queue: Queue,
    /// Tells the time.
    pub time: TimeSource,
    /// The processor of the demo; `None` anywhere else.
    pub development: Option<Arc<Development>>,
}

/// The names of processors, as attempts have them.
const DEVELOPMENT: &str = "development";
const BY_HAND: &str = "by_hand";

impl Cashier {
    /// The cashier of a server.
    pub fn new(store: Store, queue: Queue, time: TimeSource, config: &Config) -> Self {
        let development = config.is_demo.then(|| Arc::new(Development::new(time.clone())));
        Self { store, queue, time, development }
    }

    /// The processor where buyers pay, with its name.
    pub fn for_buyers(&self) -> (&'static str, Arc<dyn Processor>) {
        match &self.development {
            Some(development) => (DEVELOPMENT, Arc::<Development>::clone(development)),
            None => (BY_HAND, Arc::new(ByHand)),
        }
    }

    /// The processor of this name, if this server knows it.
    pub(super) fn named(&self, name: &str) -> Option<Arc<dyn Processor>> {
        let (known, processor) = self.for_buyers();
        (known == name).then_some(processor)
    }
}
