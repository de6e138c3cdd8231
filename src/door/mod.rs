//! The door: what scanners call, and the page that they open.
//!
//! A door link is all the authority there is here. It lets people in and shows whose ticket was just shown; it lists
//! nobody, and never tells an e-mail address, a phone number or a document.

pub mod access;
pub mod codes;
pub mod open;
pub mod page;
pub mod scan;
