//! What limits count by.

use std::net::{IpAddr, Ipv6Addr};

/// Somebody whose calls or tries are counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Something with an id: a key, a door link, an account.
    Id(String),
    /// A network.
    Network(IpAddr),
}

impl Source {
    /// What has this id.
    pub fn id(id: &str) -> Self {
        Self::Id(id.to_owned())
    }

    /// Whoever calls from this address.
    pub fn address(address: IpAddr) -> Self {
        Self::Network(network(address))
    }

    /// What has this id, and whoever calls from this address: each has its own count.
    pub fn both(id: &str, address: IpAddr) -> [Self; 2] {
        [Self::id(id), Self::address(address)]
    }
}

/// The address to count by. For IPv6 it is the /64 network, because one customer usually holds a whole one.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !(u128::MAX >> 64))),
        address => address,
    }
}
