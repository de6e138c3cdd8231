//! Creating and changing events, ticket types and bundles. Each change is written into the history by the same move.

mod create;
mod differences;
mod event_change;
mod item_change;

pub use self::{
    create::{copy_event, create_event, create_item},
    event_change::{EventChange, change_event},
    item_change::{TicketTypeChange, change_ticket_type, move_item},
};
pub use crate::import::{Content, NewEvent, NewInclude, NewItem};
