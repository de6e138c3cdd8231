//! Whether one more order may use a coupon.
//!
//! A use is stock. An order that is placed needs one that is neither used nor held; while the order is pending it holds the
//! use; an approved order uses it, and its refund gives it back. An order whose hold has ended needs a free use once more, but
//! neither its coupon's time nor its code: its price was promised when it was placed.

use taquilla_domain::{
    clock::Stamp,
    coupon::{Coupon, Uses},
    order::Order,
    refusal::Refusal,
};

use super::{
    coupons::coupon_id,
    ledger::Ledger,
    order_request::{OrderRequest, PastHolds},
};

impl Ledger {
    /// The coupon of a request, which may be used now for some of what it asks for, and the stock of whose uses is looked at
    /// later. Every reason against it is one refusal.
    pub(super) fn coupon(&self, request: &OrderRequest) -> Result<Option<&Coupon>, Refusal> {
        let Some(code) = &request.coupon else { return Ok(None) };
        let coupon = self.coupons.meant(&request.event_id, code).ok_or(Refusal::Coupon)?;
        let is_for_some = request.items.iter().any(|item| coupon.covers(&item.ticket_type_id));
        let uses = coupon.uses(self.coupons.of_buyer(&coupon.id, &request.buyer.email));
        let is_free = uses == Uses::Free || (uses == Uses::Held && request.past_holds == PastHolds::Yes);
        match coupon.is_open(self.now) && is_for_some && is_free {
            true => Ok(Some(coupon)),
            false => Err(Refusal::Coupon),
        }
    }

    /// Checks that an order whose hold has ended finds a use of its coupon again. Returns whether staff pass over others' holds.
    pub(super) fn coupon_again(&self, order: &Order, past_holds: PastHolds) -> Result<bool, Refusal> {
        let Some(coupon) = coupon_id(order).and_then(|id| self.coupons.by_id.get(id)) else { return Ok(false) };
        match (coupon.uses(self.coupons.of_buyer(&coupon.id, &order.buyer.email)), past_holds) {
            (Uses::Free, _) => Ok(false),
            (Uses::Held, PastHolds::Yes) => Ok(true),
            _ => Err(Refusal::Coupon),
        }
    }

    /// Checks that an order's coupon has a use left, whoever holds it.
    pub(super) fn coupon_has_left(&self, order: &Order) -> Result<(), Refusal> {
        let coupon = coupon_id(order).and_then(|id| self.coupons.by_id.get(id));
        match coupon.is_some_and(|coupon| coupon.limit.is_some_and(|limit| coupon.used >= limit)) {
            true => Err(Refusal::Coupon),
            false => Ok(()),
        }
    }

    /// Counts a use for an order that is approved now, or gives it back.
    pub(super) fn use_coupon(&mut self, order: &Order, uses: i64) {
        let Some(id) = coupon_id(order) else { return };
        if let Some(coupon) = self.coupons.by_id.get_mut(id) {
            coupon.used += uses;
        }
        self.coupons.count_buyer(id, &order.buyer.email, uses);
        self.changes.uses.add(id, uses, uses * order.discount);
    }

    /// Holds a use for an order until then, or gives it back. What was held until a time that is over is free already.
    pub(super) fn hold_coupon(&mut self, order: &Order, until: Stamp, uses: i64) {
        let Some(id) = coupon_id(order) else { return };
        self.changes.held.add(id, until, uses);
        if until > self.now {
            if let Some(coupon) = self.coupons.by_id.get_mut(id) {
                coupon.held += uses;
            }
            self.coupons.count_buyer(id, &order.buyer.email, uses);
        }
    }
}
