//! The OpenAPI documents of the shop, made from the code.

use std::sync::LazyLock;

use axum::response::Response;
use utoipa::{
    Modify, OpenApi,
    openapi::security::{ApiKey, ApiKeyValue, SecurityScheme},
};

use taquilla_http::{
    codes::{
        CONTINGENT_USED_UP, COUPON_REFUSED, Code, EVENT_NOT_ON_SALE, HELD, HOLD_STAYS, IDEMPOTENCY_MISMATCH, IN_LINE,
        INVALID_PARAMETER, INVALID_SIGNATURE, MISSING_IDEMPOTENCY_KEY, NOT_FOUND, NOT_ON_SALE, NOT_YET_ON_SALE,
        ORDER_NOT_PENDING, PAYMENT_MISMATCH, PAYMENT_PAID_BACK, PROMOTER_REFUSED, SOLD_OUT, TOO_FEW, TOO_MANY,
        TOO_MANY_UNPAID, UNKNOWN_PARAMETER,
    },
    openapi::{add_errors, answer, complete, json, operations},
};
use taquilla_wire::api::Problem;

use super::{orders, payments, sale};

/// What shop fronts call.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Taquilla shop",
        description = "What shop fronts call for buyers: what is on sale, and orders.\n\n\
            There is no key. Errors are problem documents, explained at `/docs/errors`."
    ),
    paths(sale::get_sale, orders::place_order, orders::get_order, orders::extend_hold),
    tags(
        (name = "Sale", description = "What is on sale."),
        (name = "Orders", description = "Buying, and looking at what was bought.")
    ),
    components(schemas(Problem)),
    modifiers(&Common)
)]
struct Shop;

/// What payment processors call. It has a document of its own because its readers are others, and because a strict reader
/// of one document could take `/shop/v1/orders/{reference}` for `/shop/v1/{producer_id}/payments`.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Taquilla payments",
        description = "What payment processors call: they report what became of a payment.\n\n\
            Calls are signed as the Standard Webhooks specification says. Errors are problem documents, explained at \
            `/docs/errors`."
    ),
    paths(payments::settle_payment),
    tags((name = "Payments", description = "What payment processors report.")),
    components(schemas(Problem)),
    modifiers(&Common, &Signed)
)]
struct Payments;

/// The shop's document as it is served and committed.
pub static SHOP: LazyLock<String> = LazyLock::new(|| json(&Shop::openapi()));

/// The document for payment processors as it is served and committed.
pub static PAYMENTS: LazyLock<String> = LazyLock::new(|| json(&Payments::openapi()));

/// The shop's OpenAPI document.
pub async fn get_shop() -> Response {
    answer(&SHOP)
}

/// The OpenAPI document for payment processors.
pub async fn get_payments() -> Response {
    answer(&PAYMENTS)
}

/// What the calls have in common: no key, and the errors.
struct Common;

impl Modify for Common {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        complete(document);
        document.security = Some(Vec::new());
        for operation in operations(document) {
            let codes = codes(operation.operation_id.as_deref().unwrap_or_default());
            add_errors(operation, codes);
        }
    }
}

/// How payment processors show who they are.
struct Signed;

impl Modify for Signed {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let description = "`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`.";
        let header = ApiKeyValue::with_description("webhook-signature", description);
        if let Some(components) = document.components.as_mut() {
            components.add_security_scheme("signature", SecurityScheme::ApiKey(ApiKey::Header(header)));
        }
    }
}

/// The errors of a call, beside those of every call.
fn codes(operation_id: &str) -> &'static [&'static Code] {
    match operation_id {
        "get_sale" => &[&INVALID_PARAMETER, &UNKNOWN_PARAMETER, &NOT_FOUND, &COUPON_REFUSED],
        "place_order" => &[
            &INVALID_PARAMETER,
            &MISSING_IDEMPOTENCY_KEY,
            &IN_LINE,
            &NOT_FOUND,
            &EVENT_NOT_ON_SALE,
            &NOT_ON_SALE,
            &SOLD_OUT,
            &NOT_YET_ON_SALE,
            &HELD,
            &TOO_MANY,
            &TOO_FEW,
            &TOO_MANY_UNPAID,
            &COUPON_REFUSED,
            &PROMOTER_REFUSED,
            &CONTINGENT_USED_UP,
            &IDEMPOTENCY_MISMATCH,
        ],
        "extend_hold" => &[&INVALID_PARAMETER, &NOT_FOUND, &ORDER_NOT_PENDING, &HOLD_STAYS],
        "settle_payment" => &[
            &INVALID_PARAMETER,
            &INVALID_SIGNATURE,
            &NOT_FOUND,
            &EVENT_NOT_ON_SALE,
            &ORDER_NOT_PENDING,
            &PAYMENT_MISMATCH,
            &PAYMENT_PAID_BACK,
            &SOLD_OUT,
        ],
        _ => &[&INVALID_PARAMETER, &NOT_FOUND],
    }
}
