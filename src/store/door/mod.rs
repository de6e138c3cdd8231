//! The door's rows: links, and all scans.

pub mod entry_curve;
pub mod links;
pub mod scans;
