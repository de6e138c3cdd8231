//! Pieces of long work.

use taquilla_domain::{
    audit::By,
    clock::Stamp,
    work::{WorkKind, WorkState},
};

use crate::{
    Conn, Result, Tenant, Unstamped,
    engine::sql::{Param, Row, params},
    lists::Position,
};

/// A piece of work.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Whose it is.
    pub tenant: Tenant,
    /// Its id (`wk_…`), which sorts by time.
    pub id: String,
    /// What kind of work it is.
    pub kind: WorkKind,
    /// The event's id, or the file's name.
    pub subject: String,
    /// How far it is.
    pub state: WorkState,
    /// How many orders or bytes there are, once that is known.
    pub total: Option<i64>,
    /// How many of them are done.
    pub done: i64,
    /// How many of them could not be done.
    pub failed: i64,
    /// What is said at the end, as JSON.
    pub outcome: String,
    /// Who began it.
    pub created_by: String,
    /// From where.
    pub origin: String,
    /// Who said that a checked file is to be imported; empty until then.
    pub decided_by: String,
    /// From where.
    pub decided_from: String,
    /// When it began.
    pub created_at: Stamp,
    /// When it ended.
    pub finished_at: Option<Stamp>,
    /// How many orders the present pass refunded.
    pub pass_refunded: i64,
    /// Where the present pass is.
    pub at: Position,
    /// Until when it belongs to the server that works on it.
    pub leased_until: Stamp,
}

impl Piece {
    /// A piece that somebody begins now.
    pub fn new(tenant: Tenant, id: String, kind: WorkKind, subject: &str, state: WorkState, by: &By) -> Self {
        Self {
            tenant,
            id,
            kind,
            subject: subject.to_owned(),
            state,
            total: None,
            done: 0,
            failed: 0,
            outcome: String::new(),
            created_by: by.actor.clone(),
            origin: by.origin.clone(),
            decided_by: String::new(),
            decided_from: String::new(),
            created_at: by.now,
            finished_at: None,
            pass_refunded: 0,
            at: Position::above(Stamp::END),
            leased_until: Stamp::BEGINNING,
        }
    }

    /// Who decided on it, else who began it, doing something now.
    pub fn by(&self, now: Stamp) -> By {
        match self.decided_by.is_empty() {
            true => By::unasked(self.created_by.clone(), self.origin.clone(), now),
            false => By::unasked(self.decided_by.clone(), self.decided_from.clone(), now),
        }
    }
}

const COLUMNS: &str = "producer_id, id, kind, subject, state, total, done, failed, outcome, created_by, origin, \
     created_at, finished_at, pass_refunded, at_stamp, at_seq, leased_until, decided_by, decided_from";

fn read(row: &Row<'_>) -> Result<Piece> {
    Ok(Piece {
        tenant: Tenant::from_column(row.int(0)?),
        id: row.text(1)?.to_owned(),
        kind: row.named(2, WorkKind::parse)?,
        subject: row.text(3)?.to_owned(),
        state: row.named(4, WorkState::parse)?,
        total: row.opt_int(5)?,
        done: row.int(6)?,
        failed: row.int(7)?,
        outcome: row.text(8)?.to_owned(),
        created_by: row.text(9)?.to_owned(),
        origin: row.text(10)?.to_owned(),
        created_at: row.stamp(11)?,
        finished_at: row.opt_stamp(12)?,
        pass_refunded: row.int(13)?,
        at: Position { stamp: row.stamp(14)?, seq: row.int(15)? },
        leased_until: row.stamp(16)?,
        decided_by: row.text(17)?.to_owned(),
        decided_from: row.text(18)?.to_owned(),
    })
}

/// Begins a piece of work, which belongs to whoever begins it until its lease ends. `false` if there is one already that does
/// the same.
pub async fn insert(tx: &mut Unstamped, piece: &Piece) -> Result<bool> {
    let sql = format!(
        "INSERT INTO work ({COLUMNS}) \
         VALUES (?1, ?2, ?3, ?4, ?5, NULL, 0, 0, '', ?6, ?7, ?8, NULL, 0, ?9, ?10, ?11, '', '') ON CONFLICT DO NOTHING"
    );
    let values = params![
        piece.tenant.number(),
        &piece.id,
        piece.kind.as_str(),
        &piece.subject,
        piece.state.as_str(),
        &piece.created_by,
        &piece.origin,
        piece.created_at,
        piece.at.stamp,
        piece.at.seq,
        piece.leased_until.max(Stamp::from_micros(0))
    ];
    Ok(tx.execute(&sql, values).await? > 0)
}

