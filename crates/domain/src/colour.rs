//! The colour that a producer gives its shop, and what can be read on it.

use std::fmt::{self, Display, Formatter};

use super::invalid::Invalid;

/// A colour, as `#rrggbb` in small letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour([u8; 3]);

/// What is written on a colour: black or white, whichever can be read better.
const INKS: [Colour; 2] = [Colour([0; 3]), Colour([255; 3])];

impl Colour {
    /// Parses `#rrggbb`, in any case of letters.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let wrong = || Invalid::new("a colour is written as #1a2b3c");
        let digits = text.trim().strip_prefix('#').filter(|digits| digits.len() == 6).ok_or_else(wrong)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let number = u32::from_str_radix(digits, 16).map_err(|_| wrong())?;
        let [_, red, green, blue] = number.to_be_bytes();
        Ok(Self([red, green, blue]))
    }

    /// Its red, green and blue.
    pub fn parts(self) -> [u8; 3] {
        self.0
    }

    /// The colour of what is written on it. WCAG asks for a contrast of 4.5, which one of black and white has on every colour.
    pub fn ink(self) -> Self {
        let [black, white] = INKS;
        if self.contrast(black) >= self.contrast(white) { black } else { white }
    }

    /// The contrast of two colours as WCAG reckons it: from 1 to 21.
    pub fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// How bright it is, as WCAG reckons it: from 0 to 1.
    fn luminance(self) -> f64 {
        let [red, green, blue] = self.0.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}

/// Its six digits as a number.
impl From<Colour> for u32 {
    fn from(Colour([red, green, blue]): Colour) -> Self {
        Self::from_be_bytes([0, red, green, blue])
    }
}

impl Display for Colour {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_six_digits() {
        assert_eq!(Colour::parse(" #1A2b3c ").unwrap().to_string(), "#1a2b3c");
        for wrong in ["", "#", "1a2b3c", "#1a2b3", "#1a2b3c4", "#1a2b3g", "#+a2b3c", "#é2b3c", "red", "#fff;}"] {
            assert!(Colour::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn what_is_written_on_any_colour_can_be_read() {
        let parts = || (0..=255).step_by(5).map(|part: u16| part as u8);
        for (red, green) in parts().flat_map(|red| parts().map(move |green| (red, green))) {
            for blue in parts() {
                let colour = Colour([red, green, blue]);
                assert!(colour.contrast(colour.ink()) >= 4.5, "{colour}");
            }
        }
        let [black, white] = INKS;
        assert!((black.contrast(white) - 21.0).abs() < 1e-9);
    }
}
