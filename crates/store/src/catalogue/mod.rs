//! What is on offer: events, ticket types and bundles, and how many of each are sold and have entered.

pub mod by_date;
pub mod changes;
pub mod created;
pub mod events;
pub mod on_sale;
pub mod pools;
pub mod ticket_counts;
pub mod ticket_types;
