//! Ticket types: what is for sale, bundles included.

use std::collections::{HashMap, HashSet};

use taquilla_domain::{
    clock::Stamp,
    door_note::DoorNote,
    status::{Category, ItemKind, TypeStatus},
    stock::Offer,
    ticket_type::{Include, TicketType},
};

use crate::{
    Conn, Error, Question, Result, Tenant,
    engine::sql::{Row, params},
};

const COLUMNS: &str = "t.id, t.kind, t.event_id, t.category, t.name, t.description, t.image_url, t.price, t.currency, \
     t.status, t.deleted, t.stock_limit, t.sold, t.max_per_order, t.expires_at, t.sort_order, t.updated_at, t.reentry, t.door_note, \
     t.min_per_order, t.on_sale_from";

/// How many columns that are.
const WIDTH: usize = 21;

/// All ticket types and bundles of an event, in the organiser's order.
///
/// One statement reads them together with what bundles contain, so that all is of one moment.
pub async fn of_event(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    include_deleted: bool,
) -> Result<Vec<TicketType>> {
    let sql = format!(
        "SELECT {COLUMNS}, b.position, b.ticket_type_id, b.quantity, y.name, y.category FROM ticket_types t \
         LEFT JOIN bundle_items b ON b.producer_id = t.producer_id AND b.bundle_id = t.id \
         LEFT JOIN ticket_types y ON y.producer_id = b.producer_id AND y.id = b.ticket_type_id \
         WHERE t.producer_id = ?1 AND t.event_id = ?2 AND t.deleted <= ?3 ORDER BY t.sort_order, t.id"
    );
    let mut types: Vec<(TicketType, Vec<(i64, Include)>)> = Vec::new();
    conn.query(&sql, params![tenant.number(), event_id, include_deleted], |row| {
        let known = types.last().is_some_and(|(last, _)| Some(last.id.as_str()) == row.text(0).ok());
        if !known {
            types.push((read(row)?, Vec::new()));
        }
        if let (Some((_, includes)), Some(position)) = (types.last_mut(), row.opt_int(WIDTH)?) {
            includes.push((position, read_include(row)?));
        }
        Ok(())
    })
    .await?;
    let in_order = |(mut item, mut includes): (TicketType, Vec<(i64, Include)>)| {
        includes.sort_by_key(|(position, _)| *position);
        item.includes = includes.into_iter().map(|(_, include)| include).collect();
        item
    };
    Ok(types.into_iter().map(in_order).collect())
}

fn read(row: &Row<'_>) -> Result<TicketType> {
    Ok(TicketType {
        id: row.text(0)?.to_owned(),
        kind: row.named(1, ItemKind::parse)?,
        event_id: row.text(2)?.to_owned(),
        category: row.named(3, Category::parse)?,
        name: row.text(4)?.to_owned(),
        description: row.opt_text(5)?.map(str::to_owned),
        image_url: row.opt_text(6)?.map(str::to_owned),
        price: row.int(7)?,
        currency: row.text(8)?.to_owned(),
        status: row.named(9, TypeStatus::parse)?,
        deleted: row.flag(10)?,
        limit: row.opt_int(11)?,
        sold: row.int(12)?,
        max_per_order: row.int(13)?,
        expires_at: row.opt_stamp(14)?,
        sort_order: row.int(15)?,
        updated_at: row.stamp(16)?,
        reentry: row.flag(17)?,
        door_note: DoorNote::stored(row.text(18)?),
        min_per_order: row.int(19)?,
        on_sale_from: row.opt_stamp(20)?,
        includes: Vec::new(),
    })
}

fn read_include(row: &Row<'_>) -> Result<Include> {
    Ok(Include {
        ticket_type_id: row.text(WIDTH + 1)?.to_owned(),
        quantity: row.int(WIDTH + 2)?,
        name: row.text(WIDTH + 3)?.to_owned(),
        category: row.named(WIDTH + 4, Category::parse)?,
    })
}

/// An item as the box office sells it.
pub struct ForSale {
    /// Whether and how much of it may be sold.
    pub offer: Offer,
    /// The event it belongs to.
    pub event_id: String,
    /// A single item or a bundle.
    pub kind: ItemKind,
    /// Its category.
    pub category: Category,
    /// Its present name.
    pub name: String,
    /// Its list price.
    pub price: i64,
    /// The currency of the price.
    pub currency: String,
}

