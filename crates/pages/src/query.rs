//! The query of a page's address.

use std::convert::Infallible;

use axum::{extract::FromRequestParts, http::request::Parts};

use super::form::{Form, fields};

/// The query of a page.
#[derive(Default)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// All of it, as the fields of a form.
    pub fn into_form(self) -> Form {
        Form::of(self.0)
    }

    /// The first value with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, value)| given == name && !value.is_empty()).map(|(_, value)| value.as_str())
    }
}

impl<S: Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let query = parts.uri.query().unwrap_or_default();
        Ok(Self(fields(query.as_bytes())))
    }
}
