//! `taquilla import`.

use std::{
    fs::File,
    io::{BufRead, BufReader, stdin},
};

use anyhow::Context;
use clap::Args;
use indicatif::HumanCount;

use taquilla_domain::time_source::TimeSource;
use taquilla_rules::import::{self, Progress};
use taquilla_wire::Time;

use super::{
    by::by,
    common::OfProducer,
    mistake::Mistake,
    progress::{Phase, Phases},
};

/// Where rows are written before anybody waits, saving is short; elsewhere it takes the time of both.
const PHASES: &[Phase] = &[
    Phase { name: "reading", weight: 3 },
    Phase { name: "checking; sales go on, and nothing is kept yet", weight: 2 },
    Phase { name: "writing; sales go on, and nothing is kept yet", weight: 4 },
    Phase { name: "saving; sales wait until this is done", weight: 1 },
];

#[derive(Args)]
#[command(after_help = "Example lines:\n  \
    {\"kind\":\"event\",\"id\":\"ev_1\",\"name\":\"Opening night\",\"currency\":\"EUR\"}\n  \
    {\"kind\":\"ticket_type\",\"id\":\"tt_1\",\"event_id\":\"ev_1\",\"name\":\"General\",\"price\":25,\"currency\":\"EUR\",\"limit\":500}\n  \
    {\"kind\":\"ticket\",\"id\":\"A1B2C3\",\"event_id\":\"ev_1\",\"ticket_type_id\":\"tt_1\",\"attendee\":{\"name\":\"Ana\"}}")]
pub struct Import {
    /// The file to load, or - for standard input
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    of: OfProducer,
}

impl Import {
    pub async fn run(self) -> anyhow::Result<()> {
        let (reader, size): (Box<dyn BufRead>, Option<u64>) = if self.file == "-" {
            (Box::new(stdin().lock()), None)
        } else {
            let (file, size) = open(&self.file).map_err(Mistake::new)?;
            (Box::new(BufReader::with_capacity(256 * 1024, file)), size)
        };
        let (store, tenant) = self.of.open().await?;

        let phases = Phases::begin(PHASES);
        let imported = import::run(&store, tenant, reader, &by(), &TimeSource::System, |progress| match progress {
            Progress::Read(bytes) => {
                if let Some(size) = size {
                    phases.done(bytes, size);
                }
            }
            Progress::Checking => phases.enter(1),
            Progress::Writing => phases.enter(2),
            Progress::Saving => phases.enter(3),
        })
        .await;
        phases.end();
        let summary = imported.context("nothing was imported")?;
        if let Some(Time(at)) = summary.already_imported_at {
            eprintln!("This file was imported at {at}. Nothing was changed.");
        }
        let counts = [
            ("events", Some(summary.events)),
            ("ticket types", Some(summary.ticket_types)),
            ("bundles", Some(summary.bundles)),
            ("pools", Some(summary.pools).filter(|pools| *pools > 0)),
            ("coupons", Some(summary.coupons).filter(|coupons| *coupons > 0)),
            ("surcharges", Some(summary.surcharges).filter(|surcharges| *surcharges > 0)),
            ("orders", Some(summary.orders)),
            ("tickets", Some(summary.tickets)),
        ];
        let counts = counts.into_iter().filter_map(|(name, count)| Some((name, count?)));
        let fields: Vec<_> = counts.map(|(name, count)| (name, HumanCount(count).to_string())).collect();
        self.of.output().one(&summary, &fields)
    }
}

/// Opens the file, and tells its size where it has one.
fn open(path: &str) -> Result<(File, Option<u64>), String> {
    let opened = File::open(path).and_then(|file| file.metadata().map(|metadata| (file, metadata)));
    match opened {
        Ok((_, metadata)) if metadata.is_dir() => Err(format!("{path} is a folder; a file of JSON Lines is expected")),
        Ok((file, metadata)) => Ok((file, Some(metadata.len()).filter(|_| metadata.is_file()))),
        Err(cause) => Err(format!("cannot read {path}: {cause}")),
    }
}
