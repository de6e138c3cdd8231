//! What staff did: searchable, newest first. Long work is one line that opens.

use std::collections::HashMap;

use askama::Template;
use axum::{extract::State, http::StatusCode, response::Response};

use taquilla_domain::{
    audit::Action,
    config::DASHBOARD_ROWS,
    days::{beginning, parse, zone},
    work::WorkKind,
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::{page, query::Query};
use taquilla_store::{
    Conn, Tenant,
    staff::audit::{self, Entry, Filter, id_at},
    work::pieces,
};
use url::form_urlencoded::Serializer;

use super::{
    access::{Member, SeeHistory},
    frame::Frame,
};

#[derive(Template)]
#[template(path = "history.html")]
struct HistoryPage {
    f: Frame,
    entries: Vec<Entry>,
    opens: Opens,
    actions: &'static [Action],
    asked: HistoryFilter,
    older: Option<String>,
}

/// Where the moves of the work that an entry began are listed, and how many there are, by the entry's id.
pub type Opens = HashMap<String, (String, i64)>;

/// The work that an entry says was begun.
fn begun_work(entry: &Entry) -> Option<&str> {
    let details = entry.details.iter().filter(|_| entry.action == Action::RefundBegun);
    details.into_iter().find(|(name, _)| name == "work").map(|(_, id)| id.as_str())
}

async fn opens(conn: &mut Conn, tenant: Tenant, entries: &[Entry], f: &Frame) -> Result<Opens, Error> {
    let mut opens = Opens::new();
    for entry in entries {
        let Some(id) = begun_work(entry) else { continue };
        if let Some(piece) = pieces::find(conn, tenant, WorkKind::Refund, id).await? {
            let query: String = Serializer::new(String::new()).append_pair("work", id).finish();
            opens.insert(entry.id.clone(), (f.path(&format!("/history?{query}")), piece.done));
        }
    }
    Ok(opens)
}

/// Which entries somebody asks for, as the form shows it again.
struct HistoryFilter {
    actor: String,
    action: String,
    subject: String,
    work: String,
    from: String,
    to: String,
}

impl HistoryFilter {
    fn new(query: &Query) -> Self {
        let text = |name: &str| query.get(name).unwrap_or_default().trim().to_owned();
        // A day that cannot be read is not asked for.
        let day = |name: &str| parse(&text(name)).map(|day| day.to_string()).unwrap_or_default();
        let actor = text("actor");
        Self {
            // Addresses are kept in lower case, and accounts of the machine as they are.
            actor: if actor.contains('@') { actor.to_lowercase() } else { actor },
            action: query.get("action").and_then(Action::parse).map_or("", Action::as_str).to_owned(),
            subject: text("subject"),
            work: text("work"),
            from: day("from"),
            to: day("to"),
        }
    }

    /// The filter. Days are those of the organisation's clocks.
    fn filter(&self, time_zone: &str) -> Filter {
        let given = |text: &String| (!text.is_empty()).then(|| text.clone());
        let zone = zone(time_zone);
        let after = |day: &String| parse(day)?.tomorrow().ok();
        Filter {
            actor: given(&self.actor),
            action: Action::parse(&self.action),
            subject: given(&self.subject),
            work: given(&self.work),
            from: parse(&self.from).map(|day| id_at(beginning(day, &zone))),
            until: after(&self.to).map(|day| id_at(beginning(day, &zone))),
        }
    }

    /// The address of the page after this one.
    fn query(&self, before: &str) -> String {
        let fields = [
            ("actor", &self.actor),
            ("action", &self.action),
            ("subject", &self.subject),
            ("work", &self.work),
            ("from", &self.from),
            ("to", &self.to),
        ];
        let given = fields.into_iter().filter(|(_, value)| !value.is_empty());
        Serializer::new(String::new()).extend_pairs(given).append_pair("before", before).finish()
    }
}

/// The page.
pub async fn get_history(State(app): State<App>, member: Member<SeeHistory>, query: Query) -> Result<Response, Error> {
    let (asked, f, tenant) = (HistoryFilter::new(&query), member.frame("history"), member.tenant());
    let filter = asked.filter(f.time_zone());
    let mut conn = app.store.read().await?;
    let limit = DASHBOARD_ROWS + 1;
    let mut entries = audit::list(&mut conn, Some(tenant), &filter, query.get("before"), limit).await?;
    let more = entries.len() > DASHBOARD_ROWS as usize;
    entries.truncate(DASHBOARD_ROWS as usize);
    let opens = opens(&mut conn, tenant, &entries, &f).await?;
    drop(conn);
    let older = entries.last().filter(|_| more).map(|last| asked.query(&last.id));
    page::show(StatusCode::OK, &HistoryPage { f, entries, opens, actions: Action::ALL, asked, older })
}
