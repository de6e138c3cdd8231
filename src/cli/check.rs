//! `taquilla check`.

use anyhow::bail;
use clap::Args;

use super::{
    Database,
    output::{Output, say},
};
use crate::store::{
    check::{self, Finding},
    producers,
};

#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

impl Check {
    pub async fn run(self) -> anyhow::Result<()> {
        let store = self.database.open().await?;
        // The questions go through whole tables: not for the connections that serve requests.
        let mut conn = store.dedicated().await?;
        let mut findings: Vec<Finding> = Vec::new();
        let producers = producers::all(&mut conn).await?;
        for (tenant, id) in &producers {
            findings.extend(check::producer(&mut conn, *tenant, id).await?);
        }
        if !findings.is_empty() || self.output.json {
            self.output.list(&findings, &["producer", "what", "id", "problem"], |finding| {
                vec![finding.producer.clone(), finding.kind.into(), finding.id.clone(), finding.problem.clone()]
            })?;
        }
        match findings.len() {
            0 if self.output.json => Ok(()),
            0 => {
                let plural = if producers.len() == 1 { "" } else { "s" };
                say(&format!("Everything holds for {} producer{plural}.", producers.len()))
            }
            count => bail!("not as it must be: {count}"),
        }
    }
}
