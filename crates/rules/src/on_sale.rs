//! What is on sale at all producers, as the front page shows it. It is remembered, because many look at that page, and each
//! producer is asked by itself.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Mutex as Turn;

use taquilla_domain::{
    clock::Stamp,
    config::{FRONT_EVENTS, FRONT_KEPT, FRONT_PRODUCERS},
    time_source::TimeSource,
};
use taquilla_store::{Result, Store, catalogue::on_sale::OnSale};

use crate::rounds::remembered::Remembered;

/// What is on sale at all producers.
#[derive(Default)]
pub struct Everywhere {
    /// Whoever has this asks; others show what is remembered.
    asking: Turn<Remembered<Vec<OnSale>>>,
    last: Mutex<Option<Last>>,
}

struct Last {
    at: Duration,
    events: Vec<OnSale>,
    /// Whether every producer has been asked.
    is_whole: bool,
}

impl Everywhere {
    /// The events that begin next.
    pub async fn soonest(&self, store: &Store, time: &TimeSource) -> Result<Vec<OnSale>> {
        if let Some(events) = self.remembered(time, true) {
            return Ok(events);
        }
        let mut asking = match (self.asking.try_lock(), self.remembered(time, false)) {
            (Ok(asking), _) => asking,
            (Err(_), Some(events)) => return Ok(events),
            (Err(_), None) => self.asking.lock().await,
        };
        if let Some(events) = self.remembered(time, true) {
            return Ok(events);
        }
        let now = time.now();
        if let Err(cause) = asking.ask_some(store, FRONT_PRODUCERS, now).await {
            return self.remembered(time, false).ok_or(cause);
        }
        let mut events: Vec<OnSale> = asking.all().flatten().cloned().collect();
        events.sort_by_key(|event| event.starts_at);
        *self.last.lock() = Some(Last { at: time.passed(), events: events.clone(), is_whole: asking.is_whole() });
        Ok(first(events.iter(), now))
    }

    /// What is remembered, if there is something and, on demand, if it is new.
    fn remembered(&self, time: &TimeSource, is_new: bool) -> Option<Vec<OnSale>> {
        let last = self.last.lock();
        let last = last.as_ref()?;
        let kept = last.is_whole && time.passed().saturating_sub(last.at) < FRONT_KEPT;
        (kept || !is_new).then(|| first(last.events.iter(), time.now()))
    }
}

/// The first of those that have not begun.
fn first<'a>(events: impl Iterator<Item = &'a OnSale>, now: Stamp) -> Vec<OnSale> {
    events.filter(|event| event.starts_at.is_some_and(|at| at > now)).take(FRONT_EVENTS).cloned().collect()
}
