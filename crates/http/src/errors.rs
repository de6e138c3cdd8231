//! Every error that a client can get, on every face. Each face shows it in its own way (`problem.rs`, `error_page.rs`).
//! No text of the database is shown to a client.

use std::{borrow::Cow, sync::Arc};

use axum::{
    http::{HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};

use taquilla_domain::{clock::Stamp, door_link::LinkOption, key::Permission, lost_span::LostSpan, refusal::Refusal};
use taquilla_store as store;
use taquilla_store::ChangeError;

use super::{
    allowance::Allowance,
    codes::{self, Code},
    refusal_codes,
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
        /// The parameter that the client may have meant, or all that there are.
        detail: String,
    },
    /// The cursor is altered, or for another list or other filters.
    InvalidCursor,
    /// The client's mark is from history that was lost.
    MarkLost {
        /// The parameter that it was passed in.
        param: &'static str,
        /// What was lost.
        span: LostSpan,
    },
    /// No key was sent.
    MissingToken,
    /// The key is malformed, unknown, expired or revoked. All four get the same answer.
    InvalidToken,
    /// The key lacks this permission.
    InsufficientScope(Permission),
    /// There is no such thing, or it belongs to another producer.
    NotFound(&'static str),
    /// The path does not take this method.
    MethodNotAllowed,
    /// Path and query are too long.
    TargetTooLong,
    /// The headers are too large.
    HeadersTooLarge,
    /// Too many requests, or too many wrong keys.
    RateLimited {
        /// When to try again, in seconds.
        retry_after_s: u64,
        /// What was exceeded.
        detail: &'static str,
        /// The limit, if clients are told of it.
        allowance: Option<Allowance>,
    },
    /// The rules of the box office refuse it.
    Refused(Refusal),
    /// Others are before whoever orders, in the line of the event.
    InLine {
        /// How many.
        before: i64,
        /// When to try again, in seconds.
        retry_after_s: u64,
        /// The place, if it is new.
        place: Option<HeaderValue>,
    },
    /// An order came without an `Idempotency-Key`.
    MissingIdempotencyKey,
    /// The body is too large.
    BodyTooLarge {
        /// The largest size taken.
        max_kb: usize,
    },
    /// The body did not arrive in time.
    BodyTooSlow,
    /// The body broke off, or its chunks are malformed.
    BodyIncomplete,
    /// The body is not JSON.
    UnsupportedMediaType,
    /// A callback's signature is not the producer's payment processor's, or too old.
    InvalidSignature,
    /// The door link is missing, malformed, unknown, expired or revoked. All get the same answer.
    InvalidDoorLink,
    /// The door link has a PIN, and this device has not shown it.
    PinRequired,
    /// That is not the door link's PIN.
    WrongPin,
    /// A scan's id was used for another code.
    ScanIdReused,
    /// Whoever made the door link did not allow this.
    NotAllowedByLink(LinkOption),
    /// The user has no right to do this.
    Forbidden,
    /// A form came from another site.
    CrossOrigin,
    /// The form has made already what it asks for.
    FormUsed,
    /// A request that cannot be redirected came over plain http, and the server speaks https.
    HttpsOnly,
    /// The database did not answer in time. The text is for the log.
    Unavailable(String),
    /// A defect. The text is for the log.
    Internal(String),
}

/// The header with a place in the line of an event.
pub const LINE_PLACE: HeaderName = HeaderName::from_static("line-place");

/// The `Retry-After` of a 503, in seconds.
const UNAVAILABLE_RETRY_S: u64 = 2;

impl Error {
    /// A parameter whose value cannot be used.
    pub fn invalid(param: impl Into<Cow<'static, str>>, detail: impl Into<String>) -> Self {
        Self::InvalidParameter { param: param.into(), detail: detail.into() }
    }

    /// The error's code, with its status, title and advice.
    pub fn code(&self) -> &'static Code {
        match self {
            Self::InvalidParameter { .. } => &codes::INVALID_PARAMETER,
            Self::UnknownParameter { .. } => &codes::UNKNOWN_PARAMETER,
            Self::InvalidCursor => &codes::INVALID_CURSOR,
            Self::MarkLost { .. } => &codes::MARK_LOST,
            Self::MissingToken => &codes::MISSING_TOKEN,
            Self::InvalidToken => &codes::INVALID_TOKEN,
            Self::InsufficientScope(_) => &codes::INSUFFICIENT_SCOPE,
            Self::NotFound(_) => &codes::NOT_FOUND,
            Self::MethodNotAllowed => &codes::METHOD_NOT_ALLOWED,
            Self::TargetTooLong => &codes::URI_TOO_LONG,
            Self::HeadersTooLarge => &codes::HEADERS_TOO_LARGE,
            Self::RateLimited { .. } => &codes::RATE_LIMITED,
            Self::Refused(refusal) => refusal_codes::of(refusal.reason()),
            Self::InLine { .. } => &codes::IN_LINE,
            Self::MissingIdempotencyKey => &codes::MISSING_IDEMPOTENCY_KEY,
            Self::BodyTooLarge { .. } => &codes::BODY_TOO_LARGE,
            Self::BodyTooSlow => &codes::BODY_TOO_SLOW,
            Self::BodyIncomplete => &codes::BODY_INCOMPLETE,
            Self::UnsupportedMediaType => &codes::UNSUPPORTED_MEDIA_TYPE,
            Self::InvalidSignature => &codes::INVALID_SIGNATURE,
            Self::InvalidDoorLink => &codes::INVALID_DOOR_LINK,
            Self::PinRequired => &codes::PIN_REQUIRED,
            Self::WrongPin => &codes::WRONG_PIN,
            Self::ScanIdReused => &codes::SCAN_ID_REUSED,
            Self::NotAllowedByLink(_) => &codes::NOT_ALLOWED_BY_LINK,
            Self::Forbidden => &codes::FORBIDDEN,
            Self::CrossOrigin => &codes::CROSS_ORIGIN,
            Self::FormUsed => &codes::FORM_USED,
            Self::HttpsOnly => &codes::HTTPS_ONLY,
            Self::Unavailable(_) => &codes::UNAVAILABLE,
            Self::Internal(_) => &codes::INTERNAL,
        }
    }

    /// The parameter or field at fault.
    pub fn param(&self) -> Option<&str> {
        match self {
            Self::InvalidParameter { param, .. } => Some(param),
            Self::UnknownParameter { param, .. } => Some(param),
            Self::InvalidCursor => Some("cursor"),
            Self::MarkLost { param, .. } => Some(param),
            Self::Refused(Refusal::Invalid { field, .. }) => Some(field),
            Self::MissingIdempotencyKey => Some("Idempotency-Key"),
            _ => None,
        }
    }

    /// What went wrong this time, and what to do.
    pub fn detail(&self) -> Cow<'_, str> {
        match self {
            Self::InvalidParameter { detail, .. } | Self::UnknownParameter { detail, .. } => detail.into(),
            Self::MarkLost { span: LostSpan { after, until, restored_at }, .. } => format!(
                "The database was restored from a backup at {restored_at}, and what happened after {after} and up to \
                 {until} is gone. This mark is from that time. Load the list anew from an early date, and replace your \
                 copy by what comes."
            )
            .into(),
            Self::InsufficientScope(permission) => {
                format!("This call needs a key with the permission {}.", permission.as_str()).into()
            }
            Self::NotAllowedByLink(option) => format!(
                "Whoever made this door link did not allow `{}`. Ask for a link that does, or for somebody who may.",
                option.as_str()
            )
            .into(),
            Self::BodyTooLarge { max_kb } => format!("Send at most {max_kb} kB.").into(),
            Self::NotFound(what) => format!("There is no such {what}.").into(),
            Self::Refused(refusal) => refusal.to_string().into(),
            Self::RateLimited { detail, .. } => (*detail).into(),
            Self::InLine { before, .. } => format!("{before} are before you. {}", self.code().advice).into(),
            _ => self.code().advice.into(),
        }
    }

    /// When the next hold ends, if holds stand in the way.
    pub fn held_until(&self) -> Option<Stamp> {
        match self {
            Self::Refused(refusal) => refusal.ends().map(|(until, _)| until),
            _ => None,
        }
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
            Self::RateLimited { retry_after_s, .. } | Self::InLine { retry_after_s, .. } => Some(*retry_after_s),
            Self::Unavailable(_) => Some(UNAVAILABLE_RETRY_S),
            Self::Refused(refusal) => refusal.ends().map(|(_, wait_s)| wait_s),
            _ => None,
        }
    }
}

impl IntoResponse for Error {
    /// The status and headers. The face writes the body, because it knows the request's id (`edge.rs`).
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
        if let Self::InLine { place: Some(place), .. } = &self {
            headers.insert(LINE_PLACE, place.clone());
        }
        if matches!(self, Self::BodyTooLarge { .. } | Self::BodyTooSlow | Self::BodyIncomplete) {
            // The rest of the body is not read, so nothing else can come over this connection.
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

impl From<store::Error> for Error {
    fn from(cause: store::Error) -> Self {
        match cause {
            store::Error::KeyRefused => Self::InvalidToken,
            store::Error::AuthorityWithdrawn => Self::Forbidden,
            store::Error::FormUsed => Self::FormUsed,
            store::Error::Unavailable(_) | store::Error::NotConnected(_) | store::Error::Again(_)
            // The schema was upgraded under this server; the servers that know it answer.
            | store::Error::NewerSchema { .. } => {
                Self::Unavailable(cause.to_string())
            }
            _ => Self::Internal(cause.to_string()),
        }
    }
}

impl From<ChangeError> for Error {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Refused(refusal) => Self::Refused(refusal),
            ChangeError::Store(cause) => cause.into(),
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}
