//! Query parameters, read strictly, so that a mistake is reported instead of ignored.

use std::fmt::Write as _;

use percent_encoding::percent_decode_str;
use utoipa::IntoParams;

use taquilla_domain::{
    clock::Stamp,
    config::{PAGE_DEFAULT, PAGE_MAX},
    id,
    text::Name,
};

use super::errors::Error;

/// The parameter that may be given several times.
const REPEATABLE: &str = "status";
/// How many letters may differ between an unknown parameter and the one that its sender may have meant.
const MEANT_DISTANCE: usize = 3;

/// The names of the parameters that a call documents. It takes these and no others.
pub struct Known(Vec<String>);

impl Known {
    /// The parameters that `D` documents.
    pub fn of<D: IntoParams>() -> Self {
        Self(D::into_params(|| None).into_iter().map(|parameter| parameter.name).collect())
    }
}

/// The parameters of one request. Reading a filter also adds it to [`Params::binding`], so a cursor is always bound to
/// every filter.
pub struct Params {
    given: Vec<(String, String)>,
    binding: String,
}

impl Params {
    /// Decodes the query string of a call. Names that the call does not document are refused.
    pub fn parse(query: Option<&str>, known: &Known) -> Result<Self, Error> {
        let mut given: Vec<(String, String)> = Vec::new();
        for pair in query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode(name)
                .ok_or_else(|| Error::invalid("query", "A parameter's name is not valid percent-encoded UTF-8."))?;
            if !known.0.contains(&name) {
                return Err(unknown(name, &known.0));
            }
            let Some(value) = decode(value) else {
                return Err(Error::invalid(name, "The value is not valid percent-encoded UTF-8."));
            };
            if name != REPEATABLE && given.iter().any(|(earlier, _)| *earlier == name) {
                return Err(Error::invalid(name, "This parameter may be given only once."));
            }
            given.push((name, value));
        }
        Ok(Self { given, binding: String::new() })
    }

    /// Checks that a call without parameters gets none.
    pub fn none(query: Option<&str>) -> Result<(), Error> {
        Self::parse(query, &Known(Vec::new())).map(|_| ())
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }

    fn bind(&mut self, name: &str, value: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _always_ok = writeln!(self.binding, "{name}={value}");
    }

    /// Every filter read so far, in a normal form.
    pub fn binding(&self) -> &str {
        &self.binding
    }

    /// An id to filter by.
    pub fn id(&mut self, name: &'static str) -> Result<Option<String>, Error> {
        let Some(value) = self.get(name).map(str::to_owned) else { return Ok(None) };
        if !id::is_plausible(&value) {
            return Err(Error::invalid(name, "An id has 1 to 128 characters and no control characters."));
        }
        self.bind(name, &value);
        Ok(Some(value))
    }

    /// A name, without the spaces around it.
    pub fn name(&mut self, name: &'static str) -> Result<Option<Name>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let parsed = Name::parse(value).map_err(|cause| Error::invalid(name, format!("This is no name: {cause}.")))?;
        let parsed = parsed.trimmed();
        self.bind(name, parsed.as_str());
        Ok(Some(parsed))
    }

    /// A date to filter by.
    pub fn stamp(&mut self, name: &'static str) -> Result<Option<Stamp>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let stamp = Stamp::parse(value).ok_or_else(|| {
            Error::invalid(
                name,
                "A date is RFC 3339, such as 2026-09-05T22:41:07Z, or a plain date, such as 2026-09-05.",
            )
        })?;
        self.bind(name, stamp.micros());
        Ok(Some(stamp))
    }

    /// Statuses to filter by, given repeatedly, separated by commas, or both. The result has each once, in declaration
    /// order.
    pub fn statuses<T: Copy + Ord>(
        &mut self,
        all: &'static [T],
        name_of: fn(T) -> &'static str,
    ) -> Result<Vec<T>, Error> {
        let mut statuses = Vec::new();
        for text in self.given.iter().filter(|(name, _)| name == REPEATABLE).flat_map(|(_, value)| value.split(',')) {
            match all.iter().find(|status| name_of(**status) == text) {
                Some(status) => statuses.push(*status),
                None => {
                    let names: Vec<&str> = all.iter().map(|status| name_of(*status)).collect();
                    return Err(Error::invalid(REPEATABLE, format!("A status is one of {}.", names.join(", "))));
                }
            }
        }
        statuses.sort();
        statuses.dedup();
        for status in &statuses {
            self.bind(REPEATABLE, name_of(*status));
        }
        Ok(statuses)
    }

    /// A flag; `false` if it is not given.
    pub fn flag(&mut self, name: &'static str) -> Result<bool, Error> {
        let value = match self.get(name) {
            None => return Ok(false),
            Some("true") => true,
            Some("false") => false,
            Some(_) => return Err(Error::invalid(name, "This parameter is true or false.")),
        };
        self.bind(name, value);
        Ok(value)
    }

    /// The most rows on a page. It may change from page to page, so a cursor is not bound to it.
    pub fn limit(&self) -> Result<usize, Error> {
        let Some(value) = self.get("limit") else { return Ok(PAGE_DEFAULT as usize) };
        value
            .parse::<u32>()
            .ok()
            .filter(|limit| (1..=PAGE_MAX).contains(limit) && value.bytes().all(|byte| byte.is_ascii_digit()))
            .map(|limit| limit as usize)
            .ok_or_else(|| Error::invalid("limit", format!("The limit is a whole number from 1 to {PAGE_MAX}.")))
    }

    /// The cursor as it was given.
    pub fn cursor(&self) -> Option<&str> {
        self.get("cursor")
    }
}

/// Decodes a component of a query string, where `+` is a space. `None` if it is not valid.
fn decode(component: &str) -> Option<String> {
    if !component.bytes().any(|byte| matches!(byte, b'%' | b'+')) {
        return Some(component.to_owned());
    }
    if !is_percent_encoded(component) {
        return None;
    }
    let spaced = component.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

/// Whether every `%` is followed by two hexadecimal digits.
pub fn is_percent_encoded(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit()))
}

fn unknown(name: String, known: &[String]) -> Error {
    // Texts whose lengths differ by more than this are further apart than this, however long they are. Comparing those
    // would let a long name cost more than the rest of the request.
    let length = name.chars().count();
    let near = known.iter().filter(|known| known.chars().count().abs_diff(length) <= MEANT_DISTANCE);
    let nearest = near.map(|known| (strsim::damerau_levenshtein(known, &name), known)).min();
    let detail = match nearest {
        Some((distance, nearest)) if distance <= MEANT_DISTANCE => {
            format!("There is no such parameter; did you mean {nearest}?")
        }
        _ if known.is_empty() => "This call takes no parameters.".into(),
        _ => format!("There is no such parameter; this call takes {}.", known.join(", ")),
    };
    // Echoed in the answer: keep it short, whatever was sent.
    Error::UnknownParameter { param: name.chars().take(64).collect(), detail }
}
