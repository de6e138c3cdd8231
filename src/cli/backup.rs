//! `taquilla backup`.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::Args;
use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};
use serde::Serialize;
use tokio::sync::watch;

use taquilla_domain::time_source::TimeSource;
use taquilla_rules::backup::{self, BackupSummary, NewFile};
use taquilla_store::backup::{Sum, snapshot::Snapshot};
use taquilla_wire::Time;

use super::{common::Common, mistake::Mistake, output::moment, stop::told_to_stop};

#[derive(Args)]
#[command(
    after_help = "The file is JSON Lines, compressed with zstd. `taquilla restore FILE` makes a database from it."
)]
pub struct Backup {
    /// The file to write, or - for standard output
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct BackupOutput<'a> {
    file: String,
    bytes: u64,
    taken_at: Time,
    engine: &'static str,
    schema: i64,
    rows: u64,
    tables: Vec<Table<'a>>,
}

/// A table in a backup, as commands show it.
#[derive(Serialize)]
pub struct Table<'a> {
    table: &'a str,
    rows: u64,
    digest: String,
}

/// Tables in a backup, as commands show them.
pub fn shown<'a>(tables: &[(&'a str, Sum)]) -> Vec<Table<'a>> {
    tables.iter().map(|(table, sum)| Table { table, rows: sum.rows, digest: sum.digest() }).collect()
}

impl Backup {
    pub async fn run(self) -> anyhow::Result<()> {
        if self.file == Path::new("-") {
            return self.run_to_output().await;
        }
        self.may_be_written()?;
        let snapshot = self.common.database.snapshot(TimeSource::System.now()).await?;
        let name = self.file.display().to_string();
        let failed = || format!("cannot write {name}; nothing was kept");
        let new = NewFile::begin(&self.file).with_context(failed)?;
        let made = write(snapshot, &new.file).await?.with_context(failed)?;
        self.may_be_written()?;
        new.keep().with_context(failed)?;
        let bytes = fs::metadata(&self.file).map_or(0, |found| found.len());
        let rows = made.rows();
        let value = BackupOutput {
            file: name.clone(),
            bytes,
            taken_at: Time(made.taken_at),
            engine: made.engine,
            schema: made.schema,
            rows,
            tables: shown(&made.tables),
        };
        let fields = [
            ("file", name),
            ("size", HumanBytes(bytes).to_string()),
            ("state of", moment(Some(made.taken_at))),
            ("tables", made.tables.len().to_string()),
            ("rows", HumanCount(rows).to_string()),
        ];
        self.common.output.one(&value, &fields)
    }

    /// For a program that encrypts it or sends it away, and that must look at the exit code: what was written before a
    /// failure is no backup, and is refused by `restore`.
    async fn run_to_output(self) -> anyhow::Result<()> {
        if io::stdout().is_terminal() {
            return Err(Mistake::new("a backup is not for a terminal; send it to a file or a program").into());
        }
        let snapshot = self.common.database.snapshot(TimeSource::System.now()).await?;
        let made = write(snapshot, io::stdout()).await?.context("the backup is not whole")?;
        let (rows, taken_at) = (HumanCount(made.rows()), moment(Some(made.taken_at)));
        eprintln!("taquilla: a backup of {rows} rows was written, of the state of {taken_at}");
        Ok(())
    }

    /// Refuses a place that is taken.
    fn may_be_written(&self) -> anyhow::Result<()> {
        let file = self.file.display();
        match fs::symlink_metadata(&self.file) {
            Ok(found) if found.is_dir() => Err(Mistake::new(format!("{file} is a folder; name a file in it")).into()),
            Ok(_) if !self.force => {
                let message = format!("{file} is there already; choose another name, or say --force to replace it");
                Err(Mistake::new(message).into())
            }
            _ => Ok(()),
        }
    }
}

/// Writes a backup, unless somebody asks to stop.
async fn write(snapshot: Snapshot, to: impl Write + Send) -> anyhow::Result<Result<BackupSummary, backup::Error>> {
    let stop = stopped()?;
    let mut told = stop.clone();
    let bar = progress_bar();
    let writing = backup::write(snapshot, to, |progress| {
        bar.set_length(progress.of);
        bar.set_position(progress.rows);
        !*stop.borrow()
    });
    let made = tokio::select! {
        made = writing => made,
        // While it waits for the database, it does not look by itself.
        _ = told.wait_for(|told| *told) => Err(backup::Error::Stopped),
    };
    bar.finish_and_clear();
    Ok(made)
}

/// Tells whether somebody has asked to stop, so that what was written so far can be deleted.
fn stopped() -> anyhow::Result<watch::Receiver<bool>> {
    let (tell, stop) = watch::channel(false);
    let told = told_to_stop()?;
    tokio::spawn(async move {
        told.await;
        tell.send_replace(true);
        // A sender that is gone would look like somebody who asked.
        tell.closed().await;
    });
    Ok(stop)
}

/// Drawn on standard error, and only where a person is looking.
fn progress_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("writing {bar:30} {human_pos}/{human_len} rows, {eta} left");
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
