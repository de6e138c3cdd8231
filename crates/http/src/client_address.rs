//! Where a request came from.

use std::{convert::Infallible, net::IpAddr};

use axum::{extract::FromRequestParts, http::request::Parts};

/// The address that a connection came from; `server/request.rs` puts it on every request.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// The address that a request came from.
    pub fn of(parts: &Parts) -> Self {
        parts.extensions.get::<Self>().copied().unwrap_or(Self(IpAddr::from([0; 4])))
    }
}

impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}
