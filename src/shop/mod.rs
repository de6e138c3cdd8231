//! The shop: what buyers and payment processors call. JSON in, JSON out, no key.

pub mod orders;
pub mod payments;
pub mod requests;
pub mod sale;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;

use crate::error::Error;

/// Answers with JSON that no cache may keep: it is about a purchase.
fn answer(status: StatusCode, value: &impl Serialize) -> Result<Response, Error> {
    let json = serde_json::to_string(value)
        .map_err(|cause| Error::Internal(format!("an answer could not be written: {cause}")))?;
    Ok(answer_json(status, json))
}

fn answer_json(status: StatusCode, json: String) -> Response {
    let mut response = (status, json).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
