//! The URL of a webhook endpoint.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use url::Url;

use super::{addresses::Reach, invalid::Invalid};
use crate::config::WEBHOOK_URL_MAX;

/// A URL that webhooks may be sent to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointUrl(Url);

impl EndpointUrl {
    /// Parses a URL, or explains to a person why webhooks cannot be sent there.
    ///
    /// A host name is not looked up here; its addresses are checked at every attempt.
    pub fn parse(text: &str, allow: &[IpNet]) -> Result<Self, Invalid> {
        let too_long = || Invalid::new(format!("the URL is longer than {WEBHOOK_URL_MAX} characters"));
        if text.chars().count() > WEBHOOK_URL_MAX {
            return Err(too_long());
        }
        // The parser's own message speaks of bases and IDNA.
        let no_url = || Invalid::new("this is no URL; write it out from https:// on, such as https://example.com/hook");
        let url = Url::parse(text).map_err(|_| no_url())?;
        // Escaping makes the URL longer, and the escaped form is what is stored and parsed again later.
        if url.as_str().len() > WEBHOOK_URL_MAX {
            return Err(too_long());
        }
        let reach = match url.scheme() {
            "https" => Reach::Public,
            "http" => Reach::Allowed,
            _ => return Err(Invalid::new("the URL has to begin with https://")),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Invalid::new("the URL must not hold a user or a password; requests are signed instead"));
        }
        if url.fragment().is_some() {
            return Err(Invalid::new("the URL must not hold a # and what follows it; that part is never sent"));
        }
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(no_url)?;
        let leads = Leads::of(host);
        if reach == Reach::Allowed && allow.is_empty() {
            let network = match leads {
                Leads::To(address) => address.to_string(),
                Leads::Here => LOOPBACK[0].to_string(),
                Leads::Anywhere => "and the network of its address".to_owned(),
            };
            return Err(Invalid::new(format!(
                "https is required; for http during development, start the server and `webhook create` with \
                 --webhook-allow {network}, or with TAQUILLA_WEBHOOK_ALLOW"
            )));
        }
        match leads {
            Leads::To(address) if !reach.covers(address, allow) => {
                Err(Invalid::new(format!("the address is not allowed: it is {address}, {}", reach.refusal(address))))
            }
            Leads::Here if !LOOPBACK.iter().any(|address| reach.covers(*address, allow)) => Err(Invalid::new(format!(
                "{host} is the machine that the server runs on, not yours; for a receiver on that machine, start \
                 the server and `webhook create` with --webhook-allow {}",
                LOOPBACK[0]
            ))),
            _ => Ok(Self(url)),
        }
    }

    /// The URL as it is stored.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl From<EndpointUrl> for Url {
    fn from(url: EndpointUrl) -> Self {
        url.0
    }
}

/// The addresses of this machine.
const LOOPBACK: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];

/// Where a host leads, as far as its text says.
#[derive(Clone, Copy)]
enum Leads {
    /// To this address.
    To(IpAddr),
    /// To this machine, by name.
    Here,
    /// To wherever the name's addresses are.
    Anywhere,
}

impl Leads {
    fn of(host: &str) -> Self {
        // `Url` has already normalised all other notations of an address, such as 0x7f.1 and 2130706433.
        if let Ok(address) = host.trim_start_matches('[').trim_end_matches(']').parse() {
            return Self::To(address);
        }
        let name = host.trim_end_matches('.');
        if name == "localhost" || name.ends_with(".localhost") { Self::Here } else { Self::Anywhere }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn networks(texts: &[&str]) -> Vec<IpNet> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn a_url_is_taken_over_https_to_a_name_or_a_public_address() {
        for (text, read) in [
            ("https://example.com/hook?token=1", "https://example.com/hook?token=1"),
            ("HTTPS://Example.COM", "https://example.com/"),
            ("https://example.com:8443/", "https://example.com:8443/"),
            ("https://8.8.8.8/", "https://8.8.8.8/"),
            ("https://[2606:4700::1111]/", "https://[2606:4700::1111]/"),
            ("https://münchen.example/ä", "https://xn--mnchen-3ya.example/%C3%A4"),
        ] {
            assert_eq!(EndpointUrl::parse(text, &[]).as_ref().map(EndpointUrl::as_str), Ok(read), "{text}");
        }
    }

    #[test]
    fn a_url_that_is_none_or_says_too_much_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "this is no URL"),
            ("example.com/hook", "write it out from https:// on"),
            ("https://", "this is no URL"),
            ("https://exa mple.com/", "this is no URL"),
            ("https://[fe80::1%25eth0]/", "this is no URL"),
            ("localhost:8080/hook", "begin with https://"),
            ("ftp://example.com/", "begin with https://"),
            ("file:///etc/passwd", "begin with https://"),
            ("http://example.com/", "https is required"),
            ("http://10.1.2.3/", "--webhook-allow 10.1.2.3"),
            ("http://localhost/", "--webhook-allow 127.0.0.1"),
            ("https://localhost/", "the machine that the server runs on"),
            ("https://Hook.localhost./", "--webhook-allow 127.0.0.1"),
            ("http://127.0.0.1/", "TAQUILLA_WEBHOOK_ALLOW"),
            ("https://user@example.com/", "a user or a password"),
            ("https://:password@example.com/", "a user or a password"),
            ("https://example.com/#", "must not hold a #"),
        ] {
            let refusal = EndpointUrl::parse(text, &[]).unwrap_err().to_string();
            assert!(refusal.contains(reason), "{text}: {refusal}");
        }
        let long = format!("https://example.com/{}", "a".repeat(WEBHOOK_URL_MAX - 20));
        assert_eq!(EndpointUrl::parse(&long, &[]).as_ref().map(EndpointUrl::as_str), Ok(long.as_str()));
        let escaped = long.replace("aaaa", "ä");
        assert!(escaped.chars().count() < WEBHOOK_URL_MAX);
        for text in [&format!("{long}a"), &escaped] {
            assert!(EndpointUrl::parse(text, &[]).unwrap_err().to_string().contains("longer than 2000 characters"));
        }
    }

    #[test]
    fn a_private_address_is_seen_through_every_disguise() {
        for host in [
            "127.0.0.1",
            "127.1",
            "127.0.0.1.",
            "0x7f.1",
            "0177.0.0.1",
            "2130706433",
            "１２７.0.0.1",
            "127%2e0%2e0%2e1",
            "0",
            "169.254.169.254",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[64:ff9b::a00:1]",
            "[fd00::1]",
        ] {
            let refusal = EndpointUrl::parse(&format!("https://{host}/"), &[]).unwrap_err().to_string();
            assert!(refusal.contains("which is not public"), "{host}: {refusal}");
        }
    }

    #[test]
    fn http_leads_into_allowed_networks_only() {
        let allow = networks(&["127.0.0.1/32", "10.0.0.0/8"]);
        for text in ["http://127.0.0.1:9000/", "https://127.0.0.1/", "http://10.1.2.3/", "http://receiver/"]
            .into_iter()
            .chain(["http://localhost/", "https://localhost/", "https://a.localhost/"])
        {
            assert!(EndpointUrl::parse(text, &allow).is_ok(), "{text}");
        }
        for text in ["http://8.8.8.8/", "http://127.0.0.2/", "http://[::1]/"] {
            assert!(
                EndpointUrl::parse(text, &allow).unwrap_err().to_string().contains("http is only for networks"),
                "{text}"
            );
        }
        assert!(EndpointUrl::parse("https://192.168.0.1/", &allow).is_err());
    }
}
