//! Webhooks: telling an integrator's server what happened.
//!
//! Every move writes its messages to the outbox, in its own transaction. Each server looks for endpoints with something to
//! send (`dispatch`) and works for each of them alone among all servers (`courier`): it gives the messages their places, signs them
//! ([`payload`]), sends them, and writes down every attempt.
//!
//! The URL is a stranger's, so everything about it is distrusted: where it leads (`domain/addresses.rs`, `lookup`), who
//! answers there (`tls`), how long it takes and how much it answers ([`client`]), and what is shown of that (`problem`).

pub mod client;
mod courier;
mod dispatch;
mod lookup;
pub mod payload;
mod problem;
mod retry_after;
mod tls;

pub use self::dispatch::Webhooks;
