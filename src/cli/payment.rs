//! `taquilla payment`.

use clap::{Args, Subcommand};
use serde::Serialize;

use taquilla_domain::{status::PaymentOutcome, text::Name};
use taquilla_rules::{admin, boxoffice};
use taquilla_store::sales::{
    payment_lists::{self, Fits, Listed},
    payments::ReportedPayment,
    processors::Before,
};
use taquilla_wire::{Time, api};

use super::{
    by::by,
    common::OfProducer,
    flags,
    hold::PastHoldsFlag,
    order_find::fields,
    output::{
        Column::{Fact, Id, Text},
        Output, moment, refused,
    },
};

#[derive(Subcommand)]
pub enum Payment {
    /// Connect a payment processor: make the secret that signs its callbacks. The previous one works for 24 hours more
    Connect(Connect),
    /// List payments, oldest first, and what each needs from a person
    List(List),
    /// Settle an order with a payment that has paid for nothing: a pending order is approved, one that you approved has
    /// its payment
    Settle(Settle),
    /// Mark a payment as paid back: it no longer pays for anything or needs anybody
    PaidBack(PaidBack),
}

#[derive(Args)]
pub struct Connect {
    /// End previous secrets at once, because others have seen them
    #[arg(long)]
    at_once: bool,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct List {
    /// Only those that need a person: paid, and neither settled nor paid back
    #[arg(long)]
    unsettled: bool,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct Settle {
    /// The processor's id for the payment, as the list shows it
    payment_id: String,
    /// The order, which may be another one than the payment was meant for, and may cost more or less
    #[arg(long, value_name = "ID", value_parser = flags::id)]
    order: String,
    #[command(flatten)]
    past_holds: PastHoldsFlag,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct PaidBack {
    /// The processor's id for the payment, as the list shows it
    payment_id: String,
    /// How it was paid back, for whoever asks later
    #[arg(long, value_name = "TEXT", value_parser = Name::parse)]
    note: Name,
    #[command(flatten)]
    of: OfProducer,
}

/// A payment as commands show it.
#[derive(Serialize)]
struct PaymentOutput<'a> {
    id: &'a str,
    outcome: &'a str,
    order_id: Option<&'a str>,
    reference: &'a str,
    amount: i64,
    currency: &'a str,
    result: &'a str,
    /// Why it has settled nothing, and what a person has to do; null if nothing.
    needs: Option<&'static str>,
    received_at: Time,
    paid_back_at: Option<Time>,
    note: Option<&'a str>,
}

fn shown((kept, fits): &(ReportedPayment, Fits)) -> PaymentOutput<'_> {
    PaymentOutput {
        id: &kept.id,
        outcome: kept.outcome.as_str(),
        order_id: kept.order_id.as_deref(),
        reference: kept.reference.uncovered(),
        amount: kept.amount,
        currency: &kept.currency,
        result: &kept.result,
        needs: kept.is_open().then(|| needs(&kept.result, *fits)),
        received_at: Time(kept.received_at),
        paid_back_at: kept.paid_back_at.map(Time),
        note: kept.note.uncovered().as_deref(),
    }
}

/// Why money has paid for nothing, and what a person has to do about it, by what its order can do with it.
fn needs(result: &str, fits: Fits) -> &'static str {
    match (result, fits) {
        ("event_not_on_sale", _) => "event cancelled: pay back",
        ("not_found", _) => "no order has its reference: pay back",
        ("payment_paid_back", _) => "other money of this id was paid back: look",
        ("invalid_body", _) => "the notice itself is wrong: look at the processor",
        ("payment_mismatch", Fits::Nothing) => "not what the order costs: pay back",
        ("payment_mismatch", _) => "not what the order costs: settle, or pay back",
        ("sold_out", Fits::Nothing) => "sold out when it came: pay back",
        ("sold_out", Fits::Waits) => "sold out: pay back, or add stock and approve",
        (_, Fits::Approved) => "you approved the order: settle it, or pay back",
        ("order_not_pending", _) => "order already decided: pay back",
        (_, Fits::Waits) => "refused: settle the order, or pay back",
        (_, Fits::Nothing) => "refused: pay back",
    }
}

#[derive(Serialize)]
struct Connected {
    path: String,
    secret: String,
    previous_valid_until: Option<Time>,
}

impl Payment {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Connect(connect) => connect.run().await,
            Self::List(list) => list.run().await,
            Self::Settle(settle) => settle.run().await,
            Self::PaidBack(paid_back) => paid_back.run().await,
        }
    }
}

impl Connect {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let connected = admin::payments::connect(&store, tenant, self.at_once, &by()).await;
        let (secret, before) = connected.map_err(refused)?;
        let until = if let Before::TakenUntil(until) = before { Some(until) } else { None };
        let connected = Connected {
            path: format!("/shop/v1/{}/payments", self.of.producer),
            secret: secret.reveal(),
            previous_valid_until: until.map(Time),
        };
        let mut fields = vec![("callback", format!("POST {}", connected.path)), ("secret", connected.secret.clone())];
        fields.extend(until.map(|until| ("before", format!("taken too, until {}", moment(Some(until))))));
        fields.push(("", "Copy the secret now: it is not shown again.".to_owned()));
        self.of.output().one(&connected, &fields)
    }
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let listed = if self.unsettled { Listed::Unsettled } else { Listed::All };
        print(self.of.output(), &payment_lists::list(&mut store.read().await?, tenant, listed).await?)
    }
}

impl Settle {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let (order_id, past_holds) = (&self.order, self.past_holds.get());
        let settled = boxoffice::settle_with(&store, tenant, order_id, &self.payment_id, past_holds, &by()).await;
        let order = settled.map_err(refused)?;
        self.of.output().one(&api::Order::from(&order), &fields(&order))
    }
}

impl PaidBack {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let marked = admin::payments::mark_paid_back(&store, tenant, &self.payment_id, &self.note, &by()).await;
        // Nobody has to deal with them, so it does not matter what their orders can do.
        let marked: Vec<(ReportedPayment, Fits)> =
            marked.map_err(refused)?.into_iter().map(|kept| (kept, Fits::Nothing)).collect();
        print(self.of.output(), &marked)
    }
}

fn print(output: &Output, payments: &[(ReportedPayment, Fits)]) -> anyhow::Result<()> {
    let columns = [Id("payment"), Fact("amount"), Text("needs")];
    let more = [
        Fact("outcome"),
        Fact("result"),
        Id("order"),
        Id("reference"),
        Fact("received"),
        Fact("paid back"),
        Text("note"),
    ];
    output.list(payments, &columns, &more, shown, |(payment, fits)| {
        let needs = match payment {
            open if open.is_open() => needs(&open.result, *fits),
            ReportedPayment { paid_back_at: Some(_), .. } => "nothing: paid back",
            ReportedPayment { outcome: PaymentOutcome::Failed, .. } => "nothing: it failed",
            _ => "nothing: settled",
        };
        vec![
            payment.id.clone(),
            format!("{} {}", payment.amount, payment.currency),
            needs.to_owned(),
            payment.outcome.as_str().to_owned(),
            payment.result.clone(),
            payment.order_id.clone().unwrap_or_else(|| "–".to_owned()),
            payment.reference.uncovered().clone(),
            moment(Some(payment.received_at)),
            moment(payment.paid_back_at),
            payment.note.uncovered().clone().unwrap_or_else(|| "–".to_owned()),
        ]
    })
}
