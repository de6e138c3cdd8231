//! The page of an order, for whoever has its reference: how it stands, what happens to the money, and the tickets.

use std::collections::{HashMap, HashSet};

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    clock::Stamp,
    config::SHOP_TICKETS,
    event::KeptEvent,
    id,
    order::Order,
    refusal::Refusal,
    status::{EventStatus, OrderStatus, TicketStatus},
};
use taquilla_http::{
    app::App,
    errors::Error,
    path_id::PathId,
    rate::{Pace, Source},
};
use taquilla_pages::{
    address::in_path,
    badges::{self, Badge},
    form::Form,
    page,
    page_headers::SHOP,
    qr::drawn,
    query::Query,
    redirects::go,
    visitor::Visitor,
};
use taquilla_rules::{
    boxoffice::Request,
    paying::{self, Leads, Way},
};
use taquilla_store::{
    ChangeError,
    catalogue::events,
    producers,
    sales::{
        attempts,
        orders::{self, Attendees},
        pay_backs,
        payments::{self, ReportedPayment},
    },
    tickets::listed::Bought,
};

use super::{carried::Carried, frame::Frame, offered, paying::Paying};
use crate::{
    checkout::asked,
    orders::{OfBuyer, find_by_reference},
};

/// How an order stands, as its buyer is told.
enum Stage {
    /// What it has is held, for so many minutes more.
    Held { until: Stamp, minutes: i64, may_extend: bool },
    /// Its time to be paid is over, and nothing was paid.
    Unpaid,
    /// It was paid.
    Paid,
    /// It cost nothing.
    Free,
    /// It was rejected.
    Rejected,
    /// It was refunded.
    Refunded,
}

/// A ticket as it is shown, with a code if it opens a door.
struct Shown {
    ticket: Bought,
    qr: Option<String>,
    badge: Badge,
}

/// What of the money goes back, and when it did.
struct GoingBack {
    amount: i64,
    at: Option<Stamp>,
}

#[derive(Template)]
#[template(path = "bought.html")]
struct OrderPage {
    f: Frame,
    /// The address of this page, below which its forms are.
    base: String,
    /// How it is paid.
    paying: Paying,
    /// Payments that came for it and paid for nothing.
    in_vain: Vec<ReportedPayment>,
    /// How many minutes that is.
    longer: u64,
    event: KeptEvent,
    order: Order,
    stage: Stage,
    tickets: Vec<Shown>,
    /// The address of the tickets after these.
    more: Option<String>,
    going_back: Vec<GoingBack>,
    /// What an order like it would be made of, if the event still sells.
    again: Option<Vec<(String, String)>>,
}

impl OrderPage {
    /// Until when it is held, and how long that is.
    fn held_until(&self, until: &Stamp, minutes: &i64) -> String {
        let until = self.f.soon(until, &self.event);
        self.f.l.t.with_two("bought-held-until", [("time", until.into()), ("count", (*minutes).into())])
    }

    /// What is to be paid, and to whom.
    fn pay(&self) -> String {
        let (total, producer) = (self.f.money(self.order.total, &self.order.currency), self.f.keeper.name.as_str());
        self.f.l.t.with_two("bought-pay-about", [("total", total.into()), ("producer", producer.into())])
    }

    /// What of the money goes back, or went back.
    fn goes_back(&self, back: &GoingBack) -> String {
        let (t, amount) = (self.f.l.t, self.f.money(back.amount, &self.order.currency));
        match back.at {
            Some(at) => {
                let time = self.f.time(&at, &self.event.timezone);
                t.with_two("bought-went-back", [("amount", amount.into()), ("time", time.into())])
            }
            None => {
                let producer = self.f.keeper.name.as_str();
                t.with_two("bought-goes-back", [("amount", amount.into()), ("producer", producer.into())])
            }
        }
    }

    /// What becomes of a payment that paid for nothing.
    fn of_payment(&self, payment: &ReportedPayment) -> String {
        let (t, amount) = (self.f.l.t, self.f.money(payment.amount, &payment.currency));
        match payment.paid_back_at {
            Some(at) => {
                let time = self.f.time(&at, &self.event.timezone);
                t.with_two("bought-went-back", [("amount", amount.into()), ("time", time.into())])
            }
            None => {
                let producer = self.f.keeper.name.as_str();
                t.with_two("bought-in-vain", [("amount", amount.into()), ("producer", producer.into())])
            }
        }
    }

