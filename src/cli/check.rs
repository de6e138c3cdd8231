//! `taquilla check`.

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::{common::Common, output::say};
use crate::store::{
    check::{self, Finding},
    producers,
};

#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct Shown<'a> {
    producer: &'a str,
    kind: &'a str,
    id: &'a str,
    problem: &'a str,
}

impl Check {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, output) = (self.common.open().await?, &self.common.output);
        // The questions go through whole tables: not for the connections that serve requests.
        let mut conn = store.dedicated().await?;
        let mut findings: Vec<Finding> = Vec::new();
        let producers = producers::all(&mut conn).await?;
        for (tenant, id) in &producers {
            findings.extend(check::producer(&mut conn, *tenant, id).await?);
        }
        if !findings.is_empty() || output.json {
            output.list(&findings, &["producer", "what", "id", "problem"], shown, |finding| {
                vec![finding.producer.clone(), finding.kind.into(), finding.id.clone(), finding.problem.clone()]
            })?;
        }
        match findings.len() {
            0 if output.json => Ok(()),
            0 => {
                let plural = if producers.len() == 1 { "" } else { "s" };
                say(&format!("Everything holds for {} producer{plural}.", producers.len()))
            }
            count => bail!("not as it must be: {count}"),
        }
    }
}

fn shown(finding: &Finding) -> Shown<'_> {
    let Finding { producer, kind, id, problem } = finding;
    Shown { producer, kind, id, problem }
}
