//! Authority is an argument: a handler that takes a [`Reader`] runs only for a key with that permission.

use std::{convert::Infallible, marker::PhantomData, net::IpAddr};

use axum::{
    extract::{FromRequestParts, MatchedPath, Path},
    http::{HeaderValue, header, request::Parts},
    response::{IntoResponse, Response},
};

use crate::{
    app::App,
    domain::{
        id,
        key::{Permission, Secret},
    },
    error::Error,
    params::is_percent_encoded,
    rate::Allowance,
    store::{
        Conn,
        keys::{self, Key},
        producers::Tenant,
    },
};

/// A permission as a type, for [`Reader`].
pub trait Requires {
    /// The permission.
    const PERMISSION: Permission;
}

macro_rules! requires {
    ($($name:ident),+) => {
        $(/// See the permission of this name.
        pub struct $name;

        impl Requires for $name {
            const PERMISSION: Permission = Permission::$name;
        })+
    };
}
requires!(EventsRead, OrdersRead, TicketsRead);

/// A request whose key was checked in the database a moment ago and has the permission `P`.
pub struct Reader<P> {
    /// The key that was used.
    pub key: Key,
    /// The connection that the key was checked on; the handler goes on with it.
    pub conn: Conn,
    allowance: Option<Allowance>,
    permission: PhantomData<fn() -> P>,
}

/// The address that a connection came from; `server.rs` puts it on every request.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// The address that a request came from.
    pub fn of(parts: &Parts) -> Self {
        parts.extensions.get::<Self>().copied().unwrap_or(Self(IpAddr::from([0; 4])))
    }
}

impl FromRequestParts<App> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Infallible> {
        Ok(Self::of(parts))
    }
}

impl<P> Reader<P> {
    /// Whose rows may be read.
    pub fn tenant(&self) -> Tenant {
        self.key.tenant
    }

    /// Answers with JSON.
    pub fn answer(self, json: Vec<u8>) -> Response {
        let mut response = json.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        // Personal data, and true only for this key at this moment.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        if let Some(allowance) = self.allowance {
            allowance.tell(headers);
        }
        response
    }
}

impl<P: Requires> FromRequestParts<App> for Reader<P> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let ClientAddress(address) = ClientAddress::of(parts);
        let now = app.time.now();
        let failed = |refusal| app.limits.count_failure(address, refusal);

        // A mistyped key is refused by its checksum, before any database is asked.
        let secret = bearer(parts).map_err(failed)?;
        let mut conn = app.store.read().await?;
        let found = keys::find_by_hash(&mut conn, &secret.hash()).await?;
        let key = found.filter(|key| key.works(now)).ok_or_else(|| failed(Error::InvalidToken))?;

        let allowance = app.limits.count_request(&key.id)?;
        app.last_used.note(&key, now);
        if !key.permissions.allow(P::PERMISSION) {
            return Err(Error::InsufficientScope(P::PERMISSION));
        }
        Ok(Self { key, conn, allowance, permission: PhantomData })
    }
}

/// The key in the `Authorization` header, which is the only place a key is read from.
fn bearer(parts: &Parts) -> Result<Secret, Error> {
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
    Secret::parse(token.trim_matches(' ')).ok_or(Error::InvalidToken)
}

/// The id in a path. Take it after the [`Reader`], so that the key is checked first.
pub struct PathId(String);

impl PathId {
    /// The id, once parameters were checked. What cannot be an id is nobody's: the answer is that of an unknown one.
    pub fn of(self, what: &'static str) -> Result<String, Error> {
        if id::is_plausible(&self.0) { Ok(self.0) } else { Err(Error::NotFound(what)) }
    }
}

impl FromRequestParts<App> for PathId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        match Path::<String>::from_request_parts(parts, app).await {
            Ok(Path(id)) if is_percent_encoded(parts.uri.path()) => Ok(Self(id)),
            _ => Err(Error::invalid(path_parameter(parts), "The path is not valid percent-encoded UTF-8.")),
        }
    }
}

/// The name between the braces of the route's pattern.
fn path_parameter(parts: &Parts) -> String {
    let pattern = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    pattern.split(['{', '}']).nth(1).unwrap_or("id").to_owned()
}
