//! Every ticket of a producer, a part at a time: for what is rendered or compared anew.

use taquilla_domain::config::TICKETS_AT_A_TIME;

use super::rows::{STATE, STATE_WIDTH, State, read_state_at};
use crate::{Conn, Result, Tenant, engine::sql::params};

/// Some tickets after this id, in the order of their ids, each with its stored document. Empty after the last.
pub async fn states_after(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Vec<(State, String)>> {
    let sql = format!(
        "SELECT {STATE}, t.document FROM tickets t WHERE t.producer_id = ?1 AND t.id > ?2 ORDER BY t.id LIMIT ?3"
    );
    conn.collect(&sql, params![tenant.number(), id, TICKETS_AT_A_TIME], |row| {
        Ok((read_state_at(row, 0)?, row.text(STATE_WIDTH)?.to_owned()))
    })
    .await
}
