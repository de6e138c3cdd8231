//! Where a request came from.

use std::{convert::Infallible, net::IpAddr, sync::Arc};

use axum::{extract::FromRequestParts, http::request::Parts};

use super::connections::{Exchange, NOWHERE};

/// The address that a request came from; `server/request.rs` notes it with every request's [`Exchange`].
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// The address that a request came from.
    pub fn of(parts: &Parts) -> Self {
        Self(parts.extensions.get::<Arc<Exchange>>().map_or(NOWHERE, |exchange| exchange.address))
    }
}

impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}
