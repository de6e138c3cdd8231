//! Headers that tell a client its rate limit.

use std::num::NonZeroU32;

use axum::http::{HeaderMap, HeaderValue};

/// A client's rate limit and what is left of it (draft-ietf-httpapi-ratelimit-headers).
#[derive(Debug)]
pub struct Allowance {
    /// The limit.
    pub per_second: NonZeroU32,
    /// How much of it is left.
    pub remaining: u32,
}

impl Allowance {
    /// Writes the `RateLimit-Policy` and `RateLimit` headers.
    pub fn tell(&self, headers: &mut HeaderMap) {
        let Self { per_second, remaining } = self;
        for (name, text) in [
            ("ratelimit-policy", format!("\"key\";q={per_second};w=1")),
            ("ratelimit", format!("\"key\";r={remaining};t=1")),
        ] {
            if let Ok(value) = HeaderValue::try_from(text) {
                headers.insert(name, value);
            }
        }
    }
}
