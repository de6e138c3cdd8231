//! Lists for staff: pages of the same lists that the API reads, put together up to a limit.

use serde_json::Value;

use taquilla_domain::{
    clock::Stamp,
    config::{CHAIN_MAX, PAGE_MAX},
    event::Event,
    order::Order,
    personal::Personal,
};
use taquilla_store::{
    Error, Result, Store, Tenant,
    catalogue::events::{self, EVENTS},
    lists::{self, End, Position, Shown},
    producers::{self, Details},
    sales::orders,
    tickets::{chain, listed, type_names::TypeNames},
};

/// What was found, and whether that is all.
pub struct NewestRows<T> {
    /// What was found, newest first.
    pub rows: Vec<T>,
    /// Whether the limit left something out.
    pub has_more: bool,
}

/// The producers.
pub async fn producers(store: &Store, limit: usize) -> Result<NewestRows<Details>> {
    let mut rows = producers::newest(&mut store.read().await?, limit as i64 + 1).await?;
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    Ok(NewestRows { rows, has_more })
}

/// A producer's events, each shaped while its row is read.
pub async fn events<T: Send>(
    store: &Store,
    tenant: Tenant,
    limit: usize,
    shape: impl Fn(Event<'_>) -> T + Send + Sync,
) -> Result<NewestRows<T>> {
    let mut rows = Vec::new();
    let (mut conn, start) = (store.read().await?, Position::above(Stamp::END));
    let end = lists::page(&mut conn, tenant, &EVENTS, &events::filter(None), start, limit, |row| {
        rows.push(shape(events::listed(row)?));
        Ok(())
    })
    .await?;
    Ok(NewestRows { rows, has_more: end != End::Complete })
}

/// A producer's orders.
pub async fn orders(store: &Store, tenant: Tenant, query: &orders::Query, limit: usize) -> Result<NewestRows<Order>> {
    let (mut conn, mut rows, mut from) = (store.read().await?, Vec::new(), None);
    loop {
        let (page, end) = orders::page(&mut conn, tenant, query, from, page_size(limit - rows.len())).await?;
        rows.extend(page.into_iter().map(Personal::into_uncovered));
        match end {
            End::More(position) if rows.len() < limit => from = Some(position),
            end => return Ok(NewestRows { rows, has_more: end != End::Complete }),
        }
    }
}

/// A producer's tickets, as the API shows them.
pub async fn tickets(store: &Store, tenant: Tenant, query: &listed::Query, limit: usize) -> Result<NewestRows<Value>> {
    let (mut conn, names, mut rows) = (store.read().await?, TypeNames::default(), Vec::<Value>::new());
    let (filter, mut from) = query.filter();
    loop {
        let (mut documents, size, mut shown) = (Vec::new(), page_size(limit - rows.len()), Shown::default());
        let into = &mut documents;
        let end = listed::write_page(&mut conn, tenant, &names, &filter, from, size, b',', into, &mut shown).await?;
        rows.extend(values(&documents)?);
        match end {
            End::More(position) if rows.len() < limit => from = position,
            end => return Ok(NewestRows { rows, has_more: end != End::Complete }),
        }
    }
}

/// Every ticket of the chain of transfers that this one belongs to, the first holder's first, as the API shows them.
/// `None` if the producer has no ticket with this id.
pub async fn chain(store: &Store, tenant: Tenant, id: &str) -> Result<Option<Vec<Value>>> {
    let (mut conn, names, mut documents) = (store.read().await?, TypeNames::default(), Vec::new());
    // The first ticket, and as many transfers as are followed.
    let limit = CHAIN_MAX as usize + 1;
    match chain::write(&mut conn, tenant, &names, id, None, limit, &mut documents).await? {
        Some(_) => values(&documents).map(Some),
        None => Ok(None),
    }
}

/// Documents with commas between them, read.
fn values(documents: &[u8]) -> Result<Vec<Value>> {
    serde_json::from_slice(&[b"[", documents, b"]"].concat()).map_err(Error::internal)
}

/// Rows of the next page. It is never larger than a page of the API, for which the statements are made.
fn page_size(left: usize) -> usize {
    left.min(PAGE_MAX as usize)
}