    fn is_cancelled(&self) -> bool {
        self.event.status == EventStatus::Cancelled
    }
}

fn stage(order: &Order, lasts: Option<bool>, may_extend: bool, now: Stamp) -> Stage {
    match (order.status, order.held_until) {
        (OrderStatus::Pending, Some(until)) if lasts == Some(true) => {
            let left = until.micros().saturating_sub(now.micros()).max(0);
            Stage::Held { until, minutes: left / 60_000_000, may_extend }
        }
        (OrderStatus::Pending, _) => Stage::Unpaid,
        (OrderStatus::Approved, _) if order.total == 0 => Stage::Free,
        (OrderStatus::Approved, _) => Stage::Paid,
        (OrderStatus::Rejected, _) => Stage::Rejected,
        (OrderStatus::Refunded, _) => Stage::Refunded,
    }
}

/// The fields of a form that asks for the same once more, under a new key.
fn again(order: &Order, attendees: &Attendees, carried: &Carried) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for item in &order.items {
        let name = offered::field(&item.ticket_type_id);
        match fields.iter_mut().find(|(known, _)| *known == name) {
            Some((_, quantity)) => {
                *quantity = (quantity.parse().unwrap_or(0_i64).saturating_add(item.quantity)).to_string();
            }
            None => fields.push((name, item.quantity.to_string())),
        }
    }
    let mut units: HashMap<&str, usize> = HashMap::new();
    for (position, item) in order.items.iter().enumerate() {
        for at in 0..item.quantity {
            let Some(person) = attendees.get(&(position as i64, at)) else { break };
            let unit = units.entry(&item.ticket_type_id).or_default();
            fields.push((asked::field("name", *unit, &item.ticket_type_id), person.name.clone()));
            fields.push((asked::field("email", *unit, &item.ticket_type_id), person.email.clone()));
            *unit += 1;
        }
    }
    let buyer = &order.buyer;
    let phone = buyer.phone.as_deref().unwrap_or_default();
    let person = [("name", buyer.name.as_str()), ("email", &buyer.email), ("phone", phone), ("step", "details")];
    let key = ("key".to_owned(), id::new_ticket_id());
    let carried = carried.fields().iter().map(|(name, value)| (*name, value.as_str()));
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    fields.into_iter().chain(person.into_iter().chain(carried).map(owned)).chain([key]).collect()
}

/// The tickets of one page, and where the next one begins.
fn shown(tickets: Vec<Bought>, from: usize) -> (Vec<Shown>, Option<usize>) {
    let next = from.saturating_add(SHOP_TICKETS);
    let has_more = tickets.len() > next;
    let shown = |ticket: Bought| Shown {
        qr: matches!(ticket.status, TicketStatus::Valid | TicketStatus::Scanned).then(|| drawn(&ticket.id)).flatten(),
        badge: badges::of_ticket(ticket.status),
        ticket,
    };
    (tickets.into_iter().skip(from).take(SHOP_TICKETS).map(shown).collect(), has_more.then_some(next))
}