/// Asks for the items with these ids, by id, without what is held of them (`holds.rs` knows that). Inside a move, nothing
/// else can change their stock before the commit.
pub fn for_sale<'a>(tenant: Tenant, ids: &[&'a str], into: &'a mut HashMap<String, ForSale>) -> Question<'a> {
    let read = |row: &Row<'_>| {
        let item = ForSale {
            event_id: row.text(1)?.to_owned(),
            kind: row.named(2, ItemKind::parse)?,
            category: row.named(13, Category::parse)?,
            name: row.text(3)?.to_owned(),
            price: row.int(4)?,
            currency: row.text(5)?.to_owned(),
            offer: Offer {
                id: row.text(0)?.to_owned(),
                status: row.named(6, TypeStatus::parse)?,
                deleted: row.flag(7)?,
                limit: row.opt_int(8)?,
                sold: row.int(9)?,
                held: 0,
                held_until: None,
                max_per_order: row.int(10)?,
                min_per_order: row.int(14)?,
                on_sale_from: row.opt_stamp(15)?,
                expires_at: row.opt_stamp(11)?,
                access_code: row.opt_text(12)?.map(str::to_owned),
            },
        };
        into.insert(item.offer.id.clone(), item);
        Ok(())
    };
    Question { sql: FOR_SALE, sets: tenant.keys(ids), read: Box::new(read) }
}

/// The item with this id.
pub async fn find_for_sale(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<ForSale>> {
    let mut items = HashMap::new();
    conn.ask(vec![for_sale(tenant, &[id], &mut items)]).await?;
    Ok(items.remove(id))
}

/// The query of [`for_sale`] for one item.
pub const FOR_SALE: &str = "SELECT id, event_id, kind, name, price, currency, status, deleted, stock_limit, sold, \
     max_per_order, expires_at, access_code, category, min_per_order, on_sale_from FROM ticket_types WHERE producer_id = ?1 AND id = ?2";

/// The row of an item, deleted or not, without what it includes, and its access code.
pub async fn find_row(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<(TicketType, Option<String>)>> {
    let sql = format!("SELECT {COLUMNS}, t.access_code FROM ticket_types t WHERE t.producer_id = ?1 AND t.id = ?2");
    conn.query_first(&sql, params![tenant.number(), id], |row| {
        Ok((read(row)?, row.opt_text(WIDTH)?.map(str::to_owned)))
    })
    .await
}

/// The item with this id, deleted or not, and the code that opens it while it is hidden.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<(TicketType, Option<String>)>> {
    let Some(ForSale { event_id, offer, .. }) = find_for_sale(conn, tenant, id).await? else { return Ok(None) };
    let items = of_event(conn, tenant, &event_id, true).await?;
    let access_code = offer.access_code.filter(|_| offer.status == TypeStatus::Hidden);
    Ok(items.into_iter().find(|item| item.id == id).map(|item| (item, access_code)))
}

/// What the public sees for sale at an event: active and sold-out items, and hidden ones that the access code opens.
pub async fn on_sale(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    access_code: Option<&str>,
    now: Stamp,
) -> Result<Vec<TicketType>> {
    let mut items = for_public(conn, tenant, event_id, access_code).await?;
    items.retain(|item| item.expires_at.is_none_or(|expiry| now < expiry));
    Ok(items)
}

/// The same, with those whose sale has ended.
pub async fn for_public(
    conn: &mut Conn,
    tenant: Tenant,
    event_id: &str,
    access_code: Option<&str>,
) -> Result<Vec<TicketType>> {
    let opened = conn
        .collect(
            "SELECT id FROM ticket_types WHERE producer_id = ?1 AND event_id = ?2 AND access_code = ?3",
            params![tenant.number(), event_id, access_code],
            |row| Ok(row.text(0)?.to_owned()),
        )
        .await?;
    let opened: HashSet<String> = opened.into_iter().collect();
    let mut items = of_event(conn, tenant, event_id, false).await?;
    items.retain(|item| match item.status {
        TypeStatus::Active | TypeStatus::SoldOut => true,
        TypeStatus::Hidden => opened.contains(&item.id),
        TypeStatus::Exclusive | TypeStatus::Inactive => false,
    });
    Ok(items)
}

/// The single items that one unit of a bundle contains, in order, and how many of each.
pub type Contents = Vec<(String, i64)>;

/// Asks for the contents of the bundles among these items, by bundle.
pub fn contents<'a>(tenant: Tenant, ids: &[&'a str], into: &'a mut HashMap<String, Contents>) -> Question<'a> {
    let read = |row: &Row<'_>| {
        let single = (row.text(1)?.to_owned(), row.int(2)?);
        into.entry(row.text(0)?.to_owned()).or_default().push(single);
        Ok(())
    };
    Question { sql: CONTENTS, sets: tenant.keys(ids), read: Box::new(read) }
}

