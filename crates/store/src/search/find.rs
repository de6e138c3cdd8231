//! Looking up orders and tickets in the index. However much there is, a bounded number of entries and rows is read.

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use futures_util::{FutureExt, future::BoxFuture};

use taquilla_domain::{
    config::{EXAMINED_MAX, SEARCH_CODE_MAX, SEARCH_CODE_MIN, SEARCH_ENTRY_MAX, TICKETS_FETCHED},
    order::Order,
    personal::{Personal, Sees},
    search_text::{SearchText, person_entries},
};

use super::entries::Kind;
use crate::{
    Conn, Result, Tenant,
    engine::sql::{Param, params},
    lists::Position,
    sales::orders,
    tickets::staff::{self, Held},
};

/// What was found.
pub struct SearchResult<T> {
    /// The rows, newest first.
    pub rows: Vec<T>,
    /// Whether there may be more, which another word would bring.
    pub is_cut: bool,
}

/// Reads the rows at some places.
type Fetch<T> = for<'a> fn(&'a mut Conn, Tenant, &'a [Position]) -> BoxFuture<'a, Result<Vec<T>>>;

/// Places of rows that may be meant.
#[derive(Default)]
struct Candidates {
    places: BTreeSet<Position>,
    is_cut: bool,
}

/// The entries that begin with a text. The greatest character follows all that may come after it.
pub const BEGINNING_WITH: &str = "SELECT at, seq FROM search_words WHERE producer_id = ?1 AND kind = ?2 \
     AND word >= ?3 AND word < ?4 ORDER BY word, at, seq LIMIT ?5";

/// The rows with an entry that begins with a text, and whether that is all.
async fn beginning_with(conn: &mut Conn, tenant: Tenant, kind: Kind, text: &str) -> Result<(HashSet<Position>, bool)> {
    let end = format!("{text}\u{10ffff}");
    let values = params![tenant.number(), kind as i64, text, &end, EXAMINED_MAX as i64 + 1];
    let mut read =
        conn.collect(BEGINNING_WITH, values, |row| Ok(Position { stamp: row.stamp(0)?, seq: row.int(1)? })).await?;
    let is_all = read.len() <= EXAMINED_MAX;
    read.truncate(EXAMINED_MAX);
    Ok((read.into_iter().collect(), is_all))
}

impl Candidates {
    async fn add(&mut self, conn: &mut Conn, tenant: Tenant, kind: Kind, text: &str) -> Result<()> {
        let (places, is_all) = beginning_with(conn, tenant, kind, text).await?;
        self.places.extend(places);
        self.is_cut |= !is_all;
        Ok(())
    }

    /// Rows of people: by the whole text, and by its single words in any order.
    async fn add_people(&mut self, conn: &mut Conn, tenant: Tenant, kind: Kind, text: &SearchText) -> Result<()> {
        self.add(conn, tenant, kind, &text.phrase()).await?;
        if let Some(number) = text.number() {
            self.add(conn, tenant, kind, &number).await?;
        }
        let words = text.words();
        if words.len() < 2 {
            return Ok(());
        }
        let (mut rows, mut is_cut): (Option<HashSet<Position>>, bool) = (None, true);
        let mut first = HashSet::new();
        for word in words {
            let (places, is_all) = beginning_with(conn, tenant, kind, word).await?;
            if is_all {
                is_cut = false;
                rows = Some(match rows {
                    Some(rows) => rows.intersection(&places).copied().collect(),
                    None => places,
                });
            } else if first.is_empty() {
                first = places;
            }
        }
        // If each of the words is frequent, some of the rows with the first one are compared.
        self.places.extend(rows.unwrap_or(first));
        self.is_cut |= is_cut;
        Ok(())
    }

    /// Reads the rows, newest first, until enough of them are meant.
    async fn rows<T>(
        self,
        conn: &mut Conn,
        tenant: Tenant,
        limit: usize,
        fetch: Fetch<T>,
        is_meant: impl Fn(&T) -> bool,
    ) -> Result<SearchResult<T>> {
        let Self { places, mut is_cut } = self;
        let places: Vec<Position> = places.into_iter().rev().collect();
        is_cut |= places.len() > EXAMINED_MAX;
        let mut rows = Vec::new();
        for part in places[..places.len().min(EXAMINED_MAX)].chunks(TICKETS_FETCHED) {
            rows.extend(fetch(conn, tenant, part).await?.into_iter().filter(&is_meant));
            if rows.len() > limit {
                rows.truncate(limit);
                is_cut = true;
                break;
            }
        }
        Ok(SearchResult { rows, is_cut })
    }
}

/// By what somebody may search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// By everything that is known.
    All,
    /// By the ids of orders alone, because whoever searches may not see what is known of people: they would learn it
    /// from what is found.
    Ids,
}

impl From<Sees> for By {
    fn from(sees: Sees) -> Self {
        if sees.people() { Self::All } else { Self::Ids }
    }
}

