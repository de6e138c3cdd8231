//! Whom a client calls, and what it therefore may reach.

use ipnet::IpNet;

use super::{lookup::Lookup, roots::Roots};

/// Whom a client calls.
#[derive(Clone, Debug)]
pub enum Whom {
    /// Whoever a stranger's URL leads to: with https to public addresses and to the allowed networks, with http only to the
    /// latter. Never through a proxy, which would look up the name and connect in our place, without our checks.
    Strangers {
        /// Networks that may be reached although they are not public.
        allow: Vec<IpNet>,
        /// Who is asked for the addresses of a name.
        lookup: Lookup,
    },
    /// A service that the operator has chosen: at any address, with https only, and through a proxy if the environment names
    /// one.
    Chosen(Roots),
    /// This service itself, as its users reach it: at any address, with https or http, never through a proxy.
    Ourselves(Roots),
}
