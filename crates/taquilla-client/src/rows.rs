//! Lists, page by page.

use std::{marker::PhantomData, sync::Arc, vec};

use futures_util::{Stream, stream};
use serde::{Deserialize, de::DeserializeOwned};

use super::{call::Caller, error::Error, filters::Query, time::Time};

/// A page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    /// The rows. There may be none although more pages follow.
    pub data: Vec<T>,
    /// What continues the list after this page. `None` when the traversal is complete.
    pub next_cursor: Option<String>,
    /// The present by the server's clock, to the second, if it says so.
    pub date: Option<Time>,
}

/// The envelope of every list.
#[derive(Deserialize)]
struct Envelope<T> {
    data: Vec<T>,
    has_more: bool,
    #[serde(default)]
    next_cursor: Option<String>,
}

/// The rows of a list, which are read page by page.
///
/// After an error there is nothing more: the cursor of a failed call is not used again.
pub struct Rows<T> {
    caller: Arc<Caller>,
    path: String,
    query: Query,
    limit: u16,
    next: Next,
    page: vec::IntoIter<T>,
    row: PhantomData<T>,
}

enum Next {
    First,
    Cursor(String),
    Over,
}

impl<T: DeserializeOwned> Rows<T> {
    pub(crate) fn new(caller: Arc<Caller>, path: String, query: Query, limit: u16) -> Self {
        Self { caller, path, query, limit, next: Next::First, page: Vec::new().into_iter(), row: PhantomData }
    }

    /// Reads so many rows at a time: from 1 to 200.
    #[must_use]
    pub fn page_size(mut self, limit: u16) -> Self {
        self.limit = limit.clamp(1, 200);
        self
    }

    /// Goes on where another traversal with the same filters was interrupted: with the [`Page::next_cursor`] of its last page that
    /// was stored. A cursor with which a call has failed is not for this.
    #[must_use]
    pub fn from_cursor(mut self, cursor: impl Into<String>) -> Self {
        self.next = Next::Cursor(cursor.into());
        self
    }

    /// The next page, or `None` when the traversal is complete or has failed.
    pub async fn next_page(&mut self) -> Result<Option<Page<T>>, Error> {
        let mut query = self.query.clone();
        query.push(("limit", self.limit.to_string()));
        // Whatever goes wrong from here on, nothing follows.
        let sent = match std::mem::replace(&mut self.next, Next::Over) {
            Next::Over => return Ok(None),
            Next::First => None,
            Next::Cursor(cursor) => {
                query.push(("cursor", cursor.clone()));
                Some(cursor)
            }
        };
        let answer = self.caller.get(&self.path, &query).await?;
        let Envelope { data, has_more, next_cursor } = answer.json(&self.path)?;
        let next_cursor = next_cursor.filter(|_| has_more);
        if has_more && next_cursor.is_none() {
            return Err(answer.unusable(&self.path, "has_more is true, and there is no next_cursor".to_owned()));
        }
        if next_cursor.is_some() && next_cursor == sent {
            return Err(
                answer.unusable(&self.path, "next_cursor is the cursor that led here: the list has no end".to_owned())
            );
        }
        if let Some(cursor) = &next_cursor {
            self.next = Next::Cursor(cursor.clone());
        }
        Ok(Some(Page { data, next_cursor, date: answer.date }))
    }

    /// The next row, or `None` when the traversal is complete or has failed.
    pub async fn next(&mut self) -> Result<Option<T>, Error> {
        loop {
            if let Some(row) = self.page.next() {
                return Ok(Some(row));
            }
            match self.next_page().await? {
                Some(page) => self.page = page.data.into_iter(),
                None => return Ok(None),
            }
        }
    }

    /// The rows as a stream.
    pub fn into_stream(self) -> impl Stream<Item = Result<T, Error>> {
        stream::try_unfold(self, async |mut rows| Ok(rows.next().await?.map(|row| (row, rows))))
    }
}
