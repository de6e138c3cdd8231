//! Tickets, orders, scans and payments as files, however many there are.

pub mod columns;
pub mod data;
pub mod file;
pub mod query;
pub mod rows;
