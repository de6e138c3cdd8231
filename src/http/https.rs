//! Whether a request came over https. This server speaks http only; a proxy before it ends TLS.

use axum::http::{HeaderMap, HeaderValue};

use crate::config::Config;

/// Tells browsers to come over https only, for a year.
pub const STRICT: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Whether the client came over https: the service's public address says so, or the proxy that we trust.
pub fn is_https(headers: &HeaderMap, config: &Config) -> bool {
    let forwarded = headers.get("x-forwarded-proto").is_some_and(|scheme| scheme.as_bytes() == b"https");
    let public = config.public_url.as_ref().is_some_and(|url| url.starts_with("https://"));
    public || (config.trust_proxy && forwarded)
}
