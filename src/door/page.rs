//! The scanner page, built from `web/` and embedded in the binary.

use axum::{
    extract::{Path, rejection::PathRejection},
    http::{HeaderMap, HeaderValue},
    response::Response,
};
use rust_embed::RustEmbed;

use crate::http::{
    errors::Error,
    files,
    page_headers::{self, protect},
};

#[derive(RustEmbed)]
#[folder = "web/dist/door"]
struct Files;

const PAGE: &str = "index.html";

/// The page. The link's token is in the fragment of its URL, which browsers never send.
pub async fn get_page(headers: HeaderMap) -> Result<Response, Error> {
    let mut response = files::answer::<Files>(PAGE, &headers)?;
    protect(response.headers_mut(), page_headers::APPLICATION);
    Ok(response)
}

/// The files of the page.
pub async fn get_file(name: Result<Path<String>, PathRejection>, headers: HeaderMap) -> Result<Response, Error> {
    // `index.html` is served at `/door` only, with its own headers.
    let named = name.ok().map(|Path(name)| name).filter(|name| name != PAGE);
    let name = named.ok_or(Error::NotFound("file"))?;
    let mut response = files::answer::<Files>(&name, &headers)?;
    if name == "sw.js" {
        // The service worker serves the page too, which is at `/door` and not below it.
        response.headers_mut().insert("service-worker-allowed", HeaderValue::from_static("/door"));
    }
    Ok(response)
}
