//! What was decided about a request, together with the way back to whoever asked.

use taquilla_domain::{order::Order, refusal::Refusal};
use taquilla_store as store;
use taquilla_store::{ChangeError, ChangeResult, tickets::rows::State};

use super::{admit::Admission, attempts::Attempted, placed::Placed, reply::Reply};

/// A decision that is not told yet.
pub(super) enum Verdict {
    /// About an order that was there before.
    Order(Reply<Order>, Box<Result<Order, Refusal>>),
    /// About an attempt to pay for an order.
    Attempted(Reply<Attempted>, Box<Result<Attempted, Refusal>>),
    /// About a new order.
    Placed(Reply<Placed>, Result<Placed, Refusal>),
    /// About one ticket.
    Ticket(Reply<State>, Box<Result<State, Refusal>>),
    /// About scans.
    Admitted(Reply<Vec<Admission>>, Vec<Admission>),
    /// About an entry to be taken back.
    Undone(Reply<Admission>, Result<Admission, Refusal>),
}

impl Verdict {
    /// Tells it. Nothing is told before it is committed.
    pub fn tell(self) {
        match self {
            Self::Order(reply, decided) => reply.tell(decided.map_err(ChangeError::Refused)),
            Self::Attempted(reply, decided) => reply.tell(decided.map_err(ChangeError::Refused)),
            Self::Placed(reply, decided) => reply.tell(decided.map_err(ChangeError::Refused)),
            Self::Ticket(reply, decided) => reply.tell(decided.map_err(ChangeError::Refused)),
            Self::Admitted(reply, admissions) => reply.tell(Ok(admissions)),
            Self::Undone(reply, decided) => reply.tell(decided.map_err(ChangeError::Refused)),
        }
    }
}

/// Tells a refusal, which is an answer, from an error of the database.
pub(super) fn decided<A>(answer: ChangeResult<A>) -> store::Result<Result<A, Refusal>> {
    match answer {
        Ok(answer) => Ok(Ok(answer)),
        Err(ChangeError::Refused(refusal)) => Ok(Err(refusal)),
        Err(ChangeError::Store(cause)) => Err(cause),
    }
}
