//! `taquilla restore`.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::Args;
use indicatif::{HumanCount, ProgressBar, ProgressFinish, ProgressStyle};
use serde::Serialize;

use taquilla_rules::backup::{self, Error, Phase};
use taquilla_store as store;
use taquilla_wire::Time;

use super::{
    backup::{Table, shown},
    by::by,
    check::{Checked, verify},
    common::Common,
    mistake::Mistake,
    output::moment,
    restore_lists::{RestoreLists, erase_again},
};

#[derive(Args)]
pub struct Restore {
    /// The backup, as `taquilla backup` wrote it, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    lists: RestoreLists,
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct RestoreOutput<'a> {
    taken_at: Time,
    engine: &'a str,
    schema: i64,
    rows: u64,
    tables: Vec<Table<'a>>,
    revoked: usize,
    erasures: usize,
    check: Checked<'a>,
}

impl Restore {
    pub async fn run(self) -> anyhow::Result<()> {
        let is_input = self.file == Path::new("-");
        let name = if is_input { "standard input".to_owned() } else { self.file.display().to_string() };
        let (revoked, erased) = (self.lists.revoked()?, self.lists.erased()?);
        let unreadable = |cause| Mistake::new(format!("cannot read {name}: {cause}"));
        let (file, size): (Box<dyn Read>, _) = if is_input {
            (Box::new(io::stdin()), None)
        } else {
            let file = File::open(&self.file).map_err(unreadable)?;
            let found = file.metadata().map_err(unreadable)?;
            if found.is_dir() {
                return Err(Mistake::new(format!("{name} is a folder; a backup is a file")).into());
            }
            (Box::new(file), Some(found.len()))
        };
        let (address, by) = (self.common.database.address(), by());
        let bar = progress_bar(size);
        let restored = backup::restore(bar.wrap_read(file), address, &by, &revoked, |phase| match phase {
            Phase::Reading => {}
            Phase::Comparing => wait(&bar, "comparing every row with the backup"),
            Phase::Saving => wait(&bar, "saving"),
        });
        let restored = match restored.await {
            Ok(restored) => restored,
            Err(Error::Store(store::Error::Address(message))) => {
                return Err(Mistake::in_flag("--database", message).into());
            }
            Err(cause) => return Err(cause).with_context(|| format!("cannot restore {name}; nothing was kept")),
        };
        let erasures = erase_again(&self.common.open().await?, &erased, &by).await?;
        wait(&bar, "checking");
        let verified = verify(&mut self.common.database.look().await?).await?;
        bar.finish_and_clear();
        let rows = restored.rows();
        let value = RestoreOutput {
            taken_at: Time(restored.taken_at),
            engine: &restored.engine,
            schema: restored.schema,
            rows,
            tables: shown(&restored.tables),
            revoked: restored.revoked,
            erasures,
            check: verified.checked(),
        };
        let mut fields = vec![
            ("state of", moment(Some(restored.taken_at))),
            ("tables", format!("{}, each with the rows and the digest that the backup has", restored.tables.len())),
            ("rows", HumanCount(rows).to_string()),
        ];
        if !revoked.is_empty() {
            fields.push(("revoked", format!("{} that the backup did not know to be", restored.revoked)));
        }
        let people = match erased.is_empty() {
            true => "whoever was erased after that is back: erase them again, or see --erased".to_owned(),
            false => format!("{erasures} that the backup did not know; the first server erases them again"),
        };
        fields.push(("erasures", people));
        self.common.output.one(&value, &fields)?;
        verified.conclude(&self.common.output).context("everything is restored as it was, but it is")
    }
}

/// Drawn on standard error, and only where a person is looking.
fn progress_bar(size: Option<u64>) -> ProgressBar {
    let template = match size {
        Some(_) => "reading {bar:30} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left",
        None => "{spinner} reading {bytes} {bytes_per_sec}",
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = size.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    // What is left of it when something fails would only be in the way of what is said.
    bar.with_style(style).with_finish(ProgressFinish::AndClear)
}

fn wait(bar: &ProgressBar, message: &'static str) {
    let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_message(message);
    bar.enable_steady_tick(std::time::Duration::from_millis(120));
}
