//! Hashing passwords off the threads that answer requests, and only a few at the same time.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use tokio::sync::Semaphore;

use taquilla_domain::{
    config::{PASSWORDS_AT_ONCE, PASSWORDS_WAITING},
    password::{self, Password},
};
use taquilla_store::{Error, Result};

/// Hashes passwords.
pub struct Passwords {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { places: Arc::new(Semaphore::new(PASSWORDS_AT_ONCE)), waiting: AtomicUsize::new(0) }
    }
}

impl Passwords {
    /// Whether a password is the one that was hashed. Without a hash it takes as long and is never right.
    pub async fn is_right(&self, text: String, hash: Option<String>) -> Result<bool> {
        self.run(move || password::is_right(&text, hash.as_deref())).await
    }

    /// The hash of a password.
    pub async fn hash(&self, password: Password) -> Result<String> {
        self.run(move || password.hash()).await?.map_err(Error::internal)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
        let _waiting = Waiting::begin(&self.waiting)?;
        // The place is kept until the work ends, even if nobody waits for it any more.
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(Error::internal)?;
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(place);
            done
        });
        done.await.map_err(Error::internal)
    }
}

/// One who waits, counted until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicUsize) -> Result<Self> {
        let waiting = Self(count);
        match count.fetch_add(1, Ordering::Relaxed) < PASSWORDS_WAITING {
            true => Ok(waiting),
            false => Err(Error::Unavailable("too many passwords wait to be hashed".into())),
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
