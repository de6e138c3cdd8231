//! The door's rows: links, and everything that was shown to them.

pub mod links;
pub mod scans;
