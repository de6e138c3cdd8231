//! One payment that came and pays for nothing, and what staff do with it: settle the order that it was meant for, settle
//! another one, or mark it as paid back.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{order::Order, refusal::Refusal, role::Right, text::Name};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, query::Query, redirects::go, refusals::refusal_text};
use taquilla_rules::{
    admin::{self, search},
    boxoffice::{PastHolds, Request},
};
use taquilla_store::{
    ChangeError,
    sales::{
        orders,
        payment_lists::Fits,
        payments::{self, ReportedPayment},
    },
};

use super::{
    access::{ManagePayments, Member, WRONG},
    frame::Frame,
    open_payments::{OpenPayment, rows},
    orders::named::NamedOrder,
};

/// An order that the payment was meant for and can settle.
struct Offer {
    order: NamedOrder,
    /// What it costs.
    total: String,
    /// What the payment is.
    paid: String,
    /// Whether it is approved by this, and not approved already.
    waits: bool,
}

impl Offer {
    fn new<N>(member: &Member<N>, order: &Order, kept: &ReportedPayment, f: &Frame) -> Self {
        Self {
            order: NamedOrder::of(member, order),
            total: f.money(order.total, &order.currency),
            paid: f.money(kept.amount, &kept.currency),
            waits: Fits::of(order) == Fits::Waits,
        }
    }
}

#[derive(Template)]
#[template(path = "payment_one.html")]
struct PaymentPage {
    f: Frame,
    payments: Vec<OpenPayment>,
    payment_id: String,
    offers: Vec<Offer>,
    may_sell: bool,
    form: Form,
}

impl PaymentPage {
    /// Whether the form of this order is asked whether it takes what others hold; of no order that is offered, the form
    /// for another one.
    fn asks_past_holds(&self, order_id: &str) -> bool {
        let refused = self.form.value("order");
        let is_offered = self.offers.iter().any(|offer| offer.order.id == refused);
        self.form.error("past_holds").is_some() && if is_offered { refused == order_id } else { order_id.is_empty() }
    }
}

/// The page of one payment. What does not wait for anybody is not there.
async fn show(
    status: StatusCode,
    app: &App,
    member: &Member<ManagePayments>,
    id: &str,
    form: Form,
) -> Result<Response, Error> {
    let (tenant, sees) = (member.tenant(), member.sees());
    let mut conn = app.store.read().await?;
    let told: Vec<ReportedPayment> =
        payments::told_of(&mut conn, tenant, id).await?.into_iter().filter(ReportedPayment::is_open).collect();
    if told.is_empty() {
        return Err(Error::NotFound("page"));
    }
    let f = member.frame("payments");
    let mut offers: Vec<Offer> = Vec::new();
    for kept in &told {
        let Some(order_id) = &kept.order_id else { continue };
        let Some(order) = orders::find(&mut conn, tenant, order_id).await? else { continue };
        let order = order.seen_by(sees);
        if Fits::of(&order) != Fits::Nothing && offers.iter().all(|offer| offer.order.id != order.id) {
            offers.push(Offer::new(member, &order, kept, &f));
        }
    }
    let payments = rows(&mut conn, member, told).await?;
    drop(conn);
    let page = PaymentPage { payments, payment_id: id.to_owned(), offers, may_sell: member.may(Right::Sell), form, f };
    page::show(status, &page)
}

/// The payment, and what can be done with it.
pub async fn get_payment(
    State(app): State<App>,
    member: Member<ManagePayments>,
    query: Query,
) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, query.get("payment").unwrap_or_default(), Form::default()).await
}

/// Settles an order with the payment.
pub async fn post_settle(
    State(app): State<App>,
    member: Member<ManagePayments>,
    mut form: Form,
) -> Result<Response, Error> {
    let (payment, order) = (form.value("payment").to_owned(), form.value("order").trim().to_owned());
    let t = member.layout.t;
    // Tickets are issued by this, so it takes the right to sell, too.
    if !member.may(Right::Sell) {
        form.wrong("order", t.text("settle-needs-sell"));
        return show(WRONG, &app, &member, &payment, form).await;
    }
    // People write the number of an order; the form keeps what they wrote.
    let found = search::order_with_number(&mut app.store.read().await?, member.tenant(), &order).await?;
    let order = found.map_or(order, |found| found.seen_by(member.sees()).id);
    let past_holds = if form.has("past_holds", "yes") { PastHolds::Yes } else { PastHolds::No };
    let request = Request::settle_with(order, payment.as_str(), past_holds).by(member.by());
    match app.queue.ask(member.tenant(), request).await {
        Ok(_) => return Ok(go(&member.path("/payments/open?done=payment-used"))),
        Err(ChangeError::Refused(Refusal::NotFound("payment"))) => return Err(Error::NotFound("page")),
        // Somebody was quicker: it has paid for an order, or was paid back, meanwhile.
        Err(ChangeError::Refused(Refusal::PaymentSettled(_) | Refusal::PaymentPaidBack)) => {
            return Ok(go(&member.path("/payments/open?done=payment-settled")));
        }
        Err(ChangeError::Refused(Refusal::NotFound(_))) => form.wrong("order", t.text("settle-no-order")),
        Err(ChangeError::Refused(Refusal::Held { .. } | Refusal::HoldEnded { .. })) => {
            form.wrong("past_holds", t.text("refused-held"));
        }
        Err(ChangeError::Refused(Refusal::Invalid { .. })) => form.wrong("order", t.text("order-too-large")),
        Err(ChangeError::Refused(refusal)) => form.wrong("order", refusal_text(t, &refusal)),
        Err(error) => return Err(error.into()),
    }
    show(WRONG, &app, &member, &payment, form).await
}

/// Marks the payment as paid back.
pub async fn post_paid_back(
    State(app): State<App>,
    member: Member<ManagePayments>,
    mut form: Form,
) -> Result<Response, Error> {
    let id = form.value("payment").to_owned();
    let t = member.layout.t;
    let Some(note) = form.read("note", Name::parse, |_| t.text("wrong-note")) else {
        return show(WRONG, &app, &member, &id, form).await;
    };
    match admin::payments::mark_paid_back(&app.store, member.tenant(), &id, &note, member.by()).await {
        Ok(_) => Ok(go(&member.path("/payments/open?done=paid-back"))),
        Err(ChangeError::Refused(Refusal::NotFound(_))) => Err(Error::NotFound("page")),
        // Somebody was quicker: the order was approved with it meanwhile.
        Err(ChangeError::Refused(Refusal::PaymentSettled(_))) => {
            Ok(go(&member.path("/payments/open?done=payment-settled")))
        }
        Err(error) => Err(error.into()),
    }
}
