//! PostgreSQL: a pool of connections and how they are made, prepared statements, deadlines, and turns of producers.

mod client;
mod condition;
mod connect;
mod copy;
mod explain;
mod failure;
mod for_each;
mod foreign;
mod one_state;
mod patience;
mod pool;
mod session;
mod sets;
mod settings;
mod shares;
mod stream;
mod together;
mod translated;
mod turns;
mod watch;

pub use self::{
    condition::Condition,
    foreign::Foreign,
    pool::{Postgres, doubt, servers, shown},
    session::Session,
    settings::on_workers,
};
