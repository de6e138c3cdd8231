//! Reading what servers write in more than one way.

use std::fmt;

use serde::{Deserialize, Deserializer, de};

/// Null as nothing: an empty text, no rows, false.
pub(super) fn or_nothing<'de, T: Default + Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

/// A whole number. The specification says number, so 25.0 is one.
#[derive(Clone, Copy)]
struct Whole(i64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Whole;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Whole, E> {
                Ok(Whole(number))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Whole, E> {
                i64::try_from(number).map(Whole).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Whole, E> {
                // Up to here every whole number has its own float.
                let is_whole = number.fract() == 0.0 && number.abs() <= (1_u64 << 53) as f64;
                if is_whole {
                    Ok(Whole(number as i64))
                } else {
                    Err(E::invalid_value(de::Unexpected::Float(number), &self))
                }
            }
        }

        from.deserialize_any(Visitor)
    }
}

pub(super) fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    Whole::deserialize(from).map(|Whole(number)| number)
}

pub(super) fn whole_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    Ok(Option::<Whole>::deserialize(from)?.map(|Whole(number)| number))
}
