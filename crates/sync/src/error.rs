//! What can go wrong.

use std::io;

/// Why a mirror is not up to date. What was stored is good, and the next run goes on from there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The server did not answer as it should.
    #[error(transparent)]
    Server(#[from] taquilla_client::Error),
    /// The command is wrong, whatever the server says.
    #[error("{0}")]
    Mistake(String),
    /// The mirror's file cannot be read or written.
    #[error("the mirror cannot be read or written")]
    Sqlite(#[from] rusqlite::Error),
    /// The mirror's database cannot be read or written.
    #[error("the mirror cannot be read or written")]
    Postgres(#[from] tokio_postgres::Error),
    /// There is no connection to the mirror's database.
    #[error("no connection to the mirror's database")]
    Connection(#[source] taquilla_store::Error),
    /// A file cannot be read or written.
    #[error("{0} cannot be read or written")]
    File(String, #[source] io::Error),
    /// What the mirror remembers cannot be understood.
    #[error("the mirror has something in sync_state that this version does not understand: {0}")]
    State(String),
    /// A defect of this program.
    #[error("the work ended unexpectedly: {0}")]
    Internal(String),
}

impl Error {
    /// Whether the next run may succeed although nobody mends anything.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Server(cause) => cause.is_passing(),
            Self::Postgres(_) | Self::Connection(_) => true,
            _ => false,
        }
    }
}
