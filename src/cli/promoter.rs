//! `taquilla promoter`.

use anyhow::Context;
use clap::{Args, Subcommand};
use serde::Serialize;

use taquilla_domain::{
    config::PROMOTERS_MAX,
    count::Count,
    promoter::{NewPromoter, Promoter},
    public_url::PublicUrl,
    text::Name,
};
use taquilla_pages::shop_links;
use taquilla_rules::admin::promoters;
use taquilla_store::{
    Store, Tenant, owners, producers,
    sales::{
        figures::Sold,
        promoters::{self as rows, Selling},
    },
};
use taquilla_wire::Time;

use super::{
    by::by,
    common::{Common, OfProducer},
    flags,
    output::{
        Column::{Fact, Id, Text},
        moment, refused,
    },
    public_url::PublicUrlArg,
};

#[derive(Subcommand)]
pub enum Promoters {
    /// Make a promoter of an event; their token is shown once, only its hash is kept
    Create(Create),
    /// List an event's promoters, with what each sold and gave away
    List(List),
    /// Give a promoter a new token; the one before opens nothing any more
    Renew(Renew),
    /// End a promoter: their page is closed, and nothing is sold in their name any more
    End(Which),
}

#[derive(Args)]
pub struct Create {
    /// The event they sell for
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: String,
    /// Their name, as reports show it
    #[arg(long, value_parser = Name::parse)]
    name: Name,
    /// How many entrances they may give away
    #[arg(long, value_name = "N", default_value = "0", value_parser = Count::parse)]
    complimentary: Count,
    #[command(flatten)]
    public_url: PublicUrlArg,
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
pub struct Renew {
    #[command(flatten)]
    public_url: PublicUrlArg,
    #[command(flatten)]
    which: Which,
}

#[derive(Args)]
pub struct Which {
    /// The promoter's id (pm_…), as `promoter list` shows it
    #[arg(value_parser = flags::id)]
    promoter_id: String,
    #[command(flatten)]
    common: Common,
}

/// A promoter as commands show it.
#[derive(Serialize)]
struct PromoterOutput<'a> {
    id: &'a str,
    event_id: &'a str,
    name: &'a str,
    complimentary: i64,
    given_away: i64,
    left: i64,
    units: i64,
    amount: i64,
    refunded_units: i64,
    refunded_amount: i64,
    net: i64,
    created_at: Time,
    ended_at: Option<Time>,
    last_four: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shop_url: Option<&'a str>,
}

impl<'a> PromoterOutput<'a> {
    fn new(promoter: &'a Promoter, sold: &Sold) -> Self {
        Self {
            id: &promoter.id,
            event_id: &promoter.event_id,
            name: &promoter.name,
            complimentary: promoter.complimentary,
            given_away: promoter.given_away,
            left: promoter.left(),
            units: sold.units,
            amount: sold.amount,
            refunded_units: sold.refunded_units,
            refunded_amount: sold.refunded_amount,
            net: sold.net(),
            created_at: promoter.created_at.into(),
            ended_at: promoter.ended_at.map(Time),
            last_four: &promoter.last_four,
            token: None,
            url: None,
            shop_url: None,
        }
    }
}

impl Promoters {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::List(list) => list.run().await,
            Self::Renew(renew) => renew.run().await,
            Self::End(which) => which.end().await,
        }
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let new = NewPromoter { event_id: self.event, name: self.name, complimentary: self.complimentary };
        let (store, tenant) = self.of.open().await?;
        let public_url = self.public_url.resolve(&store).await?;
        let created = promoters::create(&store, tenant, &new, &by()).await;
        let (promoter, token) = created.map_err(refused)?;
        let selling = Selling { promoter, sold: Sold::default() };
        let (producer_id, _) = producers::get(&mut store.read().await?, tenant).await?;
        show_token(self.of.output(), &public_url, &producer_id, &selling, &token)
    }
}

/// Shows a token, this once.
fn show_token(
    output: &super::output::Output,
    public_url: &PublicUrl,
    producer_id: &str,
    Selling { promoter, sold }: &Selling,
    token: &str,
) -> anyhow::Result<()> {
    let url = format!("{}{}", public_url.as_str(), shop_links::promoter(token));
    let shop_url =
        format!("{}{}", public_url.as_str(), shop_links::sold_by(producer_id, &promoter.event_id, &promoter.id));
    let fields = [
        ("id", promoter.id.clone()),
        ("name", promoter.name.clone()),
        ("event", promoter.event_id.clone()),
        ("may give away", promoter.complimentary.to_string()),
        ("token", token.to_owned()),
        ("link", url.clone()),
        ("", "This link opens their own page. Send it to them now: it is not shown again.".to_owned()),
        ("link", shop_url.clone()),
        ("", "This link leads buyers to the shop, and says who sold. Anybody may have it.".to_owned()),
    ];
    let shown = PromoterOutput {
        token: Some(token),
        url: Some(&url),
        shop_url: Some(&shop_url),
        ..PromoterOutput::new(promoter, sold)
    };
    output.one(&shown, &fields)
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let found = rows::of_event(&mut store.read().await?, tenant, &self.event, PROMOTERS_MAX).await?;
        let columns = [Id("id"), Text("name"), Fact("sold"), Fact("net"), Fact("given away"), Fact("ended")];
        let more = [Fact("amount"), Fact("refunded"), Fact("left to give"), Fact("ends in"), Fact("created")];
        let shown = |selling| {
            let Selling { promoter, sold }: &Selling = selling;
            PromoterOutput::new(promoter, sold)
        };
        self.of.output().list(&found, &columns, &more, shown, |Selling { promoter, sold }| {
            vec![
                promoter.id.clone(),
                promoter.name.clone(),
                sold.units.to_string(),
                sold.net().to_string(),
                format!("{} of {}", promoter.given_away, promoter.complimentary),
                moment(promoter.ended_at),
                sold.amount.to_string(),
                sold.refunded_amount.to_string(),
                promoter.left().to_string(),
                promoter.last_four.clone(),
                moment(Some(promoter.created_at)),
            ]
        })
    }
}

impl Renew {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.which.open().await?;
        let public_url = self.public_url.resolve(&store).await?;
        let id = &self.which.promoter_id;
        let (promoter, token) = promoters::renew(&store, tenant, id, &by()).await.map_err(refused)?;
        let mut conn = store.read().await?;
        let (producer_id, _) = producers::get(&mut conn, tenant).await?;
        let sold = rows::find(&mut conn, tenant, id).await?.map(|selling| selling.sold).unwrap_or_default();
        show_token(&self.which.common.output, &public_url, &producer_id, &Selling { promoter, sold }, &token)
    }
}

impl Which {
    /// The database, and whose promoter it is.
    async fn open(&self) -> anyhow::Result<(Store, Tenant)> {
        let (store, id) = (self.common.open().await?, &self.promoter_id);
        let owner = owners::of_promoter(&mut store.read().await?, id).await?;
        let unknown =
            || format!("there is no promoter {id}; `taquilla promoter list --producer ID --event ID` shows the ids");
        Ok((store, owner.with_context(unknown)?))
    }

    async fn end(self) -> anyhow::Result<()> {
        let (store, tenant) = self.open().await?;
        let ended = promoters::end(&store, tenant, &self.promoter_id, &by()).await;
        let Selling { promoter, sold } = ended.map_err(refused)?;
        let fields =
            [("id", promoter.id.clone()), ("name", promoter.name.clone()), ("ended", moment(promoter.ended_at))];
        self.common.output.one(&PromoterOutput::new(&promoter, &sold), &fields)
    }
}
