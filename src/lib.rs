//! Taquilla: a ticketing service in one binary.
//!
//! The rooms (top modules) in reading order. Each imports only from those above it, and no two files import each other,
//! also inside a room (`tests/it/tidy.rs` checks that).
//!
//! - [`config`]: every setting and every limit.
//! - [`domain`]: the rules, without SQL, HTTP or async.
//! - [`time_source`]: the present time, from the machine's clock or a test.
//! - [`wire`]: the JSON shapes of everything that is sent.
//! - [`texts`]: what pages say, in every language.
//! - [`metrics`]: what a server counts while it works.
//! - [`store`]: the database; one SQL text, two engines.
//! - [`boxoffice`]: selling, refunding, cancelling, passing on, scanning.
//! - [`import`]: getting data in.
//! - [`backup`]: whole databases in a file, out and in.
//! - [`admin`]: what staff do besides selling.
//! - [`demo`]: a made-up producer, and the people who buy from it and come to its door.
//! - [`webhooks`]: sending messages to integrators.
//! - [`housekeeping`]: deleting what is old.
//! - [`work`]: long work that staff begin.
//! - [`indexing`]: making orders and tickets findable.
//! - [`tls`]: https of the server's own.
//! - [`http`]: what every face needs.
//! - [`api`], [`shop`], [`door`], [`dashboard`]: the faces. They never import each other.
//! - [`routes`]: the whole route table.
//! - [`monitor`]: telling what was counted, on a listener of its own.
//! - [`server`]: the loop that serves it.
//! - [`cli`]: the command line.

pub mod admin;
pub mod api;
pub mod backup;
pub mod boxoffice;
pub mod cli;
pub mod config;
pub mod dashboard;
pub mod demo;
pub mod domain;
pub mod door;
pub mod housekeeping;
pub mod http;
pub mod import;
pub mod indexing;
pub mod metrics;
pub mod monitor;
pub mod routes;
pub mod server;
pub mod shop;
pub mod store;
pub mod texts;
pub mod time_source;
pub mod tls;
pub mod webhooks;
pub mod wire;
pub mod work;

/// The receiver in docs/webhooks.md compiles.
#[cfg(doctest)]
#[doc = include_str!("../docs/webhooks.md")]
struct _Webhooks;
