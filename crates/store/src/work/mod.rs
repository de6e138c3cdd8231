//! Long work: its pieces, the orders that one goes through, and the files that are to be imported.

pub mod orders;
pub mod pieces;
pub mod uploads;
