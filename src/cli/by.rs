//! Who works at the command line, and writing down what they did.

use super::output::refused;
use crate::{
    admin::staff::history,
    domain::audit::{Action, By, Details},
    store::{Store, Tenant},
    time_source::TimeSource,
};

/// The account of the machine that runs this command, now.
pub fn by() -> By {
    let named = ["SUDO_USER", "USER", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok());
    let is_name = |name: &String| (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic());
    let account = named.filter(is_name).unwrap_or_else(|| format!("uid {}", rustix::process::getuid().as_raw()));
    By::command_line(&account, TimeSource::System.now())
}

/// Writes down what a command did, once it has done it.
pub async fn note(
    store: &Store,
    tenant: Tenant,
    action: Action,
    subject: &str,
    details: Details<'_>,
) -> anyhow::Result<()> {
    history::note(store, Some(tenant), &by(), action, subject, details).await.map_err(refused)
}

/// The details that were given.
pub fn given<'a>(details: &'a [(&'static str, Option<String>)]) -> Vec<(&'static str, &'a str)> {
    details.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?))).collect()
}
