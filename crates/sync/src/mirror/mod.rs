//! Where a mirror is kept, and how it is written: in SQLite or PostgreSQL, and from SQLite in files.

mod address;
mod batch;
mod files;
mod kept;
mod lock;
mod open;
mod postgres;
mod seen;
mod sqlite;
mod statements;

pub use self::{
    address::Address,
    batch::{Batch, Clear, Queue},
    kept::Mirror,
    seen::Unseen,
};
