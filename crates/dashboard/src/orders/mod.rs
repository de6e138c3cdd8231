//! Orders and the box office: the list (`list`), one order and what can be done with it (`one`), selling (`sell`), and an
//! order's tickets to be printed (`printed`). `row` is an order in a table, `named` one that something else
//! tells of, and `till` what the pages about money at the box office share.

pub mod attendees;
pub mod list;
pub mod named;
pub mod notes;
pub mod one;
pub mod printed;
pub mod refund_tickets;
pub mod row;
pub mod sell;
pub mod till;
