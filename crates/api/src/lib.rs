//! The read API: extract, call the store, shape. Nothing here writes.

pub mod docs;
pub mod events;
mod json;
mod list;
pub mod me;
pub mod openapi;
pub mod orders;
mod pages;
pub mod ticket_types;
pub mod tickets;
