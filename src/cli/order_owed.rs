//! `taquilla order`: what is to be paid back for refunded orders.

use clap::Args;
use serde::Serialize;

use taquilla_domain::{clock::Stamp, config::PAYMENTS_PAGE, text::Name};
use taquilla_rules::admin;
use taquilla_store::sales::pay_backs::{self, PayBack};
use taquilla_wire::Time;

use super::{
    by::by,
    common::OfProducer,
    flags,
    method::MethodFlag,
    order_find::order_id,
    output::{
        Column::{Fact, Id, Text},
        Output, moment, refused,
    },
};

#[derive(Args)]
pub struct Owed {
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct PaidBack {
    /// The order's number or id, or the reference that its buyer has
    #[arg(value_name = "NUMBER|ID|REFERENCE", value_parser = flags::id)]
    order: String,
    /// How it was paid back, for whoever asks later
    #[arg(long, value_name = "TEXT", value_parser = Name::parse)]
    note: Name,
    #[command(flatten)]
    method: MethodFlag,
    #[command(flatten)]
    of: OfProducer,
}

/// What a refund owes, as commands show it.
#[derive(Serialize)]
struct ShownPayBack<'a> {
    order_id: &'a str,
    payment_id: Option<&'a str>,
    amount: i64,
    currency: &'a str,
    owed_at: Time,
    paid_back_at: Option<Time>,
    note: Option<&'a str>,
}

fn shown(owing: &PayBack) -> ShownPayBack<'_> {
    ShownPayBack {
        order_id: &owing.owed.order_id,
        payment_id: owing.owed.payment_id.as_deref(),
        amount: owing.owed.amount,
        currency: &owing.owed.currency,
        owed_at: Time(owing.owed_at),
        paid_back_at: owing.paid_back_at.map(Time),
        note: owing.note.uncovered().as_deref(),
    }
}

impl Owed {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let mut conn = store.read().await?;
        let mut owed: Vec<PayBack> = Vec::new();
        loop {
            let after = owed.last().map_or((Stamp::BEGINNING, ""), |last| (last.owed_at, last.owed.order_id.as_str()));
            let page = pay_backs::page(&mut conn, tenant, after, PAYMENTS_PAGE).await?;
            let is_last = page.len() < PAYMENTS_PAGE;
            owed.extend(page);
            if is_last {
                return print(self.of.output(), &owed);
            }
        }
    }
}

impl PaidBack {
    pub async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let (id, by) = (&order_id(&store, tenant, self.order).await?, by());
        let marked =
            admin::payments::mark_order_paid_back(&store, tenant, id, None, &self.note, self.method.get(), &by).await;
        print(self.of.output(), &marked.map_err(refused)?)
    }
}

fn print(output: &Output, owed: &[PayBack]) -> anyhow::Result<()> {
    let columns = [Id("order"), Fact("to pay back"), Id("payment"), Fact("refunded")];
    let more = [Fact("paid back"), Text("note")];
    output.list(owed, &columns, &more, shown, |owing| {
        vec![
            owing.owed.order_id.clone(),
            format!("{} {}", owing.owed.amount, owing.owed.currency),
            owing.owed.payment_id.clone().unwrap_or_else(|| "–".to_owned()),
            moment(Some(owing.owed_at)),
            moment(owing.paid_back_at),
            owing.note.uncovered().clone().unwrap_or_else(|| "–".to_owned()),
        ]
    })
}
