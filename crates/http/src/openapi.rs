//! What the OpenAPI documents of all faces share. Each face describes its own calls, beside their handlers.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use utoipa::{
    PartialSchema,
    openapi::{
        Content, OpenApi, Ref, RefOr, ResponseBuilder, Server,
        header::HeaderBuilder,
        info::{ContactBuilder, LicenseBuilder},
        path::Operation,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use super::codes::{
    BODY_INCOMPLETE, BODY_TOO_LARGE, BODY_TOO_SLOW, Code, HEADERS_TOO_LARGE, INSUFFICIENT_SCOPE, INTERNAL,
    INVALID_BODY, INVALID_DOOR_LINK, INVALID_TOKEN, MISSING_TOKEN, RATE_LIMITED, UNAVAILABLE, UNSUPPORTED_MEDIA_TYPE,
    URI_TOO_LONG,
};

/// What any call may be answered with.
const EVERY_CALL: [Code; 5] = [URI_TOO_LONG, HEADERS_TOO_LARGE, RATE_LIMITED, INTERNAL, UNAVAILABLE];

/// What a call with a body may be answered with.
const CALL_WITH_BODY: [Code; 5] =
    [INVALID_BODY, BODY_INCOMPLETE, BODY_TOO_SLOW, BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE];

/// Errors that carry `WWW-Authenticate`.
const CHALLENGES: [Code; 4] = [MISSING_TOKEN, INVALID_TOKEN, INSUFFICIENT_SCOPE, INVALID_DOOR_LINK];

/// The document as it is served and committed.
pub fn json(document: &OpenApi) -> String {
    document.to_pretty_json().map(|json| json + "\n").unwrap_or_default()
}

/// Serves a document.
pub fn answer(json: &'static str) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], json).into_response()
}

/// Adds what is the same in every document.
///
/// The address is relative: it is resolved against where the document was read from, so it is right behind every proxy
/// and under every name, and the console calls the very server that it came from.
pub fn complete(document: &mut OpenApi) {
    let mut license = LicenseBuilder::new().name("MIT OR Apache-2.0").build();
    license.identifier = Some("MIT OR Apache-2.0".into());
    document.info.license = Some(license);
    document.info.contact = Some(ContactBuilder::new().name(Some("The operator of this server")).build());
    document.servers = Some(vec![Server::new("/")]);
}

/// A token in the header `Authorization`.
pub fn bearer(format: &str, description: &str) -> SecurityScheme {
    let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format(format);
    SecurityScheme::Http(scheme.description(Some(description)).build())
}

/// Every call of a document.
pub fn operations(document: &mut OpenApi) -> impl Iterator<Item = &mut Operation> {
    document.paths.paths.values_mut().flat_map(|item| [&mut item.get, &mut item.post].into_iter().flatten())
}

/// Describes the errors of a call: those of every call, those of its body, and these.
pub fn add_errors(operation: &mut Operation, codes: &[&Code]) {
    let mut codes = codes.to_vec();
    codes.extend(&EVERY_CALL);
    if operation.request_body.is_some() {
        codes.extend(&CALL_WITH_BODY);
    }
    for code in &codes {
        let same = codes.iter().filter(|other| other.status == code.status);
        let names: Vec<&str> = same.clone().map(|other| other.name).collect();
        let mut response = ResponseBuilder::new()
            .description(names.join(", "))
            .content("application/problem+json", Content::new(Some(Ref::from_schema_name("Problem"))))
            .header("X-Request-Id", text("Names the request in the server's log."));
        if matches!(code.status.as_u16(), 429 | 503) {
            let wait = HeaderBuilder::new().description(Some("Seconds to wait.")).schema(Some(u64::schema()));
            response = response.header("Retry-After", wait.build());
        }
        if names.iter().any(|name| CHALLENGES.iter().any(|code| code.name == *name)) {
            response = response.header("WWW-Authenticate", text("What is missing, as RFC 6750 says."));
        }
        operation.responses.responses.insert(code.status.as_str().to_owned(), RefOr::T(response.build()));
    }
}

/// A header with a text.
pub fn text(description: &str) -> utoipa::openapi::header::Header {
    HeaderBuilder::new().description(Some(description)).schema(Some(String::schema())).build()
}
