//! `taquilla after-restore`.

use clap::Args;
use serde::Serialize;

use taquilla_domain::clock::Stamp;
use taquilla_store::backup::afterwards::{Restoration, restored_elsewhere};

use super::{
    by::by,
    common::Common,
    flags,
    restore_lists::{RestoreLists, erase_again},
};

#[derive(Args)]
pub struct AfterRestore {
    /// The time of the state that was restored, such as 2027-01-01T03:00:00Z. Without it, everything after each producer's
    /// last change counts as lost
    #[arg(long, value_name = "TIME", value_parser = flags::stamp)]
    taken_at: Option<Stamp>,
    #[command(flatten)]
    lists: RestoreLists,
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct AfterRestoreOutput {
    revoked: usize,
    erasures: usize,
}

impl AfterRestore {
    pub async fn run(self) -> anyhow::Result<()> {
        let (lists, erased) = (self.lists.revoked()?, self.lists.erased()?);
        let store = self.common.open().await?;
        let by = by();
        let restoration = Restoration { taken_at: self.taken_at, by: &by, revoked: &lists };
        let revoked = restored_elsewhere(&store, &restoration).await?;
        let erasures = erase_again(&store, &erased, &by).await?;
        let fields = [
            ("revoked", revoked.to_string()),
            ("erasures", erasures.to_string()),
            ("", "Start the servers now: clients that know what is gone are told to load anew.".to_owned()),
        ];
        self.common.output.one(&AfterRestoreOutput { revoked, erasures }, &fields)
    }
}
