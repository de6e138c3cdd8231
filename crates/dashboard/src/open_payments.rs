//! Payments that came and pay for nothing: which they are, and marking one as paid back.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{clock::Stamp, config::PAYMENTS_PAGE, refusal::Refusal, role::Right, text::Name};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page};
use taquilla_rules::admin;
use taquilla_store::{
    ChangeError,
    sales::payments::{self, Kept},
};

use super::{
    access::{ManagePayments, Member, SeePayments, WRONG},
    frame::{Frame, Query, go, in_path},
    masked::MASK,
};

/// A payment on the page.
pub struct PaymentRow {
    kept: Kept,
    /// Why it pays for nothing.
    why: String,
    /// The order's page, if an order has its reference and the member may see orders.
    order: Option<String>,
    /// What it names, if no order has it. Whoever has an order's reference can read its tickets, so that of an order is not
    /// shown at all, and whoever may not see personal data does not see what else it may be.
    reference: String,
    /// The page that marks it.
    mark: String,
}

impl PaymentRow {
    fn new<N>(kept: Kept, member: &Member<N>) -> Self {
        let key = format!("unsettled-{}", kept.result.replace('_', "-"));
        let t = member.layout.t;
        let why = if t.has(&key) { t.text(&key) } else { kept.result.clone() };
        let order_path = |id: &String| member.path(&format!("/orders/{}", in_path(id)));
        let order = kept.order_id.as_ref().filter(|_| member.may(Right::SeeOrders)).map(order_path);
        let reference = match (&kept.order_id, member.may(Right::SeePersonalData)) {
            (Some(_), _) => String::new(),
            (None, true) => kept.reference.clone(),
            (None, false) => MASK.to_owned(),
        };
        let mark = member.path(&format!("/payments/paid-back?payment={}", in_path(&kept.id)));
        Self { kept, why, order, reference, mark }
    }
}

#[derive(Template)]
#[template(path = "payments_open.html")]
struct OpenPage {
    f: Frame,
    payments: Vec<PaymentRow>,
    more: Option<String>,
}

/// The list, oldest first.
pub async fn get_open(State(app): State<App>, member: Member<SeePayments>, query: Query) -> Result<Response, Error> {
    // The last payment of the page before: when it was received, and its id.
    let after = query.get("after").and_then(|after| after.split_once('-'));
    let after = after.and_then(|(micros, id)| Some((Stamp::from_micros(micros.parse().ok()?), id)));
    let after = after.unwrap_or((Stamp::from_micros(0), ""));
    let mut conn = app.store.read().await?;
    let mut found = payments::open_page(&mut conn, member.tenant(), after, PAYMENTS_PAGE + 1).await?;
    let has_more = found.len() > PAYMENTS_PAGE;
    found.truncate(PAYMENTS_PAGE);
    let last = found.last().filter(|_| has_more);
    let more = last.map(|last| format!("{}-{}", last.received_at.micros(), in_path(&last.id)));
    let payments = found.into_iter().map(|kept| PaymentRow::new(kept, &member)).collect();
    page::show(StatusCode::OK, &OpenPage { f: member.frame("payments").done(&query), payments, more })
}

#[derive(Template)]
#[template(path = "payment_paid_back.html")]
struct PaidBackPage {
    f: Frame,
    payments: Vec<PaymentRow>,
    form: Form,
}

/// The page of one payment. What does not wait for anybody is not there.
async fn show(
    status: StatusCode,
    app: &App,
    member: &Member<ManagePayments>,
    id: &str,
    form: Form,
) -> Result<Response, Error> {
    let told = payments::told_of(&mut app.store.read().await?, member.tenant(), id).await?;
    let payments: Vec<PaymentRow> =
        told.into_iter().filter(Kept::is_open).map(|kept| PaymentRow::new(kept, member)).collect();
    if payments.is_empty() {
        return Err(Error::NotFound("page"));
    }
    page::show(status, &PaidBackPage { f: member.frame("payments"), payments, form })
}

/// The form that asks what was done with the money.
pub async fn get_paid_back(
    State(app): State<App>,
    member: Member<ManagePayments>,
    query: Query,
) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, query.get("payment").unwrap_or_default(), Form::default()).await
}

/// Marks a payment as paid back.
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
