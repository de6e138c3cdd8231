//! The server: the loop that serves connections.

mod compression;
mod connection;
mod head_timer;
mod http2;
mod listeners;
mod request;
mod run;
mod stop;
mod taking;

pub use self::{listeners::Listeners, run::run};
