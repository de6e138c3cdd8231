//! Whoever asks for a page.

use std::net::IpAddr;

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, HeaderName, header, request::Parts},
};

use taquilla_domain::{audit::By, clock::Stamp, key::Secret};
use taquilla_http::{app::App, client_address::ClientAddress, errors::Error, https::is_https};

use super::{
    cookies::{SealedCookie, SecretCookie},
    page::Layout,
    redirects::{referring_page, safe_next},
};

/// Whoever asks, signed in or not.
#[derive(Clone)]
pub struct Visitor {
    /// The page's language.
    pub layout: Layout,
    /// Where the request came from.
    pub address: IpAddr,
    /// Whether it came over https.
    pub https: bool,
    /// When it came.
    pub now: Stamp,
    headers: HeaderMap,
}

impl Visitor {
    /// Whoever sent this request.
    pub fn of(parts: &Parts, app: &App) -> Self {
        Self {
            layout: Layout::asked(&parts.method, &parts.uri, &parts.headers),
            address: ClientAddress::of(parts).0,
            https: is_https(&parts.headers, &app.config),
            now: app.time.now(),
            headers: parts.headers.clone(),
        }
    }

    /// The secret in a cookie.
    pub fn cookie(&self, cookie: SecretCookie, app: &App) -> Option<Secret> {
        cookie.read(&self.headers, &app.config)
    }

    /// The text of a cookie that is sealed.
    pub fn sealed_cookie(&self, cookie: SealedCookie, app: &App) -> Option<&str> {
        cookie.read(&self.headers, &app.config)
    }

    /// What the visitor's browser says of itself.
    pub fn browser(&self) -> &str {
        self.header(header::USER_AGENT).unwrap_or_default()
    }

    /// The address of this service: the one that it was started with, else the one that the visitor uses.
    pub fn service_address(&self, app: &App) -> String {
        let scheme = if self.https { "https" } else { "http" };
        let used = || format!("{scheme}://{}", self.header(header::HOST).unwrap_or("localhost"));
        app.config.public_url.clone().unwrap_or_else(used)
    }

    /// The page that a form was on, if it is `first` or below it, else `first`.
    pub fn came_from(&self, first: &str) -> String {
        safe_next(referring_page(&self.headers).as_deref().unwrap_or_default(), first).to_owned()
    }

    /// Somebody who acts from here.
    pub fn by(&self, actor: &str, app: &App) -> By {
        By::unasked(actor.to_owned(), self.address.to_string(), app.time.now())
    }

    fn header(&self, name: HeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        Ok(Self::of(parts, app))
    }
}
