//! Promoters of an event: who they are, what they sold and gave away, and their links.

pub mod change;
pub mod list;
pub mod make;
pub mod rows;
