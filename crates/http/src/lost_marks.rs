//! Marks of clients from history that was lost.
//!
//! Servers read the lost spans when they start, and refuse marks from them (G1): such a client saw what is gone, and
//! rows that are new would not tell it. A mark that is the stamp of a ticket is taken, because an import may bring
//! historic stamps.

use std::collections::HashMap;

use taquilla_domain::{clock::Stamp, lost_span::LostSpan};
use taquilla_store as store;
use taquilla_store::{Store, Tenant, lost_history};

use super::errors::Error;

/// What every producer has lost. It is read when a server starts: a database is restored before there is one.
pub struct LostMarks(HashMap<Tenant, Vec<LostSpan>>);

impl LostMarks {
    /// Reads what is known.
    pub async fn read(store: &Store) -> store::Result<Self> {
        let mut lost: HashMap<Tenant, Vec<LostSpan>> = HashMap::new();
        for (tenant, span) in lost_history::all(&mut store.read().await?).await? {
            lost.entry(tenant).or_default().push(span);
        }
        Ok(Self(lost))
    }

    /// The history that a mark is from, if it was lost.
    pub fn find(&self, tenant: Tenant, mark: Option<Stamp>) -> Option<LostSpan> {
        let mark = mark?;
        self.0.get(&tenant)?.iter().copied().find(|span| span.contains(mark))
    }

    /// Refuses a mark of a feed whose stamps come from the producer's clock alone: no row has one from lost history, so
    /// whoever has such a mark saw what is gone.
    pub fn refuse(&self, tenant: Tenant, param: &'static str, mark: Option<Stamp>) -> Result<(), Error> {
        match self.find(tenant, mark) {
            Some(span) => Err(Error::MarkLost { param, span }),
            None => Ok(()),
        }
    }
}
