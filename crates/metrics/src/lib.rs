//! What a server counts while it works, for whoever watches it. The program's `monitor` tells it.
//!
//! Every label has few values, which are all in the code: no ids, no names, nothing that a stranger can make up.

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
