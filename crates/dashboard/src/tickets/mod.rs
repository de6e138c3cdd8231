//! Tickets: the list (`list`), a line of it (`row`), one ticket with its history (`one`), and what can be done with it
//! (`change`, `note`). Pages name a ticket by its place in the list by issue, because its id opens a door.

pub mod change;
pub mod list;
pub mod note;
pub mod one;
pub mod row;
