//! The scan log: every scan and its answer.

use std::collections::HashMap;

use taquilla_domain::{admit::Outcome, clock::Stamp, personal::Personal};

use crate::{
    Conn, Move, Result, Tenant, Unstamped, Write,
    engine::sql::{Param, Row, params},
};

/// The answer to a scan, and the code it was for.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The hash of the code that was shown.
    pub code_hash: String,
    /// What was decided.
    pub outcome: Outcome,
    /// The whole answer.
    pub answer: String,
}

/// The answers that these scans got before, by scan id. Scans without an answer are left out.
pub async fn answered(conn: &mut Conn, tenant: Tenant, scan_ids: &[&str]) -> Result<HashMap<String, Answered>> {
    let sets = tenant.keys(scan_ids);
    let answered = conn
        .collect_many(ANSWERED, &sets, |row| {
            let answer = Answered {
                code_hash: row.text(1)?.to_owned(),
                outcome: row.named(2, Outcome::parse)?,
                answer: row.text(3)?.to_owned(),
            };
            Ok((row.text(0)?.to_owned(), answer))
        })
        .await?;
    Ok(answered.into_iter().collect())
}

/// The query of [`answered`].
pub const ANSWERED: &str =
    "SELECT scan_id, code_hash, outcome, answer FROM scans WHERE producer_id = ?1 AND scan_id = ?2";

/// A scan that was just decided.
pub struct NewScan<'a> {
    /// The id that the device gave it.
    pub scan_id: &'a str,
    /// The link it came through, if any.
    pub door_link_id: Option<&'a str>,
    /// The station.
    pub station: &'a str,
    /// The ticket, if the code is one of the producer's.
    pub ticket_id: Option<String>,
    /// The time of the scan by the device's clock.
    pub scanned_at: Option<Stamp>,
    /// The answer and the code's hash.
    pub answered: Answered,
    /// Whether a device that was offline let somebody in who is not admitted.
    pub conflict: bool,
}

/// Writes scans to the log, in their order.
pub fn insert<'a>(tx: &mut Move, scans: &'a [NewScan<'_>]) -> Result<Write<'a>> {
    let (tenant, stamp) = (tx.tenant(), tx.stamp());
    let mut sets: Vec<Vec<Param<'_>>> = Vec::with_capacity(scans.len());
    for scan in scans {
        sets.push(vec![
            tenant.number().into(),
            scan.scan_id.into(),
            tx.next_seq()?.into(),
            scan.door_link_id.into(),
            scan.station.into(),
            (&scan.answered.code_hash).into(),
            (&scan.ticket_id).into(),
            scan.answered.outcome.as_str().into(),
            scan.scanned_at.into(),
            stamp.into(),
            (&scan.answered.answer).into(),
            scan.conflict.into(),
        ]);
    }
    Ok(Write::new(
        "INSERT INTO scans (producer_id, scan_id, seq, door_link_id, station, code_hash, ticket_id, outcome, scanned_at, \
         accepted_at, answer, conflict) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        sets,
    ))
}

/// The answers to scans of these tickets, each with its scan id.
pub async fn answers_of(conn: &mut Conn, tenant: Tenant, ticket_ids: &[&str]) -> Result<Vec<(String, String)>> {
    let sets = tenant.keys(ticket_ids);
    conn.collect_many(ANSWERS_OF, &sets, |row| Ok((row.text(0)?.to_owned(), row.text(1)?.to_owned()))).await
}

/// The query of [`answers_of`] for one ticket.
pub const ANSWERS_OF: &str = "SELECT scan_id, answer FROM scans WHERE producer_id = ?1 AND ticket_id = ?2 ORDER BY seq";

/// Gives scans other answers, because they named somebody who is erased. Each is a scan id and the answer.
pub fn answer_anew<'a>(tx: &Move, answers: &'a [(String, String)]) -> Write<'a> {
    let tenant = tx.tenant().number();
    let set = |(scan_id, answer): &'a (String, String)| vec![tenant.into(), scan_id.into(), answer.into()];
    Write::new(ANSWER_ANEW, answers.iter().map(set).collect())
}

/// The statement of [`answer_anew`] for one scan.
pub const ANSWER_ANEW: &str = "UPDATE scans SET answer = ?3 WHERE producer_id = ?1 AND scan_id = ?2";

/// A line of the log.
#[derive(Debug)]
pub struct Logged {
    /// The id that the device gave it.
    pub scan_id: String,
    /// The station.
    pub station: String,
    /// What was decided.
    pub outcome: Outcome,
    /// The ticket, if the code is one of the producer's. Whoever has its id can enter with it.
    pub ticket_id: Personal<Option<String>>,
    /// The time of the scan by the device's clock.
    pub scanned_at: Option<Stamp>,
    /// When the server accepted it.
    pub accepted_at: Stamp,
}

