//! What staff did: searchable, newest first.

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{audit::Action, config::DASHBOARD_ROWS};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{page, query::Query};
use taquilla_store::staff::audit::{self, Entry, Filter};

use super::{
    access::{Member, SeeHistory},
    frame::Frame,
};

#[derive(Template)]
#[template(path = "history.html")]
struct HistoryPage {
    f: Frame,
    entries: Vec<Entry>,
    actions: &'static [Action],
    actor: String,
    action: String,
    subject: String,
    older: Option<String>,
}

/// The page.
pub async fn get_history(State(app): State<App>, member: Member<SeeHistory>, query: Query) -> Result<Response, Error> {
    let text = |name: &str| query.get(name).map(|text| text.trim().to_owned());
    let filter = Filter {
        // Addresses are kept in lower case, and accounts of the machine as they are.
        actor: text("actor").map(|actor| if actor.contains('@') { actor.to_lowercase() } else { actor }),
        action: query.get("action").and_then(Action::parse),
        subject: text("subject"),
    };
    let mut conn = app.store.read().await?;
    let limit = DASHBOARD_ROWS + 1;
    let mut entries = audit::list(&mut conn, Some(member.tenant()), &filter, query.get("before"), limit).await?;
    let more = entries.len() > DASHBOARD_ROWS as usize;
    entries.truncate(DASHBOARD_ROWS as usize);
    let older = entries.last().filter(|_| more).map(|last| {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in [("actor", &filter.actor), ("subject", &filter.subject)] {
            query.extend_pairs(value.iter().map(|value| (name, value)));
        }
        query.extend_pairs(filter.action.map(|action| ("action", action.as_str())));
        query.append_pair("before", &last.id).finish()
    });
    let page = HistoryPage {
        f: member.frame("history"),
        entries,
        actions: Action::ALL,
        actor: filter.actor.unwrap_or_default(),
        action: filter.action.map(|action| action.as_str().to_owned()).unwrap_or_default(),
        subject: filter.subject.unwrap_or_default(),
        older,
    };
    page::show(StatusCode::OK, &page)
}
