//! Users: who can sign in.
//!
//! A code counts once: the second factor's time step is raised in the statement that compares it, and a recovery code
//! is deleted.

use taquilla_domain::{clock::Stamp, email::Email, second_factor::TotpSecret, text::Name};

use crate::{
    Conn, Result, Unstamped,
    engine::{
        sql::{Row, params},
        transaction::Locked,
    },
};

/// A user's row.
pub struct User {
    /// Its public id (`us_…`).
    pub id: String,
    /// The e-mail address, in lower case.
    pub email: String,
    /// The name.
    pub name: String,
    /// The hash of the password, empty until one was chosen.
    pub password_hash: String,
    /// Whether the user may do what concerns all producers.
    pub is_operator: bool,
    /// The second factor, if there is one.
    pub totp: Option<TotpSecret>,
    /// A secret that was shown and not yet confirmed with a code.
    pub totp_pending: Option<TotpSecret>,
    /// The last time step whose code was taken.
    pub totp_step: i64,
    /// When it was created.
    pub created_at: Stamp,
    /// When it was disabled.
    pub disabled_at: Option<Stamp>,
}

const COLUMNS: &str =
    "id, email, name, password_hash, is_operator, totp_secret, totp_pending, totp_step, created_at, disabled_at";

fn read(row: &Row<'_>) -> Result<User> {
    Ok(User {
        id: row.text(0)?.to_owned(),
        email: row.text(1)?.to_owned(),
        name: row.text(2)?.to_owned(),
        password_hash: row.text(3)?.to_owned(),
        is_operator: row.flag(4)?,
        totp: row.opt_text(5)?.map(TotpSecret::stored),
        totp_pending: row.opt_text(6)?.map(TotpSecret::stored),
        totp_step: row.int(7)?,
        created_at: row.stamp(8)?,
        disabled_at: row.opt_stamp(9)?,
    })
}

/// A user about to exist.
pub struct NewUser<'a> {
    /// Its id.
    pub id: &'a str,
    /// The e-mail address.
    pub email: &'a Email,
    /// The name.
    pub name: &'a Name,
    /// The hash of the password, empty if the user chooses one later.
    pub password_hash: &'a str,
    /// Whether the user may do what concerns all producers.
    pub is_operator: bool,
}

/// Creates a user. `false` if the e-mail address has one.
pub async fn insert(tx: &mut Unstamped, new: &NewUser<'_>, now: Stamp) -> Result<bool> {
    let created = tx
        .execute(
            "INSERT INTO users (id, email, name, password_hash, is_operator, totp_step, created_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6) ON CONFLICT (email) DO NOTHING",
            params![new.id, new.email.as_str(), new.name.as_str(), new.password_hash, new.is_operator, now],
        )
        .await?;
    Ok(created == 1)
}

/// Whether there is any user.
pub async fn any(conn: &mut Conn) -> Result<bool> {
    Ok(conn.query_first("SELECT 1 FROM users LIMIT 1", &[], |_| Ok(())).await?.is_some())
}

/// The user with this e-mail address.
pub async fn by_email(conn: &mut Conn, email: &Email) -> Result<Option<User>> {
    let sql = format!("SELECT {COLUMNS} FROM users WHERE email = ?1");
    conn.query_first(&sql, params![email.as_str()], read).await
}

/// The user with this id.
pub async fn find(conn: &mut Conn, id: &str) -> Result<Option<User>> {
    conn.query_first(&by_id(), params![id], read).await
}

/// The user with this id, locked until the transaction ends.
pub async fn lock(tx: &mut Unstamped, id: &str) -> Result<Option<User>> {
    tx.lock_first(&by_id(), Locked::Wait, params![id], read).await
}

fn by_id() -> String {
    format!("SELECT {COLUMNS} FROM users WHERE id = ?1")
}

/// Some users after an e-mail address, in the order of their addresses.
pub async fn list(conn: &mut Conn, after: &str, limit: i64) -> Result<Vec<User>> {
    let sql = format!("SELECT {COLUMNS} FROM users WHERE email > ?1 ORDER BY email LIMIT ?2");
    conn.collect(&sql, params![after, limit], read).await
}

