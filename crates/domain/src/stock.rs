//! Whether an item may be sold, to whom, and how many of it.
//!
//! **Stock is free, held or sold.** Placing an order needs what is free, neither sold nor held (`Offer::is_free`).
//! Issuing needs what is not sold (`Offer::has_left`). An order whose hold lasts needs nothing more; one whose hold has
//! ended, or that never had one, needs what is free once more. Only `PastHolds::Yes`, which staff alone can say, passes
//! over holds, and the order keeps the time of it.

use super::{
    clock::Stamp,
    hold,
    refusal::Refusal,
    status::{OrderChannel, TypeStatus},
};

/// An item's data that decide whether it may be sold.
#[derive(Clone, Debug)]
pub struct Offer {
    /// The item's id, for the refusal.
    pub id: String,
    /// The status that the organiser set.
    pub status: TypeStatus,
    /// Whether it was deleted; deleted items are not sold.
    pub deleted: bool,
    /// The stock; `None` is unlimited.
    pub limit: Option<i64>,
    /// How many are sold; the limit is checked against this number.
    pub sold: i64,
    /// How many pending orders hold, by the database's clock.
    pub held: i64,
    /// When the next of these holds ends.
    pub held_until: Option<Stamp>,
    /// How many one order may hold.
    pub max_per_order: i64,
    /// How many one order must have, if it has any.
    pub min_per_order: i64,
    /// When its sale to the public begins.
    pub on_sale_from: Option<Stamp>,
    /// When its sale ends.
    pub expires_at: Option<Stamp>,
    /// The code that the public needs to buy it while it is hidden.
    pub access_code: Option<String>,
}

/// Who places an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Anybody, through the shop.
    Public,
    /// The producer's staff.
    Staff,
    /// A promoter, who gives tickets away.
    Promoter,
}

impl From<Channel> for OrderChannel {
    fn from(channel: Channel) -> Self {
        match channel {
            Channel::Public => Self::Shop,
            Channel::Staff => Self::BoxOffice,
            Channel::Promoter => Self::Promoter,
        }
    }
}

impl Offer {
    /// Checks that it may be sold now to whoever asks, as far as stock does not matter. Before its sale begins staff sell
    /// it as they sell a draft event; once it has ended nobody does.
    pub fn may_sell(&self, channel: Channel, shown: Option<&str>, now: Stamp) -> Result<(), Refusal> {
        let open = match self.status {
            TypeStatus::Active | TypeStatus::SoldOut => true,
            TypeStatus::Hidden => {
                channel == Channel::Staff || (shown.is_some() && shown == self.access_code.as_deref())
            }
            TypeStatus::Exclusive => channel != Channel::Public,
            TypeStatus::Inactive => false,
        };
        // This comes first: of an item that is not on sale, the public must not learn anything else.
        if !open || self.deleted || self.expires_at.is_some_and(|expiry| now >= expiry) {
            return Err(Refusal::NotOnSale(self.id.clone()));
        }
        if self.status == TypeStatus::SoldOut {
            return Err(Refusal::SoldOut(self.id.clone()));
        }
        match self.on_sale_from {
            Some(from) if channel == Channel::Public && now < from => {
                Err(Refusal::NotYetOnSale { item: self.id.clone(), from })
            }
            _ => Ok(()),
        }
    }

    /// Checks that one order may have this many.
    pub fn fits_one_order(&self, quantity: i64) -> Result<(), Refusal> {
        if quantity > self.max_per_order {
            return Err(Refusal::TooMany { item: self.id.clone(), max_per_order: self.max_per_order });
        }
        if quantity < self.min_per_order {
            return Err(Refusal::TooFew { item: self.id.clone(), min_per_order: self.min_per_order });
        }
        Ok(())
    }

    /// Checks that this many are left and nobody else holds them. `now` is the database's clock.
    pub fn is_free(&self, quantity: i64, now: Stamp) -> Result<(), Refusal> {
        self.has_left(quantity)?;
        match (self.limit, self.held_until) {
            (Some(limit), Some(until)) if self.sold + self.held + quantity > limit => {
                Err(Refusal::Held { item: self.id.clone(), until, wait_s: hold::seconds_until(until, now) })
            }
            _ => Ok(()),
        }
    }

