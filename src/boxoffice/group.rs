//! Deciding a group of requests in one move.

use super::{
    admit::{self, Scan},
    ledger::{Ledger, Needs},
    request::{Answer, Request},
};
use crate::{
    config::TICKETS_TOGETHER,
    domain::refusal::Refusal,
    store::{self, ChangeError, ChangeResult, Move},
};

/// What became of one request of a group.
pub(super) enum Decision {
    /// It was decided.
    Made(Result<Answer, Refusal>),
    /// The group has changed so many tickets already that this one has to wait for the next.
    Later,
}

/// Decides requests in their order. A refusal is the answer to that request and changes nothing for the others. An error
/// is of the database, and then nothing is decided.
pub(super) async fn decide(tx: &mut Move, requests: &[&Request]) -> store::Result<Vec<Decision>> {
    let mut needs = Needs::default();
    requests.iter().for_each(|request| request.needs(&mut needs));
    let mut ledger = Ledger::load(tx, needs).await?;
    let mut decisions = Vec::with_capacity(requests.len());
    let mut scans: Vec<&Scan> = Vec::new();
    for request in requests {
        if let Request::Admit(shown) = request {
            scans.extend(shown);
        }
        decisions.push(match ledger.changes.tickets() < TICKETS_TOGETHER {
            true => made(ledger.decide(request))?,
            false => Decision::Later,
        });
    }
    ledger.write(tx).await?;

    // Scans are decided last, and read what the sales of their group have written.
    let mut admissions = admit::admit(tx, &scans).await?.into_iter();
    for (request, decision) in requests.iter().zip(&mut decisions) {
        if let Request::Admit(shown) = request {
            *decision = Decision::Made(Ok(Answer::Admitted(admissions.by_ref().take(shown.len()).collect())));
        }
    }
    Ok(decisions)
}

fn made(answer: ChangeResult<Answer>) -> store::Result<Decision> {
    match answer {
        Ok(answer) => Ok(Decision::Made(Ok(answer))),
        Err(ChangeError::Refused(refusal)) => Ok(Decision::Made(Err(refusal))),
        Err(ChangeError::Store(cause)) => Err(cause),
    }
}

impl Ledger {
    fn decide(&mut self, request: &Request) -> ChangeResult<Answer> {
        let order = match request {
            Request::Approve(id, past_holds) => self.approve_by_hand(id, *past_holds)?,
            Request::Reject(id) => self.reject(id)?,
            Request::Refund(id) => self.refund(id)?,
            Request::Settle(payment) => self.settle(payment)?,
            Request::Place(request, idempotency) => {
                return Ok(Answer::Placed(self.place(request, idempotency.as_ref())?));
            }
            Request::Admit(_) => return Ok(Answer::Admitted(Vec::new())),
        };
        Ok(Answer::Order(Box::new(order)))
    }
}
