//! `taquilla order`.

use anyhow::Context;
use clap::{Args, Subcommand};

use super::{
    Database,
    database::find_producer,
    output::{Output, moment, refused},
    person::PersonArgs,
};
use crate::{
    app::Time,
    boxoffice::{self, ItemRequest, OrderRequest, Placed},
    domain::{clock::Stamp, stock::Channel},
    store::{Store, orders, producers::Tenant},
    wire,
};

#[derive(Subcommand)]
pub enum Order {
    /// Sell from the box office; a free order is approved at once, any other is pending
    Create(Create),
    /// Approve a pending order: it is paid, its tickets are issued
    Approve(Which),
    /// Reject a pending order: it will not be paid
    Reject(Which),
    /// Refund an approved order: its tickets no longer work
    Refund(Which),
    /// Show an order
    Show(Which),
}

#[derive(Args)]
pub struct Create {
    /// Whose event it is
    #[arg(long, value_name = "ID")]
    producer: String,
    /// The event
    #[arg(long, value_name = "ID")]
    event: String,
    /// What is bought: TYPE=QUANTITY, or TYPE=QUANTITY@PRICE for another price than the list's; once for each item
    #[arg(long, required = true, value_name = "TYPE=QUANTITY[@PRICE]")]
    item: Vec<String>,
    #[command(flatten)]
    buyer: PersonArgs,
    /// The order is paid already: approve it at once
    #[arg(long)]
    approve: bool,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub struct Which {
    /// The order's id
    order_id: String,
    /// Whose order it is
    #[arg(long, value_name = "ID")]
    producer: String,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

impl Order {
    pub async fn run(self) -> anyhow::Result<()> {
        let now = Time::System.now();
        match self {
            Self::Create(create) => create.run(now).await,
            Self::Approve(which) => {
                which.run(async |store, tenant, id| boxoffice::approve(store, tenant, id, now).await).await
            }
            Self::Reject(which) => {
                which.run(async |store, tenant, id| boxoffice::reject(store, tenant, id, now).await).await
            }
            Self::Refund(which) => {
                which.run(async |store, tenant, id| boxoffice::refund(store, tenant, id, now).await).await
            }
            Self::Show(which) => {
                which
                    .run(async |store, tenant, id| {
                        let found = orders::find(&mut store.read().await?, tenant, id).await?;
                        Ok(found.ok_or(crate::domain::refusal::Refusal::NotFound("order"))?)
                    })
                    .await
            }
        }
    }
}

impl Which {
    async fn run(
        self,
        step: impl AsyncFnOnce(&Store, Tenant, &str) -> boxoffice::Result<wire::Order>,
    ) -> anyhow::Result<()> {
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        let order = step(&store, tenant, &self.order_id).await.map_err(refused)?;
        self.output.one(&order, &fields(&order, None))
    }
}

impl Create {
    async fn run(self, now: Stamp) -> anyhow::Result<()> {
        super::producer::check_name(&self.buyer.name)?;
        let items = self.item.iter().map(|text| parse_item(text)).collect::<anyhow::Result<Vec<_>>>()?;
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        let request = OrderRequest { event_id: self.event, buyer: self.buyer.into(), items, channel: Channel::Staff };
        let placed = boxoffice::place(&store, tenant, &request, None, now).await.map_err(refused)?;
        let Placed::New(mut placed) = placed else { anyhow::bail!("an order without a key was placed before") };
        if self.approve && placed.order.status == crate::domain::status::OrderStatus::Pending {
            let approved = boxoffice::approve(&store, tenant, &placed.order.id, now).await.map_err(refused);
            placed.order = approved.with_context(|| format!("the order {} stays pending", placed.order.id))?;
        }
        self.output.one(&*placed, &fields(&placed.order, Some(&placed.reference)))
    }
}

fn parse_item(text: &str) -> anyhow::Result<ItemRequest> {
    let wrong = || format!("--item {text}: TYPE=QUANTITY or TYPE=QUANTITY@PRICE is expected, such as tt_general=2@20");
    let (ticket_type_id, rest) = text.rsplit_once('=').with_context(wrong)?;
    let (quantity, price) = match rest.split_once('@') {
        Some((quantity, price)) => (quantity, Some(price.parse().with_context(wrong)?)),
        None => (rest, None),
    };
    Ok(ItemRequest {
        ticket_type_id: ticket_type_id.to_owned(),
        quantity: quantity.parse().with_context(wrong)?,
        unit_price: price,
        attendees: Vec::new(),
        access_code: None,
    })
}

fn fields(order: &wire::Order, reference: Option<&str>) -> Vec<(&'static str, String)> {
    let mut fields = vec![
        ("id", order.id.clone()),
        ("status", order.status.as_str().to_owned()),
        ("event", order.event_id.clone()),
        ("buyer", format!("{} <{}>", order.buyer.name, order.buyer.email)),
    ];
    for item in &order.items {
        fields.push(("item", format!("{} × {} at {} {}", item.quantity, item.name, item.unit_price, order.currency)));
    }
    fields.push(("total", format!("{} {}", order.total, order.currency)));
    fields.push(("created", moment(Some(order.created_at))));
    fields.push(("updated", moment(Some(order.updated_at))));
    fields.extend(reference.map(|reference| ("reference", reference.to_owned())));
    fields
}
