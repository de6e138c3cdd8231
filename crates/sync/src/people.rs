//! What a mirror keeps of people.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::{cell::Cell, error::Error};

/// The shortest key that hides anything.
const KEY_MIN: usize = 16;

/// What is kept of names, e-mail addresses, phone numbers and identity documents.
#[derive(Clone)]
pub enum People {
    /// All of it.
    Keep,
    /// Nothing of it.
    Drop,
    /// A code for each text: the same text has the same code, and nobody without the key can find the text.
    Hash(HashKey),
}

/// The key of the codes. `Debug` does not show it.
#[derive(Clone)]
pub struct HashKey(Hmac<Sha256>);

impl HashKey {
    /// A key of at least 16 bytes.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        let long = key.len() >= KEY_MIN;
        let code = Hmac::<Sha256>::new_from_slice(key).ok().filter(|_| long);
        code.map(Self).ok_or_else(|| Error::Mistake(format!("the key for hashing has less than {KEY_MIN} bytes")))
    }

    fn code(&self, text: &str) -> String {
        let mut code = self.0.clone();
        code.update(text.as_bytes());
        code.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl People {
    /// What is kept of a text. Where nothing is known, that stays visible.
    pub fn kept(&self, text: impl Into<Option<String>>) -> Cell {
        match (self, text.into()) {
            (Self::Drop, _) | (_, None) => Cell::Null,
            (Self::Keep, Some(text)) => Cell::text(text),
            (Self::Hash(_), Some(text)) if text.is_empty() => Cell::Text(text),
            (Self::Hash(key), Some(text)) => Cell::Text(key.code(&text)),
        }
    }

    /// What a mirror remembers of this choice, which must stay the same.
    pub fn remembered(&self) -> String {
        match self {
            Self::Keep => "keep".to_owned(),
            Self::Drop => "drop".to_owned(),
            Self::Hash(key) => format!("hash {}", &key.code("which key")[..16]),
        }
    }
}

impl fmt::Debug for People {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Keep => "Keep",
            Self::Drop => "Drop",
            Self::Hash(_) => "Hash(…)",
        })
    }
}
