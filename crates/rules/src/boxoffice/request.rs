//! What the box office is asked to do together with others, and what it answers.

use taquilla_domain::{
    audit::By,
    config::{ORDERS_TOGETHER, PAYMENTS_TOGETHER, SCANS_TOGETHER, STAFF_TOGETHER},
    order::Order,
};
use taquilla_store as store;
use taquilla_store::{
    ChangeResult,
    sales::{idempotency::Idempotency, payments::Payment},
};

use super::{
    admit::{Admission, Scan},
    ledger::Needs,
    order_request::{self, OrderRequest, PastHolds},
    sell::Placed,
};

/// Something to be decided.
#[derive(Clone, Debug)]
pub enum Request {
    /// Approve a pending order, by its id; perhaps although others hold its stock.
    Approve(String, PastHolds),
    /// Reject a pending order, by its id.
    Reject(String),
    /// Refund an approved order, by its id.
    Refund(String),
    /// Settle a payment.
    Settle(Payment),
    /// Place an order; see [`Request::place`].
    Place(OrderRequest, Option<Idempotency>),
    /// Decide the scans of one device, in their order.
    Admit(Vec<Scan>),
    /// The same by staff, which is written to the history; see [`Request::by`].
    ByStaff(By, Box<Request>),
}

/// What was decided.
pub enum Answer {
    /// The order as it is now.
    Order(Box<Order>),
    /// The order that was placed.
    Placed(Placed),
    /// The answers to scans.
    Admitted(Vec<Admission>),
}

/// Kinds of requests. Each has its own queue and its own place in every group, so that many of one kind do not hold up
/// those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What staff decide about orders.
    Staff,
    /// Payments.
    Payment,
    /// New orders.
    Order,
    /// Scans.
    Scan,
}

impl Kind {
    /// Every kind, in the order in which a group is decided: what gives stock back first, then what is paid.
    pub const ALL: [Self; 4] = [Self::Staff, Self::Payment, Self::Order, Self::Scan];

    /// Its name, for metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Staff => "staff",
            Self::Payment => "payment",
            Self::Order => "order",
            Self::Scan => "scan",
        }
    }

    /// How many of this kind one group takes.
    pub fn together(self) -> usize {
        match self {
            Self::Staff => STAFF_TOGETHER,
            Self::Payment => PAYMENTS_TOGETHER,
            Self::Order => ORDERS_TOGETHER,
            Self::Scan => SCANS_TOGETHER,
        }
    }
}

impl Request {
    /// An order, after the checks that need no database.
    pub fn place(request: OrderRequest, idempotency: Option<Idempotency>) -> ChangeResult<Self> {
        order_request::check(&request)?;
        Ok(Self::Place(request, idempotency))
    }

    /// The same, asked for by staff: the move that decides it writes it to the history.
    pub fn by(self, by: &By) -> Self {
        Self::ByStaff(by.clone(), Box::new(self))
    }

    /// What is asked for, and the staff who ask.
    pub(super) fn asked(&self) -> (&Self, Option<&By>) {
        match self {
            Self::ByStaff(by, request) => (request.asked().0, Some(by)),
            request => (request, None),
        }
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self.asked().0 {
            Self::Approve(..) | Self::Reject(_) | Self::Refund(_) => Kind::Staff,
            Self::Settle(_) => Kind::Payment,
            Self::Place(..) => Kind::Order,
            Self::Admit(_) | Self::ByStaff(..) => Kind::Scan,
        }
    }

    /// How many decisions it asks for.
    pub fn size(&self) -> usize {
        match self.asked().0 {
            Self::Admit(scans) => scans.len(),
            _ => 1,
        }
    }

    /// What no other request of the same group may have too: an order that is decided, a payment, an idempotency key.
    /// The second one waits for the next group, which reads what the first one left.
    pub(super) fn claims(&self) -> Vec<(&'static str, &str)> {
        match self.asked().0 {
            Self::Approve(id, _) | Self::Reject(id) | Self::Refund(id) => vec![("order", id)],
            Self::Settle(payment) => {
                let order = payment.order_id.iter().map(|id| ("order", id.as_str()));
                order.chain([("payment", payment.id.as_str())]).collect()
            }
            Self::Place(_, Some(Idempotency { key, .. })) => vec![("key", key)],
            Self::Place(_, None) | Self::Admit(_) | Self::ByStaff(..) => vec![],
        }
    }

    /// Adds what has to be read to decide it. Scans read for themselves.
    pub(super) fn needs<'a>(&'a self, needs: &mut Needs<'a>) {
        match self.asked().0 {
            Self::Approve(id, _) => {
                needs.orders.insert(id);
                needs.paid_orders.insert(id);
            }
            Self::Reject(id) | Self::Refund(id) => {
                needs.orders.insert(id);
            }
            Self::Settle(payment) => {
                needs.orders.extend(payment.order_id.as_deref());
                needs.payments.push(payment);
            }
            Self::Place(request, idempotency) => {
                needs.keys.extend(idempotency.iter().map(|given| given.key.as_str()));
                needs.events.insert(&request.event_id);
                needs.items.extend(request.items.iter().map(|item| item.ticket_type_id.as_str()));
                needs.strangers.extend(request.stranger.iter().map(|stranger| (request, stranger)));
            }
            Self::Admit(_) | Self::ByStaff(..) => {}
        }
    }
}

impl Answer {
    /// The order of an answer to `Approve`, `Reject`, `Refund` or `Settle`.
    pub fn order(self) -> ChangeResult<Order> {
        match self {
            Self::Order(order) => Ok(*order),
            _ => Err(another_answer().into()),
        }
    }

    /// The answer to `Place`.
    pub fn placed(self) -> ChangeResult<Placed> {
        match self {
            Self::Placed(placed) => Ok(placed),
            _ => Err(another_answer().into()),
        }
    }

    /// The answers to `Admit`.
    pub fn admitted(self) -> ChangeResult<Vec<Admission>> {
        match self {
            Self::Admitted(admissions) => Ok(admissions),
            _ => Err(another_answer().into()),
        }
    }
}

fn another_answer() -> store::Error {
    store::Error::internal("a request got the answer of another kind")
}
