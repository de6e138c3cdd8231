//! `taquilla distribute`.

use clap::Args;
use serde::Serialize;

use taquilla_store::distribute::distribute;

use super::{
    common::{Common, opened},
    progress::{Phase, Phases},
};

#[derive(Args)]
#[command(
    after_help = "Citus must be installed on every machine and know its workers (docs/operate/citus.md). Stop all \
    servers before. Whoever is interrupted runs it again: it goes on where it was."
)]
pub struct Distribute {
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct DistributeOutput {
    workers: i64,
}

const SPREADING: &[Phase] = &[Phase { name: "spreading the tables", weight: 1 }];

impl Distribute {
    pub async fn run(self) -> anyhow::Result<()> {
        let phases = Phases::begin(SPREADING);
        let spread = distribute(self.common.database.address(), |step| {
            phases.done(step.done, step.bytes);
            phases.say(step.table);
        });
        let workers = opened(spread.await)?;
        phases.end();
        let fields = [
            ("workers", workers.to_string()),
            ("", "Every producer's rows are on one of them. Start the servers now.".to_owned()),
        ];
        self.common.output.one(&DistributeOutput { workers }, &fields)
    }
}
