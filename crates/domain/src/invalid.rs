//! Why a value is invalid, independent of the field it is in.

use std::{borrow::Cow, fmt};

use super::refusal::Refusal;

/// Why a value was refused, such as "a PIN has 4 to 12 digits and nothing else".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid(Cow<'static, str>);

impl Invalid {
    /// An error with this message.
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self(message.into())
    }

    /// The refusal of a request with the value in this field.
    pub fn in_field(self, field: impl Into<String>) -> Refusal {
        Refusal::invalid(field, self.0)
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Invalid {}
