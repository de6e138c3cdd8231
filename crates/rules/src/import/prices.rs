//! Coupons and surcharges of a file. They get ids of their own here: the uses of a coupon are kept under its id beside the stock
//! of items, so it must be no item's.

use serde::{Deserialize, de::IgnoredAny};

use taquilla_domain::{
    count::Count,
    coupon::{CouponCode, NewCoupon, folded},
    id,
    pricing::Rate,
    refusal::Refusal,
};
use taquilla_store::import::staging::{Staged, Table};

use super::values::{Checked, LinePlace};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Coupon {
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    #[serde(rename = "id")]
    _id: Option<IgnoredAny>,
    event_id: String,
    code: String,
    percent: Option<i64>,
    amount: Option<i64>,
    ticket_types: Option<Vec<String>>,
    from: Option<String>,
    until: Option<String>,
    limit: Option<i64>,
    per_buyer: Option<i64>,
    // These follow from orders that were sold here.
    #[serde(rename = "used")]
    _used: Option<IgnoredAny>,
    #[serde(rename = "held")]
    _held: Option<IgnoredAny>,
    #[serde(rename = "discount")]
    _discount: Option<IgnoredAny>,
    #[serde(rename = "created_at")]
    _created_at: Option<IgnoredAny>,
    ended_at: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Surcharge {
    #[serde(rename = "kind")]
    _kind: IgnoredAny,
    #[serde(rename = "id")]
    _id: Option<IgnoredAny>,
    event_id: String,
    name: String,
    per: String,
    percent: Option<i64>,
    amount: Option<i64>,
    #[serde(rename = "created_at")]
    _created_at: Option<IgnoredAny>,
    ended_at: Option<IgnoredAny>,
}

const HAS_ENDED: &str = "what has ended is not imported; leave the line out";

impl LinePlace {
    pub fn coupon(self, coupon: Coupon) -> Checked<Vec<Staged>> {
        if coupon.ended_at.is_some() {
            return self.fault("ended_at", HAS_ENDED);
        }
        let uses = |field: &str, value: Option<i64>| {
            value.map(|value| self.valid(field, Count::at_least(1, value))).transpose()
        };
        let mut items = coupon.ticket_types.unwrap_or_default();
        items.sort();
        items.dedup();
        let new = NewCoupon {
            event_id: self.id("event_id", coupon.event_id)?,
            code: self.valid("code", CouponCode::parse(&coupon.code))?,
            rate: self.rate(coupon.percent, coupon.amount)?,
            items,
            from: self.opt_stamp("from", coupon.from)?,
            until: self.opt_stamp("until", coupon.until)?,
            limit: uses("limit", coupon.limit)?,
            per_buyer: uses("per_buyer", coupon.per_buyer)?,
        };
        match new.check() {
            Ok(()) => Ok(self.coupon_rows(new)?),
            Err(Refusal::Invalid { field, message }) if field == "until" => self.fault(field, message),
            Err(refusal) => self.fault("ticket_types", refusal.to_string()),
        }
    }

    fn coupon_rows(self, coupon: NewCoupon) -> Checked<Vec<Staged>> {
        let (percent, amount) = coupon.rate.parts();
        let id = id::new_id("co", self.now);
        let mut rows = vec![self.staged(
            Table::Coupons,
            vec![
                ("id", id.as_str().into()),
                ("event_id", coupon.event_id.into()),
                ("code", coupon.code.as_str().into()),
                ("folded", folded(coupon.code.as_str()).into()),
                ("percent", percent.into()),
                ("amount", amount.into()),
                ("valid_from", coupon.from.into()),
                ("valid_until", coupon.until.into()),
                ("use_limit", coupon.limit.map(Count::get).into()),
                ("per_buyer", coupon.per_buyer.map(Count::get).into()),
            ],
        )];
        for (position, item) in coupon.items.into_iter().enumerate() {
            let item = self.id(&format!("ticket_types[{position}]"), item)?;
            rows.push(
                self.staged(
                    Table::CouponItems,
                    vec![("coupon_id", id.as_str().into()), ("ticket_type_id", item.into())],
                ),
            );
        }
        Ok(rows)
    }

    pub fn surcharge(self, surcharge: Surcharge) -> Checked<Vec<Staged>> {
        if surcharge.ended_at.is_some() {
            return self.fault("ended_at", HAS_ENDED);
        }
        let per_ticket = match surcharge.per.as_str() {
            "ticket" => true,
            "order" => false,
            _ => return self.fault("per", "one of ticket, order is expected"),
        };
        let (percent, amount) = self.rate(surcharge.percent, surcharge.amount)?.parts();
        let row = vec![
            ("id", id::new_id("su", self.now).into()),
            ("event_id", self.id("event_id", surcharge.event_id)?.into()),
            ("name", self.name("name", surcharge.name)?.into()),
            ("per_ticket", per_ticket.into()),
            ("percent", percent.into()),
            ("amount", amount.into()),
        ];
        Ok(vec![self.staged(Table::Surcharges, row)])
    }

    fn rate(self, percent: Option<i64>, amount: Option<i64>) -> Checked<Rate> {
        let field = if percent.is_some() { "percent" } else { "amount" };
        self.valid(field, Rate::new(percent, amount))
    }
}
