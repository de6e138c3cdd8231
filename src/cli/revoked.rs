//! Lists of what was revoked, for databases that were restored and cannot know.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use clap::Args;
use serde::Deserialize;

use taquilla_domain::{clock::Stamp, config::RESTORE_LIST_MAX};
use taquilla_store::backup::afterwards::Revoked;

use super::mistake::Mistake;

#[derive(Args)]
pub struct RevokedLists {
    /// Revoke what is revoked in this list: a file with the output of `key list --json`, `door-link list --json` or
    /// `user list --json`, newer than the backup; repeat for several
    #[arg(long, value_name = "FILE")]
    revoked: Vec<PathBuf>,
}

/// A key, a door link or a user, as commands print it. The other fields do not matter here.
#[derive(Deserialize)]
struct Listed {
    id: String,
    revoked_at: Option<String>,
    disabled_at: Option<String>,
}

impl RevokedLists {
    /// Everything that the lists say to be revoked.
    pub fn read(&self) -> anyhow::Result<Vec<Revoked>> {
        let mut revoked = Vec::new();
        for path in &self.revoked {
            revoked.extend(read(path).map_err(|message| Mistake::in_flag("--revoked", message))?);
        }
        Ok(revoked)
    }
}

fn read(path: &Path) -> Result<Vec<Revoked>, String> {
    let name = path.display();
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(RESTORE_LIST_MAX).read_to_string(&mut text))
        .map_err(|cause| format!("cannot read {name}: {cause}"))?;
    let unfit = || format!("{name} is no output of `key list --json`, `door-link list --json` or `user list --json`");
    let listed: Vec<Listed> = serde_json::from_str(&text).map_err(|_| unfit())?;
    let mut revoked = Vec::new();
    for Listed { id, revoked_at, disabled_at } in listed {
        if let Some(at) = revoked_at.or(disabled_at) {
            revoked.push(Revoked { id, at: Stamp::parse(&at).ok_or_else(unfit)? });
        }
    }
    Ok(revoked)
}
