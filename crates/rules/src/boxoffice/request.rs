//! What the box office is asked to do, and what it answers.

use std::time::Duration;

use tokio::sync::oneshot;

use taquilla_domain::{
    audit::{Action, By},
    door_note::DoorNote,
    order::Order,
    person::Person,
    promoter::NamedPromoter,
    status::{OrderStatus, PaymentMethod, PaymentOutcome},
    stock::Channel,
};
use taquilla_store as store;
use taquilla_store::{
    ChangeResult,
    sales::{idempotency::Idempotency, payments::Payment},
    tickets::rows::State,
};

use super::{
    admit::{Admission, Scan},
    attempts::{AttemptChange, Attempted},
    kind::Kind,
    ledger::Needs,
    order_request::{self, OrderRequest, PastHolds},
    placed::Placed,
    reply::Reply,
    ticket_change::{TicketChange, TicketStep},
    undo::{Entry, Undo},
};

/// Something to be decided, whose answer is an `A`.
pub struct Request<A> {
    asked: QueuedRequest,
    answered: oneshot::Receiver<ChangeResult<A>>,
}

/// A request as the box office holds it: what is asked for, and the staff who ask, if it is staff.
pub(super) struct QueuedRequest {
    /// What staff do is written to the history by the move that decides it.
    pub by: Option<By>,
    pub what: What,
}

/// What is asked for, and where its answer goes.
pub(super) enum What {
    /// A step of an order that is there; the answer is the order as it is now.
    Order(OrderStep, Reply<Order>),
    /// An attempt to pay for an order; the answer is both as they are now.
    Attempt(AttemptChange, Reply<Attempted>),
    /// A new order.
    Place(Box<OrderRequest>, Option<Idempotency>, Reply<Placed>),
    /// A change of one ticket; the answer is the ticket as it is now, or the one that took its place.
    Ticket(TicketChange, Reply<State>),
    /// The scans of one device, in their order.
    Admit(Vec<Scan>, Reply<Vec<Admission>>),
    /// An entry to be taken back.
    Undo(Undo, Reply<Admission>),
}

/// A step of an order.
pub(super) enum OrderStep {
    /// With how staff were paid, if they say so.
    Approve(String, PastHolds, Option<PaymentMethod>),
    Reject(String),
    /// With how staff paid the money back at once, if they did.
    Refund(String, Option<PaymentMethod>),
    RefundTickets {
        order_id: String,
        tickets: Vec<String>,
    },
    CallOff(String),
    /// For so much longer.
    ExtendHold(String, Duration),
    Settle(Payment),
    SettleWith {
        order_id: String,
        payment_id: String,
        past_holds: PastHolds,
    },
}

impl OrderStep {
    /// What is written to the history if staff ask for it, and the order became this. Payments are told of by payment
    /// processors, and buyers make their holds longer.
    pub fn action(&self, order: &Order) -> Option<Action> {
        match self {
            Self::Approve(..) => Some(Action::OrderApproved),
            Self::Reject(_) => Some(Action::OrderRejected),
            Self::CallOff(_) if order.status == OrderStatus::Rejected => Some(Action::OrderRejected),
            Self::RefundTickets { .. } if order.status == OrderStatus::Approved => Some(Action::OrderPartRefunded),
            Self::Refund(..) | Self::RefundTickets { .. } | Self::CallOff(_) => Some(Action::OrderRefunded),
            Self::SettleWith { .. } => Some(Action::OrderSettled),
            Self::ExtendHold(..) | Self::Settle(_) => None,
        }
    }

    /// The order whose tickets it changes, which may be any number if it was imported.
    pub fn refunds(&self) -> Option<&str> {
        match self {
            Self::Refund(id, _) | Self::CallOff(id) | Self::RefundTickets { order_id: id, .. } => Some(id),
            Self::Approve(..) | Self::Reject(_) | Self::ExtendHold(..) | Self::Settle(_) | Self::SettleWith { .. } => {
                None
            }
        }
    }
}

