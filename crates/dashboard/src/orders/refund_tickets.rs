//! Refunding single tickets of an order.

use std::collections::BTreeMap;

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    config::ORDER_TICKETS_SHOWN,
    order::{Order, share},
    status::{OrderStatus, TicketStatus},
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page};
use taquilla_rules::boxoffice::Request;
use taquilla_store::{
    sales::{
        pay_backs,
        payments::{self, ReportedPayment},
    },
    tickets::staff::{self, Held},
};

use super::{
    named::NamedOrder,
    one::{base, decide, find},
};
use crate::{
    access::{Member, Refund, WRONG},
    frame::Frame,
    list_place,
    tickets::one::id_for_rules,
};

/// What was sold as one: a ticket, or the tickets of a bundle.
struct Unit {
    /// Names its first ticket in the form.
    handle: String,
    name: String,
    attendee: String,
    tickets: i64,
    has_entered: bool,
    /// What would be owed for it.
    owed: i64,
}

#[derive(Template)]
#[template(path = "refund_tickets.html")]
struct RefundTicketsPage {
    f: Frame,
    form: Form,
    base: String,
    named: NamedOrder,
    units: Vec<Unit>,
    currency: String,
    /// What is owed if all are chosen, which refunds the order.
    rest: i64,
}

/// The units of an order that can be refunded. One whose item is not known has no price, and is not offered.
fn units(order: &Order, held: &[Held], member: &Member<Refund>, owed: impl Fn(i64) -> i64) -> Vec<Unit> {
    let mut bundles: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut units: Vec<Unit> = Vec::new();
    for ticket in held {
        let state = ticket.state.clone().seen_by(member.sees());
        let item = state.order_item.and_then(|position| order.items.get(usize::try_from(position).ok()?));
        let is_of_unknown = state.from_bundle && state.bundle_id.is_none();
        let works = matches!(state.status, TicketStatus::Valid | TicketStatus::Scanned);
        let Some(item) = item.filter(|_| works && !is_of_unknown) else { continue };
        let has_entered = state.status == TicketStatus::Scanned;
        let unit = state.bundle_id.zip(state.bundle_unit);
        if let Some(at) = unit.as_ref().and_then(|unit| bundles.get(unit)) {
            units[*at].tickets += 1;
            units[*at].has_entered |= has_entered;
            continue;
        }
        bundles.extend(unit.map(|unit| (unit, units.len())));
        units.push(Unit {
            handle: list_place::written(ticket.place()),
            name: item.name.clone(),
            attendee: state.attendee.name,
            tickets: 1,
            has_entered,
            owed: owed(item.unit_price),
        });
    }
    units
}

async fn show(status: StatusCode, app: &App, member: &Member<Refund>, id: &str, form: Form) -> Result<Response, Error> {
    let tenant = member.tenant();
    let order = find(app, tenant, id).await?.seen_by(member.sees());
    let mut conn = app.store.read().await?;
    let held = staff::of_order(&mut conn, tenant, id, ORDER_TICKETS_SHOWN).await?;
    let paid = payments::of_order(&mut conn, tenant, id).await?.into_iter().find(ReportedPayment::is_settled);
    let before: i64 = pay_backs::of_order(&mut conn, tenant, id).await?.iter().map(|owing| owing.owed.amount).sum();
    drop(conn);
    let (paid, currency) = paid.map_or((order.total, order.currency.clone()), |paid| (paid.amount, paid.currency));
    let rest = (paid - before).max(0);
    let units = match order.status {
        OrderStatus::Approved => units(&order, &held, member, |price| share(paid, order.total, price).min(rest)),
        _ => Vec::new(),
    };
    let (f, base, named) = (member.frame("orders"), base(member, id), NamedOrder::of(member, &order));
    page::show(status, &RefundTicketsPage { f, form, base, named, units, currency, rest })
}

/// The page that asks which tickets.
pub async fn get_refund_tickets(
    State(app): State<App>,
    member: Member<Refund>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, &id, Form::default()).await
}

/// Refunds the chosen tickets.
pub async fn post_refund_tickets(
    State(app): State<App>,
    member: Member<Refund>,
    Path((_, id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let mut tickets = Vec::new();
    let mut conn = app.store.read().await?;
    let places: Vec<_> =
        form.values("ticket").take(ORDER_TICKETS_SHOWN as usize).filter_map(list_place::place).collect();
    for place in places {
        let held = staff::at(&mut conn, member.tenant(), place).await?;
        tickets.extend(held.map(|held| id_for_rules(&held).to_owned()));
    }
    drop(conn);
    if tickets.is_empty() {
        form.wrong("ticket", member.layout.t.text("refund-tickets-none"));
        return show(WRONG, &app, &member, &id, form).await;
    }
    decide(&app, &member, &id, Request::refund_tickets(&id, tickets), "tickets-refunded", form).await
}
