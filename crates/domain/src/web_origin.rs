//! The origin of somebody's website: what a browser says of the page that asks.

use url::{Host, Url};

use crate::invalid::Invalid;

/// A scheme, a host and perhaps a port, spelt as browsers send it in `Origin`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WebOrigin(String);

impl WebOrigin {
    /// Parses what people copy from their address bar, as long as it names no page. Only https is taken: over plain http,
    /// whoever is on the way could put a page of their own in the site's place. One's own machine has no such way.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let wrong = || Invalid::new("a website is written as https://www.example.org, without a page");
        let url = Url::parse(text.trim()).map_err(|_| wrong())?;
        let is_own_machine = match url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => return Err(wrong()),
        };
        let names_more = url.path() != "/" || url.query().is_some() || url.fragment().is_some();
        let names_user = !url.username().is_empty() || url.password().is_some();
        let is_secure = url.scheme() == "https" || url.scheme() == "http" && is_own_machine;
        if names_more || names_user || !is_secure {
            return Err(wrong());
        }
        Ok(Self(url.origin().ascii_serialization()))
    }

    /// As browsers send it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_website_is_spelt_as_browsers_send_it() {
        for (text, sent) in [
            ("https://www.example.org", "https://www.example.org"),
            (" https://WWW.Example.org:443/ ", "https://www.example.org"),
            ("https://fiesta.example:8443", "https://fiesta.example:8443"),
            ("https://peña.example", "https://xn--pea-8ma.example"),
            ("http://localhost:5173", "http://localhost:5173"),
            ("http://127.0.0.1:3000", "http://127.0.0.1:3000"),
        ] {
            assert_eq!(WebOrigin::parse(text).unwrap().as_str(), sent);
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "example.org",
            "*",
            "null",
            "https://",
            "http://www.example.org",
            "https://example.org/tickets",
            "https://example.org/?a",
            "https://ana@example.org",
            "ftp://example.org",
            "https://example.org/#x",
            "file:///a",
        ] {
            assert!(WebOrigin::parse(text).is_err(), "{text}");
        }
    }
}
