//! Making ticket types and bundles, and changing them.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    config::COUNT_MAX,
    event::KeptEvent,
    id,
    refusal::Refusal,
    status::{Category, ItemKind, TypeStatus},
    ticket_type::TicketType,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, query::Query, redirects::go};
use taquilla_rules::{
    admin::catalogue::{Content, NewInclude, NewItem, TicketTypeChange, change_ticket_type, create_item},
    boxoffice::PastHolds,
};
use taquilla_store::{ChangeError, catalogue::ticket_types};

use super::{
    common::{event_path, expected, find_event, find_item, item_path, item_status_key},
    item_values::{Part, filled, parts, read, read_parts},
    present::Present,
};
use crate::{
    access::{ManageEvents, Member, WRONG},
    frame::Frame,
};

/// The categories of a single item.
const CATEGORIES: [Category; 2] = [Category::Ticket, Category::Merchandise];

#[derive(Template)]
#[template(path = "item_form.html")]
struct ItemFormPage {
    f: Frame,
    form: Form,
    present: Present,
    event: KeptEvent,
    base: String,
    /// The item that is changed: its address and its name. A new one has none.
    item: Option<(String, String)>,
    is_bundle: bool,
    categories: Vec<(&'static str, String)>,
    statuses: Vec<(&'static str, String, String)>,
    parts: Vec<Part>,
}

impl ItemFormPage {
    fn new(member: &Member<ManageEvents>, event: KeptEvent, form: Form) -> Self {
        let f = member.frame("events");
        Self {
            base: event_path(member, &event.id),
            categories: CATEGORIES
                .iter()
                .map(|each| (each.as_str(), f.text(&format!("item-category-{}", each.as_str()))))
                .collect(),
            statuses: TypeStatus::ALL
                .iter()
                .map(|each| {
                    let key = item_status_key(*each);
                    (each.as_str(), f.text(&key), f.text(&format!("{key}-about")))
                })
                .collect(),
            f,
            form,
            present: Present::default(),
            event,
            item: None,
            is_bundle: false,
            parts: Vec::new(),
        }
    }

    /// What a limit counts. Bundles sell past the limits of what they include, and whoever sets one must know it.
    fn limit_hint(&self) -> String {
        self.f.text(if self.is_bundle { "hint-bundle-limit" } else { "hint-item-limit" })
    }

    fn for_new(member: &Member<ManageEvents>, event: KeptEvent, form: Form, kind: ItemKind, parts: Vec<Part>) -> Self {
        Self { is_bundle: kind == ItemKind::Bundle, parts, ..Self::new(member, event, form) }
    }

    fn for_change(member: &Member<ManageEvents>, event: KeptEvent, form: Form, item: &TicketType) -> Self {
        let is_bundle = item.kind == ItemKind::Bundle;
        let named = Some((item_path(member, &event.id, &item.id), item.name.clone()));
        Self { is_bundle, item: named, ..Self::new(member, event, form) }
    }
}

async fn items_of(app: &App, member: &Member<ManageEvents>, event_id: &str) -> Result<Vec<TicketType>, Error> {
    Ok(ticket_types::of_event(&mut app.store.read().await?, member.tenant(), event_id, true).await?)
}

/// The form for a new ticket type, or with `?kind=bundle` for a bundle. It is proposed as the last.
pub async fn get_new_item(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
    query: Query,
) -> Result<Response, Error> {
    let event = find_event(&app, member.tenant(), &id).await?;
    let items = items_of(&app, &member, &id).await?;
    let kind = query.get("kind").and_then(ItemKind::parse).unwrap_or(ItemKind::TicketType);
    let last = items.iter().map(|item| item.sort_order).max().unwrap_or(0);
    let form = Form::filled(&[
        ("kind", kind.as_str()),
        ("category", Category::Ticket.as_str()),
        ("status", TypeStatus::Active.as_str()),
        ("max_per_order", "10"),
        ("min_per_order", "1"),
        ("sort_order", &(last + 1).min(COUNT_MAX).to_string()),
    ]);
    let parts = parts(&form, &items);
    page::show(StatusCode::OK, &ItemFormPage::for_new(&member, event, form, kind, parts))
}

/// Makes a ticket type or bundle.
pub async fn post_items(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let t = member.layout.t;
    let event = find_event(&app, member.tenant(), &event_id).await?;
    let kind = ItemKind::parse(form.value("kind")).unwrap_or(ItemKind::TicketType);
    let parts = parts(&form, &items_of(&app, &member, &event_id).await?);
    let values = read(&mut form, &event.zone(), t);
    let (category, includes) = match kind {
        ItemKind::Bundle => (Some(Category::Bundle), read_parts(&mut form, &parts, t)),
        ItemKind::TicketType => {
            let known = |text: &str| CATEGORIES.into_iter().find(|each| each.as_str() == text).ok_or(());
            (form.read("category", known, |()| t.text("wrong-category")), Some(Vec::new()))
        }
    };
    let (Some(values), Some(category), Some(includes)) = (values, category, includes) else {
        return page::show(WRONG, &ItemFormPage::for_new(&member, event, form, kind, parts));
    };
    let id = id::new_id("tt", member.by().now);
    let included = includes.into_iter().map(|(ticket_type_id, quantity)| NewInclude { ticket_type_id, quantity });
    let item = NewItem {
        id: id.clone(),
        event_id: event_id.clone(),
        content: match kind {
            ItemKind::Bundle => Content::Bundle(included.collect()),
            ItemKind::TicketType => Content::Single,
        },
        category: Some(category),
        name: values.name,
        description: values.description,
        image_url: values.image_url,
        price: values.price,
        currency: None,
        status: values.status,
        deleted: false,
        limit: values.limit,
        max_per_order: Some(values.max_per_order),
        min_per_order: Some(values.min_per_order),
        on_sale_from: values.on_sale_from,
        expires_at: values.expires_at,
        sort_order: Some(values.sort_order),
        reentry: values.reentry,
        door_note: values.door_note,
    };
    create_item(&app.store, member.tenant(), item, member.by()).await?;
    Ok(go(&format!("{}?done=item-made", item_path(&member, &event_id, &id))))
}

/// The form that changes an item.
pub async fn get_change(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id, id)): Path<(String, String, String)>,
) -> Result<Response, Error> {
    let (event, item, _) = find_item(&app, member.tenant(), &event_id, &id).await?;
    let form = filled(&item, &event.zone());
    page::show(StatusCode::OK, &ItemFormPage::for_change(&member, event, form, &item))
}

