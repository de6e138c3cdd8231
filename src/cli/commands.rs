//! Every command there is.

use std::{future::Future, pin::Pin};

use clap::{CommandFactory, Parser, Subcommand};

use super::{
    after_restore, backup, check, completions, coupon, demo, distribute, doctor, door_link, event, import, key,
    man_pages, order, payment, personal_data, pool, producer, promoter, restore, serve, shift, surcharge, sync, terms,
    ticket, ticket_type, user, vacuum, version::VERSION, webhook,
};

/// Ticketing in one binary, with an API that integrators can reconcile against.
#[derive(Parser)]
#[command(
    name = "taquilla",
    version = VERSION,
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
    /// Serve the API, the shop, the door and the dashboard
    ///
    /// Stops on SIGTERM or Ctrl-C, after finishing the requests in flight.
    Serve(serve::Serve),
    /// Serve a made-up producer, to look around
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
    /// Let ticket types of an event share places
    #[command(subcommand)]
    Pool(pool::Pools),
    /// Manage codes that take something off an event's orders
    #[command(subcommand)]
    Coupon(coupon::Coupons),
    /// Manage what buyers of the shop pay besides the prices
    #[command(subcommand)]
    Surcharge(surcharge::Surcharges),
    /// Manage the terms that buyers of the shop accept
    #[command(subcommand)]
    Terms(terms::TermsCommand),
    /// Sell, approve, reject, refund and find orders
    #[command(subcommand)]
    Order(order::Order),
    /// See who sold at the box office, and whether the cash was right
    #[command(subcommand)]
    Shift(shift::Shift),
    /// Cancel, pass on, hide and find tickets
    #[command(subcommand)]
    Ticket(ticket::Ticket),
    /// Manage the links that door and bar staff scan with
    #[command(subcommand)]
    DoorLink(door_link::DoorLinks),
    /// Manage promoters: who sells for the producer, and who may give tickets away
    #[command(subcommand)]
    Promoter(promoter::Promoters),
    /// Tell other programs what happens
    #[command(subcommand)]
    Webhook(webhook::Webhook),
    /// Connect a payment processor, and deal with money that has paid for nothing
    #[command(subcommand)]
    Payment(payment::Payment),
    /// Answer people who ask what is held of them, and erase it
    #[command(subcommand)]
    Person(personal_data::Person),
    /// Verify every invariant of a database, and say what is wrong where
    Check(check::Check),
    /// Check everything that a server needs, and say what to mend
    ///
    /// Looks at the settings, the database, the clock, the disk, the limits of this machine, and whether the public
    /// URL reaches the service. Changes nothing.
    Doctor(doctor::Doctor),
    /// Write the whole database into one file, while servers run
    ///
    /// The file holds the state of one moment. It appears only once it is whole. It holds personal data and secrets, and
    /// only its owner may read it.
    Backup(backup::Backup),
    /// Make a database from a backup, on either engine
    ///
    /// The database must be empty: a SQLite file that is not there yet, or a PostgreSQL database without data of Taquilla.
    /// Everything is restored, or nothing. Its rows are compared with the backup's digests, and everything
    /// is checked as `taquilla check` does. Stop servers before, and start them afterwards.
    Restore(restore::Restore),
    /// Finish a restore that another tool has made
    ///
    /// `taquilla restore` does this by itself. After any other restore (pg_restore, Litestream, a copied file) run this
    /// once, before servers start: clients that know what is gone are told to load anew, staff sign in again, and nothing
    /// that was under way goes on by itself.
    AfterRestore(after_restore::AfterRestore),
    /// Spread a PostgreSQL database over the workers of a Citus cluster
    ///
    /// All that belongs to one producer comes to one worker. The database may be empty or filled.
    Distribute(distribute::Distribute),
    /// Write every table anew, without what was deleted
    ///
    /// Erasing somebody overwrites what was held; this also removes what older versions and divided pages left behind.
    Vacuum(vacuum::Vacuum),
    /// Load events, ticket types, orders and tickets from JSON Lines
    ///
    /// One object a line, in any order; docs/import.md describes the fields. The file is taken whole or not at all; an
    /// error names the line and the field. A server may be running meanwhile.
    Import(import::Import),
    /// Mirror a producer into a database or files, and keep the mirror equal
    ///
    /// Reads the API of this or of another server that speaks the same specification: first everything, and from then on what
    /// has changed. It may be interrupted at any time; the next run goes on from there.
    Sync(sync::Sync),
    /// Print a completion script for a shell
    ///
    /// For bash: source <(taquilla completions bash)
    Completions(completions::Completions),
    /// Write the manual pages of these commands into a folder
    ///
    /// For example: taquilla man-pages ~/.local/share/man/man1
    ManPages(man_pages::ManPages),
}

/// Runs the command that was given. Each is in a box: as part of one another, the compiler would not find the end of
/// what they wait for.
pub fn run(cli: Cli) -> Pin<Box<dyn Future<Output = anyhow::Result<()>>>> {
    match cli.command {
        Command::Serve(serve) => Box::pin(serve.run()),
        Command::Demo(demo) => Box::pin(demo.run()),
        Command::Producer(producer) => Box::pin(producer.run()),
        Command::User(user) => Box::pin(user.run()),
        Command::Key(key) => Box::pin(key.run()),
        Command::Import(import) => Box::pin(import.run()),
        Command::Backup(backup) => Box::pin(backup.run()),
        Command::Restore(restore) => Box::pin(restore.run()),
        Command::AfterRestore(after) => Box::pin(after.run()),
        Command::Distribute(distribute) => Box::pin(distribute.run()),
        Command::Vacuum(vacuum) => Box::pin(vacuum.run()),
        Command::Event(event) => Box::pin(event.run()),
        Command::TicketType(ticket_type) => Box::pin(ticket_type.run()),
        Command::Pool(pools) => Box::pin(pools.run()),
        Command::Coupon(coupon) => Box::pin(coupon.run()),
        Command::Surcharge(surcharge) => Box::pin(surcharge.run()),
        Command::Terms(terms) => Box::pin(terms.run()),
        Command::Order(order) => Box::pin(order.run()),
        Command::Shift(shift) => Box::pin(shift.run()),
        Command::Ticket(ticket) => Box::pin(ticket.run()),
        Command::DoorLink(door_link) => Box::pin(door_link.run()),
        Command::Promoter(promoter) => Box::pin(promoter.run()),
        Command::Webhook(webhook) => Box::pin(webhook.run()),
        Command::Payment(payment) => Box::pin(payment.run()),
        Command::Person(person) => Box::pin(person.run()),
        Command::Check(check) => Box::pin(check.run()),
        Command::Doctor(doctor) => Box::pin(doctor.run(Cli::command())),
        Command::Sync(sync) => Box::pin(sync.run()),
        Command::Completions(completions) => Box::pin(async { completions.run(Cli::command()) }),
        Command::ManPages(pages) => Box::pin(async { pages.run(Cli::command()) }),
    }
}