impl Request<Order> {
    /// Approves a pending order: checks its stock again and issues its tickets; perhaps although others hold its stock.
    pub fn approve(id: impl Into<String>, past_holds: PastHolds) -> Self {
        Self::approve_paid(id, past_holds, None)
    }

    /// The same, with how staff were paid for it, if they say so.
    pub fn approve_paid(id: impl Into<String>, past_holds: PastHolds, method: Option<PaymentMethod>) -> Self {
        Self::of_order(OrderStep::Approve(id.into(), past_holds, method))
    }

    /// Rejects a pending order.
    pub fn reject(id: impl Into<String>) -> Self {
        Self::of_order(OrderStep::Reject(id.into()))
    }

    /// Refunds an approved order. Its tickets stop working.
    pub fn refund(id: impl Into<String>) -> Self {
        Self::refund_paid_back(id, None)
    }

    /// The same by staff who hand the money back at once, if they say how. What a processor was paid is paid back by the
    /// processor, so that stays to be paid back.
    pub fn refund_paid_back(id: impl Into<String>, method: Option<PaymentMethod>) -> Self {
        Self::of_order(OrderStep::Refund(id.into(), method))
    }

    /// Refunds tickets of an approved order, by their ids: they are cancelled, and their share of what was paid is owed. A
    /// ticket of a bundle takes the others of its unit along. If none would be left, the order is refunded.
    pub fn refund_tickets(order_id: impl Into<String>, tickets: Vec<String>) -> Self {
        Self::of_order(OrderStep::RefundTickets { order_id: order_id.into(), tickets })
    }

    /// Refunds an approved order of a cancelled event, or rejects a pending one. Refused if the event is not cancelled when
    /// it is decided: it may have been published again since somebody asked.
    pub fn call_off(id: impl Into<String>) -> Self {
        Self::of_order(OrderStep::CallOff(id.into()))
    }

    /// Makes the hold of a pending order longer by this. That is granted once, while the hold lasts.
    pub fn extend_hold(id: impl Into<String>, by: Duration) -> Self {
        Self::of_order(OrderStep::ExtendHold(id.into(), by))
    }

    /// Approves or rejects the order of a payment.
    pub fn settle(payment: Payment) -> Self {
        Self::of_order(OrderStep::Settle(payment))
    }

    /// Settles an order with a payment that has paid for nothing, as staff say, whatever its amount and whichever order it
    /// was meant for. A pending order is approved by this; one that staff approved before has its payment now.
    pub fn settle_with(order_id: impl Into<String>, payment_id: impl Into<String>, past_holds: PastHolds) -> Self {
        let (order_id, payment_id) = (order_id.into(), payment_id.into());
        Self::of_order(OrderStep::SettleWith { order_id, payment_id, past_holds })
    }

    fn of_order(step: OrderStep) -> Self {
        Self::new(|reply| What::Order(step, reply))
    }
}

impl Request<Placed> {
    /// Places an order, after the checks that need no database.
    pub fn place(request: OrderRequest, idempotency: Option<Idempotency>) -> ChangeResult<Self> {
        order_request::check(&request)?;
        Ok(Self::new(|reply| What::Place(Box::new(request), idempotency, reply)))
    }
}

impl Request<State> {
    /// Cancels a ticket and gives its stock back.
    pub fn cancel(id: impl Into<String>) -> Self {
        Self::of_ticket(id, TicketStep::Cancel)
    }

    /// Hides a ticket: it leaves all lists and counts, and still works at the door. Hiding it again changes nothing.
    pub fn hide(id: impl Into<String>) -> Self {
        Self::of_ticket(id, TicketStep::Hide)
    }

    /// Passes a ticket on to another attendee. The answer is the new ticket that replaces it.
    pub fn transfer(id: impl Into<String>, to: Person) -> ChangeResult<Self> {
        to.check("attendee", Channel::Staff)?;
        Ok(Self::of_ticket(id, TicketStep::Transfer(to)))
    }

    /// Has the scanner show a note with a ticket, or none. The same note again changes nothing.
    pub fn note(id: impl Into<String>, note: DoorNote) -> Self {
        Self::of_ticket(id, TicketStep::Note(note))
    }

