//! Coupons: codes that make an order of one event cheaper. How often a coupon is used is stock like any other: what is not used
//! and not held is free.

use super::{clock::Stamp, count::Count, invalid::Invalid, pricing::Rate, refusal::Refusal, text::Name};
use crate::config::{COUPON_CODE_MAX, COUPON_ITEMS_MAX};

/// A coupon's code, as its organiser writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CouponCode(String);

impl CouponCode {
    /// Reads a code. Spaces around it do not matter.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let name = Name::parse(text)?.trimmed();
        match name.as_str().chars().count() <= COUPON_CODE_MAX {
            true => Ok(Self(name.into())),
            false => Err(Invalid::new(format!("a code has {COUPON_CODE_MAX} characters at most"))),
        }
    }

    /// The code.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What codes are compared by: neither case nor spaces around them matter.
pub fn folded(code: &str) -> String {
    code.trim().to_lowercase()
}

/// A coupon to be made.
#[derive(Clone, Debug)]
pub struct NewCoupon {
    /// The event it is for.
    pub event_id: String,
    /// Its code.
    pub code: CouponCode,
    /// What it takes off.
    pub rate: Rate,
    /// The items it is for; none means all of the event.
    pub items: Vec<String>,
    /// From when it can be used.
    pub from: Option<Stamp>,
    /// Until when it can be used.
    pub until: Option<Stamp>,
    /// How many orders may use it.
    pub limit: Option<Count>,
    /// How many orders of one buyer may use it.
    pub per_buyer: Option<Count>,
}

impl NewCoupon {
    /// Refuses what makes no sense together.
    pub fn check(&self) -> Result<(), Refusal> {
        if self.items.len() > COUPON_ITEMS_MAX {
            let message =
                format!("a coupon names {COUPON_ITEMS_MAX} items at most; without any it is for all of the event");
            return Err(Refusal::invalid("ticket_type", message));
        }
        if self.from.zip(self.until).is_some_and(|(from, until)| until <= from) {
            return Err(Refusal::invalid("until", "the end is not after the beginning"));
        }
        Ok(())
    }
}

/// A coupon.
#[derive(Clone, Debug)]
pub struct Coupon {
    /// Its id.
    pub id: String,
    /// The event it is for.
    pub event_id: String,
    /// Its code.
    pub code: String,
    /// What it takes off.
    pub rate: Rate,
    /// The items it is for; none means all of the event.
    pub items: Vec<String>,
    /// From when it can be used.
    pub from: Option<Stamp>,
    /// Until when it can be used.
    pub until: Option<Stamp>,
    /// How many orders may use it.
    pub limit: Option<i64>,
    /// How many orders of one buyer may use it.
    pub per_buyer: Option<i64>,
    /// How many approved orders use it.
    pub used: i64,
    /// How much it took off these.
    pub discount: i64,
    /// How many pending orders hold a use of it, by the database's clock.
    pub held: i64,
    /// When it was made.
    pub created_at: Stamp,
    /// When it was ended.
    pub ended_at: Option<Stamp>,
}

/// Whether a coupon stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uses {
    /// A use is free.
    Free,
    /// Only others' holds are in the way.
    Held,
    /// None is left.
    None,
}

impl Coupon {
    /// Whether it is for this item.
    pub fn covers(&self, ticket_type_id: &str) -> bool {
        self.items.is_empty() || self.items.iter().any(|item| item == ticket_type_id)
    }

    /// Whether its time is now.
    pub fn is_open(&self, now: Stamp) -> bool {
        self.ended_at.is_none()
            && self.from.is_none_or(|from| from <= now)
            && self.until.is_none_or(|until| now < until)
    }

    /// Whether one more order may use it, of a buyer who uses or holds it that often.
    pub fn uses(&self, of_buyer: i64) -> Uses {
        let (limit, per_buyer) = (self.limit.unwrap_or(i64::MAX), self.per_buyer.unwrap_or(i64::MAX));
        if self.used >= limit || of_buyer >= per_buyer {
            Uses::None
        } else if self.used + self.held >= limit {
            Uses::Held
        } else {
            Uses::Free
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coupon() -> Coupon {
        Coupon {
            id: "co".into(),
            event_id: "ev".into(),
            code: "Summer".into(),
            rate: Rate::Percent(10),
            items: vec![],
            from: Some(Stamp::from_micros(10)),
            until: Some(Stamp::from_micros(20)),
            limit: Some(2),
            per_buyer: Some(1),
            used: 0,
            discount: 0,
            held: 0,
            created_at: Stamp::from_micros(0),
            ended_at: None,
        }
    }

    #[test]
    fn codes_are_compared_without_case_and_spaces() {
        let code = CouponCode::parse("  Verão 10 ").unwrap();
        assert_eq!((code.as_str(), folded(" VERÃO 10").as_str()), ("Verão 10", folded(code.as_str()).as_str()));
        assert!(CouponCode::parse(" ").is_err() && CouponCode::parse(&"x".repeat(COUPON_CODE_MAX + 1)).is_err());
        assert!(CouponCode::parse("a\u{202e}b").is_err());
    }

    #[test]
    fn a_coupon_has_its_time_its_items_and_its_uses() {
        let open = |at| coupon().is_open(Stamp::from_micros(at));
        assert_eq!([9, 10, 19, 20].map(open), [false, true, true, false]);
        assert!(!Coupon { ended_at: Some(Stamp::from_micros(1)), ..coupon() }.is_open(Stamp::from_micros(15)));
        assert!(coupon().covers("tt") && !Coupon { items: vec!["tt_b".into()], ..coupon() }.covers("tt"));
        let uses = |used, held, of_buyer| Coupon { used, held, ..coupon() }.uses(of_buyer);
        assert_eq!(
            [uses(1, 0, 0), uses(1, 1, 0), uses(2, 0, 0), uses(0, 0, 1)],
            [Uses::Free, Uses::Held, Uses::None, Uses::None]
        );
        assert_eq!(Coupon { limit: None, per_buyer: None, used: 9, ..coupon() }.uses(9), Uses::Free);
    }

    #[test]
    fn what_makes_no_sense_together_is_refused() {
        let new = NewCoupon {
            event_id: "ev".into(),
            code: CouponCode::parse("A").unwrap(),
            rate: Rate::Amount(1),
            items: vec![],
            from: Some(Stamp::from_micros(10)),
            until: Some(Stamp::from_micros(10)),
            limit: None,
            per_buyer: None,
        };
        assert!(new.check().is_err());
        assert!(NewCoupon { until: None, ..new.clone() }.check().is_ok());
        assert!(NewCoupon { until: None, items: vec!["tt".into(); COUPON_ITEMS_MAX + 1], ..new }.check().is_err());
    }
}
