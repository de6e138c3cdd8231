//! New events, ticket types and bundles, one by one and without the staging of an import. The rules are those of an import
//! (`import/checks.rs`).

use std::collections::BTreeMap;

use taquilla_domain::audit::{Action, By};

use super::changes;
use crate::{
    Move, Result,
    engine::sql::{Param, params},
    import::staging::{Staged, Table, Value},
    staff::audit,
};

/// A row that somebody creates, for the history.
pub struct CreatedRow {
    /// What was done.
    pub action: Action,
    /// The row's id.
    pub subject: String,
    /// What is said of it.
    pub details: Vec<(&'static str, String)>,
}

/// Writes down who created what, if they still may.
pub async fn note(tx: &mut Move, by: &By, made: &[CreatedRow]) -> Result<()> {
    let tenant = tx.tenant();
    for row in made {
        let details: Vec<(&'static str, &str)> =
            row.details.iter().map(|(name, value)| (*name, value.as_str())).collect();
        audit::add(tx, Some(tenant), by, row.action, &row.subject, &details).await?;
    }
    Ok(())
}

/// The field at fault and what is wrong with it.
type Fault = (&'static str, String);

/// Inserts rows of events, items and what bundles include, parents first, and tells of them. The move is to be undone if
/// something is wrong.
pub async fn insert(tx: &mut Move, rows: &[Staged]) -> Result<Option<Fault>> {
    for row in rows {
        let fault = match row.table {
            Table::Events => insert_event(tx, row).await?,
            Table::TicketTypes => insert_item(tx, row).await?,
            Table::Includes => insert_include(tx, row).await?,
            Table::Pools => insert_pool(tx, row).await?,
            Table::PoolItems => insert_pool_item(tx, row).await?,
            Table::Coupons | Table::CouponItems | Table::Surcharges | Table::Orders | Table::Items | Table::Tickets => {
                None
            }
        };
        if fault.is_some() {
            return Ok(fault);
        }
    }
    let mut changed: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in rows {
        match row.table {
            Table::Events => _ = changed.entry(text(row, "id")).or_default(),
            Table::TicketTypes => changed.entry(text(row, "event_id")).or_default().push(text(row, "id").to_owned()),
            _ => {}
        }
    }
    for (event_id, items) in &changed {
        changes::tell(tx, event_id, items).await?;
    }
    Ok(None)
}

/// A text of a row, or none.
fn text<'r>(row: &'r Staged, column: &str) -> &'r str {
    let found = row.columns.iter().find(|(name, _)| *name == column);
    match found {
        Some((_, Value::Text(Some(text)))) => text,
        _ => "",
    }
}

/// Inserts the columns of a row but for those that are named here with their values.
async fn insert_row(tx: &mut Move, table: &str, row: &Staged, own: &[(&'static str, Param<'_>)]) -> Result<()> {
    insert_columns(tx, table, &row.columns.iter().collect::<Vec<_>>(), own).await
}

async fn insert_columns(
    tx: &mut Move,
    table: &str,
    columns: &[&(&'static str, Value)],
    own: &[(&'static str, Param<'_>)],
) -> Result<()> {
    let is_own = |name: &str| own.iter().any(|(own, _)| *own == name);
    let told = columns.iter().filter(|(name, _)| !is_own(name)).map(|(name, value)| (*name, Param::from(value)));
    let (names, values): (Vec<&str>, Vec<Param<'_>>) = own.iter().copied().chain(told).unzip();
    let numbers: Vec<String> = (1..=names.len()).map(|number| format!("?{number}")).collect();
    let sql = format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), numbers.join(", "));
    tx.execute(&sql, &values).await?;
    Ok(())
}

async fn has(tx: &mut Move, sql: &str, params: &[Param<'_>]) -> Result<bool> {
    Ok(tx.query_first(sql, params, |_| Ok(())).await?.is_some())
}

async fn insert_event(tx: &mut Move, row: &Staged) -> Result<Option<Fault>> {
    let (tenant, stamp, id) = (tx.tenant().number(), tx.stamp(), text(row, "id"));
    if has(tx, "SELECT 1 FROM events WHERE producer_id = ?1 AND id = ?2", params![tenant, id]).await? {
        return Ok(Some(("id", format!("the producer already has an event {id}"))));
    }
    let said = row.columns.iter().find(|(name, _)| *name == "created_at");
    let created_at = match said {
        Some((_, Value::Int(Some(at)))) => Param::from(*at),
        _ => Param::from(stamp),
    };
    let seq = tx.next_seq()?;
    let own = [
        ("producer_id", Param::from(tenant)),
        ("seq", Param::from(seq)),
        ("created_at", created_at),
        ("updated_at", Param::from(stamp)),
    ];
    let (terms, columns): (Vec<_>, Vec<_>) = row.columns.iter().partition(|(name, _)| name.starts_with("terms_"));
    insert_columns(tx, "events", &columns, &own).await?;
    let [id_of, text, url] = ["terms_id", "terms_text", "terms_url"]
        .map(|wanted| terms.iter().find(|(name, _)| *name == wanted).map(|(_, value)| Param::from(value)));
    if let (Some(terms_id @ Param::Text(Some(_))), Some(text), Some(url)) = (id_of, text, url) {
        let sql =
            "INSERT INTO terms (producer_id, id, event_id, text, url, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        tx.execute(sql, &[tenant.into(), terms_id, id.into(), text, url, stamp.into()]).await?;
    }
    Ok(None)
}

async fn insert_item(tx: &mut Move, row: &Staged) -> Result<Option<Fault>> {
    let (tenant, stamp) = (tx.tenant().number(), tx.stamp());
    let (id, event_id, said) = (text(row, "id"), text(row, "event_id"), text(row, "currency"));
    if has(tx, "SELECT 1 FROM ticket_types WHERE producer_id = ?1 AND id = ?2", params![tenant, id]).await? {
        return Ok(Some(("id", format!("the producer already has a ticket type or bundle {id}"))));
    }
    let sql = "SELECT currency FROM events WHERE producer_id = ?1 AND id = ?2";
    let found = tx.query_first(sql, params![tenant, event_id], |row| Ok(row.text(0)?.to_owned())).await?;
    let Some(currency) = found else { return Ok(Some(("event_id", format!("there is no event {event_id}")))) };
    if !said.is_empty() && said != currency {
        return Ok(Some(("currency", format!("the event's items are priced in {currency}"))));
    }
    let own = [
        ("producer_id", Param::from(tenant)),
        ("currency", Param::from(&currency)),
        ("sold", Param::from(0)),
        ("updated_at", Param::from(stamp)),
    ];
    insert_row(tx, "ticket_types", row, &own).await?;
    Ok(None)
}

async fn insert_include(tx: &mut Move, row: &Staged) -> Result<Option<Fault>> {
    let (tenant, bundle, included) = (tx.tenant().number(), text(row, "bundle_id"), text(row, "ticket_type_id"));
    let sql = "SELECT 1 FROM ticket_types x JOIN ticket_types b ON b.producer_id = ?1 AND b.id = ?2 \
               WHERE x.producer_id = ?1 AND x.id = ?3 AND x.event_id = b.event_id AND x.kind = 'ticket_type'";
    if !has(tx, sql, params![tenant, bundle, included]).await? {
        return Ok(Some(("includes", format!("there is no single item {included} at the bundle's event"))));
    }
    insert_row(tx, "bundle_items", row, &[("producer_id", Param::from(tenant))]).await?;
    Ok(None)
}

async fn insert_pool(tx: &mut Move, row: &Staged) -> Result<Option<Fault>> {
    let (tenant, stamp, id, event_id) = (tx.tenant().number(), tx.stamp(), text(row, "id"), text(row, "event_id"));
    if has(tx, "SELECT 1 FROM pools WHERE producer_id = ?1 AND id = ?2", params![tenant, id]).await? {
        return Ok(Some(("id", format!("the producer already has a pool {id}"))));
    }
    if !has(tx, "SELECT 1 FROM events WHERE producer_id = ?1 AND id = ?2", params![tenant, event_id]).await? {
        return Ok(Some(("event_id", format!("there is no event {event_id}"))));
    }
    insert_row(tx, "pools", row, &[("producer_id", Param::from(tenant)), ("updated_at", Param::from(stamp))]).await?;
    Ok(None)
}

async fn insert_pool_item(tx: &mut Move, row: &Staged) -> Result<Option<Fault>> {
    let (tenant, pool, item) = (tx.tenant().number(), text(row, "pool_id"), text(row, "ticket_type_id"));
    let sql = "SELECT 1 FROM ticket_types x JOIN pools p ON p.producer_id = ?1 AND p.id = ?2 \
               WHERE x.producer_id = ?1 AND x.id = ?3 AND x.event_id = p.event_id AND x.kind = 'ticket_type'";
    if !has(tx, sql, params![tenant, pool, item]).await? {
        let message =
            format!("there is no single item {item} at the pool's event; a bundle takes places by what it includes");
        return Ok(Some(("ticket_type_ids", message)));
    }
    insert_row(tx, "pool_items", row, &[("producer_id", Param::from(tenant))]).await?;
    Ok(None)
}
