//! The database: one SQL text, two engines.
//!
//! [`Store`] is either SQLite or PostgreSQL. SQL is written once, with `?N` parameters, in the dialect both share; only
//! `engine/` knows which engine runs. The statements are in one file per noun, and each takes a [`Tenant`], so that
//! none can read or write another producer's rows.
//!
//! The store returns domain types or rows. Three things are stored as they are sent: the documents of tickets and of orders,
//! and the messages of the outbox. Answers that orders and scans got are kept as text.
//!
//! **Who may write.** A [`Conn`] reads. Rows are written by statements that take a [`Move`] (a transaction, the tenant
//! and a tick of the tenant's clock) or, for what no feed shows, an [`Unstamped`] transaction. A write on a reading
//! connection does not compile:
//!
//! ```compile_fail
//! async fn note(conn: &mut taquilla_store::Conn) -> taquilla_store::Result<()> {
//!     taquilla_store::webhooks::outbox::add(conn, &[]).await
//! }
//! ```
//!
//! The same statement in a move does:
//!
//! ```
//! async fn note(tx: &mut taquilla_store::Move) -> taquilla_store::Result<()> {
//!     taquilla_store::webhooks::outbox::add(tx, &[]).await
//! }
//! ```
//!
//! Bookkeeping is no move, so it cannot touch what is sold:
//!
//! ```compile_fail
//! async fn note(tx: &mut taquilla_store::Unstamped) -> taquilla_store::Result<()> {
//!     taquilla_store::webhooks::outbox::add(tx, &[]).await
//! }
//! ```
//!
//! And nobody outside the store runs SQL of their own, not even in a move:
//!
//! ```compile_fail
//! async fn forget(tx: &mut taquilla_store::Move) -> taquilla_store::Result<u64> {
//!     tx.execute("DELETE FROM tickets", &[]).await
//! }
//! ```
//!
//! ```compile_fail
//! async fn forget(tx: &mut taquilla_store::Move) -> taquilla_store::Result<()> {
//!     tx.query("DELETE FROM tickets RETURNING id", &[], |_| Ok(())).await
//! }
//! ```

pub mod backlogs;
pub mod backup;
pub mod catalogue;
mod catch_up;
pub mod check;
pub mod condition;
pub mod credentials;
mod derived;
pub mod distribute;
pub mod distribution;
pub mod door;
pub mod engine;
pub mod import;
pub mod keys;
pub mod list_indexes;
pub mod lists;
pub mod lost_history;
pub mod migrate;
mod moves;
mod old_secrets;
mod open;
mod order_checks;
pub mod overview;
pub mod owners;
pub mod people;
pub mod producers;
mod promoter_checks;
pub mod pulse;
mod replicas;
pub mod sales;
pub mod search;
pub mod settings;
pub mod shop_look;
pub mod shop_origins;
pub mod staff;
pub mod tables;
mod tenant;
pub mod tickets;
mod unstamped;
mod upkeep;
pub mod vitals;
pub mod webhooks;
pub mod work;

#[doc(hidden)]
pub use self::engine::transaction::pause_before_again;
pub use self::{
    engine::{
        commits::Followed,
        conn::{Conn, Question},
        database::Store,
        dedicated::Dedicated,
        error::{Error, Result},
        group_commit::WriteCounts,
        postgres::Foreign,
        replicas::{AtReplica, ReplicaState},
        transaction::{ChangeError, ChangeResult, MayBeLost, Write},
        usage::Usage,
    },
    moves::Move,
    open::Open,
    tenant::Tenant,
    unstamped::Unstamped,
};
