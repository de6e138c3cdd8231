//! Refunding all orders of an event.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    config::{DASHBOARD_ROWS, REFUNDS_COUNTED},
    refusal::Refusal,
    status::{EventStatus, OrderStatus},
    work::{WorkKind, WorkState},
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, page, query::Query, redirects::go};
use taquilla_rules::admin::work;
use taquilla_store::{
    ChangeError, Conn, Tenant,
    catalogue::events,
    overview,
    sales::figures,
    work::{
        orders::{self, Planned, REFUNDED, REJECTED},
        pieces::{self, Piece},
    },
};

use crate::{
    access::{Member, Refund, RefundAll, WRONG},
    frame::Frame,
    orders::named::{NamedOrder, named},
};

/// The event of a page.
struct OfEvent {
    id: String,
    name: String,
    currency: String,
    is_cancelled: bool,
}

async fn find_event(app: &App, tenant: Tenant, id: &str) -> Result<OfEvent, Error> {
    let mut conn = app.store.read().await?;
    let found = events::find(&mut conn, tenant, id, |event| OfEvent {
        id: event.id.to_owned(),
        name: event.name.to_owned(),
        currency: event.currency.to_owned(),
        is_cancelled: event.status == EventStatus::Cancelled,
    })
    .await?;
    found.ok_or(Error::NotFound("event"))
}

#[derive(Template)]
#[template(path = "refund_all.html")]
struct RefundAllPage {
    f: Frame,
    event: OfEvent,
    base: String,
    before: Vec<(String, Piece)>,
    form: Form,
    ahead: Ahead,
}

/// What a refund of all orders is about to change.
struct Ahead {
    /// Orders that are paid, and those that wait for their payment, counted up to a limit.
    paid: String,
    waiting: String,
    /// What was paid for them, by currency.
    sums: Vec<(String, i64)>,
    /// Tickets that have entered already.
    entered: i64,
}

impl Ahead {
    async fn read(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Self, Error> {
        let mut counts = [String::new(), String::new()];
        for (status, count) in [OrderStatus::Approved, OrderStatus::Pending].into_iter().zip(&mut counts) {
            let counted = orders::count_some(conn, tenant, event_id, status, REFUNDS_COUNTED + 1).await?;
            *count = if counted > REFUNDS_COUNTED { format!("{REFUNDS_COUNTED}+") } else { counted.to_string() };
        }
        let [paid, waiting] = counts;
        let sums = figures::left_by_currency(conn, tenant, event_id).await?;
        let entered = overview::figures(conn, tenant, event_id).await?.iter().map(|of| of.entered).sum();
        Ok(Self { paid, waiting, sums: sums.into_iter().filter(|(_, sum)| *sum != 0).collect(), entered })
    }
}

async fn show(
    status: StatusCode,
    app: &App,
    member: &Member<RefundAll>,
    event_id: &str,
    form: Form,
) -> Result<Response, Error> {
    let event = find_event(app, member.tenant(), event_id).await?;
    let mut conn = app.store.read().await?;
    let before = pieces::of_subject(&mut conn, member.tenant(), WorkKind::Refund, event_id, DASHBOARD_ROWS).await?;
    let ahead = Ahead::read(&mut conn, member.tenant(), event_id).await?;
    drop(conn);
    let with_path = |piece: Piece| (member.path(&format!("/refunds/{}", in_path(&piece.id))), piece);
    let before = before.into_iter().map(with_path).collect();
    let base = member.path(&format!("/events/{}", in_path(&event.id)));
    page::show(status, &RefundAllPage { f: member.frame("events"), event, base, before, form, ahead })
}

/// The page that says what refunding all orders means.
pub async fn get_refund_all(
    State(app): State<App>,
    member: Member<RefundAll>,
    Path((_, event_id)): Path<(String, String)>,
) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, &event_id, Form::default()).await
}

