//! The two engines behind one face: connections, transactions, and what a statement takes and gives.

pub mod conn;
pub mod database;
pub mod dedicated;
pub mod error;
pub mod group_commit;
mod postgres;
pub mod sql;
mod sqlite;
pub mod transaction;
