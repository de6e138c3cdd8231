//! Days, moments and money as people write them in their language. Programs get ISO: APIs, exports, form fields and the
//! command line do not come here.
//!
//! The tables are ours and small, made after Unicode's CLDR (en-GB and es for dates; en, es and the Spanish of each
//! country for money). ARCHITECTURE.md says why ICU's crates are not used.

mod dates;
mod money;
mod shown_time;

pub use self::{
    dates::Dates,
    money::{money, money_pattern},
    shown_time::ShownTime,
};
