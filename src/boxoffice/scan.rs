//! Admitting a ticket without a door link, from a script or the producer's own gate.

use super::{
    admit::{Admission, Door, Scan},
    alone::admit,
};
use crate::{
    domain::{admit::Outcome, clock::Stamp, id, refusal::Refusal, status::TicketStatus},
    store::{self, ChangeResult, Store, Tenant},
};

/// Records that a ticket entered at a station. This succeeds once for each ticket (G4).
pub async fn scan(store: &Store, tenant: Tenant, id: &str, station: &str, now: Stamp) -> ChangeResult<()> {
    let scan = Scan {
        scan_id: id::new_id("sc", now),
        code: id.to_owned(),
        station: station.to_owned(),
        scanned_at: None,
        turned_away: false,
        kept: false,
        door: Door::default(),
    };
    let refusal = match admit(store, tenant, &[scan], now).await?.pop() {
        Some(Admission::Decided(Outcome::Admitted, _)) => return Ok(()),
        Some(Admission::Decided(Outcome::Unknown, _)) => Refusal::NotFound("ticket"),
        Some(Admission::Decided(outcome, _)) => {
            let status = TicketStatus::ALL.iter().copied().find(|status| Outcome::of(*status) == outcome);
            Refusal::TicketIs(status.ok_or_else(|| store::Error::internal("a scan that no status explains"))?)
        }
        _ => return Err(store::Error::internal("a new scan was not answered").into()),
    };
    Err(refusal.into())
}
