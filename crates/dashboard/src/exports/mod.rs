//! Tickets, orders, scans and payments as files, however many there are.
//!
//! A page of rows is read, written and sent before the next is read, so memory stays flat. What breaks off breaks the
//! connection, so that half a file is not taken for a whole one. Before each page it is looked whether the reader still may
//! have it.

pub mod columns;
pub mod data;
pub mod file;
pub mod query;
pub mod rows;
