//! Entries that were taken back, in the scan log.

use std::collections::HashMap;

use taquilla_domain::{admit::Outcome, clock::Stamp};

use crate::{
    Conn, Move, Result, Tenant, Write,
    engine::sql::{Param, Row},
};

/// When the entry of each of these tickets was last taken back. Tickets of which none was are left out.
pub async fn last(conn: &mut Conn, tenant: Tenant, ticket_ids: &[&str]) -> Result<HashMap<String, Stamp>> {
    let read = |row: &Row<'_>| Ok((row.text(0)?.to_owned(), row.stamp(1)?));
    Ok(conn.collect_many(LAST, &tenant.keys(ticket_ids), read).await?.into_iter().collect())
}

/// The query of [`last`] for one ticket. Rows with a conflict are of phones that were offline when it was taken back.
pub const LAST: &str = "SELECT ticket_id, accepted_at FROM scans INDEXED BY scans_undone WHERE producer_id = ?1 \
     AND ticket_id = ?2 AND outcome = 'entry_undone' AND conflict = 0 ORDER BY seq DESC LIMIT 1";

/// A scan that let somebody in, or tried to.
pub struct Made {
    /// Its id.
    pub scan_id: String,
    /// The link it came through, if any.
    pub door_link_id: Option<String>,
    /// The ticket, if the code is one of the producer's.
    pub ticket_id: Option<String>,
    /// What was decided.
    pub outcome: Outcome,
    /// When the server accepted it.
    pub accepted_at: Stamp,
}

fn read_made(row: &Row<'_>) -> Result<Made> {
    Ok(Made {
        scan_id: row.text(0)?.to_owned(),
        door_link_id: row.opt_text(1)?.map(str::to_owned),
        ticket_id: row.opt_text(2)?.map(str::to_owned),
        outcome: row.named(3, Outcome::parse)?,
        accepted_at: row.stamp(4)?,
    })
}

/// The scans with these ids.
pub async fn made(conn: &mut Conn, tenant: Tenant, scan_ids: &[&str]) -> Result<Vec<Made>> {
    conn.collect_many(MADE, &tenant.keys(scan_ids), read_made).await
}

/// The query of [`made`] for one scan.
pub const MADE: &str = "SELECT scan_id, door_link_id, ticket_id, outcome, accepted_at FROM scans \
     WHERE producer_id = ?1 AND scan_id = ?2";

/// The scans by which these tickets have entered. There is none for a ticket that entered elsewhere before an import, or
/// whose scan was forgotten.
pub async fn standing(conn: &mut Conn, tenant: Tenant, ticket_ids: &[&str]) -> Result<Vec<Made>> {
    conn.collect_many(STANDING, &tenant.keys(ticket_ids), read_made).await
}

/// The query of [`standing`] for one ticket.
pub const STANDING: &str = "SELECT scan_id, door_link_id, ticket_id, outcome, accepted_at FROM scans \
     WHERE producer_id = ?1 AND ticket_id = ?2 AND outcome = 'admitted' AND undone_at IS NULL ORDER BY seq";

/// Notes on these scans that the entries they made are taken back, and takes them out of the counts of their links.
pub fn take_back<'a>(tx: &Move, scans: &'a [Made]) -> [Write<'a>; 2] {
    let (tenant, stamp) = (tx.tenant().number(), tx.stamp());
    let noted =
        scans.iter().map(|scan| -> Vec<Param<'_>> { vec![tenant.into(), (&scan.scan_id).into(), stamp.into()] });
    let through = scans.iter().filter_map(|scan| scan.door_link_id.as_ref());
    let mut links: HashMap<&String, i64> = HashMap::new();
    through.for_each(|link| *links.entry(link).or_default() += 1);
    let counted =
        links.into_iter().map(|(link, scans)| -> Vec<Param<'_>> { vec![tenant.into(), link.into(), scans.into()] });
    [Write::new(TAKE_BACK, noted.collect()), Write::new(COUNT_BACK, counted.collect())]
}

/// Notes on one scan that its entry is taken back.
pub const TAKE_BACK: &str = "UPDATE scans SET undone_at = ?3 WHERE producer_id = ?1 AND scan_id = ?2";
/// Takes scans out of the counts of one link.
pub const COUNT_BACK: &str = "UPDATE link_scans SET scans = scans - ?3 \
     WHERE producer_id = ?1 AND door_link_id = ?2 AND outcome = 'admitted'";
