//! Long work that staff begin: a server takes up a piece, does it step by step, and writes after each step how far it is.
//! If the server ends, another goes on from there.
//!
//! Rows come before deeds. A piece belongs to a server by a lease of 20 s. A refund of all orders writes a row for each
//! order before it refunds it, so whoever takes over begins with the rows that are open; passes repeat until one
//! refunds nothing. A file is kept in parts, checked, and imported by one move when somebody says so.

mod alive;
mod erasure;
mod erasure_steps;
mod import;
mod refund;
mod retention;
mod runner;
mod tools;

pub use self::{erasure::erase_now, runner::start};
