//! A client of the read API: typed, asynchronous, and careful where integrators go wrong.
//!
//! It depends on nothing of the server, and speaks with every server of the same specification: what only Taquilla sends is
//! optional, fields that it does not know are ignored, and new values of a state are kept as they came.
//!
//! ```no_run
//! # async fn example() -> Result<(), taquilla_client::Error> {
//! let client = taquilla_client::Client::new("https://tickets.example.com", "tq_EXAMPLEexampleEXAMPLEexampleEXAMPLE0")?;
//! let mut tickets = client.tickets(&taquilla_client::TicketFilter::default());
//! while let Some(ticket) = tickets.next().await? {
//!     println!("{} {}", ticket.id, ticket.status);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! `cargo run -p taquilla-client --example tickets` runs these lines against a server of yours: `TAQUILLA_URL` and `TAQUILLA_KEY`
//! say which.
//!
//! # What it does for you
//!
//! - **Lists are streams.** [`Rows`] reads a page when the one before is used up, so that memory holds one page. Use
//!   [`Rows::next`], [`Rows::next_page`], or [`Rows::into_stream`] with the combinators of `futures`.
//! - **A call is tried again** when the connection fails, the answer breaks off, or the status is 408, 429 or 5xx: after a pause
//!   that doubles and varies, or as long as `Retry-After` asks ([`Retries`]). Every call of the read API may be repeated.
//! - **A failed call ends its list.** Its cursor is never used again: [`Rows`] gives the error once, and then nothing. What was
//!   read before is good, but is no whole traversal: leave your mark where it was.
//! - **Errors name the request** ([`Error::request_id`]), also where no answer came: the client names its requests itself, and
//!   the server's log has that name.
//! - **What did not change is not sent again.** Small answers are kept with their `ETag`, and asked for with `If-None-Match`.
//! - **The key stays here.** It is sent to the one server that you named, over https or inside this machine. Redirects are not
//!   followed, and `Debug` does not show it.
//!
//! # Staying in sync
//!
//! Finish a traversal, store its rows, and only then keep the highest stamp in them as your mark. `docs/sync.md` has the rules,
//! and `taquilla sync` is a mirror that follows them, built on this crate.

mod answers;
mod backoff;
mod call;
mod client;
mod error;
mod filters;
mod rows;
mod shapes;
mod time;
mod tls;

pub use self::{
    backoff::Retries,
    client::{Builder, Client},
    error::{Error, Problem},
    filters::{EventFilter, OrderFilter, TicketFilter},
    rows::{Page, Rows},
    shapes::{
        Attendee, AttendeesAsked, Buyer, Category, Event, EventStatus, Include, ItemKind, KeyInfo, Me, Order,
        OrderChannel, OrderItem, OrderStatus, PaymentMethod, Permission, Producer, Promoter, Ticket, TicketStatus,
        TicketType, TicketTypeSummary, TypeStatus,
    },
    time::Time,
};
