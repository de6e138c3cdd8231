//! Webhooks at rest: who is told, every message on its way to them, every attempt, and forgetting all of it in time.

pub mod deliveries;
pub mod delivery_log;
pub mod endpoints;
pub mod outbox;
pub mod prune;
