//! The variables that a server would be started with.

use std::{collections::BTreeSet, env, net::IpAddr};

use clap::{FromArgMatches, error::ContextKind};

use taquilla_domain::public_url::PublicUrl;

use super::{finding::Finding, https};
use crate::cli::{common::Database, serve::Serve};

/// What every setting's variable begins with.
const OURS: &str = "TAQUILLA_";

/// Looks at every variable. Gives also what `taquilla serve` would make of them, if it can use them.
pub fn look(all: clap::Command, database: &Database) -> (Vec<Finding>, Option<Serve>) {
    let known = variables(&all);
    let mut findings: Vec<Finding> = given().difference(&known).map(|name| unknown(name, &known)).collect();
    let serve = all.clone().try_get_matches_from(["taquilla", "serve"]).and_then(|given| {
        let (_, given) =
            given.subcommand().ok_or_else(|| clap::Error::new(clap::error::ErrorKind::MissingSubcommand))?;
        Serve::from_arg_matches(given)
    });
    match &serve {
        Ok(serve) => {
            findings.extend(doubts(serve));
            findings.extend(https::look(serve, database));
        }
        Err(error) => findings.push(unusable(error, &all)),
    }
    if findings.iter().all(|finding| finding.about != "settings") {
        findings.insert(0, Finding::good("settings", "every variable is known, and its value can be used"));
    }
    (findings, serve.ok())
}

/// The variables of every command.
fn variables(command: &clap::Command) -> BTreeSet<String> {
    let own = command.get_arguments().filter_map(|argument| argument.get_env()?.to_str()).map(str::to_owned);
    own.chain(command.get_subcommands().flat_map(variables)).collect()
}

/// The variables that are set.
fn given() -> BTreeSet<String> {
    env::vars_os().filter_map(|(name, _)| name.into_string().ok()).filter(|name| name.starts_with(OURS)).collect()
}

fn unknown(name: &str, known: &BTreeSet<String>) -> Finding {
    let nearest = known.iter().min_by_key(|other| strsim::levenshtein(name, other));
    let meant = nearest.map(|other| format!("Was {other} meant? ")).unwrap_or_default();
    Finding::doubtful(
        "settings",
        format!("the variable {name} is set, and there is no such setting"),
        format!("{meant}`taquilla serve --help` lists them"),
    )
}

/// A value that no server starts with. clap names the flag; whoever wrote a file of variables looks for the variable.
fn unusable(error: &clap::Error, all: &clap::Command) -> Finding {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    let found = first.strip_prefix("error: ").unwrap_or(first);
    let flag = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
    let long = flag.split_whitespace().next().and_then(|flag| flag.strip_prefix("--"));
    let serve = all.find_subcommand("serve");
    let argument = serve.and_then(|serve| serve.get_arguments().find(|argument| argument.get_long() == long));
    let variable = argument.and_then(|argument| argument.get_env()?.to_str());
    let mend = match variable {
        Some(variable) => format!("Correct the variable {variable}"),
        None => "`taquilla serve --help` says what is expected".into(),
    };
    Finding::wrong("settings", found, mend)
}

/// Values that can be used, and that do not go together.
fn doubts(serve: &Serve) -> Option<Finding> {
    let here_only = is_this_machine(serve.listen.address(serve.https.default_listen()));
    let is_https = serve.public_url.given().is_some_and(|url| PublicUrl::as_str(url).starts_with("https://"));
    match serve.trust_proxy {
        true if !here_only => Some(Finding::doubtful(
            "settings",
            "TAQUILLA_TRUST_PROXY is on, and other machines reach the server directly",
            "Let only the proxy reach it: listen on 127.0.0.1, or publish a container's port to the proxy alone, or ask a \
             firewall. Anybody else could write any address into X-Forwarded-For",
        )),
        false if here_only && is_https && !serve.https.speaks_https() => Some(Finding::doubtful(
            "settings",
            "the public URL is https and the server listens on this machine only, but TAQUILLA_TRUST_PROXY is off",
            "Set TAQUILLA_TRUST_PROXY=true if a proxy is in front: without it all visitors have the proxy's address and \
             share its limits",
        )),
        false if !here_only && !serve.https.speaks_https() => Some(Finding::doubtful(
            "settings",
            "other machines reach the server directly, and it does not speak https",
            "Let the server speak https, or listen on 127.0.0.1 behind a proxy that does, with TAQUILLA_TRUST_PROXY=true: \
             passwords, keys and tickets go over the network in the clear",
        )),
        _ => None,
    }
}

fn is_this_machine(listen: &str) -> bool {
    let host = listen.rsplit_once(':').map_or(listen, |(host, _)| host).trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_this_machine_is_known() {
        for here in ["127.0.0.1:8080", "127.3.2.1:1", "localhost:80", "[::1]:8080"] {
            assert!(is_this_machine(here), "{here}");
        }
        for elsewhere in ["0.0.0.0:8080", "[::]:80", "10.0.0.1:8080", "tickets.example:80"] {
            assert!(!is_this_machine(elsewhere), "{elsewhere}");
        }
    }
}
