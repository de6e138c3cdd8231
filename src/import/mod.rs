//! Import: JSON Lines in, all or nothing, in bounded memory, while a server may be running.

mod fault;
mod fields;
mod line;
mod load;
mod summary;

pub use self::{
    fault::Fault,
    load::{Error, Progress, run},
    summary::Summary,
};