/// The last scans through a link, newest first.
pub async fn of_link(conn: &mut Conn, tenant: Tenant, link_id: &str, limit: i64) -> Result<Vec<Logged>> {
    conn.collect(OF_LINK, params![tenant.number(), link_id, limit], read_logged).await
}

fn read_logged(row: &Row<'_>) -> Result<Logged> {
    Ok(Logged {
        scan_id: row.text(0)?.to_owned(),
        station: row.text(1)?.to_owned(),
        outcome: row.named(2, Outcome::parse)?,
        ticket_id: Personal::new(row.opt_text(3)?.map(str::to_owned)),
        scanned_at: row.opt_stamp(4)?,
        accepted_at: row.stamp(5)?,
    })
}

/// A line of the log with its place in it.
#[derive(Debug)]
pub struct Exported {
    /// The line.
    pub logged: Logged,
    /// Its seq.
    pub seq: i64,
    /// The event of the ticket, if the code is one of the producer's.
    pub event_id: Option<String>,
}

/// Some scans through a link (or through none), oldest first, with seqs above the one number and up to the other.
pub async fn after(
    conn: &mut Conn,
    tenant: Tenant,
    link_id: Option<&str>,
    after: i64,
    last: i64,
    limit: usize,
) -> Result<Vec<Exported>> {
    let read = |row: &Row<'_>| {
        Ok(Exported { logged: read_logged(row)?, seq: row.int(6)?, event_id: row.opt_text(7)?.map(str::to_owned) })
    };
    let (number, limit) = (tenant.number(), limit as i64);
    match link_id {
        Some(id) => conn.collect(AFTER_OF_LINK, params![number, after, last, limit, id], read).await,
        None => conn.collect(AFTER_WITHOUT_LINK, params![number, after, last, limit], read).await,
    }
}

/// The query of [`after`] for a link.
pub const AFTER_OF_LINK: &str = "SELECT s.scan_id, s.station, s.outcome, s.ticket_id, s.scanned_at, s.accepted_at, s.seq, \
     (SELECT t.event_id FROM tickets t WHERE t.producer_id = ?1 AND t.id = s.ticket_id) FROM scans s \
     WHERE s.producer_id = ?1 AND s.door_link_id = ?5 AND s.seq > ?2 AND s.seq <= ?3 ORDER BY s.seq LIMIT ?4";
/// The query of [`after`] for scans without a link.
pub const AFTER_WITHOUT_LINK: &str = "SELECT s.scan_id, s.station, s.outcome, s.ticket_id, s.scanned_at, s.accepted_at, s.seq, \
     (SELECT t.event_id FROM tickets t WHERE t.producer_id = ?1 AND t.id = s.ticket_id) FROM scans s \
     WHERE s.producer_id = ?1 AND s.door_link_id IS NULL AND s.seq > ?2 AND s.seq <= ?3 ORDER BY s.seq LIMIT ?4";

/// The query of [`of_link`].
pub const OF_LINK: &str = "SELECT scan_id, station, outcome, ticket_id, scanned_at, accepted_at FROM scans \
     WHERE producer_id = ?1 AND door_link_id = ?2 ORDER BY seq DESC LIMIT ?3";

/// An attempt to enter with a ticket.
#[derive(Debug)]
pub struct Attempt {
    /// The link it came through, if any.
    pub door_link_id: Option<String>,
    /// The station.
    pub station: String,
    /// What was decided.
    pub outcome: Outcome,
    /// The time of the scan by the device's clock.
    pub scanned_at: Option<Stamp>,
    /// When the server accepted it.
    pub accepted_at: Stamp,
}

/// The last attempts to enter with a ticket, newest first.
pub async fn of_ticket(conn: &mut Conn, tenant: Tenant, ticket_id: &str, limit: i64) -> Result<Vec<Attempt>> {
    conn.collect(OF_TICKET, params![tenant.number(), ticket_id, limit], |row| {
        Ok(Attempt {
            door_link_id: row.opt_text(0)?.map(str::to_owned),
            station: row.text(1)?.to_owned(),
            outcome: row.named(2, Outcome::parse)?,
            scanned_at: row.opt_stamp(3)?,
            accepted_at: row.stamp(4)?,
        })
    })
    .await
}

