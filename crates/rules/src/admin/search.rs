//! Searching for staff.
//!
//! An id, a number or a reference is found by its index. Any other text is looked for in every order or ticket of the producer,
//! or of one event, newest first, until there are enough. Each part is read on a connection of its own turn, so that a
//! long search holds nothing for long. The place where a part ends never moves, so none is skipped or read twice.

use serde_json::Value;

use taquilla_domain::{order::Order, order_number::OrderNumber, personal::Personal, words::Words};
use taquilla_store::{
    Conn, Error, Result, Store, Tenant,
    lists::End,
    sales::{self, numbers, orders},
    tickets::{
        self, listed,
        rows::{self, State},
        shown,
    },
};

use super::lists::NewestRows;

/// What to look for, and where.
pub struct Search<'a> {
    /// The text as it was given: an id, a number or a reference, perhaps.
    pub text: &'a str,
    /// The words of the text.
    pub words: &'a Words,
    /// Only at this event.
    pub event_id: Option<&'a str>,
    /// How many are enough.
    pub limit: usize,
}

/// The order with this id, this number or this buyer's reference.
pub async fn order(conn: &mut Conn, tenant: Tenant, text: &str) -> Result<Option<Personal<Order>>> {
    if let Some(order) = orders::find(conn, tenant, text).await? {
        return Ok(Some(order));
    }
    if let Some(order) = order_with_number(conn, tenant, text).await? {
        return Ok(Some(order));
    }
    // A reference names its producer; another producer's does not exist here.
    let Some((_, secret)) = orders::split_reference(text).filter(|(owner, _)| *owner == tenant) else {
        return Ok(None);
    };
    match orders::find_by_reference(conn, tenant, secret).await? {
        Some(id) => orders::find(conn, tenant, &id).await,
        None => Ok(None),
    }
}

/// The order with this number.
pub async fn order_with_number(conn: &mut Conn, tenant: Tenant, text: &str) -> Result<Option<Personal<Order>>> {
    let Some(number) = OrderNumber::parse(text) else { return Ok(None) };
    match numbers::find(conn, tenant, number).await? {
        Some(id) => orders::find(conn, tenant, &id).await,
        None => Ok(None),
    }
}

/// Orders by id, number, reference, or anything known of the buyer. `progress` is told how many were read so far.
pub async fn orders(
    store: &Store,
    tenant: Tenant,
    search: &Search<'_>,
    mut progress: impl FnMut(u64),
) -> Result<NewestRows<Order>> {
    let known = order(&mut store.read().await?, tenant, search.text).await?;
    let known = known.map(Personal::into_uncovered);
    if let Some(order) = known.filter(|order| search.event_id.is_none_or(|event| event == order.event_id)) {
        return Ok(NewestRows { rows: vec![order], has_more: false });
    }
    let query = orders::Query { event_id: search.event_id.map(str::to_owned), ..orders::Query::default() };
    let (mut found, mut from, mut read) = (Vec::new(), None, 0);
    loop {
        let mut conn = store.read().await?;
        let (matches, rows, end) = sales::search::page(&mut conn, tenant, &query, search.words, from).await?;
        found.extend(matches);
        read += rows;
        progress(read);
        match end {
            End::More(position) if found.len() < search.limit => from = Some(position),
            end => return Ok(enough(found, search.limit, end)),
        }
    }
}

/// Tickets by id, or anything known of the attendee, as the API shows them. A hidden one is found by its id only.
pub async fn tickets(
    store: &Store,
    tenant: Tenant,
    search: &Search<'_>,
    mut progress: impl FnMut(u64),
) -> Result<NewestRows<Value>> {
    let known = rows::state(&mut store.read().await?, tenant, search.text).await?;
    if let Some(state) = known.filter(|state| search.event_id.is_none_or(|event| event == state.event_id)) {
        let rows = shown(&mut store.read().await?, tenant, &[&state]).await?;
        return Ok(NewestRows { rows, has_more: false });
    }
    let query = listed::Query { event_id: search.event_id.map(str::to_owned), ..listed::Query::default() };
    let (mut found, mut from, mut read) = (Vec::new(), None, 0);
    let end = loop {
        let mut conn = store.read().await?;
        let (matches, rows, end) = tickets::search::page(&mut conn, tenant, &query, search.words, from).await?;
        found.extend(matches);
        read += rows;
        progress(read);
        match end {
            End::More(position) if found.len() < search.limit => from = Some(position),
            end => break end,
        }
    };
    let NewestRows { rows: ids, has_more } = enough(found, search.limit, end);
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut conn = store.read().await?;
    let states = rows::states(&mut conn, tenant, &ids).await?;
    let states: Vec<&State> = ids.iter().filter_map(|id| states.get(*id)).collect();
    Ok(NewestRows { rows: shown(&mut conn, tenant, &states).await?, has_more })
}

/// Tickets as the API shows them.
async fn shown(conn: &mut Conn, tenant: Tenant, states: &[&State]) -> Result<Vec<Value>> {
    let texts = shown::shown(conn, tenant, states).await?;
    texts.iter().map(|text| serde_json::from_str(text).map_err(Error::internal)).collect()
}

fn enough<T>(mut rows: Vec<T>, limit: usize, end: End) -> NewestRows<T> {
    let has_more = rows.len() > limit || end != End::Complete;
    rows.truncate(limit);
    NewestRows { rows, has_more }
}
