//! The lines of events that more come to buy than can be decided. All servers share a line: its row is read and written in a
//! transaction that locks it, by the database's clock.

use taquilla_domain::{clock::Stamp, line::Line};

use crate::{
    Conn, Result, Tenant, Unstamped,
    engine::{
        sql::{Row, params},
        transaction::Locked,
    },
};

fn read(row: &Row<'_>) -> Result<(Line, Stamp)> {
    let line = Line {
        opened_at: row.stamp(0)?,
        last_place: row.int(1)?,
        let_in: row.int(2)?,
        let_in_at: row.stamp(3)?,
        waited_at: row.stamp(4)?,
    };
    Ok((line, row.stamp(5)?))
}

fn query(conn: &Conn) -> String {
    let clock = conn.clock();
    format!(
        "SELECT opened_at, last_place, let_in, let_in_at, waited_at, {clock} FROM waiting_lines \
         WHERE producer_id = ?1 AND event_id = ?2"
    )
}

/// The line of an event, if there is one, and the present.
pub async fn find(conn: &mut Conn, tenant: Tenant, event_id: &str) -> Result<Option<(Line, Stamp)>> {
    let sql = query(conn);
    conn.query_first(&sql, params![tenant.number(), event_id], read).await
}

/// The same for a change: no other server changes it until this transaction ends.
pub async fn lock(tx: &mut Unstamped, tenant: Tenant, event_id: &str) -> Result<Option<(Line, Stamp)>> {
    let sql = query(tx);
    // A place is worth less than an order: that a crash may give some out again is cheaper than a wait for the disk.
    tx.need_not_reach_disk().await?;
    tx.lock_first(&sql, Locked::Wait, params![tenant.number(), event_id], read).await
}

/// Begins a line, unless another server was faster. Lock it then.
pub async fn begin(tx: &mut Unstamped, tenant: Tenant, event_id: &str) -> Result<()> {
    let clock = tx.clock();
    let sql = format!(
        "INSERT INTO waiting_lines (producer_id, event_id, opened_at, last_place, let_in, let_in_at, waited_at) \
         VALUES (?1, ?2, {clock}, 0, 0, {clock}, {clock}) ON CONFLICT (producer_id, event_id) DO NOTHING"
    );
    tx.execute(&sql, params![tenant.number(), event_id]).await?;
    Ok(())
}

/// Writes down how far a line is.
pub async fn write(tx: &mut Unstamped, tenant: Tenant, event_id: &str, line: &Line) -> Result<()> {
    let sql = "UPDATE waiting_lines SET opened_at = ?3, last_place = ?4, let_in = ?5, let_in_at = ?6, waited_at = ?7 \
         WHERE producer_id = ?1 AND event_id = ?2";
    let Line { opened_at, last_place, let_in, let_in_at, waited_at } = *line;
    let values = params![tenant.number(), event_id, opened_at, last_place, let_in, let_in_at, waited_at];
    tx.execute(sql, values).await?;
    Ok(())
}

/// Ends a line.
pub async fn remove(tx: &mut Unstamped, tenant: Tenant, event_id: &str) -> Result<()> {
    let sql = "DELETE FROM waiting_lines WHERE producer_id = ?1 AND event_id = ?2";
    tx.execute(sql, params![tenant.number(), event_id]).await?;
    Ok(())
}

/// The events of a producer that have a line.
pub async fn events(conn: &mut Conn, tenant: Tenant) -> Result<Vec<String>> {
    let sql = "SELECT event_id FROM waiting_lines WHERE producer_id = ?1";
    conn.collect(sql, params![tenant.number()], |row| Ok(row.text(0)?.to_owned())).await
}