/// The query of [`of_ticket`].
pub const OF_TICKET: &str = "SELECT door_link_id, station, outcome, scanned_at, accepted_at FROM scans \
     WHERE producer_id = ?1 AND ticket_id = ?2 ORDER BY seq DESC LIMIT ?3";

/// A scan that admitted nobody.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The link it came through.
    pub link_id: String,
    /// The station.
    pub station: String,
    /// Why.
    pub outcome: Outcome,
    /// The time of the scan by the device's clock.
    pub scanned_at: Option<Stamp>,
    /// When the server accepted it.
    pub accepted_at: Stamp,
    /// What the door was answered.
    pub answer: String,
}

/// The last scans through some links that admitted nobody, so many of each link; of all of them, or of the conflicts.
pub async fn refused(
    conn: &mut Conn,
    tenant: Tenant,
    link_ids: &[&str],
    conflicts_only: bool,
    limit: i64,
) -> Result<Vec<Refused>> {
    let sets: Vec<Vec<Param<'_>>> =
        link_ids.iter().map(|id| vec![tenant.number().into(), (*id).into(), limit.into()]).collect();
    let sql = if conflicts_only { IN_CONFLICT } else { REFUSED };
    conn.collect_many(sql, &sets, |row| {
        Ok(Refused {
            link_id: row.text(0)?.to_owned(),
            station: row.text(1)?.to_owned(),
            outcome: row.named(2, Outcome::parse)?,
            scanned_at: row.opt_stamp(3)?,
            accepted_at: row.stamp(4)?,
            answer: row.text(5)?.to_owned(),
        })
    })
    .await
}

/// The query of [`refused`] for one link.
pub const REFUSED: &str = "SELECT door_link_id, station, outcome, scanned_at, accepted_at, answer FROM scans \
     INDEXED BY scans_refused WHERE producer_id = ?1 AND door_link_id = ?2 \
     AND CASE outcome WHEN 'admitted' THEN 0 \
     WHEN 'entry_undone' THEN 0 WHEN 'reentered' THEN 0 WHEN 'went_out' THEN 0 ELSE 1 END = 1 ORDER BY seq DESC LIMIT ?3";
/// The query of [`refused`] for the conflicts of one link.
pub const IN_CONFLICT: &str = "SELECT door_link_id, station, outcome, scanned_at, accepted_at, answer FROM scans \
     INDEXED BY scans_in_conflict WHERE producer_id = ?1 AND door_link_id = ?2 AND conflict = 1 \
     ORDER BY seq DESC LIMIT ?3";

/// The oldest attempts through a link (or through none) that were accepted before this.
pub async fn old(
    conn: &mut Conn,
    tenant: Tenant,
    link_id: Option<&str>,
    before: Stamp,
    limit: i64,
) -> Result<Vec<String>> {
    let mut oldest = match link_id {
        Some(id) => conn.collect(OLDEST_OF_LINK, params![tenant.number(), id, limit], read_age).await?,
        None => conn.collect(OLDEST_WITHOUT_LINK, params![tenant.number(), limit], read_age).await?,
    };
    oldest.retain(|(_, accepted_at)| *accepted_at < before);
    Ok(oldest.into_iter().map(|(id, _)| id).collect())
}

/// Forgets some of the [`old`] attempts. That a ticket entered stays with the ticket.
pub async fn forget(
    tx: &mut Unstamped,
    tenant: Tenant,
    link_id: Option<&str>,
    before: Stamp,
    limit: i64,
) -> Result<()> {
    let ids = old(tx, tenant, link_id, before, limit).await?;
    let keys: Vec<Vec<Param<'_>>> =
        ids.iter().map(|id| vec![tenant.number().into(), id.into(), before.into()]).collect();
    // Another server may have forgotten it meanwhile, and a phone may have used the id anew.
    let sql = "DELETE FROM scans WHERE producer_id = ?1 AND scan_id = ?2 AND accepted_at < ?3";
    tx.execute_many(sql, &keys).await?;
    Ok(())
}

fn read_age(row: &Row<'_>) -> Result<(String, Stamp)> {
    Ok((row.text(0)?.to_owned(), row.stamp(1)?))
}

/// The query of [`old`] for a link. Seqs rise with the time of acceptance.
pub const OLDEST_OF_LINK: &str =
    "SELECT scan_id, accepted_at FROM scans WHERE producer_id = ?1 AND door_link_id = ?2 ORDER BY seq LIMIT ?3";
/// The query of [`old`] for scans without a link.
pub const OLDEST_WITHOUT_LINK: &str =
    "SELECT scan_id, accepted_at FROM scans WHERE producer_id = ?1 AND door_link_id IS NULL ORDER BY seq LIMIT ?2";
