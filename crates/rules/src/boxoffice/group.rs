//! Deciding a group of requests in one move.
//!
//! A refusal is one request's answer and leaves nothing behind. A group that ends with a defect is halved and decided
//! again, until the request at fault is by itself.

use taquilla_domain::{
    admit::Outcome,
    audit::{Action, By, METHOD, ending},
    config::TICKETS_TOGETHER,
    order::Order,
    status::PaymentMethod,
};
use taquilla_store as store;
use taquilla_store::{
    ChangeResult, Move,
    sales::idempotency::Idempotency,
    staff::{
        audit::{self, NewEntry},
        authority,
    },
};

use super::{
    admit::{self, Admission, Scan},
    counter_money::CounterMoney,
    ledger::{Ledger, Needs},
    order_request::OrderRequest,
    placed::Placed,
    request::{OrderStep, QueuedRequest, What},
    ticket_change, undo,
    verdict::{Verdict, decided},
};

/// What became of one request of a group.
pub(super) enum Decision {
    /// It was decided.
    Made(Verdict),
    /// The group has changed so many tickets already that this one has to wait for the next.
    Later,
    /// The staff who asked may no longer do it.
    Withdrawn,
}

/// Decides requests in their order. A refusal is the answer to that request and changes nothing for the others. An error
/// is of the database, and then nothing is decided.
pub(super) async fn decide(tx: &mut Move, requests: &[&QueuedRequest]) -> store::Result<Vec<Decision>> {
    let mut decisions = Vec::with_capacity(requests.len());
    let (mut places, mut standing) = (Vec::with_capacity(requests.len()), Vec::with_capacity(requests.len()));
    for (place, asked) in requests.iter().enumerate() {
        if stands(tx, asked).await? {
            places.push(place);
            standing.push(*asked);
            decisions.push(Decision::Later);
        } else {
            decisions.push(Decision::Withdrawn);
        }
    }
    let mut verdicts: Vec<(usize, Verdict)> = change_tickets(tx, &standing).await?;
    verdicts.extend(sell(tx, &standing).await?);
    verdicts.extend(take_back(tx, &standing).await?);
    verdicts.extend(let_in(tx, &standing).await?);
    verdicts.into_iter().for_each(|(place, verdict)| decisions[places[place]] = Decision::Made(verdict));
    Ok(decisions)
}

/// Whether the staff who ask may still do it. What nobody of the staff asks for rests on something else.
async fn stands(tx: &mut Move, asked: &QueuedRequest) -> store::Result<bool> {
    match asked.by.as_ref().and_then(|by| by.authority.as_ref()) {
        Some(authority) => authority::stands(tx, authority).await,
        None => Ok(true),
    }
}

/// Changes single tickets: before anything is sold, because it gives stock back.
async fn change_tickets(tx: &mut Move, requests: &[&QueuedRequest]) -> store::Result<Vec<(usize, Verdict)>> {
    let asked = requests.iter().enumerate().filter_map(|(place, asked)| match &asked.what {
        What::Ticket(change, reply) => Some(((place, reply), (change, asked.by.as_ref()))),
        _ => None,
    });
    let (replies, changes): (Vec<_>, Vec<_>) = asked.unzip();
    let answers = ticket_change::change(tx, &changes).await?;
    let verdict = |((place, reply), answer)| (place, Verdict::Ticket(Clone::clone(reply), Box::new(answer)));
    Ok(replies.into_iter().zip(answers).map(verdict).collect())
}

/// Decides orders, old and new ones, against what is read here.
async fn sell(tx: &mut Move, requests: &[&QueuedRequest]) -> store::Result<Vec<(usize, Verdict)>> {
    let mut needs = Needs::default();
    requests.iter().for_each(|asked| asked.needs(&mut needs));
    let mut ledger = Ledger::load(tx, needs).await?;
    let mut verdicts = Vec::with_capacity(requests.len());
    for (place, asked) in requests.iter().enumerate() {
        if ledger.changes.tickets() >= TICKETS_TOGETHER {
            break;
        }
        let by = asked.by.as_ref();
        let decision = match &asked.what {
            What::Order(step, reply) => Verdict::Order(reply.clone(), Box::new(decided(ledger.step(step, by))?)),
            What::Place(request, idempotency, reply) => {
                Verdict::Placed(reply.clone(), decided(ledger.place_by(request, idempotency.as_ref(), by))?)
            }
            What::Attempt(change, reply) => {
                Verdict::Attempted(reply.clone(), Box::new(decided(ledger.attempt(change))?))
            }
            What::Ticket(..) | What::Admit(..) | What::Undo(..) => continue,
        };
        verdicts.push((place, decision));
    }
    ledger.write(tx).await?;
    Ok(verdicts)
}