/// Changes an item. If somebody else was quicker, nothing is changed, and the form shows what is saved now.
pub async fn post_change(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id, id)): Path<(String, String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let t = member.layout.t;
    let (event, item, _) = find_item(&app, member.tenant(), &event_id, &id).await?;
    let Some(values) = read(&mut form, &event.zone(), t) else {
        return page::show(WRONG, &ItemFormPage::for_change(&member, event, form, &item));
    };
    let change = TicketTypeChange {
        name: Some(values.name),
        price: Some(values.price),
        status: Some(values.status),
        limit: Some(values.limit),
        max_per_order: Some(values.max_per_order),
        min_per_order: Some(values.min_per_order),
        on_sale_from: Some(values.on_sale_from),
        expires_at: Some(values.expires_at),
        description: Some(values.description),
        image_url: Some(values.image_url),
        sort_order: Some(values.sort_order),
        reentry: Some(values.reentry),
        door_note: Some(values.door_note),
        deleted: None,
        past_holds: if form.has("past_holds", "yes") { PastHolds::Yes } else { PastHolds::No },
    };
    let changed = change_ticket_type(&app.store, member.tenant(), &id, &change, expected(&form), member.by()).await;
    let refusal = match changed {
        Ok(()) => return Ok(go(&format!("{}?done=item-changed", item_path(&member, &event_id, &id)))),
        Err(ChangeError::Refused(refusal)) => refusal,
        Err(error) => return Err(error.into()),
    };
    match refusal {
        Refusal::ChangedMeanwhile => {
            let (event, item, _) = find_item(&app, member.tenant(), &event_id, &id).await?;
            let present = filled(&item, &event.zone());
            // Sending it once more is a decision, made by somebody who has seen the rest.
            form.set("updated_at", present.value("updated_at"));
            let page = ItemFormPage::for_change(&member, event, form, &item);
            page::show(StatusCode::CONFLICT, &ItemFormPage { present: Present::new(present), ..page })
        }
        Refusal::LimitBelowSold(sold) => {
            form.wrong("limit", t.with("wrong-limit-below-sold", "count", sold));
            page::show(WRONG, &ItemFormPage::for_change(&member, event, form, &item))
        }
        Refusal::Held { until, .. } => {
            let until = member.frame("events").dates(&event.timezone).time(&until);
            form.wrong("limit", t.with("wrong-limit-held", "time", until));
            form.set("ask_past_holds", "yes");
            page::show(WRONG, &ItemFormPage::for_change(&member, event, form, &item))
        }
        refusal => Err(refusal.into()),
    }
}
