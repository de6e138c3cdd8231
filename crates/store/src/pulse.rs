//! A short look at the database beside all moves: its clock, and the version that servers must know.

use taquilla_domain::time_source::TimeSource;

use super::{Result, Store, engine::seen::NEEDED};

/// What was seen.
#[derive(Clone, Copy, Debug)]
pub struct Pulse {
    /// How many microseconds this server's clock is ahead of the database's, or behind it if negative. The time that asking
    /// took is not counted.
    pub clock_ahead: i64,
    /// Whether the schema is one that this program works with. If not, this server writes no more.
    pub is_known: bool,
}

/// Looks at the database.
pub async fn feel(store: &Store, time: &TimeSource) -> Result<Pulse> {
    let mut conn = store.read().await?;
    let sql = format!("SELECT {}, {NEEDED}", conn.clock());
    let before = time.now();
    let found = conn.query_first(&sql, &[], |row| Ok((row.stamp(0)?, row.int(1)?))).await?;
    let (after, (there, schema)) = (time.now(), found.unwrap_or((before, 0)));
    let ahead = before.micros() - there.micros();
    let behind = there.micros() - after.micros();
    let clock_ahead = if ahead > 0 { ahead } else { -behind.max(0) };
    Ok(Pulse { clock_ahead, is_known: conn.seen().note_schema(schema).is_ok() })
}
