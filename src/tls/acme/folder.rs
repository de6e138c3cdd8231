//! The folder that keeps the account and the certificates. Several servers may share it: one at a time orders.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Write},
    iter,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use taquilla_domain::{
    clock::Stamp,
    config::{ACME_AFTER_SUCCESS, ACME_AGAIN, ACME_AGAIN_MAX, ACME_BEGUN},
    key::hexadecimal,
};
use taquilla_rules::backup::NewFile;

use crate::tls::pair::read_file;

/// The folder, as it is for one domain. Servers with other domains may share it.
#[derive(Clone)]
pub struct Folder {
    path: PathBuf,
    /// What tells the domain's files from those of others.
    of: String,
    /// The same of all domains together, where there are several: earlier versions ordered one certificate for all.
    together: Option<String>,
}

/// When the next order may be made.
#[derive(Default, Deserialize, Serialize)]
pub struct Attempts {
    /// Failures since the last success.
    failures: u32,
    /// Microseconds since 1970.
    not_before: i64,
}

impl Attempts {
    /// Whether an order may be made. A time later than any pause was written by a wrong clock.
    pub fn allow(&self, now: Stamp) -> bool {
        let not_before = Stamp::from_micros(self.not_before);
        now >= not_before || not_before > now.plus(ACME_AGAIN_MAX)
    }

    /// Failures since the last success.
    pub fn failures(&self) -> u32 {
        self.failures
    }

    /// When the next order may be made.
    pub fn not_before(&self) -> Stamp {
        Stamp::from_micros(self.not_before)
    }

    /// While an order is made. A server that ends meanwhile leaves a short pause behind.
    pub fn begun(&self, now: Stamp) -> Self {
        Self { failures: self.failures, not_before: now.plus(ACME_BEGUN).micros() }
    }

    /// After a success.
    pub fn succeeded(now: Stamp) -> Self {
        Self { failures: 0, not_before: now.plus(ACME_AFTER_SUCCESS).micros() }
    }

    /// After another failure, and the pause until the next attempt.
    pub fn failed(&self, now: Stamp) -> (Self, Duration) {
        let pause = ACME_AGAIN.saturating_mul(1 << self.failures.min(16)).min(ACME_AGAIN_MAX);
        (Self { failures: self.failures.saturating_add(1), not_before: now.plus(pause).micros() }, pause)
    }
}

/// Held by the one that orders. Dropping this lets others.
pub struct Turn(#[expect(dead_code, reason = "its lock ends when it is closed")] File);

impl Folder {
    pub fn new(path: PathBuf, domain: &str, all: &[String]) -> Self {
        let mut sorted: Vec<&str> = all.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        let together = (sorted.len() > 1).then(|| short_hash(&sorted.join(" ")));
        Self { path, of: short_hash(domain), together }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The certificate and its key, in one file, so that they always fit.
    fn certificate(&self, of: &str) -> PathBuf {
        self.path.join(format!("certificate-{of}.pem"))
    }

    /// What is in the file with the domain's certificate, or in that of all domains together while the domain has none of
    /// its own. Empty if there is neither.
    pub fn read_certificate(&self) -> io::Result<Vec<u8>> {
        for of in iter::once(&self.of).chain(&self.together) {
            match read_file(&self.certificate(of)) {
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
                read => return read,
            }
        }
        Ok(Vec::new())
    }

    /// The account with an authority. Each authority has its own.
    fn account(&self, directory: &str) -> PathBuf {
        self.path.join(format!("account-{}.json", short_hash(directory)))
    }

    /// When the next order may be made.
    pub fn attempts(&self) -> PathBuf {
        self.path.join(format!("attempts-{}.json", self.of))
    }

    /// The turn to order, unless another server has it.
    pub fn take_turn(&self) -> io::Result<Option<Turn>> {
        let file =
            OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(self.path.join("lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Turn(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(cause)) => Err(cause),
        }
    }

    pub fn read_account<T: DeserializeOwned>(&self, directory: &str) -> io::Result<Option<T>> {
        read(&self.account(directory))
    }

    pub fn keep_account(&self, directory: &str, account: &impl Serialize) -> io::Result<()> {
        keep(&self.account(directory), &serde_json::to_vec_pretty(account)?)
    }

    /// Attempts that cannot be read are none.
    pub fn read_attempts(&self) -> Attempts {
        read(&self.attempts()).ok().flatten().unwrap_or_default()
    }

    pub fn keep_attempts(&self, attempts: &Attempts) -> io::Result<()> {
        keep(&self.attempts(), &serde_json::to_vec(attempts)?)
    }

    pub fn keep_certificate(&self, content: &str) -> io::Result<()> {
        keep(&self.certificate(&self.of), content.as_bytes())
    }
}

fn short_hash(text: &str) -> String {
    hexadecimal(&Sha256::digest(text)[..8])
}

fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Option<T>> {
    match read_file(path) {
        Ok(content) => Ok(Some(serde_json::from_slice(&content)?)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(cause),
    }
}

fn keep(path: &Path, content: &[u8]) -> io::Result<()> {
    let new = NewFile::begin(path)?;
    (&new.file).write_all(content)?;
    new.keep()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_a_wrong_clock_does_not_stop_everything() {
        let now = Stamp::parse("2026-11-01T12:00:00Z").unwrap();
        let mut attempts = Attempts::default();
        assert!(attempts.allow(now));
        let mut pauses = Vec::new();
        for _ in 0..10 {
            let begun = attempts.begun(now);
            assert!(!begun.allow(now) && begun.allow(now.plus(ACME_BEGUN)));
            let (next, pause) = begun.failed(now);
            assert!(!next.allow(now) && next.allow(now.plus(pause)));
            pauses.push(pause.as_secs() / 60);
            attempts = next;
        }
        assert_eq!(pauses, [5, 10, 20, 40, 80, 160, 320, 640, 720, 720]);
        assert!(attempts.allow(now.minus(ACME_AGAIN_MAX)), "it was written by a clock that was ahead");
        let success = Attempts::succeeded(now);
        assert!(!success.allow(now) && success.allow(now.plus(ACME_AFTER_SUCCESS)));
    }
}
