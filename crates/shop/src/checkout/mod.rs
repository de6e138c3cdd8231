//! Buying on pages, in three steps: choose (the event's page), say who buys, look at it once more and confirm.
//!
//! What was chosen and written travels in the forms, so no server remembers anybody before they confirm. The key that makes
//! an order safe to repeat is in the form, too: sent twice, from a page that was gone back to or after a lost answer, it is
//! one order. A form that was changed meanwhile is another one.
//!
//! | what | where |
//! |---|---|
//! | how many of what | `choice` |
//! | what it costs | `bill` |
//! | who buys | `buyer` |
//! | who comes, and what is accepted | `asked` |
//! | the second step, and the third | `details`, `review` |
//! | the key that a form has | `form_key` |
//! | which of them a form asks for | `steps` |
//! | the order itself | `place` |

pub mod asked;
mod bill;
mod buyer;
pub mod choice;
pub mod details;
pub mod form_key;
mod place;
mod review;
pub mod steps;
