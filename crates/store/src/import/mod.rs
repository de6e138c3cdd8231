//! Loading many rows at once. Lines are staged in tables of their own as they arrive (`staging`, `temporary`), checked, counted and
//! rendered there (`checks`, `prepare`, `order_documents`), and inserted in one move (`inserts` says how, `finish` does it). `remove` deletes what was staged.
//!
//! Only the move touches real tables and locks the producer's clock; servers keep working until then.

pub mod checks;
pub mod finish;
mod inserts;
mod order_documents;
pub mod pools;
pub mod prepare;
pub mod prices;
pub mod remove;
pub mod staging;
mod temporary;