/// The query of [`contents`] for one bundle.
pub const CONTENTS: &str = "SELECT bundle_id, ticket_type_id, quantity FROM bundle_items \
     WHERE producer_id = ?1 AND bundle_id = ?2 ORDER BY position";

/// The ids of an event's bundles that include a single item.
pub async fn bundles_with(conn: &mut Conn, tenant: Tenant, event_id: &str, id: &str) -> Result<Vec<String>> {
    conn.collect(
        "SELECT t.id FROM ticket_types t WHERE t.producer_id = ?1 AND t.event_id = ?2 AND t.kind = 'bundle' \
         AND EXISTS (SELECT 1 FROM bundle_items b WHERE b.producer_id = t.producer_id AND b.bundle_id = t.id \
         AND b.ticket_type_id = ?3)",
        params![tenant.number(), event_id, id],
        |row| Ok(row.text(0)?.to_owned()),
    )
    .await
}

/// The ids of an event's single items.
pub async fn single_items(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Vec<String>> {
    conn.collect(
        "SELECT id FROM ticket_types WHERE producer_id = ?1 AND event_id = ?2 AND kind = 'ticket_type'",
        params![tenant.number(), event_id],
        |row| Ok(row.text(0)?.to_owned()),
    )
    .await
}

/// Those of an event's items with which people may go out and come in again.
pub async fn with_reentry(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<HashSet<String>> {
    let read = |row: &Row<'_>| Ok(row.text(0)?.to_owned());
    Ok(conn.collect(WITH_REENTRY, params![tenant.number(), event_id], read).await?.into_iter().collect())
}

/// The query of [`with_reentry`].
pub const WITH_REENTRY: &str = "SELECT id FROM ticket_types WHERE producer_id = ?1 AND event_id = ?2 AND reentry = 1";

/// What the scanner shows with tickets of an event's items: their ids, categories and notes. Items without a note are left out.
pub async fn door_notes(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Vec<(String, Category, String)>> {
    conn.collect(DOOR_NOTES, params![tenant.number(), event_id], |row| {
        Ok((row.text(0)?.to_owned(), row.named(1, Category::parse)?, row.text(2)?.to_owned()))
    })
    .await
}

/// The query of [`door_notes`].
pub const DOOR_NOTES: &str =
    "SELECT id, category, door_note FROM ticket_types WHERE producer_id = ?1 AND event_id = ?2 AND door_note <> ''";

/// The names and categories of some items, in the order of `ids`. All must exist.
pub async fn summaries(conn: &mut Conn, tenant: Tenant, ids: &[&str]) -> Result<Vec<(String, Category)>> {
    let sets = tenant.keys(ids);
    let summaries =
        conn.collect_many(SUMMARY, &sets, |row| Ok((row.text(0)?.to_owned(), row.named(1, Category::parse)?))).await?;
    match summaries.len() == sets.len() {
        true => Ok(summaries),
        false => Err(Error::internal("a ticket of a type that is not there")),
    }
}

/// The same, each with what the scanner shows with its tickets.
pub async fn at_the_door(conn: &mut Conn, tenant: Tenant, ids: &[&str]) -> Result<Vec<((String, Category), String)>> {
    let sets = tenant.keys(ids);
    let read = |row: &Row<'_>| Ok(((row.text(0)?.to_owned(), row.named(1, Category::parse)?), row.text(2)?.to_owned()));
    let found = conn.collect_many(AT_THE_DOOR, &sets, read).await?;
    match found.len() == sets.len() {
        true => Ok(found),
        false => Err(Error::internal("a ticket of a type that is not there")),
    }
}

/// The query of [`at_the_door`].
pub const AT_THE_DOOR: &str = "SELECT name, category, door_note FROM ticket_types WHERE producer_id = ?1 AND id = ?2";

/// The query of [`summaries`].
pub const SUMMARY: &str = "SELECT name, category FROM ticket_types WHERE producer_id = ?1 AND id = ?2";
