//! Bodies of requests, size-limited; JSON is read strictly. And JSON answers that are not lists.

use std::sync::Arc;

use axum::{
    body::HttpBody,
    extract::{FromRequest, Request},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::{Serialize, de::DeserializeOwned};

use taquilla_domain::refusal::Refusal;
use taquilla_wire::strict_json;

use super::{connections::Exchange, errors::Error};

/// A JSON body as it was sent, of at most `MAX` bytes.
pub struct JsonBody<const MAX: usize>(pub Bytes);

impl<S: Sync, const MAX: usize> FromRequest<S> for JsonBody<MAX> {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        if !is_of_type(&request, "application/json") {
            return Err(Error::UnsupportedMediaType);
        }
        read(request, MAX).await.map(Self)
    }
}

/// Whether the request says that its body is of this type.
pub fn is_of_type(request: &Request, media_type: &str) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(media_type)
}

/// Reads a whole body of at most so many bytes.
pub async fn read(request: Request, max: usize) -> Result<Bytes, Error> {
    let too_large = Error::BodyTooLarge { max_kb: max / 1024 };
    if request.body().size_hint().lower() > max as u64 {
        return Err(too_large);
    }
    let exchange = request.extensions().get::<Arc<Exchange>>().cloned().unwrap_or_default();
    exchange.wait_for_client();
    let turn = exchange.turn_to_send().await;
    let body = Limited::new(request.into_body(), max).collect().await;
    drop(turn);
    exchange.take_turn().await;
    match body {
        Ok(body) => Ok(body.to_bytes()),
        Err(cause) if cause.is::<LengthLimitError>() => Err(too_large),
        Err(_) => Err(Error::BodyIncomplete),
    }
}

impl<const MAX: usize> JsonBody<MAX> {
    /// Parses the body. An error names the field at fault.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Error> {
        // Serde would take a list for a struct, as its fields in their order.
        if self.0.trim_ascii_start().starts_with(b"[") {
            return Err(Refusal::invalid("body", "an object is expected").into());
        }
        strict_json::read(&self.0).map_err(|fault| {
            Error::Refused(Refusal::invalid(fault.field.unwrap_or_else(|| "body".into()), fault.message))
        })
    }
}

/// Answers with JSON that no cache may keep, because it is about one purchase or true for a moment only.
pub fn answer(status: StatusCode, value: &impl Serialize) -> Result<Response, Error> {
    let json = serde_json::to_string(value)
        .map_err(|cause| Error::Internal(format!("an answer could not be written: {cause}")))?;
    Ok(answer_json(status, json))
}

/// Answers as [`answer`] does, with finished JSON.
pub fn answer_json(status: StatusCode, json: impl IntoResponse) -> Response {
    let mut response = (status, json).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
