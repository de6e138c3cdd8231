//! Why nothing was imported.

use taquilla_store as store;
use taquilla_store::import::staging;

use super::fault::Fault;

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A line is wrong.
    #[error("{}", .0)]
    Line(Fault),
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<staging::Fault> for Error {
    fn from(fault: staging::Fault) -> Self {
        Self::Line(Fault { line: fault.line, field: Some(fault.field.into()), message: fault.message })
    }
}
