//! Import of JSON Lines: all or nothing, in bounded memory, while servers run.

mod fault;
mod fields;
mod line;
mod lines;
mod load;
mod summary;
mod values;

pub use self::{
    fault::Fault,
    lines::Uploaded,
    load::{Error, Progress, check, create, run},
    summary::Summary,
};
