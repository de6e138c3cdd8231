//! Making and ending coupons.

use taquilla_domain::{
    audit::{Action, By},
    config::COUPONS_MAX,
    count::Count,
    coupon::{Coupon, NewCoupon, folded},
    id,
    refusal::Refusal,
};
use taquilla_store::{
    ChangeResult, Store, Tenant,
    catalogue::{events, ticket_types},
    sales::coupons,
    staff::audit,
    transaction,
};

/// Makes a coupon. Its code may be that of one that has ended.
pub async fn create(store: &Store, tenant: Tenant, new: NewCoupon, by: &By) -> ChangeResult<Coupon> {
    new.check()?;
    let code = folded(new.code.as_str());
    let NewCoupon { event_id, code: written, rate, mut items, from, until, limit, per_buyer } = new;
    items.sort();
    items.dedup();
    let mut coupon = Coupon {
        id: id::new_id("co", by.now),
        event_id,
        code: written.as_str().to_owned(),
        rate,
        items,
        from,
        until,
        limit: limit.map(Count::get),
        per_buyer: per_buyer.map(Count::get),
        used: 0,
        discount: 0,
        held: 0,
        created_at: by.now,
        ended_at: None,
    };
    transaction!(store.begin_move(tenant, by.now), |tx| {
        if !events::exists(tx, tenant, &coupon.event_id).await? {
            return Err(Refusal::NotFound("event").into());
        }
        let there = ticket_types::of_event(tx, tenant, &coupon.event_id, false).await?;
        if let Some(unknown) = coupon.items.iter().find(|id| !there.iter().any(|item| item.id == **id)) {
            return Err(Refusal::invalid("ticket_type", format!("the event has no item {unknown}")).into());
        }
        if coupons::count(tx, tenant, &coupon.event_id).await? >= COUPONS_MAX as i64 {
            let message = format!("an event has {COUPONS_MAX} coupons at most; end one that is not needed any more");
            return Err(Refusal::Full(message).into());
        }
        coupon.created_at = tx.stamp();
        if !coupons::insert(tx, &coupon, &code).await? {
            return Err(Refusal::invalid("code", "another coupon of the event has this code").into());
        }
        let details = [("code", coupon.code.as_str()), ("event", &coupon.event_id)];
        audit::add(tx, Some(tenant), by, Action::CouponCreated, &coupon.id, &details).await?;
        Ok(coupon.clone())
    })
}

/// Ends a coupon: nobody uses it any more. Orders that were placed with it keep it.
pub async fn end(store: &Store, tenant: Tenant, id: &str, by: &By) -> ChangeResult<Coupon> {
    transaction!(store.begin_move(tenant, by.now), |tx| {
        let coupon = coupons::find(tx, tenant, id).await?.ok_or(Refusal::NotFound("coupon"))?;
        if coupon.ended_at.is_some() {
            return Ok(coupon);
        }
        coupons::end(tx, id).await?;
        let details = [("code", coupon.code.as_str()), ("event", &coupon.event_id)];
        audit::add(tx, Some(tenant), by, Action::CouponEnded, id, &details).await?;
        Ok(Coupon { ended_at: Some(tx.stamp()), ..coupon })
    })
}
