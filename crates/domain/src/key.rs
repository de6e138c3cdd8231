//! API keys and the tokens of door links, sessions and staff links: their form and their checksum, and the permissions
//! that keys carry.

use std::fmt;

use rand::RngExt;
use sha2::{Digest, Sha256};

use super::{
    credential::Life,
    personal::Sees,
    status::{named, named_set},
};

named! {
    /// What a key may read.
    Permission {
        /// Events, ticket types and `/me`.
        EventsRead = "EVENTS_READ",
        /// Orders, with the buyer's personal data.
        OrdersRead = "ORDERS_READ",
        /// Tickets, with the attendee's personal data.
        TicketsRead = "TICKETS_READ",
    }
}

named_set! {
    /// A set of permissions.
    Permissions of Permission
}

impl Permissions {
    /// Whether a key with these permissions reads people.
    pub fn sees(self) -> Sees {
        Sees::people_if(self.allow(Permission::OrdersRead) || self.allow(Permission::TicketsRead))
    }
}

/// An API key, without its secret.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its public id (`key_…`).
    pub id: String,
    /// The name that its owner gave it.
    pub name: String,
    /// What it may read.
    pub permissions: Permissions,
    /// The last four characters of the secret.
    pub last_four: String,
    /// When it was created, used and ended.
    pub life: Life,
}

/// What a secret opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opens {
    /// The read API.
    Api,
    /// A door.
    Door,
    /// The dashboard, for a user who has signed in.
    Session,
    /// One thing in the dashboard, once, for whoever was handed the link.
    StaffLink,
    /// A promoter's page, and what they may give away.
    Promoter,
}

impl Opens {
    /// The prefix of such a secret, by which anybody who finds one knows what it is for.
    const fn prefix(self) -> &'static str {
        match self {
            Self::Api => "tq_",
            Self::Door => "tqd_",
            Self::Session => "tqs_",
            Self::StaffLink => "tql_",
            Self::Promoter => "tqp_",
        }
    }
}

const RANDOM: usize = 30;
const CHECKSUM: usize = 6;

/// A secret as its owner holds it: a prefix, 30 random base62 characters (178 bits), 6 characters of checksum.
///
/// Only [`Secret::hash`] is ever stored. `Debug` prints nothing of it, so that no log can contain one.
pub struct Secret(String);

impl Secret {
    /// A new secret from the system's randomness.
    pub fn generate(opens: Opens) -> Self {
        let random: String = rand::rng().sample_iter(rand::distr::Alphanumeric).take(RANDOM).map(char::from).collect();
        Self(format!("{}{random}{}", opens.prefix(), checksum(&random)))
    }

    /// Parses a secret. The checksum refuses mistyped and made-up ones without asking the database.
    pub fn parse(opens: Opens, text: &str) -> Option<Self> {
        let body = text.strip_prefix(opens.prefix())?;
        if body.len() != RANDOM + CHECKSUM || !body.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let (random, sum) = body.split_at(RANDOM);
        (checksum(random) == sum).then(|| Self(text.to_owned()))
    }

    /// The secret itself, to be shown once.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The SHA-256 hash in hexadecimal. A plain hash is enough, because 178 random bits cannot be searched.
    pub fn hash(&self) -> String {
        hexadecimal(&Sha256::digest(self.0.as_bytes()))
    }

    /// The last four characters, by which a person tells secrets apart.
    pub fn last_four(&self) -> &str {
        &self.0[self.0.len() - 4..]
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The bytes in hexadecimal, in lower case.
pub fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = vec![b'0'; 2 * bytes.len()];
    for (digits, byte) in text.chunks_exact_mut(2).zip(bytes) {
        digits.copy_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    }
    // All digits are ASCII.
    String::from_utf8(text).unwrap_or_default()
}

/// CRC-32 in six base62 digits. It catches typing mistakes, not forgery.
fn checksum(random: &str) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut rest = crc32fast::hash(random.as_bytes()) as usize;
    let mut digits = [b'0'; CHECKSUM];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[rest % 62];
        rest /= 62;
    }
    digits.map(char::from).iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_key_reads_back_and_any_changed_character_does_not() {
        let key = Secret::generate(Opens::Api);
        let text = key.reveal();
        assert_eq!(text.len(), 39);
        assert_eq!(Secret::parse(Opens::Api, text).map(|read| read.hash()), Some(key.hash()));
        for at in 0..text.len() {
            let mut changed = text.as_bytes().to_vec();
            changed[at] = if changed[at] == b'x' { b'y' } else { b'x' };
            assert!(
                Secret::parse(Opens::Api, std::str::from_utf8(&changed).unwrap_or_default()).is_none(),
                "character {at}"
            );
        }
        assert!(
            Secret::parse(Opens::Api, &text[..38]).is_none()
                && Secret::parse(Opens::Api, &format!("{text}0")).is_none()
        );
        assert!(Secret::parse(Opens::Api, "tq_ññññññññññññññññññ").is_none());
    }

    #[test]
    fn what_opens_a_door_opens_no_api() {
        let token = Secret::generate(Opens::Door);
        assert!(Secret::parse(Opens::Door, token.reveal()).is_some());
        assert!(Secret::parse(Opens::Api, token.reveal()).is_none());
        assert!(Secret::parse(Opens::Door, Secret::generate(Opens::Api).reveal()).is_none());
    }

    #[test]
    fn permissions_print_and_read_back() {
        for bits in 1..8_u8 {
            let set: Permissions = Permission::ALL
                .iter()
                .copied()
                .enumerate()
                .filter(|(at, _)| bits & (1 << at) != 0)
                .map(|(_, permission)| permission)
                .collect();
            assert_eq!(Permissions::parse(&set.to_string()), Some(set));
        }
        assert_eq!(Permissions::parse("TICKETS_WRITE"), None);
        assert_eq!(Permissions::parse(""), None);
    }

    #[test]
    fn a_key_is_never_printed_by_accident() {
        assert_eq!(format!("{:?}", Secret::generate(Opens::Api)), "Secret(…)");
    }
}
