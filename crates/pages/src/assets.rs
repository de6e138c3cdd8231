//! The style sheets and the script of all pages that this server writes, built from `web/` and embedded in the binary.

use std::sync::LazyLock;

use axum::{
    extract::{Path, rejection::PathRejection},
    http::{HeaderMap, HeaderValue, Uri, header},
    response::Response,
};

use taquilla_domain::key::hexadecimal;
use taquilla_http::errors::Error;

use super::files::{self, PageFiles};

/// The address of a file, with the beginning of its hash. Under such an address the content never changes.
fn address(name: &str) -> String {
    let hash = PageFiles::get(name).map(|file| hexadecimal(&file.metadata.sha256_hash()[..8])).unwrap_or_default();
    format!("/assets/{name}?v={hash}")
}

/// The address of the style sheet.
pub static STYLES: LazyLock<String> = LazyLock::new(|| address("dashboard.css"));
/// The address of the style sheet of buyers' pages.
pub static SHOP_STYLES: LazyLock<String> = LazyLock::new(|| address("shop.css"));
/// The address of the script.
pub static SCRIPT: LazyLock<String> = LazyLock::new(|| address("dashboard.js"));
/// The address of the icon.
pub static ICON: LazyLock<String> = LazyLock::new(|| address("icon.svg"));

/// Answers with a file. One that is asked for by its hash may be kept for a year.
pub async fn get_file(
    name: Result<Path<String>, PathRejection>,
    uri: Uri,
    asked: HeaderMap,
) -> Result<Response, Error> {
    let Ok(Path(name)) = name else { return Err(Error::NotFound("file")) };
    let mut response = files::answer::<PageFiles>(&name, &asked)?;
    if uri.path_and_query().is_some_and(|target| target.as_str() == address(&name)) {
        let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
        response.headers_mut().insert(header::CACHE_CONTROL, forever);
    }
    Ok(response)
}
