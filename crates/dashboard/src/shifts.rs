//! Shifts at the box office: one's own, and everybody's for those who see reports.

use std::collections::BTreeMap;

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use jiff::{civil::Date, tz::TimeZone};

use taquilla_domain::{
    clock::Stamp,
    config::{DASHBOARD_ROWS, TILL_PEOPLE_MAX},
    days,
    money::{Amount, Currency},
    refusal::Refusal,
    role::Right,
    status::PaymentMethod,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, page, query::Query, redirects::go};
use taquilla_rules::admin::shifts as rules;
use taquilla_store::{
    ChangeError, Conn, Tenant,
    sales::{
        shifts::{self, Cash, Shift},
        till::{self, Sum, Sums},
    },
};

use super::{
    access::{Member, SeeReports, Sell, WRONG},
    frame::Frame,
    orders::till::method_key,
};

/// What was taken and paid back in one way, on a page.
struct SumRow {
    currency: String,
    method: &'static str,
    sum: Sum,
}

fn sum_rows(sums: &Sums) -> Vec<SumRow> {
    let row = |((currency, method), sum): (&(String, Option<PaymentMethod>), &Sum)| SumRow {
        currency: currency.clone(),
        method: method.as_ref().map_or("method-unsaid", method_key),
        sum: *sum,
    };
    sums.iter().map(row).collect()
}

/// The cash of a shift in one currency, on a page.
struct CashRow {
    cash: Cash,
    /// What should be in the drawer.
    expected: i64,
    /// The name of the field with what was counted.
    field: String,
}

fn cash_rows(shift: &Shift, sums: &Sums) -> Vec<CashRow> {
    let row = |cash: Cash| {
        let expected = cash.counted.map_or_else(|| rules::expected(&cash, sums), |counted| counted.expected);
        CashRow { expected, field: field(&cash.currency), cash }
    };
    rules::in_drawer(shift, sums).into_iter().map(row).collect()
}

/// The name of the field with what was counted of a currency.
fn field(currency: &str) -> String {
    format!("counted_{currency}")
}

/// A shift in a list.
struct ShiftRow {
    path: String,
    shift: Shift,
}

/// Some shifts, and the one after which the list goes on.
struct Shifts {
    rows: Vec<ShiftRow>,
    older: Option<String>,
}

impl Shifts {
    fn new<N>(member: &Member<N>, mut found: Vec<Shift>, pages: &str) -> Self {
        let has_more = found.len() > DASHBOARD_ROWS as usize;
        found.truncate(DASHBOARD_ROWS as usize);
        let older = found.last().filter(|_| has_more).map(|last| last.id.clone());
        let path = |shift: &Shift| member.path(&format!("{pages}/{}", in_path(&shift.id)));
        let rows = found.into_iter().map(|shift| ShiftRow { path: path(&shift), shift }).collect();
        Self { rows, older }
    }
}

#[derive(Template)]
#[template(path = "shift.html")]
struct OwnPage {
    f: Frame,
    form: Form,
    currency: String,
    /// The shift that is open, and the cash in its drawer.
    open: Option<(Shift, Vec<CashRow>)>,
    /// Of the open shift, or of today where there is none.
    sums: Vec<SumRow>,
    shifts: Shifts,
}

async fn show(
    status: StatusCode,
    app: &App,
    member: &Member<Sell>,
    query: &Query,
    form: Form,
) -> Result<Response, Error> {
    let (tenant, person) = (member.tenant(), member.by().actor.as_str());
    let mut conn = app.store.read().await?;
    let open = shifts::open(&mut conn, tenant, person).await?;
    let f = member.frame("orders").done(query);
    // Who has no shift is told of their day, by the clocks of the producer.
    let zone = days::zone(f.time_zone());
    let today = days::beginning(days::day_of(app.time.now(), &zone), &zone);
    let (after, before) = match &open {
        Some(shift) => (shift.begun_at, shift.end()),
        None => (Stamp::from_micros(today.micros() - 1), Stamp::END),
    };
    let sums = till::sums(&mut conn, tenant, person, after, before).await?;
    let found = shifts::list(&mut conn, tenant, Some(person), query.get("before"), DASHBOARD_ROWS + 1).await?;
    drop(conn);
    let cash = open.as_ref().map(|shift| cash_rows(shift, &sums)).unwrap_or_default();
    let page = OwnPage {
        f,
        form,
        currency: member.producer.currency.clone(),
        open: open.map(|shift| (shift, cash)),
        sums: sum_rows(&sums),
        shifts: Shifts::new(member, found, "/shift"),
    };
    page::show(status, &page)
}

/// One's own shift: how it stands, or the form that begins one.
pub async fn get_shift(State(app): State<App>, member: Member<Sell>, query: Query) -> Result<Response, Error> {
    show(StatusCode::OK, &app, &member, &query, Form::default()).await
}

/// Begins a shift. Who has one goes on with it.
pub async fn post_begin(State(app): State<App>, member: Member<Sell>, mut form: Form) -> Result<Response, Error> {
    let t = member.layout.t;
    let read = |text: &str| Amount::parse(if text.trim().is_empty() { "0" } else { text.trim() });
    let Some(cash) = form.read("cash", read, |_| t.text("shift-wrong-amount")) else {
        return show(WRONG, &app, &member, &Query::default(), form).await;
    };
    let currency = Currency::parse(&member.producer.currency).map_err(taquilla_store::Error::internal)?;
    rules::begin(&app.store, member.tenant(), &currency, cash, member.by()).await?;
    Ok(go(&member.path("/shift?done=shift-begun")))
}

