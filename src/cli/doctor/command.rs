//! `taquilla doctor`.

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::{
    clock, database, disk,
    finding::{Finding, State},
    memory, open_files, program, public_url, replicas, settings,
};
use crate::cli::{common::Common, public_url::PublicUrlArg};

#[derive(Args)]
#[command(
    after_help = "Run it as the user of the service, with the variables of the service: what it may read and write \
    is what the server may. The exit code is 1 if something is wrong."
)]
pub struct Doctor {
    #[command(flatten)]
    public_url: PublicUrlArg,
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct DoctorOutput<'a> {
    healthy: bool,
    findings: &'a [Finding],
}

impl Doctor {
    /// Looks at everything. `all` is the whole command line, which says which settings there are.
    pub async fn run(self, all: clap::Command) -> anyhow::Result<()> {
        let address = self.common.database.address();
        let (mut findings, serve) = settings::look(all, &self.common.database);
        findings.insert(0, program::look());
        let (condition, found) = database::look(address).await;
        findings.extend(found);
        let replicas = serve.as_ref().map(|serve| serve.replicas.addresses()).unwrap_or_default();
        findings.extend(replicas::look(&replicas, condition.as_ref()).await);
        findings.extend(clock::look(condition.as_ref()));
        findings.extend(disk::look(address, serve.as_ref()));
        findings.push(open_files::look());
        findings.push(memory::look());
        let known = condition.and_then(|condition| condition.public_url);
        findings.extend(public_url::look(self.public_url.given().cloned().or(known)).await);
        let wrong: Vec<&Finding> = findings.iter().filter(|finding| finding.state == State::Wrong).collect();
        let fields: Vec<_> = findings.iter().map(|finding| (finding.about, finding.shown())).collect();
        self.common.output.one(&DoctorOutput { healthy: wrong.is_empty(), findings: &findings }, &fields)?;
        if wrong.is_empty() {
            return Ok(());
        }
        let mut names: Vec<&str> = wrong.iter().map(|finding| finding.about).collect();
        names.dedup();
        bail!("something is wrong: {}", names.join(", "))
    }
}
