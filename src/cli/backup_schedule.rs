//! Backups that a server makes by itself: its flags.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;

use taquilla_domain::{
    config::{BACKUP_EVERY_MAX, BACKUP_EVERY_MIN, BACKUPS_KEPT, BACKUPS_KEPT_MAX, Backups},
    invalid::Invalid,
};
use taquilla_rules::backup::prepare_folder;

use super::{flags, mistake::Mistake};

#[derive(Args)]
pub struct BackupSchedule {
    /// Make backups automatically, in this folder
    #[arg(long, value_name = "FOLDER", env = "TAQUILLA_BACKUP_DIR")]
    backup_dir: Option<PathBuf>,
    /// How often to make one, such as 6h or 1d
    #[arg(long, value_name = "TIME", env = "TAQUILLA_BACKUP_EVERY", default_value = "24h", value_parser = parse_every)]
    backup_every: Duration,
    /// How many of them to keep; older ones are deleted
    #[arg(long, value_name = "N", env = "TAQUILLA_BACKUP_KEEP", default_value_t = BACKUPS_KEPT, value_parser = parse_kept)]
    backup_keep: u64,
}

fn parse_every(text: &str) -> Result<Duration, Invalid> {
    let every = flags::span(text, BACKUP_EVERY_MAX)?;
    if every < BACKUP_EVERY_MIN {
        let minutes = BACKUP_EVERY_MIN.as_secs() / 60;
        return Err(Invalid::new(format!("a time of {minutes}m or more is expected")));
    }
    Ok(every)
}

fn parse_kept(text: &str) -> Result<u64, Invalid> {
    flags::number(text, 1..=BACKUPS_KEPT_MAX)
}

impl BackupSchedule {
    /// Where backups are to be made, if they are.
    pub fn folder(&self) -> Option<&Path> {
        self.backup_dir.as_deref()
    }

    /// The settings, if backups are to be made. The folder is there then, and can be written to.
    pub fn prepare(self) -> anyhow::Result<Option<Backups>> {
        let Some(folder) = self.backup_dir else { return Ok(None) };
        prepare_folder(&folder).map_err(|cause| {
            Mistake::in_flag("--backup-dir", format!("cannot write to the folder {}: {cause}", folder.display()))
        })?;
        let kept = usize::try_from(self.backup_keep).unwrap_or(usize::MAX);
        Ok(Some(Backups { folder, every: self.backup_every, kept }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taquilla_domain::config::BACKUP_EVERY;

    #[test]
    fn backups_are_neither_too_frequent_nor_too_rare() {
        assert_eq!(parse_every("24h").unwrap(), BACKUP_EVERY, "the default");
        assert_eq!(parse_every("5m").unwrap(), BACKUP_EVERY_MIN);
        for wrong in ["4m", "299s", "31d", "daily", ""] {
            assert!(parse_every(wrong).is_err(), "{wrong:?}");
        }
        assert!(parse_kept("0").is_err() && parse_kept("1").is_ok());
    }
}
