//! Loading many rows at once: staged in temporary tables as lines arrive (`staging`), then checked and moved in one
//! transaction (`steps` says what, `finish` does it).
//!
//! Staging touches no real table, so a server goes on working meanwhile; the producer's clock is held only for the move.

pub mod finish;
pub mod staging;
mod steps;
