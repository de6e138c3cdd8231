//! Currencies and amounts.

use super::{currencies::CURRENCIES, invalid::Invalid};
use crate::config::AMOUNT_MAX;

/// A currency's code: three capital letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Currency(String);

impl Currency {
    /// Parses a code that somebody chooses. It must be one of [`CURRENCIES`].
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let code = Self::told(text)?;
        match CURRENCIES.binary_search(&text).is_ok() {
            true => Ok(code),
            false => Err(Invalid::new(format!(
                "there is no currency {text}; an active code of ISO 4217 is expected, such as EUR"
            ))),
        }
    }

    /// Parses a code that is stored already, or that a payment processor names. It need not exist: the list changes over
    /// the years, and what was paid was paid.
    pub fn told(text: &str) -> Result<Self, Invalid> {
        match text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase()) {
            true => Ok(Self(text.to_owned())),
            false => Err(Invalid::new("a currency is three capital letters, such as EUR")),
        }
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> Self {
        currency.0
    }
}

/// Money in whole units of a currency, 0 or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount(i64);

impl Amount {
    /// Accepts an amount from 0 to [`AMOUNT_MAX`].
    pub fn new(amount: i64) -> Result<Self, Invalid> {
        match (0..=AMOUNT_MAX).contains(&amount) {
            true => Ok(Self(amount)),
            false => Err(Invalid::new(format!(
                "money is in whole units of the currency, without decimals: from 0 to {AMOUNT_MAX}"
            ))),
        }
    }

    /// Reads an amount.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        // A text that is no number is refused like one out of range.
        Self::new(text.parse().unwrap_or(-1))
    }

    /// The amount.
    pub fn get(self) -> i64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_currency_is_one_that_there_is() {
        assert_eq!(Currency::parse("EUR").unwrap().as_str(), "EUR");
        for wrong in ["", "eur", "EURO", "€", "EU1", "EUX", "XXX", "XAU", "PTS"] {
            assert!(Currency::parse(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(Currency::told("PTS").unwrap().as_str(), "PTS", "what is stored stays readable");
        assert!(Currency::told("pts").is_err());
    }

    #[test]
    fn an_amount_is_from_nothing_to_the_largest() {
        assert_eq!((Amount::parse("0").unwrap().get(), Amount::new(AMOUNT_MAX).unwrap().get()), (0, AMOUNT_MAX));
        for wrong in ["-1", "1.5", "", "ten", "1000000000001"] {
            assert!(Amount::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
