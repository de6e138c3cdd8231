//! Writing down what staff did where the change itself has its own transaction.

use taquilla_domain::audit::{Action, By, Details};
use taquilla_store::{ChangeResult, Store, Tenant, staff::audit, transaction};

/// Writes down what was done, or what was tried and refused.
pub async fn note(
    store: &Store,
    tenant: Option<Tenant>,
    by: &By,
    action: Action,
    subject: &str,
    details: Details<'_>,
) -> ChangeResult<()> {
    Ok(transaction!(store.begin_unstamped(), |tx| audit::add(tx, tenant, by, action, subject, details).await)?)
}
