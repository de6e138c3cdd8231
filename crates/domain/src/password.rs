//! Passwords: which are taken, and their hashes.

use std::{fmt, sync::LazyLock};

use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version, password_hash::phc::PasswordHash};
use passwords::analyzer::is_common_password;

use super::{email::Email, invalid::Invalid};
use crate::config::{ARGON2_MEMORY_KIB, ARGON2_PASSES, PASSWORD_LENGTH};

/// A password that somebody chose. `Debug` prints nothing of it.
pub struct Password(String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// Why a password is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weak {
    /// It is too short or too long.
    Length,
    /// Many people use it, so it is among the first that are guessed.
    Common,
    /// It is the user's e-mail address or its first part.
    OwnName,
}

impl From<Weak> for Invalid {
    fn from(weak: Weak) -> Self {
        let (shortest, longest) = (PASSWORD_LENGTH.start(), PASSWORD_LENGTH.end());
        Self::new(match weak {
            Weak::Length => format!("a password has {shortest} to {longest} characters"),
            Weak::Common => "this password is among the first that are guessed; choose another".to_owned(),
            Weak::OwnName => "a password that is in the e-mail address is guessed first; choose another".to_owned(),
        })
    }
}

impl Password {
    /// Reads a password that somebody chooses. Nothing is asked of it but its length, and that it is not among the first
    /// that are guessed.
    pub fn choose(text: &str, email: &Email) -> Result<Self, Weak> {
        if !PASSWORD_LENGTH.contains(&text.chars().count()) {
            return Err(Weak::Length);
        }
        let lower = text.to_lowercase();
        let name = email.as_str().split('@').next().unwrap_or_default();
        if lower == email.as_str() || lower == name {
            return Err(Weak::OwnName);
        }
        let one_letter = text.chars().all(|letter| text.starts_with(letter));
        match one_letter || is_common_password(text) || is_common_password(&lower) {
            true => Err(Weak::Common),
            false => Ok(Self(text.to_owned())),
        }
    }

    /// Its hash, which takes a while and much memory to make, so that guessing does too.
    pub fn hash(&self) -> Result<String, Invalid> {
        hash(&self.0)
    }
}

fn hash(text: &str) -> Result<String, Invalid> {
    let hashed = argon2().hash_password(text.as_bytes());
    hashed.map(|hash| hash.to_string()).map_err(|_| Invalid::new("this password cannot be hashed"))
}

/// Whether a password is the one that was hashed. Without a hash it takes as long and is never right, so that nobody
/// learns from the time whether a user exists.
pub fn is_right(text: &str, stored: Option<&str>) -> bool {
    static NOBODYS: LazyLock<String> = LazyLock::new(|| hash("the password of nobody").unwrap_or_default());
    let known = stored.filter(|hash| !hash.is_empty());
    let right = PasswordHash::new(known.unwrap_or(&NOBODYS))
        .is_ok_and(|hash| argon2().verify_password(text.as_bytes(), &hash).is_ok());
    right && known.is_some()
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(ARGON2_MEMORY_KIB, ARGON2_PASSES, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_long_enough_and_not_the_first_that_is_guessed() {
        let email = Email::parse("ana.ruiz@example.com").unwrap();
        let weak = |text: &str| Password::choose(text, &email).err();
        for taken in ["correct horse battery", "ñandú-en-la-puerta", &"aB".repeat(64)] {
            assert_eq!(weak(taken), None, "{taken}");
        }
        for (text, why) in [
            ("seven77", Weak::Length),
            (&*"x".repeat(129), Weak::Length),
            ("password", Weak::Common),
            ("PASSWORD", Weak::Common),
            ("12345678", Weak::Common),
            ("zzzzzzzzzzzz", Weak::Common),
            ("ana.ruiz", Weak::OwnName),
            ("Ana.Ruiz@example.com", Weak::OwnName),
        ] {
            assert_eq!(weak(text), Some(why), "{text}");
        }
    }

    #[test]
    fn only_the_right_password_is_right() {
        let email = Email::parse("ana@example.com").unwrap();
        let hash = Password::choose("correct horse battery", &email).unwrap().hash().unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(is_right("correct horse battery", Some(&hash)));
        assert!(!is_right("correct horse batterz", Some(&hash)));
        for nobody in [None, Some(""), Some("no hash")] {
            assert!(!is_right("the password of nobody", nobody));
        }
    }
}
