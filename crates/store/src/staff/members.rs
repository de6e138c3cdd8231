//! Teams: which users belong to which producers, and with which roles.
//!
//! One administrator stays. Taking somebody out or giving another role locks a row of the team first ([`lock`]), and
//! counts. It is not the producer's row, whose clock sales wait for.

use taquilla_domain::{
    clock::Stamp,
    config::MEMBERSHIPS_MAX,
    role::{BuiltInRole, Rights},
};

use crate::{
    Conn, Error, Result, Tenant, Unstamped,
    engine::{
        sql::{Row, params},
        transaction::Locked,
    },
};

/// A producer that a user belongs to, with what the user may do there.
#[derive(Clone, Debug)]
pub struct Membership {
    /// The producer.
    pub tenant: Tenant,
    /// The producer's public id.
    pub producer_id: String,
    /// The producer's name.
    pub producer_name: String,
    /// The producer's time zone.
    pub time_zone: String,
    /// The producer's currency.
    pub currency: String,
    /// Whether members must use a second factor.
    pub needs_second_factor: bool,
    /// What the user may do.
    pub rights: Rights,
}

/// The rights of a role: a built-in one, or else those stored for the producer's own. A role that is gone has none.
pub(super) fn rights(role: &str, own: Option<&str>) -> Result<Rights> {
    match BuiltInRole::parse(role) {
        Some(role) => Ok(role.rights()),
        None => Rights::stored(own.unwrap_or_default()).ok_or_else(|| Error::internal("a role with an unknown right")),
    }
}

/// The producers that a user belongs to, by their names.
pub async fn of_user(conn: &mut Conn, user_id: &str) -> Result<Vec<Membership>> {
    let sql = "SELECT p.producer_id, p.id, p.name, p.time_zone, p.currency, p.needs_second_factor, m.role, r.rights \
         FROM members m JOIN producers p ON p.producer_id = m.producer_id \
         LEFT JOIN roles r ON r.producer_id = m.producer_id AND r.id = m.role \
         WHERE m.user_id = ?1 ORDER BY p.name, p.id LIMIT ?2";
    conn.collect(sql, params![user_id, MEMBERSHIPS_MAX], |row| {
        Ok(Membership {
            tenant: Tenant::from_column(row.int(0)?),
            producer_id: row.text(1)?.to_owned(),
            producer_name: row.text(2)?.to_owned(),
            time_zone: row.text(3)?.to_owned(),
            currency: row.text(4)?.to_owned(),
            needs_second_factor: row.flag(5)?,
            rights: rights(row.text(6)?, row.opt_text(7)?)?,
        })
    })
    .await
}

/// A member of a producer's team.
#[derive(Clone, Debug)]
pub struct Member {
    /// The user.
    pub user_id: String,
    /// The user's name.
    pub name: String,
    /// The user's e-mail address.
    pub email: String,
    /// The id of the role: a built-in one's name, or the id of one that the producer made.
    pub role: String,
    /// The name of the role, if the producer made it.
    pub role_name: Option<String>,
    /// What the member may do.
    pub rights: Rights,
    /// Whether the member has a second factor.
    pub has_second_factor: bool,
    /// Whether the user is disabled.
    pub is_disabled: bool,
    /// When the user joined the team.
    pub joined_at: Stamp,
}

const MEMBERS: &str = "SELECT u.id, u.name, u.email, m.role, r.name, r.rights, u.totp_secret, u.disabled_at, m.joined_at \
     FROM members m JOIN users u ON u.id = m.user_id \
     LEFT JOIN roles r ON r.producer_id = m.producer_id AND r.id = m.role WHERE m.producer_id = ?1";

fn read(row: &Row<'_>) -> Result<Member> {
    Ok(Member {
        user_id: row.text(0)?.to_owned(),
        name: row.text(1)?.to_owned(),
        email: row.text(2)?.to_owned(),
        role: row.text(3)?.to_owned(),
        role_name: row.opt_text(4)?.map(str::to_owned),
        rights: rights(row.text(3)?, row.opt_text(5)?)?,
        has_second_factor: row.opt_text(6)?.is_some(),
        is_disabled: row.opt_stamp(7)?.is_some(),
        joined_at: row.stamp(8)?,
    })
}

/// A producer's team, by e-mail addresses.
pub async fn of_producer(conn: &mut Conn, tenant: Tenant) -> Result<Vec<Member>> {
    conn.collect(&format!("{MEMBERS} ORDER BY u.email"), params![tenant.number()], read).await
}

/// A member of a producer's team.
pub async fn find(conn: &mut Conn, tenant: Tenant, user_id: &str) -> Result<Option<Member>> {
    conn.query_first(&format!("{MEMBERS} AND m.user_id = ?2"), params![tenant.number(), user_id], read).await
}

/// Puts a user into a producer's team. `false` if the user is in it already.
pub async fn insert(tx: &mut Unstamped, tenant: Tenant, user_id: &str, role: &str, now: Stamp) -> Result<bool> {
    let sql = "INSERT INTO members (producer_id, user_id, role, joined_at) VALUES (?1, ?2, ?3, ?4) \
               ON CONFLICT (producer_id, user_id) DO NOTHING";
    Ok(tx.execute(sql, params![tenant.number(), user_id, role, now]).await? == 1)
}

/// Gives a member another role.
pub async fn set_role(tx: &mut Unstamped, tenant: Tenant, user_id: &str, role: &str) -> Result<()> {
    let sql = "UPDATE members SET role = ?3 WHERE producer_id = ?1 AND user_id = ?2";
    tx.execute(sql, params![tenant.number(), user_id, role]).await?;
    Ok(())
}

/// Takes a member out of the team.
pub async fn remove(tx: &mut Unstamped, tenant: Tenant, user_id: &str) -> Result<()> {
    let sql = "DELETE FROM members WHERE producer_id = ?1 AND user_id = ?2";
    tx.execute(sql, params![tenant.number(), user_id]).await?;
    Ok(())
}

/// Locks a producer's team until the transaction ends, so that two changes cannot each remove the last administrator but
/// one. It locks the row of one administrator; the producer's own row has the clock, which sales wait for.
pub async fn lock(tx: &mut Unstamped, tenant: Tenant) -> Result<()> {
    let sql = "SELECT user_id FROM members WHERE producer_id = ?1 AND role = ?2 ORDER BY user_id LIMIT 1";
    let values = params![tenant.number(), BuiltInRole::Administrator.as_str()];
    tx.lock_first(sql, Locked::Wait, values, |_| Ok(())).await?;
    Ok(())
}

/// How many members with this role can sign in.
pub async fn count_with_role(conn: &mut Conn, tenant: Tenant, role: &str) -> Result<i64> {
    let sql = "SELECT count(*) FROM members m JOIN users u ON u.id = m.user_id \
               WHERE m.producer_id = ?1 AND m.role = ?2 AND u.disabled_at IS NULL";
    Ok(conn.query_first(sql, params![tenant.number(), role], |row| row.int(0)).await?.unwrap_or(0))
}
