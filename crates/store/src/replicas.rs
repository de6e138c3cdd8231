//! Lists that a replica may answer.
//!
//! A replica shows what the database was a while ago. A client that is led there must not see less than it has seen before:
//! its mark would move past changes that it never got, for ever. So a replica answers only if its own copy of the
//! producer's clock is at or past everything that the client has seen. A move ticks the clock in its own transaction, and
//! replicas replay transactions whole and in the order of their commits: a clock at or past a stamp means that every change
//! up to that stamp is there.

use taquilla_domain::clock::Stamp;

use super::{Conn, Result, Tenant, engine::replicas::AtReplica, engine::sql::KeptParam};

impl AtReplica {
    /// A connection to the replica, for a client that has seen changes up to this stamp. Its first statement fails if the
    /// replica has not come so far. Those after it see no less.
    pub async fn caught_up(&self, tenant: Tenant, seen: Stamp) -> Result<Conn> {
        let mut conn = self.read().await?;
        require_clock(&mut conn, tenant, seen, self.behind())?;
        Ok(conn)
    }
}

/// Makes it a condition of the next statement that the producer's clock is at or past a stamp. Both are one statement, so
/// the clock and the rows are of one moment.
fn require_clock(
    conn: &mut Conn,
    tenant: Tenant,
    seen: Stamp,
    behind: impl FnOnce() + Send + Sync + 'static,
) -> Result<()> {
    const AT_OR_PAST: &str = "SELECT 1 FROM clocks WHERE producer_id = ?1 AND clock >= ?2";
    conn.check_along(AT_OR_PAST, vec![KeptParam::Int(tenant.number()), KeptParam::Int(seen.micros())], behind)
}
