//! `taquilla payment`.

use clap::{Args, Subcommand};
use serde::Serialize;

use super::{
    common::OfProducer,
    output::{
        Column::{Fact, Id, Text},
        moment, refused,
    },
};
use crate::{
    admin::payment_accounts,
    domain::status::PaymentOutcome,
    store::sales::payments::{self, Kept, SETTLED},
    time_source::TimeSource,
    wire::Time,
};

#[derive(Subcommand)]
pub enum Payment {
    /// Connect a payment processor: make the secret that signs its callbacks, and revoke the one before
    Connect(OfProducer),
    /// List the payments that were told of; what is not settled needs a person
    List(List),
}

#[derive(Args)]
pub struct List {
    /// Only those that were paid and could not be settled
    #[arg(long)]
    unsettled: bool,
    #[command(flatten)]
    of: OfProducer,
}

/// A payment as commands show it.
#[derive(Serialize)]
struct Shown<'a> {
    id: &'a str,
    outcome: &'a str,
    order_id: &'a str,
    amount: i64,
    currency: &'a str,
    result: &'a str,
    received_at: Time,
}

fn shown(kept: &Kept) -> Shown<'_> {
    let Kept { id, outcome, order_id, amount, currency, result, received_at } = kept;
    let (outcome, received_at) = (outcome.as_str(), Time(*received_at));
    Shown { id, outcome, order_id, amount: *amount, currency, result, received_at }
}

#[derive(Serialize)]
struct Connected {
    path: String,
    secret: String,
}

impl Payment {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Connect(of) => connect(of).await,
            Self::List(list) => list.run().await,
        }
    }
}

async fn connect(of: OfProducer) -> anyhow::Result<()> {
    let (store, tenant) = of.open().await?;
    let secret = payment_accounts::connect(&store, tenant, TimeSource::System.now()).await.map_err(refused)?;
    let connected = Connected { path: format!("/shop/v1/{}/payments", of.producer), secret: secret.reveal() };
    let fields = [
        ("callback", format!("POST {}", connected.path)),
        ("secret", connected.secret.clone()),
        ("", "Copy the secret now: it is not shown again.".to_owned()),
    ];
    of.output().one(&connected, &fields)
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let mut payments = payments::list(&mut store.read().await?, tenant).await?;
        if self.unsettled {
            payments.retain(|payment| payment.outcome == PaymentOutcome::Paid && payment.result != SETTLED);
        }
        let columns = [Id("order"), Fact("outcome"), Text("result"), Text("amount")];
        let more = [Id("id"), Fact("received")];
        self.of.output().list(&payments, &columns, &more, shown, |payment| {
            vec![
                payment.order_id.clone(),
                payment.outcome.as_str().to_owned(),
                payment.result.clone(),
                format!("{} {}", payment.amount, payment.currency),
                payment.id.clone(),
                moment(Some(payment.received_at)),
            ]
        })
    }
}