/// Begins it.
pub async fn post_refund_all(
    State(app): State<App>,
    member: Member<RefundAll>,
    Path((_, event_id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    match work::refund_all(&app.store, member.tenant(), &event_id, member.by()).await {
        Ok(piece) => Ok(go(&member.path(&format!("/refunds/{}", in_path(&piece.id))))),
        Err(ChangeError::Refused(refusal)) => {
            form.wrong("event", member.frame("").refusal(&refusal));
            show(WRONG, &app, &member, &event_id, form).await
        }
        Err(error) => Err(error.into()),
    }
}

/// An order on the page.
struct RefundRow {
    planned: Planned,
    order: Option<NamedOrder>,
}

#[derive(Template)]
#[template(path = "refund.html")]
struct RefundPage {
    f: Frame,
    event: OfEvent,
    event_path: String,
    base: String,
    piece: Piece,
    rows: Vec<RefundRow>,
    older: Option<i64>,
    only_failed: bool,
    form: Form,
}

impl RefundPage {
    /// What became of an order: the class of its badge, and its text.
    fn result(&self, planned: &Planned) -> (&'static str, String) {
        match planned.result.as_str() {
            "" => ("warn", self.f.text("refund-order-open")),
            REFUNDED => ("good", self.f.text("refund-order-refunded")),
            REJECTED => ("good", self.f.text("refund-order-rejected")),
            code => {
                let key = format!("refused-{code}");
                ("bad", if self.f.l.t.has(&key) { self.f.text(&key) } else { code.to_owned() })
            }
        }
    }

    fn is_running(&self) -> bool {
        self.piece.state == WorkState::Running
    }

    fn is_stopped(&self) -> bool {
        self.piece.state == WorkState::Stopped
    }
}

/// How far it is, and what became of each order.
pub async fn get_refund(
    State(app): State<App>,
    member: Member<Refund>,
    Path((_, id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    show_refund(StatusCode::OK, &app, &member, &id, &query, Form::default()).await
}

async fn show_refund<N>(
    status: StatusCode,
    app: &App,
    member: &Member<N>,
    id: &str,
    query: &Query,
    form: Form,
) -> Result<Response, Error> {
    let tenant = member.tenant();
    let mut conn = app.store.read().await?;
    let found = pieces::find(&mut conn, tenant, WorkKind::Refund, id).await?;
    let piece = found.ok_or(Error::NotFound("piece of work"))?;
    let only_failed = query.get("show") == Some("failed");
    let below = query.get("before").and_then(|text| text.parse().ok()).unwrap_or(i64::MAX);
    let limit = DASHBOARD_ROWS + 1;
    let mut planned = match only_failed {
        true => orders::failed(&mut conn, tenant, id, below, limit).await?,
        false => orders::before(&mut conn, tenant, id, below, limit).await?,
    };
    let more = planned.len() > DASHBOARD_ROWS as usize;
    planned.truncate(DASHBOARD_ROWS as usize);
    let older = planned.last().filter(|_| more).map(|last| last.number);
    let ids: Vec<&str> = planned.iter().map(|planned| planned.order_id.as_str()).collect();
    let orders = named(&mut conn, member, &ids).await?;
    drop(conn);
    let rows = planned.into_iter().map(|planned| RefundRow { order: orders.get(&planned.order_id).cloned(), planned });
    let event = find_event(app, tenant, &piece.subject).await?;
    let page = RefundPage {
        f: member.frame("events").done(query),
        event_path: member.path(&format!("/events/{}", in_path(&event.id))),
        event,
        base: member.path(&format!("/refunds/{}", in_path(id))),
        piece,
        rows: rows.collect(),
        older,
        only_failed,
        form,
    };
    page::show(status, &page)
}

/// Stops it.
pub async fn post_stop(
    State(app): State<App>,
    member: Member<Refund>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    work::stop(&app.store, member.tenant(), &id, member.by()).await?;
    Ok(go(&member.path(&format!("/refunds/{}?done=refund-stopped", in_path(&id)))))
}

/// Goes on with it.
pub async fn post_go_on(
    State(app): State<App>,
    member: Member<RefundAll>,
    Path((_, id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    match work::go_on(&app.store, member.tenant(), &id, member.by()).await {
        Ok(()) => Ok(go(&member.path(&format!("/refunds/{}", in_path(&id))))),
        Err(ChangeError::Refused(refusal @ Refusal::EventNotCancelled)) => {
            form.wrong("event", member.frame("").refusal(&refusal));
            show_refund(WRONG, &app, &member, &id, &Query::default(), form).await
        }
        Err(error) => Err(error.into()),
    }
}
