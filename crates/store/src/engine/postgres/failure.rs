//! What an error of PostgreSQL means for the caller.

use deadpool::managed::PoolError;
use tokio_postgres::error::SqlState;

use super::super::error::{Error, whole_story};

/// The classes of SQL states in which PostgreSQL or its machine cannot work just now: no connection (08), no space, no
/// memory or too many connections (53), stopped or cancelled by an operator or a timeout (57), the disk (58).
const PASSING: [&str; 4] = ["08", "53", "57", "58"];

impl From<tokio_postgres::Error> for Error {
    fn from(cause: tokio_postgres::Error) -> Self {
        let Some(state) = cause.code() else {
            // No SQL state: the connection itself failed, or a value did not fit its column's type.
            let reached = !cause.is_closed()
                && std::error::Error::source(&cause).is_none_or(|source| !source.is::<std::io::Error>());
            return if reached { Self::Internal(whole_story(&cause)) } else { Self::Unavailable(whole_story(&cause)) };
        };
        // The story leaves out the details of a violation, because they quote the row.
        let story = cause.as_db_error().map_or_else(String::new, |error| {
            format!("{} {} {}", error.code().code(), error.message(), error.constraint().unwrap_or_default())
        });
        match *state {
            // Statements handle expected conflicts with ON CONFLICT clauses; any other unique violation is a lost race.
            SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED | SqlState::UNIQUE_VIOLATION => {
                Self::Again(story)
            }
            SqlState::READ_ONLY_SQL_TRANSACTION
            | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
            | SqlState::LOCK_NOT_AVAILABLE => Self::Unavailable(story),
            _ if is_passing(state) || is_lost_node(state, &story) => Self::Unavailable(story),
            _ => Self::Internal(story),
        }
    }
}

impl From<PoolError<Self>> for Error {
    /// Without a connection the statement has not run, whatever the reason.
    fn from(cause: PoolError<Self>) -> Self {
        match cause {
            PoolError::Backend(cause) => cause,
            cause => Self::Unavailable(whole_story(&cause)),
        }
    }
}

/// What a coordinator of Citus says of a worker that it lost in the middle of a statement or of a commit. These come as internal
/// errors (`XX000`), because the worker told no state any more.
const LOST_NODE: [&str; 8] = [
    "connection to the remote node",
    "connection establishment for node",
    "failure on connection marked as essential",
    "execution cannot recover from multiple connection failures",
    "connection not open",
    "server closed the connection unexpectedly",
    "could not receive data from server",
    "could not send data to server",
];

/// Whether a coordinator lost the connection to one of its workers.
fn is_lost_node(state: &SqlState, story: &str) -> bool {
    *state == SqlState::INTERNAL_ERROR && LOST_NODE.iter().any(|words| story.contains(words))
}

/// Whether it may work again although nobody mends anything.
pub fn is_passing(state: &SqlState) -> bool {
    PASSING.iter().any(|class| state.code().starts_with(class))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_was_lost_is_no_defect() {
        for story in [
            "XX000 connection to the remote node taquilla@db1.internal:5432 failed with the following error: server closed \
             the connection unexpectedly",
            "XX000 failure on connection marked as essential: db1.internal:5432",
            "XX000 connection not open",
        ] {
            assert!(is_lost_node(&SqlState::INTERNAL_ERROR, story), "{story}");
        }
        assert!(!is_lost_node(&SqlState::INTERNAL_ERROR, "XX000 cache lookup failed for relation 1"));
        assert!(!is_lost_node(&SqlState::UNDEFINED_TABLE, "42P01 connection not open"));
    }
}
