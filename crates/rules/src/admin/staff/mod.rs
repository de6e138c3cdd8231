//! Users and teams: signing in, roles, invitations, the second factor, and what is written down of all that.

pub mod first_start;
pub mod history;
pub mod links;
pub mod password_links;
pub mod passwords;
pub mod roles;
pub mod second_factor;
pub mod sessions;
pub mod team;
pub mod users;
