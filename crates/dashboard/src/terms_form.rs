//! The form with terms, of an event or of its producer.

use taquilla_domain::terms::{NewTerms, Terms};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::form::Form;
use taquilla_rules::admin::terms;

use super::access::Member;

/// Fills the form with the terms in force.
pub fn fill(form: &mut Form, terms: Option<&Terms>) {
    form.set("text", terms.and_then(|terms| terms.text.as_deref()).unwrap_or_default());
    form.set("url", terms.and_then(|terms| terms.url.as_deref()).unwrap_or_default());
}

/// Has buyers accept what is written, or nothing if nothing is. Says whether that could be read.
pub async fn save<N>(app: &App, member: &Member<N>, event_id: Option<&str>, form: &mut Form) -> Result<bool, Error> {
    let (store, tenant, by, t) = (&app.store, member.tenant(), member.by(), member.layout.t);
    let is_empty = |field: &str| form.value(field).trim().is_empty();
    if is_empty("text") && is_empty("url") {
        terms::end(store, tenant, event_id, by).await?;
        return Ok(true);
    }
    match NewTerms::parse(Some(form.value("text")), Some(form.value("url"))) {
        Ok(new) => {
            terms::set(store, tenant, event_id, &new, by).await?;
            Ok(true)
        }
        Err((field, _)) => {
            form.wrong(field, t.text(if field == "url" { "wrong-terms-url" } else { "wrong-text" }));
            Ok(false)
        }
    }
}
