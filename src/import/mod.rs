//! Import of JSON Lines: all or nothing, in bounded memory, while servers run.

mod fault;
mod fields;
mod line;
mod load;
mod summary;
mod values;

pub use self::{
    fault::Fault,
    load::{Error, Progress, create, run},
    summary::Summary,
};
