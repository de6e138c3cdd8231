//! Orders and the box office: the list (`list`), one order and what can be done with it (`one`), selling (`sell`), and an
//! order's tickets to be printed (`printed`). `row` is an order in a table, and
//! `till` what the pages about money at the box office share.

pub mod list;
pub mod one;
pub mod printed;
pub mod row;
pub mod sell;
pub mod till;
