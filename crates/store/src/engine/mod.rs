//! SQLite and PostgreSQL behind one interface: connections, transactions, parameters and rows.

pub mod conn;
pub mod database;
pub mod dedicated;
pub mod error;
pub mod group_commit;
mod postgres;
pub mod sql;
mod sqlite;
pub mod transaction;
pub mod usage;
