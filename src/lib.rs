//! Taquilla: a ticketing service in one binary. This crate puts the others together; ARCHITECTURE.md has the map.
//!
//! - [`demo`]: a made-up producer, and the people who buy from it and come to its door.
//! - [`tls`]: https of the server's own.
//! - [`routes`]: the whole route table.
//! - [`monitor`]: telling what was counted, on a listener of its own.
//! - [`server`]: the loop that serves it.
//! - [`cli`]: the command line.

// What a command waits for is up to 128 functions deep, from its flags to the bytes of a statement.
#![recursion_limit = "256"]

pub mod cli;
pub mod demo;
#[cfg(doctest)]
mod doc_examples;
pub mod monitor;
pub mod routes;
pub mod server;
pub mod tls;
