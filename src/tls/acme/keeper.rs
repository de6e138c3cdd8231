//! Keeps certificates up to date: takes over what any server on the folder got, and orders when it is time.
//!
//! Each domain has a certificate, a file, a pause after failures and a task of its own, so that one which cannot be validated
//! leaves the others alone. Orders follow one another all the same, because the folder has one turn: a server with many domains
//! is no burst for the authority, and all of them use one account.

use std::{convert::Infallible, io, slice, sync::Arc};

use taquilla_domain::{
    clock::Stamp,
    config::{Acme, CERTIFICATE_POLL},
    time_source::TimeSource,
};
use taquilla_outside::NoClient;
use taquilla_rules::{
    backup::prepare_folder,
    task::{Rounds, Task},
};

use super::{
    authority::Authority,
    folder::{Attempts, Folder},
    order::{Failed, order},
};
use crate::tls::{certificates::Certificates, pair::Pair};

/// Why no certificate can be ordered at all.
#[derive(Debug, thiserror::Error)]
pub enum CannotOrder {
    /// The folder cannot be used.
    #[error("--acme-dir: cannot write to the folder {0}: {1}")]
    Folder(String, #[source] io::Error),
    /// No request can be made.
    #[error("--acme-root: {0}")]
    Root(#[source] NoClient),
    /// The library cannot be used as it was built.
    #[error("https cannot be spoken: {0}")]
    Library(#[from] rustls::Error),
}

/// Serves the certificates in the folder, and orders one whenever that is needed.
pub fn obtain(settings: Acme, time: &TimeSource) -> Result<(Arc<Certificates>, Vec<Task>), CannotOrder> {
    let path = &settings.folder;
    prepare_folder(path).map_err(|cause| CannotOrder::Folder(path.display().to_string(), cause))?;
    Authority::new(settings.root.clone()).map_err(CannotOrder::Root)?;
    let certificates = Arc::new(Certificates::answering(path.clone(), &settings.domains)?);
    let settings = Arc::new(settings);
    let kept = settings.domains.iter().map(|domain| {
        let mut keeping = Keeping {
            folder: Folder::new(settings.folder.clone(), domain, &settings.domains),
            domain: domain.clone(),
            settings: Arc::clone(&settings),
            time: time.clone(),
            certificates: Arc::clone(&certificates),
            seen: Vec::new(),
            served: None,
            said: None,
            pause_said: None,
        };
        // A server that has a certificate serves it from its first connection on.
        keeping.take_over(keeping.folder.read_certificate().unwrap_or_default());
        Task::every(CERTIFICATE_POLL, keeping)
    });
    let kept = kept.collect();
    Ok((certificates, kept))
}

/// What the folder has for a domain.
pub struct Ordered {
    /// The domain.
    pub domain: String,
    /// From when and until when its certificate is valid, if there is one.
    pub valid: Option<(Stamp, Stamp)>,
    /// Orders that have failed since the last success.
    pub failures: u32,
}

/// What the folder has for each domain.
pub fn look_at_ordered(settings: &Acme) -> Vec<Ordered> {
    let look = |domain: &String| {
        let folder = Folder::new(settings.folder.clone(), domain, &settings.domains);
        let content = folder.read_certificate().unwrap_or_default();
        let valid = Pair::read(&content, &content).ok().map(|pair| (pair.from, pair.until));
        Ordered { domain: domain.clone(), valid, failures: folder.read_attempts().failures() }
    };
    settings.domains.iter().map(look).collect()
}

/// Keeps the certificate of one domain.
struct Keeping {
    settings: Arc<Acme>,
    domain: String,
    folder: Folder,
    time: TimeSource,
    certificates: Arc<Certificates>,
    /// The file as it was read last.
    seen: Vec<u8>,
    /// What is served, unless it is to be replaced at once: from when and until when it is valid.
    served: Option<(Stamp, Stamp)>,
    /// What was said last, which is not said again.
    said: Option<String>,
    /// The end of the pause that was spoken of last.
    pause_said: Option<Stamp>,
}

impl Rounds for Keeping {
    type Error = Infallible;

    const TROUBLE: &'static str = "the certificate cannot be kept up to date; it is tried again";

    async fn round(&mut self) -> Result<(), Infallible> {
        match self.keep().await {
            Ok(()) => self.said = None,
            Err(cause) if self.said.as_ref() == Some(&cause.to_string()) => {}
            Err(cause) => {
                tracing::error!(
                    %cause,
                    domain = self.domain,
                    folder = %self.folder.path().display(),
                    "the certificate cannot be kept up to date; let the server read and write the folder of --acme-dir"
                );
                self.said = Some(cause.to_string());
            }
        }
        Ok(())
    }
}

impl Keeping {
    /// Takes over what is in the folder, and orders if it is time.
    async fn keep(&mut self) -> io::Result<()> {
        let folder = self.folder.clone();
        // The folder may be on a network.
        let read = tokio::task::spawn_blocking(move || folder.read_certificate());
        let content = read.await.map_err(io::Error::other)??;
        if content != self.seen {
            self.take_over(content);
        }
        let now = self.time.now();
        if !self.is_due(now) {
            return Ok(());
        }
        let attempts = self.folder.read_attempts();
        self.certificates.note_order_failures(&self.domain, attempts.failures());
        if !attempts.allow(now) {
            self.say_pause(&attempts);
            return Ok(());
        }
        let Some(_turn) = self.folder.take_turn()? else { return Ok(()) };
        // Another server may have just finished.
        let content = self.folder.read_certificate().unwrap_or_default();
        let attempts = self.folder.read_attempts();
        if content != self.seen || !attempts.allow(now) {
            return Ok(());
        }
        // Without a place for the pause, failures would follow one another, and authorities count them.
        self.folder.keep_attempts(&attempts.begun(now))?;
        tracing::info!(domain = self.domain, "ordering a certificate");
        let kept = match order(&self.settings, &self.folder, &self.domain).await {
            Ok(content) => self.folder.keep_certificate(&content).map(|()| content).map_err(Failed::File),
            Err(failed) => Err(failed),
        };
        match kept {
            Ok(content) => {
                let attempts = Attempts::succeeded(now);
                self.pause_said = Some(attempts.not_before());
                self.certificates.note_order_failures(&self.domain, 0);
                let noted = self.folder.keep_attempts(&attempts);
                self.take_over(content.into_bytes());
                noted
            }
            Err(failed) => {
                let (attempts, pause) = attempts.failed(now);
                self.pause_said = Some(attempts.not_before());
                self.certificates.note_order_failures(&self.domain, attempts.failures());
                // Whoever reads of it in the log finds the file.
                let noted = self.folder.keep_attempts(&attempts);
                tracing::error!(
                    cause = %failed,
                    domain = self.domain,
                    advice = failed.advice(),
                    again_in_s = pause.as_secs(),
                    again_at_once_without = %self.folder.attempts().display(),
                    "no certificate was issued"
                );
                noted
            }
        }
    }

    /// Says once of each pause that nothing is ordered before its end: a server that was restarted has no other line of it.
    fn say_pause(&mut self, attempts: &Attempts) {
        if self.pause_said.replace(attempts.not_before()) != Some(attempts.not_before()) {
            tracing::warn!(
                domain = self.domain,
                not_before = %attempts.not_before(),
                again_at_once_without = %self.folder.attempts().display(),
                "a certificate is needed and none is ordered yet: an order was made a short time ago"
            );
        }
    }

    /// Serves what is in the file, if it can be used.
    fn take_over(&mut self, content: Vec<u8>) {
        let pair = Pair::read(&content, &content);
        self.served = match &pair {
            Ok(pair) if pair.is_for(slice::from_ref(&self.domain)) => Some((pair.from, pair.until)),
            _ => None,
        };
        match pair {
            Ok(pair) => match self.certificates.serve_for(&self.domain, &pair) {
                Ok(()) => tracing::info!(domain = self.domain, until = %pair.until, "a certificate is served"),
                Err(cause) => tracing::error!(%cause, domain = self.domain, "the certificate cannot be served"),
            },
            Err(_) if content.is_empty() => {}
            Err(cause) => {
                tracing::error!(%cause, domain = self.domain, "the file with the certificate cannot be used; another one is ordered");
            }
        }
        self.seen = content;
    }

    /// Whether it is time to order: there is none that fits, or less than a third of its time is left.
    fn is_due(&self, now: Stamp) -> bool {
        let Some((from, until)) = self.served else { return true };
        let third = until.micros().saturating_sub(from.micros()) / 3;
        now.micros() >= until.micros().saturating_sub(third)
    }
}
