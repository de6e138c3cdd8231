//! The certificates that a server would serve, and the folders that it would write to.

use std::{io, path::Path};

use rustix::fs::{Access, access};

use taquilla_domain::{clock::Stamp, config::CERTIFICATE_ENDS_SOON, time_source::TimeSource};
use taquilla_rules::backup::prepare_folder;

use super::finding::Finding;
use crate::{
    cli::{common::Database, serve::Serve},
    tls::Ordered,
};

const ABOUT: &str = "certificate";

/// Looks at what a server with these settings would exit for, and at what its clients would not accept.
pub fn look(serve: &Serve, database: &Database) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Err(mistake) = serve.https.check() {
        findings.push(Finding::wrong("settings", mistake.to_string(), "`taquilla serve --help` says what is expected"));
    }
    findings.extend(serve.backups.folder().and_then(|folder| writable("TAQUILLA_BACKUP_DIR", folder)));
    if let Some(files) = serve.https.files() {
        findings.push(match files {
            Ok(valid) => {
                certificate("", valid, TimeSource::System.now(), "Renew it: the server reads the new one by itself")
            }
            Err(cause) => Finding::wrong(
                ABOUT,
                cause.to_string(),
                "Correct TAQUILLA_TLS_CERT and TAQUILLA_TLS_KEY: the server does not start",
            ),
        });
    }
    if let Some((folder, ordered)) = serve.https.ordered(database) {
        findings.extend(writable("TAQUILLA_ACME_DIR", &folder));
        let mend = "The server orders a new one by itself; its log says why it could not";
        let now = TimeSource::System.now();
        findings.extend(ordered.iter().filter_map(|of| of_domain(of, now, mend)));
    }
    findings
}

/// What is to be said of a domain whose certificate is ordered. Before the first order there is nothing.
fn of_domain(ordered: &Ordered, now: Stamp, mend: &str) -> Option<Finding> {
    let of = format!("{}: ", ordered.domain);
    match ordered.valid {
        Some(valid) => Some(certificate(&of, valid, now, mend)),
        None if ordered.failures == 0 => None,
        None => {
            let found = format!("{of}there is none, and orders have failed (in a row: {})", ordered.failures);
            Some(Finding::wrong(ABOUT, found, mend))
        }
    }
}

fn certificate(of: &str, (from, until): (Stamp, Stamp), now: Stamp, mend: &str) -> Finding {
    let day = |at: Stamp| at.to_string()[..10].to_owned();
    if now >= until {
        return Finding::wrong(ABOUT, format!("{of}it ended on {}, and clients do not accept it", day(until)), mend);
    }
    if now < from {
        let mend = "See whether the clock of this machine is right";
        return Finding::wrong(
            ABOUT,
            format!("{of}it begins on {}, and clients do not accept it before", day(from)),
            mend,
        );
    }
    let found = format!("{of}it is valid until {}", day(until));
    match until.minus(CERTIFICATE_ENDS_SOON) <= now {
        true => Finding::doubtful(ABOUT, found, mend),
        false => Finding::good(ABOUT, found),
    }
}

fn writable(variable: &str, folder: &Path) -> Option<Finding> {
    try_to_write(folder).err().map(|cause| {
        let text = cause.to_string();
        let text = text.split(" (os error").next().unwrap_or_default();
        let found = format!("{variable}: cannot write to the folder {}: {text}", folder.display());
        Finding::wrong("settings", found, "Let the user of the service write there: the server does not start")
    })
}

/// Whether a server could keep files in a folder. A folder that is missing is not made.
fn try_to_write(folder: &Path) -> io::Result<()> {
    if folder.try_exists()? {
        return prepare_folder(folder);
    }
    let there = folder.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    if !there.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    Ok(access(there, Access::WRITE_OK | Access::EXEC_OK)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::doctor::finding::State;

    #[test]
    fn a_certificate_is_looked_at_by_its_days() {
        let at = |text: &str| Stamp::parse(text).unwrap();
        let valid = (at("2027-01-01"), at("2027-04-01"));
        for (now, state) in [
            ("2026-12-31", State::Wrong),
            ("2027-01-01", State::Good),
            ("2027-03-17", State::Good),
            ("2027-03-19", State::Doubtful),
            ("2027-04-01", State::Wrong),
        ] {
            assert_eq!(certificate("", valid, at(now), "").state, state, "{now}");
        }
    }
}