/// A producer's piece of work of this kind.
pub async fn find(conn: &mut Conn, tenant: Tenant, kind: WorkKind, id: &str) -> Result<Option<Piece>> {
    let sql = format!("SELECT {COLUMNS} FROM work WHERE producer_id = ?1 AND id = ?2 AND kind = ?3");
    conn.query_first(&sql, params![tenant.number(), id, kind.as_str()], read).await
}

/// The last pieces of this kind about an event, newest first.
pub async fn of_subject(
    conn: &mut Conn,
    tenant: Tenant,
    kind: WorkKind,
    subject: &str,
    limit: i64,
) -> Result<Vec<Piece>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM work WHERE producer_id = ?1 AND kind = ?2 AND subject = ?3 ORDER BY id DESC LIMIT ?4"
    );
    conn.collect(&sql, params![tenant.number(), kind.as_str(), subject, limit], read).await
}

/// A producer's last pieces of work of one kind, newest first.
pub async fn last(conn: &mut Conn, tenant: Tenant, kind: WorkKind, limit: i64) -> Result<Vec<Piece>> {
    let sql = format!("SELECT {COLUMNS} FROM work WHERE producer_id = ?1 AND kind = ?2 ORDER BY id DESC LIMIT ?3");
    conn.collect(&sql, params![tenant.number(), kind.as_str(), limit], read).await
}

/// The next piece that nobody works on, of any producer but those that are passed over. Producers take turns in the order
/// of their numbers, after the one that had the last turn; each has its own pieces in the order in which they came.
pub async fn next(conn: &mut Conn, now: Stamp, after: Option<Tenant>, passed_over: &[Tenant]) -> Result<Option<Piece>> {
    let mut values: Vec<Param<'_>> = vec![now.into(), after.map_or(0, Tenant::number).into()];
    values.extend(passed_over.iter().map(|tenant| Param::from(tenant.number())));
    let turns: &[&str] = if after.is_some() { &[">", "<="] } else { &[">"] };
    for turn in turns {
        if let Some(piece) = conn.query_first(&next_sql(turn, passed_over.len()), &values, read).await? {
            return Ok(Some(piece));
        }
    }
    Ok(None)
}

fn next_sql(turn: &str, passed_over: usize) -> String {
    let others: String = (0..passed_over).map(|number| format!(" AND producer_id <> ?{}", number + 3)).collect();
    format!(
        "SELECT {COLUMNS} FROM work INDEXED BY work_to_do WHERE state IN ('checking', 'running') \
         AND producer_id {turn} ?2 AND leased_until <= ?1{others} ORDER BY producer_id, leased_until, id LIMIT 1"
    )
}

/// How many files of a producer are here or arriving, and how many bytes they have.
pub async fn files(conn: &mut Conn, tenant: Tenant) -> Result<(usize, i64)> {
    let sizes = conn.collect(FILES, params![tenant.number()], |row| row.int(0)).await?;
    Ok((sizes.len(), sizes.iter().sum()))
}

const FILES: &str = "SELECT coalesce(total, 0) FROM work INDEXED BY work_files \
     WHERE producer_id = ?1 AND kind = 'import' AND finished_at IS NULL";

/// Notes how much of a file has arrived.
pub async fn arrived(tx: &mut Unstamped, tenant: Tenant, id: &str, bytes: i64) -> Result<()> {
    let sql = "UPDATE work SET total = ?3 WHERE producer_id = ?1 AND id = ?2 AND state = 'uploading'";
    tx.execute(sql, params![tenant.number(), id, bytes]).await?;
    Ok(())
}

/// Notes who decided that a file is to be imported.
pub async fn decided(tx: &mut Unstamped, tenant: Tenant, id: &str, by: &By) -> Result<()> {
    let sql = "UPDATE work SET decided_by = ?3, decided_from = ?4 WHERE producer_id = ?1 AND id = ?2";
    tx.execute(sql, params![tenant.number(), id, &by.actor, &by.origin]).await?;
    Ok(())
}

