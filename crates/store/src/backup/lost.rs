//! Which stamps a producer may have given out that a restored database knows nothing of.

use taquilla_domain::{clock::Stamp, config::CLOCKS_DIFFER_MAX};

use crate::{Conn, Result, Tenant};

/// The clock of every producer.
pub(super) async fn clocks(conn: &mut Conn) -> Result<Vec<(Tenant, Stamp)>> {
    let sql = "SELECT producer_id, clock FROM clocks ORDER BY producer_id";
    conn.collect(sql, &[], |row| Ok((Tenant::from_column(row.int(0)?), row.stamp(1)?))).await
}

/// The stamps that may have been given out after a backup: later than the first, and not later than the second. A stamp is
/// the time of a server, which may differ from ours, or the last stamp and a microsecond.
pub(super) fn lost(clock: Stamp, taken_at: Option<Stamp>, now: Stamp) -> (Stamp, Stamp) {
    let passed = taken_at.map_or(0, |at| now.micros().saturating_sub(at.micros()).max(0));
    let after = taken_at.map_or(clock, |at| clock.max(at.minus(CLOCKS_DIFFER_MAX)));
    let until = now.max(Stamp::from_micros(clock.micros().saturating_add(passed))).plus(CLOCKS_DIFFER_MAX);
    (after, until)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000_000;

    fn lost_micros(clock: i64, taken_at: Option<i64>, now: i64) -> (i64, i64) {
        let (after, until) = lost(Stamp::from_micros(clock), taken_at.map(Stamp::from_micros), Stamp::from_micros(now));
        (after.micros(), until.micros())
    }

    #[test]
    fn every_stamp_that_may_have_been_given_out_counts_as_lost() {
        // A quiet producer: nothing happened long before the backup, so marks of that time are not asked for.
        assert_eq!(lost_micros(5, Some(100 * MINUTE), 160 * MINUTE), (99 * MINUTE, 161 * MINUTE));
        // Somebody sold at the moment of the backup.
        assert_eq!(lost_micros(100 * MINUTE, Some(100 * MINUTE), 160 * MINUTE), (100 * MINUTE, 161 * MINUTE));
        // A server's clock was hours ahead once, so each move since was a microsecond after the last.
        assert_eq!(lost_micros(900 * MINUTE, Some(100 * MINUTE), 160 * MINUTE), (900 * MINUTE, 961 * MINUTE));
        // Nobody knows when the backup was made.
        assert_eq!(lost_micros(100 * MINUTE, None, 160 * MINUTE), (100 * MINUTE, 161 * MINUTE));
        // This machine's clock is behind that of the backup.
        assert_eq!(lost_micros(100 * MINUTE, Some(100 * MINUTE), 50 * MINUTE), (100 * MINUTE, 101 * MINUTE));
    }
}
