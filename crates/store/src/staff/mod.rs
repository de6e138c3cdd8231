//! People who work for producers: users, sessions, teams, roles, one-time links, and what staff did.

pub mod audit;
pub mod authority;
pub mod links;
pub mod members;
pub mod roles;
pub mod sessions;
pub mod users;
