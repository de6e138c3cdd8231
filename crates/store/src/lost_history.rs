//! History that was lost when the database was restored from a backup (`backup/afterwards.rs`).

use taquilla_domain::lost_span::LostSpan;

use super::{Conn, Result, Tenant};

/// What every producer has lost.
pub async fn all(conn: &mut Conn) -> Result<Vec<(Tenant, LostSpan)>> {
    let sql = "SELECT producer_id, lost_after, lost_until, restored_at FROM lost_history";
    conn.collect(sql, &[], |row| {
        let span = LostSpan { after: row.stamp(1)?, until: row.stamp(2)?, restored_at: row.stamp(3)? };
        Ok((Tenant::from_column(row.int(0)?), span))
    })
    .await
}
