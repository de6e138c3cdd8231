//! Deciding a group of requests in one move.
//!
//! A refusal is one request's answer and leaves nothing behind. A group that ends with a defect is halved and decided
//! again, until the request at fault is by itself.

use taquilla_domain::{
    admit::Outcome,
    audit::{Action, By, ending},
    config::TICKETS_TOGETHER,
    refusal::Refusal,
};
use taquilla_store as store;
use taquilla_store::{
    ChangeError, ChangeResult, Move,
    staff::audit::{self, NewEntry},
};

use super::{
    admit::{self, Admission, Scan},
    ledger::{Ledger, Needs},
    request::{Answer, Request},
    sell::Placed,
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
        if let (Request::Admit(shown), _) = request.asked() {
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
    let mut history = Vec::new();
    for (request, decision) in requests.iter().zip(&mut decisions) {
        if let (Request::Admit(shown), by) = request.asked() {
            let answers: Vec<Admission> = admissions.by_ref().take(shown.len()).collect();
            if let Some(by) = by {
                history.extend(shown.iter().zip(&answers).filter_map(|(scan, answer)| entered(by, scan, answer)));
            }
            *decision = Decision::Made(Ok(Answer::Admitted(answers)));
        }
    }
    if !history.is_empty() {
        let writes = vec![audit::write(tx, &history)];
        tx.write_all(writes).await?;
    }
    Ok(decisions)
}

/// What is written down of a scan by staff.
fn entered(by: &By, scan: &Scan, answer: &Admission) -> Option<NewEntry> {
    let Admission::Decided(Outcome::Admitted, _) = answer else { return None };
    Some(NewEntry::new(by, Action::TicketScanned, &ending(&scan.code), &[("station", &scan.station)]))
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
        let (request, by) = request.asked();
        let answer = self.answer(request)?;
        if let Some(by) = by {
            self.note(by, request, &answer);
        }
        Ok(answer)
    }

    fn answer(&mut self, request: &Request) -> ChangeResult<Answer> {
        let order = match request {
            Request::Approve(id, past_holds) => self.approve_by_hand(id, *past_holds)?,
            Request::Reject(id) => self.reject(id)?,
            Request::Refund(id) => self.refund(id)?,
            Request::Settle(payment) => self.settle(payment)?,
            Request::Place(request, idempotency) => {
                return Ok(Answer::Placed(self.place(request, idempotency.as_ref())?));
            }
            Request::Admit(_) | Request::ByStaff(..) => return Ok(Answer::Admitted(Vec::new())),
        };
        Ok(Answer::Order(Box::new(order)))
    }

    /// Writes down what staff decided. Scans are written down once they are decided.
    fn note(&mut self, by: &By, request: &Request, answer: &Answer) {
        let history = &mut self.changes.history;
        let mut add = |action, id: &str, event: &str| {
            history.push(NewEntry::new(by, action, id, &[("event", event)]));
        };
        match (request, answer) {
            (Request::Place(..), Answer::Placed(Placed::New(placed))) => {
                let order = &placed.order;
                add(Action::OrderPlaced, &order.id, &order.event_id);
                if order.paid_at.is_some() {
                    add(Action::OrderApproved, &order.id, &order.event_id);
                }
            }
            (Request::Approve(..), Answer::Order(order)) => add(Action::OrderApproved, &order.id, &order.event_id),
            (Request::Reject(_), Answer::Order(order)) => add(Action::OrderRejected, &order.id, &order.event_id),
            (Request::Refund(_), Answer::Order(order)) => add(Action::OrderRefunded, &order.id, &order.event_id),
            _ => {}
        }
    }
}
