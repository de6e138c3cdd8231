//! Authority is an argument: a handler that takes a [`Reader`] runs only for a key with that permission.

use std::{convert::Infallible, marker::PhantomData, net::IpAddr};

use axum::{
    body::Body,
    extract::{FromRequestParts, MatchedPath, Path},
    http::{HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    app::App,
    domain::{
        id,
        key::{Opens, Permission, Secret},
    },
    error::Error,
    last_used::Used,
    params::is_percent_encoded,
    rate::Allowance,
    store::{
        self, Conn,
        keys::{self, Checked as Key},
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

/// A request whose key has the permission `P`.
///
/// The key is looked up in the database for every request, before anything else is read or together with it: where the
/// database is a network away and the key was seen before, its check travels with the first statement, and that
/// statement gives no row to a key that no longer works.
pub struct Reader<P> {
    /// The key that was used.
    pub key: Key,
    /// The connection that the key is checked on; the handler goes on with it.
    pub conn: Conn,
    allowance: Option<Allowance>,
    if_none_match: Option<HeaderValue>,
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

    /// What the client asked for, once its key was checked: what is wrong with a key is told before what is wrong with
    /// a parameter. Where nothing is wrong the check may go on travelling.
    pub async fn asked<T>(&mut self, asked: Result<T, Error>) -> Result<T, Error> {
        if asked.is_err() {
            self.conn.settle().await?;
        }
        asked
    }

    /// Answers with JSON, or with nothing where the client says that it has this very answer already.
    pub fn answer(self, json: Vec<u8>) -> Response {
        if !self.conn.is_settled() {
            return Error::Internal("an answer to a key that was not checked".into()).into_response();
        }
        let tag = entity_tag(&json);
        let known = self.if_none_match.is_some_and(|known| lists(&known, tag.as_bytes()));
        let mut response = match known {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => Body::from(json).into_response(),
        };
        let headers = response.headers_mut();
        if !known {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        // Personal data, and true only for this key at this moment.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(header::ETAG, tag);
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Some(allowance) = self.allowance {
            allowance.tell(headers);
        }
        response
    }
}

/// A weak tag: it names the content, whether it is sent compressed or not.
fn entity_tag(content: &[u8]) -> HeaderValue {
    let tag = format!("W/\"{:016x}\"", xxh3_64(content));
    HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("W/\"\""))
}

/// Whether an `If-None-Match` header lists this tag; weak and strong ones of the same name are the same here (RFC 9110).
fn lists(header: &HeaderValue, tag: &[u8]) -> bool {
    let bare = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_owned();
    header
        .as_bytes()
        .split(|byte| *byte == b',')
        .map(<[u8]>::trim_ascii)
        .any(|known| known == b"*" || bare(known) == bare(tag))
}

impl<P: Requires> FromRequestParts<App> for Reader<P> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let ClientAddress(address) = ClientAddress::of(parts);
        let now = app.time.now();
        let failed = |refusal| app.limits.count_failure(address, refusal);

        // A mistyped key is refused by its checksum, before any database is asked.
        let hash = bearer(parts, Opens::Api).map_err(failed)?.hash();
        let mut conn = app.store.read().await?;
        let key = match app.known_keys.get(&hash).filter(|_| conn.is_remote()) {
            Some(key) => {
                let app = app.clone();
                let (tenant, permissions) = (key.tenant, key.permissions);
                keys::check_along(&mut conn, hash.clone(), move |found| match found.filter(|key| key.works(now)) {
                    Some(key) if key.tenant == tenant && key.permissions == permissions => {
                        app.last_used.note(Used::Key, &key.id, key.last_used_at, now);
                        Ok(())
                    }
                    // From now on it is an unknown key, and counted as such.
                    _ => {
                        app.known_keys.forget(&hash);
                        Err(store::Error::KeyRefused)
                    }
                })?;
                key
            }
            None => {
                let found = keys::find_by_hash(&mut conn, &hash).await?;
                let key = found.filter(|key| key.works(now)).ok_or_else(|| failed(Error::InvalidToken))?;
                app.last_used.note(Used::Key, &key.id, key.last_used_at, now);
                if conn.is_remote() {
                    app.known_keys.remember(hash, key.clone());
                }
                key
            }
        };

        let allowance = app.limits.count_request(&key.id);
        let permitted = match key.permissions.allow(P::PERMISSION) {
            true => Ok(()),
            false => Err(Error::InsufficientScope(P::PERMISSION)),
        };
        let if_none_match = parts.headers.get(header::IF_NONE_MATCH).cloned();
        let mut reader = Self { key, conn, allowance: None, if_none_match, permission: PhantomData };
        reader.allowance = reader.asked(allowance).await?;
        reader.asked(permitted).await?;
        Ok(reader)
    }
}

/// The secret in the `Authorization` header, which is the only place where one is read from.
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

/// The id in a path, or what is wrong with it, which is told once the key was checked.
pub struct PathId(Result<String, Error>);

impl PathId {
    /// The id, once parameters were checked. What cannot be an id is nobody's: the answer is that of an unknown one.
    pub fn of(self, what: &'static str) -> Result<String, Error> {
        self.0.and_then(|id| if id::is_plausible(&id) { Ok(id) } else { Err(Error::NotFound(what)) })
    }
}

impl FromRequestParts<App> for PathId {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        Ok(Self(match Path::<String>::from_request_parts(parts, app).await {
            Ok(Path(id)) if is_percent_encoded(parts.uri.path()) => Ok(id),
            _ => Err(Error::invalid(path_parameter(parts), "The path is not valid percent-encoded UTF-8.")),
        }))
    }
}

/// The name between the braces of the route's pattern.
fn path_parameter(parts: &Parts) -> String {
    let pattern = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    pattern.split(['{', '}']).nth(1).unwrap_or("id").to_owned()
}
