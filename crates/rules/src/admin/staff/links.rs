//! Making links that do one thing once.

use std::time::Duration;

use taquilla_domain::{
    clock::Stamp,
    id,
    key::{Opens, Secret},
};
use taquilla_store::{
    Result, Tenant, Unstamped,
    staff::links::{self, Link, Purpose},
};

/// Whom a link is for.
#[derive(Default)]
pub(super) struct For<'a> {
    pub tenant: Option<Tenant>,
    pub user_id: Option<&'a str>,
    pub email: &'a str,
    pub role: &'a str,
    pub makes_operator: bool,
    pub made_by: &'a str,
}

/// Makes a link. This is the only time that its token is returned.
pub(super) async fn make(
    tx: &mut Unstamped,
    purpose: Purpose,
    whom: &For<'_>,
    lasts: Duration,
    now: Stamp,
) -> Result<(Link, Secret)> {
    let token = Secret::generate(Opens::StaffLink);
    let link = Link {
        id: id::new_id("li", now),
        purpose,
        tenant: whom.tenant,
        user_id: whom.user_id.map(str::to_owned),
        email: whom.email.to_owned(),
        role: whom.role.to_owned(),
        makes_operator: whom.makes_operator,
        made_by: whom.made_by.to_owned(),
        created_at: now,
        expires_at: now.plus(lasts),
    };
    links::insert(tx, &link, &token).await?;
    Ok((link, token))
}

/// Uses up the link with this token. `None` if there is none for this purpose, or somebody else was faster.
pub(super) async fn take(tx: &mut Unstamped, token: &Secret, purpose: Purpose, now: Stamp) -> Result<Option<Link>> {
    let found = links::find(tx, token, now).await?.filter(|link| link.purpose == purpose);
    match found {
        Some(link) if links::take(tx, &link.id).await? => Ok(Some(link)),
        _ => Ok(None),
    }
}
