//! The door: the calls of scanners, and their page.
//!
//! A door link is the only credential here. It admits tickets and shows the name on the ticket just scanned. It gives
//! no list of attendees, and never an e-mail address, a phone number or an identity document.

pub mod access;
pub mod codes;
pub mod open;
pub mod openapi;
pub mod page;
pub mod scan;