/// Takes entries back: before the scans of the group, so that one of the same ticket may admit somebody.
async fn take_back(tx: &mut Move, requests: &[&QueuedRequest]) -> store::Result<Vec<(usize, Verdict)>> {
    let asked = requests.iter().enumerate().filter_map(|(place, asked)| match &asked.what {
        What::Undo(undo, reply) => Some(((place, reply), (undo, asked.by.as_ref()))),
        _ => None,
    });
    let (replies, undos): (Vec<_>, Vec<_>) = asked.unzip();
    let answers = undo::undo(tx, &undos).await?;
    let verdict = |((place, reply), answer)| (place, Verdict::Undone(Clone::clone(reply), answer));
    Ok(replies.into_iter().zip(answers).map(verdict).collect())
}

/// Decides scans: last, so that they read what the sales of their group have written.
async fn let_in(tx: &mut Move, requests: &[&QueuedRequest]) -> store::Result<Vec<(usize, Verdict)>> {
    let shown = || {
        requests.iter().enumerate().filter_map(|(place, asked)| match &asked.what {
            What::Admit(scans, reply) => Some((place, scans, reply, asked.by.as_ref())),
            _ => None,
        })
    };
    let scans: Vec<&Scan> = shown().flat_map(|(_, scans, ..)| scans).collect();
    let mut admissions = admit::admit(tx, &scans).await?.into_iter();
    let (mut verdicts, mut history) = (Vec::new(), Vec::new());
    for (place, scans, reply, by) in shown() {
        let answers: Vec<Admission> = admissions.by_ref().take(scans.len()).collect();
        if let Some(by) = by {
            history.extend(scans.iter().zip(&answers).filter_map(|(scan, answer)| entered(by, scan, answer)));
        }
        verdicts.push((place, Verdict::Admitted(reply.clone(), answers)));
    }
    if !history.is_empty() {
        let writes = vec![audit::write(tx, &history)];
        tx.write_all(writes).await?;
    }
    Ok(verdicts)
}

/// What is written down of a scan by staff.
fn entered(by: &By, scan: &Scan, answer: &Admission) -> Option<NewEntry> {
    let Admission::Decided(Outcome::Admitted | Outcome::Reentered, _) = answer else { return None };
    Some(NewEntry::new(by, Action::TicketScanned, &ending(&scan.code), &[("station", &scan.station)]))
}

impl Ledger {
    fn step(&mut self, step: &OrderStep, by: Option<&By>) -> ChangeResult<Order> {
        let order = match step {
            OrderStep::Approve(id, past_holds, method) => {
                self.approve_by_hand(id, *past_holds, CounterMoney::by(by, *method))?
            }
            OrderStep::Reject(id) => self.reject(id)?,
            OrderStep::Refund(id, method) => self.refund(id, CounterMoney::by(by, *method))?,
            OrderStep::RefundTickets { order_id, tickets } => self.refund_tickets(order_id, tickets)?,
            OrderStep::CallOff(id) => self.call_off(id)?,
            OrderStep::ExtendHold(id, by) => self.extend_hold(id, *by)?,
            OrderStep::Settle(payment) => self.settle(payment)?,
            OrderStep::SettleWith { order_id, payment_id, past_holds } => {
                self.settle_with(order_id, payment_id, *past_holds)?
            }
        };
        if let Some((by, action)) = by.zip(step.action(&order)) {
            self.note(by, action, &order, order.payment_method.filter(|_| action == Action::OrderApproved));
        }
        let handed_back = self.changes.owed.last().filter(|owed| owed.owed.order_id == order.id);
        let handed_back = handed_back.and_then(|owed| owed.handed_back.as_ref()).map(|(method, _)| *method);
        if let Some((by, method)) = by.zip(handed_back) {
            self.note(by, Action::OrderPaidBack, &order, Some(method));
        }
        Ok(order)
    }

    fn place_by(
        &mut self,
        request: &OrderRequest,
        idempotency: Option<&Idempotency>,
        by: Option<&By>,
    ) -> ChangeResult<Placed> {
        let placed = self.place(request, idempotency, CounterMoney::by(by, request.method))?;
        if let (Some(by), Placed::New(placed)) = (by, &placed) {
            self.note(by, Action::OrderPlaced, &placed.order, None);
            if placed.order.paid_at.is_some() {
                self.note(by, Action::OrderApproved, &placed.order, placed.order.payment_method);
            }
        }
        Ok(placed)
    }

    /// Writes down what staff decided, with how money changed hands.
    fn note(&mut self, by: &By, action: Action, order: &Order, method: Option<PaymentMethod>) {
        let mut details = vec![("event", order.event_id.as_str())];
        details.extend(method.map(|method| (METHOD, method.as_str())));
        self.changes.history.push(NewEntry::new(by, action, &order.id, &details));
    }
}
