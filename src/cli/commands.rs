//! Every command there is.

use clap::{CommandFactory, Parser, Subcommand};

use super::{
    check, completions, demo, door_link, event, import, key, order, payment, producer, serve, ticket, ticket_type,
    user, webhook,
};

/// Ticketing in one binary, with an API that integrators can reconcile against.
#[derive(Parser)]
#[command(
    name = "taquilla",
    version,
    propagate_version = true,
    after_help = "Try it:\n  taquilla demo\n\nStart for real:\n  taquilla producer create --name 'My venue'\n  \
        taquilla key create --producer pr_… --name CRM --permission TICKETS_READ\n  \
        taquilla import --producer pr_… events-and-tickets.jsonl\n  \
        taquilla serve --trust-proxy --public-url https://tickets.example\n\n\
        Find things (with TAQUILLA_PRODUCER set, --producer need not be given):\n  taquilla event list\n  \
        taquilla order search ana ruiz\n  taquilla order show REFERENCE\n  taquilla ticket show ID"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the API
    ///
    /// Stops on SIGTERM or Ctrl-C, after finishing the requests in flight.
    Serve(serve::Serve),
    /// Serve a believable made-up producer, to look around
    ///
    /// Its data is made once and kept in the database; each start makes a new key and revokes the last one.
    Demo(demo::Demo),
    /// Manage producers, the organisations that sell
    #[command(subcommand)]
    Producer(producer::Producer),
    /// Manage who can sign in to the dashboard
    #[command(subcommand)]
    User(user::User),
    /// Manage API keys
    #[command(subcommand)]
    Key(key::Key),
    /// Manage events
    #[command(subcommand)]
    Event(event::Event),
    /// Manage what is for sale: ticket types and bundles
    #[command(subcommand)]
    TicketType(ticket_type::TicketType),
    /// Sell, approve, reject, refund and find orders
    #[command(subcommand)]
    Order(order::Order),
    /// Cancel, pass on, hide and find tickets
    #[command(subcommand)]
    Ticket(ticket::Ticket),
    /// Manage the links that door and bar staff scan with
    #[command(subcommand)]
    DoorLink(door_link::DoorLinks),
    /// Tell other programs of what happens
    #[command(subcommand)]
    Webhook(webhook::Webhook),
    /// Connect a payment processor, and deal with money that has paid for nothing
    #[command(subcommand)]
    Payment(payment::Payment),
    /// Verify every invariant of a database, and say what is wrong where
    Check(check::Check),
    /// Load events, ticket types, orders and tickets from JSON Lines
    ///
    /// One object a line, in any order; docs/import.md describes the fields. The file is taken whole or not at all; an
    /// error names the line and the field. A server may be running meanwhile.
    Import(import::Import),
    /// Print a script that makes a shell complete these commands
    ///
    /// For bash: source <(taquilla completions bash)
    Completions(completions::Completions),
}

/// Runs the command that was given.
pub async fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        Command::Serve(serve) => serve.run().await,
        Command::Demo(demo) => demo.run().await,
        Command::Producer(producer) => producer.run().await,
        Command::User(user) => user.run().await,
        Command::Key(key) => key.run().await,
        Command::Import(import) => import.run().await,
        Command::Event(event) => event.run().await,
        Command::TicketType(ticket_type) => ticket_type.run().await,
        Command::Order(order) => order.run().await,
        Command::Ticket(ticket) => ticket.run().await,
        Command::DoorLink(door_link) => door_link.run().await,
        Command::Webhook(webhook) => webhook.run().await,
        Command::Payment(payment) => payment.run().await,
        Command::Check(check) => check.run().await,
        Command::Completions(completions) => completions.run(Cli::command()),
    }
}
