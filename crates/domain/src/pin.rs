//! The PIN of a door link.

use std::fmt;

use sha2::{Digest, Sha256};

use super::{invalid::Invalid, key::hexadecimal};
use crate::config::PIN_DIGITS;

/// Digits that open a door link besides its token. `Debug` prints nothing of it, so that no log can contain one.
#[derive(Clone, PartialEq, Eq)]
pub struct Pin(String);

impl Pin {
    /// Reads a PIN.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        match PIN_DIGITS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => Ok(Self(text.to_owned())),
            false => {
                let (least, most) = (PIN_DIGITS.start(), PIN_DIGITS.end());
                Err(Invalid::new(format!("a PIN has {least} to {most} digits, and nothing else")))
            }
        }
    }

    /// The hash that is stored for a link. A slow hash would not be safer: anyone with the table could still try every
    /// PIN, and would still lack the token.
    pub fn hash(&self, link_id: &str) -> String {
        hexadecimal(&Sha256::digest(format!("{link_id}:{}", self.0)))
    }
}

impl fmt::Debug for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pin(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_is_four_to_twelve_digits_and_is_never_printed() {
        for right in ["0000", "471100", "123456789012"] {
            assert!(Pin::parse(right).is_ok(), "{right}");
        }
        for wrong in ["", "123", "1234567890123", "12a4", " 1234", "１２３４"] {
            assert!(Pin::parse(wrong).is_err(), "{wrong:?}");
        }
        let pin = Pin::parse("4711").unwrap();
        assert_eq!(format!("{pin:?}"), "Pin(…)");
        assert_ne!(pin.hash("dl_1"), pin.hash("dl_2"), "the same PIN of two links is kept as two things");
    }
}
