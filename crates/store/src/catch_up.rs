//! Rows that have to follow a new schema, and that SQL cannot make: documents, and sums by the days of time zones.
//!
//! They are made a few at a time, each few in a transaction of their own that notes how far it has come. Whoever is stopped in
//! between, or starts at the same time, goes on from there. No server serves before the end, because the rows are
//! wrong until then.

use super::{
    Conn, Dedicated, Error, Result, Tenant,
    engine::{
        sql::{Param, params},
        transaction::Transaction,
    },
    producers,
    sales::{documents, figures, orders},
    tickets::every,
};

/// Tickets and orders from before these versions have no document or one with fewer fields.
const TICKET_DOCUMENTS: i64 = 8;
const ORDER_DOCUMENTS: i64 = 12;
/// Sales are counted by the days of time zones since this version.
const SALES_BY_DAY: i64 = 22;

/// How far it has come is a setting, until it has come to the end.
const NAME: &str = "catch_up";

/// What is done for each producer, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Tickets,
    Orders,
    Sales,
}

impl Step {
    const ALL: [Self; 3] = [Self::Tickets, Self::Orders, Self::Sales];

    /// The version from which on it need not be done.
    fn since(self) -> i64 {
        match self {
            Self::Tickets => TICKET_DOCUMENTS,
            Self::Orders => ORDER_DOCUMENTS,
            Self::Sales => SALES_BY_DAY,
        }
    }
}

/// Where to go on.
struct Place {
    /// The version that the schema had.
    found: i64,
    /// The producer. All with lower numbers are done.
    producer: i64,
    step: usize,
    /// The last row that is done.
    last: String,
}

impl Place {
    fn written(&self) -> String {
        format!("{} {} {} {}", self.found, self.producer, self.step, self.last)
    }

    fn read(text: &str) -> Result<Self> {
        let mut parts = text.splitn(4, ' ');
        let mut number = || parts.next().and_then(|part| part.parse().ok());
        let (found, producer, step) = (number(), number(), number());
        let last = parts.next().unwrap_or_default().to_owned();
        match (found, producer, step.and_then(|step| usize::try_from(step).ok())) {
            (Some(found), Some(producer), Some(step)) => Ok(Self { found, producer, step, last }),
            _ => Err(Error::internal("the setting catch_up is damaged")),
        }
    }
}

/// Notes what has to follow a schema of this version, in the transaction that brings it up to date.
pub(super) async fn note(tx: &mut Transaction, found: i64) -> Result<()> {
    if (1..SALES_BY_DAY).contains(&found) {
        let place = Place { found, producer: 0, step: 0, last: String::new() };
        keep(tx, &place).await?;
    }
    Ok(())
}

async fn keep(tx: &mut Transaction, place: &Place) -> Result<()> {
    let sql =
        "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    tx.execute(sql, params![NAME, &place.written()]).await?;
    Ok(())
}

async fn place(conn: &mut Conn) -> Result<Option<Place>> {
    let sql = "SELECT value FROM settings WHERE name = ?1";
    let found = conn.query_first(sql, params![NAME], |row| Ok(row.text(0)?.to_owned())).await?;
    found.map(|text| Place::read(&text)).transpose()
}

/// Makes what is left, a few rows at a time.
pub(super) async fn all(mut conn: Dedicated) -> Result<()> {
    let mut rows = 0;
    while place(&mut conn).await?.is_some() {
        let mut tx = conn.begin_schema_change().await?;
        match next(&mut tx).await {
            Ok(done) => {
                if done > 0 && rows / 10_000 < (rows + done) / 10_000 {
                    tracing::info!(rows = rows + done, "rows are brought up to date");
                }
                rows += done;
                conn = Dedicated::commit(tx).await?;
            }
            Err(cause) => return tx.end(Err(cause)).await,
        }
    }
    Ok(())
}

/// Makes what is left, all in this transaction.
pub(super) async fn within(tx: &mut Transaction) -> Result<()> {
    while place(tx).await?.is_some() {
        next(tx).await?;
    }
    Ok(())
}

/// Makes the next few rows, and notes how far that is. Tells how many there were.
async fn next(tx: &mut Transaction) -> Result<usize> {
    let Some(mut place) = place(tx).await? else { return Ok(0) };
    let all = producers::all(tx).await?;
    let Some((tenant, _)) = all
        .into_iter()
        .filter(|(tenant, _)| tenant.number() >= place.producer)
        .min_by_key(|(tenant, _)| tenant.number())
    else {
        tx.execute("DELETE FROM settings WHERE name = ?1", params![NAME]).await?;
        return Ok(0);
    };
    if tenant.number() > place.producer {
        (place.producer, place.step, place.last) = (tenant.number(), 0, String::new());
    }
    let Some(step) = Step::ALL.get(place.step).copied() else {
        (place.producer, place.step, place.last) = (tenant.number() + 1, 0, String::new());
        keep(tx, &place).await?;
        return Ok(0);
    };
    let made = match step {
        _ if place.found >= step.since() => None,
        Step::Tickets => render_tickets(tx, tenant, &place.last).await?,
        Step::Orders => render_orders(tx, tenant, &place.last).await?,
        Step::Sales => {
            figures::count_all(tx, tenant).await?;
            None
        }
    };
    let rows = made.as_ref().map_or(0, |(rows, _)| *rows);
    match made {
        Some((_, last)) => place.last = last,
        None => (place.step, place.last) = (place.step + 1, String::new()),
    }
    keep(tx, &place).await?;
    Ok(rows)
}

/// Renders and stores the documents of the next tickets. How many, and the last one's id; `None` if there are none.
async fn render_tickets(tx: &mut Transaction, tenant: Tenant, last: &str) -> Result<Option<(usize, String)>> {
    let states = every::states_after(tx, tenant, last).await?;
    let Some((state, _)) = states.last() else { return Ok(None) };
    let last = state.id.clone();
    let mut rendered = Vec::with_capacity(states.len());
    for (state, _) in &states {
        rendered.push((&state.id, state.document()?));
    }
    store(tx, "UPDATE tickets SET document = ?3 WHERE producer_id = ?1 AND id = ?2", tenant, &rendered).await?;
    Ok(Some((rendered.len(), last)))
}

/// The same for orders.
async fn render_orders(tx: &mut Transaction, tenant: Tenant, last: &str) -> Result<Option<(usize, String)>> {
    let found = orders::after(tx, tenant, last).await?;
    let Some((order, _)) = found.last() else { return Ok(None) };
    let last = order.id.clone();
    let mut rendered = Vec::with_capacity(found.len());
    for (order, _) in &found {
        rendered.push((&order.id, documents::render(order)?));
    }
    store(tx, "UPDATE orders SET document = ?3 WHERE producer_id = ?1 AND id = ?2", tenant, &rendered).await?;
    Ok(Some((rendered.len(), last)))
}

async fn store(tx: &mut Transaction, sql: &str, tenant: Tenant, rendered: &[(&String, String)]) -> Result<()> {
    let sets: Vec<Vec<Param<'_>>> =
        rendered.iter().map(|(id, document)| vec![tenant.number().into(), (*id).into(), document.into()]).collect();
    tx.execute_many(sql, &sets).await?;
    Ok(())
}
