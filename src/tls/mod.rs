//! This server's own https: where its certificates come from, and the handshake with clients.

mod acme;
mod certificates;
mod challenge;
mod files;
mod handshake;
mod local;
mod network;
mod pair;

pub use self::{
    acme::{
        keeper::{Ordered, look_at_ordered, obtain},
        names::domain,
    },
    certificates::Certificates,
    files::{NotUsable, follow, look_at_files},
    handshake::{Opened, Timed, open},
    local::keep_local,
    network::address_in_network,
};
