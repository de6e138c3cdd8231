//! `taquilla after-restore`.

use anyhow::bail;
use clap::Args;
use indicatif::HumanCount;
use serde::Serialize;

use taquilla_domain::{audit::By, clock::Stamp, config::CLOCKS_DIFFER_MAX};
use taquilla_store::{
    Store,
    backup::{
        afterwards::{Restoration, restored_elsewhere},
        foretold::{Foretold, NotSetRight, foretell},
    },
};
use taquilla_wire::Time;

use super::{
    by::by,
    common::Common,
    flags,
    mistake::Mistake,
    output::moment,
    restore_lists::{RestoreLists, erase_again},
};

#[derive(Args)]
pub struct AfterRestore {
    /// The time of the state that was restored, such as 2027-01-01T03:00:00Z. Without it, everything after each producer's
    /// last change counts as lost
    #[arg(long, value_name = "TIME", value_parser = flags::stamp)]
    taken_at: Option<Stamp>,
    /// Do it without first showing what would happen
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    lists: RestoreLists,
    #[command(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct ForetoldOutput {
    taken_at: Option<Time>,
    last_known_at: Option<Time>,
    producers: usize,
    lost_after: Option<Time>,
    lost_until: Option<Time>,
    sessions: i64,
    staff_links: i64,
    refunds: i64,
    imports: i64,
}

#[derive(Serialize)]
struct AfterRestoreOutput {
    revoked: usize,
    erasures: usize,
}

impl AfterRestore {
    pub async fn run(self) -> anyhow::Result<()> {
        let (lists, erased) = (self.lists.revoked()?, self.lists.erased()?);
        let store = self.common.open().await?;
        let by = by();
        if !self.yes {
            self.foretell(&store, &by).await?;
            bail!("nothing is changed yet; this cannot be undone: add --yes to do it");
        }
        let restoration = Restoration { taken_at: self.taken_at, by: &by, revoked: &lists };
        let revoked = restored_elsewhere(&store, &restoration).await.map_err(not_set_right)?;
        let erasures = erase_again(&store, &erased, &by).await?;
        let fields = [
            ("revoked", revoked.to_string()),
            ("erasures", erasures.to_string()),
            ("", "Start the servers now: clients that know what is gone are told to load anew.".to_owned()),
        ];
        self.common.output.one(&AfterRestoreOutput { revoked, erasures }, &fields)
    }

    /// Shows what would happen.
    async fn foretell(&self, store: &Store, by: &By) -> anyhow::Result<()> {
        let foretold = foretell(&mut store.read().await?, self.taken_at, by.now).await.map_err(not_set_right)?;
        let Foretold { producers, last_known, lost, sessions, links, refunds, imports } = foretold;
        let (lost_after, lost_until) = lost.unzip();
        let output = ForetoldOutput {
            taken_at: self.taken_at.map(Time),
            last_known_at: last_known.map(Time),
            producers,
            lost_after: lost_after.map(Time),
            lost_until: lost_until.map(Time),
            sessions,
            staff_links: links,
            refunds,
            imports,
        };
        let count = |count: i64| HumanCount(count.unsigned_abs()).to_string();
        let mut fields = vec![
            ("state of", self.taken_at.map_or_else(|| "not known".to_owned(), |at| moment(Some(at)))),
            ("last known", moment(last_known)),
            ("producers", HumanCount(producers as u64).to_string()),
        ];
        if let Some((after, until)) = lost {
            let span = format!("what was changed after {} and up to {}", moment(Some(after)), moment(Some(until)));
            fields.push(("lost", format!("{span}; clients that know of it load anew")));
            let ahead = until > by.now.plus(CLOCKS_DIFFER_MAX);
            let warning = if ahead { "; that is ahead of the present, for good: is it right?" } else { "" };
            fields.push(("clocks", format!("go on after {}{warning}", moment(Some(until)))));
        }
        fields.extend([
            ("sessions", format!("{} end", count(sessions))),
            ("links", format!("{} of staff are withdrawn", count(links))),
            ("refunds", format!("{} of whole events are stopped", count(refunds))),
            ("imports", format!("{} are given up", count(imports))),
        ]);
        self.common.output.one(&output, &fields)
    }
}

/// A time that cannot be is a mistake of the command.
fn not_set_right(cause: NotSetRight) -> anyhow::Error {
    match cause {
        NotSetRight::CannotBe(why) => Mistake::in_flag("--taken-at", why).into(),
        NotSetRight::Store(cause) => cause.into(),
    }
}
