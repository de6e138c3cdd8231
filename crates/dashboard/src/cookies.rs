//! The cookies that hold a session, or the step between the password and the second factor.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};

use taquilla_domain::{
    config::{Config, SECOND_FACTOR_LASTS, SESSION_LONGEST},
    key::{Opens, Secret},
};
use taquilla_http::https::is_https;

/// A cookie that holds a secret.
#[derive(Clone, Copy)]
pub struct Cookie {
    name: &'static str,
    opens: Opens,
    lasts: Duration,
}

/// The session of a user who has signed in.
pub const SESSION: Cookie = Cookie { name: "taquilla", opens: Opens::Session, lasts: SESSION_LONGEST };

/// The step after the password was right, until the second factor is shown.
pub const STEP: Cookie = Cookie { name: "taquilla-step", opens: Opens::StaffLink, lasts: SECOND_FACTOR_LASTS };

impl Cookie {
    /// With https the name has a prefix with which browsers take the cookie from this host only, and never over http.
    fn name(self, https: bool) -> String {
        format!("{}{}", if https { "__Host-" } else { "" }, self.name)
    }

    /// The secret in this cookie, if the request has one of the right form.
    pub fn read(self, headers: &HeaderMap, config: &Config) -> Option<Secret> {
        let name = self.name(is_https(headers, config));
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies = lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
        let (_, value) = cookies.find(|(given, _)| *given == name)?;
        Secret::parse(self.opens, value)
    }

    /// The header that gives a browser this cookie.
    pub fn set(self, secret: &Secret, https: bool) -> Option<HeaderValue> {
        self.header(secret.reveal(), self.lasts.as_secs(), https)
    }

    /// The header that takes this cookie away.
    pub fn clear(self, https: bool) -> Option<HeaderValue> {
        self.header("", 0, https)
    }

    fn header(self, value: &str, seconds: u64, https: bool) -> Option<HeaderValue> {
        let name = self.name(https);
        let secure = if https { "; Secure" } else { "" };
        let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
        HeaderValue::try_from(text).ok()
    }
}
