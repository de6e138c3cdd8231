//! The scan log: every attempt to enter, and what was answered.

use std::collections::HashMap;

use crate::{
    domain::{admit::Outcome, clock::Stamp},
    store::{
        Conn, Move, Result, Tenant, Unstamped,
        engine::sql::{Param, Row, params},
    },
};

/// What was answered to a scan, and to what.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The hash of the code that was shown.
    pub code_hash: String,
    /// What was decided.
    pub outcome: Outcome,
    /// The whole answer.
    pub answer: String,
}

/// The answers that these scans got before, by their ids; new ones are left out.
pub async fn answered(conn: &mut Conn, tenant: Tenant, scan_ids: &[&str]) -> Result<HashMap<String, Answered>> {
    let sets: Vec<[Param<'_>; 2]> = scan_ids.iter().map(|id| [tenant.number().into(), (*id).into()]).collect();
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

/// See [`answered`].
pub const ANSWERED: &str =
    "SELECT scan_id, code_hash, outcome, answer FROM scans WHERE producer_id = ?1 AND scan_id = ?2";

/// An attempt that was just decided.
pub struct NewScan<'a> {
    /// What the device calls it.
    pub scan_id: &'a str,
    /// The link it came through, if any.
    pub door_link_id: Option<&'a str>,
    /// Where it was.
    pub station: &'a str,
    /// The ticket, where it is one of the producer's.
    pub ticket_id: Option<String>,
    /// The device's own time.
    pub scanned_at: Option<Stamp>,
    /// What was answered, and to what.
    pub answered: Answered,
}

/// Writes attempts down, in their order.
pub async fn insert(tx: &mut Move, scans: &[NewScan<'_>]) -> Result<()> {
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
        ]);
    }
    tx.execute_many(
        "INSERT INTO scans (producer_id, scan_id, seq, door_link_id, station, code_hash, ticket_id, outcome, scanned_at, \
         accepted_at, answer) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        &sets,
    )
    .await?;
    Ok(())
}

/// A line of the log.
#[derive(Debug)]
pub struct Logged {
    /// What the device called it.
    pub scan_id: String,
    /// Where it was.
    pub station: String,
    /// What was answered.
    pub outcome: Outcome,
    /// The ticket, where it is one of the producer's.
    pub ticket_id: Option<String>,
    /// The device's own time.
    pub scanned_at: Option<Stamp>,
    /// When the server accepted it.
    pub accepted_at: Stamp,
}

/// The last attempts through a link, newest first.
pub async fn of_link(conn: &mut Conn, tenant: Tenant, link_id: &str, limit: i64) -> Result<Vec<Logged>> {
    conn.collect(OF_LINK, params![tenant.number(), link_id, limit], |row| {
        Ok(Logged {
            scan_id: row.text(0)?.to_owned(),
            station: row.text(1)?.to_owned(),
            outcome: row.named(2, Outcome::parse)?,
            ticket_id: row.opt_text(3)?.map(str::to_owned),
            scanned_at: row.opt_stamp(4)?,
            accepted_at: row.stamp(5)?,
        })
    })
    .await
}

/// See [`of_link`].
pub const OF_LINK: &str = "SELECT scan_id, station, outcome, ticket_id, scanned_at, accepted_at FROM scans \
     WHERE producer_id = ?1 AND door_link_id = ?2 ORDER BY seq DESC LIMIT ?3";

/// Forgets some attempts through a link (or through none) that were accepted before this, oldest first, and tells how many.
/// That a ticket entered stays with the ticket.
pub async fn forget(
    tx: &mut Unstamped,
    tenant: Tenant,
    link_id: Option<&str>,
    before: Stamp,
    limit: i64,
) -> Result<usize> {
    let oldest = match link_id {
        Some(id) => tx.collect(OLDEST_OF_LINK, params![tenant.number(), id, limit], read_age).await?,
        None => tx.collect(OLDEST_WITHOUT_LINK, params![tenant.number(), limit], read_age).await?,
    };
    let keys: Vec<Vec<Param<'_>>> = oldest
        .iter()
        .take_while(|(_, accepted_at)| *accepted_at < before)
        .map(|(id, _)| vec![tenant.number().into(), id.into()])
        .collect();
    tx.execute_many("DELETE FROM scans WHERE producer_id = ?1 AND scan_id = ?2", &keys).await?;
    Ok(keys.len())
}

fn read_age(row: &Row<'_>) -> Result<(String, Stamp)> {
    Ok((row.text(0)?.to_owned(), row.stamp(1)?))
}

/// See [`forget`]. Seqs rise with the time of acceptance.
pub const OLDEST_OF_LINK: &str =
    "SELECT scan_id, accepted_at FROM scans WHERE producer_id = ?1 AND door_link_id = ?2 ORDER BY seq LIMIT ?3";
/// See [`forget`].
pub const OLDEST_WITHOUT_LINK: &str =
    "SELECT scan_id, accepted_at FROM scans WHERE producer_id = ?1 AND door_link_id IS NULL ORDER BY seq LIMIT ?2";
