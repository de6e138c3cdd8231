//! `taquilla check`.

use std::collections::BTreeMap;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use taquilla_store::{
    Conn,
    check::{self, Finding, LookedAt},
    producers,
};

use super::{
    common::Common,
    output::{Column, Output, say},
};

#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    common: Common,
}

/// What a check has found.
pub struct Verified {
    findings: Vec<Finding>,
    /// One and several of each kind, and how many there are.
    counts: Vec<(&'static str, &'static str, i64)>,
}

/// What a check has found, for machines.
#[derive(Serialize)]
pub struct Checked<'a> {
    looked_at: BTreeMap<&'a str, i64>,
    findings: Vec<FindingOutput<'a>>,
}

#[derive(Serialize)]
struct FindingOutput<'a> {
    producer: &'a str,
    kind: &'a str,
    id: &'a str,
    problem: &'a str,
}

impl Check {
    pub async fn run(self) -> anyhow::Result<()> {
        let output = &self.common.output;
        let verified = verify(&mut self.common.database.look().await?).await?;
        if output.json {
            output.one(&verified.checked(), &[])?;
        }
        verified.conclude(output)
    }
}

/// Looks at everything.
pub async fn verify(conn: &mut Conn) -> anyhow::Result<Verified> {
    let (mut findings, mut looked_at) = (Vec::new(), LookedAt::default());
    let producers = producers::all(conn).await?;
    for (tenant, id) in &producers {
        findings.extend(check::producer(conn, *tenant, id).await?);
        looked_at.add(conn, *tenant).await?;
    }
    let producers = ("producer", "producers", producers.len() as i64);
    Ok(Verified { findings, counts: std::iter::once(producers).chain(looked_at.kinds()).collect() })
}

impl Verified {
    /// For machines.
    pub fn checked(&self) -> Checked<'_> {
        let looked_at = self.counts.iter().map(|(_, several, count)| (*several, *count)).collect();
        Checked { looked_at, findings: self.findings.iter().map(shown).collect() }
    }

    /// Says for people what was found. It is an error if something is wrong.
    pub fn conclude(&self, output: &Output) -> anyhow::Result<()> {
        if !output.json && !self.findings.is_empty() {
            // A finding that is cut helps nobody.
            let output = Output { wide: true, ..*output };
            let columns = [Column::Id("producer"), Column::Fact("what"), Column::Id("id"), Column::Text("problem")];
            output.list(&self.findings, &columns, &[], shown, |finding| {
                vec![finding.producer.clone(), finding.kind.into(), finding.id.clone(), finding.problem.clone()]
            })?;
        }
        let counted = |(one, several, count): &(&str, &str, i64)| {
            format!("{count} {}", if *count == 1 { one } else { several }.replace('_', " "))
        };
        let counts: Vec<String> = self.counts.iter().map(counted).collect();
        match self.findings.len() {
            0 if output.json => Ok(()),
            0 => say(&format!("Everything holds: {}.", counts.join(", "))),
            found => bail!("not as it must be: {found}, among {}", counts.join(", ")),
        }
    }
}

fn shown(finding: &Finding) -> FindingOutput<'_> {
    let Finding { producer, kind, id, problem } = finding;
    FindingOutput { producer, kind, id, problem }
}
