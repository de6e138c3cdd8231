//! Going round the producers: whom a task looks after next (`rota`), all of them one after the other (`sweep`), which of them
//! are left alone for a while (`pauses`), and what was learnt of each (`remembered`).
//!
//! No question is about all producers. They may be kept in different places, where a question about all of them costs as
//! much as all places together and fails when one does.

pub(crate) mod in_time;
mod pauses;
pub mod remembered;
pub(crate) mod rota;
mod sweep;
