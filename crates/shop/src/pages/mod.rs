//! The pages of buyers: what is on sale at a producer, and one event. They work without JavaScript.
//!
//! | what | where |
//! |---|---|
//! | whose shop it is, and who looks at it | `guest` |
//! | what a link carries through all steps | `carried` |
//! | what is around every page | `frame` |
//! | the events of a producer | `list` |
//! | one event | `event`, `offer`, `offered` |
//! | one event that a crowd looks at | `copies`, `visits` |
//! | what other programs read of a page | `sharing` |
//! | an order of whoever has its reference | `order`, `paying` |

pub mod carried;
pub mod copies;
pub mod event;
pub mod frame;
pub mod guest;
pub mod list;
pub mod offer;
pub mod offered;
pub mod order;
pub mod paying;
mod sharing;
mod visits;
