//! The end of an import: one move checks all staged rows and inserts them as the producer's.

use super::{
    staging::Fault,
    steps::{AFTERWARDS, Asks, Check, INSERT_TICKETS, Insert, STEPS},
};
use crate::{
    domain::clock::Stamp,
    store::{
        Conn, Dedicated, Error, Move, Result, Tenant,
        derived::{COUNTED, SOLD},
        engine::sql::{Param, params},
        tickets::documents,
    },
};

/// Why an import was undone.
enum Undone {
    Fault(Fault),
    Store(Error),
}

impl From<Error> for Undone {
    fn from(cause: Error) -> Self {
        Self::Store(cause)
    }
}

/// Checks all staged rows and inserts them as the producer's, all or nothing. A fault means that nothing was inserted.
pub async fn finish(conn: Dedicated, tenant: Tenant, now: Stamp, lines: i64) -> Result<Option<Fault>> {
    // One seq for each line, and one that the lines' seqs count from.
    let mut tx = conn.begin_move(tenant, now, lines + 1).await?;
    let moved = move_rows(&mut tx).await;
    match tx.end(moved).await {
        Ok(()) => Ok(None),
        Err(Undone::Fault(fault)) => Ok(Some(fault)),
        Err(Undone::Store(cause)) => Err(cause),
    }
}

async fn move_rows(tx: &mut Move) -> Result<(), Undone> {
    let (tenant, stamp, base) = (tx.tenant(), tx.stamp(), tx.next_seq()?);
    for step in STEPS {
        refuse(first_fault(tx, tenant, step.checks).await?)?;
        match &step.insert {
            Insert::Plain(sql) => tx.execute(sql, params![tenant.number()]).await?,
            Insert::Stamped(sql) => tx.execute(sql, params![tenant.number(), base, stamp]).await?,
            Insert::Tickets => {
                let (_, waiting) = documents::waiting();
                let told = documents::stamp_part(stamp);
                tx.execute(&INSERT_TICKETS, params![tenant.number(), base, stamp, &waiting, &told]).await?
            }
        };
    }
    refuse(first_fault(tx, tenant, AFTERWARDS).await?)?;
    refuse(oversold(tx, tenant).await?)?;
    let recount = format!(
        "UPDATE ticket_types SET sold = c.sold FROM ({SOLD}) c WHERE ticket_types.producer_id = ?1 AND ticket_types.id = c.id"
    );
    tx.execute(&recount, params![tenant.number()]).await?;
    let recount = format!(
        "UPDATE ticket_types SET valid_tickets = c.valid, scanned_tickets = c.scanned FROM ({COUNTED}) c \
         WHERE ticket_types.producer_id = ?1 AND ticket_types.id = c.id"
    );
    tx.execute(&recount, params![tenant.number()]).await?;
    Ok(())
}

fn refuse(fault: Option<Fault>) -> Result<(), Undone> {
    fault.map_or(Ok(()), |fault| Err(Undone::Fault(fault)))
}

async fn first_fault(conn: &mut Conn, tenant: Tenant, checks: &[Check]) -> Result<Option<Fault>> {
    let mut first: Option<Fault> = None;
    for check in checks {
        let sql = format!("{} ORDER BY 1 LIMIT 1", check.sql);
        let producer = params![tenant.number()];
        let values: &[Param<'_>] = match check.asks {
            Asks::File => &[],
            Asks::Producer => producer,
        };
        let fault = conn
            .query_first(&sql, values, |row| {
                let message = check.message.replace("{}", row.opt_text(1)?.unwrap_or_default());
                Ok(Fault { line: row.int(0)?, field: check.field, message })
            })
            .await?;
        if let Some(fault) = fault
            && first.as_ref().is_none_or(|first| fault.line < first.line)
        {
            first = Some(fault);
        }
    }
    Ok(first)
}

/// The fault of a ticket type with more live tickets than its limit (G3). It names the ticket type's own line or that
/// of its first ticket in the file.
async fn oversold(conn: &mut Conn, tenant: Tenant) -> Result<Option<Fault>> {
    let sql = format!(
        "SELECT y.id, y.stock_limit, c.sold, i.line, \
         (SELECT min(s.line) FROM import_tickets s WHERE s.ticket_type_id = y.id OR s.bundle_id = y.id) \
         FROM ({SOLD}) c JOIN ticket_types y ON y.producer_id = ?1 AND y.id = c.id \
         LEFT JOIN import_types i ON i.id = y.id WHERE c.sold > y.stock_limit ORDER BY y.id LIMIT 1"
    );
    conn.query_first(&sql, params![tenant.number()], |row| {
        let (id, limit, sold) = (row.text(0)?, row.int(1)?, row.int(2)?);
        let message = format!("{id} has {sold} live tickets, more than its limit of {limit}");
        match (row.opt_int(3)?, row.opt_int(4)?) {
            (Some(line), _) => Ok(Fault { line, field: "limit", message }),
            (None, Some(line)) => Ok(Fault { line, field: "ticket_type_id", message }),
            (None, None) => Err(Error::internal(format!("before this import: {message}"))),
        }
    })
    .await
}
