//! The scan log: every attempt to enter, and what was answered.

use std::collections::HashMap;

use crate::{
    domain::{admit::Outcome, clock::Stamp},
    wire::LoggedScan,
};

use super::{
    Conn, Result,
    producers::{Tenant, Tick},
    sql::{Param, params},
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
    let mut answered = HashMap::new();
    conn.query_many(
        "SELECT scan_id, code_hash, outcome, answer FROM scans WHERE producer_id = ?1 AND scan_id = ?2",
        &sets,
        |row| {
            let answer = Answered {
                code_hash: row.text(1)?.to_owned(),
                outcome: row.named(2, Outcome::parse)?,
                answer: row.text(3)?.to_owned(),
            };
            answered.insert(row.text(0)?.to_owned(), answer);
            Ok(())
        },
    )
    .await?;
    Ok(answered)
}

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
pub async fn insert(conn: &mut Conn, tenant: Tenant, tick: &mut Tick, scans: &[NewScan<'_>]) -> Result<()> {
    let mut sets: Vec<Vec<Param<'_>>> = Vec::with_capacity(scans.len());
    for scan in scans {
        sets.push(vec![
            tenant.number().into(),
            scan.scan_id.into(),
            tick.seq()?.into(),
            scan.door_link_id.into(),
            scan.station.into(),
            (&scan.answered.code_hash).into(),
            (&scan.ticket_id).into(),
            scan.answered.outcome.as_str().into(),
            scan.scanned_at.into(),
            tick.stamp.into(),
            (&scan.answered.answer).into(),
        ]);
    }
    conn.execute_many(
        "INSERT INTO scans (producer_id, scan_id, seq, door_link_id, station, code_hash, ticket_id, outcome, scanned_at, \
         accepted_at, answer) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        &sets,
    )
    .await?;
    Ok(())
}

/// The last attempts through a link, newest first.
pub async fn of_link(conn: &mut Conn, tenant: Tenant, link_id: &str, limit: i64) -> Result<Vec<LoggedScan>> {
    let mut scans = Vec::new();
    conn.query(
        "SELECT scan_id, station, outcome, ticket_id, scanned_at, accepted_at FROM scans \
         WHERE producer_id = ?1 AND door_link_id = ?2 ORDER BY seq DESC LIMIT ?3",
        params![tenant.number(), link_id, limit],
        |row| {
            scans.push(LoggedScan {
                scan_id: row.text(0)?.to_owned(),
                station: row.text(1)?.to_owned(),
                outcome: row.named(2, Outcome::parse)?,
                ticket_id: row.opt_text(3)?.map(str::to_owned),
                scanned_at: row.opt_time(4)?,
                accepted_at: row.time(5)?,
            });
            Ok(())
        },
    )
    .await?;
    Ok(scans)
}
