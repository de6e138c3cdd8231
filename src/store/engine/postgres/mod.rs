//! PostgreSQL: a pool of connections, prepared statements, deadlines, and turns of producers.

mod failure;
mod pool;
mod session;
mod sets;
mod settings;
mod turns;
mod watch;

pub use self::{
    pool::{Postgres, shown},
    session::Session,
};
