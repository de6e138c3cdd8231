//! What the commands for events and ticket types share.

use anyhow::{Context, bail};
use serde_json::Value;

use crate::{
    app::Time,
    domain::clock::Stamp,
    import,
    store::{Store, producers::Tenant},
};

/// Creates one thing: a line of an import, with all its checks.
pub async fn create(store: &Store, tenant: Tenant, line: &Value) -> anyhow::Result<()> {
    match import::run(store, tenant, line.to_string().as_bytes(), &Time::System, |_| ()).await {
        Ok(_) => Ok(()),
        Err(import::Error::Line(fault)) => {
            let field = fault.field.map(|field| format!("{field}: ")).unwrap_or_default();
            bail!("{field}{}", fault.message)
        }
        Err(other) => Err(other.into()),
    }
}

/// A time given as a flag.
pub fn parse_stamp(flag: &str, text: Option<String>) -> anyhow::Result<Option<Stamp>> {
    let Some(text) = text else { return Ok(None) };
    Ok(Some(Stamp::parse(&text).with_context(|| format!("{flag} is not a time such as 2027-01-01T21:00:00Z"))?))
}

/// A value given by its name.
pub fn pick<T: Copy>(
    flag: &str,
    text: Option<String>,
    all: &[T],
    name_of: fn(T) -> &'static str,
) -> anyhow::Result<Option<T>> {
    let Some(text) = text else { return Ok(None) };
    let found = all.iter().copied().find(|value| name_of(*value) == text);
    let names: Vec<&str> = all.iter().map(|value| name_of(*value)).collect();
    Ok(Some(found.with_context(|| format!("{flag} is one of {}", names.join(", ")))?))
}
