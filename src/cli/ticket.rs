//! `taquilla ticket`.

use clap::{Args, Subcommand};

use taquilla_domain::{door_note::DoorNote, refusal::Refusal, text::Name};
use taquilla_rules::boxoffice;
use taquilla_store::{sales::pay_backs, tickets::rows};

use super::{
    by::by,
    common::OfProducer,
    flags,
    order::say_owed,
    output::refused,
    person::PersonArgs,
    ticket_find::{ListTickets, SearchTickets, show},
};

#[derive(Subcommand)]
pub enum Ticket {
    /// Cancel a ticket: it no longer works, its stock returns
    Cancel(Cancel),
    /// Pass a ticket on: a new one for somebody else takes its place
    Transfer(Transfer),
    /// Let a ticket's holder in, from a script or a gate of your own
    Scan(Scan),
    /// Have the scanner show a note with a ticket, such as "VIP"; an empty one removes it
    Note(Note),
    /// Take a test or staff code off the books: in no list and no count, but it still works
    Hide(Which),
    /// List tickets, newest first; hidden ones are in no list
    List(ListTickets),
    /// Show a ticket: where it stands, whether and where it entered, and who held it
    Show(Which),
    /// Find tickets by id, or the attendee's name, mail, phone or document
    ///
    /// An id is found at once. Anything else is looked for in all tickets of the producer, or of one event, newest
    /// first, until there are enough: about a second for every 100,000. Hidden tickets are found by their id only.
    Search(SearchTickets),
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
pub struct Cancel {
    #[command(flatten)]
    which: Which,
    /// Refund it: its share of what was paid for its order is to be paid back. A ticket of a bundle takes the others of its
    /// unit along, and the last ticket refunds the order
    #[arg(long)]
    refund: bool,
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

#[derive(Args)]
pub struct Note {
    #[command(flatten)]
    which: Which,
    /// The note: one short line
    #[arg(value_parser = DoorNote::parse)]
    note: DoorNote,
}

impl Which {
    /// Refunds the ticket alone, and says what a refund does not do by itself.
    async fn refund(self) -> anyhow::Result<()> {
        let (store, tenant) = self.of.open().await?;
        let found = rows::state(&mut store.read().await?, tenant, &self.ticket_id).await?;
        let unknown = || refused(Refusal::NotFound("ticket").into());
        let of_none =
            || refused(Refusal::invalid("ticket", "it belongs to no order, so nothing was paid for it").into());
        let order_id = found.ok_or_else(unknown)?.order_id.ok_or_else(of_none)?;
        let tickets = vec![self.ticket_id.clone()];
        boxoffice::refund_tickets(&store, tenant, &order_id, tickets, &by()).await.map_err(refused)?;
        let mut conn = store.read().await?;
        let owed = pay_backs::of_order(&mut conn, tenant, &order_id).await?;
        let refunded = rows::state(&mut conn, tenant, &self.ticket_id).await?;
        drop(conn);
        show(&store, tenant, &self.ticket_id, self.of.output()).await?;
        say_owed(&owed, refunded.map(|ticket| ticket.updated_at));
        Ok(())
    }
}

impl Ticket {
    pub async fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Cancel(Cancel { which, refund: true }) => which.refund().await,
            Self::Cancel(Cancel { which, refund: false }) => {
                let (store, tenant) = which.of.open().await?;
                boxoffice::cancel(&store, tenant, &which.ticket_id, &by()).await.map_err(refused)?;
                show(&store, tenant, &which.ticket_id, which.of.output()).await
            }
            Self::Hide(which) => {
                let (store, tenant) = which.of.open().await?;
                boxoffice::hide(&store, tenant, &which.ticket_id, &by()).await.map_err(refused)?;
                show(&store, tenant, &which.ticket_id, which.of.output()).await
            }
            Self::Note(Note { which, note }) => {
                let (store, tenant) = which.of.open().await?;
                boxoffice::note(&store, tenant, &which.ticket_id, note, &by()).await.map_err(refused)?;
                show(&store, tenant, &which.ticket_id, which.of.output()).await
            }
            Self::Transfer(Transfer { which, to }) => {
                let (store, tenant) = which.of.open().await?;
                let id =
                    boxoffice::transfer(&store, tenant, &which.ticket_id, &to.into(), &by()).await.map_err(refused)?;
                show(&store, tenant, &id, which.of.output()).await
            }
            Self::Scan(Scan { which, station }) => {
                let (store, tenant) = which.of.open().await?;
                boxoffice::scan(&store, tenant, &which.ticket_id, station.as_str(), &by()).await.map_err(refused)?;
                show(&store, tenant, &which.ticket_id, which.of.output()).await
            }
            Self::List(list) => list.run().await,
            Self::Search(search) => search.run().await,
            Self::Show(which) => {
                let (store, tenant) = which.of.open().await?;
                show(&store, tenant, &which.ticket_id, which.of.output()).await
            }
        }
    }
}
