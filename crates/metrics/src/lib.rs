//! What a server counts while it works, for whoever watches it. The program's `monitor` tells it.
//!
//! Every label has few values, which are all in the code: no ids, no names, nothing that a stranger can make up.
//!
//! Metrics cost little. Each route has its edge, with numbers of its own that were found when the router was made, so a
//! request looks nothing up by name. Without a listener nothing is counted.

mod counts;
mod labels;
mod open_stream;
mod requests;
mod waits;

pub use self::{
    counts::Metrics,
    labels::{Attempted, MoveKind, MoveOutcome, SignIn, SignedIn},
    open_stream::OpenStream,
    requests::{Requests, Route},
    waits::{Wait, Waits},
};