/// Takes up a piece until a time, if nobody works on it. Returns it as it is now.
pub async fn take_up(tx: &mut Unstamped, piece: &Piece, now: Stamp, until: Stamp) -> Result<Option<Piece>> {
    let sql = format!(
        "UPDATE work SET leased_until = ?4 WHERE producer_id = ?1 AND id = ?2 AND leased_until <= ?3 \
         AND state IN ('checking', 'running') RETURNING {COLUMNS}"
    );
    tx.query_first(&sql, params![piece.tenant.number(), &piece.id, now, until], read).await
}

/// Writes how far a piece is, and keeps it until a time. Says whether to go on: staff may have stopped it. `None` if it is
/// another server's by now; then nothing is written.
pub async fn advance(tx: &mut Unstamped, piece: &Piece, until: Stamp) -> Result<Option<bool>> {
    let sql = "UPDATE work SET total = ?3, done = ?4, failed = ?5, pass_refunded = ?6, at_stamp = ?7, at_seq = ?8, \
         leased_until = CASE WHEN state = ?10 THEN CAST(?9 AS BIGINT) ELSE 0 END \
         WHERE producer_id = ?1 AND id = ?2 AND leased_until = ?11 RETURNING state";
    let values = params![
        piece.tenant.number(),
        &piece.id,
        piece.total,
        piece.done,
        piece.failed,
        piece.pass_refunded,
        piece.at.stamp,
        piece.at.seq,
        until,
        piece.state.as_str(),
        piece.leased_until
    ];
    tx.query_first(sql, values, |row| Ok(row.text(0)? == piece.state.as_str())).await
}

/// Puts a piece into another state, from one of those given. `false` if it is in none of them.
pub async fn turn(
    tx: &mut Unstamped,
    tenant: Tenant,
    id: &str,
    from: &[WorkState],
    to: WorkState,
    finished_at: Option<Stamp>,
) -> Result<bool> {
    // The server that works on what is stopped still writes down what it has decided.
    let lease = if to == WorkState::Stopped { "" } else { ", leased_until = 0" };
    let from: Vec<String> = from.iter().map(|state| format!("'{}'", state.as_str())).collect();
    let sql = format!(
        "UPDATE work SET state = ?3, finished_at = ?4{lease} WHERE producer_id = ?1 AND id = ?2 AND state IN ({})",
        from.join(", ")
    );
    Ok(tx.execute(&sql, params![tenant.number(), id, to.as_str(), finished_at]).await? > 0)
}

/// Ends an erasure: what it was about, as it may be kept, and what is said of it.
pub async fn end_erasure(tx: &mut Unstamped, piece: &Piece, subject: &str, outcome: &str, now: Stamp) -> Result<bool> {
    let sql = "UPDATE work SET state = 'done', finished_at = ?3, leased_until = 0, subject = ?4, outcome = ?5, done = ?6, \
         total = ?6 WHERE producer_id = ?1 AND id = ?2 AND state = 'running'";
    let values = params![piece.tenant.number(), &piece.id, now, subject, outcome, piece.done];
    Ok(tx.execute(sql, values).await? > 0)
}

/// Files of a producer that are here and not imported yet.
pub async fn undecided(conn: &mut Conn, tenant: Tenant) -> Result<Vec<Piece>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM work WHERE producer_id = ?1 AND kind = 'import' AND state IN ('checking', 'checked') \
         ORDER BY id"
    );
    conn.collect(&sql, params![tenant.number()], read).await
}

/// Files of a producer that began to arrive before a time, and did not arrive whole.
pub async fn broken_off(conn: &mut Conn, tenant: Tenant, before: Stamp) -> Result<Vec<Piece>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM work WHERE producer_id = ?1 AND kind = 'import' AND state = 'uploading' \
         AND created_at < ?2 ORDER BY id"
    );
    conn.collect(&sql, params![tenant.number(), before], read).await
}

/// Files of a producer that nobody has decided on since a time.
pub async fn forgotten(conn: &mut Conn, tenant: Tenant, before: Stamp, limit: i64) -> Result<Vec<Piece>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM work WHERE producer_id = ?1 AND state IN ('uploading', 'checked') AND created_at < ?2 \
         ORDER BY id LIMIT ?3"
    );
    conn.collect(&sql, params![tenant.number(), before, limit], read).await
}

/// Writes what is said at the end.
pub async fn say(tx: &mut Unstamped, tenant: Tenant, id: &str, outcome: &str) -> Result<()> {
    let sql = "UPDATE work SET outcome = ?3 WHERE producer_id = ?1 AND id = ?2";
    tx.execute(sql, params![tenant.number(), id, outcome]).await?;
    Ok(())
}
