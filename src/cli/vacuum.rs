//! `taquilla vacuum`.

use clap::Args;
use indicatif::HumanBytes;
use serde::Serialize;

use taquilla_store::Store;

use super::common::Common;

#[derive(Args)]
#[command(
    after_help = "On SQLite, sales wait while it runs, and the disk needs room for the data once more: run it while no server \
    does, or at night."
)]
pub struct Vacuum {
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct VacuumOutput {
    bytes_before: Option<u64>,
    bytes_after: Option<u64>,
}

impl Vacuum {
    pub async fn run(self) -> anyhow::Result<()> {
        let store = self.common.open().await?;
        let size = |store: &Store| store.usage().file.and_then(|file| file.bytes);
        let bytes_before = size(&store);
        store.vacuum().await?;
        let bytes_after = size(&store);
        let shown = |bytes: Option<u64>| bytes.map_or_else(|| "–".to_owned(), |bytes| HumanBytes(bytes).to_string());
        let fields = [
            ("before", shown(bytes_before)),
            ("after", shown(bytes_after)),
            ("", "Of what was deleted, nothing is left in the tables.".to_owned()),
        ];
        self.common.output.one(&VacuumOutput { bytes_before, bytes_after }, &fields)
    }
}
