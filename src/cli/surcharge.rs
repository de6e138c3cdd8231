//! `taquilla surcharge`.

use anyhow::Context;
use clap::{ArgGroup, Args, Subcommand};

use taquilla_domain::{
    config::DASHBOARD_ROWS,
    pricing::{Per, Rate},
    surcharge::Surcharge,
    text::Name,
};
use taquilla_rules::admin::surcharges;
use taquilla_store::{owners, sales::surcharges as rows};
use taquilla_wire::prices;

use super::{
    by::by,
    catalogue_find::an_event,
    common::{Common, OfProducer},
    coupon::{amount, percent, rate},
    flags,
    output::{
        Column::{Fact, Id, Text},
        moment, refused,
    },
};

#[derive(Subcommand)]
pub enum Surcharges {
    /// Charge buyers of the shop something besides the prices, such as a service fee
    Create(Create),
    /// List an event's surcharges, oldest first
    List(List),
    /// End a surcharge: orders that have it keep it
    End(Which),
}

#[derive(Args)]
#[command(group = ArgGroup::new("per").required(true), group = ArgGroup::new("adds").required(true))]
pub struct Create {
    /// The event
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: String,
    /// What buyers read, such as "Service fee"
    #[arg(long, value_parser = Name::parse)]
    name: Name,
    /// For each entrance and each bundle that costs something
    #[arg(long, group = "per")]
    per_ticket: bool,
    /// For the order, if it costs something
    #[arg(long, group = "per")]
    per_order: bool,
    /// How much, in percent of the price after a coupon: 1 to 100, halves rounded up
    #[arg(long, value_name = "N", value_parser = percent, group = "adds")]
    percent: Option<Rate>,
    /// How much, in whole units of the currency
    #[arg(long, value_name = "N", value_parser = amount, group = "adds")]
    amount: Option<Rate>,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct List {
    /// The event
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: String,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct Which {
    /// The surcharge's id (su_…), as `surcharge list` shows it
    #[arg(value_parser = flags::id)]
    surcharge_id: String,
    #[command(flatten)]
    common: Common,
}

fn per(surcharge: &Surcharge) -> &'static str {
    match surcharge.per {
        Per::Ticket => "ticket",
        Per::Order => "order",
    }
}

fn fields(surcharge: &Surcharge) -> Vec<(&'static str, String)> {
    vec![
        ("id", surcharge.id.clone()),
        ("event", surcharge.event_id.clone()),
        ("name", surcharge.name.clone()),
        ("adds", rate(surcharge.rate)),
        ("per", per(surcharge).to_owned()),
        ("ended", moment(surcharge.ended_at)),
    ]
}

impl Surcharges {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(list) => list.run().await,
            Self::End(which) => which.end().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let rate = self.percent.or(self.amount).context("either --percent or --amount is needed")?;
        let per = if self.per_ticket { Per::Ticket } else { Per::Order };
        let made = surcharges::create(&store, tenant, &self.event, &self.name, (rate, per), &by()).await;
        let surcharge = made.map_err(refused)?;
        self.of.output().one(&prices::Surcharge::from(&surcharge), &fields(&surcharge))
    }
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        an_event(&store, tenant, Some(&self.event)).await?;
        let found = rows::ever_of_event(&mut store.read().await?, tenant, &self.event, DASHBOARD_ROWS).await?;
        let columns = [Id("id"), Text("name"), Fact("adds"), Fact("per"), Fact("ended")];
        self.of.output().list(&found, &columns, &[], prices::Surcharge::from, |surcharge| {
            vec![
                surcharge.id.clone(),
                surcharge.name.clone(),
                rate(surcharge.rate),
                per(surcharge).to_owned(),
                moment(surcharge.ended_at),
            ]
        })
    }
}

impl Which {
    async fn end(self) -> anyhow::Result<()> {
        let (store, id) = (self.common.open().await?, &self.surcharge_id);
        let owner = owners::of_surcharge(&mut store.read().await?, id).await?;
        let unknown = || format!("there is no surcharge {id}; `taquilla surcharge list --event ID` shows the ids");
        let surcharge = surcharges::end(&store, owner.with_context(unknown)?, id, &by()).await.map_err(refused)?;
        self.common.output.one(&prices::Surcharge::from(&surcharge), &fields(&surcharge))
    }
}