/// Sets a user's password. A secret of a second factor that was shown before and not confirmed is forgotten: whoever knew the
/// password from before may have seen it.
pub async fn set_password(tx: &mut Unstamped, id: &str, hash: &str) -> Result<()> {
    let sql = "UPDATE users SET password_hash = ?2, totp_pending = NULL WHERE id = ?1";
    tx.execute(sql, params![id, hash]).await?;
    Ok(())
}

/// Lets a user do what concerns all producers.
pub async fn make_operator(tx: &mut Unstamped, id: &str) -> Result<()> {
    tx.execute("UPDATE users SET is_operator = 1 WHERE id = ?1", params![id]).await?;
    Ok(())
}

/// Sets a user's name.
pub async fn set_name(tx: &mut Unstamped, id: &str, name: &Name) -> Result<()> {
    tx.execute("UPDATE users SET name = ?2 WHERE id = ?1", params![id, name.as_str()]).await?;
    Ok(())
}

/// Disables a user, or lets one sign in again.
pub async fn set_disabled(tx: &mut Unstamped, id: &str, disabled_at: Option<Stamp>) -> Result<()> {
    tx.execute("UPDATE users SET disabled_at = ?2 WHERE id = ?1", params![id, disabled_at]).await?;
    Ok(())
}

/// Keeps a secret that is being shown, until the user confirms it with a code.
pub async fn set_pending_totp(tx: &mut Unstamped, id: &str, secret: &TotpSecret) -> Result<()> {
    tx.execute("UPDATE users SET totp_pending = ?2 WHERE id = ?1", params![id, secret.reveal()]).await?;
    Ok(())
}

/// Forgets a secret that was shown and not confirmed.
pub async fn forget_pending_totp(tx: &mut Unstamped, id: &str) -> Result<()> {
    tx.execute("UPDATE users SET totp_pending = NULL WHERE id = ?1", params![id]).await?;
    Ok(())
}

/// Sets or removes a user's second factor. The step is the one whose code confirmed it.
pub async fn set_totp(tx: &mut Unstamped, id: &str, secret: Option<&TotpSecret>, step: i64) -> Result<()> {
    let secret = secret.map(TotpSecret::reveal);
    let sql = "UPDATE users SET totp_secret = ?2, totp_pending = NULL, totp_step = ?3 WHERE id = ?1";
    tx.execute(sql, params![id, secret, step]).await?;
    Ok(())
}

/// Takes the code of a time step. `false` if that step or a later one was taken already.
pub async fn take_totp_step(tx: &mut Unstamped, id: &str, step: i64) -> Result<bool> {
    let sql = "UPDATE users SET totp_step = ?2 WHERE id = ?1 AND totp_step < ?2";
    Ok(tx.execute(sql, params![id, step]).await? == 1)
}

/// Replaces a user's recovery codes by those with these hashes.
pub async fn set_recovery_codes(tx: &mut Unstamped, id: &str, hashes: &[String]) -> Result<()> {
    tx.execute("DELETE FROM recovery_codes WHERE user_id = ?1", params![id]).await?;
    for hash in hashes {
        tx.execute("INSERT INTO recovery_codes (user_id, hash) VALUES (?1, ?2)", params![id, hash]).await?;
    }
    Ok(())
}

/// Takes a recovery code. `false` if there is none with this hash, or it was taken already.
pub async fn take_recovery_code(tx: &mut Unstamped, id: &str, hash: &str) -> Result<bool> {
    let sql = "DELETE FROM recovery_codes WHERE user_id = ?1 AND hash = ?2";
    Ok(tx.execute(sql, params![id, hash]).await? == 1)
}

/// How many recovery codes a user has left.
pub async fn recovery_codes_left(conn: &mut Conn, id: &str) -> Result<i64> {
    let sql = "SELECT count(*) FROM recovery_codes WHERE user_id = ?1";
    Ok(conn.query_first(sql, params![id], |row| row.int(0)).await?.unwrap_or(0))
}
