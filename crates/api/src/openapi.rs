//! The OpenAPI document of the read API, made from the code.

use std::sync::LazyLock;

use axum::response::Response;
use utoipa::{
    Modify, OpenApi, PartialSchema,
    openapi::{
        RefOr, Required, ResponseBuilder,
        path::{Operation, ParameterBuilder, ParameterIn},
    },
};

use taquilla_http::{
    codes::{CODES, Code},
    openapi::{add_errors, answer, bearer, complete, json, operations, text},
};
use taquilla_wire::api::Problem;

use super::{events, me, orders, ticket_types, tickets};

/// The whole document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Taquilla read API",
        description = "Read-only access to one producer's events, ticket types, orders and tickets.\n\n\
            Every call carries an API key in the header `Authorization: Bearer <API_KEY>`. \
            Lists are cursor-paginated, newest first. Errors are problem documents, explained at `/docs/errors`."
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
    tags(
        (name = "Tickets", description = "The credentials that people show at the door."),
        (name = "Events", description = "What there is to go to, and what is sold for it."),
        (name = "Orders", description = "The sales."),
        (name = "Me", description = "Who is asking.")
    ),
    components(schemas(Problem)),
    modifiers(&Common)
)]
pub struct Document;

/// The document as it is served and committed.
pub static JSON: LazyLock<String> = LazyLock::new(|| json(&Document::openapi()));

/// The OpenAPI document.
pub async fn get_document() -> Response {
    answer(&JSON)
}

/// What every operation has in common: the key, and the errors.
struct Common;

impl Modify for Common {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        complete(document);
        if let Some(components) = document.components.as_mut() {
            components.add_security_scheme("key", bearer("tq_…", "An API key, made with `taquilla key create`."));
        }
        for operation in operations(document) {
            add_not_modified(operation);
            let has_id = operation.parameters.iter().flatten().any(is_in_path);
            // No operation is called with a method that it does not take.
            let has_mark = operation.parameters.iter().flatten().any(is_mark);
            let answered = |code: &&Code| match code.status.as_u16() {
                405 => false,
                404 => has_id,
                410 => has_mark,
                _ => true,
            };
            add_errors(operation, &CODES.iter().filter(answered).collect::<Vec<_>>());
        }
    }
}

fn is_in_path(parameter: &RefOr<utoipa::openapi::path::Parameter>) -> bool {
    matches!(parameter, RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Path)
}

/// Whether a parameter is for the mark of a feed.
fn is_mark(parameter: &RefOr<utoipa::openapi::path::Parameter>) -> bool {
    matches!(parameter, RefOr::T(parameter) if parameter.name == "updated_after")
}

/// Every answer has a tag, and need not be sent to who has it already.
fn add_not_modified(operation: &mut Operation) {
    let tag = || text("Names this content.");
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
