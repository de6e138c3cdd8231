//! Lists of erasures, for databases that were restored and cannot know.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use clap::Args;
use serde::Deserialize;

use taquilla_domain::{audit::By, config::RESTORE_LIST_MAX, whom::NamedBy};
use taquilla_rules::admin::people::{self, ErasedBefore};
use taquilla_store::{Store, producers};

use super::{mistake::Mistake, output::refused};

#[derive(Args)]
pub struct ErasedLists {
    /// Erase these people again: a file with the output of `person erasures --json`, newer than the backup; repeat for
    /// several
    #[arg(long, value_name = "FILE")]
    erased: Vec<PathBuf>,
}

/// An erasure, as commands print it. The other fields do not matter here.
#[derive(Deserialize)]
struct Listed {
    id: String,
    producer: String,
    named_by: Option<String>,
    digest: Option<String>,
}

impl ErasedLists {
    /// Every erasure of the lists that was done.
    pub fn read(&self) -> anyhow::Result<Vec<ErasedBefore>> {
        let mut erased = Vec::new();
        for path in &self.erased {
            erased.extend(read(path).map_err(|message| Mistake::in_flag("--erased", message))?);
        }
        Ok(erased)
    }
}

fn read(path: &Path) -> Result<Vec<ErasedBefore>, String> {
    let name = path.display();
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(RESTORE_LIST_MAX).read_to_string(&mut text))
        .map_err(|cause| format!("cannot read {name}: {cause}"))?;
    let unfit = || format!("{name} is no output of `person erasures --json`");
    let listed: Vec<Listed> = serde_json::from_str(&text).map_err(|_| unfit())?;
    let mut erased = Vec::new();
    for Listed { id, producer, named_by, digest } in listed {
        // One that had not ended yet says not whom it is about.
        if let (Some(by), Some(digest)) = (named_by, digest) {
            erased.push(ErasedBefore { id, producer, by: NamedBy::parse(&by).ok_or_else(unfit)?, digest });
        }
    }
    Ok(erased)
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
