//! A handler that takes a [`Reader`] runs only for a key with that reader's permission.
//!
//! [`Reader::asked`] gives the connection and makes sure that the key is checked, at once or with the first statement.
//! A handler that reads without calling it does not compile:
//!
//! ```compile_fail
//! use taquilla_http::reader::{Reader, TicketsRead};
//!
//! async fn read(mut reader: Reader<TicketsRead>) -> taquilla_store::Result<bool> {
//!     let tenant = reader.tenant();
//!     taquilla_store::catalogue::events::exists(&mut reader.conn, tenant, "ev").await
//! }
//! ```
//!
//! A handler that calls it does:
//!
//! ```
//! use taquilla_http::{errors::Error, reader::{Reader, TicketsRead}};
//!
//! async fn read(reader: Reader<TicketsRead>) -> Result<bool, Error> {
//!     let (mut reader, ()) = reader.asked(Ok(())).await?;
//!     let tenant = reader.tenant();
//!     Ok(taquilla_store::catalogue::events::exists(&mut reader.conn, tenant, "ev").await?)
//! }
//! ```

use std::{marker::PhantomData, sync::Arc};

use axum::{
    body::Body,
    extract::FromRequestParts,
    http::{HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
};

use futures_util::future::join;

use taquilla_domain::key::{Opens, Permission};
use taquilla_store as store;
use taquilla_store::{
    AtReplica, Conn, Tenant,
    credentials::Credential,
    keys::{self, Checked as Key},
};

use super::{
    allowance::Allowance,
    app::App,
    bearer::bearer,
    caller::{self, Caller},
    client_address::ClientAddress,
    entity_tag::{entity_tag, lists},
    errors::Error,
    last_used,
    rate::{Guess, Pace, Source},
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
/// Every request asks the database whether the key works, before anything else is read or together with it. If the
/// database is remote and this server has seen the key before, the check is a part of the first statement, which gives no
/// rows if the key no longer works. A SQLite connection looks the key up only if anything was committed since it last did.
pub struct Reader<P> {
    granted: Granted,
    permission: PhantomData<fn() -> P>,
}

impl<P> Reader<P> {
    /// The producer whose rows may be read.
    pub fn tenant(&self) -> Tenant {
        self.granted.tenant()
    }

    /// Takes the parsed request and gives the connection to answer it. If parsing failed, the key is checked first, so
    /// that a problem with the key is reported before one with a parameter. Otherwise the check may still wait for the
    /// first statement.
    pub async fn asked<T>(self, asked: Result<T, Error>) -> Result<(Granted, T), Error> {
        let mut granted = self.granted;
        match asked {
            Ok(asked) => Ok((granted, asked)),
            Err(error) => {
                granted.conn.settle().await?;
                Err(error)
            }
        }
    }
}

/// Headers of an answer, about; only a first guess for the size of a map.
const HEADERS: usize = 12;

/// A request that may read; its key was checked, or is checked with the first statement.
pub struct Granted {
    /// The key that was used.
    pub key: Arc<Key>,
    /// The connection that the key is checked on.
    pub conn: Conn,
    allowance: Option<Allowance>,
    if_none_match: Option<HeaderValue>,
}

impl Granted {
    /// The producer whose rows may be read.
    pub fn tenant(&self) -> Tenant {
        self.key.tenant
    }

    /// What a replica answers, if it does. The database itself is asked at the same time whether the key works: a replica may
    /// not know yet that it was revoked.
    pub async fn beside<T>(
        &mut self,
        replica: &AtReplica,
        asked: impl Future<Output = store::Result<T>>,
    ) -> Result<Option<T>, Error> {
        let (checked, answer) = join(self.conn.settle(), replica.answer(asked)).await;
        checked?;
        Ok(answer)
    }

    /// Answers with JSON, or with 304 and no body if the client has the same answer already.
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
        headers.reserve(HEADERS);
        if !known {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        // The answer has personal data and is true for this key at this moment only.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        headers.insert(header::ETAG, tag);
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
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
        let failed = |refusal| app.limits.failed(Guess::Credential, Source::address(address), refusal);

        // The checksum refuses a mistyped key before the database is asked.
        let hash = bearer(parts, Opens::Api).map_err(failed)?.hash();
        let known = app.known_keys.get(&hash);
        let is_new = known.is_none();
        if is_new {
            app.limits.may_attempt(Guess::Credential, &Source::address(address))?;
        }
        let mut conn = match &known {
            Some(key) => app.store.read_of(key.tenant).await?,
            None => app.store.read().await?,
        };
        // A key whose use is to be noted is read anew, to learn whether somebody has noted one.
        let is_known = |key: &Arc<Key>| key.works(now) && !last_used::is_due(key.last_used_at(), now);
        let key = match known.filter(|key| conn.is_remote() && is_known(key)) {
            Some(key) => {
                let app = app.clone();
                // The next request with a refused key looks it up as an unknown one, and counts as a failure.
                keys::check_along(&mut conn, hash.clone(), &key, now, move || app.known_keys.forget(&hash))?;
                key
            }
            None => {
                let found = keys::find_by_hash(&mut conn, &hash).await?;
                let Some(key) = found.filter(|key| key.works(now)) else {
                    app.known_keys.forget(&hash);
                    return Err(failed(Error::InvalidToken));
                };
                app.last_used.note(Credential::Key, key.tenant, &key.id, key.last_used_at(), now);
                if is_new || conn.is_remote() {
                    app.known_keys.remember(hash, Arc::clone(&key));
                }
                key
            }
        };

        caller::is(Caller::Key(Arc::clone(&key)));
        let allowance = app.limits.count(Pace::KeyRequests, &[Source::id(&key.id)]);
        let permitted = match key.permissions.allow(P::PERMISSION) {
            true => Ok(()),
            false => Err(Error::InsufficientScope(P::PERMISSION)),
        };
        let if_none_match = parts.headers.get(header::IF_NONE_MATCH).cloned();
        let granted = Granted { key, conn, allowance: None, if_none_match };
        let reader = Self { granted, permission: PhantomData };
        let (granted, (allowance, ())) = reader.asked(allowance.and_then(|left| Ok((left, permitted?)))).await?;
        Ok(Self { granted: Granted { allowance, ..granted }, permission: PhantomData })
    }
}
