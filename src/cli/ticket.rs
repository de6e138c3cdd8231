//! `taquilla ticket`.

use clap::{Args, Subcommand};
use serde_json::Value;

use super::{common::OfProducer, flags, output::refused, person::PersonArgs};
use crate::{
    boxoffice,
    domain::text::Name,
    store::{
        Store, Tenant,
        tickets::{listed, type_names::TypeNames},
    },
    time_source::TimeSource,
};

#[derive(Subcommand)]
pub enum Ticket {
    /// Cancel a ticket: it no longer works, its stock returns
    Cancel(Which),
    /// Pass a ticket on: a new one for somebody else takes its place
    Transfer(Transfer),
    /// Let a ticket's holder in, from a script or a gate of your own
    Scan(Scan),
    /// Take a test or staff code off the books: in no list and no count, but it still works
    Hide(Which),
    /// Show a ticket
    Show(Which),
}

#[derive(Args)]
pub struct Which {
    /// The ticket's id: the value of its QR code
    #[arg(value_parser = flags::id)]
    ticket_id: String,
    #[command(flatten)]
    of: OfProducer,
}

#[derive(Args)]
pub struct Transfer {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    to: PersonArgs,
}

#[derive(Args)]
pub struct Scan {
    #[command(flatten)]
    which: Which,
    /// Where it enters: a label, not a person
    #[arg(long, value_parser = Name::parse)]
    station: Name,
}

impl Ticket {
    pub async fn run(self) -> anyhow::Result<()> {
        let now = TimeSource::System.now();
        match self {
            Self::Cancel(which) => {
                let (store, tenant) = which.of.open().await?;
                boxoffice::cancel(&store, tenant, &which.ticket_id, now).await.map_err(refused)?;
                which.show(&store, tenant, &which.ticket_id).await
            }
            Self::Hide(which) => {
                let (store, tenant) = which.of.open().await?;
                boxoffice::hide(&store, tenant, &which.ticket_id, now).await.map_err(refused)?;
                which.show(&store, tenant, &which.ticket_id).await
            }
            Self::Transfer(Transfer { which, to }) => {
                let (store, tenant) = which.of.open().await?;
                let id =
                    boxoffice::transfer(&store, tenant, &which.ticket_id, &to.into(), now).await.map_err(refused)?;
                which.show(&store, tenant, &id).await
            }
            Self::Scan(Scan { which, station }) => {
                let (store, tenant) = which.of.open().await?;
                boxoffice::scan(&store, tenant, &which.ticket_id, station.as_str(), now).await.map_err(refused)?;
                which.show(&store, tenant, &which.ticket_id).await
            }
            Self::Show(which) => {
                let (store, tenant) = which.of.open().await?;
                which.show(&store, tenant, &which.ticket_id).await
            }
        }
    }
}

impl Which {
    async fn show(&self, store: &Store, tenant: Tenant, id: &str) -> anyhow::Result<()> {
        let mut json = Vec::new();
        let names = TypeNames::default();
        if !listed::write_one(&mut store.read().await?, tenant, &names, id, &mut json).await? {
            anyhow::bail!("there is no such ticket");
        }
        let json: Value = serde_json::from_slice(&json)?;
        let text = |value: &Value| value.as_str().unwrap_or("–").to_owned();
        let fields = [
            ("id", text(&json["id"])),
            ("status", text(&json["status"])),
            ("type", text(&json["ticket_type"]["name"])),
            ("event", text(&json["event_id"])),
            ("attendee", text(&json["attendee"]["name"])),
            ("passed on as", text(&json["transferred_to_ticket_id"])),
        ];
        self.of.output().one(&json, &fields)
    }
}
