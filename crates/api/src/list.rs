//! What all lists have in common: parameters and a cursor come in, a page in its envelope goes out.

use axum::response::Response;

use taquilla_http::{
    app::App,
    cursor::Request,
    envelope::Envelope,
    errors::Error,
    params::{Known, Params},
    reader::{Granted, Reader},
};
use taquilla_store::{Tenant, lists::End};

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

    /// The page, with a cursor to the next one if there is one.
    pub fn answer(self, end: End) -> Result<Response, Error> {
        let next = self.page.next_cursor(&self.app.sealer, end)?;
        Ok(self.reader.answer(self.envelope.finish(next.as_deref())))
    }
}
