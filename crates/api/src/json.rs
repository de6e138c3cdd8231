//! Writing an answer.

use serde::Serialize;

use taquilla_http::errors::Error;

/// Bytes that a listed row takes, about; only a first guess for the size of a buffer.
pub(super) const ROW_BYTES: usize = 700;

pub(super) fn json(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value).map_err(|cause| Error::Internal(format!("an answer could not be written: {cause}")))
}
