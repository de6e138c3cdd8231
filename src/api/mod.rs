//! The read API: extract, call the store, shape. Nothing here writes.

pub mod docs;
pub mod events;
pub mod me;
pub mod openapi;
pub mod orders;
pub mod tickets;
pub mod types;

use serde::Serialize;

use crate::error::Error;

/// Bytes that a listed row takes, about; only a first guess for the size of a buffer.
const ROW_BYTES: usize = 700;

fn json(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value).map_err(|cause| Error::Internal(format!("an answer could not be written: {cause}")))
}
