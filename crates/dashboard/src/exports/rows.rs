//! The rows of an export, page after page. Each page is read on a connection of its own turn, from where the last one ended,
//! so that an export holds nothing while its reader is slow. Rows are sorted by what never changes, so every row that was
//! there at the beginning comes exactly once.

use serde_json::{Value, json};

use taquilla_domain::{
    clock::Stamp,
    config::EXPORT_PAGE,
    door_link::DoorLink,
    status::{OrderStatus, TicketStatus},
};
use taquilla_http::app::App;
use taquilla_store::{
    Conn, Result, Tenant,
    door::{links, scans},
    lists::{End, Position},
    producers,
    sales::{self, orders, payment_lists},
    tickets,
};
use taquilla_wire::Time;

use super::query::{ExportQuery, Kind};

/// The rows of a page: JSON documents, one on each line.
pub type Lines = Vec<u8>;

/// Where an export is.
pub enum Rows {
    /// Tickets or orders, below a position of their list.
    Listed(Position),
    /// Scans: the doors that are left, and the last seq that was read of the first of them.
    Scans(Scans),
    /// Payments, after the last one.
    Payments(payment_lists::After),
    /// After the last row.
    Done,
}

/// Where an export of scans is.
pub struct Scans {
    /// The links that are left, the next one last. `None` is for scans without a link, which come last of all.
    links: Vec<Option<DoorLink>>,
    after: i64,
    /// The last seq that was given out when the export began.
    last: i64,
}

impl Rows {
    /// The position before the first row.
    pub async fn begin(conn: &mut Conn, tenant: Tenant, wanted: &ExportQuery) -> Result<Self> {
        Ok(match wanted.kind {
            Kind::Tickets | Kind::Orders => {
                Self::Listed(Position::above(wanted.to.map_or(Stamp::END, |to| Stamp::from_micros(to.micros() - 1))))
            }
            Kind::Scans => Self::Scans(Scans::begin(conn, tenant, wanted).await?),
            Kind::Payments => Self::Payments(payment_lists::After::time(wanted.from.unwrap_or(Stamp::BEGINNING))),
        })
    }

    /// Reads the next page. It may have no row although there are more pages.
    pub async fn next(&mut self, app: &App, tenant: Tenant, wanted: &ExportQuery) -> Result<Lines> {
        let mut conn = app.store.read().await?;
        let mut lines = Lines::new();
        let next = match self {
            Self::Listed(from) => listed(&mut conn, app, tenant, wanted, *from, &mut lines).await?,
            Self::Scans(scans) => {
                scans.next(&mut conn, tenant, wanted, &mut lines).await?;
                if scans.links.is_empty() { Some(Self::Done) } else { None }
            }
            Self::Payments(after) => {
                let read = paid(&mut conn, tenant, wanted, after, &mut lines).await?;
                Some(read.map_or(Self::Done, Self::Payments))
            }
            Self::Done => None,
        };
        if let Some(next) = next {
            *self = next;
        }
        Ok(lines)
    }

    /// Whether every row was read.
    pub fn is_done(&self) -> bool {
        matches!(self, Self::Done)
    }
}

async fn listed(
    conn: &mut Conn,
    app: &App,
    tenant: Tenant,
    wanted: &ExportQuery,
    from: Position,
    into: &mut Lines,
) -> Result<Option<Rows>> {
    let event_id = wanted.event.as_ref().map(|event| event.id.clone());
    // What is after a moment is at or after the one before it.
    let after = wanted.from.map(|from| Stamp::from_micros(from.micros() - 1));
    let (lines, end) = if wanted.kind == Kind::Tickets {
        let statuses = wanted.status.and_then(TicketStatus::parse).into_iter().collect();
        let query = tickets::listed::Query { event_id, statuses, issued_after: after, ..Default::default() };
        let (filter, _) = query.filter();
        tickets::listed::lines(conn, tenant, &app.type_names, &filter, from, EXPORT_PAGE).await?
    } else {
        let statuses = wanted.status.and_then(OrderStatus::parse).into_iter().collect();
        let query = orders::Query { event_id, statuses, created_after: after, ..Default::default() };
        let (filter, _) = query.filter();
        sales::listed::lines(conn, tenant, &filter, from, EXPORT_PAGE).await?
    };
    into.extend(lines.seen_by(wanted.sees).into_text());
    if !into.is_empty() && !into.ends_with(b"\n") {
        into.push(b'\n');
    }
    Ok(Some(match end {
        End::More(position) => Rows::Listed(position),
        End::Complete => Rows::Done,
    }))
}

