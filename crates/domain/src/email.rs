//! E-mail addresses that people sign in with.

use super::{invalid::Invalid, text};
use crate::config::EMAIL_MAX;

/// An e-mail address in lower case. Mail decides whether it exists; here it only has the form of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Reads an address, in capitals or not.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let address = text.trim().to_lowercase();
        let parts = address.rsplit_once('@').filter(|(name, host)| {
            !name.is_empty()
                && !host.is_empty()
                && !name.contains('@')
                && !host.starts_with('.')
                && !host.ends_with('.')
        });
        let plain = !address.chars().any(|letter| letter.is_whitespace() || text::is_obeyed(letter));
        match parts.is_some() && plain && address.chars().count() <= EMAIL_MAX {
            true => Ok(Self(address)),
            false => Err(Invalid::new("an e-mail address is expected, such as ana@example.com")),
        }
    }

    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Email> for String {
    fn from(email: Email) -> Self {
        email.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_name_and_a_host() {
        assert_eq!(Email::parse(" Ana@Example.COM ").unwrap().as_str(), "ana@example.com");
        assert!(Email::parse("ana@localhost").is_ok() && Email::parse("josé@exämple.com").is_ok());
        for wrong in
            ["", "ana", "@x", "ana@", "a b@x.y", "a@b@c", "a@.x", "a@x.", "a\n@x", &format!("{}@x", "a".repeat(300))]
        {
            assert!(Email::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
