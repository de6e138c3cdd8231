//! Making a promoter. The page that shows their link also shows what they sold to whoever opens it, so nobody makes one who may
//! not see reports.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};

use taquilla_domain::{
    config::COUNT_MAX,
    count::Count,
    promoter::{NewPromoter, Promoter},
    role::Right,
    text::Name,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{form::Form, page, qr, refusals::refusal_text, shop_links};
use taquilla_rules::admin::promoters;
use taquilla_store::ChangeError;

use super::rows::{list_path, shop_url};
use crate::{
    access::{ManageEvents, Member, WRONG},
    chosen_event::{self, ChosenEvent},
    events::event_path,
    frame::{self, Frame},
};

#[derive(Template)]
#[template(path = "promoter_new.html")]
struct NewPromoterPage {
    f: Frame,
    event: ChosenEvent,
    event_path: String,
    path: String,
    form: Form,
}

/// The page for who lacks the right to see what the promoter's link shows.
pub fn lacks_right(member: &Member<ManageEvents>) -> Option<Result<Response, Error>> {
    let right = Right::SeeReports;
    (!member.may(right)).then(|| frame::refused(member.frame("events"), right))
}

fn show(status: StatusCode, member: &Member<ManageEvents>, event: ChosenEvent, form: Form) -> Result<Response, Error> {
    let (event_path, path) = (event_path(member, &event.id), list_path(member, &event.id));
    page::show(status, &NewPromoterPage { f: member.frame("events"), event, event_path, path, form })
}

/// The form.
pub async fn get_new_promoter(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id)): Path<(String, String)>,
) -> Result<Response, Error> {
    if let Some(refused) = lacks_right(&member) {
        return refused;
    }
    let event = chosen_event::find(&mut app.store.read().await?, member.tenant(), &event_id).await?;
    show(StatusCode::OK, &member, event, Form::filled(&[("complimentary", "0")]))
}

#[derive(Template)]
#[template(path = "promoter_made.html")]
struct PromoterMadePage {
    f: Frame,
    path: String,
    promoter: Promoter,
    url: String,
    qr: String,
    shop_url: String,
    shop_qr: String,
}

/// Shows a promoter's links: their own this once.
pub fn show_made(app: &App, member: &Member<ManageEvents>, promoter: Promoter, token: &str) -> Result<Response, Error> {
    let url = format!("{}{}", member.service_address(app), shop_links::promoter(token));
    let shop_url = shop_url(app, member, &promoter);
    let page = PromoterMadePage {
        f: member.frame("events"),
        path: list_path(member, &promoter.event_id),
        qr: qr::drawn(&url).unwrap_or_default(),
        shop_qr: qr::drawn(&shop_url).unwrap_or_default(),
        promoter,
        url,
        shop_url,
    };
    page::show(StatusCode::OK, &page)
}

/// Makes a promoter and shows the link, this once.
pub async fn post_promoters(
    State(app): State<App>,
    member: Member<ManageEvents>,
    Path((_, event_id)): Path<(String, String)>,
    mut form: Form,
) -> Result<Response, Error> {
    if let Some(refused) = lacks_right(&member) {
        return refused;
    }
    let event = chosen_event::find(&mut app.store.read().await?, member.tenant(), &event_id).await?;
    let t = member.layout.t;
    let name = form.read("name", |text| Name::parse(text.trim()), |_| t.text("wrong-name"));
    let complimentary = form.read(
        "complimentary",
        |text| Count::parse(text.trim()),
        |_| t.with("promoter-wrong-complimentary", "most", COUNT_MAX),
    );
    let Some((name, complimentary)) = name.zip(complimentary) else { return show(WRONG, &member, event, form) };
    let new = NewPromoter { event_id: event.id.clone(), name, complimentary };
    match promoters::create(&app.store, member.tenant(), &new, &member.by_form(&form)).await {
        Ok((promoter, token)) => show_made(&app, &member, promoter, &token),
        Err(ChangeError::Refused(refusal)) => {
            form.wrong("name", refusal_text(t, &refusal));
            show(WRONG, &member, event, form)
        }
        Err(error) => Err(error.into()),
    }
}
