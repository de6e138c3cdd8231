//! Where this machine is reached from others in its network.

use std::net::{IpAddr, Ipv4Addr, UdpSocket};

/// The address from which this machine would speak to others. Nothing is sent to find out: the system only looks which of its
/// networks leads there. `None` on a machine without a network.
pub fn address_in_network() -> Option<IpAddr> {
    // An address that belongs to nobody (RFC 5737).
    const ELSEWHERE: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(ELSEWHERE).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_unspecified()).then_some(address)
}
