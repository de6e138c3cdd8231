//! Taquilla: a ticketing service in one binary.
//!
//! The modules in reading order; each imports only from those above it (`tests/it/tidy.rs` checks that).
//!
//! - [`config`]: every setting and every limit.
//! - [`domain`]: the rules, pure.
//! - [`wire`]: the only serialisable shapes.
//! - [`store`]: the database; one SQL text, two engines.
//! - [`error`], [`params`], [`strict_json`], [`body`], [`page`], [`rate`], [`last_used`], [`app`], [`auth`]: what every call of the API needs.
//! - [`api`]: the read API.
//! - [`boxoffice`]: selling, refunding, cancelling and passing on.
//! - [`shop`]: what buyers and payment processors call.
//! - [`door`]: what scanners call, and their page.
//! - [`webhooks`]: what we call, so that integrators need not ask.
//! - [`import`], [`demo`]: getting data in.
//! - [`edge`], [`server`]: the route table and the loop that serves it.
//! - [`cli`]: the command line.

pub mod api;
pub mod app;
pub mod auth;
pub mod body;
pub mod boxoffice;
pub mod cli;
pub mod config;
pub mod demo;
pub mod domain;
pub mod door;
pub mod edge;
pub mod error;
pub mod import;
pub mod known_keys;
pub mod last_used;
pub mod page;
pub mod params;
pub mod rate;
pub mod server;
pub mod shop;
pub mod store;
pub mod strict_json;
pub mod webhooks;
pub mod wire;
