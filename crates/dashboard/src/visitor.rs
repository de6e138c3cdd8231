//! Whoever asks for a page, signed in or not.

use std::net::IpAddr;

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};

use taquilla_domain::{audit::By, key::Secret};
use taquilla_http::{app::App, client_address::ClientAddress, errors::Error, https::is_https};
use taquilla_pages::page::Layout;
use taquilla_rules::admin::staff::sessions::Device;

use super::{cookies::Cookie, frame::safe_next};

/// Whoever asks, signed in or not.
#[derive(Clone)]
pub struct Visitor {
    /// The page's language.
    pub layout: Layout,
    /// Where the request came from.
    pub address: IpAddr,
    /// Whether it came over https.
    pub https: bool,
    headers: HeaderMap,
}

impl Visitor {
    /// Whoever sent this request.
    pub fn of(parts: &Parts, app: &App) -> Self {
        Self {
            layout: Layout::asked(&parts.headers),
            address: ClientAddress::of(parts).0,
            https: is_https(&parts.headers, &app.config),
            headers: parts.headers.clone(),
        }
    }

    /// The secret in one of the dashboard's cookies.
    pub fn cookie(&self, cookie: Cookie, app: &App) -> Option<Secret> {
        cookie.read(&self.headers, &app.config)
    }

    /// Where the visitor would sign in from.
    pub fn device(&self) -> Device {
        let agent = self.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        Device::new(self.address.to_string(), agent.unwrap_or_default())
    }

    /// The address of this service: the one that it was started with, else the one that the visitor uses.
    pub fn service_address(&self, app: &App) -> String {
        let host = self.headers.get(header::HOST).and_then(|value| value.to_str().ok());
        let scheme = if self.https { "https" } else { "http" };
        let used = || format!("{scheme}://{}", host.unwrap_or("localhost"));
        app.config.public_url.clone().unwrap_or_else(used)
    }

    /// The page of the dashboard that a form was on.
    pub fn came_from(&self) -> String {
        let referrer = self.headers.get(header::REFERER).and_then(|value| value.to_str().ok());
        let path =
            referrer.and_then(|url| url.split_once("://")?.1.split_once('/')).map(|(_, path)| format!("/{path}"));
        safe_next(path.as_deref().unwrap_or_default()).to_owned()
    }

    /// Somebody who acts from here.
    pub fn by(&self, actor: &str, app: &App) -> By {
        By { actor: actor.to_owned(), origin: self.address.to_string(), now: app.time.now() }
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        Ok(Self::of(parts, app))
    }
}
