//! An export as a file: a stream that reads as fast as its reader does.

use std::sync::Arc;

use axum::{
    Extension,
    body::{Body, Bytes},
    extract::{Path, State},
    response::Response,
};
use futures_util::stream;
use serde::Deserialize;
use serde_json::Value;

use taquilla_domain::{
    audit::{Action, Authority},
    config::{EXPORT_PAUSE, EXPORT_TRIES},
    days,
};
use taquilla_http::{app::App, connections::Exchange, errors::Error, export_places::ExportPlace};
use taquilla_pages::{download, query::Query};
use taquilla_rules::admin::staff::history;
use taquilla_store as store;
use taquilla_store::{Tenant, staff::authority};

use super::{
    columns::Table,
    query::{Clocks, ExportQuery, Format},
    rows::Rows,
};
use crate::access::{Export, Member};

/// An export under way.
struct Running {
    app: App,
    tenant: Tenant,
    authority: Option<Authority>,
    wanted: ExportQuery,
    rows: Rows,
    table: Option<Table>,
    exchange: Option<Arc<Exchange>>,
    _place: ExportPlace,
}

impl Running {
    /// The next part of the file; `None` after the last.
    async fn part(&mut self) -> store::Result<Option<Bytes>> {
        // While the database is read, it is the server's turn: nobody else's connection is worth closing this one for.
        if let Some(exchange) = &self.exchange {
            exchange.take_turn().await;
        }
        let part = self.read().await;
        if let Some(exchange) = &self.exchange {
            exchange.wait_for_client();
        }
        part
    }

    async fn read(&mut self) -> store::Result<Option<Bytes>> {
        while !self.rows.is_done() {
            let lines = self.page().await?;
            let part = self.shaped(lines).await?;
            if !part.is_empty() {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }

    /// A page of rows. A database that is busy for a moment does not break a long export off.
    async fn page(&mut self) -> store::Result<Vec<u8>> {
        let mut tries = 1;
        loop {
            match self.rows_of_reader().await {
                Err(store::Error::Unavailable(_) | store::Error::Again(_)) if tries < EXPORT_TRIES => {
                    tries += 1;
                    tokio::time::sleep(EXPORT_PAUSE).await;
                }
                read => return read,
            }
        }
    }

    /// A page of rows, if the reader may still have it: a file takes as long as its reader likes.
    async fn rows_of_reader(&mut self) -> store::Result<Vec<u8>> {
        if let Some(authority) = &self.authority
            && !authority::stands(&mut self.app.store.read().await?, authority).await?
        {
            return Err(store::Error::AuthorityWithdrawn);
        }
        self.rows.next(&self.app, self.tenant, &self.wanted).await
    }

    /// Rows as they are written into the file.
    async fn shaped(&mut self, lines: Vec<u8>) -> store::Result<Bytes> {
        let Some(table) = &mut self.table else { return Ok(lines.into()) };
        let mut rows = Vec::new();
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            rows.push(serde_json::from_slice::<Value>(line).map_err(store::Error::internal)?);
        }
        Ok(table.lines(&self.app, self.tenant, &rows).await?.into())
    }
}

/// The part of the path that names the file.
#[derive(Deserialize)]
pub struct File {
    file: String,
}

/// The file. What goes wrong before its first rows are read is answered; what goes wrong later breaks the connection off, so
/// that half a file is not taken for a whole one.
pub async fn get_export(
    State(app): State<App>,
    member: Member<Export>,
    Path(File { file }): Path<File>,
    query: Query,
    exchange: Option<Extension<Arc<Exchange>>>,
) -> Result<Response, Error> {
    let tenant = member.tenant();
    let mut conn = app.store.read().await?;
    let wanted = ExportQuery::read(&mut conn, &member, &file, &query).await?;
    let place = app.exports.take(tenant)?;
    let rows = Rows::begin(&mut conn, tenant, &wanted).await?;
    drop(conn);
    let (table, head) = match wanted.format {
        Format::Csv => {
            let (table, head) = Table::new(&wanted);
            (Some(table), head)
        }
        Format::JsonLines => (None, Vec::new()),
    };
    let name = format!(
        "{}-{}.{}",
        wanted.kind.as_str(),
        days::day_of(app.time.now(), &jiff::tz::TimeZone::UTC),
        ending(&wanted)
    );
    let media_type = if wanted.format == Format::Csv { download::CSV } else { download::JSON_LINES };
    let authority = member.by().authority.clone();
    let mut running =
        Running { app: app.clone(), tenant, authority, wanted, rows, table, exchange: None, _place: place };
    let first = running.read().await?.unwrap_or_default();
    note(&app, &member, &file, &running.wanted, &query).await?;
    running.exchange = exchange.map(|Extension(exchange)| exchange);
    let beginning = Bytes::from([head.as_slice(), &first].concat());
    let rest = stream::try_unfold(running, |mut running| async move {
        match running.part().await {
            Ok(part) => Ok(part.map(|part| (part, running))),
            Err(cause @ store::Error::AuthorityWithdrawn) => {
                tracing::info!(
                    file = running.wanted.kind.as_str(),
                    "an export ended, because its reader may not have it"
                );
                Err(cause.to_string())
            }
            Err(cause) => {
                tracing::error!(%cause, file = running.wanted.kind.as_str(), "an export broke off");
                Err(cause.to_string())
            }
        }
    });
    let whole = stream::StreamExt::chain(stream::iter([Ok(beginning)]), rest);
    Ok(download::file(&name, media_type, Body::from_stream(whole)))
}

fn ending(wanted: &ExportQuery) -> &'static str {
    match wanted.format {
        Format::Csv => "csv",
        Format::JsonLines => "jsonl",
    }
}

/// Writes down who takes out what.
async fn note(
    app: &App,
    member: &Member<Export>,
    file: &str,
    wanted: &ExportQuery,
    query: &Query,
) -> Result<(), Error> {
    let details = [
        ("event", wanted.event.as_ref().map_or("", |event| &event.id)),
        ("status", wanted.status.unwrap_or_default()),
        ("from", query.get("from").unwrap_or_default()),
        ("to", query.get("to").unwrap_or_default()),
        ("zone", if wanted.clocks == Clocks::Utc { "utc" } else { "event" }),
        ("personal_data", if wanted.sees.people() { "shown" } else { "masked" }),
    ];
    history::note(&app.store, Some(member.tenant()), member.by(), Action::Exported, file, &details).await?;
    Ok(())
}
