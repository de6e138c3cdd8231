//! SQLite and PostgreSQL behind one interface: connections, transactions, parameters and rows.
//!
//! Statements use the dialect that both engines share: integers (microseconds, money, flags) and text, `ON CONFLICT`,
//! `RETURNING`, row comparison. PostgreSQL gets `$N` for `?N`, and no `INDEXED BY`. No other room knows which engine
//! runs.

pub mod commits;
pub mod conn;
pub mod database;
pub mod dedicated;
pub mod error;
pub mod group_commit;
pub(crate) mod postgres;
pub mod replicas;
pub(crate) mod seen;
pub mod sql;
mod sqlite;
pub mod transaction;
pub mod usage;
