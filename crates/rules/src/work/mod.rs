//! Long work that staff begin: a server takes up a piece, does it step by step, and writes after each step how far it is.
//! If the server ends, another goes on from there.

mod alive;
mod erasure;
mod erasure_steps;
mod import;
mod refund;
mod retention;
mod runner;
mod tools;

pub use self::{erasure::erase_now, runner::start};
