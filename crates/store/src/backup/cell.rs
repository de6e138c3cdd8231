//! The values that columns have.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, Visitor},
};

/// A value of a row. It is written to and read from JSON without loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell<'a> {
    /// NULL.
    Null,
    /// An integer.
    Int(i64),
    /// A text.
    Text(Cow<'a, str>),
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Text(value) => serializer.serialize_str(value),
        }
    }
}

impl<'de> Deserialize<'de> for Cell<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfJson;

        impl<'de> Visitor<'de> for OfJson {
            type Value = Cell<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("null, an integer or a text")
            }

            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(Cell::Null)
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Cell::Int(value))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
                i64::try_from(value).map(Cell::Int).map_err(|_| E::custom("an integer that is too large"))
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Self::Value, E> {
                Ok(Cell::Text(Cow::Owned(value.to_owned())))
            }

            fn visit_borrowed_str<E: de::Error>(self, value: &'de str) -> Result<Self::Value, E> {
                Ok(Cell::Text(Cow::Borrowed(value)))
            }
        }

        deserializer.deserialize_any(OfJson)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_survives_json() {
        let texts = ["", "null", "\u{0}", "a\"\\\n\u{7f}\u{2028}é🎫", "1"];
        let numbers = [0, -1, 1, i64::MIN, i64::MAX, 1_786_406_400_123_456];
        let cells: Vec<Cell<'_>> = texts
            .iter()
            .map(|text| Cell::Text((*text).into()))
            .chain(numbers.map(Cell::Int))
            .chain([Cell::Null])
            .collect();
        let line = serde_json::to_string(&cells).unwrap();
        assert_eq!(line.lines().count(), 1, "a row is a line");
        assert_eq!(serde_json::from_str::<Vec<Cell<'_>>>(&line).unwrap(), cells);
        for other in ["[1.5]", "[true]", "[[]]", "[{}]", "[9223372036854775808]"] {
            assert!(serde_json::from_str::<Vec<Cell<'_>>>(other).is_err(), "{other}");
        }
    }
}
