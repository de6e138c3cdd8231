//! The secrets that each producer shares with its payment processor.

use taquilla_domain::{
    clock::Stamp,
    config::{PAYMENT_SECRET_OVERLAP, PAYMENT_SECRETS_MAX},
    signature::SigningSecret,
};

use crate::{
    Conn, Move, Result, Tenant,
    engine::sql::params,
    old_secrets::{self, OldSecrets},
};

/// The secret that signs a processor's callbacks, and those that it replaced.
pub struct Secrets {
    current: SigningSecret,
    old: OldSecrets,
}

impl Secrets {
    /// The secrets that are taken now: the current one, then the replaced ones whose time is not over.
    pub fn valid(&self, now: Stamp) -> impl Iterator<Item = &SigningSecret> {
        let old = self.old.iter().rev().filter(move |(_, until)| now < *until).map(|(secret, _)| secret);
        std::iter::once(&self.current).chain(old)
    }
}

/// The secrets, if the producer has a payment processor.
pub async fn secrets(conn: &mut Conn, tenant: Tenant) -> Result<Option<Secrets>> {
    let sql = "SELECT secret, old_secrets FROM payment_accounts WHERE producer_id = ?1";
    conn.query_first(sql, params![tenant.number()], |row| {
        Ok(Secrets { current: old_secrets::parse_secret(row.text(0)?)?, old: old_secrets::parse(row.text(1)?)? })
    })
    .await
}

/// What became of the secret before when a new one was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// There was none, or it was ended at once.
    Ended,
    /// It is taken until then, beside the new one.
    TakenUntil(Stamp),
    /// Nothing was changed, because too many are taken already.
    TooMany,
}

/// Sets the secret that signs the processor's callbacks. Those before are taken for a while, unless they end at once.
pub async fn set_secret(tx: &mut Move, secret: &SigningSecret, at_once: bool, now: Stamp) -> Result<Before> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let (mut old, mut before) = (OldSecrets::new(), Before::Ended);
    if let Some(known) = secrets(tx, tenant).await?.filter(|_| !at_once) {
        let until = now.plus(PAYMENT_SECRET_OVERLAP);
        before = Before::TakenUntil(until);
        old = known.old;
        old.retain(|(_, until)| now < *until);
        old.push((known.current, until));
    }
    if old.len() + 1 > PAYMENT_SECRETS_MAX {
        return Ok(Before::TooMany);
    }
    tx.execute(
        "INSERT INTO payment_accounts (producer_id, secret, old_secrets, created_at) VALUES (?1, ?2, ?3, ?4) \
         ON CONFLICT (producer_id) DO UPDATE SET secret = excluded.secret, old_secrets = excluded.old_secrets, \
         created_at = excluded.created_at",
        params![tenant.number(), &secret.reveal(), &old_secrets::print(&old), stamp],
    )
    .await?;
    Ok(before)
}
