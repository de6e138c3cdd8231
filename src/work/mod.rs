//! Long work that staff begin: a server takes up a piece, does it step by step, and writes after each step how far it is.
//! If the server ends, another goes on from there.

mod import;
mod refund;
mod runner;
mod tools;

pub use self::runner::Work;
