//! What an import does to coupons and surcharges: no event gets too many.

use taquilla_domain::config::{COUPONS_MAX, SURCHARGES_MAX};

use super::staging::{Fault, Import, keyed};
use crate::{Conn, Result, engine::sql::params};

/// The fault of a line with one too many. All rows are inserted.
pub(super) async fn too_many(conn: &mut Conn, import: &Import) -> Result<Option<Fault>> {
    for (sql, most, what) in [(COUPONS, COUPONS_MAX, "coupons"), (SURCHARGES, SURCHARGES_MAX, "surcharges")] {
        let found = conn.query_first(&keyed(sql), &import.and(params![most as i64]), |row| row.int(0)).await?;
        if let Some(line) = found {
            return Ok(Some(Fault { line, field: "event_id", message: format!("an event has {most} {what} at most") }));
        }
    }
    Ok(None)
}

/// The first line of a coupon of an event with too many.
pub const COUPONS: &str = "SELECT s.line FROM import_coupons s WHERE [s] AND (SELECT count(*) FROM coupons x \
     WHERE x.producer_id = ?1 AND x.event_id = s.event_id AND x.ended_at IS NULL) > CAST(?3 AS BIGINT) ORDER BY s.line LIMIT 1";

/// The first line of a surcharge of an event with too many.
pub const SURCHARGES: &str = "SELECT s.line FROM import_surcharges s WHERE [s] AND (SELECT count(*) FROM surcharges x \
     WHERE x.producer_id = ?1 AND x.event_id = s.event_id AND x.ended_at IS NULL) > CAST(?3 AS BIGINT) ORDER BY s.line LIMIT 1";
