//! Points in time as they are written.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use taquilla_domain::clock::Stamp;

/// A point in time: RFC 3339, UTC, always six decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, format = DateTime, example = "2026-09-05T22:41:07.120934Z")]
pub struct Time(pub Stamp);

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl From<Stamp> for Time {
    fn from(stamp: Stamp) -> Self {
        Self(stamp)
    }
}
