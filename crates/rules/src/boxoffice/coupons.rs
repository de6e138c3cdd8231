//! What a group knows of the coupons of its orders: which code means which coupon, and how often each buyer uses it.

use std::collections::BTreeMap;

use taquilla_domain::{
    coupon::{Coupon, folded},
    order::{Order, UsedCoupon},
};
use taquilla_store::sales::{
    coupons::{Coupons, OfBuyers},
    holds::HeldItems,
};

use super::order_request::OrderRequest;

/// What is known of coupons, kept up to date while the group is decided.
#[derive(Default)]
pub(super) struct KnownCoupons {
    /// By id.
    pub by_id: Coupons,
    /// How often buyers use or hold them.
    pub of_buyers: OfBuyers,
}

impl KnownCoupons {
    /// The coupon that a code means.
    pub fn meant(&self, event_id: &str, code: &str) -> Option<&Coupon> {
        let code = folded(code);
        let mut open = self.by_id.values().filter(|coupon| coupon.ended_at.is_none());
        open.find(|coupon| coupon.event_id == event_id && folded(&coupon.code) == code)
    }

    /// The buyers whose uses matter, with the coupons: those who order now, and those whose orders have to find a use again.
    pub fn buyers<'o>(
        &self,
        requests: &[&OrderRequest],
        ended: impl Iterator<Item = &'o Order>,
    ) -> Vec<(String, String)> {
        let wanted = requests.iter().filter_map(|request| {
            let coupon = self.meant(&request.event_id, request.coupon.as_deref()?)?;
            Some((coupon.id.as_str(), request.buyer.email.as_str()))
        });
        let again = ended.filter_map(|order| Some((coupon_id(order)?, order.buyer.email.as_str())));
        let buyers = wanted.chain(again).filter(|(_, email)| !email.is_empty());
        // The database lowers letters in its own way, so it is asked with the address as it was written.
        let buyers: BTreeMap<_, _> =
            buyers.map(|(id, email)| ((id, email.to_lowercase()), (id.to_owned(), email.to_owned()))).collect();
        buyers.into_values().collect()
    }

    /// Adds what is read once the coupons are known: their items, what is held of them, and how often buyers use them.
    pub fn complete(&mut self, items: Vec<(String, String)>, held: &HeldItems, of_buyers: OfBuyers) {
        for (id, item) in items {
            if let Some(coupon) = self.by_id.get_mut(&id) {
                coupon.items.push(item);
            }
        }
        for (id, held) in held {
            if let Some(coupon) = self.by_id.get_mut(id) {
                coupon.held = held.quantity;
            }
        }
        self.of_buyers = of_buyers;
    }

    pub fn of_buyer(&self, id: &str, email: &str) -> i64 {
        // Staff may sell to somebody without an address, who is nobody that could be counted.
        let counted = || self.of_buyers.get(&(id.to_owned(), email.to_lowercase())).copied();
        if email.is_empty() { 0 } else { counted().unwrap_or(0) }
    }

    pub fn count_buyer(&mut self, id: &str, email: &str, uses: i64) {
        if !email.is_empty() {
            *self.of_buyers.entry((id.to_owned(), email.to_lowercase())).or_default() += uses;
        }
    }
}

/// The event and the folded code of a request with a coupon.
pub(super) fn code<'r>(request: &&'r OrderRequest) -> Option<(&'r str, String)> {
    request.coupon.as_ref().map(|code| (request.event_id.as_str(), folded(code)))
}

/// The coupon of an order, if it is known here. An imported order has the code alone.
pub(super) fn coupon_id(order: &Order) -> Option<&str> {
    order.coupon.as_ref()?.id.as_deref()
}

/// What an order keeps of its coupon.
pub(super) fn kept(coupon: &Coupon) -> UsedCoupon {
    UsedCoupon { id: Some(coupon.id.clone()), code: coupon.code.clone() }
}
