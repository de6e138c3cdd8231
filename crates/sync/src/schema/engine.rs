//! The engines that keep a mirror.

/// What keeps a mirror's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Sqlite,
    Postgres,
}
