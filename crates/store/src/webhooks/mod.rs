//! The rows of webhooks: endpoints, the outbox of messages, deliveries, attempts, and deleting what is old.

pub mod deliveries;
pub mod delivery_log;
pub mod endpoints;
pub mod outbox;
pub mod prune;
