//! The OpenAPI document of the door, made from the code.

use std::sync::LazyLock;

use axum::response::Response;
use utoipa::{
    Modify, OpenApi, PartialSchema,
    openapi::{
        Required,
        path::{ParameterBuilder, ParameterIn},
    },
};

use taquilla_http::{
    codes::{
        CHANGED_MEANWHILE, Code, INVALID_CURSOR, INVALID_DOOR_LINK, INVALID_PARAMETER, MARK_LOST, NOT_ALLOWED_BY_LINK,
        NOT_FOUND, PIN_REQUIRED, SCAN_ID_REUSED, TICKET_CANCELLED, TICKET_REFUNDED, TICKET_VALID, UNKNOWN_PARAMETER,
        WRONG_PIN,
    },
    openapi::{add_errors, answer, bearer, complete, json, operations},
};
use taquilla_wire::{
    api::Problem,
    door::{ScanAnswer, UndecidedScan},
};

use super::{codes, guests, open, scan, undo};

/// The whole document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Taquilla door",
        description = "What scanners call. A call carries the token of a door link, which is what follows the `#` of the \
            link, in the header `Authorization: Bearer <TOKEN>`. The token admits tickets, and does nothing else unless \
            whoever made the link allowed it (`options`). Errors \
            are problem documents, explained at `/docs/errors`."
    ),
    paths(
        open::open_door,
        scan::scan,
        scan::look,
        scan::scan_kept,
        undo::undo,
        guests::search,
        guests::party,
        guests::enter,
        open::get_counts,
        codes::list_codes
    ),
    tags(
        (name = "Scans", description = "Letting people in."),
        (name = "Guests", description = "Letting people in without their codes."),
        (name = "Link", description = "What a link is for, and what a phone needs to work without signal.")
    ),
    components(schemas(Problem, ScanAnswer, UndecidedScan)),
    modifiers(&Common)
)]
pub struct Document;

/// The document as it is served and committed.
pub static JSON: LazyLock<String> = LazyLock::new(|| json(&Document::openapi()));

/// The OpenAPI document.
pub async fn get_document() -> Response {
    answer(&JSON)
}

/// What the calls have in common: the link, the pass, and the errors.
struct Common;

impl Modify for Common {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        complete(document);
        if let Some(components) = document.components.as_mut() {
            let description = "The token of a door link, made with `taquilla door-link create`.";
            components.add_security_scheme("link", bearer("tqd_…", description));
        }
        for operation in operations(document) {
            let pass = ParameterBuilder::new()
                .name("Door-Pass")
                .parameter_in(ParameterIn::Header)
                .required(Required::False)
                .description(Some("If the link has a PIN: the `pass` that opening it with the PIN gave."))
                .schema(Some(String::schema()));
            operation.parameters.get_or_insert_default().push(pass.build().into());
            let codes = codes_of(operation.operation_id.as_deref().unwrap_or_default());
            add_errors(operation, codes);
        }
    }
}

/// The errors of a call, beside those of every call.
fn codes_of(operation_id: &str) -> &'static [&'static Code] {
    match operation_id {
        "open_door" => &[&INVALID_DOOR_LINK, &PIN_REQUIRED, &WRONG_PIN],
        "scan" => &[&INVALID_DOOR_LINK, &PIN_REQUIRED, &SCAN_ID_REUSED],
        "undo" => &[
            &INVALID_DOOR_LINK,
            &PIN_REQUIRED,
            &NOT_ALLOWED_BY_LINK,
            &NOT_FOUND,
            &SCAN_ID_REUSED,
            &TICKET_VALID,
            &TICKET_CANCELLED,
            &TICKET_REFUNDED,
            &CHANGED_MEANWHILE,
        ],
        "search" => &[&INVALID_DOOR_LINK, &PIN_REQUIRED, &NOT_ALLOWED_BY_LINK],
        "look" => &[&INVALID_DOOR_LINK, &PIN_REQUIRED, &NOT_ALLOWED_BY_LINK],
        "party" => &[&INVALID_DOOR_LINK, &PIN_REQUIRED, &NOT_ALLOWED_BY_LINK, &NOT_FOUND],
        "enter" => &[&INVALID_DOOR_LINK, &PIN_REQUIRED, &NOT_ALLOWED_BY_LINK, &NOT_FOUND, &SCAN_ID_REUSED],
        "scan_kept" => &[&INVALID_DOOR_LINK, &PIN_REQUIRED],
        "get_counts" => &[&INVALID_PARAMETER, &UNKNOWN_PARAMETER, &INVALID_DOOR_LINK, &PIN_REQUIRED],
        "list_codes" => {
            &[&INVALID_PARAMETER, &UNKNOWN_PARAMETER, &INVALID_CURSOR, &MARK_LOST, &INVALID_DOOR_LINK, &PIN_REQUIRED]
        }
        _ => &[&INVALID_DOOR_LINK, &PIN_REQUIRED],
    }
}
