//! Webhooks: messages to an integrator's server about what happened.
//!
//! Every move writes its messages to the outbox, in its own transaction. Each server looks for endpoints with work
//! (`dispatch`) and starts a courier for each (`courier`). The courier gives messages their places, signs them
//! ([`payload`]), sends them, and writes down every attempt and what it says of the endpoint (`health`). Among all
//! servers, an endpoint has one courier at a time.
//!
//! The URL is a stranger's, so nothing about it is trusted; `taquilla-outside` sees to that.

pub mod attempt;
mod courier;
mod dispatch;
mod health;
mod office;
pub mod payload;

pub use self::dispatch::Webhooks;
