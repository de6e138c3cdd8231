//! Creating and changing events, ticket types, bundles and pools. Each change is written into the history by the same move.
//!
//! A form changes what its reader saw. Forms carry `updated_at`, which is compared in the move that changes the row:
//! `changed_meanwhile` changes nothing, and the form shows both. The command line compares nothing.

mod create;
mod differences;
mod event_change;
mod item_change;
mod pools;

pub use self::{
    create::{copy_event, create_event, create_item},
    event_change::{EventChange, change_event},
    item_change::{TicketTypeChange, change_ticket_type, move_item},
    pools::{PoolChange, change_pool, create_pool, end_pool},
};
pub use crate::import::{Content, NewEvent, NewInclude, NewItem};
