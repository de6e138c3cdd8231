//! The door's rows: links, and all scans.

pub mod links;
pub mod scans;
