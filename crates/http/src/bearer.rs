//! The secret in a request.

use axum::http::{header, request::Parts};

use taquilla_domain::key::{Opens, Secret};

use super::errors::Error;

/// The secret in the `Authorization` header. It is read from nowhere else.
pub fn bearer(parts: &Parts, opens: Opens) -> Result<Secret, Error> {
    let mut headers = parts.headers.get_all(header::AUTHORIZATION).iter();
    let header = headers.next().ok_or(Error::MissingToken)?;
    if headers.next().is_some() {
        return Err(Error::InvalidToken);
    }
    let text = header.to_str().map_err(|_| Error::InvalidToken)?;
    let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
    if !scheme.eq_ignore_ascii_case("Bearer") {
        return Err(Error::MissingToken);
    }
    Secret::parse(opens, token.trim_matches(' ')).ok_or(Error::InvalidToken)
}
