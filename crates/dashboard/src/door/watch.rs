//! Watching a door for all pages that are open on this server: one watcher for each event, which asks the database on
//! behalf of all of them, and writes what they show once for all who see the same.
//!
//! A move ticks the producer's clock in its own transaction, so a look at the clock tells whether anything has changed, on
//! whichever server. A watcher ends with the last stream, with the server, and when the database does not answer; streams
//! end with their watcher, and pages open new ones.
//!
//! The clock's row is looked at every 250 ms, and the figures are read when it has moved, or after 10 s. The stamp is
//! the message's id: a page that comes back with the present one (`Last-Event-ID`) gets nothing until something
//! changes. Session and rights are looked up every 3 s, and a change of either ends the stream.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::watch;

use taquilla_domain::{
    clock::Stamp,
    config::{LIVE_AGAIN, LIVE_FULL_RETRY_S, LIVE_POLL, LIVE_REST, LIVE_STREAMS_MAX, LIVE_STREAMS_PER_USER},
};
use taquilla_http::{app::App, errors::Error};
use taquilla_store::{Tenant, producers};

use super::{
    figures::{self, Figures},
    view::{Reader, View},
};
use crate::frame::producer_path;

/// The doors that pages of this server follow.
#[derive(Default)]
pub struct Doors {
    watched: Mutex<HashMap<DoorKey, Watcher>>,
    streams: Mutex<HashMap<String, usize>>,
    opened: AtomicUsize,
}

/// The door of an event.
type DoorKey = (Tenant, String);

/// A watcher: its number, which tells it apart from one before it, and where it tells what it saw.
struct Watcher {
    number: usize,
    told: SightingSender,
}

type SightingSender = watch::Sender<Option<Arc<Sighting>>>;

/// What a watcher saw.
pub struct Sighting {
    clock: Stamp,
    figures: Figures,
    producer: String,
    written: Mutex<HashMap<Reader, Arc<Written>>>,
}

/// The figures for one kind of reader: as HTML, and as a message of a stream.
pub struct Written {
    /// The HTML.
    pub html: String,
    /// The message.
    pub message: Bytes,
}

impl Sighting {
    /// The id of the message: the stamp of the last move before the figures were read.
    pub fn id(&self) -> String {
        self.clock.micros().to_string()
    }

    /// The figures for this reader. Only the first who asks waits for them to be written.
    pub fn written(&self, reader: Reader) -> Result<Arc<Written>, Error> {
        let mut written = self.written.lock();
        if let Some(known) = written.get(&reader) {
            return Ok(Arc::clone(known));
        }
        let html = View::new(&self.figures, reader, &self.producer).write();
        let html = html.map_err(|cause| Error::Internal(format!("figures could not be written: {cause}")))?;
        let lines: String = html.lines().map(|line| format!("data: {line}\n")).collect();
        let message = Bytes::from(format!("id: {}\nevent: figures\n{lines}\n", self.id()));
        let new = Arc::new(Written { html, message });
        written.insert(reader, Arc::clone(&new));
        Ok(new)
    }
}

impl Doors {
    /// Follows a door. The first who does so starts its watcher.
    pub fn follow(
        self: &Arc<Self>,
        app: &App,
        tenant: Tenant,
        producer_id: &str,
        event_id: &str,
    ) -> watch::Receiver<Option<Arc<Sighting>>> {
        let door = (tenant, event_id.to_owned());
        let mut watched = self.watched.lock();
        if let Some(watcher) = watched.get(&door) {
            return watcher.told.subscribe();
        }
        let (told, following) = watch::channel(None);
        let number = self.opened.fetch_add(1, Ordering::Relaxed);
        watched.insert(door.clone(), Watcher { number, told: told.clone() });
        let place = WatchersPlace { doors: Arc::clone(self), door, number };
        let (app, producer) = (app.clone(), producer_path(producer_id, ""));
        tokio::spawn(async move {
            let mut stopping = app.stopping.subscribe();
            tokio::select! {
                _ = stopping.wait_for(|stopping| *stopping) => {}
                ended = watch(&app, &place, &told, producer) => if let Err(cause) = ended {
                    tracing::warn!(?cause, "the figures of a door could not be read");
                },
            }
        });
        following
    }

    /// Counts a stream of this user, until the place is dropped. Refuses one too many.
    pub fn place(self: &Arc<Self>, user_id: &str) -> Result<StreamsPlace, Error> {
        let mut streams = self.streams.lock();
        let refuse = |detail| Err(Error::RateLimited { retry_after_s: LIVE_FULL_RETRY_S, detail, allowance: None });
        if streams.values().sum::<usize>() >= LIVE_STREAMS_MAX {
            return refuse("This server has as many live pages as it can follow.");
        }
        let own = streams.entry(user_id.to_owned()).or_default();
        if *own >= LIVE_STREAMS_PER_USER {
            return refuse("You have as many live pages open as you may.");
        }
        *own += 1;
        Ok(StreamsPlace { doors: Arc::clone(self), user_id: user_id.to_owned() })
    }
}

/// The place of an open stream.
pub struct StreamsPlace {
    doors: Arc<Doors>,
    user_id: String,
}

impl Drop for StreamsPlace {
    fn drop(&mut self) {
        let mut streams = self.doors.streams.lock();
        if let Some(own) = streams.get_mut(&self.user_id) {
            *own -= 1;
            if *own == 0 {
                streams.remove(&self.user_id);
            }
        }
    }
}

/// The place of a watcher. Without one, the next page starts another.
struct WatchersPlace {
    doors: Arc<Doors>,
    door: DoorKey,
    number: usize,
}

impl WatchersPlace {
    /// Gives the place up if nobody follows the door. Nobody can begin to meanwhile.
    fn leave_if_alone(&self) -> bool {
        let mut watched = self.doors.watched.lock();
        let alone = watched.get(&self.door).is_none_or(|watcher| watcher.told.receiver_count() == 0);
        if alone {
            watched.remove(&self.door);
        }
        alone
    }
}

impl Drop for WatchersPlace {
    fn drop(&mut self) {
        let mut watched = self.doors.watched.lock();
        if watched.get(&self.door).is_some_and(|watcher| watcher.number == self.number) {
            watched.remove(&self.door);
        }
    }
}

/// Looks again and again, and tells what is new, until nobody follows.
async fn watch(app: &App, place: &WatchersPlace, told: &SightingSender, producer: String) -> Result<(), Error> {
    let (tenant, event_id) = &place.door;
    let mut last: Option<(Stamp, Instant)> = None;
    loop {
        let began = Instant::now();
        let mut conn = app.store.read().await?;
        // The clock is read first: what changes while the figures are read is seen the next time.
        let clock = producers::clock(&mut conn, *tenant).await?;
        let is_old = |(seen, read): (Stamp, Instant)| seen != clock || read.elapsed() >= LIVE_AGAIN;
        let mut pause = LIVE_POLL;
        if last.is_none_or(is_old) {
            let figures = figures::read(&mut conn, *tenant, event_id, app.time.now()).await?;
            let figures = figures.ok_or(Error::NotFound("event"))?;
            let seen = Sighting { clock, figures, producer: producer.clone(), written: Mutex::default() };
            told.send_replace(Some(Arc::new(seen)));
            last = Some((clock, Instant::now()));
            pause = pause.max(began.elapsed() * LIVE_REST);
        }
        drop(conn);
        tokio::time::sleep(pause).await;
        if place.leave_if_alone() {
            return Ok(());
        }
    }
}
