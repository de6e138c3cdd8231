//! Ids in paths.

use std::convert::Infallible;

use axum::{
    extract::{FromRequestParts, MatchedPath, Path},
    http::request::Parts,
};

use taquilla_domain::id;

use super::{errors::Error, params::is_percent_encoded};

/// The id in a path, or what is wrong with it. The error is reported after the key was checked.
pub struct PathId(Result<String, Error>);

impl PathId {
    /// The id. A text that cannot be an id gets the same answer as an unknown id.
    pub fn of(self, what: &'static str) -> Result<String, Error> {
        self.0.and_then(|id| if id::is_plausible(&id) { Ok(id) } else { Err(Error::NotFound(what)) })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Ok(Self(match Path::<String>::from_request_parts(parts, state).await {
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
