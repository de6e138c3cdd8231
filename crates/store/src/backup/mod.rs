//! Whole databases, out and in: a consistent state that is read table by table, and an empty database that is filled.

pub mod afterwards;
mod cell;
mod columns;
pub mod filling;
pub mod foretold;
mod lost;
pub mod snapshot;
mod sum;
pub mod turn;

pub use self::{cell::Cell, columns::Columns, sum::Sum};
