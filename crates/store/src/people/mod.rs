//! What is held of people, wherever it is: finding it (`find`, `held`), erasing it from orders, tickets and what belongs to them
//! (`erased`), and from copies that were made of them (`copies`, `texts`); and erasing it by age (`due`).

pub mod copies;
pub mod due;
pub mod erased;
pub mod find;
pub mod held;
mod texts;

pub use self::texts::names_somebody;
