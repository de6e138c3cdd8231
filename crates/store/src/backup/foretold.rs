//! What setting a restored database right would do, and whether the time that somebody gave for its state can be true.
//!
//! A time that is too early moves every producer's clock ahead, for good. One that is too late hides lost history from the
//! clients that should load anew. So the time is compared with what the database itself knows.

use taquilla_domain::{
    clock::Stamp,
    config::{CLOCKS_DIFFER_MAX, QUIET_BEFORE_BACKUP_MAX},
};

use super::lost::{clocks, lost};
use crate::{
    Conn, Error, Result,
    engine::{sql::params, transaction::MayBeLost},
};

/// What would become of a database.
#[derive(Debug)]
pub struct Foretold {
    /// How many producers it has.
    pub producers: usize,
    /// The last thing that it knows of. What is later than the present was stamped by a wrong clock, and says nothing.
    pub last_known: Option<Stamp>,
    /// The stamps that would count as lost, of all producers: later than the first, and not later than the second, at which
    /// clocks go on.
    pub lost: Option<(Stamp, Stamp)>,
    /// Sessions that would end.
    pub sessions: i64,
    /// Links of staff that would be withdrawn.
    pub links: i64,
    /// Refunds of whole events that would be stopped.
    pub refunds: i64,
    /// Imports that would be given up.
    pub imports: i64,
}

/// Why a time cannot be that of the restored state.
#[derive(Debug, thiserror::Error)]
pub enum CannotBe {
    /// It has not come yet.
    #[error("it is now {0}, and a backup is of a time before")]
    Later(Stamp),
    /// The database has newer things.
    #[error(
        "the database knows of something at {0}, so it is not of a time before that; is the day right, and the time zone? \
         Without --taken-at, everything after each producer's last change counts as lost, which is always safe"
    )]
    BeforeLastKnown(Stamp),
    /// Nothing is in the database of the time before it.
    #[error(
        "the last thing that the database knows of was at {0}, more than a day before that; is the day right? Without \
         --taken-at, everything after each producer's last change counts as lost, which is always safe"
    )]
    LongAfterLastKnown(Stamp),
}

/// Why a database was not set right. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum NotSetRight {
    /// The time of its state cannot be true.
    #[error("{0}")]
    CannotBe(CannotBe),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

impl MayBeLost for NotSetRight {
    fn lost(self) -> Result<String, Self> {
        match self {
            Self::Store(cause) => cause.lost().map_err(Self::Store),
            cannot_be @ Self::CannotBe(_) => Err(cannot_be),
        }
    }
}

/// Looks what would become of a database whose state is of this time, or refuses the time.
pub async fn foretell(conn: &mut Conn, taken_at: Option<Stamp>, now: Stamp) -> Result<Foretold, NotSetRight> {
    let clocks = clocks(conn).await?;
    let mut known: Vec<Stamp> = clocks.iter().map(|(_, clock)| *clock).collect();
    for tenant in clocks.iter().map(|(tenant, _)| tenant.number()).chain([0]) {
        let sql = "SELECT at FROM audit WHERE producer_id = ?1 ORDER BY id DESC LIMIT 1";
        known.extend(conn.query_first(sql, params![tenant], |row| row.stamp(0)).await?);
    }
    for sql in ["SELECT max(seen_at) FROM sessions", "SELECT max(last_used_at) FROM api_keys"] {
        known.extend(conn.query_first(sql, &[], |row| row.opt_stamp(0)).await?.flatten());
    }
    let last_known = known.into_iter().filter(|at| *at <= now).max();
    if let Some(taken_at) = taken_at {
        can_be(taken_at, last_known, now).map_err(NotSetRight::CannotBe)?;
    }
    let spans = || clocks.iter().map(|(_, clock)| lost(*clock, taken_at, now));
    let lost = spans().map(|(after, _)| after).min().zip(spans().map(|(_, until)| until).max());
    Ok(Foretold {
        producers: clocks.len(),
        last_known,
        lost,
        sessions: count(conn, "sessions").await?,
        links: count(conn, "staff_links").await?,
        refunds: count(conn, "work WHERE kind = 'refund' AND state = 'running'").await?,
        imports: count(conn, "work WHERE kind = 'import' AND finished_at IS NULL").await?,
    })
}

async fn count(conn: &mut Conn, of: &str) -> Result<i64> {
    let counted = conn.query_first(&format!("SELECT count(*) FROM {of}"), &[], |row| row.int(0)).await?;
    Ok(counted.unwrap_or(0))
}

/// Whether a state can be of this time.
fn can_be(taken_at: Stamp, last_known: Option<Stamp>, now: Stamp) -> Result<(), CannotBe> {
    if taken_at > now {
        return Err(CannotBe::Later(now));
    }
    match last_known {
        Some(known) if known > taken_at.plus(CLOCKS_DIFFER_MAX) => Err(CannotBe::BeforeLastKnown(known)),
        Some(known) if known.plus(QUIET_BEFORE_BACKUP_MAX) < taken_at => Err(CannotBe::LongAfterLastKnown(known)),
        _ => Ok(()),
    }
}
