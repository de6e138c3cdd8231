//! Making a connection: where the address leads, who is asked for a password, TLS, and why it failed.

mod address;
mod certificate;
mod connector;
mod explain;
mod lineage;
mod parameters;
mod passwords;
mod place;
mod pooler;
mod rejected;
mod stream;
mod target;
mod tls;
mod verifier;

pub use self::{
    address::Address,
    connector::Connector,
    lineage::{Lineage, Part},
};
