//! Whoever was at a form when a line began goes on with it: the form carries a proof of when it was given out. It is good for that form,
//! for a while, and for what was on sale by then. So nobody comes early with something else to be first when a sale begins.

use taquilla_domain::{clock::Stamp, config::LINE_FORM_LASTS};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::form::Form;
use taquilla_store::{Tenant, lists::Position};

use crate::{
    checkout::{choice, form_key::key_of},
    pages::offered::Offered,
};

/// The field of a form that has it.
const ENTRY: &str = "entry";

/// The form of an event, which its key tells from all others.
fn binding(tenant: Tenant, event_id: &str, key: &str) -> String {
    format!("entry of a form\n{}\n{event_id}\n{key}", tenant.number())
}

/// Writes into a form that it was given out now.
pub fn give(app: &App, tenant: Tenant, event_id: &str, form: &mut Form, now: Stamp) -> Result<(), Error> {
    let key = key_of(form);
    let entry = app.sealer.handle(&binding(tenant, event_id, &key), Position { stamp: now, seq: 0 })?;
    form.set("key", key);
    form.set(ENTRY, entry);
    Ok(())
}

fn given_at(app: &App, tenant: Tenant, event_id: &str, form: &Form) -> Option<Stamp> {
    let place = app.sealer.place(&binding(tenant, event_id, form.value("key")), form.value(ENTRY));
    place.map(|place| place.stamp)
}

/// Whether a form may go on although there is a line.
pub fn is_good(app: &App, tenant: Tenant, event_id: &str, form: &Form, items: &[Offered], now: Stamp) -> bool {
    let Some(at) = given_at(app, tenant, event_id, form) else { return false };
    let was_on_sale = |id: &str| {
        let item = items.iter().find(|offered| offered.item.id == id);
        item.is_none_or(|offered| offered.item.on_sale_from.is_none_or(|from| from <= at))
    };
    now < at.plus(LINE_FORM_LASTS) && choice::asked(form).into_iter().all(|(id, _)| was_on_sale(id))
}
