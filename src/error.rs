//! Every error a client can meet: one enum, one status and one stable code each.
//!
//! A handler returns an [`Error`]; `edge.rs` writes it as a problem document with the request's id, and logs what is
//! not for clients. No text of the database ever leaves this file.

use std::{borrow::Cow, sync::Arc};

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{
    domain::{key::Permission, refusal::Refusal},
    rate::Allowance,
    store,
    wire::Problem,
};

/// Why a request was refused or failed.
#[derive(Debug)]
pub enum Error {
    /// A parameter's value cannot be used.
    InvalidParameter {
        /// Its name.
        param: Cow<'static, str>,
        /// What is wrong with it.
        detail: String,
    },
    /// There is no parameter of this name.
    UnknownParameter {
        /// The name.
        param: String,
        /// What the client may have meant, or what there is.
        detail: String,
    },
    /// The cursor was not given out for this list with these filters, or was altered.
    InvalidCursor,
    /// No key was sent.
    MissingToken,
    /// The key is malformed, unknown, expired or revoked: one answer for all.
    InvalidToken,
    /// The key lacks this permission.
    InsufficientScope(Permission),
    /// There is no such thing, or it is somebody else's.
    NotFound(&'static str),
    /// The path exists, the method does not.
    MethodNotAllowed,
    /// Path and query are too long.
    TargetTooLong,
    /// The headers are too large.
    HeadersTooLarge,
    /// Too many requests, or too many wrong keys.
    RateLimited {
        /// When to try again.
        retry_after_s: u64,
        /// What was exceeded.
        detail: &'static str,
        /// The limit, where it is one that clients are told of.
        allowance: Option<Allowance>,
    },
    /// The box office says no.
    Refused(Refusal),
    /// An order came without a key that makes it safe to repeat.
    MissingIdempotencyKey,
    /// The body is too large.
    BodyTooLarge {
        /// How large one may be.
        max_kb: usize,
    },
    /// The body is not JSON.
    UnsupportedMediaType,
    /// A callback is not signed by the producer's processor, or long ago.
    InvalidSignature,
    /// The door link is missing, malformed, unknown, expired or revoked: one answer for all.
    InvalidDoorLink,
    /// The door link has a PIN, and this device has not shown it.
    PinRequired,
    /// That is not the door link's PIN.
    WrongPin,
    /// A scan's id was used for another code.
    ScanIdReused,
    /// The database cannot be reached in time.
    Unavailable(String),
    /// A defect. The text is for the log.
    Internal(String),
}

/// What is always true of an error code; the page `/docs/errors` is made of these.
pub struct Code {
    /// The stable name.
    pub name: &'static str,
    /// The HTTP status.
    pub status: StatusCode,
    /// What went wrong, in a few words.
    pub title: &'static str,
    /// What a client can do about it.
    pub advice: &'static str,
    kind: &'static str,
}

macro_rules! codes {
    ($(#[$doc:meta])* $list:ident: $($constant:ident = $name:literal, $status:ident, $title:literal, $advice:literal;)+) => {
        $(const $constant: Code = Code {
            name: $name,
            status: StatusCode::$status,
            title: $title,
            advice: $advice,
            kind: concat!("/docs/errors#", $name),
        };)+
        $(#[$doc])*
        pub const $list: &[Code] = &[$($constant),+];
    };
}

codes! {
    /// What the read API answers, and every other part too.
    CODES:
    INVALID_PARAMETER = "invalid_parameter", BAD_REQUEST, "A parameter's value cannot be used",
        "Correct the parameter that `param` names; `detail` says what it takes.";
    UNKNOWN_PARAMETER = "unknown_parameter", BAD_REQUEST, "There is no such parameter",
        "Check the spelling; `detail` names the nearest parameter there is. Nothing was filtered by it.";
    INVALID_CURSOR = "invalid_cursor", BAD_REQUEST, "The cursor does not belong here",
        "Pass `next_cursor` unchanged, with the same key's producer, list and filters; only `limit` may change. To start over, leave it out.";
    MISSING_TOKEN = "missing_token", UNAUTHORIZED, "No API key was sent",
        "Send the header `Authorization: Bearer <API_KEY>`. A key anywhere else is not read.";
    INVALID_TOKEN = "invalid_token", UNAUTHORIZED, "The API key is not valid",
        "The key is mistyped, unknown, expired or revoked. Ask the producer's administrator for a new one.";
    INSUFFICIENT_SCOPE = "insufficient_scope", FORBIDDEN, "The API key lacks a permission",
        "Ask for a key with the permission that `detail` names; a key's permissions never change.";
    NOT_FOUND = "not_found", NOT_FOUND, "There is nothing here",
        "Check the path and the id. What belongs to another producer looks the same as what does not exist.";
    METHOD_NOT_ALLOWED = "method_not_allowed", METHOD_NOT_ALLOWED, "This path does not take that method",
        "The `Allow` header lists the methods that it takes. Everything under `/api/v1` only reads.";
    URI_TOO_LONG = "uri_too_long", URI_TOO_LONG, "The path and query are too long",
        "Shorten the query; no honest one comes near the limit of 8 kB.";
    HEADERS_TOO_LARGE = "headers_too_large", REQUEST_HEADER_FIELDS_TOO_LARGE, "The request's headers are too large",
        "Send fewer or shorter headers; the limit is 16 kB.";
    RATE_LIMITED = "rate_limited", TOO_MANY_REQUESTS, "Too many requests",
        "Wait for the seconds in `Retry-After`, then go on where you were; a cursor stays good.";
    INTERNAL = "internal", INTERNAL_SERVER_ERROR, "The server failed",
        "This is a defect of the server. Report it with the `request_id`.";
    UNAVAILABLE = "unavailable", SERVICE_UNAVAILABLE, "The service is not available just now",
        "Try again after the seconds in `Retry-After`.";
}

codes! {
    /// What only the shop and the box office answer.
    BOX_OFFICE_CODES:
    INVALID_BODY = "invalid_body", BAD_REQUEST, "The request's body cannot be used",
        "Correct the field that `param` names; `detail` says what it takes. Nothing was changed.";
    MISSING_IDEMPOTENCY_KEY = "missing_idempotency_key", BAD_REQUEST, "An order needs an Idempotency-Key",
        "Send the header `Idempotency-Key` once, with 1 to 128 characters that are new for each order and the same for each repetition of it.";
    INVALID_SIGNATURE = "invalid_signature", UNAUTHORIZED, "The callback's signature is not valid",
        "Sign `webhook-id`, `webhook-timestamp` and the body with the producer's secret, as Standard Webhooks says, within five minutes.";
    BODY_TOO_LARGE = "body_too_large", PAYLOAD_TOO_LARGE, "The request's body is too large",
        "Send less; `detail` says how much.";
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type", UNSUPPORTED_MEDIA_TYPE, "The request's body is not JSON",
        "Send JSON with the header `Content-Type: application/json`.";
    EVENT_NOT_ON_SALE = "event_not_on_sale", CONFLICT, "The event is not on sale",
        "It is over, cancelled or not announced yet.";
    NOT_ON_SALE = "not_on_sale", CONFLICT, "An item is not on sale",
        "It is switched off, expired, for the team only, or hidden and asked for without its access code.";
    SOLD_OUT = "sold_out", CONFLICT, "There is not enough left",
        "Ask for less, or for something else. Stock may return when others give theirs back.";
    TOO_MANY = "too_many", CONFLICT, "One order may not hold that many",
        "Ask for `max_per_order` at most.";
    ORDER_NOT_PENDING = "order_not_pending", CONFLICT, "The order has been decided",
        "Only a pending order can be approved or rejected.";
    ORDER_NOT_APPROVED = "order_not_approved", CONFLICT, "The order is not approved",
        "Only an approved order can be refunded.";
    ORDER_HAS_TICKETS = "order_has_tickets", CONFLICT, "The order has tickets already",
        "It was imported pending, with its tickets. Approving it would issue them again.";
    TICKET_VALID = "ticket_valid", CONFLICT, "The ticket is valid", "The ticket's status does not allow this.";
    TICKET_SCANNED = "ticket_scanned", CONFLICT, "The ticket has entered",
        "A ticket that has entered can be cancelled, but not passed on.";
    TICKET_TRANSFERRED = "ticket_transferred", CONFLICT, "The ticket was passed on",
        "Another ticket took its place.";
    TICKET_CANCELLED = "ticket_cancelled", CONFLICT, "The ticket was cancelled", "It no longer works.";
    TICKET_REFUNDED = "ticket_refunded", CONFLICT, "The ticket was refunded", "It no longer works.";
    LIMIT_BELOW_SOLD = "limit_below_sold", CONFLICT, "More are sold than that",
        "Set a limit of at least what is sold.";
    IDEMPOTENCY_MISMATCH = "idempotency_mismatch", UNPROCESSABLE_ENTITY, "The Idempotency-Key belongs to another order",
        "Use a new key for a new order, and the same body for a repetition.";
    PAYMENT_MISMATCH = "payment_mismatch", CONFLICT, "The payment is not what the order costs",
        "The order stays pending: its amount or currency is another one.";
}

codes! {
    /// What only the door answers.
    DOOR_CODES:
    INVALID_DOOR_LINK = "invalid_door_link", UNAUTHORIZED, "The door link does not work",
        "It is mistyped, unknown, expired or revoked. Ask the organiser for a new one.";
    PIN_REQUIRED = "pin_required", FORBIDDEN, "The door link has a PIN",
        "Open the link with its PIN, and send the `pass` of the answer as `Door-Pass` with every other call.";
    WRONG_PIN = "wrong_pin", FORBIDDEN, "That is not the PIN",
        "Ask whoever sent the link. After ten wrong ones you must wait.";
    SCAN_ID_REUSED = "scan_id_reused", CONFLICT, "The scan's id was used for another code",
        "Make a new `scan_id` for each scan; the same one is for sending the same scan again.";
}

/// When a client should come back after a 503.
const UNAVAILABLE_RETRY_S: u64 = 2;

impl Error {
    /// A parameter whose value cannot be used.
    pub fn invalid(param: impl Into<Cow<'static, str>>, detail: impl Into<String>) -> Self {
        Self::InvalidParameter { param: param.into(), detail: detail.into() }
    }

    /// What is always true of this error.
    pub fn code(&self) -> &'static Code {
        match self {
            Self::InvalidParameter { .. } => &INVALID_PARAMETER,
            Self::UnknownParameter { .. } => &UNKNOWN_PARAMETER,
            Self::InvalidCursor => &INVALID_CURSOR,
            Self::MissingToken => &MISSING_TOKEN,
            Self::InvalidToken => &INVALID_TOKEN,
            Self::InsufficientScope(_) => &INSUFFICIENT_SCOPE,
            Self::NotFound(_) => &NOT_FOUND,
            Self::MethodNotAllowed => &METHOD_NOT_ALLOWED,
            Self::TargetTooLong => &URI_TOO_LONG,
            Self::HeadersTooLarge => &HEADERS_TOO_LARGE,
            Self::RateLimited { .. } => &RATE_LIMITED,
            Self::Refused(refusal) => {
                let known = CODES.iter().chain(BOX_OFFICE_CODES).find(|code| code.name == refusal.code());
                known.unwrap_or(&INTERNAL)
            }
            Self::MissingIdempotencyKey => &MISSING_IDEMPOTENCY_KEY,
            Self::BodyTooLarge { .. } => &BODY_TOO_LARGE,
            Self::UnsupportedMediaType => &UNSUPPORTED_MEDIA_TYPE,
            Self::InvalidSignature => &INVALID_SIGNATURE,
            Self::InvalidDoorLink => &INVALID_DOOR_LINK,
            Self::PinRequired => &PIN_REQUIRED,
            Self::WrongPin => &WRONG_PIN,
            Self::ScanIdReused => &SCAN_ID_REUSED,
            Self::Unavailable(_) => &UNAVAILABLE,
            Self::Internal(_) => &INTERNAL,
        }
    }

    /// What is for the log and not for the client.
    pub fn cause(&self) -> Option<&str> {
        match self {
            Self::Unavailable(cause) | Self::Internal(cause) => Some(cause),
            _ => None,
        }
    }

    fn param(&self) -> Option<&str> {
        match self {
            Self::InvalidParameter { param, .. } => Some(param),
            Self::UnknownParameter { param, .. } => Some(param),
            Self::InvalidCursor => Some("cursor"),
            Self::Refused(Refusal::Invalid { field, .. }) => Some(field),
            Self::MissingIdempotencyKey => Some("Idempotency-Key"),
            _ => None,
        }
    }

    /// What went wrong this time, and what to do.
    pub fn detail(&self) -> Cow<'_, str> {
        match self {
            Self::InvalidParameter { detail, .. } | Self::UnknownParameter { detail, .. } => detail.into(),
            Self::InsufficientScope(permission) => {
                format!("This call needs a key with the permission {}.", permission.as_str()).into()
            }
            Self::BodyTooLarge { max_kb } => format!("Send at most {max_kb} kB.").into(),
            Self::NotFound(what) => format!("There is no such {what}.").into(),
            Self::Refused(refusal) => refusal.to_string().into(),
            Self::RateLimited { detail, .. } => (*detail).into(),
            _ => self.code().advice.into(),
        }
    }

    /// The problem document of RFC 9457.
    pub fn to_json(&self, request_id: &str) -> Vec<u8> {
        let Code { name, status, title, kind, .. } = self.code();
        let detail = self.detail();
        let problem = Problem {
            kind,
            title,
            status: status.as_u16(),
            detail: &detail,
            code: name,
            param: self.param(),
            request_id,
        };
        serde_json::to_vec(&problem).unwrap_or_default()
    }

    fn authenticate(&self) -> Option<String> {
        match self {
            Self::MissingToken => Some("Bearer realm=\"taquilla\"".into()),
            Self::InvalidDoorLink => Some("Bearer realm=\"taquilla door\", error=\"invalid_token\"".into()),
            Self::InvalidToken => Some("Bearer realm=\"taquilla\", error=\"invalid_token\"".into()),
            Self::InsufficientScope(permission) => Some(format!(
                "Bearer realm=\"taquilla\", error=\"insufficient_scope\", scope=\"{}\"",
                permission.as_str()
            )),
            _ => None,
        }
    }

    fn retry_after_s(&self) -> Option<u64> {
        match self {
            Self::RateLimited { retry_after_s, .. } => Some(*retry_after_s),
            Self::Unavailable(_) => Some(UNAVAILABLE_RETRY_S),
            _ => None,
        }
    }
}

impl IntoResponse for Error {
    /// The status and headers; the body is written where the request's id is known (`edge.rs`).
    fn into_response(self) -> Response {
        let mut response = self.code().status.into_response();
        let headers = response.headers_mut();
        if let Some(challenge) = self.authenticate().and_then(|text| HeaderValue::try_from(text).ok()) {
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        if let Some(seconds) = self.retry_after_s() {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if let Self::RateLimited { allowance: Some(allowance), .. } = &self {
            allowance.tell(headers);
        }
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

impl From<store::Error> for Error {
    fn from(cause: store::Error) -> Self {
        match cause {
            store::Error::KeyRefused => Self::InvalidToken,
            store::Error::Unavailable(_) | store::Error::Again(_) => Self::Unavailable(cause.to_string()),
            _ => Self::Internal(cause.to_string()),
        }
    }
}
