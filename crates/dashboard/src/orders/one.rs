//! One order: who bought what, what was paid for it, its tickets, and what staff do with it.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    audit::Action,
    clock::Stamp,
    config::{DASHBOARD_ROWS, ORDER_TICKETS_SHOWN},
    order::Order,
    personal::Personal,
    refusal::Refusal,
    role::Right,
    status::{EventStatus, OrderChannel, OrderStatus, PaymentMethod, PaymentOutcome},
    terms::Terms,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{
    address::in_path,
    badges::{self, Badge},
    form::Form,
    page,
    query::Query,
    redirects::go,
    refusals::refusal_text,
};
use taquilla_rules::boxoffice::{PastHolds, Request};
use taquilla_store::{
    ChangeError, Tenant,
    catalogue::events,
    sales::{
        holds,
        notes::{self, Note},
        orders,
        pay_backs::{self, PayBack},
        payments::{self, ReportedPayment},
        terms,
    },
    staff::audit,
    tickets::staff,
};

use super::till;
use crate::{
    access::{Member, Refund, SeeOrders, Sell, WRONG},
    frame::Frame,
    open_payments::why,
    orders::named::NamedOrder,
    tickets::row::{self, TicketRow},
};

/// Something that staff did to the order.
struct Done {
    at: Stamp,
    action: Action,
    /// Who, for those who may see that.
    actor: String,
}

#[derive(Template)]
#[template(path = "order.html")]
struct OrderPage {
    f: Frame,
    form: Form,
    order: Order,
    base: String,
    badge: Badge,
    event: String,
    channel: Option<&'static str>,
    /// Until when its stock is held, and whether that lasts.
    hold: Option<(Stamp, bool)>,
    payments: Vec<ReportedPayment>,
    /// Whether the member deals with payments.
    deals_with_payments: bool,
    /// What refunds owe or owed for it.
    pay_backs: Vec<PayBack>,
    /// What staff wrote about it.
    notes: Vec<Note>,
    /// The terms that the buyer accepted.
    terms: Option<Terms>,
    /// Whether the member may write about it.
    may_note: bool,
    tickets: Vec<TicketRow>,
    has_more_tickets: bool,
    history: Vec<Done>,
    sees_people: bool,
    /// Whether there are tickets to print, with names on them.
    may_print: bool,
    may_decide: bool,
    /// Whether its event is cancelled, so that it can only be rejected.
    is_called_off: bool,
    may_refund: bool,
    methods: &'static [PaymentMethod],
    /// Whether single tickets can be refunded: there are others.
    may_refund_tickets: bool,
}

impl OrderPage {
    /// Whether money came for the order and pays for nothing.
    fn has_open_payment(&self) -> bool {
        self.payments.iter().any(ReportedPayment::is_open)
    }

    /// Why a payment pays for nothing.
    fn why(&self, result: &str) -> String {
        why(self.f.l.t, result)
    }

    /// What became of a payment.
    fn of_payment(&self, payment: &ReportedPayment) -> Badge {
        let (class, key) = match payment.outcome {
            PaymentOutcome::Paid if payment.is_settled() => ("good", "payment-settled"),
            PaymentOutcome::Paid if payment.paid_back_at.is_some() => ("quiet", "payment-paid-back"),
            PaymentOutcome::Paid if payment.is_open() => ("bad", "payment-open"),
            PaymentOutcome::Paid => ("quiet", "payment-elsewhere"),
            PaymentOutcome::Failed => ("quiet", "payment-failed"),
        };
        Badge { class, key }
    }
}

/// The address of an order's page.
pub fn base<N>(member: &Member<N>, id: &str) -> String {
    member.path(&format!("/orders/{}", in_path(id)))
}

/// The order in the path.
pub async fn find(app: &App, tenant: Tenant, id: &str) -> Result<Personal<Order>, Error> {
    orders::find(&mut app.store.read().await?, tenant, id).await?.ok_or(Error::NotFound("order"))
}

