//! Forms that a browser sends, and what is shown again when something in them is wrong.

use std::borrow::Cow;

use axum::extract::{FromRequest, Request};
use url::form_urlencoded;

use taquilla_domain::config::FORM_MAX;
use taquilla_http::{body, errors::Error};

/// The fields of a form, in their order. A field may be there several times.
#[derive(Clone, Default)]
pub struct Form {
    fields: Vec<(String, String)>,
    errors: Vec<(Cow<'static, str>, String)>,
}

impl Form {
    /// A form as it is first shown, with these values.
    pub fn filled(values: &[(&str, &str)]) -> Self {
        let fields = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self { fields, errors: Vec::new() }
    }

    /// A form with these fields, which were sent in another way.
    pub fn of(fields: Vec<(String, String)>) -> Self {
        Self { fields, errors: Vec::new() }
    }

    /// The names of all fields with a value.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(|(_, value)| !value.is_empty()).map(|(name, _)| name.as_str())
    }

    /// The value of a field, or an empty text.
    pub fn value(&self, name: &str) -> &str {
        self.fields.iter().find(|(field, _)| field == name).map_or("", |(_, value)| value)
    }

    /// The fields, to be put into another form.
    pub fn into_fields(self) -> Vec<(String, String)> {
        self.fields
    }

    /// Gives a field another value.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.fields.retain(|(field, _)| field != name);
        self.fields.push((name.to_owned(), value.into()));
    }

    /// The values of a field that may be there several times.
    pub fn values<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.fields.iter().filter(move |(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// Whether a box with this value is checked.
    pub fn has(&self, name: &str, value: &str) -> bool {
        self.values(name).any(|given| given == value)
    }

    /// Says what is wrong with a field.
    pub fn wrong(&mut self, field: impl Into<Cow<'static, str>>, message: impl Into<String>) {
        self.errors.push((field.into(), message.into()));
    }

    /// What is wrong with a field.
    pub fn error(&self, field: &str) -> Option<&str> {
        self.errors.iter().find(|(name, _)| *name == field).map(|(_, message)| message.as_str())
    }

    /// All that is wrong.
    pub fn errors(&self) -> &[(Cow<'static, str>, String)] {
        &self.errors
    }

    /// Reads a field. If that fails, the message is said beside the field.
    pub fn read<T, E>(
        &mut self,
        field: &'static str,
        parse: impl FnOnce(&str) -> Result<T, E>,
        message: impl FnOnce(E) -> String,
    ) -> Option<T> {
        match parse(self.value(field)) {
            Ok(value) => Some(value),
            Err(error) => {
                self.wrong(field, message(error));
                None
            }
        }
    }
}

/// The fields of a form's body or of a query. A null character, which PostgreSQL does not take and no browser sends, is
/// replaced by the sign for a character that cannot be shown.
pub fn fields(text: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(text).map(|(name, value)| (name.into_owned(), value.replace('\0', "\u{fffd}"))).collect()
}

impl<S: Sync> FromRequest<S> for Form {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        if !body::is_of_type(&request, "application/x-www-form-urlencoded") {
            return Err(Error::UnsupportedMediaType);
        }
        let body = body::read(request, FORM_MAX).await?;
        Ok(Self { fields: fields(&body), errors: Vec::new() })
    }
}