    fn of_ticket(id: impl Into<String>, step: TicketStep) -> Self {
        let change = TicketChange { id: id.into(), step };
        Self::new(|reply| What::Ticket(change, reply))
    }
}

impl Request<Vec<Admission>> {
    /// Decides the scans of one device, in their order. Each gets an answer.
    pub fn admit(scans: Vec<Scan>) -> Self {
        Self::new(|reply| What::Admit(scans, reply))
    }
}

impl Request<Admission> {
    /// Takes an entry back. The ticket is valid again.
    pub fn undo(undo: Undo) -> Self {
        Self::new(|reply| What::Undo(undo, reply))
    }
}

impl<A> Request<A> {
    pub(super) fn new(what: impl FnOnce(Reply<A>) -> What) -> Self {
        let (reply, answered) = Reply::new();
        Self { asked: QueuedRequest { by: None, what: what(reply) }, answered }
    }

    /// The same, asked for by staff: the move that decides it writes it to the history.
    pub fn by(mut self, by: &By) -> Self {
        self.asked.by = Some(by.clone());
        self
    }

    /// What is asked for, and where its answer arrives.
    pub(super) fn split(self) -> (QueuedRequest, Answered<A>) {
        (self.asked, Answered(self.answered))
    }
}

/// Where the answer to a request arrives.
pub(super) struct Answered<A>(oneshot::Receiver<ChangeResult<A>>);

impl<A> Answered<A> {
    /// Waits for the answer.
    pub async fn wait(self) -> ChangeResult<A> {
        self.0.await.map_err(|_| store::Error::Unavailable("a request was given up".into()))?
    }
}

