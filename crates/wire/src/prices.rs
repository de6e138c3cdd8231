//! Coupons and surcharges, as commands print them and as the shop names them.

use serde::Serialize;
use utoipa::ToSchema;

use taquilla_domain::{coupon, pricing, surcharge};

use super::time::Time;

/// A coupon as its organiser sees it.
#[derive(Debug, Serialize)]
pub struct Coupon<'a> {
    id: &'a str,
    event_id: &'a str,
    code: &'a str,
    percent: Option<i64>,
    amount: Option<i64>,
    ticket_types: &'a [String],
    from: Option<Time>,
    until: Option<Time>,
    limit: Option<i64>,
    per_buyer: Option<i64>,
    used: i64,
    held: i64,
    discount: i64,
    created_at: Time,
    ended_at: Option<Time>,
}

impl<'a> From<&'a coupon::Coupon> for Coupon<'a> {
    fn from(coupon: &'a coupon::Coupon) -> Self {
        let (percent, amount) = coupon.rate.parts();
        Self {
            id: &coupon.id,
            event_id: &coupon.event_id,
            code: &coupon.code,
            percent,
            amount,
            ticket_types: &coupon.items,
            from: coupon.from.map(Time),
            until: coupon.until.map(Time),
            limit: coupon.limit,
            per_buyer: coupon.per_buyer,
            used: coupon.used,
            held: coupon.held,
            discount: coupon.discount,
            created_at: coupon.created_at.into(),
            ended_at: coupon.ended_at.map(Time),
        }
    }
}

/// What a surcharge is counted by.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Per {
    /// Each entrance and each bundle that costs something.
    Ticket,
    /// The order, if it costs something.
    Order,
}

impl From<pricing::Per> for Per {
    fn from(per: pricing::Per) -> Self {
        match per {
            pricing::Per::Ticket => Self::Ticket,
            pricing::Per::Order => Self::Order,
        }
    }
}

/// What buyers pay besides the prices. It is in the prices that an order shows.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShopSurcharge<'a> {
    /// What it is called.
    #[schema(example = "Service fee")]
    pub name: &'a str,
    /// What it is counted by.
    pub per: Per,
    /// How much, in percent of the price after a coupon, halves rounded up; null if it is an amount.
    #[schema(required, minimum = 1, maximum = 100)]
    pub percent: Option<i64>,
    /// How much, in whole units of the currency; null if it is a percentage.
    #[schema(required, minimum = 1)]
    pub amount: Option<i64>,
}

impl<'a> From<&'a surcharge::Surcharge> for ShopSurcharge<'a> {
    fn from(surcharge: &'a surcharge::Surcharge) -> Self {
        let (percent, amount) = surcharge.rate.parts();
        Self { name: &surcharge.name, per: surcharge.per.into(), percent, amount }
    }
}

/// A surcharge as its organiser sees it.
#[derive(Debug, Serialize)]
pub struct Surcharge<'a> {
    id: &'a str,
    event_id: &'a str,
    #[serde(flatten)]
    shown: ShopSurcharge<'a>,
    created_at: Time,
    ended_at: Option<Time>,
}

impl<'a> From<&'a surcharge::Surcharge> for Surcharge<'a> {
    fn from(surcharge: &'a surcharge::Surcharge) -> Self {
        Self {
            id: &surcharge.id,
            event_id: &surcharge.event_id,
            shown: ShopSurcharge::from(surcharge),
            created_at: surcharge.created_at.into(),
            ended_at: surcharge.ended_at.map(Time),
        }
    }
}
