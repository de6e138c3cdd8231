//! Why a change is refused. Each reason has a stable code. A refusal is never an error of the service.

use std::fmt;

use super::{
    clock::Stamp,
    status::{OrderStatus, TicketStatus, named},
};

/// Why a sale, a move or a setting was refused. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such event, item, order or ticket.
    NotFound(&'static str),
    /// A value in the request is invalid.
    Invalid {
        /// The field at fault, such as `items[0].quantity`.
        field: String,
        /// What is wrong with it.
        message: String,
    },
    /// The event is not on sale.
    EventNotOnSale,
    /// The item is inactive, deleted, expired, hidden and asked for without its code, or for staff only. The public is
    /// told instead that there is no such item.
    NotOnSale(String),
    /// The sale of the item to the public has not begun.
    NotYetOnSale {
        /// The item.
        item: String,
        /// When it begins.
        from: Stamp,
    },
    /// Not enough units of this item are left.
    SoldOut(String),
    /// Enough units of this item are left, but others hold them.
    Held {
        /// The item.
        item: String,
        /// When the next hold of it ends.
        until: Stamp,
        /// How many seconds that is from now.
        wait_s: u64,
    },
    /// The order's own hold has ended, and what is left of this item is held for others.
    HoldEnded {
        /// The item.
        item: String,
        /// When the next hold of it ends.
        until: Stamp,
    },
    /// A buyer, or an address, has as many unpaid orders as it may.
    TooManyUnpaid {
        /// Whose they are.
        whose: &'static str,
        /// How many there may be.
        most: u32,
        /// When the next of them stops to hold stock.
        until: Stamp,
        /// How many seconds that is from now.
        wait_s: u64,
    },
    /// The order's hold is over, or was made longer before.
    HoldStays,
    /// The coupon cannot be used: there is none, it has ended, it is used up, it is for other items. Whoever tries codes must not
    /// learn which.
    Coupon,
    /// The buyer has not accepted the terms that are in force.
    TermsNotAccepted,
    /// The order has more units of an item than one order may.
    TooMany {
        /// The item.
        item: String,
        /// How many one order may hold.
        max_per_order: i64,
    },
    /// The order has fewer units of an item than one order must.
    TooFew {
        /// The item.
        item: String,
        /// How many one order must have.
        min_per_order: i64,
    },
    /// Who gives tickets away shows the token of no promoter who may do so at this event.
    PromoterRefused,
    /// The promoter may give away fewer tickets than that; this many are left.
    ContingentUsedUp(i64),
    /// The order was already approved or rejected.
    OrderNotPending(OrderStatus),
    /// Only an approved order can be refunded.
    OrderNotApproved(OrderStatus),
    /// The order was imported with its tickets; approving it would issue them twice.
    OrderHasTickets,
    /// The ticket has this status, which does not allow the move.
    TicketIs(TicketStatus),
    /// The new limit is lower than the number sold.
    LimitBelowSold(i64),
    /// The same idempotency key came with another request.
    IdempotencyMismatch,
    /// The payment's amount or currency is not the order's.
    PaymentMismatch,
    /// Staff have paid this payment back.
    PaymentPaidBack,
    /// The payment pays for an order, by its id, that is approved.
    PaymentSettled(String),
    /// Another payment, by its id, has paid for the order.
    OrderPaid(String),
    /// Somebody else changed it since it was read.
    ChangedMeanwhile,
    /// Something else has this id already.
    IdTaken(&'static str),
    /// The producer already has the most of these that are allowed.
    Full(String),
    /// The role, or the member, may do more than who wants to give it or to change it.
    BeyondOwnRights,
    /// The team would be without an administrator.
    LastAdministrator,
    /// The user is in the team already.
    AlreadyMember,
    /// Somebody has the role that is to be deleted.
    RoleInUse,
    /// All orders of an event are refunded only once it is cancelled.
    EventNotCancelled,
}

named! {
    /// The stable code of a refusal, the same at the command line, over HTTP and in the keys of the dashboard's texts.
    Reason {
        /// There is no such thing.
        NotFound = "not_found",
        /// A value in the request is invalid.
        Invalid = "invalid_body",
        /// The event is not on sale.
        EventNotOnSale = "event_not_on_sale",
        /// The item is not on sale.
        NotOnSale = "not_on_sale",
        /// The sale has not begun.
        NotYetOnSale = "not_yet_on_sale",
        /// There is not enough left.
        SoldOut = "sold_out",
        /// Others hold what is left.
        Held = "held",
        /// There are too many unpaid orders.
        TooManyUnpaid = "too_many_unpaid",
        /// The hold cannot be made longer.
        HoldStays = "hold_stays",
        /// The coupon cannot be used.
        CouponRefused = "coupon_refused",
        /// The terms in force are not accepted.
        TermsNotAccepted = "terms_not_accepted",
        /// One order may not have that many.
        TooMany = "too_many",
        /// One order must have more.
        TooFew = "too_few",
        /// No promoter may give that away.
        PromoterRefused = "promoter_refused",
        /// The promoter may give away fewer.
        ContingentUsedUp = "contingent_used_up",
        /// The order was decided.
        OrderNotPending = "order_not_pending",
        /// The order is not approved.
        OrderNotApproved = "order_not_approved",
        /// The order has tickets already.
        OrderHasTickets = "order_has_tickets",
        /// The ticket is valid.
        TicketValid = "ticket_valid",
        /// The ticket has entered.
        TicketScanned = "ticket_scanned",
        /// The ticket was passed on.
        TicketTransferred = "ticket_transferred",
        /// The ticket was cancelled.
        TicketCancelled = "ticket_cancelled",
        /// The ticket was refunded.
        TicketRefunded = "ticket_refunded",
        /// More are sold than the new limit.
        LimitBelowSold = "limit_below_sold",
        /// The idempotency key belongs to another request.
        IdempotencyMismatch = "idempotency_mismatch",
        /// The payment is not what the order costs.
        PaymentMismatch = "payment_mismatch",
        /// The payment was paid back.
        PaymentPaidBack = "payment_paid_back",
        /// The payment has paid for an order.
        PaymentSettled = "payment_settled",
        /// Another payment has paid for the order.
        OrderPaid = "order_paid",
        /// Somebody else changed it meanwhile.
        ChangedMeanwhile = "changed_meanwhile",
        /// The id is taken.
        IdTaken = "id_taken",
        /// There are as many as there may be.
        Full = "full",
        /// That may do more than who gives it.
        BeyondOwnRights = "beyond_own_rights",
        /// A team keeps one administrator.
        LastAdministrator = "last_administrator",
        /// The user is in the team already.
        AlreadyMember = "already_member",
        /// Somebody has the role.
        RoleInUse = "role_in_use",
        /// The event is not cancelled.
        EventNotCancelled = "event_not_cancelled",
    }
}

impl Refusal {
    /// The code of an invalid value.
    pub const INVALID: &str = Reason::Invalid.as_str();

    /// Which of the stable codes it has.
    pub fn reason(&self) -> Reason {
        match self {
            Self::NotFound(_) => Reason::NotFound,
            Self::Invalid { .. } => Reason::Invalid,
            Self::EventNotOnSale => Reason::EventNotOnSale,
            Self::NotOnSale(_) => Reason::NotOnSale,
            Self::NotYetOnSale { .. } => Reason::NotYetOnSale,
            Self::SoldOut(_) | Self::HoldEnded { .. } => Reason::SoldOut,
            Self::Held { .. } => Reason::Held,
            Self::TooManyUnpaid { .. } => Reason::TooManyUnpaid,
            Self::HoldStays => Reason::HoldStays,
            Self::Coupon => Reason::CouponRefused,
            Self::TermsNotAccepted => Reason::TermsNotAccepted,
            Self::TooMany { .. } => Reason::TooMany,
            Self::TooFew { .. } => Reason::TooFew,
            Self::PromoterRefused => Reason::PromoterRefused,
            Self::ContingentUsedUp(_) => Reason::ContingentUsedUp,
            Self::OrderNotPending(_) => Reason::OrderNotPending,
            Self::OrderNotApproved(_) => Reason::OrderNotApproved,
            Self::OrderHasTickets => Reason::OrderHasTickets,
            Self::TicketIs(TicketStatus::Valid) => Reason::TicketValid,
            Self::TicketIs(TicketStatus::Scanned) => Reason::TicketScanned,
            Self::TicketIs(TicketStatus::Transferred) => Reason::TicketTransferred,
            Self::TicketIs(TicketStatus::Cancelled) => Reason::TicketCancelled,
            Self::TicketIs(TicketStatus::Refunded) => Reason::TicketRefunded,
            Self::LimitBelowSold(_) => Reason::LimitBelowSold,
            Self::IdempotencyMismatch => Reason::IdempotencyMismatch,
            Self::PaymentMismatch => Reason::PaymentMismatch,
            Self::PaymentPaidBack => Reason::PaymentPaidBack,
            Self::PaymentSettled(_) => Reason::PaymentSettled,
            Self::OrderPaid(_) => Reason::OrderPaid,
            Self::ChangedMeanwhile => Reason::ChangedMeanwhile,
            Self::IdTaken(_) => Reason::IdTaken,
            Self::Full(_) => Reason::Full,
            Self::BeyondOwnRights => Reason::BeyondOwnRights,
            Self::LastAdministrator => Reason::LastAdministrator,
            Self::AlreadyMember => Reason::AlreadyMember,
            Self::RoleInUse => Reason::RoleInUse,
            Self::EventNotCancelled => Reason::EventNotCancelled,
        }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        self.reason().as_str()
    }

    /// When what stands in the way ends, and how many seconds that is from now, if it ends by itself.
    pub fn ends(&self) -> Option<(Stamp, u64)> {
        match self {
            Self::Held { until, wait_s, .. } | Self::TooManyUnpaid { until, wait_s, .. } => Some((*until, *wait_s)),
            _ => None,
        }
    }

    /// A refusal of an invalid value.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid { field: field.into(), message: message.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(what) => write!(f, "There is no such {what}."),
            Self::Invalid { field, message } => write!(f, "{field}: {message}."),
            Self::EventNotOnSale => f.write_str("The event is not on sale."),
            Self::NotOnSale(item) => write!(f, "{item} is not on sale."),
            Self::NotYetOnSale { item, from } => write!(f, "{item} is not on sale yet. Its sale begins at {from}."),
            Self::SoldOut(item) => write!(f, "There is not enough left of {item}."),
            Self::Held { item, until, .. } => {
                write!(f, "Too few of {item} are free: others hold them. The next hold ends at {until}.")
            }
            Self::HoldEnded { item, until } => write!(
                f,
                "The order's hold has ended, and too few of {item} are free: others hold them. The next hold ends at {until}."
            ),
            Self::TooManyUnpaid { whose, most, until, .. } => write!(
                f,
                "{whose} has {most} unpaid orders already. Pay for one of them, or wait: the hold of the next one ends \
                 at {until}."
            ),
            Self::HoldStays => f.write_str("A hold is made longer once, and only while it lasts."),
            Self::Coupon => f.write_str(
                "The coupon cannot be used: there is no such code for this event, its time is not now, it is for other \
                     items, or it was used as often as it may be.",
            ),
            Self::TermsNotAccepted => f.write_str(
                "The terms that are in force for this event are not accepted. Show them to the buyer, and send the id of those \
                 that the buyer accepted.",
            ),
            Self::TooMany { item, max_per_order } => write!(f, "One order may hold {max_per_order} of {item} at most."),
            Self::TooFew { item, min_per_order } => {
                write!(f, "One order must have {min_per_order} of {item} at least.")
            }
            Self::PromoterRefused => f.write_str(
                "Only a promoter of this event gives its tickets away, with their own token. This one is unknown, was replaced, \
                 or has ended.",
            ),
            Self::ContingentUsedUp(left) => write!(f, "This promoter may give away {left} more of these tickets."),
            Self::OrderNotPending(status) => {
                write!(f, "Only a pending order can be decided; this one is {}.", status.as_str())
            }
            Self::OrderNotApproved(status) => {
                write!(f, "Only an approved order can be refunded; this one is {}.", status.as_str())
            }
            Self::OrderHasTickets => f.write_str("The order has tickets already; they were imported with it."),
            Self::TicketIs(status) => write!(f, "The ticket's status ({}) does not allow this.", status.as_str()),
            Self::LimitBelowSold(sold) => write!(f, "The limit cannot be lower than the {sold} that are sold."),
            Self::IdempotencyMismatch => f.write_str(
                "This Idempotency-Key was used with another request. For a new order make a new random key, such as \
                     a UUID; to repeat an order send exactly the same body.",
            ),
            Self::PaymentMismatch => f.write_str("The payment's amount or currency is not the order's."),
            Self::PaymentPaidBack => f.write_str("This payment was paid back, so it pays for nothing."),
            Self::PaymentSettled(order_id) => {
                write!(f, "This payment has paid for {order_id}. Refund that order first.")
            }
            Self::OrderPaid(payment_id) => write!(f, "The payment {payment_id} has paid for this order already."),
            Self::ChangedMeanwhile => {
                f.write_str("Somebody else changed it meanwhile. Look at what it is now, and decide again.")
            }
            Self::IdTaken(what) => write!(f, "There is already a {what} with this id."),
            Self::Full(message) => write!(f, "{message}."),
            Self::BeyondOwnRights => f.write_str("That may do more than you may do yourself."),
            Self::LastAdministrator => {
                f.write_str("A team keeps one administrator who can sign in. Make somebody else one first.")
            }
            Self::AlreadyMember => f.write_str("This person is in the team already."),
            Self::RoleInUse => f.write_str("Somebody has this role. Give them another one first."),
            Self::EventNotCancelled => f.write_str("The event is not cancelled. Cancel it first."),
        }
    }
}
