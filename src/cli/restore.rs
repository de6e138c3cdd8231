//! `taquilla restore`.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;

use taquilla_rules::backup::{self, Error, Phase as Step};
use taquilla_store as store;
use taquilla_wire::Time;

use super::{
    backup::{Table, shown},
    by::by,
    check::{Checked, verify},
    common::Common,
    mistake::Mistake,
    output::moment,
    progress::{Phase, Phases},
    restore_lists::{RestoreLists, erase_again},
};

const PHASES: &[Phase] = &[
    Phase { name: "reading", weight: 6 },
    Phase { name: "comparing every row with the backup", weight: 1 },
    Phase { name: "saving", weight: 1 },
    Phase { name: "checking", weight: 2 },
];

/// A file that tells how many bytes were read.
struct Told<R, F>(R, F);

impl<R: Read, F: FnMut(u64)> Read for Told<R, F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let bytes = self.0.read(into)?;
        (self.1)(bytes as u64);
        Ok(bytes)
    }
}

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
        let phases = Phases::begin(PHASES);
        let mut read = 0;
        let told = Told(file, |bytes| {
            read += bytes;
            if let Some(size) = size {
                phases.done(read, size);
            }
        });
        let restored = backup::restore(told, address, &by, &revoked, |step| match step {
            Step::Reading => {}
            Step::Comparing { compared: 0, .. } => phases.enter(1),
            Step::Comparing { compared, rows } => phases.done(compared, rows),
            Step::Saving => phases.enter(2),
        });
        let restored = match restored.await {
            Ok(restored) => restored,
            Err(Error::Store(store::Error::Address(message))) => {
                return Err(Mistake::in_flag("--database", message).into());
            }
            Err(cause) => return Err(cause).with_context(|| format!("cannot restore {name}; nothing was kept")),
        };
        let erasures = erase_again(&self.common.open().await?, &erased, &by).await?;
        phases.enter(3);
        let verified = verify(&mut self.common.database.look().await?).await?;
        phases.end();
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
