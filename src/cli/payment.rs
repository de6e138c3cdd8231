//! `taquilla payment`.

use clap::{Args, Subcommand};
use serde::Serialize;

use super::{
    Database,
    database::find_producer,
    output::{Output, moment},
};
use crate::{
    app::Time,
    domain::signature::SigningSecret,
    store::payments::{self, SETTLED},
};

#[derive(Subcommand)]
pub enum Payment {
    /// Connect a payment processor: make the secret that signs its callbacks, and revoke the one before
    Connect(Connect),
    /// List the payments that were told of; what is not settled needs a person
    List(List),
}

#[derive(Args)]
pub struct Connect {
    /// Whose processor it is
    #[arg(long, value_name = "ID")]
    producer: String,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
pub struct List {
    /// Whose payments
    #[arg(long, value_name = "ID")]
    producer: String,
    /// Only those that were paid and could not be settled
    #[arg(long)]
    unsettled: bool,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    output: Output,
}

#[derive(Serialize)]
struct Connected {
    path: String,
    secret: String,
}

impl Payment {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Connect(connect) => connect.run().await,
            Self::List(list) => list.run().await,
        }
    }
}

impl Connect {
    async fn run(self) -> anyhow::Result<()> {
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        let secret = SigningSecret::generate().reveal();
        payments::set_secret(&store, tenant, &secret, Time::System.now()).await?;
        let connected = Connected { path: format!("/shop/v1/{}/payments", self.producer), secret };
        let fields = [
            ("callback", format!("POST {}", connected.path)),
            ("secret", connected.secret.clone()),
            ("", "Copy the secret now: it is not shown again.".to_owned()),
        ];
        self.output.one(&connected, &fields)
    }
}

impl List {
    async fn run(self) -> anyhow::Result<()> {
        let store = self.database.open().await?;
        let tenant = find_producer(&store, &self.producer).await?;
        let mut payments = payments::list(&mut store.read().await?, tenant).await?;
        if self.unsettled {
            payments.retain(|payment| payment.outcome == "paid" && payment.result != SETTLED);
        }
        self.output.list(&payments, &["id", "outcome", "order", "amount", "result", "received"], |payment| {
            vec![
                payment.id.clone(),
                payment.outcome.clone(),
                payment.order_id.clone(),
                format!("{} {}", payment.amount, payment.currency),
                payment.result.clone(),
                moment(Some(payment.received_at)),
            ]
        })
    }
}
