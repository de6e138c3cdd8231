//! Tickets: the facts (`rows`), the document made from them (`documents`, `shown`), lists (`listed`), the last entries (`entered`), all of them (`every`),
//! transfers (`chain`), what is covered (`covered`), bundles (`bundles`), the tickets of an order at a door (`groups`), searching (`search`), what staff see of them
//! (`staff`), where people are who have entered (`whereabouts`), and the remembered names of ticket types (`type_names`).

pub mod bundles;
pub mod chain;
mod covered;
pub mod documents;
pub mod entered;
pub(crate) mod every;
pub mod groups;
pub mod listed;
pub mod rows;
pub mod search;
pub mod shown;
pub mod staff;
pub mod type_names;
pub mod whereabouts;
