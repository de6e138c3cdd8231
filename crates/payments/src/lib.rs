//! Payment processors behind one small interface, [`Processor`]: begin, verify, fetch, cancel, refund.
//!
//! Only what is fetched from a processor is believed. A notice that is verified is a reason to look, never the truth; what it
//! says of itself counts for one processor alone, whose signature is a contract: the signed notice, which knows no sessions.
//!
//! | processor | where | opens sessions |
//! |---|---|---|
//! | staff, by hand | `by_hand` | no: the buyer pays the producer in some way, and staff say so |
//! | the signed notice | `signed_notice` | no: the producer's own shop front leads the buyer to a processor |
//! | the development processor, in the demo alone | `development` | yes, and moves no money |
//!
//! A processor knows no order and no database. Who asks it, and what follows, is in `crates/rules/src/paying/`.

mod by_hand;
mod development;
mod processor;
mod signed_notice;

pub use self::{
    by_hand::ByHand,
    development::{Act, Development, DevelopmentSession},
    processor::{
        Answering, Incoming, NewRefund, NewSession, Noticed, Paid, Processor, Refunded, Session, SessionState, Trouble,
    },
    signed_notice::SignedNotice,
};
