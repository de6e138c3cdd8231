//! Security headers of pages: what a page may load, send and use.

use axum::http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY},
};

/// The policy of a page that runs scripts and may use the camera. It loads everything from this server and runs no
/// inline script, because the page holds a secret.
pub const APPLICATION: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; media-src 'self' blob:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The policy of the API console. Its own library writes styles into the page and shows pictures that are inside its
/// style sheet. Scripts come from this server alone, because people paste keys there.
pub const CONSOLE: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The policy of a page that is only read: inline styles, and nothing else.
pub const DOCUMENT: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// The policy of the pages that this server writes: everything comes from it and goes to it, and nothing is inline.
pub const PAGE: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Adds the headers that all pages share, and a content security policy.
pub fn protect(headers: &mut HeaderMap, policy: &'static str) {
    // With `no-referrer`, browsers hide from us where a form comes from, and a form of our own looks like one of another site.
    let referrer = if policy == PAGE { "same-origin" } else { "no-referrer" };
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, policy),
        (REFERRER_POLICY, referrer),
        (HeaderName::from_static("permissions-policy"), "camera=(self), microphone=(), geolocation=()"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}
