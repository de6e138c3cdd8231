//! Pools of an event: making, changing and ending them.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    count::Count,
    event::KeptEvent,
    id,
    pool::{NewPool, Pool},
    refusal::Refusal,
    status::ItemKind,
    text::Name,
    ticket_type::TicketType,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{address::in_path, form::Form, page, redirects::go, refusals::refusal_text};
use taquilla_rules::{
    admin::catalogue::{PoolChange, change_pool, create_pool, end_pool},
    boxoffice::PastHolds,
};
use taquilla_store::{
    ChangeError,
    catalogue::{pools, ticket_types},
};

use super::{
    common::{event_path, expected, find_event},
    present::Present,
};
use crate::{
    access::{ManageEvents, Member, WRONG},
    frame::Frame,
};

/// The field with an item that shares the pool, once for each.
const ITEM: &str = "ticket_type";

/// A pool on the event's page.
pub struct PoolRow {
    /// The pool.
    pub pool: Pool,
    /// The address of its form.
    pub path: String,
    /// The names of the items that share it.
    pub names: Vec<String>,
}

/// The rows of an event's pools.
pub fn rows<N>(member: &Member<N>, pools: Vec<Pool>, items: &[&TicketType]) -> Vec<PoolRow> {
    let row = |pool: Pool| PoolRow {
        path: pool_path(member, &pool.event_id, &pool.id),
        names: items.iter().filter(|item| pool.items.contains(&item.id)).map(|item| item.name.clone()).collect(),
        pool,
    };
    pools.into_iter().map(row).collect()
}

fn pool_path<N>(member: &Member<N>, event_id: &str, id: &str) -> String {
    format!("{}/pools/{}", event_path(member, event_id), in_path(id))
}

/// An item that may share a pool.
struct Choice {
    id: String,
    name: String,
    is_deleted: bool,
}

#[derive(Template)]
#[template(path = "pool_form.html")]
struct PoolFormPage {
    f: Frame,
    form: Form,
    present: Present,
    event: KeptEvent,
    base: String,
    /// The pool that is changed, and the address of its form. A new one has none.
    pool: Option<(Pool, String)>,
    choices: Vec<Choice>,
    /// The names of the items that share it, as they are saved.
    saved_items: String,
}

impl PoolFormPage {
    async fn new(
        app: &App,
        member: &Member<ManageEvents>,
        event: KeptEvent,
        pool: Option<Pool>,
        form: Form,
    ) -> Result<Self, Error> {
        let items = ticket_types::of_event(&mut app.store.read().await?, member.tenant(), &event.id, true).await?;
        let shares = |item: &TicketType| pool.as_ref().is_some_and(|pool| pool.items.contains(&item.id));
        let singles = items.into_iter().filter(|item| item.kind == ItemKind::TicketType);
        // Live tickets of a deleted item still take places.
        let singles: Vec<TicketType> = singles.filter(|item| !item.deleted || shares(item)).collect();
        let saved = singles.iter().filter(|item| shares(item)).map(|item| item.name.as_str());
        let saved_items = saved.collect::<Vec<_>>().join(", ");
        let choices = singles.into_iter().map(|item| Choice { id: item.id, name: item.name, is_deleted: item.deleted });
        Ok(Self {
            saved_items,
            f: member.frame("events"),
            base: event_path(member, &event.id),
            choices: choices.collect(),
            present: Present::default(),
            pool: pool.map(|pool| {
                let path = pool_path(member, &event.id, &pool.id);
                (pool, path)
            }),
            event,
            form,
        })
    }
}

/// What the form says: a name, how many places, and which items.
fn read(form: &mut Form, member: &Member<ManageEvents>) -> Option<(Name, Count, Vec<String>)> {
    let t = member.layout.t;
    let name = form.read("name", |text| Name::parse(text.trim()), |_| t.text("wrong-name"));
    let limit = form.read("limit", |text| Count::parse(text.trim()), |_| t.text("wrong-pool-limit"));
    let items: Vec<String> = form.values(ITEM).map(str::to_owned).collect();
    if items.is_empty() {
        form.wrong(ITEM, t.text("wrong-pool-items"));
        return None;
    }
    Some((name?, limit?, items))
}

fn past_holds(form: &Form) -> PastHolds {
    if form.has("past_holds", "yes") { PastHolds::Yes } else { PastHolds::No }
}

