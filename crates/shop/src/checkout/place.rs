//! Placing the order of a form.

use std::net::IpAddr;

use taquilla_domain::{event::KeptEvent, person::Person, refusal::Refusal, stock::Channel};
use taquilla_http::{app::App, client_address::ClientAddress, errors::Error};
use taquilla_pages::{form::Form, refusals::refusal_text};
use taquilla_rules::boxoffice::{ItemRequest, OrderRequest, Placed, Request};
use taquilla_store::sales::promoters;

use super::{
    asked::{TERMS, attendees},
    choice::{self, anchor},
    form_key::key_of,
};
use crate::{
    coupon_tries,
    pages::{frame::Frame, offered::Offered},
    requests::stranger,
};

/// What became of it.
pub enum Outcome {
    /// It is placed, now or by the same form before. This is its reference.
    Placed(String),
    /// The event sells nothing, or is not there any more.
    EventNotOnSale,
    /// Something is in the way.
    Refused(Refusal),
}

/// Places the order. A form that comes back with other contents, because somebody went back to it and changed it, is another
/// order: its key is made of the form's and of what it asks for, so that it, too, is placed once.
pub async fn place(
    app: &App,
    f: &Frame,
    event_id: &str,
    buyer: Person,
    form: &Form,
    address: IpAddr,
) -> Result<Outcome, Error> {
    let items = choice::asked(form).into_iter().map(|(id, quantity)| ItemRequest {
        ticket_type_id: id.to_owned(),
        quantity,
        unit_price: None,
        attendees: attendees(form, id, quantity, &buyer),
        access_code: f.carried.access_code().map(str::to_owned),
    });
    let items = items.collect();
    let request = OrderRequest::new(event_id.to_owned(), buyer, items, Channel::Public);
    let request = OrderRequest {
        hold: app.config.holds.lasts,
        coupon: f.carried.coupon().map(str::to_owned),
        terms: Some(form.value(TERMS).to_owned()).filter(|terms| !terms.is_empty()),
        promoter: f.carried.promoter().map(promoters::named),
        stranger: Some(stranger(address, &app.config)),
        language: Some(f.l.language()),
        ..request
    };
    let has_coupon = request.coupon.is_some();
    // Nobody who calls the JSON shop can meet this key: it is told to this form alone.
    let key = key_of(form);
    let first = request.under_key(format!("page-{key}"));
    let other = request.under_key(format!("page-{key}-{}", first.request_hash));
    let ask = async |request, idempotency| -> Result<Placed, Error> {
        Ok(app.queue.ask(f.keeper.tenant, Request::place(request, Some(idempotency))?).await?)
    };
    let placed = coupon_tries::asked(app, ClientAddress(address), has_coupon, async {
        match ask(request.clone(), first).await {
            Err(Error::Refused(Refusal::IdempotencyMismatch)) => ask(request, other).await,
            placed => placed,
        }
    });
    match placed.await {
        Ok(placed) => Ok(Outcome::Placed(placed.reference().to_owned())),
        Err(Error::Refused(Refusal::EventNotOnSale | Refusal::NotFound("event"))) => Ok(Outcome::EventNotOnSale),
        Err(Error::Refused(refusal)) => Ok(Outcome::Refused(refusal)),
        Err(error) => Err(error),
    }
}

/// Says why nothing was bought, beside what it is about.
pub fn say(form: &mut Form, refusal: &Refusal, items: &[Offered], event: &KeptEvent, f: &Frame) {
    let t = f.l.t;
    let beside =
        |id: &str| items.iter().position(|offered| offered.item.id == id).map_or_else(|| "items".to_owned(), anchor);
    match refusal {
        Refusal::SoldOut(item) => form.wrong(beside(item), t.text("shop-now-sold-out")),
        Refusal::Held { item, until, .. } => {
            form.wrong(beside(item), t.with("shop-held-about", "time", f.soon(until, event)));
        }
        Refusal::TooMany { item, max_per_order } => {
            form.wrong(beside(item), t.with("shop-too-many", "count", *max_per_order));
        }
        Refusal::TooFew { item, min_per_order } => {
            form.wrong(beside(item), t.with("shop-too-few", "count", *min_per_order));
        }
        Refusal::NotYetOnSale { item, from } => {
            form.wrong(beside(item), t.with("shop-not-yet-about", "time", f.time(from, &event.timezone)));
        }
        Refusal::Coupon => form.wrong("coupon", t.text("shop-coupon-refused")),
        Refusal::TooManyUnpaid { until, .. } => {
            form.wrong("email", t.with("shop-too-many-unpaid", "time", f.soon(until, event)));
        }
        Refusal::Invalid { field, .. } if field.ends_with("ticket_type_id") => form.wrong("items", t.text("shop-gone")),
        Refusal::Invalid { .. } => form.wrong("items", t.text("shop-wrong-order")),
        refusal => form.wrong("items", refusal_text(t, refusal)),
    }
}
