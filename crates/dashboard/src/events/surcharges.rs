//! An event's surcharges: what buyers of the shop pay besides the prices.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{config::DASHBOARD_ROWS, event::KeptEvent, pricing::Per, surcharge::Surcharge, text::Name};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{
    address::in_path, form::Form, formats::ShownTime, page, query::Query, redirects::go, refusals::refusal_text,
};
use taquilla_rules::admin::surcharges;
use taquilla_store::{ChangeError, sales::surcharges as rows};

use super::{
    common::{event_path, find_event},
    coupons::{read_rate, shown_rate},
    present::Present,
};
use crate::{
    access::{ManageEvents, Member, WRONG},
    frame::Frame,
};

/// A surcharge as the page shows it.
struct SurchargeRow {
    surcharge: Surcharge,
    adds: String,
    per: String,
    ended: Option<ShownTime>,
    end_path: String,
}

#[derive(Template)]
#[template(path = "surcharges.html")]
struct SurchargesPage {
    f: Frame,
    form: Form,
    base: String,
    event: KeptEvent,
    rows: Vec<SurchargeRow>,
    /// Nobody else writes this form.
    present: Present,
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
    let found = rows::ever_of_event(&mut conn, member.tenant(), &event.id, DASHBOARD_ROWS).await?;
    drop(conn);
    let (f, base) = (member.frame("events").done(query), event_path(member, &event.id));
    let dates = f.dates(&event.timezone);
    let row = |surcharge: Surcharge| SurchargeRow {
        adds: shown_rate(&f, surcharge.rate, &event.currency),
        per: f.text(match surcharge.per {
            Per::Ticket => "per-ticket",
            Per::Order => "per-order",
        }),
        ended: surcharge.ended_at.map(|at| dates.time(&at)),
        end_path: format!("{base}/surcharges/{}/end", in_path(&surcharge.id)),
        surcharge,
    };
    let rows = found.into_iter().map(row).collect();
    page::show(status, &SurchargesPage { form, base, rows, present: Present::default(), event, f })
}

/// The event's surcharges, and the form for another one.
pub async fn get_surcharges(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let event = find_event(&app, member.tenant(), &id).await?;
    let form = Form::filled(&[("kind", "percent"), ("per", "order")]);
    show(StatusCode::OK, &app, &member, event, &query, form).await
}

/// Makes a surcharge.
pub async fn post_surcharges(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let t = member.layout.t;
    let event = find_event(&app, member.tenant(), &id).await?;
    let name = form.read("name", |text| Name::parse(text.trim()), |_| t.text("wrong-name"));
    let rate = read_rate(&mut form, t);
    let per = if form.has("per", "ticket") { Per::Ticket } else { Per::Order };
    if let Some((name, rate)) = name.zip(rate) {
        match surcharges::create(&app.store, member.tenant(), &id, &name, (rate, per), member.by()).await {
            Ok(_) => return Ok(go(&format!("{}/surcharges?done=surcharge-made", event_path(&member, &id)))),
            Err(ChangeError::Refused(refusal)) => form.wrong("name", refusal_text(t, &refusal)),
            Err(error) => return Err(error.into()),
        }
    }
    show(WRONG, &app, &member, event, &Query::default(), form).await
}

/// Ends a surcharge.
pub async fn post_end_surcharge(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id, surcharge_id)): Path<(String, String, String)>,
) -> Result<Response, Error> {
    find_event(&app, member.tenant(), &id).await?;
    surcharges::end(&app.store, member.tenant(), &surcharge_id, member.by()).await?;
    Ok(go(&format!("{}/surcharges?done=surcharge-ended", event_path(&member, &id))))
}
