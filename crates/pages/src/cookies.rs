//! Cookies: those that hold a secret, and how all are read and given.

use std::time::Duration;

use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use cookie::{Cookie, SameSite};

use taquilla_domain::{
    config::Config,
    key::{Opens, Secret},
};
use taquilla_http::https::is_https;

/// A cookie that holds a secret.
#[derive(Clone, Copy)]
pub struct SecretCookie {
    /// Its name. Over https a prefix is before it.
    pub name: &'static str,
    /// What the secret opens.
    pub opens: Opens,
    /// How long browsers keep it.
    pub lasts: Duration,
}

impl SecretCookie {
    /// The secret in this cookie, if the request has one of the right form.
    pub fn read(self, headers: &HeaderMap, config: &Config) -> Option<Secret> {
        Secret::parse(self.opens, find_guarded(headers, self.name, config)?)
    }

    /// The header that gives a browser this cookie.
    pub fn set(self, secret: &Secret, https: bool) -> Option<HeaderValue> {
        guarded(self.name, secret.reveal(), self.lasts, https)
    }

    /// The header that takes this cookie away.
    pub fn clear(self, https: bool) -> Option<HeaderValue> {
        guarded(self.name, "", Duration::ZERO, https)
    }
}

/// A cookie whose text proves by itself that it came from here.
#[derive(Clone, Copy)]
pub struct SealedCookie {
    /// Its name. Over https a prefix is before it.
    pub name: &'static str,
    /// How long browsers keep it.
    pub lasts: Duration,
}

impl SealedCookie {
    /// The text in this cookie. Whoever reads it looks whether it is sealed.
    pub fn read<'a>(self, headers: &'a HeaderMap, config: &Config) -> Option<&'a str> {
        find_guarded(headers, self.name, config)
    }

    /// The header that gives a browser this cookie.
    pub fn set(self, text: &str, https: bool) -> Option<HeaderValue> {
        guarded(self.name, text, self.lasts, https)
    }
}

/// With https the name has a prefix with which browsers take the cookie from this host only, and never over http.
fn full_name(name: &str, https: bool) -> String {
    format!("{}{name}", if https { "__Host-" } else { "" })
}

fn find_guarded<'a>(headers: &'a HeaderMap, name: &str, config: &Config) -> Option<&'a str> {
    find(headers, &full_name(name, is_https(headers, config)))
}

/// The header of a cookie that no script reads.
fn guarded(name: &str, value: &str, lasts: Duration, https: bool) -> Option<HeaderValue> {
    let mut cookie = plain(full_name(name, https), value, lasts);
    cookie.set_http_only(true);
    if https {
        cookie.set_secure(true);
    }
    HeaderValue::try_from(cookie.to_string()).ok()
}

/// The value of the first cookie with this name. A browser may send its cookies in several lines.
pub fn find<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = lines.flat_map(Cookie::split_parse).filter_map(Result::ok);
    cookies.find(|cookie| cookie.name() == name)?.value_raw()
}

/// A cookie for all pages, which other sites' forms do not send.
pub fn plain(name: impl Into<String>, value: &str, lasts: Duration) -> Cookie<'static> {
    let seconds = i64::try_from(lasts.as_secs()).unwrap_or(i64::MAX);
    Cookie::build((name.into(), value.to_owned()))
        .path("/")
        .max_age(cookie::time::Duration::seconds(seconds))
        .same_site(SameSite::Lax)
        .build()
}

/// Adds a cookie to an answer.
pub fn with_cookie(mut response: Response, cookie: Option<HeaderValue>) -> Response {
    if let Some(cookie) = cookie {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: SecretCookie =
        SecretCookie { name: "taquilla-hour", opens: Opens::Session, lasts: Duration::from_hours(1) };

    #[test]
    fn a_cookie_over_https_is_for_this_host_and_for_https_alone() {
        let secret = Secret::generate(Opens::Session);
        let text = secret.reveal().to_owned();
        let set = |https| HOUR.set(&secret, https).unwrap();
        assert_eq!(
            set(true),
            format!("__Host-taquilla-hour={text}; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=3600").as_str()
        );
        assert_eq!(set(false), format!("taquilla-hour={text}; HttpOnly; SameSite=Lax; Path=/; Max-Age=3600").as_str());
        assert_eq!(HOUR.clear(false).unwrap(), "taquilla-hour=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0");
    }

    #[test]
    fn a_cookie_is_found_in_whichever_line_it_is() {
        let mut headers = HeaderMap::new();
        for line in ["a=b; nothing;; x = y", "c=d=e; a=f", "g=\"h\""] {
            headers.append(header::COOKIE, HeaderValue::from_static(line));
        }
        let found = ["a", "x", "c", "g", "nothing", "z"].map(|name| find(&headers, name));
        assert_eq!(found, [Some("b"), Some("y"), Some("d=e"), Some("\"h\""), None, None]);
    }
}
