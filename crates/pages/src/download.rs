//! Answers that a browser saves as a file.

use axum::{
    body::Body,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};

/// The media type of CSV files.
pub const CSV: &str = "text/csv; charset=utf-8";
/// The media type of JSON.
pub const JSON: &str = "application/json; charset=utf-8";
/// The media type of JSON Lines.
pub const JSON_LINES: &str = "application/jsonl; charset=utf-8";

/// A file of this name, which no cache keeps. The name has plain characters only.
pub fn file(name: &str, media_type: &'static str, body: Body) -> Response {
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(value) = HeaderValue::try_from(format!("attachment; filename=\"{name}\"")) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    response
}
