//! Tickets: the facts (`rows`), the document that follows from them (`documents`), and what is sent (`listed`).

pub mod documents;
pub mod listed;
pub mod rows;
pub mod type_names;
