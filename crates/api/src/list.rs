//! What all lists have in common: parameters and a cursor come in, a page in its envelope goes out.

use axum::response::Response;

use taquilla_domain::clock::Stamp;
use taquilla_http::{
    app::App,
    cursor::Request,
    envelope::Envelope,
    errors::Error,
    params::{Known, Params},
    reader::{Granted, Reader},
};
use taquilla_store as store;
use taquilla_store::{
    Conn, Tenant,
    lists::{End, Position, Shown},
    producers,
};

use super::json::ROW_BYTES;

/// A list that a key may read, opened at the page that was asked for.
pub(super) struct List<'a, Q> {
    /// What the list is narrowed down by.
    pub query: Q,
    /// The producer whose rows are read.
    pub tenant: Tenant,
    /// Who reads, and the connection to read with.
    pub reader: Granted,
    /// The rows.
    pub envelope: Envelope,
    /// Where the page begins, and how many rows it has at the most.
    pub page: Request,
    app: &'a App,
}

/// The rows of a list.
pub(super) trait Rows {
    /// Where the first page begins.
    fn start(&self) -> Position;

    /// Reads one page.
    fn read(
        &self,
        conn: &mut Conn,
        tenant: Tenant,
        place: (Position, usize),
        into: &mut Envelope,
        shown: &mut Shown,
    ) -> impl Future<Output = store::Result<End>> + Send;
}

impl<'a, Q> List<'a, Q> {
    /// Reads the parameters that the list knows and opens the cursor, which is bound to the list's name and to everything
    /// that `read` reads.
    pub async fn open<P>(
        app: &'a App,
        reader: Reader<P>,
        name: &str,
        known: &Known,
        query: Option<&str>,
        read: impl FnOnce(&mut Params) -> Result<Q, Error>,
    ) -> Result<Self, Error> {
        let tenant = reader.tenant();
        let asked = Params::parse(query, known).and_then(|mut params| {
            let query = read(&mut params)?;
            Ok((query, Request::read(&params, &app.sealer, name, tenant)?))
        });
        let (reader, (query, page)) = reader.asked(asked).await?;
        let envelope = Envelope::with_capacity(page.limit, ROW_BYTES);
        Ok(Self { query, tenant, reader, envelope, page, app })
    }

    /// Reads the page and answers. `marks` are the stamps that the client says it has seen. A replica may read it for a client
    /// that has seen something, if it has come so far itself; whoever has seen nothing may know of changes by other ways, and
    /// gets the present.
    pub async fn read(mut self, marks: &[Option<Stamp>], rows: &(impl Rows + Sync)) -> Result<Response, Error> {
        let app = self.app;
        let (tenant, place) = (self.tenant, (self.page.from.unwrap_or(rows.start()), self.page.limit));
        let mut answer = None;
        if let Some(seen) = self.seen(marks)
            && let Some(replica) = app.store.replica()
        {
            let asked = async {
                let (mut envelope, mut shown) = (Envelope::with_capacity(place.1, ROW_BYTES), Shown::default());
                let mut conn = replica.caught_up(tenant, seen).await?;
                let end = rows.read(&mut conn, tenant, place, &mut envelope, &mut shown).await?;
                note_state(&self.page, &mut conn, tenant, end, &mut shown).await?;
                Ok((end, envelope, shown))
            };
            answer = self.reader.beside(&replica, asked).await?;
        }
        app.metrics.count_list(answer.is_some());
        let (end, envelope, Shown(shown)) = match answer {
            Some(answer) => answer,
            None => {
                let mut shown = Shown::default();
                let conn = &mut self.reader.conn;
                let end = rows.read(conn, tenant, place, &mut self.envelope, &mut shown).await?;
                if app.store.has_replicas() {
                    note_state(&self.page, conn, tenant, end, &mut shown).await?;
                }
                (end, self.envelope, shown)
            }
        };
        // A server without replicas needs no more than the place.
        let before = self.page.shown.filter(|_| app.store.has_replicas());
        let next = self.page.next_cursor(&app.sealer, end, before.map(|Shown(before)| Shown(before.max(shown))))?;
        Ok(self.reader.answer(envelope.finish(next.as_deref())))
    }

    /// Everything that the client has seen: its marks, and what earlier pages have shown. `None` if it has seen nothing, or if
    /// an old cursor does not say what.
    fn seen(&self, marks: &[Option<Stamp>]) -> Option<Stamp> {
        let shown = self.page.shown.map(|Shown(stamp)| stamp)?;
        let highest = marks.iter().flatten().copied().fold(shown, Stamp::max);
        Some(highest).filter(|highest| *highest > Stamp::BEGINNING)
    }

    /// The page, with a cursor to the next one if there is one.
    pub fn answer(self, end: End) -> Result<Response, Error> {
        let next = self.page.next_cursor(&self.app.sealer, end, None)?;
        Ok(self.reader.answer(self.envelope.finish(next.as_deref())))
    }
}

/// Notes the state of the database in which a traversal began, of which its first page shows only a part: a replica from before
/// it could hold back a row further down that changed before anything was read.
async fn note_state(page: &Request, conn: &mut Conn, tenant: Tenant, end: End, shown: &mut Shown) -> store::Result<()> {
    if page.from.is_none() && matches!(end, End::More(_)) {
        shown.0 = shown.0.max(producers::clock(conn, tenant).await?);
    }
    Ok(())
}
