//! The line in front of an event that more come to buy than can be decided. Who waits is told how many are before them, and
//! about how long that takes. Their place is in a cookie that only this database makes, so reloading and other tabs change
//! nothing, and what somebody makes up is no place.
//!
//! | what | where |
//! |---|---|
//! | whether somebody may go on to buying | `gate` |
//! | the place in a browser's cookie | `place` |
//! | whoever was at a form when the line began | `entry` |
//! | what those who wait are shown | `waiting` |

pub mod entry;
pub mod gate;
mod place;
pub mod waiting;
