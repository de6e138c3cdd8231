//! Finding orders and tickets by what is known of them: the index (`entries`), how far it has come (`marks`), looking
//! something up in it (`find`), and whether it is complete (`complete`).

pub mod complete;
pub mod entries;
pub mod find;
pub mod marks;
