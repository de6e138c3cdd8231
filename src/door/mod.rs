//! The door: what scanners call, and the page that they open.
//!
//! A door link is all the authority there is here. It lets people in and shows whose ticket was just shown; it lists
//! nobody, and never tells an e-mail address, a phone number or a document.

pub mod access;
pub mod codes;
pub mod open;
pub mod page;
pub mod scan;

use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;

use crate::error::Error;

/// Answers with JSON that no cache may keep: it is true for this moment.
fn answer(value: &impl Serialize) -> Result<Response, Error> {
    let json = serde_json::to_string(value)
        .map_err(|cause| Error::Internal(format!("an answer could not be written: {cause}")))?;
    Ok(answer_json(json))
}

fn answer_json(json: impl IntoResponse) -> Response {
    let mut response = json.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
