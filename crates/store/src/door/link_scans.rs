//! How many scans came through each door link, by outcome. These counts stay when old scans are forgotten.

use std::collections::BTreeMap;

use taquilla_domain::admit::Outcome;

use super::scans::NewScan;
use crate::{Conn, Move, Result, Tenant, Write};

/// Adds scans that were just decided. Those that came through no link are not counted.
pub fn add<'a>(tx: &Move, scans: &'a [NewScan<'_>]) -> Write<'a> {
    let tenant = tx.tenant().number();
    let mut counts: BTreeMap<(&str, &str), (i64, i64)> = BTreeMap::new();
    for scan in scans {
        if let Some(link) = scan.door_link_id {
            let (scans, conflicts) = counts.entry((link, scan.answered.outcome.as_str())).or_default();
            *scans += 1;
            *conflicts += i64::from(scan.conflict);
        }
    }
    let sets = counts
        .into_iter()
        .map(|((link, outcome), (scans, conflicts))| {
            vec![tenant.into(), link.into(), outcome.into(), scans.into(), conflicts.into()]
        })
        .collect();
    Write::new(ADD, sets)
}

const ADD: &str = "INSERT INTO link_scans (producer_id, door_link_id, outcome, scans, conflicts) \
     VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (producer_id, door_link_id, outcome) \
     DO UPDATE SET scans = link_scans.scans + excluded.scans, conflicts = link_scans.conflicts + excluded.conflicts";

/// The scans through a link that had one outcome.
#[derive(Clone, Debug)]
pub struct LinkScans {
    /// The link.
    pub link_id: String,
    /// The outcome.
    pub outcome: Outcome,
    /// How many.
    pub scans: i64,
    /// How many of them are conflicts.
    pub conflicts: i64,
}

/// The counts of some links.
pub async fn of_links(conn: &mut Conn, tenant: Tenant, link_ids: &[&str]) -> Result<Vec<LinkScans>> {
    let sets = tenant.keys(link_ids);
    conn.collect_many(OF_LINK, &sets, |row| {
        Ok(LinkScans {
            link_id: row.text(0)?.to_owned(),
            outcome: row.named(1, Outcome::parse)?,
            scans: row.int(2)?,
            conflicts: row.int(3)?,
        })
    })
    .await
}

/// The query of [`of_links`] for one link.
pub const OF_LINK: &str =
    "SELECT door_link_id, outcome, scans, conflicts FROM link_scans WHERE producer_id = ?1 AND door_link_id = ?2";
