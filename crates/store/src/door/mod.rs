//! The door's rows: links, all scans, and what is counted of them.

pub mod entries;
pub mod entry_curve;
pub mod inside;
pub mod link_scans;
pub mod links;
pub mod nights;
pub mod scans;
pub mod undone;
