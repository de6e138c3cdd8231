//! Settings for connections through a pooler that gives each transaction another connection of its own, as PgBouncer does in
//! its mode `transaction`.
//!
//! There, what one transaction sets for its session is lost for the next one, and found by a stranger. So every transaction
//! begins with its settings, and a statement outside of one becomes a transaction: three messages more, which are
//! sent together with it.

use std::sync::Arc;

use taquilla_domain::config::PostgresTimeouts;

use super::settings::{BEGIN, BY_KEY, ONE_STATE, reading};

/// The texts that begin the transactions of a session.
#[derive(Clone)]
pub struct ForEach {
    /// One that writes.
    pub write: Arc<str>,
    /// A statement alone.
    pub alone: Arc<str>,
    /// Several that see one state.
    pub state: Arc<str>,
    /// What stands before every statement. A pooler prepares equal texts once, and a plan that was made with some settings
    /// must not serve others.
    pub mark: &'static str,
}

/// A transaction that only reads.
const READ_ONLY: &str = "START TRANSACTION ISOLATION LEVEL READ COMMITTED READ ONLY";
/// See `settings::always`: no lock is given up early, and an acknowledged write is durable.
const ALWAYS: &str = "SET LOCAL lock_timeout = 0; \
     SELECT set_config('transaction_timeout', '0', true) WHERE current_setting('transaction_timeout', true) IS NOT NULL;";
const DURABLE: &str =
    "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';";

/// `SET` for the session becomes `SET` for the transaction. Whether it may write is said where it begins.
fn local(settings: &str) -> String {
    settings
        .replace("SET default_transaction_read_only = on; ", "")
        .replace("SET ", "SET LOCAL ")
        .replace("', false)", "', true)")
}

impl ForEach {
    fn new(alone: &str, settings: &str, timeout: u128, mark: &'static str) -> Self {
        let settings = format!(
            "SET LOCAL statement_timeout = {timeout}; SET LOCAL idle_in_transaction_session_timeout = {timeout}; {ALWAYS} {}",
            local(settings)
        );
        Self {
            write: format!("{BEGIN}; {DURABLE} {settings}").into(),
            alone: format!("{alone}; {settings}").into(),
            state: format!("{ONE_STATE}; {settings}").into(),
            mark,
        }
    }

    /// For what the pool does.
    pub fn pooled(timeouts: PostgresTimeouts) -> Self {
        Self::new(READ_ONLY, &reading(), timeouts.statement.as_millis(), "")
    }

    /// For long work.
    pub fn long_work() -> Self {
        Self::new(&format!("{BEGIN}; {DURABLE}"), "", 0, "/* long work */ ")
    }

    /// For long work that must not write.
    pub fn look() -> Self {
        Self::new(READ_ONLY, "", 0, "/* long work */ ")
    }

    /// For imports.
    pub fn by_key() -> Self {
        Self::new(&format!("{BEGIN}; {DURABLE}"), BY_KEY, 0, "/* by key */ ")
    }
}
