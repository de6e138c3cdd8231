//! What can go wrong with the database.

/// The SQL state of a lock that was waited for in vain. Stories of PostgreSQL begin with their state.
const LOCK_NOT_AVAILABLE: &str = "55P03";

/// An error of the store. Its text is for logs and operators, never for clients.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The database cannot be reached or is too busy; trying again later may help.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// The transaction conflicted with another one; the same block can be run again.
    #[error("the transaction must be run again: {0}")]
    Again(String),
    /// The database was written by a newer Taquilla.
    #[error(
        "its schema has version {found}, but this taquilla knows only versions up to {known}; run a newer taquilla"
    )]
    NewerSchema {
        /// The version in the database.
        found: i64,
        /// The newest version this binary knows.
        known: i64,
    },
    /// The database was written by an older Taquilla and is only looked at.
    #[error(
        "its schema has version {found}, and this taquilla works with version {known}; `taquilla serve` and all other \
         commands bring it up to date"
    )]
    OlderSchema {
        /// The version in the database.
        found: i64,
        /// The version this binary works with.
        known: i64,
    },
    /// There is no database of ours at this address.
    #[error(
        "there is no data of Taquilla {0}; is the address right? `taquilla producer create`, `taquilla serve` and \
         `taquilla demo` create one"
    )]
    NoDatabase(String),
    /// PostgreSQL and this side do not come together: TLS, a certificate, a password, an encoding. Trying again helps
    /// once somebody has mended it.
    #[error("{0}")]
    NotConnected(String),
    /// A backup is to be restored where data of ours is already.
    #[error(
        "there is data of Taquilla already {0}; restore into a SQLite file that is not there yet, or into an empty \
         PostgreSQL database"
    )]
    NotEmpty(String),
    /// A SQLite file belongs to another program.
    #[error("there is data of another program {0}; name a file that is not there yet")]
    OfOthers(String),
    /// The `--database` address cannot be used.
    #[error("{0}")]
    Address(String),
    /// A check that travelled with a statement refused the key (see [`crate::keys::check_along`]).
    #[error("the key was refused")]
    KeyRefused,
    /// Whoever asked for the change may no longer do it (see [`crate::staff::authority`]). Nothing was changed.
    #[error("who asked may no longer do this")]
    AuthorityWithdrawn,
    /// The form that asks for the change has made it already (see [`crate::staff::audit`]). Nothing was changed.
    #[error("the form was used before")]
    FormUsed,
    /// A database cannot be spread over machines, or was not spread to the end.
    #[error("{0}")]
    NotSpread(String),
    /// Anything else: a defect or a broken disk.
    #[error("the database failed: {0}")]
    Internal(String),
}

impl Error {
    /// Whether somebody else held a lock for longer than a statement would wait.
    pub(crate) fn is_lock_timeout(&self) -> bool {
        matches!(self, Self::Unavailable(story) if story.starts_with(LOCK_NOT_AVAILABLE))
    }

    /// Wraps a cause that should never occur.
    pub fn internal(cause: impl Into<Box<dyn std::error::Error>>) -> Self {
        Self::Internal(whole_story(cause.into().as_ref()))
    }
}

/// The texts of an error and all its causes: drivers often keep the useful part in the last cause.
pub(super) fn whole_story(error: &dyn std::error::Error) -> String {
    let mut story = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        let text = deeper.to_string();
        if !story.contains(&text) {
            story += ": ";
            story += &text;
        }
        cause = deeper.source();
    }
    story
}

/// The outcome of a store call.
pub type Result<T, E = Error> = std::result::Result<T, E>;
