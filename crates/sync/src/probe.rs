//! What a server can be asked by.

use std::collections::BTreeMap;

use taquilla_client::Time;

use crate::{
    error::Error,
    lists::{Listed, Stamp},
    schema::{ORDERS, TICKETS},
    sync::Sync,
};

/// The stamps that a list can be asked by, and the newest stamp of changes at the moment.
pub(crate) struct Found {
    pub follows: Vec<Stamp>,
    pub newest: BTreeMap<Stamp, Time>,
}

/// What is said of a server that has nothing but the specification.
const PLAIN: &str = "this server does not tell when tickets change. New tickets and entries are followed by issued_after and \
     scanned_after, and the tickets of an order are read again when the order changes. Not seen until the next full load: \
     tickets that were cancelled, hidden or changed alone, and entries that were undone; --full-every says how often to load \
     everything";

impl Sync {
    /// Finds out what a list can be asked by. A server that does not know `updated_after` refuses it, or shows what is not later.
    pub(crate) async fn probe<T: Listed>(&self) -> Result<Found, Error> {
        let mut found = Found { follows: Vec::new(), newest: BTreeMap::new() };
        let name = T::TABLE.name;
        let first = async |after: Option<(Stamp, Time)>| {
            let page = T::rows(&self.client, after).page_size(1).next_page().await;
            page.map(|page| page.map_or_else(Vec::new, |page| page.data))
        };
        let Some(newest) = first(None).await?.into_iter().next() else { return Ok(found) };
        let follows_changes = match newest.stamp(Stamp::Updated) {
            // The specification says so of orders.
            Some(_) if name == ORDERS.name => true,
            Some(stamp) => match first(Some((Stamp::Updated, stamp))).await {
                Ok(later) => later.iter().all(|row| row.stamp(Stamp::Updated) > Some(stamp)),
                Err(cause) if cause.is_status(400) => false,
                Err(cause) => return Err(cause.into()),
            },
            None => false,
        };
        if follows_changes {
            found.follows.push(Stamp::Updated);
            // Whatever happens during the full traversal comes after the newest change before it.
            let changed = first(Some((Stamp::Updated, Time::BEGINNING))).await?;
            let stamp = changed.first().and_then(|row| row.stamp(Stamp::Updated));
            found.newest.extend(stamp.map(|stamp| (Stamp::Updated, stamp)));
        } else if name == TICKETS.name {
            found.follows.extend([Stamp::Issued, Stamp::Scanned]);
            self.note(PLAIN);
        }
        Ok(found)
    }
}
