//! `taquilla man-pages`.

use std::{fs, path::PathBuf};

use anyhow::Context;
use clap::Args;

#[derive(Args)]
pub struct ManPages {
    /// The folder to write them into; created if missing
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl ManPages {
    pub fn run(self, command: clap::Command) -> anyhow::Result<()> {
        let failed = || format!("cannot write to the folder {}", self.folder.display());
        fs::create_dir_all(&self.folder).with_context(failed)?;
        clap_mangen::generate_to(command, &self.folder).with_context(failed)
    }
}