/// Ends one's own shift, with what was counted.
pub async fn post_end(State(app): State<App>, member: Member<Sell>, mut form: Form) -> Result<Response, Error> {
    let t = member.layout.t;
    let mut counted = BTreeMap::new();
    let fields: Vec<(String, String)> = form.clone().into_fields();
    for (name, value) in fields {
        let Some(currency) = name.strip_prefix("counted_") else { continue };
        match Amount::parse(value.trim()) {
            Ok(amount) => {
                counted.insert(currency.to_owned(), amount);
            }
            Err(_) => form.wrong("counted", t.text("shift-wrong-amount")),
        }
    }
    if !form.errors().is_empty() {
        return show(WRONG, &app, &member, &Query::default(), form).await;
    }
    match rules::end(&app.store, member.tenant(), &counted, member.by()).await {
        Ok(shift) => Ok(go(&member.path(&format!("/shift/{}?done=shift-ended", in_path(&shift.id))))),
        Err(ChangeError::Refused(Refusal::NotFound(_))) => Ok(go(&member.path("/shift"))),
        Err(ChangeError::Refused(Refusal::Invalid { .. })) => {
            form.wrong("counted", t.text("shift-count-each"));
            show(WRONG, &app, &member, &Query::default(), form).await
        }
        Err(error) => Err(error.into()),
    }
}

#[derive(Template)]
#[template(path = "shift_one.html")]
struct OnePage {
    f: Frame,
    shift: Shift,
    cash: Vec<CashRow>,
    sums: Vec<SumRow>,
    /// The page with the list it is in, and its name.
    list: (String, &'static str),
}

async fn show_one<N>(
    app: &App,
    member: &Member<N>,
    id: &str,
    only_of: Option<&str>,
    f: Frame,
    list: (&str, &'static str),
) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let found = shifts::find(&mut conn, member.tenant(), id).await?;
    let found = found.filter(|shift| only_of.is_none_or(|person| shift.person == person));
    let shift = found.ok_or(Error::NotFound("page"))?;
    let sums = till::sums(&mut conn, member.tenant(), &shift.person, shift.begun_at, shift.end()).await?;
    drop(conn);
    let (cash, list) = (cash_rows(&shift, &sums), (member.path(list.0), list.1));
    page::show(StatusCode::OK, &OnePage { f, cash, sums: sum_rows(&sums), shift, list })
}

/// A shift of one's own.
pub async fn get_own(
    State(app): State<App>,
    member: Member<Sell>,
    Path((_, id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let (f, person) = (member.frame("orders").done(&query), member.by().actor.as_str());
    show_one(&app, &member, &id, Some(person), f, ("/shift", "shift-own")).await
}

#[derive(Template)]
#[template(path = "shifts.html")]
struct AllPage {
    f: Frame,
    shifts: Shifts,
    /// The day of the sums, for those who see payments.
    day: Option<Date>,
    /// What everybody took and paid back on it, with and without a shift.
    by_person: Vec<(String, Vec<SumRow>)>,
}

/// What everybody took and paid back on a day, by the clocks of the producer. Whoever did neither is left out.
async fn by_person(
    conn: &mut Conn,
    tenant: Tenant,
    day: Date,
    zone: &TimeZone,
) -> Result<Vec<(String, Vec<SumRow>)>, Error> {
    let begins = days::beginning(day, zone);
    let ends = days::beginning(day.tomorrow().unwrap_or(day), zone);
    let mut found = Vec::new();
    for person in till::people(conn, tenant, TILL_PEOPLE_MAX).await? {
        let sums = till::sums(conn, tenant, &person, Stamp::from_micros(begins.micros() - 1), ends).await?;
        if !sums.is_empty() {
            found.push((person, sum_rows(&sums)));
        }
    }
    Ok(found)
}

/// Everybody's shifts, newest first, and for those who see payments what everybody took on a day.
pub async fn get_shifts(State(app): State<App>, member: Member<SeeReports>, query: Query) -> Result<Response, Error> {
    let mut conn = app.store.read().await?;
    let found = shifts::list(&mut conn, member.tenant(), None, query.get("before"), DASHBOARD_ROWS + 1).await?;
    let f = member.frame("reports");
    let zone = days::zone(f.time_zone());
    let asked = query.get("day").and_then(days::parse).unwrap_or_else(|| days::day_of(app.time.now(), &zone));
    let day = member.may(Right::SeePayments).then_some(asked);
    let by_person = match day {
        Some(day) => by_person(&mut conn, member.tenant(), day, &zone).await?,
        None => Vec::new(),
    };
    drop(conn);
    let shifts = Shifts::new(&member, found, "/reports/shifts");
    page::show(StatusCode::OK, &AllPage { f, shifts, day, by_person })
}

/// A shift of anybody.
pub async fn get_one(
    State(app): State<App>,
    member: Member<SeeReports>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let f = member.frame("reports");
    show_one(&app, &member, &id, None, f, ("/reports/shifts", "shifts")).await
}
