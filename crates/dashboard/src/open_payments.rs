//! Payments that came and pay for nothing.

use std::collections::HashMap;

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{clock::Stamp, config::PAYMENTS_PAGE, role::Right};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, page, query::Query, texts::Texts};
use taquilla_store::{
    Conn,
    sales::{payment_lists, payments::ReportedPayment},
};

use super::{
    access::{Member, SeePayments},
    frame::Frame,
    orders::named::{NamedOrder, named},
};

/// A payment on the page.
pub struct OpenPayment {
    /// What was told of it.
    pub kept: ReportedPayment,
    /// Why it pays for nothing.
    pub why: String,
    /// The order with its reference, if there is one.
    pub order: Option<NamedOrder>,
    /// What it names, if no order has it, as the member sees it. That of an order is not shown at all.
    pub reference: String,
    /// The page where staff deal with it.
    page: String,
}

impl OpenPayment {
    /// A payment as this member sees it.
    fn new<N>(kept: ReportedPayment, member: &Member<N>, orders: &HashMap<String, NamedOrder>) -> Self {
        let why = why(member.layout.t, &kept.result);
        let order = kept.order_id.as_ref().and_then(|id| orders.get(id)).cloned();
        let reference = match kept.order_id {
            Some(_) => String::new(),
            None => kept.reference.clone().seen_by(member.sees()),
        };
        let page = page_of(member, &kept.id);
        Self { kept, why, order, reference, page }
    }
}

/// Why a payment pays for nothing, in words.
pub fn why(t: Texts, result: &str) -> String {
    let key = format!("unsettled-{}", result.replace('_', "-"));
    if t.has(&key) { t.text(&key) } else { result.to_owned() }
}

/// Payments as this member sees them.
pub async fn rows<N>(
    conn: &mut Conn,
    member: &Member<N>,
    found: Vec<ReportedPayment>,
) -> Result<Vec<OpenPayment>, Error> {
    let ids: Vec<&str> = found.iter().filter_map(|kept| kept.order_id.as_deref()).collect();
    let orders = named(conn, member, &ids).await?;
    Ok(found.into_iter().map(|kept| OpenPayment::new(kept, member, &orders)).collect())
}

/// The page where staff deal with a payment.
pub fn page_of<N>(member: &Member<N>, payment_id: &str) -> String {
    member.path(&format!("/payments/one?payment={}", in_path(payment_id)))
}

#[derive(Template)]
#[template(path = "payments_open.html")]
struct OpenPage {
    f: Frame,
    payments: Vec<OpenPayment>,
    more: Option<String>,
}

/// The list, oldest first.
pub async fn get_open(State(app): State<App>, member: Member<SeePayments>, query: Query) -> Result<Response, Error> {
    // The last payment of the page before: when it was received, and its id.
    let after = query.get("after").and_then(|after| after.split_once('-'));
    let after = after.and_then(|(micros, id)| Some((Stamp::from_micros(micros.parse().ok()?), id)));
    let after = after.unwrap_or((Stamp::from_micros(0), ""));
    let mut conn = app.store.read().await?;
    let mut found = payment_lists::open_page(&mut conn, member.tenant(), after, PAYMENTS_PAGE + 1).await?;
    let has_more = found.len() > PAYMENTS_PAGE;
    found.truncate(PAYMENTS_PAGE);
    let last = found.last().filter(|_| has_more);
    let more = last.map(|last| format!("{}-{}", last.received_at.micros(), in_path(&last.id)));
    let payments = rows(&mut conn, &member, found).await?;
    page::show(StatusCode::OK, &OpenPage { f: member.frame("payments").done(&query), payments, more })
}
