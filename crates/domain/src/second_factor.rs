//! The second factor: codes of an authenticator app (TOTP, RFC 6238), and recovery codes for who has lost it.

use rand::RngExt;
use sha2::{Digest, Sha256};
use totp_rs::{Builder, Secret, Totp};

use super::{clock::Stamp, key::hexadecimal};
use crate::config::{RECOVERY_CODES, SERVICE_NAME};

/// The secret that an authenticator app makes its codes from, in base32. `Debug` is not derived, so no log has one.
#[derive(Clone)]
pub struct TotpSecret(String);

impl TotpSecret {
    /// A new secret of 160 bits, as the RFC recommends.
    pub fn generate() -> Self {
        Self(Secret::from(rand::random::<[u8; 20]>()).to_base32())
    }

    /// A secret that was stored.
    pub fn stored(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The secret, for people who type it into their app.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The address that apps read from a QR code. `None` if this is no secret.
    pub fn address(&self, email: &str) -> Option<String> {
        // A colon separates the issuer from the account there.
        let account = email.replace(':', "");
        let builder = Builder::new().with_secret(Secret::try_from_base32(&self.0).ok()?);
        builder.with_account_name(account).with_issuer(Some(SERVICE_NAME)).build().ok()?.to_url().ok()
    }

    /// The time step that a code belongs to, if it is the code of now, of the step before or of the one after. A step
    /// must be taken once only.
    pub fn step_of(&self, code: &str, now: Stamp) -> Option<i64> {
        let digits: String = code.chars().filter(|letter| !letter.is_whitespace()).collect();
        i64::try_from(self.totp()?.check(&digits, now.millis() / 1_000)?).ok()
    }

    fn totp(&self) -> Option<Totp> {
        Builder::new().with_secret(Secret::try_from_base32(&self.0).ok()?).build().ok()
    }
}

/// A set of recovery codes, to be shown once. Each has 50 random bits, written as `abcde-fghij`.
pub struct RecoveryCodes(Vec<String>);

impl RecoveryCodes {
    /// New codes.
    pub fn generate() -> Self {
        // Without letters and digits that look alike.
        const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz123456789";
        let mut random = rand::rng();
        let mut part = || -> String { (0..5).map(|_| char::from(LETTERS[random.random_range(0..32)])).collect() };
        Self((0..RECOVERY_CODES).map(|_| format!("{}-{}", part(), part())).collect())
    }

    /// The codes themselves.
    pub fn reveal(&self) -> &[String] {
        &self.0
    }
}

/// The hash by which a user's recovery code is found, however it is typed. It begins with the user's id, so that one table
/// of hashes does not fit all users.
pub fn recovery_hash(user_id: &str, code: &str) -> String {
    let letters: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
    hexadecimal(&Sha256::digest(format!("{user_id}:{}", letters.to_ascii_lowercase()).as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_of_the_rfc_is_right_for_a_minute_and_a_half() {
        // The secret and the codes are those of RFC 6238, appendix B, cut to six digits.
        let secret = TotpSecret::stored(&Secret::from(*b"12345678901234567890").to_base32());
        let at = |seconds: i64| Stamp::from_micros(seconds * 1_000_000);
        assert_eq!(secret.step_of("287082", at(59)), Some(1));
        assert_eq!(secret.step_of(" 287 082 ", at(89)), Some(1), "the step before still counts");
        assert_eq!(secret.step_of("287082", at(90)), None);
        assert_eq!(secret.step_of("081804", at(1_111_111_109)), Some(37_037_036));
        for wrong in ["", "28708", "2870822", "abcdef", "２８７０８２"] {
            assert_eq!(secret.step_of(wrong, at(59)), None, "{wrong}");
        }
        let address = secret.address("ana@example.com").unwrap();
        assert!(address.starts_with("otpauth://totp/Taquilla:ana%40example.com?secret=GEZDGNBV"), "{address}");
    }

    #[test]
    fn recovery_codes_are_found_however_they_are_typed() {
        let codes = RecoveryCodes::generate();
        let code = &codes.reveal()[0];
        assert_eq!((codes.reveal().len(), code.len()), (RECOVERY_CODES, 11));
        assert_eq!(recovery_hash("us_1", code), recovery_hash("us_1", &code.replace('-', " ").to_uppercase()));
        assert_ne!(recovery_hash("us_1", code), recovery_hash("us_2", code));
    }
}