pub(super) async fn show<N>(
    status: StatusCode,
    app: &App,
    member: &Member<N>,
    id: &str,
    query: &Query,
    form: Form,
) -> Result<Response, Error> {
    let (tenant, sees) = (member.tenant(), member.sees());
    let order = find(app, tenant, id).await?.seen_by(sees);
    let mut conn = app.store.read().await?;
    let named = |event: taquilla_domain::event::Event<'_>| {
        (event.name.to_owned(), event.timezone.to_owned(), event.status == EventStatus::Cancelled)
    };
    let found = events::find(&mut conn, tenant, &order.event_id, named).await?;
    let (event, time_zone, is_called_off) = found.unwrap_or_default();
    let hold = order.held_until.zip(holds::lasts(&mut conn, &order).await?);
    let mut held = staff::of_order(&mut conn, tenant, id, DASHBOARD_ROWS + 1).await?;
    let works = held.iter().filter(|held| held.counts()).count();
    let may_refund = order.status == OrderStatus::Approved && member.may(Right::Refund);
    let has_more_tickets = held.len() > DASHBOARD_ROWS as usize;
    held.truncate(DASHBOARD_ROWS as usize);
    let tickets = row::rows(&mut conn, member, held).await?;
    let payments = payments::of_order(&mut conn, tenant, id).await?;
    let pay_backs = pay_backs::of_order(&mut conn, tenant, id).await?;
    let notes = notes::of_order(&mut conn, tenant, id).await?;
    let terms = terms::accepted(&mut conn, tenant, &[id]).await?.remove(id);
    let filter = audit::Filter { subject: Some(id.to_owned()), ..audit::Filter::default() };
    let entries = audit::list(&mut conn, Some(tenant), &filter, None, DASHBOARD_ROWS).await?;
    let sees_who = member.may(Right::SeeHistory);
    let done = |entry: audit::Entry| Done {
        at: entry.at,
        action: entry.action,
        actor: if sees_who { entry.actor } else { String::new() },
    };
    let page = OrderPage {
        f: member.frame("orders").by_clocks_of(&time_zone).done(query),
        form,
        base: base(member, id),
        badge: badges::of_order(order.status),
        event,
        channel: order.channel.map(|channel| match channel {
            OrderChannel::Shop => "channel-shop",
            OrderChannel::BoxOffice => "channel-box-office",
            OrderChannel::Import => "channel-import",
            OrderChannel::Promoter => "channel-promoter",
        }),
        hold,
        payments,
        deals_with_payments: member.may(Right::ManagePayments),
        pay_backs,
        notes: notes.into_iter().map(|note| note.seen_by(sees)).collect(),
        terms,
        may_note: member.may(Right::Sell),
        tickets,
        has_more_tickets,
        history: entries.into_iter().map(done).collect(),
        sees_people: sees.people(),
        may_print: order.status == OrderStatus::Approved && sees.people(),
        is_called_off,
        may_decide: order.status == OrderStatus::Pending && member.may(Right::Sell),
        may_refund,
        may_refund_tickets: may_refund && works > 1,
        methods: PaymentMethod::ALL,
        order,
    };
    page::show(status, &page)
}

