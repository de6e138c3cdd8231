//! What a group has decided so far, to be written at its end.

use taquilla_domain::{attempt::Attempt, clock::Stamp};
use taquilla_store::{
    catalogue::ticket_counts::Counts,
    sales::{
        coupons::UseChanges,
        figures::Sums,
        holds::HeldChanges,
        idempotency::Idempotency,
        orders::{Decided, NewOrder},
        pay_backs::NewlyOwed,
        payments::{PaymentNotice, SettledLate},
        promoter_sums::PromoterSums,
        refunded_items::RefundedItem,
    },
    staff::audit::NewEntry,
    tickets::rows::{Issued, Marked},
    webhooks::outbox::Message,
};

/// What the group has decided so far. A refused request adds nothing but the payment that came with it.
#[derive(Default)]
pub(super) struct Changes {
    pub placed: Vec<NewOrder>,
    /// Orders from before this group.
    pub decided: Vec<Decided>,
    /// Orders whose hold is longer now, and its end.
    pub extended: Vec<(String, Stamp)>,
    /// Orders that are held longer because they may still be paid, and until when.
    pub held_on: Vec<(String, Stamp)>,
    /// Attempts to pay for orders, each with the order's id.
    pub attempts: Vec<(String, Attempt)>,
    /// Orders whose attendees are forgotten.
    pub forgotten: Vec<String>,
    pub issued: Vec<Issued>,
    /// Tickets that are refunded, or cancelled because they are refunded alone.
    pub refunded: Vec<Marked>,
    /// Units of orders that are refunded alone.
    pub refunded_items: Vec<RefundedItem>,
    pub counts: Counts,
    pub held: HeldChanges,
    /// Uses of coupons.
    pub uses: UseChanges,
    pub sold: Sums,
    pub of_promoters: PromoterSums,
    pub messages: Vec<Message>,
    pub answers: Vec<(Idempotency, String)>,
    pub payments: Vec<PaymentNotice>,
    /// Payments that were told of before and are settled only now.
    pub settled_late: Vec<SettledLate>,
    /// What refunds owe.
    pub owed: Vec<NewlyOwed>,
    /// What staff did.
    pub history: Vec<NewEntry>,
}

impl Changes {
    /// How many tickets are issued or changed.
    pub fn tickets(&self) -> usize {
        self.issued.len() + self.refunded.len()
    }

    /// Whether a payment that was told of before pays for an order of this group. Two notices of one payment are never in
    /// one group, but an approval by hand may take a payment that another request of its group names too.
    pub fn settles(&self, payment_id: &str) -> bool {
        self.settled_late.iter().any(|late| late.id == payment_id)
    }
}
