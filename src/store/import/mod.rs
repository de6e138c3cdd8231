//! Loading many rows at once. Lines are staged in temporary tables as they arrive (`staging`), then checked and
//! inserted in one move (`steps` says what, `finish` does it).
//!
//! Staging touches no real table, so servers keep working meanwhile. The producer's clock is locked only during the
//! move.

pub mod finish;
pub mod staging;
mod steps;
