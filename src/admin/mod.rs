//! What staff do that is no sale: producers, keys, door links, webhook endpoints, the catalogue, payment accounts.
//!
//! Whatever staff use calls these, so every rule is here or in the types of `domain/`, and none is in the command line.

pub mod catalogue;
pub mod door_links;
pub mod endpoints;
pub mod keys;
pub mod payment_accounts;
pub mod producers;
pub mod settings;
