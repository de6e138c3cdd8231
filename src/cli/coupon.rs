//! `taquilla coupon`.

use anyhow::Context;
use clap::{ArgGroup, Args, Subcommand};

use taquilla_domain::{
    clock::Stamp,
    config::ENDED_COUPONS_SHOWN,
    count::Count,
    coupon::{Coupon, CouponCode, NewCoupon},
    invalid::Invalid,
    pricing::Rate,
};
use taquilla_rules::admin::coupons;
use taquilla_store::{owners, sales::coupons as rows};
use taquilla_wire::prices;

use super::{
    by::by,
    catalogue_find::an_event,
    common::{Common, OfProducer},
    flags,
    output::{
        Column::{Fact, Id, Text},
        moment, refused,
    },
};

#[derive(Subcommand)]
pub enum Coupons {
    /// Make a code that takes something off orders of an event
    Create(Box<Create>),
    /// List an event's coupons, newest first, with how often each is used
    List(List),
    /// End a coupon: nobody uses it any more, and orders that have it keep it
    End(Which),
}

#[derive(Args)]
#[command(group = ArgGroup::new("off").required(true))]
pub struct Create {
    /// The event
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: String,
    /// What buyers type; neither case nor spaces around it matter
    #[arg(long, value_parser = CouponCode::parse)]
    code: CouponCode,
    /// What it takes off, in percent of what it is for: 1 to 100, rounded for the order, halves up
    #[arg(long, value_name = "N", value_parser = percent, group = "off")]
    percent: Option<Rate>,
    /// What it takes off an order, in whole units of the currency; never more than what it is for costs
    #[arg(long, value_name = "N", value_parser = amount, group = "off")]
    amount: Option<Rate>,
    /// An item it is for; repeat for several. Without one it is for all of the event
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    ticket_type: Vec<String>,
    /// From when it can be used, such as 2027-01-01T09:00:00Z
    #[arg(long, value_name = "TIME", value_parser = flags::stamp)]
    from: Option<Stamp>,
    /// Until when it can be used
    #[arg(long, value_name = "TIME", value_parser = flags::stamp)]
    until: Option<Stamp>,
    /// How many orders may use it
    #[arg(long, value_name = "N", value_parser = uses)]
    limit: Option<Count>,
    /// How many orders of one buyer may use it, by the e-mail address
    #[arg(long, value_name = "N", value_parser = uses)]
    per_buyer: Option<Count>,
    #[command(flatten)]
    of: OfProducer,
}

/// A percentage.
pub fn percent(text: &str) -> Result<Rate, Invalid> {
    // A text that is no number is refused like one out of range.
    Rate::percent(text.parse().unwrap_or(0))
}

/// An amount of at least one unit.
pub fn amount(text: &str) -> Result<Rate, Invalid> {
    Rate::amount(text.parse().unwrap_or(0))
}

fn uses(text: &str) -> Result<Count, Invalid> {
    Count::parse_at_least(1, text)
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
    /// The coupon's id (co_…), as `coupon list` shows it
    #[arg(value_parser = flags::id)]
    coupon_id: String,
    #[command(flatten)]
    common: Common,
}

/// What it takes off, in words.
pub fn rate(rate: Rate) -> String {
    match rate {
        Rate::Percent(percent) => format!("{percent} %"),
        Rate::Amount(amount) => amount.to_string(),
    }
}

fn items(coupon: &Coupon) -> String {
    if coupon.items.is_empty() { "everything".into() } else { coupon.items.join(", ") }
}

fn count(limit: Option<i64>) -> String {
    limit.map_or("no limit".into(), |limit| limit.to_string())
}

fn fields(coupon: &Coupon) -> Vec<(&'static str, String)> {
    vec![
        ("id", coupon.id.clone()),
        ("event", coupon.event_id.clone()),
        ("code", coupon.code.clone()),
        ("takes off", rate(coupon.rate)),
        ("for", items(coupon)),
        ("from", moment(coupon.from)),
        ("until", moment(coupon.until)),
        ("limit", count(coupon.limit)),
        ("per buyer", count(coupon.per_buyer)),
        ("used", coupon.used.to_string()),
        ("held", coupon.held.to_string()),
        ("ended", moment(coupon.ended_at)),
    ]
}

impl Coupons {
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
        let new = NewCoupon {
            event_id: self.event,
            code: self.code,
            rate,
            items: self.ticket_type,
            from: self.from,
            until: self.until,
            limit: self.limit,
            per_buyer: self.per_buyer,
        };
        let coupon = coupons::create(&store, tenant, new, &by()).await.map_err(refused)?;
        self.of.output().one(&prices::Coupon::from(&coupon), &fields(&coupon))
    }
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        an_event(&store, tenant, Some(&self.event)).await?;
        let found = rows::of_event(&mut store.read().await?, tenant, &self.event, ENDED_COUPONS_SHOWN).await?;
        let columns =
            [Id("id"), Text("code"), Fact("takes off"), Fact("used"), Fact("held"), Fact("limit"), Fact("ended")];
        let more = [Text("for"), Fact("per buyer"), Fact("given"), Fact("from"), Fact("until")];
        self.of.output().list(&found, &columns, &more, prices::Coupon::from, |coupon| {
            vec![
                coupon.id.clone(),
                coupon.code.clone(),
                rate(coupon.rate),
                coupon.used.to_string(),
                coupon.held.to_string(),
                count(coupon.limit),
                moment(coupon.ended_at),
                items(coupon),
                count(coupon.per_buyer),
                coupon.discount.to_string(),
                moment(coupon.from),
                moment(coupon.until),
            ]
        })
    }
}

impl Which {
    async fn end(self) -> anyhow::Result<()> {
        let (store, id) = (self.common.open().await?, &self.coupon_id);
        let owner = owners::of_coupon(&mut store.read().await?, id).await?;
        let tenant = owner
            .with_context(|| format!("there is no coupon {id}; `taquilla coupon list --event ID` shows the ids"))?;
        let coupon = coupons::end(&store, tenant, id, &by()).await.map_err(refused)?;
        self.common.output.one(&prices::Coupon::from(&coupon), &fields(&coupon))
    }
}
