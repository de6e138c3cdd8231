//! Errors for programs: problem documents (RFC 9457).

use axum::{
    http::{HeaderValue, header},
    response::Response,
};

use taquilla_wire::{Time, api::Problem};

use super::{edge::ErrorContext, errors::Error};

/// Shows an error as a problem document.
pub fn render(error: &Error, _: &ErrorContext, request_id: &str, response: &mut Response) {
    let code = error.code();
    let problem = Problem {
        kind: code.kind,
        title: code.title,
        status: code.status.as_u16(),
        detail: &error.detail(),
        code: code.name,
        param: error.param(),
        held_until: error.held_until().map(Time),
        request_id,
    };
    *response.body_mut() = serde_json::to_vec(&problem).unwrap_or_default().into();
    let kind = HeaderValue::from_static("application/problem+json");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
}
