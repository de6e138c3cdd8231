//! Lists of what was revoked and of who was erased, for databases that were restored and cannot know.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use clap::Args;
use serde::{Deserialize, de::DeserializeOwned};

use taquilla_domain::{audit::By, clock::Stamp, config::RESTORE_LIST_MAX, whom::NamedBy};
use taquilla_rules::admin::people::{self, ErasedBefore};
use taquilla_store::{Store, backup::afterwards::Revoked, producers};

use super::{mistake::Mistake, output::refused};

#[derive(Args)]
pub struct RestoreLists {
    /// Revoke what is revoked in this list: a file with the output of `key list --json`, `door-link list --json` or
    /// `user list --json`, newer than the backup; repeat for several
    #[arg(long, value_name = "FILE")]
    revoked: Vec<PathBuf>,
    /// Erase these people again: a file with the output of `person erasures --json`, newer than the backup; repeat for
    /// several
    #[arg(long, value_name = "FILE")]
    erased: Vec<PathBuf>,
}

/// A key, a door link or a user, as commands print it. The other fields do not matter here.
#[derive(Deserialize)]
struct ListedCredential {
    id: String,
    revoked_at: Option<String>,
    disabled_at: Option<String>,
}

/// An erasure, as commands print it. The other fields do not matter here.
#[derive(Deserialize)]
struct ListedErasure {
    id: String,
    producer: String,
    named_by: Option<String>,
    digest: Option<String>,
}

/// A value that no command prints.
struct Unfit;

impl RestoreLists {
    /// Everything that the lists say to be revoked.
    pub fn revoked(&self) -> anyhow::Result<Vec<Revoked>> {
        let output_of = "`key list --json`, `door-link list --json` or `user list --json`";
        read_all("--revoked", &self.revoked, output_of, |ListedCredential { id, revoked_at, disabled_at }| {
            let at = revoked_at.or(disabled_at).map(|at| Stamp::parse(&at).ok_or(Unfit)).transpose()?;
            Ok(at.map(|at| Revoked { id, at }))
        })
    }

    /// Every erasure of the lists that was done.
    pub fn erased(&self) -> anyhow::Result<Vec<ErasedBefore>> {
        let output_of = "`person erasures --json`";
        read_all("--erased", &self.erased, output_of, |ListedErasure { id, producer, named_by, digest }| {
            // One that had not ended yet says not whom it is about.
            let Some((by, digest)) = named_by.zip(digest) else { return Ok(None) };
            Ok(Some(ErasedBefore { id, producer, by: NamedBy::parse(&by).ok_or(Unfit)?, digest }))
        })
    }
}

/// What all lists of a flag say, shaped by `shape`, which gives nothing for what does not matter.
fn read_all<T: DeserializeOwned, U>(
    flag: &'static str,
    paths: &[PathBuf],
    output_of: &str,
    shape: impl Fn(T) -> Result<Option<U>, Unfit>,
) -> anyhow::Result<Vec<U>> {
    let mut shaped = Vec::new();
    for path in paths {
        let listed = read(path, output_of).map_err(|message| Mistake::in_flag(flag, message))?;
        for each in listed {
            shaped.extend(shape(each).map_err(|Unfit| Mistake::in_flag(flag, unfit(path, output_of)))?);
        }
    }
    Ok(shaped)
}

fn read<T: DeserializeOwned>(path: &Path, output_of: &str) -> Result<Vec<T>, String> {
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(RESTORE_LIST_MAX).read_to_string(&mut text))
        .map_err(|cause| format!("cannot read {}: {cause}", path.display()))?;
    serde_json::from_str(&text).map_err(|_| unfit(path, output_of))
}

fn unfit(path: &Path, output_of: &str) -> String {
    format!("{} is no output of {output_of}", path.display())
}

/// Has the erasures done again that the database does not know, by the servers that start on it. Says how many.
pub async fn erase_again(store: &Store, erased: &[ErasedBefore], by: &By) -> anyhow::Result<usize> {
    let mut again = 0;
    for before in erased {
        let tenant = producers::find(&mut store.read().await?, &before.producer).await?;
        // A producer that is not here was created after the backup.
        if let Some(tenant) = tenant {
            let is_new = people::erase_again(store, tenant, before, by).await.map_err(refused)?;
            again += usize::from(is_new);
        }
    }
    Ok(again)
}
