//! The ways from one page to another.

use axum::{
    http::{HeaderMap, header},
    response::{IntoResponse, Redirect, Response},
};
use url::form_urlencoded::Serializer;

/// Goes to another page, after a form was taken.
pub fn go(path: &str) -> Response {
    Redirect::to(path).into_response()
}

/// Goes to another page, which may have a query, and which then leads back.
pub fn go_and_return(page: &str, next: &str) -> Response {
    let query: String = Serializer::new(String::new()).append_pair("next", next).finish();
    let joint = if page.contains('?') { '&' } else { '?' };
    go(&format!("{page}{joint}{query}"))
}

/// The path and query of the page that a request came from, if the browser tells. It tells of pages of this site alone.
pub fn referring_page(headers: &HeaderMap) -> Option<String> {
    let referrer = headers.get(header::REFERER)?.to_str().ok()?;
    let (_, path) = referrer.split_once("://")?.1.split_once('/')?;
    Some(format!("/{path}"))
}

/// The page to go to next, if it is `first` or below it, else `first`. Nobody is led to another site.
pub fn safe_next<'a>(next: &'a str, first: &'a str) -> &'a str {
    let below = next.strip_prefix(first.trim_end_matches('/'));
    let inside = next == first || below.is_some_and(|rest| rest.starts_with('/'));
    let plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    // Only a path leads somewhere; what is searched for may have any letters.
    let path = next.split('?').next().unwrap_or_default();
    if inside && plain && !path.contains("//") && !path.contains("/../") { next } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_led_to_another_site() {
        for inside in [
            "/dashboard",
            "/dashboard/p/pr_a/keys?done=x",
            "/dashboard/account",
            "/dashboard/p/pr_a/orders?q=https://x.example/../",
        ] {
            assert_eq!(safe_next(inside, "/dashboard"), inside);
            assert_eq!(safe_next(inside, "/"), inside);
        }
        for outside in [
            "",
            "//evil.example",
            "https://evil.example",
            "/dashboard//evil.example",
            "/\\evil.example",
            "/dashboard/\\evil",
            "javascript:alert(1)",
            "/dashboard/\nx",
            "/dashboard/../door",
            " /dashboard",
        ] {
            assert_eq!(safe_next(outside, "/dashboard"), "/dashboard", "{outside:?}");
            assert_eq!(safe_next(outside, "/"), "/", "{outside:?}");
        }
    }

    #[test]
    fn nobody_leaves_the_pages_that_they_are_on() {
        for outside in ["/", "/door", "/dashboardevil"] {
            assert_eq!(safe_next(outside, "/dashboard"), "/dashboard", "{outside:?}");
        }
    }
}
