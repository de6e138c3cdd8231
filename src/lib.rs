//! Taquilla: a ticketing service in one binary.
//!
//! The rooms in reading order; each imports only from those above it, and no two files import each other, also inside a
//! room (`tests/it/tidy.rs` checks that).
//!
//! - [`config`]: every setting and every limit.
//! - [`domain`]: the rules, pure.
//! - [`time_source`]: where the present comes from.
//! - [`wire`]: the only shapes that are sent.
//! - [`store`]: the database; one SQL text, two engines.
//! - [`boxoffice`]: selling, refunding, cancelling, passing on, letting in.
//! - [`import`], [`demo`]: getting data in.
//! - [`admin`]: what staff do that is no sale.
//! - [`webhooks`]: what we call, so that integrators need not ask.
//! - [`housekeeping`]: forgetting what is old.
//! - [`http`]: what every face needs.
//! - [`api`], [`shop`], [`door`]: the faces. They never import each other.
//! - [`server`]: the route table and the loop that serves it.
//! - [`cli`]: the command line.

pub mod admin;
pub mod api;
pub mod boxoffice;
pub mod cli;
pub mod config;
pub mod demo;
pub mod domain;
pub mod door;
pub mod housekeeping;
pub mod http;
pub mod import;
pub mod server;
pub mod shop;
pub mod store;
pub mod time_source;
pub mod webhooks;
pub mod wire;
