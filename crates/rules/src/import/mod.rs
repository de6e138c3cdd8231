//! Import of JSON Lines, and of tickets as a table: all or nothing, in bounded memory, while servers run.

mod catalogue;
mod error;
mod fault;
mod fields;
mod line;
mod lines;
mod load;
mod prices;
mod summary;
mod table;
mod values;
mod waiting;

pub use self::{
    catalogue::{Content, New, NewEvent, NewInclude, NewItem},
    error::Error,
    fault::Fault,
    lines::{Lines, Uploaded},
    load::{Progress, check, rows, run},
    summary::Summary,
    table::EXAMPLE,
};
