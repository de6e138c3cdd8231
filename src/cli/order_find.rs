//! `taquilla order`: listing, showing and searching.

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use taquilla_domain::{
    invalid::Invalid,
    order::Order,
    status::{OrderChannel, OrderStatus},
};
use taquilla_rules::admin::{
    lists::{self, NewestRows},
    search::{self, Search},
};
use taquilla_store::{
    Store, Tenant,
    sales::{holds, orders::Query, terms},
};
use taquilla_wire::{
    Time, api,
    shop::{Hold, ShopTerms},
};

use super::{
    catalogue_find::an_event,
    common::OfProducer,
    flags,
    found::{Limit, Wanted, looking_at},
    output::{
        Column::{Fact, Id, Text},
        Output, moment,
    },
    person::person,
};

#[derive(Args)]
pub struct ListOrders {
    /// Only orders of this event
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: Option<String>,
    /// Only orders of this status: pending, approved, rejected or refunded; may be given several times
    #[arg(long, value_parser = status)]
    status: Vec<OrderStatus>,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct ShowOrder {
    /// The order's number or id, or the reference that its buyer has
    #[arg(value_name = "NUMBER|ID|REFERENCE", value_parser = flags::id)]
    order: String,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct SearchOrders {
    #[command(flatten)]
    wanted: Wanted,
    #[command(flatten)]
    of: OfProducer,
}

fn status(text: &str) -> Result<OrderStatus, Invalid> {
    flags::named(text, OrderStatus::ALL, OrderStatus::as_str)
}

impl ListOrders {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        an_event(&store, tenant, self.event.as_deref()).await?;
        let statuses = OrderStatus::ALL.iter().copied().filter(|status| self.status.contains(status)).collect();
        let query = Query { event_id: self.event, statuses, ..Query::default() };
        print(self.of.output(), &self.limit, &lists::orders(&store, tenant, &query, self.limit.get()).await?)
    }
}

/// The id of the order that is meant: by its number, its id or its reference. What means none is left as it is, and refused as
/// an id that is not known.
pub async fn order_id(store: &Store, tenant: Tenant, text: String) -> anyhow::Result<String> {
    let found = search::order(&mut store.read().await?, tenant, &text).await?;
    Ok(found.map_or(text, |order| order.into_uncovered().id))
}

impl ShowOrder {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let found = search::order(&mut store.read().await?, tenant, &self.order).await?;
        let unknown = "the producer has no order with this number, id or reference; `taquilla order search` finds one by its buyer";
        let order = found.context(unknown)?.into_uncovered();
        let lasts = holds::lasts(&mut store.read().await?, &order).await?;
        let hold = order.held_until.zip(lasts).map(|(until, lasts)| Hold { until: Time(until), lasts });
        let mut fields = fields(&order);
        if let Some((_, value)) =
            fields.iter_mut().find(|(name, _)| *name == "held until").filter(|_| lasts == Some(false))
        {
            value.push_str(" (over)");
        }
        let past_holds_at = order.past_holds_at.map(Time);
        let terms = terms::accepted(&mut store.read().await?, tenant, &[&order.id]).await?.remove(&order.id);
        fields.extend(terms.as_ref().map(|terms| ("terms accepted", terms.id.clone())));
        let terms = terms.as_ref().map(ShopTerms::from);
        self.of.output().one(&ShownOrder { order: api::Order::from(&order), hold, past_holds_at, terms }, &fields)
    }
}

impl SearchOrders {
    pub async fn run(self) -> anyhow::Result<()> {
        let Wanted { event, limit, .. } = &self.wanted;
        let (text, words) = self.wanted.parse()?;
        let (store, tenant) = self.of.open().await?;
        an_event(&store, tenant, event.as_deref()).await?;
        let search = Search { text: &text, words: &words, event_id: event.as_deref(), limit: limit.get() };
        let bar = looking_at("orders");
        let found = search::orders(&store, tenant, &search, |read| bar.set_position(read)).await;
        bar.finish_and_clear();
        print(self.of.output(), limit, &found?)
    }
}

/// An order as `show` prints it, with what the API does not show.
#[derive(Serialize)]
struct ShownOrder<'a> {
    #[serde(flatten)]
    order: api::Order<'a>,
    hold: Option<Hold>,
    past_holds_at: Option<Time>,
    /// The terms that the buyer accepted when the order was placed.
    terms: Option<ShopTerms<'a>>,
}

fn print(output: &Output, limit: &Limit, found: &NewestRows<Order>) -> anyhow::Result<()> {
    let columns = [Fact("no."), Id("id"), Fact("status"), Text("buyer"), Text("total")];
    let more = [Text("email"), Id("event"), Fact("created"), Fact("updated")];
    output.list(&found.rows, &columns, &more, api::Order::from, |order| {
        vec![
            order.number.to_string(),
            order.id.clone(),
            order.status.as_str().to_owned(),
            order.buyer.name.clone(),
            format!("{} {}", order.total, order.currency),
            order.buyer.email.clone(),
            order.event_id.clone(),
            moment(Some(order.created_at)),
            moment(Some(order.updated_at)),
        ]
    })?;
    limit.mention(found);
    Ok(())
}

/// The fields of an order.
pub fn fields(order: &Order) -> Vec<(&'static str, String)> {
    let or_dash = |value: Option<&str>| value.unwrap_or("–").to_owned();
    let mut fields = vec![
        ("number", order.number.to_string()),
        ("id", order.id.clone()),
        ("status", order.status.as_str().to_owned()),
        ("event", order.event_id.clone()),
        ("buyer", person(&order.buyer.name, &order.buyer.email)),
    ];
    for item in &order.items {
        fields.push(("item", format!("{} × {} at {} {}", item.quantity, item.name, item.unit_price, order.currency)));
    }
    if order.discount > 0 {
        fields.push(("discount", format!("{} {}", order.discount, order.currency)));
    }
    if order.surcharge > 0 {
        fields.push(("surcharge", format!("{} {}", order.surcharge, order.currency)));
    }
    fields.push(("total", format!("{} {}", order.total, order.currency)));
    fields.extend([
        ("reference", or_dash(order.reference.as_deref())),
        ("channel", or_dash(order.channel.map(OrderChannel::as_str))),
        ("payment", or_dash(order.payment_id.as_deref())),
        ("created", moment(Some(order.created_at))),
        ("paid", moment(order.paid_at)),
        ("refunded", moment(order.refunded_at)),
        ("updated", moment(Some(order.updated_at))),
    ]);
    if let Some(coupon) = &order.coupon {
        fields.push(("coupon", coupon.code.clone()));
    }
    if let Some(promoter) = &order.promoter {
        fields.push(("promoter", promoter.name.clone()));
    }
    if let Some(method) = order.payment_method {
        fields.push(("paid by", method.as_str().to_owned()));
    }
    if order.held_until.is_some() {
        fields.push(("held until", moment(order.held_until)));
    }
    if order.past_holds_at.is_some() {
        fields.push(("past holds", moment(order.past_holds_at)));
    }
    fields
}
