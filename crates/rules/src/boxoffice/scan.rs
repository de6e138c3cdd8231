//! Admitting a ticket without a door link, from a script or the producer's own gate.

use taquilla_domain::{
    admit::{Outcome, Way},
    audit::Mover,
    id,
    refusal::Refusal,
    status::TicketStatus,
};
use taquilla_store as store;
use taquilla_store::{ChangeResult, Store, Tenant};

use super::{
    admit::{Admission, Door, Scan},
    alone::admit,
};

/// Records that a ticket entered at a station. This succeeds once for each ticket (G4).
pub async fn scan(store: &Store, tenant: Tenant, id: &str, station: &str, mover: impl Into<Mover>) -> ChangeResult<()> {
    let mover = mover.into();
    let scan = Scan {
        scan_id: id::new_id("sc", mover.now),
        code: id.to_owned(),
        station: station.to_owned(),
        scanned_at: None,
        turned_away: false,
        kept: false,
        door: Door::default(),
    };
    let refusal = match admit(store, tenant, &[scan], mover).await?.pop() {
        Some(Admission::Decided(Outcome::Admitted | Outcome::Reentered, _)) => return Ok(()),
        Some(Admission::Decided(Outcome::Unknown, _)) => Refusal::NotFound("ticket"),
        Some(Admission::Decided(outcome, _)) => {
            let status =
                TicketStatus::ALL.iter().copied().find(|status| Outcome::of(*status, Way::In, false, false) == outcome);
            Refusal::TicketIs(status.ok_or_else(|| store::Error::internal("a scan that no status explains"))?)
        }
        _ => return Err(store::Error::internal("a new scan was not answered").into()),
    };
    Err(refusal.into())
}
