//! Which step a form asks for.

use std::net::IpAddr;

use axum::{
    extract::{Path, State},
    response::Response,
};

use taquilla_domain::{event::KeptEvent, refusal::Refusal};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{cookies::with_cookie, form::Form, redirects::go};

use super::{
    asked::Asked,
    bill, buyer, choice, details,
    place::{self, Outcome},
    review,
};
use crate::{
    line::{
        entry,
        gate::{self, Way},
        waiting,
    },
    pages::{
        carried::Carried,
        frame::Frame,
        guest::Guest,
        offer::{self, Offer},
        offered::{self, Offered},
    },
};

/// Goes on with what a form says: shows the details again to be changed, shows all of it once more, or places the order. What
/// is wrong is shown with the details, where it can be mended.
pub async fn post_order(
    State(app): State<App>,
    guest: Guest,
    Path((_, event_id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let visitor = guest.visitor.clone();
    let f = guest.frame(&app, Carried::in_form(&form)).at_event(&event_id);
    let offer = offer::find(&app, f.keeper.tenant, &event_id, f.carried.access_code()).await?;
    let items = offered::all(&offer, f.now);
    let Offer { event, .. } = offer;
    let asked = Asked::of(&app, &f, &event).await?;
    let tenant = f.keeper.tenant;
    // What only fills a form in decides nothing, and waits for nobody.
    let may_go_on = form.has("step", "details") || entry::is_good(&app, tenant, &event_id, &form, &items, f.now);
    let cookie = match may_go_on {
        true => None,
        false => match gate::begin(&app, &visitor, tenant, &event_id).await? {
            Way::Open(cookie) => {
                entry::give(&app, tenant, &event_id, &mut form, f.now)?;
                cookie
            }
            Way::Wait(wait) => {
                form.wrong("items", waiting::said(f.l.t, &wait));
                let page = details::show(&f, &event, &form, &choice::lines(&form, &items), &asked)?;
                return Ok(with_cookie(page, wait.cookie));
            }
        },
    };
    Ok(with_cookie(step(&app, &f, &event, &items, &asked, form, visitor.address).await?, cookie))
}

async fn step(
    app: &App,
    f: &Frame,
    event: &KeptEvent,
    items: &[Offered],
    asked: &Asked,
    mut form: Form,
    address: IpAddr,
) -> Result<Response, Error> {
    let buyer = if form.has("step", "details") { None } else { Some(buyer::read(&mut form, f.l.t)) };
    match buyer {
        // What is left is decided where it is sold. A form that is sent twice has taken some of it the first time.
        Some(buyer) if form.has("step", "place") && form.errors().is_empty() => {
            match place::place(app, f, &event.id, buyer, &form, address).await? {
                Outcome::Placed(reference) => return Ok(go(&format!("/shop/orders/{reference}{}", f.query()))),
                Outcome::EventNotOnSale => return Ok(go(&f.l.here)),
                Outcome::Refused(refusal) => {
                    // What it asks may have changed since this buyer was asked.
                    let lines = choice::lines(&form, items);
                    asked.check(&mut form, &lines, f);
                    if form.errors().is_empty() {
                        place::say(&mut form, &refusal, items, event, f);
                    }
                }
            }
        }
        Some(buyer) => {
            let lines = choice::read(&mut form, items, event, f);
            asked.check(&mut form, &lines, f);
            if form.errors().is_empty() {
                let bill = match bill::changes(app, address, f, &event.id).await {
                    Ok(changes) if changes.is_for_nothing(&lines) => Err(Refusal::Coupon),
                    Ok(changes) => {
                        changes.bill(&lines).ok_or_else(|| Refusal::invalid("items", "it costs more than an order can"))
                    }
                    Err(Error::Refused(refusal)) => Err(refusal),
                    Err(error) => return Err(error),
                };
                match bill {
                    Ok(bill) => {
                        return review::show(f, event, &form, &lines, &buyer, asked, bill, app.config.holds.lasts);
                    }
                    Err(refusal) => place::say(&mut form, &refusal, items, event, f),
                }
            }
        }
        None => {
            choice::read(&mut form, items, event, f);
        }
    }
    details::show(f, event, &form, &choice::lines(&form, items), asked)
}
