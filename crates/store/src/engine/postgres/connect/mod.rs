//! Making a connection: where the address leads, who is asked for a password, TLS, and why it failed.

mod address;
mod certificate;
mod connector;
mod explain;
mod parameters;
mod passwords;
mod place;
mod pooler;
mod rejected;
mod stream;
mod tls;
mod verifier;

pub use self::{address::Address, connector::Connector};
