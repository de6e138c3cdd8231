//! Links that do one thing once. Only the hash of a link's token is stored.
//!
//! A link is a row that is deleted in the transaction that does what it is for, so of two who use it at once one wins.
//! A GET changes nothing. The step between password and second factor is such a link, too, held by a cookie.

use taquilla_domain::{clock::Stamp, key::Secret, named};

use crate::{
    Conn, Result, Tenant, Unstamped,
    engine::sql::{Row, params},
};

named! {
    /// What a link is for.
    Purpose {
        /// Making the first administrator and the first producer.
        FirstStart = "first_start",
        /// Joining a producer's team.
        Invitation = "invitation",
        /// Choosing a new password.
        Reset = "reset",
        /// Signing in without a password, in the demo.
        SignIn = "sign_in",
        /// Showing the second factor, after the password was right. The browser holds this one as a cookie.
        SecondFactor = "second_factor",
    }
}

/// A link's row.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its public id (`li_…`).
    pub id: String,
    /// What it is for.
    pub purpose: Purpose,
    /// The producer, for an invitation, and for a new password that a team gives to one of its members.
    pub tenant: Option<Tenant>,
    /// The user, if it is for one that exists.
    pub user_id: Option<String>,
    /// The e-mail address that it was made for, or empty.
    pub email: String,
    /// The role, for an invitation.
    pub role: String,
    /// Whether whoever accepts an invitation becomes an operator.
    pub makes_operator: bool,
    /// The user who made it for a team. Empty for what was made by an operator or at the command line.
    pub made_by: String,
    /// When it was made.
    pub created_at: Stamp,
    /// When it stops working.
    pub expires_at: Stamp,
}

const COLUMNS: &str = "id, purpose, producer_id, user_id, email, role, makes_operator, made_by, created_at, expires_at";

fn read(row: &Row<'_>) -> Result<Link> {
    Ok(Link {
        id: row.text(0)?.to_owned(),
        purpose: row.named(1, Purpose::parse)?,
        tenant: row.opt_int(2)?.map(Tenant::from_column),
        user_id: row.opt_text(3)?.map(str::to_owned),
        email: row.text(4)?.to_owned(),
        role: row.text(5)?.to_owned(),
        makes_operator: row.flag(6)?,
        made_by: row.text(7)?.to_owned(),
        created_at: row.stamp(8)?,
        expires_at: row.stamp(9)?,
    })
}

/// Stores a new link, and only the hash of its token.
pub async fn insert(tx: &mut Unstamped, link: &Link, token: &Secret) -> Result<()> {
    let sql =
        format!("INSERT INTO staff_links (hash, {COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
    tx.execute(
        &sql,
        params![
            &token.hash(),
            &link.id,
            link.purpose.as_str(),
            link.tenant.map(Tenant::number),
            link.user_id.as_deref(),
            &link.email,
            &link.role,
            link.makes_operator,
            &link.made_by,
            link.created_at,
            link.expires_at
        ],
    )
    .await?;
    Ok(())
}

/// The link with this token, if it was not used and has not expired.
pub async fn find(conn: &mut Conn, token: &Secret, now: Stamp) -> Result<Option<Link>> {
    let sql = format!("SELECT {COLUMNS} FROM staff_links WHERE hash = ?1 AND expires_at > ?2");
    conn.query_first(&sql, params![&token.hash(), now], read).await
}

/// Uses a link up. `false` if somebody else has used it meanwhile.
pub async fn take(tx: &mut Unstamped, id: &str) -> Result<bool> {
    Ok(tx.execute("DELETE FROM staff_links WHERE id = ?1", params![id]).await? == 1)
}

/// The invitations to a producer's team that are open, newest first.
pub async fn invitations(conn: &mut Conn, tenant: Tenant, now: Stamp) -> Result<Vec<Link>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM staff_links WHERE producer_id = ?1 AND purpose = 'invitation' AND expires_at > ?2 \
         ORDER BY created_at DESC, id"
    );
    conn.collect(&sql, params![tenant.number(), now], read).await
}

/// Withdraws an invitation to a producer's team, and gives what it was.
pub async fn withdraw(tx: &mut Unstamped, tenant: Tenant, id: &str) -> Result<Option<Link>> {
    let sql = format!(
        "DELETE FROM staff_links WHERE producer_id = ?1 AND id = ?2 AND purpose = 'invitation' RETURNING {COLUMNS}"
    );
    tx.query_first(&sql, params![tenant.number(), id], read).await
}

/// Withdraws all links of a purpose that concern no user and no producer yet.
pub async fn withdraw_all(tx: &mut Unstamped, purpose: Purpose) -> Result<()> {
    tx.execute("DELETE FROM staff_links WHERE purpose = ?1", params![purpose.as_str()]).await?;
    Ok(())
}

/// Withdraws all links with which somebody signs in as a user. An invitation is none: it is accepted by who has signed in.
pub async fn withdraw_of_user(tx: &mut Unstamped, user_id: &str) -> Result<()> {
    let sql = "DELETE FROM staff_links WHERE user_id = ?1 AND purpose <> 'invitation'";
    tx.execute(sql, params![user_id]).await?;
    Ok(())
}

/// Whether there are links that have expired.
pub async fn has_old(conn: &mut Conn, now: Stamp) -> Result<bool> {
    let sql = "SELECT 1 FROM staff_links WHERE expires_at <= ?1 LIMIT 1";
    Ok(conn.query_first(sql, params![now], |_| Ok(())).await?.is_some())
}

/// Deletes some links that have expired.
pub async fn prune(tx: &mut Unstamped, now: Stamp, limit: i64) -> Result<()> {
    let some = "SELECT hash FROM staff_links WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2";
    tx.execute(&format!("DELETE FROM staff_links WHERE hash IN ({some})"), params![now, limit]).await?;
    Ok(())
}
