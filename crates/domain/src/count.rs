//! Whole numbers of things.

use super::invalid::Invalid;
use crate::config::COUNT_MAX;

/// A whole number such as a stock, a quantity or a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(i64);

impl Count {
    /// Accepts a count from `least` to [`COUNT_MAX`].
    pub fn at_least(least: i64, count: i64) -> Result<Self, Invalid> {
        match (least..=COUNT_MAX).contains(&count) {
            true => Ok(Self(count)),
            false => Err(Invalid::new(format!("a whole number from {least} to {COUNT_MAX} is expected"))),
        }
    }

    /// Reads a count from 0 up.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        Self::parse_at_least(0, text)
    }

    /// Reads a count from `least` up.
    pub fn parse_at_least(least: i64, text: &str) -> Result<Self, Invalid> {
        // A text that is no number is refused like one out of range.
        Self::at_least(least, text.parse().unwrap_or(i64::MIN))
    }

    /// The count.
    pub fn get(self) -> i64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_has_a_least_and_a_most() {
        assert_eq!(Count::parse("0").unwrap().get(), 0);
        assert!(Count::at_least(1, 0).is_err() && Count::at_least(0, COUNT_MAX + 1).is_err());
        assert_eq!(Count::parse_at_least(-5, "-5").unwrap().get(), -5);
        for wrong in ["-1", "many", "", "1.0"] {
            assert!(Count::parse(wrong).is_err() && Count::parse_at_least(2, wrong).is_err(), "{wrong:?}");
        }
    }
}
