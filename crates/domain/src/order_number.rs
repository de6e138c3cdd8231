//! The short number of an order, which people say on the telephone.

use std::fmt::{self, Display, Formatter};

/// How people write that a number follows.
const MARKS: [&str; 7] = ["no.", "no", "nr.", "n.º", "nº", "n°", "#"];
/// The most characters of a number.
const DIGITS_MAX: usize = 10;

/// An order's number: unique for its producer, counted from 1001 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OrderNumber(i64);

impl OrderNumber {
    /// The number of an order that is not counted yet.
    pub const NONE: Self = Self(0);

    /// The number in a column.
    pub const fn from_column(number: i64) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> i64 {
        self.0
    }

    /// The number after this one.
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The number this many orders later.
    pub const fn plus(self, orders: i64) -> Self {
        Self(self.0 + orders)
    }

    /// The number in what somebody typed: `1042`, `#1042`, `No. 1042`. `None` if it is no number.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_lowercase();
        let digits = MARKS.iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(&text).trim_start();
        let is_number = !digits.starts_with('0')
            && digits.len() <= DIGITS_MAX
            && digits.bytes().all(|digit| digit.is_ascii_digit());
        digits.parse().ok().filter(|_| is_number).map(Self)
    }
}

impl Display for OrderNumber {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_people_write_it() {
        for text in ["1042", " 1042 ", "#1042", "No. 1042", "no 1042", "N.º 1042", "nº1042"] {
            assert_eq!(OrderNumber::parse(text), Some(OrderNumber(1042)), "{text}");
        }
        for text in ["", "#", "0", "01042", "-5", "+5", "10 42", "12345678901", "1042a", "or_1042", "١٠٤٢"] {
            assert_eq!(OrderNumber::parse(text), None, "{text}");
        }
    }
}
