//! An event that a crowd looks at is read twice a second at most, and its page is written once for all of them.
//!
//! Few visitors are each shown what is read for them. More of them in one second are a crowd, and are shown a copy that is a
//! second old at most. It costs them no question to the database; what is left is decided when they order. A copy is of one
//! event as one access code opens it, or none, so nobody is shown what their link does not open.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::body::Bytes;
use parking_lot::Mutex;
use tokio::sync::Mutex as Turn;

use taquilla_domain::{
    clock::Stamp,
    config::{SHOP_COPIES_BYTES, SHOP_COPY_FRESH, SHOP_COPY_KEPT, SHOP_WATCHED_MAX},
};
use taquilla_http::{app::App, errors::Error};
use taquilla_pages::texts::Language;
use taquilla_store::producers::Shopkeeper;

use super::{
    carried::Carried,
    guest::find_keeper,
    offer::{self, Offer},
    visits::Visits,
};

/// Which event is looked at, and with which code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Seen {
    /// The producer's public id.
    pub producer_id: String,
    /// The event.
    pub event_id: String,
    /// The code that opens a hidden item of it.
    pub access_code: Option<String>,
}

impl Seen {
    /// The event in a path, as what its address carries opens it.
    pub fn by(producer_id: String, event_id: &str, carried: &Carried) -> Self {
        Self { producer_id, event_id: event_id.to_owned(), access_code: carried.access_code().map(str::to_owned) }
    }
}

/// What one server remembers of the events that are looked at now.
#[derive(Default)]
pub struct Copies {
    watched: Mutex<HashMap<Seen, Watched>>,
    /// Bytes of all written pages.
    bytes: Arc<AtomicUsize>,
}

#[derive(Default)]
struct Watched {
    visits: Visits,
    shared: Arc<Shared>,
}

/// What a crowd shares.
#[derive(Default)]
struct Shared {
    last: Mutex<Option<Arc<Copy>>>,
    /// Whoever has this reads; others are shown what was read before.
    reading: Turn<()>,
}

/// An event as it was at one moment.
pub struct Copy {
    /// Whose event it is.
    pub keeper: Shopkeeper,
    /// The event, and what it sells.
    pub offer: Offer,
    /// The present at that moment.
    pub now: Stamp,
    read_at: Duration,
    /// Its pages, if a crowd is shown them.
    pages: Option<Pages>,
}

/// Written pages, by their language and the address of the service that stands in them.
struct Pages {
    written: Mutex<HashMap<(Language, String), Bytes>>,
    bytes: Arc<AtomicUsize>,
}

impl Copies {
    /// The event as it is now or, in a crowd, was a second ago at most.
    pub async fn find(&self, app: &App, seen: Seen) -> Result<Arc<Copy>, Error> {
        let Some(shared) = self.visit(&seen, app.time.passed()) else {
            return read(app, &seen, None).await.map(Arc::new);
        };
        let remembered = |kept| shared.remembered(app.time.passed(), kept);
        if let Some(copy) = remembered(SHOP_COPY_FRESH) {
            return Ok(copy);
        }
        let _reading = match (shared.reading.try_lock(), remembered(SHOP_COPY_KEPT)) {
            (Ok(reading), _) => reading,
            (Err(_), Some(copy)) => return Ok(copy),
            (Err(_), None) => shared.reading.lock().await,
        };
        if let Some(copy) = remembered(SHOP_COPY_FRESH) {
            return Ok(copy);
        }
        self.forget_quiet(app.time.passed());
        let copy = Arc::new(read(app, &seen, Some(Arc::clone(&self.bytes))).await?);
        *shared.last.lock() = Some(Arc::clone(&copy));
        Ok(copy)
    }

    /// Counts a visit. Gives what the crowd shares, if the visitor is one of a crowd.
    fn visit(&self, seen: &Seen, now: Duration) -> Option<Arc<Shared>> {
        let mut watched = self.watched.lock();
        if !watched.contains_key(seen) {
            if watched.len() >= SHOP_WATCHED_MAX {
                watched.retain(|_, watched| !watched.visits.are_over(now));
            }
            // Above the limit an event has no crowd, and each visitor is shown what is read for them.
            if watched.len() >= SHOP_WATCHED_MAX {
                return None;
            }
            watched.insert(seen.clone(), Watched::default());
        }
        let watched = watched.get_mut(seen)?;
        watched.visits.count(now).then(|| Arc::clone(&watched.shared))
    }