impl QueuedRequest {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match &self.what {
            What::Order(OrderStep::Settle(_), _) | What::Attempt(..) => Kind::Payment,
            What::Order(OrderStep::ExtendHold(..), _) => Kind::Order,
            What::Order(..) | What::Ticket(..) => Kind::Staff,
            What::Place(..) => Kind::Order,
            What::Admit(..) | What::Undo(..) => Kind::Scan,
        }
    }

    /// How many decisions it asks for.
    pub fn size(&self) -> usize {
        match &self.what {
            What::Admit(scans, _) => scans.len(),
            What::Order(..) | What::Attempt(..) | What::Place(..) | What::Ticket(..) | What::Undo(..) => 1,
        }
    }

    /// The order whose tickets it changes, which may be any number if it was imported.
    pub fn refunds(&self) -> Option<&str> {
        match &self.what {
            What::Order(step, _) => step.refunds(),
            What::Attempt(..) | What::Place(..) | What::Ticket(..) | What::Admit(..) | What::Undo(..) => None,
        }
    }

    /// What no other request of the same group may have too: an order or a ticket that is changed, a payment, an
    /// idempotency key. The second one waits for the next group, which reads what the first one left.
    pub fn claims(&self) -> Vec<(&'static str, &str)> {
        match &self.what {
            What::Order(
                OrderStep::Approve(id, ..)
                | OrderStep::Reject(id)
                | OrderStep::Refund(id, _)
                | OrderStep::RefundTickets { order_id: id, .. }
                | OrderStep::CallOff(id)
                | OrderStep::ExtendHold(id, _),
                _,
            ) => vec![("order", id)],
            What::Order(OrderStep::Settle(payment), _) => {
                let order = payment.order_id.iter().map(|id| ("order", id.as_str()));
                order.chain([("payment", payment.id.as_str())]).collect()
            }
            What::Order(OrderStep::SettleWith { order_id, payment_id, .. }, _) => {
                vec![("order", order_id), ("payment", payment_id)]
            }
            What::Attempt(change, _) => {
                let payments = change.payments().iter().map(|payment| ("payment", payment.id.as_str()));
                payments.chain([("order", change.order_id.as_str())]).collect()
            }
            What::Place(_, idempotency, _) => idempotency.iter().map(|given| ("key", given.key.as_str())).collect(),
            What::Ticket(change, _) => vec![("ticket", &change.id)],
            // The same one may come twice, and the second reads what became of the first.
            What::Undo(undo, _) => match &undo.entry {
                Entry::OfScan(id) => vec![("undo", &undo.undo_id), ("scan", id)],
                Entry::OfTicket(id, _) => vec![("undo", &undo.undo_id), ("ticket", id)],
            },
            What::Admit(..) => vec![],
        }
    }

    /// Adds what has to be read to decide it. Changes of single tickets, and scans, read for themselves.
    pub fn needs<'a>(&'a self, needs: &mut Needs<'a>) {
        match &self.what {
            What::Order(OrderStep::Approve(id, ..), _) => {
                needs.orders.insert(id);
                needs.paid_orders.insert(id);
            }
            What::Order(OrderStep::Reject(id), _) => {
                needs.orders.insert(id);
            }
            What::Order(OrderStep::ExtendHold(id, _), _) => {
                needs.orders.insert(id);
                needs.extended.insert(id);
            }
            What::Order(
                OrderStep::Refund(id, _) | OrderStep::RefundTickets { order_id: id, .. } | OrderStep::CallOff(id),
                _,
            ) => {
                needs.orders.insert(id);
                needs.refunded_orders.insert(id);
                needs.paid_orders.insert(id);
            }
            What::Order(OrderStep::SettleWith { order_id, payment_id, .. }, _) => {
                needs.orders.insert(order_id);
                needs.refunded_orders.insert(order_id);
                needs.payments.push((payment_id, PaymentOutcome::Paid));
            }
            What::Order(OrderStep::Settle(payment), _) => {
                needs.orders.extend(payment.order_id.as_deref());
                needs.payments.push((&payment.id, payment.outcome));
            }
            What::Attempt(change, _) => {
                needs.orders.insert(&change.order_id);
                needs.attempted.insert(&change.order_id);
                needs.payments.extend(change.payments().iter().map(|payment| (payment.id.as_str(), payment.outcome)));
            }
            What::Place(request, idempotency, _) => {
                needs.keys.extend(idempotency.iter().map(|given| given.key.as_str()));
                needs.events.insert(&request.event_id);
                needs.items.extend(request.items.iter().map(|item| item.ticket_type_id.as_str()));
                needs.charged.extend((request.channel == Channel::Public).then_some(request.event_id.as_str()));
                needs.with_coupon.extend(request.coupon.is_some().then_some(&**request));
                match &request.promoter {
                    Some(NamedPromoter::Id(id)) => drop(needs.promoters.insert(id)),
                    Some(NamedPromoter::Token(hash)) => drop(needs.promoters_by_hash.insert(hash)),
                    None => {}
                }
                needs.strangers.extend(request.stranger.iter().map(|stranger| (&**request, stranger)));
            }
            What::Ticket(..) | What::Admit(..) | What::Undo(..) => {}
        }
    }

    /// Whether somebody still waits for the answer. A request that was given up has told its client to come back later, so
    /// it must not be granted afterwards.
    pub fn is_waited_for(&self) -> bool {
        match &self.what {
            What::Order(_, reply) => reply.is_waited_for(),
            What::Attempt(_, reply) => reply.is_waited_for(),
            What::Place(_, _, reply) => reply.is_waited_for(),
            What::Ticket(_, reply) => reply.is_waited_for(),
            What::Admit(_, reply) => reply.is_waited_for(),
            What::Undo(_, reply) => reply.is_waited_for(),
        }
    }

    /// Tells that it could not be decided.
    pub fn fail(&self, cause: store::Error) {
        match &self.what {
            What::Order(_, reply) => reply.tell(Err(cause.into())),
            What::Attempt(_, reply) => reply.tell(Err(cause.into())),
            What::Place(_, _, reply) => reply.tell(Err(cause.into())),
            What::Ticket(_, reply) => reply.tell(Err(cause.into())),
            What::Admit(_, reply) => reply.tell(Err(cause.into())),
            What::Undo(_, reply) => reply.tell(Err(cause.into())),
        }
    }
}
