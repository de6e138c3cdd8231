//! `taquilla check`.

use std::collections::BTreeMap;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::{
    common::Common,
    output::{Column, Output, say},
};
use crate::store::{
    check::{self, Finding, LookedAt},
    producers,
};

#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct Checked<'a> {
    looked_at: BTreeMap<&'a str, i64>,
    findings: Vec<Shown<'a>>,
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
        let output = &self.common.output;
        let mut conn = self.common.database.look().await?;
        let (mut findings, mut looked_at) = (Vec::new(), LookedAt::default());
        let producers = producers::all(&mut conn).await?;
        for (tenant, id) in &producers {
            findings.extend(check::producer(&mut conn, *tenant, id).await?);
            looked_at.add(&mut conn, *tenant).await?;
        }
        let producers = ("producer", "producers", producers.len() as i64);
        let counts: Vec<(&str, &str, i64)> = std::iter::once(producers).chain(looked_at.kinds()).collect();
        if output.json {
            let looked_at = counts.iter().map(|(_, several, count)| (*several, *count)).collect();
            output.one(&Checked { looked_at, findings: findings.iter().map(shown).collect() }, &[])?;
        } else if !findings.is_empty() {
            // A finding that is cut helps nobody.
            let output = Output { wide: true, ..*output };
            let columns = [Column::Id("producer"), Column::Fact("what"), Column::Id("id"), Column::Text("problem")];
            output.list(&findings, &columns, &[], shown, |finding| {
                vec![finding.producer.clone(), finding.kind.into(), finding.id.clone(), finding.problem.clone()]
            })?;
        }
        let counts: Vec<String> = counts
            .into_iter()
            .map(|(one, several, count)| {
                format!("{count} {}", if count == 1 { one } else { several }.replace('_', " "))
            })
            .collect();
        match findings.len() {
            0 if output.json => Ok(()),
            0 => say(&format!("Everything holds: {}.", counts.join(", "))),
            found => bail!("not as it must be: {found}, among {}", counts.join(", ")),
        }
    }
}

fn shown(finding: &Finding) -> Shown<'_> {
    let Finding { producer, kind, id, problem } = finding;
    Shown { producer, kind, id, problem }
}
