//! Sessions: users who have signed in, each with a token of which only the hash is stored.

use std::time::Duration;

use taquilla_domain::{
    clock::Stamp,
    config::{SESSION_IDLE, SESSION_LONGEST},
    key::Secret,
};

use crate::{
    Conn, Result, Unstamped,
    engine::sql::{Row, params},
};

/// A session's row.
#[derive(Clone, Debug)]
pub struct Session {
    /// Its public id (`se_…`).
    pub id: String,
    /// Whose it is.
    pub user_id: String,
    /// When the user signed in.
    pub created_at: Stamp,
    /// When it was last used, to the minute.
    pub seen_at: Stamp,
    /// When the user last showed the password.
    pub confirmed_at: Stamp,
    /// Where the user signed in from.
    pub address: String,
    /// What the browser said of itself.
    pub device: String,
}

impl Session {
    /// Whether it has been neither idle too long nor in use too long.
    pub fn works(&self, now: Stamp) -> bool {
        now < self.seen_at.plus(SESSION_IDLE) && now < self.created_at.plus(SESSION_LONGEST)
    }

    /// Whether the user has shown the password within this time.
    pub fn is_confirmed(&self, now: Stamp, within: Duration) -> bool {
        now < self.confirmed_at.plus(within)
    }
}

const COLUMNS: &str = "s.id, s.user_id, s.created_at, s.seen_at, s.confirmed_at, s.address, s.device";

fn read(row: &Row<'_>) -> Result<Session> {
    Ok(Session {
        id: row.text(0)?.to_owned(),
        user_id: row.text(1)?.to_owned(),
        created_at: row.stamp(2)?,
        seen_at: row.stamp(3)?,
        confirmed_at: row.stamp(4)?,
        address: row.text(5)?.to_owned(),
        device: row.text(6)?.to_owned(),
    })
}

/// Stores a new session.
pub async fn insert(tx: &mut Unstamped, session: &Session, token: &Secret) -> Result<()> {
    tx.execute(
        "INSERT INTO sessions (hash, id, user_id, created_at, seen_at, confirmed_at, address, device) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            &token.hash(),
            &session.id,
            &session.user_id,
            session.created_at,
            session.seen_at,
            session.confirmed_at,
            &session.address,
            &session.device
        ],
    )
    .await?;
    Ok(())
}

/// A session and the part of its user that every page needs.
pub struct SignedIn {
    /// The session.
    pub session: Session,
    /// The user's e-mail address.
    pub email: String,
    /// The user's name.
    pub name: String,
    /// Whether the user may do what concerns all producers.
    pub is_operator: bool,
    /// Whether the user has a second factor.
    pub has_second_factor: bool,
}

/// The session with this token, of a user who is not disabled. The caller asks whether it still works.
pub async fn find(conn: &mut Conn, token: &Secret) -> Result<Option<SignedIn>> {
    let sql = format!(
        "SELECT {COLUMNS}, u.email, u.name, u.is_operator, u.totp_secret FROM sessions s \
         JOIN users u ON u.id = s.user_id WHERE s.hash = ?1 AND u.disabled_at IS NULL"
    );
    conn.query_first(&sql, params![&token.hash()], |row| {
        Ok(SignedIn {
            session: read(row)?,
            email: row.text(7)?.to_owned(),
            name: row.text(8)?.to_owned(),
            is_operator: row.flag(9)?,
            has_second_factor: row.opt_text(10)?.is_some(),
        })
    })
    .await
}

/// A user's sessions, newest first.
pub async fn of_user(conn: &mut Conn, user_id: &str) -> Result<Vec<Session>> {
    let sql = format!("SELECT {COLUMNS} FROM sessions s WHERE s.user_id = ?1 ORDER BY s.created_at DESC, s.id");
    conn.collect(&sql, params![user_id], read).await
}

/// Notes that a session was used.
pub async fn touch(tx: &mut Unstamped, id: &str, now: Stamp) -> Result<()> {
    tx.execute("UPDATE sessions SET seen_at = ?2 WHERE id = ?1", params![id, now]).await?;
    Ok(())
}

/// Notes that the user has shown the password.
pub async fn confirm(tx: &mut Unstamped, id: &str, now: Stamp) -> Result<()> {
    tx.execute("UPDATE sessions SET confirmed_at = ?2 WHERE id = ?1", params![id, now]).await?;
    Ok(())
}

/// Ends one of a user's sessions. `false` if the user has none with this id.
pub async fn end(tx: &mut Unstamped, user_id: &str, id: &str) -> Result<bool> {
    Ok(tx.execute("DELETE FROM sessions WHERE user_id = ?1 AND id = ?2", params![user_id, id]).await? == 1)
}

/// Ends all sessions of a user but one.
pub async fn end_others(tx: &mut Unstamped, user_id: &str, kept: Option<&str>) -> Result<u64> {
    let sql = "DELETE FROM sessions WHERE user_id = ?1 AND id <> ?2";
    tx.execute(sql, params![user_id, kept.unwrap_or_default()]).await
}

/// Whether there are sessions that were idle for too long.
pub async fn has_old(conn: &mut Conn, now: Stamp) -> Result<bool> {
    let sql = "SELECT 1 FROM sessions WHERE seen_at <= ?1 LIMIT 1";
    Ok(conn.query_first(sql, params![now.minus(SESSION_IDLE)], |_| Ok(())).await?.is_some())
}

/// Deletes some sessions that were idle for too long.
pub async fn prune(tx: &mut Unstamped, now: Stamp, limit: i64) -> Result<()> {
    let some = "SELECT hash FROM sessions WHERE seen_at <= ?1 ORDER BY seen_at LIMIT ?2";
    let values = params![now.minus(SESSION_IDLE), limit];
    tx.execute(&format!("DELETE FROM sessions WHERE hash IN ({some})"), values).await?;
    Ok(())
}