/// The page.
pub async fn get_order(
    State(app): State<App>,
    visitor: Visitor,
    reference: PathId,
    query: Query,
) -> Result<Response, Error> {
    app.limits.count(Pace::ShopVisits, &[Source::address(visitor.address)])?;
    let reference = reference.of("order")?;
    let mut found = find_by_reference(&app, &reference).await?;
    if query.get("paid").is_some() && found.order.status == OrderStatus::Pending {
        // The buyer comes back from the processor.
        paying::look_if_open(&app.cashier, found.tenant, &found.order.id).await;
        found = find_by_reference(&app, &reference).await?;
    }
    let OfBuyer { tenant, order, tickets, lasts } = found;
    let mut conn = app.store.read().await?;
    let attempts = attempts::of_order(&mut conn, tenant, &order.id).await?;
    let told = payments::of_order(&mut conn, tenant, &order.id).await?;
    let keeper = producers::shopkeeper_of(&mut conn, tenant).await?;
    let event = events::find_kept(&mut conn, tenant, &order.event_id).await?.ok_or(Error::NotFound("event"))?;
    let mut extended = HashSet::new();
    let mut attendees = HashMap::new();
    conn.ask(vec![
        orders::extended(tenant, &[&order.id], &mut extended),
        orders::attendees(tenant, &[&order.id], &mut attendees),
    ])
    .await?;
    let attendees = attendees.remove(&order.id).unwrap_or_default();
    let owed = pay_backs::of_order(&mut conn, tenant, &order.id).await?;
    drop(conn);
    let (service, carried) = (visitor.service_address(&app), Carried::in_query(&query));
    let f = Frame { now: visitor.now, l: visitor.layout, keeper, carried, service };
    let from = query.get("from").and_then(|from| from.parse().ok()).unwrap_or(0);
    let (tickets, next) = shown(tickets, from);
    let stage = stage(&order, lasts, extended.is_empty(), f.now);
    let is_lost = matches!(stage, Stage::Unpaid | Stage::Rejected);
    let page = OrderPage {
        base: format!("/shop/orders/{reference}"),
        paying: Paying::after(&attempts, &app),
        in_vain: told.into_iter().filter(ReportedPayment::was_in_vain).collect(),
        longer: app.config.holds.lasts.as_secs() / 60,
        more: next.map(|next| format!("/shop/orders/{reference}?from={next}")),
        going_back: owed.iter().map(|owed| GoingBack { amount: owed.owed.amount, at: owed.paid_back_at }).collect(),
        again: (is_lost && event.status == EventStatus::Published).then(|| again(&order, &attendees, &f.carried)),
        stage,
        tickets,
        event,
        order,
        f,
    };
    page::show_at(SHOP, StatusCode::OK, &page)
}

/// Makes the hold longer, once. The page says how it stands then, also if that was too late.
pub async fn post_extend(
    State(app): State<App>,
    visitor: Visitor,
    reference: PathId,
    form: Form,
) -> Result<Response, Error> {
    app.limits.count(Pace::ShopVisits, &[Source::address(visitor.address)])?;
    let reference = reference.of("order")?;
    let OfBuyer { tenant, order, .. } = find_by_reference(&app, &reference).await?;
    match app.queue.ask(tenant, Request::extend_hold(order.id, app.config.holds.lasts)).await {
        Ok(_) | Err(ChangeError::Refused(Refusal::HoldStays | Refusal::OrderNotPending(_))) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(go(&format!("/shop/orders/{reference}{}", Carried::in_form(&form).query(&[]))))
}

/// Leads the buyer to the processor, or back to this page, which says how things stand.
pub async fn post_pay(
    State(app): State<App>,
    visitor: Visitor,
    reference: PathId,
    form: Form,
) -> Result<Response, Error> {
    app.limits.count(Pace::ShopVisits, &[Source::address(visitor.address)])?;
    let reference = reference.of("order")?;
    let OfBuyer { tenant, order, .. } = find_by_reference(&app, &reference).await?;
    let mut conn = app.store.read().await?;
    let keeper = producers::shopkeeper_of(&mut conn, tenant).await?;
    let event = events::find_kept(&mut conn, tenant, &order.event_id).await?.ok_or(Error::NotFound("event"))?;
    drop(conn);
    let (carried, service) = (Carried::in_form(&form), visitor.service_address(&app));
    let page = format!("/shop/orders/{reference}");
    let way = Way {
        order_id: &order.id,
        number: form.value("attempt").parse().unwrap_or(0),
        title: &event.name,
        language: visitor.layout.language(),
        back: &format!("{service}{page}{}", carried.query(&[("paid", "1")])),
        notices: &format!("{service}/shop/v1/{}/payments", in_path(&keeper.id)),
    };
    match paying::begin(&app.cashier, tenant, way).await? {
        Leads::There(url) => Ok(go(&url)),
        Leads::Back => Ok(go(&format!("{page}{}", carried.query(&[("paid", "1")])))),
    }
}
