//! How much one caller may do: paces, and failed tries.

mod limits;
mod source;
mod table;
mod too_many;
mod tries;

pub use self::{
    limits::Limits,
    source::{Source, network},
    table::{Guess, Pace},
    too_many::TooMany,
};
