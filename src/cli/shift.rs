//! `taquilla shift`.

use clap::{Args, Subcommand};
use serde::Serialize;

use taquilla_rules::admin::lists::NewestRows;
use taquilla_store::sales::shifts::{self, Cash, Shift as Worked};
use taquilla_wire::Time;

use super::{
    common::OfProducer,
    found::Limit,
    output::{
        Column::{Fact, Id, Text},
        moment,
    },
};

#[derive(Subcommand)]
pub enum Shift {
    /// List shifts at the box office, newest first, with the cash that was counted
    List(ListShifts),
}

#[derive(Args)]
pub struct ListShifts {
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    of: OfProducer,
}

/// A shift as commands show it.
#[derive(Serialize)]
struct ShownShift<'a> {
    id: &'a str,
    person: &'a str,
    begun_at: Time,
    ended_at: Option<Time>,
    cash: Vec<ShownCash<'a>>,
}

#[derive(Serialize)]
struct ShownCash<'a> {
    currency: &'a str,
    begun_with: i64,
    expected: Option<i64>,
    counted: Option<i64>,
    difference: Option<i64>,
}

fn shown<'a>(shift: &'a Worked) -> ShownShift<'a> {
    let cash = |cash: &'a Cash| ShownCash {
        currency: &cash.currency,
        begun_with: cash.begun_with,
        expected: cash.counted.map(|counted| counted.expected),
        counted: cash.counted.map(|counted| counted.counted),
        difference: cash.counted.map(|counted| counted.difference()),
    };
    ShownShift {
        id: &shift.id,
        person: &shift.person,
        begun_at: Time(shift.begun_at),
        ended_at: shift.ended_at.map(Time),
        cash: shift.cash.iter().map(cash).collect(),
    }
}

impl Shift {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::List(list) => list.run().await,
        }
    }
}

impl ListShifts {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let most = self.limit.get();
        let mut rows = shifts::list(&mut store.read().await?, tenant, None, None, most as i64 + 1).await?;
        let has_more = rows.len() > most;
        rows.truncate(most);
        let columns = [Id("shift"), Text("who"), Fact("begun"), Fact("ended"), Fact("difference")];
        self.of.output().list(&rows, &columns, &[Fact("expected"), Fact("counted")], shown, |shift| {
            let of_cash = |read: fn(&shifts::Counted) -> i64| {
                let counted = |cash: &Cash| Some(format!("{} {}", read(cash.counted.as_ref()?), cash.currency));
                let shown = shift.cash.iter().filter_map(counted).collect::<Vec<_>>().join(", ");
                if shown.is_empty() { "–".to_owned() } else { shown }
            };
            vec![
                shift.id.clone(),
                shift.person.clone(),
                moment(Some(shift.begun_at)),
                moment(shift.ended_at),
                of_cash(shifts::Counted::difference),
                of_cash(|counted| counted.expected),
                of_cash(|counted| counted.counted),
            ]
        })?;
        self.limit.mention(&NewestRows { rows, has_more });
        Ok(())
    }
}
