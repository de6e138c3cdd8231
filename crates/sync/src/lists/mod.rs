//! The lists of the API, and how their rows are kept.

mod event;
mod listed;
mod order;
mod ticket;
mod ticket_type;

pub use self::{
    listed::{Listed, Stamp},
    ticket::of_order,
    ticket_type::kept as ticket_type,
};
