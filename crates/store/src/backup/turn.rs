//! Whose turn it is to make the next backup, among all servers of a database.

use std::time::Duration;

use taquilla_domain::{clock::Stamp, config::BACKUP_PLAUSIBLE};

use crate::{
    Conn, Result, Unstamped,
    engine::sql::{Param, params},
};

/// The last backup is old enough, and no server is at one. A time far ahead of now was written by a wrong clock and does not
/// count.
const IS_DUE: &str = "(made_at <= ?1 OR made_at > ?3) AND (leased_until <= ?2 OR leased_until > ?3)";

fn moments(now: Stamp, every: Duration) -> [Param<'static>; 3] {
    [now.minus(every).into(), now.into(), now.plus(BACKUP_PLAUSIBLE).into()]
}

/// Whether it is time for a backup.
pub async fn is_due(conn: &mut Conn, now: Stamp, every: Duration) -> Result<bool> {
    let sql = format!("SELECT 1 FROM backup_turn WHERE {IS_DUE}");
    Ok(conn.query_first(&sql, &moments(now, every), |_| Ok(())).await?.is_some())
}

/// Takes the turn until a time, if it is time for a backup.
pub async fn take(tx: &mut Unstamped, now: Stamp, every: Duration, until: Stamp) -> Result<bool> {
    let sql = format!("UPDATE backup_turn SET leased_until = ?4 WHERE {IS_DUE}");
    let [oldest, now, plausible] = moments(now, every);
    Ok(tx.execute(&sql, &[oldest, now, plausible, until.into()]).await? > 0)
}

/// Keeps the turn until a later time. `false` if another server has it by now.
pub async fn keep(tx: &mut Unstamped, had_until: Stamp, until: Stamp) -> Result<bool> {
    let sql = "UPDATE backup_turn SET leased_until = ?2 WHERE leased_until = ?1";
    Ok(tx.execute(sql, params![had_until, until]).await? > 0)
}

/// Ends the turn with a backup of this moment.
pub async fn done(tx: &mut Unstamped, made_at: Stamp) -> Result<()> {
    tx.execute("UPDATE backup_turn SET made_at = ?1, leased_until = 0", params![made_at]).await?;
    Ok(())
}
