//! Loading many rows at once. Lines are staged in temporary tables as they arrive (`staging`), checked and counted
//! there (`checks`, `prepare`), and inserted in one move (`inserts` says how, `finish` does it).
//!
//! Only the move touches real tables and locks the producer's clock; servers keep working until then.

pub mod checks;
pub mod finish;
mod inserts;
pub mod prepare;
pub mod staging;
