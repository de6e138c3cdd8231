//! Tickets: the facts (`rows`), the document made from them (`documents`), lists (`listed`), transfers (`chain`), the
//! tickets of an order at a door (`groups`), searching (`search`), and the remembered names of ticket types
//! (`type_names`).

pub mod chain;
pub mod documents;
pub mod entered;
pub mod groups;
pub mod listed;
pub mod rows;
pub mod search;
pub mod type_names;
