//! Webhooks: telling an integrator's server what happened.
//!
//! Every move writes its events to the outbox, in its own transaction. Each server looks for endpoints with something to
//! send (`dispatch`) and works for each of them alone among all servers (`courier`): it numbers the events, signs them
//! ([`payload`]), sends them, and writes down every attempt.
//!
//! The URL is a stranger's, so everything about it is distrusted: where it leads ([`addresses`], `lookup`), who
//! answers there (`tls`), how long it takes and how much it answers ([`client`]), and what is shown of that (`problem`).

pub mod addresses;
pub mod client;
mod courier;
mod dispatch;
mod lookup;
pub mod payload;
mod problem;
mod retry_after;
mod tls;

pub use self::dispatch::Webhooks;

use crate::{
    domain::clock::Stamp,
    store::{self, Store, endpoints::Endpoint, outbox, producers},
    transaction,
};

/// Adds a test event for an endpoint, to be sent like any other, and tells its id.
pub async fn add_test(store: &Store, endpoint: &Endpoint, now: Stamp) -> Result<String, store::Error> {
    let data = serde_json::json!({ "endpoint_id": endpoint.id, "message": "This is a test." }).to_string();
    transaction!(store, |tx| {
        let mut tick = producers::tick(tx, endpoint.tenant, now, 1).await?;
        outbox::add_test(tx, endpoint.tenant, &mut tick, &endpoint.id, &data).await
    })
}
