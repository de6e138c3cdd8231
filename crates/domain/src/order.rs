//! Orders and their items.

use super::{
    clock::Stamp,
    order_number::OrderNumber,
    person::Person,
    personal::Cover,
    status::{ItemKind, OrderChannel, OrderStatus, PaymentMethod},
};

/// An order with its items.
#[derive(Clone, Debug)]
pub struct Order {
    /// Its id.
    pub id: String,
    /// Its number, for the telephone.
    pub number: OrderNumber,
    /// The event it is for.
    pub event_id: String,
    /// Its status.
    pub status: OrderStatus,
    /// The buyer.
    pub buyer: Person,
    /// The items, with the prices at the time of the order.
    pub items: Vec<OrderItem>,
    /// The currency of all prices.
    pub currency: String,
    /// Its total price, in whole units of the currency.
    pub total: i64,
    /// What its coupon took off the list prices.
    pub discount: i64,
    /// What surcharges added.
    pub surcharge: i64,
    /// What the buyer looks it up by; imported orders have none.
    pub reference: Option<String>,
    /// The coupon that it was placed with.
    pub coupon: Option<UsedCoupon>,
    /// Who sold it, if a promoter did.
    pub promoter: Option<Promoter>,
    /// The code of the buyer's language, for pages and letters, if the buyer chose one.
    pub language: Option<String>,
    /// Where it was sold, if that was written down.
    pub channel: Option<OrderChannel>,
    /// The processor's id of the payment that settled it.
    pub payment_id: Option<String>,
    /// How staff were paid for it, if they said so.
    pub payment_method: Option<PaymentMethod>,
    /// Who of the staff took the money, as the history names them; `None` where a processor told of it or nothing is paid.
    pub sold_by: Option<String>,
    /// When it was paid.
    pub paid_at: Option<Stamp>,
    /// When it was refunded.
    pub refunded_at: Option<Stamp>,
    /// When its hold ends or ended; `None` if it never had one or was decided.
    pub held_until: Option<Stamp>,
    /// When staff sold it although others held its stock.
    pub past_holds_at: Option<Stamp>,
    /// When it was placed.
    pub created_at: Stamp,
    /// When its status last changed.
    pub updated_at: Stamp,
}

/// The coupon that an order was placed with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedCoupon {
    /// Its id; an imported order has none.
    pub id: Option<String>,
    /// Its code.
    pub code: String,
}

/// The promoter who sold an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promoter {
    /// The promoter's id; an imported order has none.
    pub id: Option<String>,
    /// The promoter's name at the time.
    pub name: String,
}

impl Order {
    /// The promoter whose contingent its tickets are from, by id, if they were given away.
    pub fn given_by(&self) -> Option<&str> {
        let gave = self.promoter.as_ref().filter(|_| self.channel == Some(OrderChannel::Promoter));
        gave.and_then(|promoter| promoter.id.as_deref())
    }
}

/// Whoever has the reference sees the tickets with their codes, so it is as if there were none.
impl Cover for Order {
    fn covered(self) -> Self {
        let Self {
            id,
            number,
            event_id,
            status,
            buyer,
            items,
            currency,
            total,
            discount,
            surcharge,
            reference: _,
            coupon,
            promoter,
            language,
            channel,
            payment_id,
            payment_method,
            sold_by,
            paid_at,
            refunded_at,
            held_until,
            past_holds_at,
            created_at,
            updated_at,
        } = self;
        let (buyer, reference) = (buyer.covered(), None);
        Self {
            id,
            number,
            event_id,
            status,
            buyer,
            items,
            currency,
            total,
            discount,
            surcharge,
            reference,
            coupon,
            promoter,
            language,
            channel,
            payment_id,
            payment_method,
            sold_by,
            paid_at,
            refunded_at,
            held_until,
            past_holds_at,
            created_at,
            updated_at,
        }
    }
}

/// What of a payment was for some of an order's items: in proportion to what they cost, in whole units, never rounded up.
pub fn share(paid: i64, total: i64, price: i64) -> i64 {
    if total <= 0 || price <= 0 || paid <= 0 {
        return 0;
    }
    let share = i128::from(paid) * i128::from(price.min(total)) / i128::from(total);
    // No more than was paid, so it fits.
    i64::try_from(share).unwrap_or(paid)
}

/// One line of an order.
#[derive(Clone, Debug)]
pub struct OrderItem {
    /// The ticket type or bundle; it may have been deleted since.
    pub ticket_type_id: String,
    /// A single item or a bundle.
    pub kind: ItemKind,
    /// Its name at the time.
    pub name: String,
    /// How many.
    pub quantity: i64,
    /// The list price at the time.
    pub list_price: i64,
    /// The price of one unit in this order.
    pub unit_price: i64,
    /// The price of all its units.
    pub total: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_what_was_paid_for_it() {
        assert_eq!(share(50, 50, 25), 25);
        assert_eq!(share(48, 50, 25), 24);
        assert_eq!(share(49, 50, 25), 24, "never rounded up: the refund of the order owes the rest");
        assert_eq!(share(50, 50, 60), 50);
        assert_eq!(share(i64::MAX, i64::MAX, i64::MAX), i64::MAX);
        for (paid, total, price) in [(0, 50, 25), (50, 0, 25), (50, 50, 0), (50, 50, -1)] {
            assert_eq!(share(paid, total, price), 0);
        }
    }
}
