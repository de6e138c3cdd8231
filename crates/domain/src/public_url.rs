//! The service's public URL.

use super::invalid::Invalid;
use crate::config::TEXT_MAX;

/// A scheme and a host, such as `https://tickets.example.com`, without a slash at its end. Links are made by adding a
/// path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// Reads an address.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let url = text.trim_end_matches('/');
        let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or_default();
        let plain = host.bytes().all(|byte| byte.is_ascii_graphic() && !b"/?#@\"<>\\".contains(&byte));
        match !host.is_empty() && plain && url.len() <= TEXT_MAX {
            true => Ok(Self(url.to_owned())),
            false => Err(Invalid::new("an address such as https://tickets.example.com is expected, without a path")),
        }
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_scheme_a_host_and_no_path() {
        assert_eq!(PublicUrl::parse("https://tickets.example.com/").unwrap().as_str(), "https://tickets.example.com");
        assert!(PublicUrl::parse("http://127.0.0.1:8080").is_ok());
        for wrong in ["", "tickets.example.com", "ftp://x", "https://", "https://a/b", "https://a@b", "https://a b"] {
            assert!(PublicUrl::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
