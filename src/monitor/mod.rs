//! Metrics of a server: gathering them, and telling them on a listener of their own.

mod backlogs;
mod classic_text;
mod gathered;
mod health;
mod listener;
mod process;
mod scrape;

pub use self::{listener::start, scrape::Monitor};
