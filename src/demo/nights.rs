//! The nights of the demo. When one is over, the next begins, so that there is always a door to look at.

use taquilla_domain::{clock::Stamp, config::DEMO_NIGHTS_MAX, status::EventStatus, time_source::TimeSource};
use taquilla_rules::{
    admin::catalogue::{self, EventChange},
    import,
};
use taquilla_store::{ChangeError, ChangeResult, Conn, Error, Result, Store, Tenant, catalogue::events};

use super::{
    data::{TONIGHT_ID, another_night},
    people::staff,
};

/// A night whose door is open.
#[derive(Clone, Debug)]
pub struct Night {
    /// The first is 1.
    pub number: u32,
    /// The event's id.
    pub event_id: String,
    /// When it ends.
    pub ends_at: Stamp,
}

/// The seeds of nights, apart from that of the first data, whose tickets are there already.
const SEEDS: u64 = 1_000;

fn event_id(number: u32) -> String {
    if number == 1 { TONIGHT_ID.to_owned() } else { format!("{TONIGHT_ID}_{number}") }
}

/// The last night that was begun, if the demo has its data.
pub async fn now_on(conn: &mut Conn, tenant: Tenant) -> Result<Option<Night>> {
    for number in (1..=DEMO_NIGHTS_MAX).rev() {
        let event_id = event_id(number);
        let ends_at = events::find(conn, tenant, &event_id, |event| event.ends_at).await?;
        if let Some(ends_at) = ends_at {
            return Ok(Some(Night { number, event_id, ends_at: ends_at.unwrap_or(Stamp::END) }));
        }
    }
    Ok(None)
}

/// Whether a night is over and another may begin.
pub fn is_over(night: &Night, now: Stamp) -> bool {
    now >= night.ends_at && night.number < DEMO_NIGHTS_MAX
}

/// Ends a night and begins the next. Of two demos on one database that do so at once, one finds the other's night.
pub async fn next(store: &Store, tenant: Tenant, last: &Night, time: &TimeSource) -> ChangeResult<Night> {
    let by = &staff(time);
    let over = EventChange { status: Some(EventStatus::Finished), ..EventChange::default() };
    catalogue::change_event(store, tenant, &last.event_id, &over, None, by).await?;
    let number = last.number + 1;
    let lines = another_night(SEEDS + u64::from(number), &event_id(number), by.now);
    let begun = import::run(store, tenant, lines.as_bytes(), by, time, |_| ()).await;
    let found = now_on(&mut store.read().await?, tenant).await?.filter(|night| night.number > last.number);
    match (found, begun) {
        (Some(night), _) => Ok(night),
        (None, Err(import::Error::Store(cause))) => Err(ChangeError::Store(cause)),
        (None, Err(cause)) => Err(Error::internal(cause).into()),
        (None, Ok(_)) => Err(Error::internal("a night that was begun is not there").into()),
    }
}
