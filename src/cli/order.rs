//! `taquilla order`.

use clap::{Args, Subcommand};
use serde::Serialize;

use taquilla_domain::{audit::By, clock::Stamp, invalid::Invalid, money::Amount, order::Order as Sale, stock::Channel};
use taquilla_rules::boxoffice::{self, ItemRequest, OrderRequest, Placed};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    sales::pay_backs::{self, Owed as Owing, PayBack},
    tickets::staff,
};
use taquilla_wire::{Time, api};

use super::{
    by::by,
    common::OfProducer,
    flags,
    hold::{Hold, PastHoldsFlag},
    method::MethodFlag,
    order_find::{ListOrders, SearchOrders, ShowOrder, fields, order_id},
    order_owed::{Owed, PaidBack},
    output::refused,
    person::PersonArgs,
};

#[derive(Subcommand)]
pub enum Order {
    /// Sell from the box office: a free order is approved at once, any other is pending
    Create(Create),
    /// Approve a pending order: it is paid, its tickets are issued
    Approve(Approve),
    /// Reject a pending order: it will not be paid
    Reject(Which),
    /// Refund an approved order: its tickets no longer work. No money moves: pay it back yourself, then say so (paid-back)
    Refund(Which),
    /// List what is to be paid back for refunded orders and tickets, oldest first
    Owed(Owed),
    /// Say that what refunds owe for an order was paid back
    PaidBack(PaidBack),
    /// List orders, newest first
    List(ListOrders),
    /// Show an order, by its number, its id or its buyer's reference
    Show(ShowOrder),
    /// Find orders by number, id, reference, or the buyer's name, mail, phone or document
    ///
    /// A number, an id or a reference is found at once. Anything else is looked for in all orders of the producer, or of one
    /// event, newest first, until enough are found: about a second for every 100,000.
    Search(SearchOrders),
}

#[derive(Args)]
pub struct Create {
    /// The event
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    event: String,
    /// What is bought: TYPE=QUANTITY, or TYPE=QUANTITY@PRICE for a special price; repeat for several
    #[arg(long, required = true, value_name = "TYPE=QUANTITY[@PRICE]", value_parser = parse_item)]
    item: Vec<ItemRequest>,
    /// The code of a coupon
    #[arg(long, value_name = "CODE")]
    coupon: Option<String>,
    #[command(flatten)]
    buyer: PersonArgs,
    /// The order is already paid: approve it at once
    #[arg(long)]
    approve: bool,
    #[command(flatten)]
    method: MethodFlag,
    #[command(flatten)]
    hold: Hold,
    #[command(flatten)]
    past_holds: PastHoldsFlag,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct Approve {
    #[command(flatten)]
    method: MethodFlag,
    #[command(flatten)]
    past_holds: PastHoldsFlag,
    #[command(flatten)]
    which: Which,
}

#[derive(Args)]
pub struct Which {
    /// The order's number or id, or the reference that its buyer has
    #[arg(value_name = "NUMBER|ID|REFERENCE", value_parser = flags::id)]
    order: String,
    #[command(flatten)]
    of: OfProducer,
}

/// A new order as commands show it, with its buyer's reference.
#[derive(Serialize)]
struct ShownPlaced<'a> {
    order: api::Order<'a>,
    reference: &'a str,
    held_until: Option<Time>,
}

impl Order {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Create(create) => create.run().await,
            Self::Approve(Approve { which, past_holds, method }) => {
                let approve = async |store: &Store, tenant, id: &str, by: &By| {
                    boxoffice::approve_paid(store, tenant, id, past_holds.get(), method.get(), by).await
                };
                which.run(approve).await
            }
            Self::Reject(which) => {
                which
                    .run(async |store: &Store, tenant, id: &str, by: &By| {
                        boxoffice::reject(store, tenant, id, by).await
                    })
                    .await
            }
            Self::Refund(which) => which.refund().await,
            Self::Owed(owed) => owed.run().await,
            Self::PaidBack(paid_back) => paid_back.run().await,
            Self::List(list) => list.run().await,
            Self::Show(show) => show.run().await,
            Self::Search(search) => search.run().await,
        }
    }
}

impl Which {
    async fn run(self, step: impl AsyncFnOnce(&Store, Tenant, &str, &By) -> ChangeResult<Sale>) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let id = order_id(&store, tenant, self.order).await?;
        let order = step(&store, tenant, &id, &by()).await.map_err(refused)?;
        self.of.output().one(&api::Order::from(&order), &fields(&order))
    }
}

impl Which {
    /// Refunds the order, and says what a refund does not do by itself.
    async fn refund(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let id = order_id(&store, tenant, self.order).await?;
        let entered = staff::entered_of_order(&mut store.read().await?, tenant, &id).await?;
        let order = boxoffice::refund(&store, tenant, &id, &by()).await.map_err(refused)?;
        let owed = pay_backs::of_order(&mut store.read().await?, tenant, &id).await?;
        self.of.output().one(&api::Order::from(&order), &fields(&order))?;
        say_owed(&owed, order.refunded_at);
        if entered > 0 {
            eprintln!("Tickets of this order that had entered: {entered}.");
        }
        Ok(())
    }
}

/// Says what a refund at this time owes, and that no money was moved.
pub fn say_owed(owed: &[PayBack], at: Option<Stamp>) {
    let owed = owed.iter().filter(|owing| Some(owing.owed_at) == at);
    for PayBack { owed: Owing { amount, currency, .. }, .. } in owed {
        eprintln!(
            "To be paid back: {amount} {currency}. No money was moved: pay it back, then run `taquilla order paid-back`."
        );
    }
}

impl Create {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let (event_id, buyer, items) = (self.event, self.buyer.into(), self.item);
        let request = OrderRequest {
            hold: self.hold.hold,
            past_holds: self.past_holds.get(),
            is_paid: self.approve,
            method: self.method.get(),
            coupon: self.coupon,
            ..OrderRequest::new(event_id, buyer, items, Channel::Staff)
        };
        let placed = boxoffice::place(&store, tenant, &request, None, &by()).await.map_err(refused)?;
        let Placed::New(placed) = placed else { anyhow::bail!("an order without a key was placed before") };
        let (order, reference) = (&placed.order, placed.reference.as_str());
        let held_until = order.held_until.map(Time);
        let shown = ShownPlaced { order: api::Order::from(order), reference, held_until };
        self.of.output().one(&shown, &fields(order))
    }
}

fn parse_item(text: &str) -> Result<ItemRequest, Invalid> {
    let (item, price) = match text.rsplit_once('@') {
        // An id may hold an @ too.
        Some((item, price)) if !price.contains('=') => (item, Some(price).filter(|price| !price.is_empty())),
        _ => (text, None),
    };
    let expected = "TYPE=QUANTITY or TYPE=QUANTITY@PRICE is expected, such as tt_general=2@20";
    let (ticket_type_id, quantity) =
        flags::quantity_of(item).filter(|_| !text.ends_with('@')).ok_or(Invalid::new(expected))?;
    Ok(ItemRequest {
        ticket_type_id,
        quantity,
        unit_price: price.map(Amount::parse).transpose()?.map(Amount::get),
        attendees: Vec::new(),
        access_code: None,
    })
}
