//! Security headers of pages: what a page of each face may load, send and use.

use axum::http::{
    HeaderMap, HeaderName, HeaderValue,
    header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY},
};

/// What the pages of a face may do.
#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// The content security policy.
    policy: &'static str,
    /// Whom browsers tell where a request comes from. With `no-referrer` they hide it from us too, and then a form of our own
    /// looks like one of another site.
    referrer: &'static str,
}

/// The pages of staff, and what is shown when something went wrong: everything comes from this server and goes to it, and
/// nothing is inline.
pub const DASHBOARD: Face = Face {
    policy: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    referrer: "same-origin",
};

/// The pages of buyers. Pictures are where the organiser has put them. A form may end at a payment processor, whose address is
/// the producer's choice: browsers hold `form-action` against the redirects after a form, too.
pub const SHOP: Face = Face {
    policy: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; connect-src 'self'; \
             base-uri 'none'; form-action 'self' https:; frame-ancestors 'none'",
    referrer: "same-origin",
};

/// The scanner page, an application with a camera and a worker. It loads everything from this server, runs no inline script
/// and has no form, because it holds a secret.
pub const DOOR: Face = Face {
    policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
             img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
             media-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    referrer: "no-referrer",
};

/// The API console. Its own library writes styles into the page and shows pictures that are inside its style sheet. Scripts
/// come from this server alone, because people paste keys there.
pub const CONSOLE: Face = Face {
    policy: "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
             connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    referrer: "no-referrer",
};

/// A page that is only read: inline styles, and nothing else.
pub const DOCUMENT: Face = Face {
    policy: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'",
    referrer: "no-referrer",
};

/// Adds the headers of a face's pages.
pub fn protect(headers: &mut HeaderMap, face: Face) {
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, face.policy),
        (REFERRER_POLICY, face.referrer),
        (HeaderName::from_static("permissions-policy"), "camera=(self), microphone=(), geolocation=()"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sources that a policy names for something.
    fn sources<'a>(face: &'a Face, directive: &str) -> Vec<&'a str> {
        let mut parts = face.policy.split(';').map(|part| part.split_whitespace());
        let found = parts.find_map(|mut words| (words.next() == Some(directive)).then(|| words.collect()));
        found.unwrap_or_default()
    }

    #[test]
    fn every_face_allows_nothing_that_it_does_not_name() {
        for face in [DASHBOARD, SHOP, DOOR, CONSOLE, DOCUMENT] {
            for directive in ["default-src", "base-uri", "frame-ancestors"] {
                assert_eq!(sources(&face, directive), ["'none'"], "{directive} of {face:?}");
            }
            assert!(!sources(&face, "script-src").contains(&"'unsafe-inline'"), "{face:?}");
        }
    }

    #[test]
    fn forms_of_buyers_alone_may_end_elsewhere() {
        assert_eq!(sources(&SHOP, "form-action"), ["'self'", "https:"]);
        assert_eq!(sources(&DASHBOARD, "form-action"), ["'self'"]);
        for face in [DOOR, CONSOLE, DOCUMENT] {
            assert_eq!(sources(&face, "form-action"), ["'none'"], "{face:?}");
        }
    }
}
