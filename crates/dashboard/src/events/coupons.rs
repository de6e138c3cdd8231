//! An event's coupons: what each takes off, how often it is used, and making and ending them.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    config::ENDED_COUPONS_SHOWN,
    count::Count,
    coupon::{Coupon, CouponCode, NewCoupon},
    event::KeptEvent,
    pricing::Rate,
    refusal::Refusal,
    ticket_type::TicketType,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{
    address::in_path, form::Form, formats::ShownTime, page, query::Query, redirects::go, refusals::refusal_text,
    texts::Texts,
};
use taquilla_rules::admin::coupons;
use taquilla_store::{ChangeError, catalogue::ticket_types, sales::coupons as rows};

use super::{
    common::{TimeField, event_path, find_event},
    present::Present,
};
use crate::{
    access::{ManageEvents, Member, WRONG},
    frame::Frame,
};

/// From when a coupon can be used.
const FROM: TimeField = TimeField { name: "from", which: "from_which" };
/// Until when it can be used.
const UNTIL: TimeField = TimeField { name: "until", which: "until_which" };

/// A coupon as the page shows it.
struct CouponRow {
    coupon: Coupon,
    takes_off: String,
    /// What it is for; empty means everything.
    items: String,
    discount: String,
    from: Option<ShownTime>,
    until: Option<ShownTime>,
    ended: Option<ShownTime>,
    end_path: String,
}

#[derive(Template)]
#[template(path = "coupons.html")]
struct CouponsPage {
    f: Frame,
    form: Form,
    base: String,
    event: KeptEvent,
    rows: Vec<CouponRow>,
    items: Vec<TicketType>,
    /// Nobody else writes this form.
    present: Present,
}

/// What a coupon or a surcharge changes, as people read it.
pub fn shown_rate(f: &Frame, rate: Rate, currency: &str) -> String {
    match rate {
        Rate::Percent(percent) => f.l.t.with("percent", "number", percent),
        Rate::Amount(amount) => f.money(amount, currency),
    }
}

/// Reads what a coupon takes off, or a surcharge adds: a number, and whether it is of percent.
pub fn read_rate(form: &mut Form, t: Texts) -> Option<Rate> {
    let is_amount = form.has("kind", "amount");
    let read = |text: &str| {
        // A text that is no number is refused like one out of range.
        let number = text.trim().parse().unwrap_or(0);
        if is_amount { Rate::amount(number) } else { Rate::percent(number) }
    };
    form.read("rate", read, |_| t.text(if is_amount { "wrong-rate-amount" } else { "wrong-rate-percent" }))
}

fn read_count(form: &mut Form, field: &'static str, t: Texts) -> Option<Option<Count>> {
    let read = |text: &str| match text.trim() {
        "" => Ok(None),
        text => Count::parse_at_least(1, text).map(Some),
    };
    form.read(field, read, |_| t.text("wrong-uses"))
}

async fn show(
    status: StatusCode,
    app: &App,
    member: &Member<ManageEvents>,
    event: KeptEvent,
    query: &Query,
    form: Form,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let found = rows::of_event(&mut conn, member.tenant(), &event.id, ENDED_COUPONS_SHOWN).await?;
    let items = ticket_types::of_event(&mut conn, member.tenant(), &event.id, true).await?;
    drop(conn);
    let (f, base) = (member.frame("events").done(query), event_path(member, &event.id));
    let name =
        |id: &String| items.iter().find(|item| item.id == *id).map_or_else(|| id.clone(), |item| item.name.clone());
    let dates = f.dates(&event.timezone);
    let row = |coupon: Coupon| CouponRow {
        takes_off: shown_rate(&f, coupon.rate, &event.currency),
        items: coupon.items.iter().map(name).collect::<Vec<_>>().join(", "),
        discount: f.money(coupon.discount, &event.currency),
        from: coupon.from.map(|at| dates.time(&at)),
        until: coupon.until.map(|at| dates.time(&at)),
        ended: coupon.ended_at.map(|at| dates.time(&at)),
        end_path: format!("{base}/coupons/{}/end", in_path(&coupon.id)),
        coupon,
    };
    let rows = found.into_iter().map(row).collect();
    let items = items.into_iter().filter(|item| !item.deleted).collect();
    page::show(status, &CouponsPage { form, base, rows, items, present: Present::default(), event, f })
}

/// The event's coupons, and the form for another one.
pub async fn get_coupons(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let event = find_event(&app, member.tenant(), &id).await?;
    let form = Form::filled(&[("kind", "percent")]);
    show(StatusCode::OK, &app, &member, event, &query, form).await
}

/// Reads the form. What is wrong is said in it.
fn read(form: &mut Form, event: &KeptEvent, t: Texts) -> Option<NewCoupon> {
    let zone = event.zone();
    let code = form.read("code", CouponCode::parse, |_| t.text("wrong-coupon-code"));
    let rate = read_rate(form, t);
    let (from, until) = (FROM.read(form, &zone, t), UNTIL.read(form, &zone, t));
    let (limit, per_buyer) = (read_count(form, "limit", t), read_count(form, "per_buyer", t));
    Some(NewCoupon {
        event_id: event.id.clone(),
        code: code?,
        rate: rate?,
        items: form.values("ticket_type").map(str::to_owned).collect(),
        from: from?,
        until: until?,
        limit: limit?,
        per_buyer: per_buyer?,
    })
}

/// Makes a coupon.
pub async fn post_coupons(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let t = member.layout.t;
    let event = find_event(&app, member.tenant(), &id).await?;
    if let Some(new) = read(&mut form, &event, t) {
        match coupons::create(&app.store, member.tenant(), new, member.by()).await {
            Ok(_) => return Ok(go(&format!("{}/coupons?done=coupon-made", event_path(&member, &id)))),
            Err(ChangeError::Refused(Refusal::Invalid { field, .. })) => match field.as_str() {
                "code" => form.wrong("code", t.text("wrong-coupon-code-taken")),
                "until" => form.wrong("until", t.text("wrong-until")),
                _ => form.wrong("ticket_type", t.text("wrong-coupon-items")),
            },
            Err(ChangeError::Refused(refusal)) => form.wrong("code", refusal_text(t, &refusal)),
            Err(error) => return Err(error.into()),
        }
    }
    show(WRONG, &app, &member, event, &Query::default(), form).await
}

/// Ends a coupon.
pub async fn post_end_coupon(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id, coupon_id)): Path<(String, String, String)>,
) -> Result<Response, Error> {
    find_event(&app, member.tenant(), &id).await?;
    coupons::end(&app.store, member.tenant(), &coupon_id, member.by()).await?;
    Ok(go(&format!("{}/coupons?done=coupon-ended", event_path(&member, &id))))
}
