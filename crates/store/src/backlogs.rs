//! What metrics tell of the service as a whole, beside what they tell of each producer (`vitals.rs`): a few statements about
//! tables that stay in one piece.

use taquilla_domain::{clock::Stamp, config::METRICS_BACKLOG_MAX};

use super::{Conn, Result, engine::sql::params, migrate};

/// What metrics tell of the service as a whole.
#[derive(Clone, Debug)]
pub struct Backlogs {
    /// The version of the schema, which another server may have changed.
    pub schema: i64,
    /// Erasures under way, up to a bound.
    pub erasures: i64,
    /// Since when the oldest of them is.
    pub erasure_since: Option<Stamp>,
    /// When servers last made a backup by themselves, if they ever did.
    pub last_backup: Option<Stamp>,
}

/// The query for erasures.
pub const ERASURES: &str = "SELECT count(*), min(w.created_at) FROM (SELECT created_at FROM work \
     WHERE kind IN ('erasure', 'retention') AND finished_at IS NULL LIMIT ?1) w";

/// Reads all of it.
pub async fn read(conn: &mut Conn) -> Result<Backlogs> {
    let schema = migrate::version(conn).await?;
    let bound = params![METRICS_BACKLOG_MAX];
    let erasures = conn.query_first(ERASURES, bound, |row| Ok((row.int(0)?, row.opt_stamp(1)?))).await?;
    let (erasures, erasure_since) = erasures.unwrap_or((0, None));
    let made_at = conn.query_first("SELECT made_at FROM backup_turn", &[], |row| row.stamp(0)).await?;
    let last_backup = made_at.filter(|made_at| made_at.micros() > 0);
    Ok(Backlogs { schema, erasures, erasure_since, last_backup })
}
