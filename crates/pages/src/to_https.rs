//! What is answered over plain http by a server that speaks https: the way there.

use std::sync::Arc;

use askama::Template;
use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};

use taquilla_http::errors::Error;

use super::page::{self, Layout};

/// Where https is spoken.
#[derive(Debug)]
pub struct ToHttps {
    /// The port.
    pub port: u16,
    /// Where the world reaches this service, if that is known.
    pub public_url: Option<String>,
}

impl ToHttps {
    /// The address of the same thing over https. The name is the one that the client used.
    fn address(&self, headers: &HeaderMap, uri: &Uri) -> Option<String> {
        let host = headers.get(header::HOST)?.to_str().ok()?;
        let name = name_in(host)?;
        let port = if self.port == 443 { String::new() } else { format!(":{}", self.port) };
        let used = || format!("https://{name}{port}");
        // Behind a gateway the world's port may be another one.
        let public = self.public_url.as_deref().filter(|url| {
            url.strip_prefix("https://").and_then(name_in).is_some_and(|known| known.eq_ignore_ascii_case(name))
        });
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        // A path that is none (`OPTIONS *`) would become a part of the name.
        path.starts_with('/').then(|| public.map_or_else(used, str::to_owned) + path)
    }
}

/// The name or address in a host, without its port.
fn name_in(host: &str) -> Option<&str> {
    let name = match host.strip_prefix('[').and_then(|rest| rest.find(']')) {
        Some(end) => host.get(..end + 2)?,
        None => host.split(':').next()?,
    };
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte));
    (!name.is_empty() && plain).then_some(name)
}

/// Whether a client may be led on: it only looks, and has shown no secret that others may have seen by now.
fn may_be_led_on(method: &Method, headers: &HeaderMap) -> bool {
    [Method::GET, Method::HEAD].contains(method) && !headers.contains_key(header::AUTHORIZATION)
}

/// Leads to the same thing over https.
pub async fn redirect(
    State(to): State<Arc<ToHttps>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let address = to.address(&headers, &uri).filter(|_| may_be_led_on(&method, &headers));
    let location = address.and_then(|address| HeaderValue::try_from(address).ok()).ok_or(Error::HttpsOnly)?;
    Ok((StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, location)]).into_response())
}

#[derive(Template)]
#[template(path = "https_local.html")]
struct LocalPage {
    l: Layout,
    address: String,
    host: String,
}

/// The page before a try in the house: what the browser will warn of, and the way on.
pub async fn explain(
    State(to): State<Arc<ToHttps>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let address = to.address(&headers, &uri).filter(|_| may_be_led_on(&method, &headers)).ok_or(Error::HttpsOnly)?;
    let host = address.trim_start_matches("https://").split('/').next().unwrap_or_default().to_owned();
    page::show(StatusCode::OK, &LocalPage { l: Layout::asked(&method, &uri, &headers), address, host })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(port: u16, public_url: Option<&str>, host: &'static str, path: &'static str) -> Option<String> {
        let to = ToHttps { port, public_url: public_url.map(str::to_owned) };
        let headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(host))]);
        to.address(&headers, &Uri::from_static(path))
    }

    #[test]
    fn the_way_leads_to_the_name_that_was_used() {
        let is = |found: Option<String>, expected: &str| assert_eq!(found.as_deref(), Some(expected));
        is(address(443, None, "tickets.example.com", "/a?b=c"), "https://tickets.example.com/a?b=c");
        is(address(8443, None, "192.168.1.5:8080", "/"), "https://192.168.1.5:8443/");
        is(address(8443, None, "[fd00::1]:8080", "/door"), "https://[fd00::1]:8443/door");
        let public = Some("https://tickets.example.com");
        is(address(8443, public, "tickets.example.com:80", "/"), "https://tickets.example.com/");
        is(address(8443, public, "10.0.0.7", "/"), "https://10.0.0.7:8443/");
        for host in ["", "a b", "a/b", "a@b", "a\"b", ":8080"] {
            assert_eq!(address(443, None, host, "/"), None, "{host:?}");
        }
        assert_eq!(address(443, None, "a", "*"), None);
    }
}
