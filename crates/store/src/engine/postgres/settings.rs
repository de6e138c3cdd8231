//! The settings of a connection. What a database or a role sets by default does not reach our statements where it would
//! break a promise. Where a pooler is in between, they are set for each transaction (`for_each.rs`).

use taquilla_domain::config::{
    POSTGRES_KEEPALIVE_IDLE, POSTGRES_KEEPALIVE_INTERVAL, POSTGRES_KEEPALIVE_RETRIES, POSTGRES_LOST, PostgresTimeouts,
};

/// A transaction that writes.
pub const BEGIN: &str = "START TRANSACTION ISOLATION LEVEL READ COMMITTED READ WRITE";

/// A transaction that only reads, and sees what was committed before its first statement.
pub const ONE_STATE: &str = "START TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Every list is meant to be read along one index (G8). The planner guesses from statistics and may prefer to sort or
/// to scan; these settings forbid both, so that the plan does not depend on the day's statistics.
const PLANNER: [&str; 8] = [
    "enable_seqscan",
    "enable_bitmapscan",
    "enable_sort",
    "enable_incremental_sort",
    "enable_hashjoin",
    "enable_mergejoin",
    "enable_material",
    "jit",
];

/// For connections that read. The generic plan is the same for every parameter and is made once per statement. Citus refuses
/// it: it chooses the machine by the parameters.
pub fn reading() -> String {
    let planner: String = PLANNER.iter().map(|name| format!("SET {name} = off; ")).collect();
    format!(
        "SET default_transaction_read_only = on; {planner}\
         SELECT set_config('plan_cache_mode', 'force_generic_plan', false) \
         WHERE NOT EXISTS (SELECT 1 FROM pg_catalog.pg_extension WHERE extname = 'citus');"
    )
}

/// What makes the planner of every machine of a Citus cluster choose as that of a connection does, whose settings stay on the
/// coordinator. It holds for one user in one database, for long work too: that is slower for it, but never wrong.
pub fn on_workers() -> String {
    let set = PLANNER.map(|name| {
        format!("EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET {name} = off', current_database());")
    });
    format!("DO $$ BEGIN {} END $$", set.join(" "))
}

/// The last of the settings: its only row says that the database has Citus.
pub const HAS_CITUS: &str = "SELECT extname FROM pg_catalog.pg_extension WHERE extname = 'citus'";

/// What holds for every connection:
/// - A move decides by what it reads after it got the producer's lock, which only `read committed` shows.
/// - An acknowledged write is durable (G7). `synchronous_commit` is raised where it is off, and left alone where a
///   database waits for its standbys.
/// - No lock is given up earlier than its statement, and no connection is closed for being idle. The last two settings
///   do not exist in every version.
fn always() -> String {
    let (idle, interval) = (POSTGRES_KEEPALIVE_IDLE.as_secs(), POSTGRES_KEEPALIVE_INTERVAL.as_secs());
    let (retries, lost) = (POSTGRES_KEEPALIVE_RETRIES, POSTGRES_LOST.as_millis());
    format!(
        "SET default_transaction_isolation = 'read committed'; SET lock_timeout = 0; \
         SET tcp_keepalives_idle = {idle}; SET tcp_keepalives_interval = {interval}; \
         SET tcp_keepalives_count = {retries}; SET tcp_user_timeout = {lost}; \
         SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'; \
         SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('idle_session_timeout', 'transaction_timeout');"
    )
}

/// For the connections of the pool.
pub fn pooled(timeouts: PostgresTimeouts) -> String {
    let timeout = timeouts.statement.as_millis();
    // A Taquilla server that vanishes in the middle of a transaction must not hold a producer's clock for hours.
    format!(
        "{} {} SET statement_timeout = {timeout}; SET idle_in_transaction_session_timeout = {timeout}",
        always(),
        reading()
    )
}

/// For long work: the server's ordinary planner, and no time limit.
pub fn long_work() -> String {
    format!(
        "RESET ALL; {} SET default_transaction_read_only = off; SET statement_timeout = 0; \
         SET idle_in_transaction_session_timeout = 0",
        always()
    )
}

/// PostgreSQL's planner goes by statistics, and rows that were staged a moment ago or a young producer have none worth
/// trusting. These settings leave it one way: take the staged rows one by one and find the producer's rows by their keys.
pub const BY_KEY: &str = "SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off; \
     SET enable_bitmapscan = off; SET plan_cache_mode = force_custom_plan; SET jit = off;";