/// Orders by what is known of their buyers and attendees, and by the beginning of their ids and of their tickets' codes.
pub async fn orders(
    conn: &mut Conn,
    tenant: Tenant,
    text: &SearchText,
    by: By,
    limit: usize,
    wanted: &orders::Query,
) -> Result<SearchResult<Personal<Order>>> {
    let mut candidates = Candidates::default();
    let id = text.code();
    if id.len() >= SEARCH_CODE_MIN {
        candidates.add(conn, tenant, Kind::OrderId, &id[..id.floor_char_boundary(SEARCH_ENTRY_MAX)]).await?;
    }
    if by == By::All {
        candidates.add_people(conn, tenant, Kind::Buyer, text).await?;
    }
    let is_meant = |read: &Personal<Order>| {
        let order = read.uncovered();
        let by_person = by == By::All && text.means(&person_entries(&order.buyer));
        wanted.has(read) && (by_person || text.begins(&order.id))
    };
    let fetch: Fetch<Personal<Order>> = |conn, tenant, places| {
        async move {
            let mut orders = orders_at(conn, tenant, places).await?;
            orders::add_items(conn, tenant, &mut orders).await?;
            Ok(orders.into_iter().map(Personal::new).collect())
        }
        .boxed()
    };
    let mut found = candidates.rows(conn, tenant, limit, fetch, is_meant).await?;
    if by == By::All && found.rows.len() < limit {
        add_by_attendees(conn, tenant, text, limit, wanted, &mut found).await?;
    }
    Ok(found)
}

/// Adds the orders of tickets whose attendees or codes are meant, newest first.
async fn add_by_attendees(
    conn: &mut Conn,
    tenant: Tenant,
    text: &SearchText,
    limit: usize,
    wanted: &orders::Query,
    found: &mut SearchResult<Personal<Order>>,
) -> Result<()> {
    let tickets = by_attendees(conn, tenant, text, limit, |held| {
        held.is(wanted.event_id.as_deref(), None, &[]) && held.state.uncovered().order_id.is_some()
    });
    let SearchResult { rows: tickets, is_cut } = tickets.await?;
    let known: HashSet<&str> = found.rows.iter().map(|order| order.uncovered().id.as_str()).collect();
    let ids: BTreeSet<&str> = tickets.iter().filter_map(|held| held.state.uncovered().order_id.as_deref()).collect();
    let ids: Vec<&str> = ids.into_iter().filter(|id| !known.contains(id)).collect();
    let mut orders = Vec::new();
    conn.ask(vec![orders::find_all(tenant, &ids, &mut orders)]).await?;
    orders::add_items(conn, tenant, &mut orders).await?;
    found.rows.extend(orders.into_iter().map(Personal::new).filter(|order| wanted.has(order)));
    found.rows.sort_by_key(|order| std::cmp::Reverse(order.uncovered().created_at));
    found.is_cut |= is_cut || found.rows.len() > limit;
    found.rows.truncate(limit);
    Ok(())
}

/// Tickets by what is known of their attendees, and by the beginning of their codes. Whoever may not see either finds none
/// this way: what is found would tell it.
pub async fn tickets(
    conn: &mut Conn,
    tenant: Tenant,
    text: &SearchText,
    sees: Sees,
    limit: usize,
    is_wanted: impl Fn(&Held) -> bool,
) -> Result<SearchResult<Held>> {
    match sees.people() {
        true => by_attendees(conn, tenant, text, limit, is_wanted).await,
        false => Ok(SearchResult { rows: vec![], is_cut: false }),
    }
}

async fn by_attendees(
    conn: &mut Conn,
    tenant: Tenant,
    text: &SearchText,
    limit: usize,
    is_wanted: impl Fn(&Held) -> bool,
) -> Result<SearchResult<Held>> {
    let mut candidates = Candidates::default();
    let code = text.code();
    if code.len() >= SEARCH_CODE_MIN {
        candidates.add(conn, tenant, Kind::Code, &code[..code.floor_char_boundary(SEARCH_CODE_MAX)]).await?;
    }
    candidates.add_people(conn, tenant, Kind::Attendee, text).await?;
    let is_meant = |held: &Held| {
        let state = held.state.uncovered();
        is_wanted(held) && (text.means(&person_entries(&state.attendee)) || text.begins(&state.id))
    };
    candidates
        .rows(conn, tenant, limit, |conn, tenant, places| staff::some_at(conn, tenant, places).boxed(), is_meant)
        .await
}

/// The order at a place of the list by creation.
pub static ORDER_AT: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT {} FROM orders t INDEXED BY orders_by_created WHERE t.seq + 1 <> 1 AND t.producer_id = ?1 \
         AND t.created_at = ?2 AND t.seq = ?3",
        orders::COLUMNS
    )
});

/// The orders at some places of the list by creation, without their items. Places without one are left out.
pub async fn orders_at(conn: &mut Conn, tenant: Tenant, places: &[Position]) -> Result<Vec<Order>> {
    let set =
        |place: &Position| -> Vec<Param<'_>> { vec![tenant.number().into(), place.stamp.into(), place.seq.into()] };
    let sets: Vec<Vec<Param<'_>>> = places.iter().map(set).collect();
    conn.collect_many(&ORDER_AT, &sets, |row| orders::read(tenant, row, 0)).await
}
