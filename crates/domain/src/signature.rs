//! Signatures of the Standard Webhooks specification (HMAC-SHA256), for the callbacks we get from payment processors
//! and the messages we send.

use std::fmt;

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The prefix of a secret's text, by which anybody who finds one knows what it is.
const PREFIX: &str = "whsec_";
/// The version of the scheme, in front of each signature.
const VERSION: &str = "v1,";

/// A secret that a sender and a receiver share. `Debug` prints nothing of it, so that no log can contain one.
#[derive(Clone)]
pub struct SigningSecret(Vec<u8>);

impl SigningSecret {
    /// A new secret of 256 bits from the system's randomness.
    pub fn generate() -> Self {
        Self(rand::random::<[u8; 32]>().to_vec())
    }

    /// Parses the text that [`SigningSecret::reveal`] gives. An empty secret is refused, because anybody could sign
    /// with it.
    pub fn parse(text: &str) -> Option<Self> {
        let key = BASE64.decode(text.strip_prefix(PREFIX)?).ok()?;
        (!key.is_empty()).then_some(Self(key))
    }

    /// The secret's text, as both sides keep it.
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", BASE64.encode(&self.0))
    }

    /// Signs a message: its id, the sending time in seconds since 1970, and the exact bytes of its body.
    pub fn sign(&self, id: &str, seconds: i64, body: &[u8]) -> String {
        let code = self.code(id, &seconds.to_string(), body).map(|mac| BASE64.encode(mac.finalize().into_bytes()));
        format!("{VERSION}{}", code.unwrap_or_default())
    }

    /// Whether one of the signatures in a header is ours. While a secret is being replaced, a header has several,
    /// separated by spaces. Signatures of other versions are ignored. The timestamp is used as it was written, because
    /// that text was signed; the caller checks whether it is too old.
    pub fn verify(&self, id: &str, timestamp: &str, body: &[u8], signatures: &str) -> bool {
        let Some(mac) = self.code(id, timestamp, body) else { return false };
        signatures
            .split(' ')
            .filter_map(|signature| BASE64.decode(signature.strip_prefix(VERSION)?).ok())
            // The comparison takes constant time, so its duration tells nothing about the right signature.
            .any(|signature| mac.clone().verify_slice(&signature).is_ok())
    }

    /// The authentication code of a message. HMAC accepts keys of any length, so this is never `None`.
    fn code(&self, id: &str, timestamp: &str, body: &[u8]) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).ok()?;
        mac.update(format!("{id}.{timestamp}.").as_bytes());
        mac.update(body);
        Some(mac)
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    const BODY: &[u8] = br#"{"test": 2432232314}"#;
    /// The signature that the specification's own Python library makes.
    const SIGNATURE: &str = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    fn known() -> SigningSecret {
        SigningSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap()
    }

    #[test]
    fn a_signature_is_the_one_that_other_libraries_make() {
        assert_eq!(known().sign(ID, 1_614_265_330, BODY), SIGNATURE);
        assert!(known().verify(ID, "1614265330", BODY, SIGNATURE));
    }

    #[test]
    fn a_change_of_any_part_is_noticed() {
        let secret = known();
        assert!(!secret.verify("msg_other", "1614265330", BODY, SIGNATURE));
        assert!(!secret.verify(ID, "1614265331", BODY, SIGNATURE));
        assert!(!secret.verify(ID, "+1614265330", BODY, SIGNATURE), "the same number, but not the same text");
        assert!(!secret.verify(ID, "1614265330", b"{}", SIGNATURE));
        assert!(!SigningSecret::generate().verify(ID, "1614265330", BODY, SIGNATURE));
    }

    #[test]
    fn one_right_signature_among_several_is_enough() {
        let header = format!("v1a,xyz v1,AAAA v1,no-base64 {SIGNATURE}");
        assert!(known().verify(ID, "1614265330", BODY, &header));
        let other_version = SIGNATURE.replace("v1,", "v2,");
        for header in ["", " ", "v1,", "v1", &SIGNATURE[3..], &SIGNATURE[..40], &other_version] {
            assert!(!known().verify(ID, "1614265330", BODY, header), "{header:?}");
        }
    }

    #[test]
    fn a_new_secret_reads_back_and_what_is_none_does_not() {
        let secret = SigningSecret::generate();
        let text = secret.reveal();
        assert_eq!(text.len(), 50);
        assert_eq!(SigningSecret::parse(&text).unwrap().sign("a", 1, b""), secret.sign("a", 1, b""));
        for text in
            ["", "whsec_", "whsec_!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS"]
        {
            assert!(SigningSecret::parse(text).is_none(), "{text:?}");
        }
    }

    #[test]
    fn a_secret_is_never_printed_by_accident() {
        assert_eq!(format!("{:?}", SigningSecret::generate()), "SigningSecret(…)");
    }
}
