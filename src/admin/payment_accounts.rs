//! Connecting a payment processor.

use crate::{
    domain::{clock::Stamp, signature::SigningSecret},
    store::{ChangeResult, Store, Tenant, sales::payments},
    transaction,
};

/// Makes a new secret for the producer's payment processor. The old secret stops working.
pub async fn connect(store: &Store, tenant: Tenant, now: Stamp) -> ChangeResult<SigningSecret> {
    let secret = SigningSecret::generate();
    transaction!(store.begin_move(tenant, now), |tx| payments::set_secret(tx, &secret).await)?;
    Ok(secret)
}
