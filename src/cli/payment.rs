//! `taquilla payment`.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use clap::{Args, Subcommand};
use serde::Serialize;

use super::{Database, database::find_producer, output::Output};
use crate::{app::Time, store::payments};

#[derive(Subcommand)]
pub enum Payment {
    /// Connect a payment processor: make the secret that signs its callbacks, and revoke the one before
    Connect(Connect),
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

#[derive(Serialize)]
struct Connected {
    path: String,
    secret: String,
}

impl Payment {
    pub async fn run(self) -> anyhow::Result<()> {
        let Self::Connect(Connect { producer, database, output }) = self;
        let store = database.open().await?;
        let tenant = find_producer(&store, &producer).await?;
        let secret = format!("whsec_{}", BASE64.encode(rand::random::<[u8; 32]>()));
        payments::set_secret(&store, tenant, &secret, Time::System.now()).await?;
        let connected = Connected { path: format!("/shop/v1/payments/{producer}"), secret };
        let fields = [
            ("callback", format!("POST {}", connected.path)),
            ("secret", connected.secret.clone()),
            ("", "Copy the secret now: it is not shown again.".to_owned()),
        ];
        output.one(&connected, &fields)
    }
}
