//! The files of web pages, served from inside the binary.

use axum::{
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use rust_embed::{EmbeddedFile, RustEmbed};

use taquilla_domain::key::hexadecimal;
use taquilla_http::errors::Error;

/// The files of the scanner page.
#[derive(RustEmbed)]
#[folder = "../../web/dist/door"]
pub struct DoorFiles;

/// The files of all pages that this server writes.
#[derive(RustEmbed)]
#[folder = "../../web/dist/dashboard"]
pub struct PageFiles;

/// Answers with a file embedded in the binary, compressed if the client accepts that.
pub fn answer<Files: RustEmbed>(name: &str, asked: &HeaderMap) -> Result<Response, Error> {
    // The build compressed some files; the result is embedded beside the original.
    let compressed = takes_gzip(asked).then(|| Files::get(&format!("{name}.gz"))).flatten();
    let encoding = compressed.is_some().then_some(HeaderValue::from_static("gzip"));
    let file =
        compressed.or_else(|| Files::get(name).filter(|_| !name.ends_with(".gz"))).ok_or(Error::NotFound("file"))?;

    let tag = tag(&file);
    let known = asked.get(header::IF_NONE_MATCH).is_some_and(|known| *known == tag);
    let mut response = match known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => file.data.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(name)));
    headers.insert(header::ETAG, tag);
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    // The name of an asset contains a hash of its content, so the content under a name never changes.
    let caching = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, encoding);
    }
    Ok(response)
}

/// Whether the client accepts gzip. `server/compression.rs` has removed all codings from the header that we do not know.
fn takes_gzip(asked: &HeaderMap) -> bool {
    let given = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    given.flat_map(|value| value.split(',')).any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = quality.trim().strip_prefix("q=").map(str::parse);
        name.trim() == "gzip" && weight.is_none_or(|weight| weight.is_ok_and(|weight: f32| weight > 0.0))
    })
}

fn tag(file: &EmbeddedFile) -> HeaderValue {
    let hash = hexadecimal(&file.metadata.sha256_hash()[..8]);
    HeaderValue::try_from(format!("\"{hash}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
