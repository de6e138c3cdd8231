//! The code of each refusal. A refusal without a code, or with one of another name, does not compile.

use taquilla_domain::refusal::Reason;

use super::codes::{self, Code};

/// The code of a refusal, with its status, title and advice.
pub const fn of(reason: Reason) -> &'static Code {
    match reason {
        Reason::NotFound => &codes::NOT_FOUND,
        Reason::Invalid => &codes::INVALID_BODY,
        Reason::EventNotOnSale => &codes::EVENT_NOT_ON_SALE,
        Reason::NotOnSale => &codes::NOT_ON_SALE,
        Reason::NotYetOnSale => &codes::NOT_YET_ON_SALE,
        Reason::SoldOut => &codes::SOLD_OUT,
        Reason::Held => &codes::HELD,
        Reason::TooManyUnpaid => &codes::TOO_MANY_UNPAID,
        Reason::HoldStays => &codes::HOLD_STAYS,
        Reason::CouponRefused => &codes::COUPON_REFUSED,
        Reason::TermsNotAccepted => &codes::TERMS_NOT_ACCEPTED,
        Reason::TooMany => &codes::TOO_MANY,
        Reason::TooFew => &codes::TOO_FEW,
        Reason::PromoterRefused => &codes::PROMOTER_REFUSED,
        Reason::ContingentUsedUp => &codes::CONTINGENT_USED_UP,
        Reason::OrderNotPending => &codes::ORDER_NOT_PENDING,
        Reason::OrderNotApproved => &codes::ORDER_NOT_APPROVED,
        Reason::OrderHasTickets => &codes::ORDER_HAS_TICKETS,
        Reason::TicketValid => &codes::TICKET_VALID,
        Reason::TicketScanned => &codes::TICKET_SCANNED,
        Reason::TicketTransferred => &codes::TICKET_TRANSFERRED,
        Reason::TicketCancelled => &codes::TICKET_CANCELLED,
        Reason::TicketRefunded => &codes::TICKET_REFUNDED,
        Reason::LimitBelowSold => &codes::LIMIT_BELOW_SOLD,
        Reason::IdempotencyMismatch => &codes::IDEMPOTENCY_MISMATCH,
        Reason::PaymentMismatch => &codes::PAYMENT_MISMATCH,
        Reason::PaymentPaidBack => &codes::PAYMENT_PAID_BACK,
        Reason::PaymentSettled => &codes::PAYMENT_SETTLED,
        Reason::OrderPaid => &codes::ORDER_PAID,
        Reason::ChangedMeanwhile => &codes::CHANGED_MEANWHILE,
        Reason::IdTaken => &codes::ID_TAKEN,
        Reason::Full => &codes::FULL,
        Reason::BeyondOwnRights => &codes::BEYOND_OWN_RIGHTS,
        Reason::LastAdministrator => &codes::LAST_ADMINISTRATOR,
        Reason::AlreadyMember => &codes::ALREADY_MEMBER,
        Reason::RoleInUse => &codes::ROLE_IN_USE,
        Reason::EventNotCancelled => &codes::EVENT_NOT_CANCELLED,
    }
}

const _: () = {
    let mut at = 0;
    while at < Reason::ALL.len() {
        assert!(is_same(of(Reason::ALL[at]).name, Reason::ALL[at].as_str()), "a refusal has the code of another");
        at += 1;
    }
};

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}