    fn forget_quiet(&self, now: Duration) {
        self.watched.lock().retain(|_, watched| !watched.visits.are_over(now));
    }
}

impl Shared {
    fn remembered(&self, now: Duration, kept: Duration) -> Option<Arc<Copy>> {
        let last = self.last.lock();
        last.as_ref().filter(|copy| now.saturating_sub(copy.read_at) < kept).cloned()
    }
}

async fn read(app: &App, seen: &Seen, bytes: Option<Arc<AtomicUsize>>) -> Result<Copy, Error> {
    let (read_at, now) = (app.time.passed(), app.time.now());
    let keeper = find_keeper(app, &seen.producer_id).await?;
    let offer = offer::find(app, keeper.tenant, &seen.event_id, seen.access_code.as_deref()).await?;
    let pages = bytes.map(|bytes| Pages { written: Mutex::default(), bytes });
    Ok(Copy { keeper, offer, now, read_at, pages })
}

impl Copy {
    /// The page that is the same for everybody who reads this language at this address. Unless many are shown it, it is written
    /// for one visitor and not kept.
    pub fn page(
        &self,
        language: Language,
        service: &str,
        write: impl FnOnce() -> Result<String, Error>,
    ) -> Result<Bytes, Error> {
        let Some(pages) = &self.pages else { return Ok(write()?.into()) };
        let key = (language, service.to_owned());
        if let Some(page) = pages.written.lock().get(&key) {
            return Ok(page.clone());
        }
        Ok(pages.keep(key, write()?.into()))
    }

    /// Whether many are shown it.
    pub fn is_shared(&self) -> bool {
        self.pages.is_some()
    }
}

impl Pages {
    /// Keeps a page, as far as there is room.
    fn keep(&self, key: (Language, String), page: Bytes) -> Bytes {
        let room = self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |bytes| {
            Some(bytes + page.len()).filter(|bytes| *bytes <= SHOP_COPIES_BYTES)
        });
        if room.is_ok() {
            let before = self.written.lock().insert(key, page.clone());
            self.bytes.fetch_sub(before.map_or(0, |before| before.len()), Ordering::Relaxed);
        }
        page
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        let bytes = self.written.get_mut().values().map(Bytes::len).sum();
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use taquilla_domain::config::SHOP_FEW;

    use super::*;

    fn seen(number: usize) -> Seen {
        Seen { producer_id: "pr".to_owned(), event_id: format!("ev_{number}"), access_code: None }
    }

    #[test]
    fn what_is_counted_is_bounded_and_forgotten() {
        let (copies, second) = (Copies::default(), Duration::from_secs(1));
        for number in 0..SHOP_WATCHED_MAX + 100 {
            assert!(copies.visit(&seen(number), second).is_none());
        }
        assert_eq!(copies.watched.lock().len(), SHOP_WATCHED_MAX);
        let crowd = |number| (0..=SHOP_FEW).filter(|_| copies.visit(&seen(number), second).is_some()).count();
        assert_eq!((crowd(0), crowd(SHOP_WATCHED_MAX)), (2, 0), "one that came too late has no crowd");
        assert!(copies.visit(&seen(SHOP_WATCHED_MAX), 5 * second).is_none());
        assert_eq!(copies.watched.lock().len(), 1, "the others are over");
    }

    #[test]
    fn pages_are_kept_as_far_as_there_is_room() {
        let bytes = Arc::<AtomicUsize>::default();
        let pages = || Pages { written: Mutex::default(), bytes: Arc::clone(&bytes) };
        let (one, other) = (pages(), pages());
        let page = |size| Bytes::from(vec![b'x'; size]);
        let key = |language| (language, String::new());
        one.keep(key(Language::English), page(SHOP_COPIES_BYTES - 10));
        one.keep(key(Language::Spanish), page(11));
        other.keep(key(Language::English), page(10));
        other.keep(key(Language::Spanish), page(1));
        assert_eq!((one.written.lock().len(), other.written.lock().len()), (1, 1));
        drop(one);
        other.keep(key(Language::English), page(7));
        assert_eq!(bytes.load(Ordering::Relaxed), 7, "what is replaced or gone takes no room");
    }
}
