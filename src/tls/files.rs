//! A certificate and a key that somebody else keeps up to date, in two files. They are read again when they change.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use tokio::task::JoinError;

use taquilla_domain::{clock::Stamp, config::CERTIFICATE_POLL};
use taquilla_rules::task::{Rounds, Task};

use super::{
    certificates::Certificates,
    pair::{Pair, Unfit, read_file},
};

/// Why the files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NotUsable {
    /// A file cannot be read.
    #[error("cannot read {0}: {1}")]
    File(PathBuf, #[source] io::Error),
    /// What is in it cannot be used.
    #[error("{0} cannot be used: {1}")]
    Unfit(PathBuf, #[source] Unfit),
    /// The library cannot be used as it was built.
    #[error("https cannot be spoken: {0}")]
    Library(#[from] rustls::Error),
}

/// Serves the certificate in these files, and any that they have later.
pub fn follow(certificate: &Path, key: &Path) -> Result<(Arc<Certificates>, Task), NotUsable> {
    let files = Files { certificate: certificate.to_owned(), key: key.to_owned() };
    let certificates = Arc::new(Certificates::none()?);
    let served = files.read()?;
    certificates.serve(&files.pair(&served)?)?;
    let following = Following { files, certificates: Arc::clone(&certificates), served, said: None };
    Ok((certificates, Task::every(CERTIFICATE_POLL, following)))
}

/// From when and until when the certificate in these files is valid, if they can be used.
pub fn look_at_files(certificate: &Path, key: &Path) -> Result<(Stamp, Stamp), NotUsable> {
    let files = Files { certificate: certificate.to_owned(), key: key.to_owned() };
    let pair = files.pair(&files.read()?)?;
    Ok((pair.from, pair.until))
}

/// What is in both files: the certificate and the key.
type Content = (Vec<u8>, Vec<u8>);

#[derive(Clone)]
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

impl Files {
    fn read(&self) -> Result<Content, NotUsable> {
        let read = |path: &PathBuf| read_file(path).map_err(|cause| NotUsable::File(path.clone(), cause));
        Ok((read(&self.certificate)?, read(&self.key)?))
    }

    fn pair(&self, (certificate, key): &Content) -> Result<Pair, NotUsable> {
        let at = |unfit: Unfit| {
            let path = if unfit.is_of_key() { &self.key } else { &self.certificate };
            NotUsable::Unfit(path.clone(), unfit)
        };
        Pair::read(certificate, key).map_err(at)
    }
}

/// Looks again and again whether the files have changed.
struct Following {
    files: Files,
    certificates: Arc<Certificates>,
    served: Content,
    /// What was said last, which is not said again.
    said: Option<String>,
}

impl Rounds for Following {
    type Error = JoinError;

    const TROUBLE: &'static str = "the files of the certificate cannot be looked at; it is tried again";

    async fn round(&mut self) -> Result<(), JoinError> {
        // The files may be on a network.
        let files = self.files.clone();
        let changed = match tokio::task::spawn_blocking(move || files.read()).await? {
            Ok(content) if content == self.served => {
                self.said = None;
                return Ok(());
            }
            Ok(content) => self.files.pair(&content).map(|pair| (content, pair)),
            Err(cause) => Err(cause),
        };
        let result = changed.and_then(|(content, pair)| {
            self.certificates.serve(&pair)?;
            Ok((content, pair.until))
        });
        match result {
            Ok((content, until)) => {
                tracing::info!(%until, "the certificate was replaced: new connections get the new one");
                (self.served, self.said) = (content, None);
            }
            Err(cause) => {
                let text = cause.to_string();
                // Of two files one is always written first, so a moment later they may fit.
                if self.said.as_ref() != Some(&text) {
                    tracing::error!(
                        cause = text,
                        "the new certificate is not used, the one before is served on; put a certificate and its key in \
                         place, and they are read within seconds"
                    );
                    self.said = Some(text);
                }
            }
        }
        Ok(())
    }
}
