//! `/tickets`: the credentials.

use std::sync::LazyLock;

use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use utoipa::IntoParams;

use taquilla_domain::status::TicketStatus;
use taquilla_http::{
    app::App,
    envelope::Envelope,
    errors::Error,
    lost_marks::LostMarks,
    params::{Known, Params},
    path_id::PathId,
    reader::{Reader, TicketsRead},
    schema::{Cursor, Date, Id, Limit},
};
use taquilla_store as store;
use taquilla_store::{
    Conn, Tenant,
    lists::{End, First, Position, Shown},
    tickets::{
        chain,
        listed::{self, Query},
        type_names::TypeNames,
    },
};
use taquilla_wire::api::Ticket;

use super::{
    json::ROW_BYTES,
    list::{List, Rows},
    pages::TicketPage,
};

static PARAMS: LazyLock<Known> = LazyLock::new(Known::of::<ListTickets>);

/// The parameters of [`list_tickets`], as they are documented.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the handler reads them one by one, to name the one at fault")]
struct ListTickets {
    /// Rows on the page.
    #[param(required = false, inline)]
    limit: Limit,
    /// `next_cursor` of the page before, unchanged.
    #[param(required = false, inline)]
    cursor: Cursor,
    /// Only this event's tickets.
    #[param(required = false, inline)]
    event_id: Id,
    /// Only this order's tickets.
    #[param(required = false, inline)]
    order_id: Id,
    /// Only these; repeatable or comma-separated.
    #[param(required = false, inline, style = Form, explode, min_items = 1)]
    status: Vec<taquilla_wire::names::TicketStatus>,
    /// Issued strictly after this date.
    #[param(required = false, inline)]
    issued_after: Date,
    /// Entered strictly after this date: the parameter for an entrance feed.
    #[param(required = false, inline)]
    scanned_after: Date,
    /// Entered up to and including this date.
    #[param(required = false, inline)]
    scanned_before: Date,
    /// Changed strictly after this date, in any way.
    #[param(required = false, inline)]
    updated_after: Date,
}

/// List tickets
///
/// Tickets of every status, newest first. The list is sorted by the stamp that is filtered: by `updated_at` with
/// `updated_after`, by `checked_in_at` with `scanned_after` or `scanned_before`, else by `issued_at`. To follow changes,
/// finish a traversal, then pass the highest stamp you saw. A page may be shorter than `limit` while `has_more` is true.
///
/// The key needs the permission `TICKETS_READ`.
#[utoipa::path(get, path = "/api/v1/tickets", tag = "Tickets", params(ListTickets), security(("key" = [])),
    responses((status = 200, description = "A page of tickets.", body = TicketPage)))]
pub async fn list_tickets(
    State(app): State<App>,
    reader: Reader<TicketsRead>,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let mut list = List::open(&app, reader, "tickets", &PARAMS, query.as_deref(), |params| {
        Ok(Query {
            event_id: params.id("event_id")?,
            order_id: params.id("order_id")?,
            statuses: params.statuses(TicketStatus::ALL, TicketStatus::as_str)?,
            issued_after: params.stamp("issued_after")?,
            scanned_after: params.stamp("scanned_after")?,
            scanned_before: params.stamp("scanned_before")?,
            updated_after: params.stamp("updated_after")?,
            first: First::Newest,
        })
    })
    .await?;
    let (conn, tenant) = (&mut list.reader.conn, list.tenant);
    refuse_lost_marks(conn, &app.lost_marks, tenant, &list.query).await?;
    let query = std::mem::take(&mut list.query);
    let marks = [query.issued_after, query.scanned_after, query.updated_after];
    list.read(&marks, &Tickets { query, names: &app.type_names }).await
}

/// The list, and the names of the ticket types.
struct Tickets<'a> {
    query: Query,
    names: &'a TypeNames,
}