impl Scans {
    async fn begin(conn: &mut Conn, tenant: Tenant, wanted: &ExportQuery) -> Result<Self> {
        let last = producers::last_seq(conn, tenant).await?;
        let event = wanted.event.as_ref().map(|event| event.id.as_str());
        let of_event = links::list(conn, tenant).await?.into_iter();
        let of_event = of_event.filter(|link| event.is_none_or(|event| link.is_for(event)));
        let mut links: Vec<Option<DoorLink>> = of_event.map(Some).collect();
        links.push(None);
        links.reverse();
        Ok(Self { links, after: i64::MIN, last })
    }

    async fn next(&mut self, conn: &mut Conn, tenant: Tenant, wanted: &ExportQuery, into: &mut Lines) -> Result<()> {
        let Some(link) = self.links.last() else { return Ok(()) };
        let id = link.as_ref().map(|link| link.id.as_str());
        let page = scans::after(conn, tenant, id, self.after, self.last, EXPORT_PAGE).await?;
        let event = wanted.event.as_ref().map(|event| event.id.as_str());
        for scan in &page {
            // What is no ticket of a link for several events is told of the first.
            let of_ticket = scan.event_id.as_deref();
            let event_id = match link {
                Some(link) => of_ticket.filter(|id| link.is_for(id)).or(Some(link.event_id.as_str())),
                None => of_ticket,
            };
            let fits = wanted.has(scan.logged.accepted_at)
                && wanted.status.is_none_or(|status| status == scan.logged.outcome.as_str())
                && event.is_none_or(|event| event_id == Some(event));
            if fits {
                let logged = &scan.logged;
                write(
                    &json!({
                        "scan_id": logged.scan_id, "event_id": event_id, "door_link_id": id,
                        "door_link": link.as_ref().map(|link| &link.label), "station": logged.station,
                        "outcome": logged.outcome.as_str(), "ticket_id": logged.ticket_id.clone().seen_by(wanted.sees),
                        "scanned_at": logged.scanned_at.map(Time), "accepted_at": Time(logged.accepted_at),
                    }),
                    into,
                )?;
            }
        }
        match page.last().filter(|_| page.len() == EXPORT_PAGE) {
            Some(scan) => self.after = scan.seq,
            None => {
                self.links.pop();
                self.after = i64::MIN;
            }
        }
        Ok(())
    }
}

/// Writes a page of payments, oldest first, and returns where the next one begins.
async fn paid(
    conn: &mut Conn,
    tenant: Tenant,
    wanted: &ExportQuery,
    after: &payment_lists::After,
    into: &mut Lines,
) -> Result<Option<payment_lists::After>> {
    let page = payment_lists::after(conn, tenant, after, EXPORT_PAGE).await?;
    let event = wanted.event.as_ref().map(|event| event.id.as_str());
    for (kept, event_id) in &page {
        if wanted.has(kept.received_at) && event.is_none_or(|event| event_id.as_deref() == Some(event)) {
            write(
                &json!({
                    "id": kept.id, "outcome": kept.outcome.as_str(), "reference": kept.reference.clone().seen_by(wanted.sees),
                    "order_id": kept.order_id, "event_id": event_id, "amount": kept.amount, "currency": kept.currency,
                    "result": kept.result, "received_at": Time(kept.received_at),
                    "paid_back_at": kept.paid_back_at.map(Time), "note": kept.note.clone().seen_by(wanted.sees),
                }),
                into,
            )?;
        }
    }
    let last =
        page.last().filter(|(kept, _)| page.len() == EXPORT_PAGE && wanted.to.is_none_or(|to| kept.received_at < to));
    Ok(last.map(|(kept, _)| payment_lists::After::row(kept)))
}

fn write(row: &Value, into: &mut Lines) -> Result<()> {
    serde_json::to_writer(&mut *into, row).map_err(taquilla_store::Error::internal)?;
    into.push(b'\n');
    Ok(())
}
