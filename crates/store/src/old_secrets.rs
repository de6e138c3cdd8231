//! Secrets that were replaced and still sign for a while, as one column keeps them.
//!
//! A replaced secret is taken for a day, of endpoints and of payment processors alike: processors are told of a new one
//! by hand, and a notice that is refused meanwhile is money that nobody sees.

use taquilla_domain::{clock::Stamp, signature::SigningSecret};

use super::{Error, Result};

/// Replaced secrets, oldest first, each with the time until which it signs.
pub type OldSecrets = Vec<(SigningSecret, Stamp)>;

/// Parses a secret.
pub fn parse_secret(text: &str) -> Result<SigningSecret> {
    SigningSecret::parse(text).ok_or_else(|| Error::internal("a secret is damaged"))
}

/// Parses secrets separated by spaces. Each is its text, a colon, and the microseconds until which it signs.
pub fn parse(text: &str) -> Result<OldSecrets> {
    text.split_terminator(' ')
        .map(|one| {
            let (secret, until) = one.split_once(':').ok_or_else(|| Error::internal("an old secret has no end"))?;
            Ok((parse_secret(secret)?, Stamp::from_micros(until.parse().map_err(Error::internal)?)))
        })
        .collect()
}

/// Prints secrets as [`parse`] reads them.
pub fn print(secrets: &[(SigningSecret, Stamp)]) -> String {
    let printed = secrets.iter().map(|(secret, until)| format!("{}:{}", secret.reveal(), until.micros()));
    printed.collect::<Vec<_>>().join(" ")
}