/// The order's page.
pub async fn get_order(
    State(app): State<App>,
    member: Member<SeeOrders>,
    Path((_, id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, &id, &query, Form::default()).await
}

/// Has an order decided as staff say. A refusal is said on the order's page.
pub(super) async fn decide<N>(
    app: &App,
    member: &Member<N>,
    id: &str,
    request: Request<Order>,
    done: &str,
    mut form: Form,
) -> Result<Response, Error> {
    match app.queue.ask(member.tenant(), request.by(member.by())).await {
        Ok(_) => Ok(go(&format!("{}?done={done}", base(member, id)))),
        Err(ChangeError::Refused(Refusal::NotFound(_))) => Err(Error::NotFound("order")),
        Err(ChangeError::Refused(refusal)) => {
            let t = member.layout.t;
            match &refusal {
                // What others hold can be taken all the same, where staff say so.
                Refusal::Held { .. } | Refusal::HoldEnded { .. } => form.wrong("past_holds", t.text("refused-held")),
                Refusal::Invalid { .. } => form.wrong("decide", t.text("order-too-large")),
                refusal => form.wrong("decide", refusal_text(t, refusal)),
            }
            show(WRONG, app, member, id, &Query::default(), form).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Approves an order: it is paid.
pub async fn post_approve(
    State(app): State<App>,
    member: Member<Sell>,
    Path((_, id)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Error> {
    let past_holds = if form.has("past_holds", "yes") { PastHolds::Yes } else { PastHolds::No };
    decide(&app, &member, &id, Request::approve_paid(&id, past_holds, till::method(&form)), "order-approved", form)
        .await
}

#[derive(Template)]
#[template(path = "order_reject.html")]
struct RejectPage {
    f: Frame,
    order: Order,
    named: NamedOrder,
    base: String,
}

/// The page that says what it means to reject an order.
pub async fn get_reject(
    State(app): State<App>,
    member: Member<Sell>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let order = find(&app, member.tenant(), &id).await?.seen_by(member.sees());
    let named = NamedOrder::of(&member, &order);
    page::show(StatusCode::OK, &RejectPage { f: member.frame("orders"), base: base(&member, &id), order, named })
}

/// Rejects an order: it will not be paid.
pub async fn post_reject(
    State(app): State<App>,
    member: Member<Sell>,
    Path((_, id)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Error> {
    decide(&app, &member, &id, Request::reject(&id), "order-rejected", form).await
}

#[derive(Template)]
#[template(path = "order_refund.html")]
struct RefundPage {
    f: Frame,
    order: Order,
    named: NamedOrder,
    base: String,
    tickets: i64,
    /// Tickets that have entered.
    entered: i64,
    /// What is to be paid back.
    owed: Option<String>,
    /// How staff may have paid it back at once: not where a processor has the money.
    methods: &'static [PaymentMethod],
}

/// The page that says what a refund means.
pub async fn get_refund(
    State(app): State<App>,
    member: Member<Refund>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let order = find(&app, member.tenant(), &id).await?.seen_by(member.sees());
    let mut conn = app.store.read().await?;
    let held = staff::of_order(&mut conn, member.tenant(), &id, ORDER_TICKETS_SHOWN).await?;
    let tickets = held.iter().filter(|held| held.counts()).count() as i64;
    let entered = staff::entered_of_order(&mut conn, member.tenant(), &id).await?;
    // What came for it may be less or more than it costs.
    let paid = payments::of_order(&mut conn, member.tenant(), &id).await?.into_iter().find(ReportedPayment::is_settled);
    let owed = pay_backs::of_order(&mut conn, member.tenant(), &id).await?;
    drop(conn);
    let methods = if paid.is_none() && order.payment_id.is_none() { PaymentMethod::ALL } else { &[] };
    let (amount, currency) = paid.map_or((order.total, order.currency.clone()), |paid| (paid.amount, paid.currency));
    let (f, base) = (member.frame("orders"), base(&member, &id));
    let before: i64 = owed.iter().map(|owing| owing.owed.amount).sum();
    let owed = (amount > before).then(|| f.money(amount - before, &currency));
    page::show(
        StatusCode::OK,
        &RefundPage { f, base, named: NamedOrder::of(&member, &order), order, tickets, entered, owed, methods },
    )
}

/// Refunds an order: its tickets stop working.
pub async fn post_refund(
    State(app): State<App>,
    member: Member<Refund>,
    Path((_, id)): Path<(String, String)>,
    form: Form,
) -> Result<Response, Error> {
    decide(&app, &member, &id, Request::refund_paid_back(&id, till::method(&form)), "order-refunded", form).await
}
