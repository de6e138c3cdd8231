//! Who has to wait before they buy, because more come than can be decided.
//!
//! Nobody waits as long as few come: then nothing is written, and a server asks once a second whether another one has begun a
//! line. When more come in a second than are let in, or when orders wait longer than one group of them, the event has a line:
//! a row that all servers share (`store/src/sales/waiting_lines.rs`), with rules of its own (`domain/src/line.rs`). Those who
//! come to one server at the same time get their places together, in the order in which they came.

use std::{collections::HashMap, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::sync::{Mutex as Turn, oneshot};

use taquilla_domain::{
    config::{LINE_KNOWN, LINE_PER_SECOND, LINES_KNOWN_MAX},
    line::Line,
    time_source::TimeSource,
};
use taquilla_store::{Error, Result, Store, Tenant, sales::waiting_lines as lines, transaction};

use crate::boxoffice::Queue;

const SECOND: Duration = Duration::from_secs(1);

/// What one server knows of the lines of events. Cheap to clone.
#[derive(Clone)]
pub struct WaitingLines(Arc<Shared>);

struct Shared {
    store: Store,
    queue: Queue,
    time: TimeSource,
    of_events: Mutex<HashMap<(Tenant, String), Arc<OfEvent>>>,
}

/// What a server knows of one event.
#[derive(Default)]
struct OfEvent {
    known: Mutex<Option<Known>>,
    /// Whoever has this looks; others wait for what it sees.
    looking: Turn<()>,
    comers: Mutex<Comers>,
    arrivals: Mutex<Arrivals>,
}

/// What was seen when.
#[derive(Clone, Copy)]
struct Known {
    at: Duration,
    line: Option<Line>,
}

/// Those who wait for their places.
#[derive(Default)]
struct Comers {
    waiting: Vec<oneshot::Sender<Result<(i64, Line)>>>,
    /// Whether a task gives places out.
    is_served: bool,
}

/// How many went on to buying in this second.
#[derive(Default)]
struct Arrivals {
    since: Duration,
    count: i64,
}

impl WaitingLines {
    /// What a server knows when it begins.
    pub fn new(store: Store, queue: Queue, time: TimeSource) -> Self {
        Self(Arc::new(Shared { store, queue, time, of_events: Mutex::default() }))
    }

    /// The line of an event, if it has one. It may be a second old.
    pub async fn look(&self, tenant: Tenant, event_id: &str) -> Result<Option<Line>> {
        let Some(of_event) = self.of(tenant, event_id) else { return Ok(None) };
        let known = || of_event.known(self.0.time.passed());
        if let Some(known) = known() {
            return Ok(known.line);
        }
        let _looking = of_event.looking.lock().await;
        if let Some(known) = known() {
            return Ok(known.line);
        }
        let at = self.0.time.passed();
        let is_there = lines::find(&mut self.0.store.read_of(tenant).await?, tenant, event_id).await?.is_some();
        let line = if is_there { self.change(tenant, event_id, 0).await?.map(|(_, line)| line) } else { None };
        of_event.know(at, line);
        Ok(line)
    }

    /// Counts somebody who goes on to buying at an event without a line. `false` if there are too many, and they need a place.
    pub fn may_go_on(&self, tenant: Tenant, event_id: &str) -> bool {
        // Whose event cannot be remembered does not wait: it has no crowd, or this server has a thousand.
        let Some(of_event) = self.of(tenant, event_id) else { return true };
        of_event.arrivals.lock().count(self.0.time.passed()) <= LINE_PER_SECOND && !self.0.queue.is_behind(tenant)
    }

    /// Gives the last place in the line of an event, which begins if there is none.
    pub async fn join(&self, tenant: Tenant, event_id: &str) -> Result<(i64, Line)> {
        let Some(of_event) = self.of(tenant, event_id) else { return Err(busy()) };
        let (tell, told) = oneshot::channel();
        let is_first = {
            let mut comers = of_event.comers.lock();
            comers.waiting.push(tell);
            !std::mem::replace(&mut comers.is_served, true)
        };
        if is_first {
            // In a task of its own it goes on if the first of them has gone.
            tokio::spawn(self.clone().serve(tenant, event_id.to_owned(), of_event));
        }
        told.await.unwrap_or_else(|_| Err(busy()))
    }

    /// Gives places to all who wait for one, in their order, until there are none.
    async fn serve(self, tenant: Tenant, event_id: String, of_event: Arc<OfEvent>) {
        loop {
            let comers = {
                let mut comers = of_event.comers.lock();
                comers.is_served = !comers.waiting.is_empty();
                std::mem::take(&mut comers.waiting)
            };
            if comers.is_empty() {
                return;
            }
            let at = self.0.time.passed();
            let count = i64::try_from(comers.len()).unwrap_or(i64::MAX);
            let joined = self.change(tenant, &event_id, count).await;
            if let Ok(Some((_, line))) = &joined {
                of_event.know(at, Some(*line));
            }
            for (comer, after) in comers.into_iter().zip(0..) {
                // Whoever has gone leaves a place that nobody has. It costs the others a hundredth of a second.
                let _gone = comer.send(match &joined {
                    Ok(Some((first, line))) => Ok((first + after, *line)),
                    Ok(None) => Err(busy()),
                    Err(cause) => Err(cause.clone()),
                });
            }
        }
    }

    /// Brings a line up to date, with so many more at its end; with some, a line begins where there is none. One that is over
    /// ends. Gives the first of the new places, and the line.
    async fn change(&self, tenant: Tenant, event_id: &str, comers: i64) -> Result<Option<(i64, Line)>> {
        let is_behind = self.0.queue.is_behind(tenant);
        transaction!(self.0.store.begin_unstamped(), |tx| {
            let mut found = lines::lock(tx, tenant, event_id).await?;
            if found.is_none() && comers > 0 {
                lines::begin(tx, tenant, event_id).await?;
                found = lines::lock(tx, tenant, event_id).await?;
            }
            let Some((mut line, now)) = found else { return Ok(None) };
            if line.is_over(now) {
                if comers == 0 {
                    lines::remove(tx, tenant, event_id).await?;
                    return Ok(None);
                }
                line = Line::new(now);
            }
            let first = line.join(comers);
            line.go_on(now, is_behind);
            lines::write(tx, tenant, event_id, &line).await?;
            Ok(Some((first, line)))
        })
    }

    fn of(&self, tenant: Tenant, event_id: &str) -> Option<Arc<OfEvent>> {
        let key = (tenant, event_id.to_owned());
        let mut of_events = self.0.of_events.lock();
        if !of_events.contains_key(&key) && of_events.len() >= LINES_KNOWN_MAX {
            let now = self.0.time.passed();
            of_events.retain(|_, of_event| of_event.known(now).is_some() || of_event.comers.lock().is_served);
            if of_events.len() >= LINES_KNOWN_MAX {
                return None;
            }
        }
        Some(Arc::clone(of_events.entry(key).or_default()))
    }
}

/// Ends the lines of a producer that are over and that nobody has come to since.
pub async fn end_over(store: &Store, tenant: Tenant) -> Result<()> {
    for event_id in lines::events(&mut store.read().await?, tenant).await? {
        transaction!(store.begin_unstamped(), |tx| {
            match lines::lock(tx, tenant, &event_id).await? {
                Some((line, now)) if line.is_over(now) => lines::remove(tx, tenant, &event_id).await,
                _ => Ok(()),
            }
        })?;
    }
    Ok(())
}

fn busy() -> Error {
    Error::Unavailable("the line of the event cannot be joined now".into())
}

impl OfEvent {
    fn known(&self, now: Duration) -> Option<Known> {
        self.known.lock().filter(|known| now.saturating_sub(known.at) < LINE_KNOWN)
    }

    /// Remembers what was seen. What was seen earlier, and is told late, is no news; a line only goes on.
    fn know(&self, at: Duration, line: Option<Line>) {
        let mut known = self.known.lock();
        let is_older = known.is_some_and(|known| {
            known.at > at
                || known.line.zip(line).is_some_and(|(known, line)| {
                    known.opened_at == line.opened_at && known.last_place > line.last_place
                })
        });
        if !is_older {
            *known = Some(Known { at, line });
        }
    }
}

impl Arrivals {
    fn count(&mut self, now: Duration) -> i64 {
        if now.saturating_sub(self.since) >= SECOND {
            *self = Self { since: now, count: 0 };
        }
        self.count += 1;
        self.count
    }
}
