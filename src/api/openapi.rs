//! The OpenAPI document, made from the code.

use std::sync::LazyLock;

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use utoipa::{
    Modify, OpenApi, PartialSchema,
    openapi::{
        Content, Ref, RefOr, Required, ResponseBuilder,
        header::HeaderBuilder,
        path::{Operation, ParameterBuilder, ParameterIn},
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use super::{events, me, orders, ticket_types, tickets};
use crate::{http::codes::CODES, wire::api::Problem};

/// The whole document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Taquilla read API",
        description = "Read-only access to one producer's events, ticket types, orders and tickets.\n\n\
            Every call carries an API key in the header `Authorization: Bearer <API_KEY>`. \
            Lists are cursor-paginated, newest first. Errors are problem documents, explained at `/docs/errors`.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    paths(
        tickets::list_tickets,
        tickets::get_ticket,
        tickets::list_chain,
        events::list_events,
        events::get_event,
        ticket_types::list_ticket_types,
        orders::list_orders,
        orders::get_order,
        me::get_me
    ),
    components(schemas(Problem)),
    modifiers(&Common)
)]
pub struct Document;

/// The document as it is served and committed.
pub static JSON: LazyLock<String> =
    LazyLock::new(|| Document::openapi().to_pretty_json().map(|json| json + "\n").unwrap_or_default());

/// The OpenAPI document.
pub async fn get_document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], JSON.as_str()).into_response()
}

/// What every operation has in common: the key, and the errors.
struct Common;

impl Modify for Common {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let Some(components) = document.components.as_mut() else { return };
        components.add_security_scheme(
            "key",
            SecurityScheme::Http(
                HttpBuilder::new()
                    .scheme(HttpAuthScheme::Bearer)
                    .bearer_format("tq_…")
                    .description(Some("An API key, made with `taquilla key create`."))
                    .build(),
            ),
        );
        for item in document.paths.paths.values_mut() {
            if let Some(operation) = item.get.as_mut() {
                add_not_modified(operation);
                add_errors(operation);
            }
        }
    }
}

/// Every answer has a tag, and need not be sent to who has it already.
fn add_not_modified(operation: &mut Operation) {
    let tag = || HeaderBuilder::new().description(Some("Names this content.")).schema(Some(String::schema())).build();
    if let Some(RefOr::T(answer)) = operation.responses.responses.get_mut("200") {
        answer.headers.insert("ETag".into(), RefOr::T(tag()));
    }
    let response = ResponseBuilder::new()
        .description("Nothing has changed since the answer with one of the tags in If-None-Match.")
        .header("ETag", tag());
    operation.responses.responses.insert("304".into(), RefOr::T(response.build()));
    let known = ParameterBuilder::new()
        .name("If-None-Match")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("The ETag of the answer that you have; where it is still true, 304 comes without a body."))
        .schema(Some(String::schema()));
    operation.parameters.get_or_insert_default().push(known.build().into());
}

fn add_errors(operation: &mut Operation) {
    let has_id = operation
        .parameters
        .iter()
        .flatten()
        .any(|parameter| matches!(parameter, RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Path));
    for code in CODES {
        let skip = match code.status.as_u16() {
            404 => !has_id,
            // Not an answer of this operation.
            405 => true,
            _ => false,
        };
        let status = code.status.as_u16().to_string();
        if skip {
            continue;
        }
        let same: Vec<&str> =
            CODES.iter().filter(|other| other.status == code.status).map(|other| other.name).collect();
        let mut response = ResponseBuilder::new()
            .description(same.join(", "))
            .content("application/problem+json", Content::new(Some(Ref::from_schema_name("Problem"))))
            .header("X-Request-Id", HeaderBuilder::new().schema(Some(String::schema())).build());
        if matches!(code.status.as_u16(), 429 | 503) {
            response = response.header("Retry-After", HeaderBuilder::new().schema(Some(u64::schema())).build());
        }
        if matches!(code.status.as_u16(), 401 | 403) {
            response = response.header("WWW-Authenticate", HeaderBuilder::new().schema(Some(String::schema())).build());
        }
        operation.responses.responses.insert(status, RefOr::T(response.build()));
    }
}
