//! Reports: what was sold, who entered, who did not come, and whether the counts agree.

pub mod asked;
pub mod choose;
pub mod entries;
pub mod no_shows;
pub mod orders;
pub mod promoters;
pub mod sales;
pub mod stock;
