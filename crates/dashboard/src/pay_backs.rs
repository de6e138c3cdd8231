//! What is to be paid back for refunded orders, until staff say that it was.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    clock::Stamp, config::PAYMENTS_PAGE, refusal::Refusal, role::Right, status::PaymentMethod, text::Name,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, page, query::Query, redirects::go};
use taquilla_rules::admin;
use taquilla_store::{
    ChangeError, Conn,
    sales::pay_backs::{self, PayBack},
};

use super::{
    access::{ManagePayments, Member, SeePayments, WRONG},
    frame::Frame,
    orders::{
        named::{NamedOrder, named},
        till,
    },
};

/// What is to be paid back, on a page.
struct OwedRow {
    owing: PayBack,
    order: NamedOrder,
    /// The page that marks it.
    mark: String,
}

/// What is to be paid back, as the member sees it.
async fn rows<N>(conn: &mut Conn, member: &Member<N>, found: Vec<PayBack>) -> Result<Vec<OwedRow>, Error> {
    let ids: Vec<&str> = found.iter().map(|owing| owing.owed.order_id.as_str()).collect();
    let orders = named(conn, member, &ids).await?;
    let row = |owing: PayBack| {
        let order = orders.get(&owing.owed.order_id)?.clone();
        let (id, at) = (in_path(&order.id), owing.owed_at.micros());
        let mark = member.path(&format!("/payments/owed/paid-back?order={id}&at={at}"));
        Some(OwedRow { mark, owing, order })
    };
    Ok(found.into_iter().filter_map(row).collect())
}

#[derive(Template)]
#[template(path = "payments_owed.html")]
struct OwedPage {
    f: Frame,
    rows: Vec<OwedRow>,
    more: Option<String>,
}

/// The list, oldest first.
pub async fn get_owed(State(app): State<App>, member: Member<SeePayments>, query: Query) -> Result<Response, Error> {
    // The last one of the page before: when it was refunded, and the order.
    let after = query.get("after").and_then(|after| after.split_once('-'));
    let after = after.and_then(|(micros, id)| Some((Stamp::from_micros(micros.parse().ok()?), id)));
    let after = after.unwrap_or((Stamp::from_micros(0), ""));
    let mut conn = app.store.read().await?;
    let mut found = pay_backs::page(&mut conn, member.tenant(), after, PAYMENTS_PAGE + 1).await?;
    let has_more = found.len() > PAYMENTS_PAGE;
    found.truncate(PAYMENTS_PAGE);
    let last = found.last().filter(|_| has_more);
    let more = last.map(|last| format!("{}-{}", last.owed_at.micros(), in_path(&last.owed.order_id)));
    let rows = rows(&mut conn, &member, found).await?;
    page::show(StatusCode::OK, &OwedPage { f: member.frame("payments").done(&query), rows, more })
}

/// Since when something is owed, as forms name it.
fn moment(text: &str) -> Option<Stamp> {
    text.parse().ok().map(Stamp::from_micros)
}

#[derive(Template)]
#[template(path = "payments_owed_paid_back.html")]
struct PaidBackPage {
    f: Frame,
    row: OwedRow,
    form: Form,
    methods: &'static [PaymentMethod],
}

async fn show(
    status: StatusCode,
    app: &App,
    member: &Member<ManagePayments>,
    (order_id, at): (&str, Option<Stamp>),
    form: Form,
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let found = pay_backs::of_order(&mut conn, member.tenant(), order_id).await?;
    let is_meant = |owing: &PayBack| owing.paid_back_at.is_none() && at.is_none_or(|at| owing.owed_at == at);
    let open = found.into_iter().find(is_meant).into_iter().collect();
    let row = rows(&mut conn, member, open).await?.pop().ok_or(Error::NotFound("page"))?;
    page::show(status, &PaidBackPage { f: member.frame("payments"), row, form, methods: PaymentMethod::ALL })
}

/// The form that asks how it was paid back.
pub async fn get_paid_back(
    State(app): State<App>,
    member: Member<ManagePayments>,
    query: Query,
) -> Result<Response, Error> {
    let meant = (query.get("order").unwrap_or_default(), query.get("at").and_then(moment));
    show(StatusCode::OK, &app, &member, meant, Form::default()).await
}

/// Writes down that it was paid back.
pub async fn post_paid_back(
    State(app): State<App>,
    member: Member<ManagePayments>,
    mut form: Form,
) -> Result<Response, Error> {
    let (id, at) = (form.value("order").to_owned(), moment(form.value("at")));
    let t = member.layout.t;
    let Some(note) = form.read("note", Name::parse, |_| t.text("wrong-note")) else {
        return show(WRONG, &app, &member, (&id, at), form).await;
    };
    let (tenant, method) = (member.tenant(), till::method(&form));
    match admin::payments::mark_order_paid_back(&app.store, tenant, &id, at, &note, method, member.by()).await {
        Ok(_) => Ok(go(&member.path("/payments/owed?done=owed-paid-back"))),
        Err(ChangeError::Refused(Refusal::NotFound(_))) => Err(Error::NotFound("page")),
        Err(error) => Err(error.into()),
    }
}
