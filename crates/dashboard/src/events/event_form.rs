//! Making events and changing them.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    asked::AttendeesAsked,
    clock::Stamp,
    event::{KeptEvent, in_order},
    id,
    refusal::Refusal,
    status::EventStatus,
    text::{Name, Text},
    time_zone::{self, TimeZone},
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, redirects::go, texts::Texts};
use taquilla_rules::admin::catalogue::{EventChange, NewEvent, change_event, create_event};
use taquilla_store::{ChangeError, catalogue::events};

use super::{
    common::{ENDS_AT, STARTS_AT, event_path, expected, find_event, read_image, read_text},
    present::Present,
};
use crate::{
    access::{ManageEvents, Member, WRONG},
    frame::Frame,
    producer_form::{read_currency, read_zone},
};

#[derive(Template)]
#[template(path = "event_form.html")]
struct EventFormPage {
    f: Frame,
    form: Form,
    present: Present,
    /// The event that is changed: its address and its name. A new one has none.
    event: Option<(String, String)>,
    zones: Vec<String>,
    /// Whether its currency can be chosen: until somebody orders.
    may_price: bool,
}

/// What a form says of an event.
struct Values {
    name: Name,
    venue: Option<Text>,
    description: Option<Text>,
    image_url: Option<Text>,
    timezone: TimeZone,
    starts_at: Option<Stamp>,
    ends_at: Option<Stamp>,
}

fn read(form: &mut Form, t: Texts) -> Option<Values> {
    let name = form.read("name", |text| Name::parse(text.trim()), |_| t.text("wrong-name"));
    let venue = read_text(form, "venue", t);
    let zone = read_zone(form, t);
    // Without clocks no time can be read.
    let times = zone.map(|zone| {
        let (starts_at, ends_at) = (STARTS_AT.read(form, &zone, t), ENDS_AT.read(form, &zone, t));
        (zone, starts_at, ends_at)
    });
    let description = read_text(form, "description", t);
    let image_url = read_image(form, t);
    let (timezone, starts_at, ends_at) = times?;
    let (starts_at, ends_at) = (starts_at?, ends_at?);
    if in_order(starts_at, ends_at).is_err() {
        form.wrong("ends_at", t.text("wrong-ends_at"));
        return None;
    }
    Some(Values {
        name: name?,
        venue: venue?,
        description: description?,
        image_url: image_url?,
        timezone,
        starts_at,
        ends_at,
    })
}

/// A form with what an event has now.
fn filled(event: &KeptEvent) -> Form {
    let zone = event.zone();
    let mut form = Form::filled(&[
        ("name", event.name.as_str()),
        ("venue", event.venue.as_deref().unwrap_or_default()),
        ("time_zone", zone.as_str()),
        ("currency", event.currency.as_str()),
        ("description", event.description.as_deref().unwrap_or_default()),
        ("image_url", event.image_url.as_deref().unwrap_or_default()),
        ("updated_at", &event.updated_at.micros().to_string()),
    ]);
    STARTS_AT.fill(&mut form, event.starts_at, &zone);
    ENDS_AT.fill(&mut form, event.ends_at, &zone);
    form
}

fn new_page(status: StatusCode, member: &Member<ManageEvents>, form: Form) -> Result<Response, Error> {
    let (f, present) = (member.frame("events"), Present::default());
    page::show(status, &EventFormPage { f, form, present, event: None, zones: time_zone::names(), may_price: true })
}

/// The form for a new event, with the producer's time zone and currency.
pub async fn get_new_event(member: Member<ManageEvents>) -> Result<Response, Error> {
    let producer = &member.producer;
    let form = Form::filled(&[("time_zone", producer.time_zone.as_str()), ("currency", &producer.currency)]);
    new_page(StatusCode::OK, &member, form)
}

/// Makes a draft.
pub async fn post_events(
    State(app): State<App>,
    member: Member<ManageEvents>,
    mut form: Form,
) -> Result<Response, Error> {
    let t = member.layout.t;
    let values = read(&mut form, t);
    let currency = read_currency(&mut form, t);
    let (Some(values), Some(currency)) = (values, currency) else { return new_page(WRONG, &member, form) };
    let id = id::new_id("ev", member.by().now);
    let event = NewEvent {
        id: id.clone(),
        name: values.name,
        description: values.description,
        venue: values.venue,
        timezone: values.timezone,
        starts_at: values.starts_at,
        ends_at: values.ends_at,
        currency,
        status: EventStatus::Draft,
        image_url: values.image_url,
        attendees_asked: AttendeesAsked::None,
        terms: None,
        created_at: None,
    };
    create_event(&app.store, member.tenant(), event, member.by()).await?;
    Ok(go(&format!("{}?done=event-made", event_path(&member, &id))))
}

async fn change_page(
    status: StatusCode,
    app: &App,
    member: &Member<ManageEvents>,
    event: &KeptEvent,
    form: Form,
    present: Present,
) -> Result<Response, Error> {
    let f = member.frame("events");
    let may_price = !events::has_orders(&mut app.store.read().await?, member.tenant(), &event.id).await?;
    let event = Some((event_path(member, &event.id), event.name.clone()));
    page::show(status, &EventFormPage { f, form, present, event, zones: time_zone::names(), may_price })
}

/// The form that changes an event.
pub async fn get_change(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Error> {
    let event = find_event(&app, member.tenant(), &id).await?;
    change_page(StatusCode::OK, &app, &member, &event, filled(&event), Present::default()).await
}

/// Changes an event. If somebody else was quicker, nothing is changed, and the form shows what is saved now.
pub async fn post_change(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    let event = find_event(&app, member.tenant(), &id).await?;
    let t = member.layout.t;
    let values = read(&mut form, t);
    // A form without the field, and one that leaves it as it was, change nothing about it.
    let currency = match form.value("currency").trim() {
        "" => Some(None),
        same if same == event.currency => Some(None),
        _ => read_currency(&mut form, t).map(Some),
    };
    let (Some(values), Some(currency)) = (values, currency) else {
        return change_page(WRONG, &app, &member, &event, form, Present::default()).await;
    };
    let change = EventChange {
        name: Some(values.name),
        venue: Some(values.venue),
        description: Some(values.description),
        image_url: Some(values.image_url),
        timezone: Some(values.timezone),
        starts_at: Some(values.starts_at),
        ends_at: Some(values.ends_at),
        currency,
        status: None,
        attendees_asked: None,
    };
    let changed = change_event(&app.store, member.tenant(), &id, &change, expected(&form), member.by()).await;
    match changed {
        Ok(()) => Ok(go(&format!("{}?done=event-changed", event_path(&member, &id)))),
        Err(ChangeError::Refused(Refusal::ChangedMeanwhile)) => {
            let event = find_event(&app, member.tenant(), &id).await?;
            let present = filled(&event);
            // Sending it once more is a decision, made by somebody who has seen the rest.
            form.set("updated_at", present.value("updated_at"));
            change_page(StatusCode::CONFLICT, &app, &member, &event, form, Present::new(present)).await
        }
        Err(ChangeError::Refused(Refusal::Invalid { field, .. })) if field == "currency" => {
            form.wrong("currency", t.with("wrong-currency-sold", "currency", event.currency.as_str()));
            change_page(WRONG, &app, &member, &event, form, Present::default()).await
        }
        Err(error) => Err(error.into()),
    }
}
