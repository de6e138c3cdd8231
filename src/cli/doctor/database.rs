//! The database: whether it is there, of which version, and whether it can be written to.

use std::{fs, os::unix::fs::MetadataExt, path::Path};

use taquilla_store::{
    Error, Store,
    condition::{Condition, check_writable},
    distribution::Distribution,
    migrate::LATEST,
};

use super::finding::Finding;

const LET_WRITE: &str = "Let the user of the service read and write the file and its folder";

pub async fn look(address: &str) -> (Option<Condition>, Vec<Finding>) {
    let condition = match Condition::of(address).await {
        Ok(condition) => condition,
        Err(cause) => return (None, vec![not_opened(address, &cause)]),
    };
    let mut findings = vec![version(&condition)];
    findings.extend(distribution(&condition.distribution));
    if let Err(cause) = check_writable(address).await {
        findings.push(Finding::wrong(
            "database",
            format!("it can be read and not written to: {cause}"),
            if Store::file(address).is_some() {
                LET_WRITE
            } else {
                "A standby has to be promoted before it can be written to"
            },
        ));
    }
    if let Some(doubt) = Store::doubt(address) {
        findings.push(Finding::doubtful("database", doubt, "Correct TAQUILLA_DATABASE"));
    }
    findings.extend(Store::file(address).and_then(permissions));
    (Some(condition), findings)
}

fn not_opened(address: &str, cause: &Error) -> Finding {
    let found = cause.to_string();
    match cause {
        Error::NoDatabase(_) => Finding::doubtful(
            "database",
            found,
            "On a new installation the first start of the server makes it; elsewhere correct TAQUILLA_DATABASE",
        ),
        Error::NewerSchema { .. } => Finding::wrong("database", found, "Nothing was changed"),
        Error::Address(_) if !Store::file(address).is_some_and(Path::exists) => {
            Finding::wrong("database", found, "Correct TAQUILLA_DATABASE")
        }
        _ if Store::file(address).is_some() => Finding::wrong("database", found, LET_WRITE),
        _ => Finding::wrong("database", found, "See whether PostgreSQL runs, and whether TAQUILLA_DATABASE is right"),
    }
}

fn version(condition: &Condition) -> Finding {
    let Condition { engine, schema, .. } = condition;
    let found = format!("{engine}, schema version {schema}");
    if *schema < LATEST {
        return Finding::doubtful(
            "database",
            format!("{found}, and this taquilla works with version {LATEST}"),
            "The next start brings it up to date. Stop every older server before, and make a backup with `taquilla backup`",
        );
    }
    Finding::good("database", found)
}

fn distribution(found: &Distribution) -> Option<Finding> {
    match found {
        Distribution::OneMachine => None,
        Distribution::Spread { workers } => {
            Some(Finding::good("database", format!("spread over {workers} workers of Citus")))
        }
        Distribution::Unfinished { tables } => Some(Finding::wrong(
            "database",
            format!("these tables are not where they must be on Citus: {}", tables.join(", ")),
            "Stop the servers and run `taquilla distribute`",
        )),
    }
}

/// Who may read a SQLite file, which holds personal data.
fn permissions(file: &Path) -> Option<Finding> {
    let found = fs::metadata(file).ok()?;
    let name = file.display();
    if found.mode() & 0o077 != 0 {
        return Some(Finding::doubtful(
            "database",
            format!("other users of this machine may open {name} (mode {:o})", found.mode() & 0o777),
            format!("It holds personal data: run chmod 600 {name}"),
        ));
    }
    let me = rustix::process::geteuid().as_raw();
    if found.uid() != me {
        return Some(Finding::doubtful(
            "database",
            format!("{name} belongs to user {}, and this is user {me}", found.uid()),
            "Run this as the user of the service: what it may read and write is what the server may",
        ));
    }
    None
}