impl Rows for Tickets<'_> {
    fn start(&self) -> Position {
        self.query.filter().1
    }

    async fn read(
        &self,
        conn: &mut Conn,
        tenant: Tenant,
        (from, limit): (Position, usize),
        into: &mut Envelope,
        shown: &mut Shown,
    ) -> store::Result<End> {
        let (filter, _) = self.query.filter();
        listed::write_page(conn, tenant, self.names, &filter, from, limit, b',', into.rows(), shown).await
    }
}

/// Refuses marks from history that was lost. An import keeps historic stamps, also of a time that was lost before, so a
/// mark that is the stamp of a ticket that is there is a good one.
async fn refuse_lost_marks(conn: &mut Conn, lost: &LostMarks, tenant: Tenant, query: &Query) -> Result<(), Error> {
    let marks = [
        ("issued_after", "issued_at", query.issued_after),
        ("scanned_after", "checked_in_at", query.scanned_after),
        ("updated_after", "updated_at", query.updated_after),
    ];
    for (param, stamp, mark) in marks {
        if let Some((span, mark)) = lost.find(tenant, mark).zip(mark)
            && !listed::is_stamp(conn, tenant, stamp, mark).await?
        {
            return Err(Error::MarkLost { param, span });
        }
    }
    Ok(())
}

/// Get a ticket
///
/// `ticket_id` is the value of the QR code, so this also answers "what is this code". Nobody is checked in by it.
///
/// The key needs the permission `TICKETS_READ`.
#[utoipa::path(get, path = "/api/v1/tickets/{ticket_id}", tag = "Tickets", security(("key" = [])),
    params(("ticket_id" = inline(Id), Path, description = "The value of the QR code.")),
    responses((status = 200, description = "The ticket.", body = Ticket<'static>)))]
pub async fn get_ticket(
    State(app): State<App>,
    reader: Reader<TicketsRead>,
    id: PathId,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let asked = Params::none(query.as_deref()).and_then(|()| id.of("ticket"));
    let (mut reader, id) = reader.asked(asked).await?;
    let tenant = reader.tenant();
    let mut json = Vec::with_capacity(ROW_BYTES);
    match listed::write_one(&mut reader.conn, tenant, &app.type_names, &id, &mut json).await? {
        true => Ok(reader.answer(json)),
        false => Err(Error::NotFound("ticket")),
    }
}

static CHAIN_PARAMS: LazyLock<Known> = LazyLock::new(Known::of::<ListChain>);

/// The parameters of [`list_chain`], as they are documented.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the handler reads them one by one, to name the one at fault")]
struct ListChain {
    /// Rows on the page.
    #[param(required = false, inline)]
    limit: Limit,
    /// `next_cursor` of the page before, unchanged.
    #[param(required = false, inline)]
    cursor: Cursor,
}

/// List a ticket's chain of transfers
///
/// The credentials that this one has been and has become, from the first holder's to the present one's: each was passed
/// on as the next. A ticket that was never passed on is a chain of one. Any credential of a chain gives the same answer.
///
/// The key needs the permission `TICKETS_READ`.
#[utoipa::path(get, path = "/api/v1/tickets/{ticket_id}/chain", tag = "Tickets", security(("key" = [])),
    params(("ticket_id" = inline(Id), Path, description = "The value of the QR code."), ListChain),
    responses((status = 200, description = "A page of tickets, the first holder's first.", body = TicketPage)))]
pub async fn list_chain(
    State(app): State<App>,
    reader: Reader<TicketsRead>,
    id: PathId,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let id = id.of("ticket");
    let name = id.as_ref().map(|id| format!("chain\n{id}")).unwrap_or_default();
    let mut list = List::open(&app, reader, &name, &CHAIN_PARAMS, query.as_deref(), |_| id).await?;
    let (names, rows) = (&app.type_names, list.envelope.rows());
    let (from, limit) = (list.page.from, list.page.limit);
    let end = chain::write(&mut list.reader.conn, list.tenant, names, &list.query, from, limit, rows).await?;
    list.answer(end.ok_or(Error::NotFound("ticket"))?)
}
