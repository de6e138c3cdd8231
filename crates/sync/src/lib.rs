//! A mirror of a producer: what the read API shows, kept equal in a database or in files.
//!
//! The rules are those of the specification's section 8.3, and `docs/sync.md` explains them. What must not go wrong, and where it
//! is decided:
//!
//! - **A mark moves only when its traversal is complete and stored** (`state.rs`, `traverse.rs`), in the transaction that stores
//!   the last page. It never passes what the traversal may have missed.
//! - **Whatever interrupts, the next run goes on.** Each page is stored in one transaction with the cursor that follows it. A
//!   cursor with which a call has failed is forgotten, and the traversal begins anew.
//! - **What no feed tells is read again**: ticket types of events that changed or sold (`requeued.rs`), tickets of orders that
//!   changed on servers that do not tell of tickets, and everything in a full traversal, which also shows what is
//!   gone.

mod cell;
mod error;
mod follow;
mod listen;
mod lists;
mod mirror;
mod people;
mod probe;
mod requeued;
mod round;
mod schema;
mod state;
mod summary;
mod sync;
mod told;
mod traverse;
mod verify;

pub use self::{
    error::Error,
    listen::Receiver,
    mirror::Address,
    people::{HashKey, People},
    summary::{ListSummary, Summary},
    sync::{Options, Sync},
    told::{Told, Watcher},
    verify::{Difference, TableVerified, Verified, Why},
};
