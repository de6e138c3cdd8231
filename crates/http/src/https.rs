//! Whether a request came over https: this server's own, or that of a proxy before it.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use taquilla_domain::config::{Config, Https};

/// The scheme that a proxy was asked with.
static FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Tells browsers to come over https only, for a year.
pub const STRICT: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Whether the client came over https: this server speaks nothing else, the service's public address says so, or the proxy
/// that we trust.
pub fn is_https(headers: &HeaderMap, config: &Config) -> bool {
    let forwarded = || headers.get(&FORWARDED_PROTO).is_some_and(|scheme| scheme.as_bytes() == b"https");
    let public = config.public_url.as_ref().is_some_and(|url| url.starts_with("https://"));
    config.https.is_some() || public || (config.trust_proxy && forwarded())
}

/// Whether browsers are to come over https only. A browser that was told so offers no way past the warning of a certificate
/// that was made here.
pub fn is_strict(headers: &HeaderMap, config: &Config) -> bool {
    is_https(headers, config) && config.https != Some(Https::Local)
}
