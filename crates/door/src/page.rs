//! The scanner page, built from `web/` and embedded in the binary.

use axum::{
    extract::{Path, rejection::PathRejection},
    http::{HeaderMap, HeaderValue},
    response::Response,
};

use taquilla_http::errors::Error;
use taquilla_pages::{
    files::{self, DoorFiles},
    page_headers::{self, protect},
};

const PAGE: &str = "index.html";

/// The page. The link's token is in the fragment of its URL, which browsers never send.
pub async fn get_page(headers: HeaderMap) -> Result<Response, Error> {
    let mut response = files::answer::<DoorFiles>(PAGE, &headers)?;
    protect(response.headers_mut(), page_headers::DOOR);
    Ok(response)
}

/// The files of the page.
pub async fn get_file(name: Result<Path<String>, PathRejection>, headers: HeaderMap) -> Result<Response, Error> {
    // `index.html` is served at `/door` only, with its own headers.
    let named = name.ok().map(|Path(name)| name).filter(|name| name != PAGE);
    let name = named.ok_or(Error::NotFound("file"))?;
    let mut response = files::answer::<DoorFiles>(&name, &headers)?;
    if name == "sw.js" {
        // The service worker serves the page too, which is at `/door` and not below it.
        response.headers_mut().insert("service-worker-allowed", HeaderValue::from_static("/door"));
    }
    Ok(response)
}
