//! Which step a form asks for.

use axum::{
    extract::{Path, State},
    response::Response,
};

use taquilla_domain::refusal::Refusal;
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, redirects::go};

use super::{
    asked::Asked,
    bill, buyer, choice, details,
    place::{self, Outcome},
    review,
};
use crate::pages::{
    carried::Carried,
    guest::Guest,
    offer::{self, Offer},
    offered,
};

/// Goes on with what a form says: shows the details again to be changed, shows all of it once more, or places the order. What
/// is wrong is shown with the details, where it can be mended.
pub async fn post_order(
    State(app): State<App>,
    guest: Guest,
    Path((_, event_id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let address = guest.visitor.address;
    let f = guest.frame(&app, Carried::in_form(&form)).at_event(&event_id);
    let offer = offer::find(&app, f.keeper.tenant, &event_id, f.carried.access_code()).await?;
    let items = offered::all(&offer, f.now);
    let Offer { event, .. } = offer;
    let asked = Asked::of(&app, &f, &event).await?;
    let buyer = if form.has("step", "details") { None } else { Some(buyer::read(&mut form, f.l.t)) };
    match buyer {
        // What is left is decided where it is sold. A form that is sent twice has taken some of it the first time.
        Some(buyer) if form.has("step", "place") && form.errors().is_empty() => {
            match place::place(&app, &f, &event.id, buyer, &form, address).await? {
                Outcome::Placed(reference) => return Ok(go(&format!("/shop/orders/{reference}{}", f.query()))),
                Outcome::EventNotOnSale => return Ok(go(&f.l.here)),
                Outcome::Refused(refusal) => {
                    // What it asks may have changed since this buyer was asked.
                    let lines = choice::lines(&form, &items);
                    asked.check(&mut form, &lines, &f);
                    if form.errors().is_empty() {
                        place::say(&mut form, &refusal, &items, &event, &f);
                    }
                }
            }
        }
        Some(buyer) => {
            let lines = choice::read(&mut form, &items, &event, &f);
            asked.check(&mut form, &lines, &f);
            if form.errors().is_empty() {
                let bill = match bill::changes(&app, address, &f, &event.id).await {
                    Ok(changes) if changes.is_for_nothing(&lines) => Err(Refusal::Coupon),
                    Ok(changes) => {
                        changes.bill(&lines).ok_or_else(|| Refusal::invalid("items", "it costs more than an order can"))
                    }
                    Err(Error::Refused(refusal)) => Err(refusal),
                    Err(error) => return Err(error),
                };
                match bill {
                    Ok(bill) => {
                        return review::show(&f, &event, &form, &lines, &buyer, &asked, bill, app.config.holds.lasts);
                    }
                    Err(refusal) => place::say(&mut form, &refusal, &items, &event, &f),
                }
            }
        }
        None => {
            choice::read(&mut form, &items, &event, &f);
        }
    }
    details::show(&f, &event, &form, &choice::lines(&form, &items), &asked)
}
