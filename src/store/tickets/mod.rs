//! Tickets: the facts (`rows`), the document made from them (`documents`), lists (`listed`), transfers (`chain`),
//! searching (`search`), and the remembered names of ticket types (`type_names`).

pub mod chain;
pub mod documents;
pub mod listed;
pub mod rows;
pub mod search;
pub mod type_names;