/// Says why nothing was changed, beside what it is about.
fn say(form: &mut Form, refusal: &Refusal, member: &Member<ManageEvents>, zone: &str) {
    let t = member.layout.t;
    match refusal {
        Refusal::LimitBelowSold(taken) => form.wrong("limit", t.with("wrong-pool-limit-taken", "count", *taken)),
        Refusal::Held { until, .. } => {
            let until = member.frame("events").dates(zone).time(until);
            form.wrong("limit", t.with("wrong-limit-held", "time", until));
            form.set("ask_past_holds", "yes");
        }
        Refusal::Invalid { .. } => form.wrong(ITEM, t.text("wrong-pool-items")),
        refusal => form.wrong(ITEM, refusal_text(t, refusal)),
    }
}

fn filled(pool: &Pool) -> Form {
    let (limit, stamp) = (pool.places.limit.to_string(), pool.updated_at.micros().to_string());
    let mut fields = vec![("name", pool.name.as_str()), ("limit", &limit), ("updated_at", &stamp)];
    fields.extend(pool.items.iter().map(|item| (ITEM, item.as_str())));
    Form::filled(&fields)
}

async fn find(app: &App, member: &Member<ManageEvents>, event_id: &str, id: &str) -> Result<(KeptEvent, Pool), Error> {
    let event = find_event(app, member.tenant(), event_id).await?;
    let found = pools::find(&mut app.store.read().await?, member.tenant(), id).await?;
    let pool = found.filter(|pool| pool.event_id == event_id).ok_or(Error::NotFound("pool"))?;
    Ok((event, pool))
}

/// The form for a new pool.
pub async fn get_new_pool(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let event = find_event(&app, member.tenant(), &event_id).await?;
    page::show(StatusCode::OK, &PoolFormPage::new(&app, &member, event, None, Form::default()).await?)
}

/// Makes a pool.
pub async fn post_pools(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let event = find_event(&app, member.tenant(), &event_id).await?;
    if let Some((name, limit, items)) = read(&mut form, &member) {
        let pool = NewPool { id: id::new_id("pool", member.by().now), event_id, name, limit, items };
        match create_pool(&app.store, member.tenant(), &pool, past_holds(&form), member.by()).await {
            Ok(()) => return Ok(go(&format!("{}?done=pool-made#pools", event_path(&member, &pool.event_id)))),
            Err(ChangeError::Refused(refusal)) => say(&mut form, &refusal, &member, &event.timezone),
            Err(error) => return Err(error.into()),
        }
    }
    page::show(WRONG, &PoolFormPage::new(&app, &member, event, None, form).await?)
}

/// The form that changes a pool.
pub async fn get_pool(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id, id)): Path<(String, String, String)>,
) -> Result<Response, Error> {
    let (event, pool) = find(&app, &member, &event_id, &id).await?;
    let form = filled(&pool);
    page::show(StatusCode::OK, &PoolFormPage::new(&app, &member, event, Some(pool), form).await?)
}

/// Changes a pool. If somebody else was quicker, nothing is changed, and the form shows what is saved now.
pub async fn post_pool(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id, id)): Path<(String, String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let (event, pool) = find(&app, &member, &event_id, &id).await?;
    let Some((name, limit, items)) = read(&mut form, &member) else {
        return page::show(WRONG, &PoolFormPage::new(&app, &member, event, Some(pool), form).await?);
    };
    let change = PoolChange { name: Some(name), limit: Some(limit), items: Some(items) };
    let (past_holds, seen) = (past_holds(&form), expected(&form));
    match change_pool(&app.store, member.tenant(), &id, &change, past_holds, seen, member.by()).await {
        Ok(()) => Ok(go(&format!("{}?done=pool-changed#pools", event_path(&member, &event_id)))),
        Err(ChangeError::Refused(Refusal::ChangedMeanwhile)) => {
            let (event, pool) = find(&app, &member, &event_id, &id).await?;
            let present = filled(&pool);
            // Sending it once more is a decision, made by somebody who has seen the rest.
            form.set("updated_at", present.value("updated_at"));
            let page = PoolFormPage::new(&app, &member, event, Some(pool), form).await?;
            page::show(StatusCode::CONFLICT, &PoolFormPage { present: Present::new(present), ..page })
        }
        Err(ChangeError::Refused(refusal)) => {
            say(&mut form, &refusal, &member, &event.timezone);
            page::show(WRONG, &PoolFormPage::new(&app, &member, event, Some(pool), form).await?)
        }
        Err(error) => Err(error.into()),
    }
}

/// Ends a pool.
pub async fn post_end(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id, id)): Path<(String, String, String)>,
    _form: Form,
) -> Result<Response, Error> {
    find(&app, &member, &event_id, &id).await?;
    end_pool(&app.store, member.tenant(), &id, member.by()).await?;
    Ok(go(&format!("{}?done=pool-ended#items", event_path(&member, &event_id))))
}