    /// Checks that this many are left, whoever holds them.
    pub fn has_left(&self, quantity: i64) -> Result<(), Refusal> {
        match self.limit {
            Some(limit) if self.sold + quantity > limit => Err(Refusal::SoldOut(self.id.clone())),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(status: TypeStatus) -> Offer {
        Offer {
            id: "tt".into(),
            status,
            deleted: false,
            limit: Some(10),
            sold: 8,
            held: 0,
            held_until: None,
            max_per_order: 4,
            min_per_order: 2,
            on_sale_from: Some(Stamp::from_micros(50)),
            expires_at: Some(Stamp::from_micros(100)),
            access_code: Some("secret".into()),
        }
    }

    #[test]
    fn each_status_sells_to_whom_it_should() {
        let now = Stamp::from_micros(99);
        let table = [
            (TypeStatus::Active, "ok", "ok", "ok", "ok"),
            (TypeStatus::Hidden, "not_on_sale", "ok", "ok", "not_on_sale"),
            (TypeStatus::Exclusive, "not_on_sale", "not_on_sale", "ok", "ok"),
            (TypeStatus::SoldOut, "sold_out", "sold_out", "sold_out", "sold_out"),
            (TypeStatus::Inactive, "not_on_sale", "not_on_sale", "not_on_sale", "not_on_sale"),
        ];
        assert_eq!(table.map(|(status, ..)| status), TypeStatus::ALL);
        for (status, public, with_code, staff, promoter) in table {
            let code = |outcome: Result<(), Refusal>| outcome.map_or_else(|refusal| refusal.code(), |()| "ok");
            assert_eq!(code(offer(status).may_sell(Channel::Public, None, now)), public, "{status:?}");
            assert_eq!(code(offer(status).may_sell(Channel::Public, Some("wrong"), now)), public, "{status:?}");
            assert_eq!(code(offer(status).may_sell(Channel::Public, Some("secret"), now)), with_code, "{status:?}");
            assert_eq!(code(offer(status).may_sell(Channel::Staff, None, now)), staff, "{status:?}");
            assert_eq!(code(offer(status).may_sell(Channel::Promoter, None, now)), promoter, "{status:?}");
        }
        let codeless = Offer { access_code: None, ..offer(TypeStatus::Hidden) };
        assert!(codeless.may_sell(Channel::Public, None, now).is_err(), "no code opens nothing");
    }

    #[test]
    fn stock_period_and_quantity_are_exact() {
        let now = Stamp::from_micros(99);
        let active = offer(TypeStatus::Active);
        assert!(active.may_sell(Channel::Public, None, now).is_ok());
        assert!(active.has_left(2).is_ok() && active.is_free(2, now).is_ok());
        assert_eq!(active.is_free(3, now).unwrap_err().code(), "sold_out");
        let until = Some(Stamp::from_micros(1_000_100));
        let held = Offer { held: 1, held_until: until, ..active.clone() };
        assert!(held.is_free(1, now).is_ok() && held.has_left(2).is_ok());
        let refusal = held.is_free(2, now).unwrap_err();
        assert_eq!((refusal.code(), refusal.ends()), ("held", until.map(|until| (until, 2))));
        assert_eq!(held.is_free(3, now).unwrap_err().code(), "sold_out", "whatever the others do");
        let fits = |quantity| active.fits_one_order(quantity).map_err(|refusal| refusal.code());
        assert_eq!([1, 2, 4, 5].map(fits), [Err("too_few"), Ok(()), Ok(()), Err("too_many")]);
        for channel in [Channel::Public, Channel::Staff] {
            let at = |at| active.may_sell(channel, None, Stamp::from_micros(at)).map_err(|refusal| refusal.code());
            let before = if channel == Channel::Staff { Ok(()) } else { Err("not_yet_on_sale") };
            assert_eq!([49, 50, 99, 100].map(at), [before, Ok(()), Ok(()), Err("not_on_sale")], "{channel:?}");
        }
        for status in [TypeStatus::Active, TypeStatus::SoldOut] {
            let deleted = Offer { deleted: true, ..offer(status) };
            assert_eq!(deleted.may_sell(Channel::Staff, None, now).unwrap_err().code(), "not_on_sale");
        }
        let endless = Offer { limit: None, ..held };
        assert!(endless.is_free(4, now).is_ok());
    }
}
