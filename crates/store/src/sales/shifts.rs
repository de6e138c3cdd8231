//! Shifts at the box office: who, from when to when, and the cash in the drawer.
//!
//! Moves begin and end shifts, so their times are stamps that no sale has: each order and each refund that was paid back is
//! inside of a shift or outside of it, once and for all ([`till`](super::till)). Shifts are kept for ever.

use std::{collections::HashMap, sync::LazyLock};

use taquilla_domain::clock::Stamp;

use crate::{
    Conn, Move, Question, Result, Tenant,
    engine::sql::{Row, params},
};

/// A shift.
#[derive(Clone, Debug)]
pub struct Shift {
    /// Its id, which sorts by time.
    pub id: String,
    /// Whose, as the history names them.
    pub person: String,
    /// When it began.
    pub begun_at: Stamp,
    /// When it ended, if it has.
    pub ended_at: Option<Stamp>,
    /// The cash, by currency, in the order of the currencies.
    pub cash: Vec<Cash>,
}

impl Shift {
    /// The moment before which what somebody does is in the shift.
    pub fn end(&self) -> Stamp {
        self.ended_at.unwrap_or(Stamp::END)
    }
}

/// The cash of a shift in one currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cash {
    /// The currency.
    pub currency: String,
    /// What the drawer began with.
    pub begun_with: i64,
    /// What was counted at the end, and what should have been there then.
    pub counted: Option<Counted>,
}

/// What was counted at the end of a shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// What was there.
    pub counted: i64,
    /// What should have been there.
    pub expected: i64,
}

impl Counted {
    /// What is there too much; below 0 it is missing.
    pub fn difference(&self) -> i64 {
        self.counted - self.expected
    }
}

const COLUMNS: &str = "id, person, begun_at, ended_at";

fn read(row: &Row<'_>) -> Result<Shift> {
    Ok(Shift {
        id: row.text(0)?.to_owned(),
        person: row.text(1)?.to_owned(),
        begun_at: row.stamp(2)?,
        ended_at: row.opt_stamp(3)?,
        cash: Vec::new(),
    })
}

/// Begins somebody's shift. They have none that is open.
pub async fn begin(tx: &mut Move, id: &str, person: &str, cash: &[Cash]) -> Result<()> {
    let (tenant, stamp) = (tx.tenant().number(), tx.stamp());
    let sql = "INSERT INTO shifts (producer_id, id, person, begun_at) VALUES (?1, ?2, ?3, ?4)";
    tx.execute(sql, params![tenant, id, person, stamp]).await?;
    for Cash { currency, begun_with, .. } in cash {
        let sql = "INSERT INTO shift_cash (producer_id, shift_id, currency, begun_with) VALUES (?1, ?2, ?3, ?4)";
        tx.execute(sql, params![tenant, id, currency, *begun_with]).await?;
    }
    Ok(())
}

/// Ends a shift, with what was counted.
pub async fn end(tx: &mut Move, id: &str, cash: &[Cash]) -> Result<()> {
    let (tenant, stamp) = (tx.tenant().number(), tx.stamp());
    tx.execute("UPDATE shifts SET ended_at = ?3 WHERE producer_id = ?1 AND id = ?2", params![tenant, id, stamp])
        .await?;
    let sql = "INSERT INTO shift_cash (producer_id, shift_id, currency, begun_with, counted, expected) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (producer_id, shift_id, currency) \
         DO UPDATE SET counted = excluded.counted, expected = excluded.expected";
    for Cash { currency, begun_with, counted } in cash {
        let (counted, expected) = counted.map(|counted| (counted.counted, counted.expected)).unzip();
        tx.execute(sql, params![tenant, id, currency, *begun_with, counted, expected]).await?;
    }
    Ok(())
}

/// Somebody's open shift.
pub async fn open(conn: &mut Conn, tenant: Tenant, person: &str) -> Result<Option<Shift>> {
    let found = conn.query_first(&OPEN, params![tenant.number(), person], read).await?;
    with_cash(conn, tenant, found).await
}

/// The query of [`open`].
pub static OPEN: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {COLUMNS} FROM shifts WHERE producer_id = ?1 AND person = ?2 AND ended_at IS NULL")
});

/// The shift with this id.
pub async fn find(conn: &mut Conn, tenant: Tenant, id: &str) -> Result<Option<Shift>> {
    let sql = format!("SELECT {COLUMNS} FROM shifts WHERE producer_id = ?1 AND id = ?2");
    let found = conn.query_first(&sql, params![tenant.number(), id], read).await?;
    with_cash(conn, tenant, found).await
}

async fn with_cash(conn: &mut Conn, tenant: Tenant, found: Option<Shift>) -> Result<Option<Shift>> {
    let mut found: Vec<Shift> = found.into_iter().collect();
    add_cash(conn, tenant, &mut found).await?;
    Ok(found.pop())
}

/// Some shifts before the one with this id, newest first: everybody's, or one person's.
pub async fn list(
    conn: &mut Conn,
    tenant: Tenant,
    person: Option<&str>,
    before: Option<&str>,
    limit: i64,
) -> Result<Vec<Shift>> {
    // No id is above this one.
    let before = before.unwrap_or("~");
    let mut found = match person {
        Some(person) => conn.collect(&OF_PERSON, params![tenant.number(), before, limit, person], read).await?,
        None => conn.collect(&ALL, params![tenant.number(), before, limit], read).await?,
    };
    add_cash(conn, tenant, &mut found).await?;
    Ok(found)
}

/// The query of [`list`] for everybody's.
pub static ALL: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {COLUMNS} FROM shifts WHERE producer_id = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3")
});

/// The query of [`list`] for one person's.
pub static OF_PERSON: LazyLock<String> = LazyLock::new(|| {
    format!("SELECT {COLUMNS} FROM shifts WHERE producer_id = ?1 AND person = ?4 AND id < ?2 ORDER BY id DESC LIMIT ?3")
});

async fn add_cash(conn: &mut Conn, tenant: Tenant, shifts: &mut [Shift]) -> Result<()> {
    let mut cash: HashMap<String, Vec<Cash>> = HashMap::new();
    let ids: Vec<&str> = shifts.iter().map(|shift| shift.id.as_str()).collect();
    let read = |row: &Row<'_>| {
        let counted = row.opt_int(3)?.zip(row.opt_int(4)?);
        cash.entry(row.text(0)?.to_owned()).or_default().push(Cash {
            currency: row.text(1)?.to_owned(),
            begun_with: row.int(2)?,
            counted: counted.map(|(counted, expected)| Counted { counted, expected }),
        });
        Ok(())
    };
    conn.ask(vec![Question { sql: CASH, sets: tenant.keys(&ids), read: Box::new(read) }]).await?;
    for shift in shifts {
        shift.cash = cash.remove(&shift.id).unwrap_or_default();
    }
    Ok(())
}

/// The cash of one shift.
pub const CASH: &str = "SELECT shift_id, currency, begun_with, counted, expected FROM shift_cash \
     WHERE producer_id = ?1 AND shift_id = ?2 ORDER BY currency";
