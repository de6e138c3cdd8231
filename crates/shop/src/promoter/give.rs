//! Giving tickets away: the form of a promoter's page.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};
use serde::Deserialize;

use taquilla_domain::{
    config::ID_MAX,
    id,
    person::{Buyer, Person},
    promoter::NamedPromoter,
    refusal::Refusal,
    stock::Channel,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{
    form::Form,
    page::{self, Layout},
    page_headers::SHOP,
    refusals::refusal_text,
    texts::Texts,
};
use taquilla_rules::boxoffice::{ItemRequest, OrderRequest, Placed, Request};
use taquilla_store::{self as store, ChangeError};

use super::{opened::Opened, page::show};

/// The status of a form with something wrong in it.
const WRONG: StatusCode = StatusCode::UNPROCESSABLE_ENTITY;

/// Reads the form. What is wrong is said in it.
fn read(form: &mut Form, opened: &Opened) -> Option<OrderRequest> {
    let t = opened.visitor.layout.t;
    let guest = Person {
        name: form.value("name").trim().to_owned(),
        email: form.value("email").to_owned(),
        ..Person::default()
    };
    let buyer = match Buyer::parse(guest) {
        Ok(buyer) => Some(buyer),
        Err(Refusal::Invalid { field, .. }) if field == "buyer.email" => {
            form.wrong("email", t.text("wrong-email"));
            None
        }
        Err(_) => {
            form.wrong("name", t.text("promoter-wrong-guest"));
            None
        }
    };
    let ticket_type_id = form.value("item").to_owned();
    if !id::is_plausible(&ticket_type_id) {
        form.wrong("item", t.text("promoter-wrong-item"));
    }
    let quantity = form.read(
        "quantity",
        |text| text.trim().parse::<i64>().ok().filter(|quantity| *quantity > 0).ok_or(()),
        |()| t.text("promoter-wrong-quantity"),
    );
    let key = form.value("key");
    if key.is_empty() || key.len() > ID_MAX / 2 {
        form.wrong("quantity", t.text("refused-idempotency_mismatch"));
    }
    form.errors().is_empty().then_some(())?;
    let item =
        ItemRequest { ticket_type_id, quantity: quantity?, unit_price: None, attendees: Vec::new(), access_code: None };
    let event_id = opened.event.id.clone();
    let promoter = Some(NamedPromoter::Token(opened.hash.clone()));
    Some(OrderRequest { promoter, ..OrderRequest::new(event_id, buyer?.into(), vec![item], Channel::Promoter) })
}

/// Says why nothing was given away, beside what it is about.
fn say(form: &mut Form, refusal: &Refusal, t: Texts) {
    match refusal {
        Refusal::ContingentUsedUp(left) => form.wrong("quantity", t.with("promoter-left-only", "count", *left)),
        Refusal::TooMany { max_per_order, .. } => {
            form.wrong("quantity", t.with("promoter-too-many", "most", *max_per_order));
        }
        Refusal::Invalid { .. } => form.wrong("item", t.text("promoter-wrong-item")),
        Refusal::Held { .. } => form.wrong("item", t.text("promoter-held")),
        refusal => form.wrong("item", refusal_text(t, refusal)),
    }
    if *refusal == Refusal::IdempotencyMismatch {
        form.set("key", id::new_ticket_id());
    }
}

#[derive(Template)]
#[template(path = "promoter_given.html")]
struct GivenPage {
    l: Layout,
    promoter: String,
    event: String,
    producer: String,
    guest: String,
    path: String,
    /// The page of the order, with its tickets.
    url: String,
}

/// What the box office answered.
#[derive(Deserialize)]
struct Given {
    reference: String,
}

/// Gives tickets away. The same form sent twice gives them once.
pub async fn post_tickets(State(app): State<App>, opened: Opened, mut form: Form) -> Result<Response, Error> {
    let Some(request) = read(&mut form, &opened) else { return show(WRONG, &app, opened, form).await };
    // No buyer of the shop can meet this key: it is told to this promoter alone.
    let idempotency = request.under_key(format!("{}-{}", opened.selling.promoter.id, form.value("key")));
    let answer = match app.queue.ask(opened.tenant, Request::place(request, Some(idempotency))?).await {
        Ok(placed) => Placed::answer(placed),
        Err(ChangeError::Refused(Refusal::PromoterRefused)) => return Err(Error::NotFound("page")),
        Err(ChangeError::Refused(refusal)) => {
            say(&mut form, &refusal, opened.visitor.layout.t);
            return show(WRONG, &app, opened, form).await;
        }
        Err(error) => return Err(error.into()),
    };
    let Given { reference } = serde_json::from_str(&answer).map_err(store::Error::internal)?;
    let page = GivenPage {
        url: format!("{}/shop/orders/{reference}", opened.visitor.service_address(&app)),
        guest: form.value("name").trim().to_owned(),
        promoter: opened.selling.promoter.name,
        event: opened.event.name,
        producer: opened.producer,
        path: opened.path,
        l: opened.visitor.layout,
    };
    page::show_at(SHOP, StatusCode::OK, &page)
}
