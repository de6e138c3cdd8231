//! What doing work needs.

use taquilla_domain::time_source::TimeSource;
use taquilla_store::Store;

use crate::boxoffice::Queue;

/// What doing work needs.
#[derive(Clone)]
pub(super) struct Tools {
    pub(super) store: Store,
    pub(super) queue: Queue,
    pub(super) time: TimeSource,
}
