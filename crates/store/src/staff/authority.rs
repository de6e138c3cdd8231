//! Whether somebody who signed in may still do what they asked for.
//!
//! A request is let in by what its session, its user and its team say when its head arrives (`access.rs` of the dashboard).
//! Its body may come much later, and its change may wait for others. So the transaction that makes the change looks once
//! more, and nothing is changed if any of that was taken away meanwhile. [`audit::add`](super::audit::add) does it, because
//! every change by staff is written down where it is made. A change that is not written down, that takes several
//! transactions, or that may take away what it rests on (who leaves a team, or signs out) looks by itself, first.

use taquilla_domain::audit::{Authority, By};

use super::members::rights;
use crate::{
    Conn, Error, Result,
    engine::{sql::params, transaction::Transaction},
};

/// Refuses the change of somebody who may no longer make it.
pub async fn look(tx: &mut Transaction, by: &By) -> Result<()> {
    if tx.authority_seen {
        return Ok(());
    }
    if let Some(authority) = &by.authority
        && !stands(tx, authority).await?
    {
        return Err(Error::AuthorityWithdrawn);
    }
    tx.authority_seen = true;
    Ok(())
}

/// Whether somebody may still do everything that they could when they asked.
pub async fn stands(conn: &mut Conn, authority: &Authority) -> Result<bool> {
    let (producer_id, needed) = match &authority.in_team {
        Some((producer_id, rights)) => (producer_id.as_str(), Some(*rights)),
        None => ("", None),
    };
    let sql = "SELECT u.is_operator, u.totp_secret, p.needs_second_factor, m.role, r.rights FROM sessions s \
         JOIN users u ON u.id = s.user_id LEFT JOIN producers p ON p.id = ?3 \
         LEFT JOIN members m ON m.producer_id = p.producer_id AND m.user_id = u.id \
         LEFT JOIN roles r ON r.producer_id = m.producer_id AND r.id = m.role \
         WHERE s.id = ?1 AND s.user_id = ?2 AND u.disabled_at IS NULL";
    let values = params![&authority.session_id, &authority.user_id, producer_id];
    let found = conn.query_first(sql, values, |row| {
        let lacks_factor = row.opt_int(2)?.is_some_and(|needs| needs != 0) && row.opt_text(1)?.is_none();
        let own = row.opt_text(3)?.map(|role| rights(role, row.opt_text(4)?)).transpose()?;
        let in_team = needed.is_none_or(|needed| own.is_some_and(|own| own.include(needed)) && !lacks_factor);
        Ok(in_team && (row.flag(0)? || !authority.as_operator))
    });
    Ok(found.await?.unwrap_or(false))
}
