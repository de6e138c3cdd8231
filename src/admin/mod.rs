//! What staff do that is no sale: producers, keys, door links, webhook endpoints, the catalogue, payment accounts.
//!
//! The command line and the dashboard both call these, so every rule that they share is here or in the types of `domain/`.

pub mod catalogue;
pub mod door_links;
pub mod endpoints;
pub mod keys;
pub mod payment_accounts;
pub mod producers;
pub mod settings;
