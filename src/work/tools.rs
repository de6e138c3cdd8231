//! What doing work needs.

use crate::{boxoffice::Queue, store::Store, time_source::TimeSource};

/// What doing work needs.
#[derive(Clone)]
pub(super) struct Tools {
    pub(super) store: Store,
    pub(super) queue: Queue,
    pub(super) time: TimeSource,
}
