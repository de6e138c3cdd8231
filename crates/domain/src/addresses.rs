//! The addresses that a webhook may be sent to. No endpoint's URL may reach into the server's own network.
//!
//! Receivers are strangers. A URL is checked when it is made and before every attempt, and the connection goes to the
//! very addresses that were checked. Redirects and proxies are not used, and every part of an attempt has a deadline
//! and a size.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// IPv4 networks that are not the public Internet, from IANA's special-purpose registry.
const SPECIAL_V4: [Ipv4Net; 15] = [
    v4([0, 0, 0, 0], 8),       // this network; on Linux 0.0.0.0 is this machine
    v4([10, 0, 0, 0], 8),      // private
    v4([100, 64, 0, 0], 10),   // shared, behind a provider's NAT
    v4([127, 0, 0, 0], 8),     // this machine
    v4([169, 254, 0, 0], 16),  // link-local, where clouds keep their credentials
    v4([172, 16, 0, 0], 12),   // private
    v4([192, 0, 0, 0], 24),    // protocol assignments
    v4([192, 0, 2, 0], 24),    // documentation
    v4([192, 88, 99, 0], 24),  // 6to4 relays
    v4([192, 168, 0, 0], 16),  // private
    v4([198, 18, 0, 0], 15),   // benchmarks
    v4([198, 51, 100, 0], 24), // documentation
    v4([203, 0, 113, 0], 24),  // documentation
    v4([224, 0, 0, 0], 4),     // multicast
    v4([240, 0, 0, 0], 4),     // reserved, and broadcast
];

/// The only IPv6 network with public addresses. Loopback, private and link-local addresses are outside it.
const GLOBAL_V6: Ipv6Net = v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);
/// The parts of [`GLOBAL_V6`] that are not the public Internet.
const SPECIAL_V6: [Ipv6Net; 4] = [
    v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23), // protocol assignments: Teredo, ORCHID and others
    v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32), // documentation
    v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16), // 6to4, with any IPv4 address inside
    v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20), // documentation
];
/// Addresses that a translator turns into the IPv4 address in their last 32 bits.
const NAT64: Ipv6Net = v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96);

const fn v4([a, b, c, d]: [u8; 4], bits: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), bits)
}

const fn v6([a, b, c, d, e, f, g, h]: [u16; 8], bits: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, e, f, g, h), bits)
}

/// Whether the address is on the public Internet.
pub fn is_public(address: IpAddr) -> bool {
    // An IPv4 address mapped into IPv6 is judged as the IPv4 address.
    match address.to_canonical() {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|special| special.contains(&address)),
        IpAddr::V6(address) if NAT64.contains(&address) => {
            let [.., a, b, c, d] = address.octets();
            is_public(Ipv4Addr::new(a, b, c, d).into())
        }
        IpAddr::V6(address) => {
            GLOBAL_V6.contains(&address) && !SPECIAL_V6.iter().any(|special| special.contains(&address))
        }
    }
}

/// Whether a webhook over TLS may be sent to this address: it is public, or the operator allowed its network.
pub fn may_dial(address: IpAddr, allow: &[IpNet]) -> bool {
    is_public(address) || is_allowed(address, allow)
}

fn is_allowed(address: IpAddr, allow: &[IpNet]) -> bool {
    allow.iter().any(|network| network.contains(&address) || network.contains(&address.to_canonical()))
}

/// The addresses that a URL may reach, by its scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// https: addresses for which [`may_dial`] is true.
    Public,
    /// http: only networks that the operator allowed, because anybody on the way could read the messages.
    Allowed,
}

impl Reach {
    /// Whether it includes this address.
    pub fn covers(self, address: IpAddr, allow: &[IpNet]) -> bool {
        match self {
            Self::Public => may_dial(address, allow),
            Self::Allowed => is_allowed(address, allow),
        }
    }

    /// What a refused address is, without naming it.
    pub fn lacks(self) -> &'static str {
        match self {
            Self::Public => "that is not public",
            Self::Allowed => "for https only",
        }
    }

    /// The end of the sentence that refuses an address. It names the smallest network that would allow it.
    pub fn refusal(self, address: IpAddr) -> String {
        match self {
            Self::Public => format!("which is not public; --webhook-allow {address} would allow it"),
            Self::Allowed => format!(
                "and http is only for networks named with --webhook-allow; --webhook-allow {address} would allow it"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn networks(texts: &[&str]) -> Vec<IpNet> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn public_addresses_are_public() {
        for text in [
            "1.1.1.1",
            "8.8.8.8",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "192.88.98.255",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2000::1",
            "2001:200::1",
            "2001:db7:ffff::1",
            "2001:db9::1",
            "2003::1",
            "2606:4700::1111",
            "3ffe:ffff::1",
            "3fff:1000::1",
            "::ffff:8.8.8.8",
            "64:ff9b::8.8.8.8",
        ] {
            assert!(is_public(address(text)), "{text}");
        }
    }

    #[test]
    fn all_others_are_not() {
        for text in [
            "0.0.0.0",
            "0.255.255.255",
            "10.0.0.0",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.255",
            "169.254.169.254",
            "172.16.0.0",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.0.0",
            "192.168.255.255",
            "198.18.0.0",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.0",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::808:808",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:0:127.0.0.1",
            "64:ff9b::127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::8.8.8.8",
            "100::1",
            "1fff:ffff::1",
            "2001::1",
            "2001:1ff:ffff::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:808:808::1",
            "3fff::1",
            "3fff:fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fdff::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(address(text)), "{text}");
        }
    }

    #[test]
    fn an_allowed_network_may_be_dialled_in_either_notation() {
        let allow = networks(&["127.0.0.0/8", "fd00::/8"]);
        for text in ["127.0.0.1", "::ffff:127.0.0.1", "fd00::1", "8.8.8.8"] {
            assert!(may_dial(address(text), &allow), "{text}");
        }
        for text in ["10.0.0.1", "::ffff:10.0.0.1", "::1", "fc00::1"] {
            assert!(!may_dial(address(text), &allow), "{text}");
        }
        assert!(may_dial(address("::ffff:10.0.0.1"), &networks(&["::ffff:10.0.0.0/104"])));
    }
}
