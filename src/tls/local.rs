//! A certificate that is made here, for a try in the house. It is kept, so that a phone warns of it once and not every day.

use std::{
    io::{self, Write},
    path::Path,
    sync::Arc,
};

use rcgen::{CertificateParams, DnType, KeyPair};
use rustls::pki_types::CertificateDer;

use taquilla_domain::{
    clock::Stamp,
    config::{LOCAL_CERTIFICATE_DAYS, LOCAL_CERTIFICATE_RENEWED_DAYS, SERVICE_NAME, days},
};
use taquilla_rules::backup::{NewFile, prepare_folder};

use super::{
    certificates::Certificates,
    pair::{Pair, read_file},
};

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum NoLocal {
    /// It cannot be kept.
    #[error("cannot keep the certificate in {0}: {1}")]
    File(String, #[source] io::Error),
    /// It cannot be made.
    #[error("no certificate can be made: {0}")]
    Making(#[from] rcgen::Error),
    /// The library cannot be used as it was built.
    #[error("https cannot be spoken: {0}")]
    Library(#[from] rustls::Error),
}

/// Serves the certificate in this file for these names and addresses. It is made if it is missing, ends soon, or is not for
/// all of them. Gives the certificate too, for clients on this machine.
pub fn keep_local(
    file: &Path,
    names: &[String],
    now: Stamp,
) -> Result<(Arc<Certificates>, CertificateDer<'static>), NoLocal> {
    let certificates = Certificates::none()?;
    let ends_late = |pair: &Pair| pair.from <= now && now.plus(days(LOCAL_CERTIFICATE_RENEWED_DAYS)) < pair.until;
    let kept = read_file(file).ok().and_then(|content| Pair::read(&content, &content).ok());
    let pair = match kept.filter(|pair| ends_late(pair) && pair.is_for(names)) {
        Some(pair) => pair,
        None => {
            let content = make(names, now)?;
            let failed = |cause| NoLocal::File(file.display().to_string(), cause);
            keep(file, &content).map_err(failed)?;
            let unfit = |cause| failed(io::Error::other(cause));
            Pair::read(content.as_bytes(), content.as_bytes()).map_err(unfit)?
        }
    };
    certificates.serve(&pair)?;
    Ok((Arc::new(certificates), pair.certified.cert[0].clone()))
}

/// A certificate and its key, as the content of a file.
fn make(names: &[String], now: Stamp) -> Result<String, rcgen::Error> {
    let mut params = CertificateParams::new(names)?;
    params.distinguished_name.push(DnType::CommonName, format!("{SERVICE_NAME}, for a try"));
    let today = rcgen::date_time_ymd(1970, 1, 1) + std::time::Duration::from_millis(now.millis());
    // A phone's clock may be a little behind.
    params.not_before = today - days(1);
    params.not_after = today + days(LOCAL_CERTIFICATE_DAYS - 1);
    let key = KeyPair::generate()?;
    Ok(key.serialize_pem() + &params.self_signed(&key)?.pem())
}

fn keep(file: &Path, content: &str) -> io::Result<()> {
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        prepare_folder(folder)?;
    }
    let new = NewFile::begin(file)?;
    (&new.file).write_all(content.as_bytes())?;
    new.keep()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn it_stays_the_same_until_it_ends_soon_or_is_for_others() {
        let folder = std::env::temp_dir().join(format!("taquilla-local-{:08x}", rand::random::<u32>()));
        let file = folder.join("local.pem");
        let now = Stamp::parse("2026-11-01T12:00:00Z").unwrap();
        let content = |names: &[&str], at: Stamp| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            keep_local(&file, &names, at).unwrap();
            std::fs::read(&file).unwrap()
        };
        let first = content(&["localhost", "192.168.1.5"], now);
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(content(&["localhost", "192.168.1.5"], now.plus(days(360))), first);
        assert_eq!(content(&["192.168.1.5"], now), first);
        let elsewhere = content(&["localhost", "10.0.0.7"], now);
        assert_ne!(elsewhere, first, "another network");
        assert_ne!(content(&["localhost", "10.0.0.7"], now.plus(days(380))), elsewhere, "it would end soon");
        let pair = Pair::read(&elsewhere, &elsewhere).unwrap();
        assert_eq!(pair.until, pair.from.plus(days(LOCAL_CERTIFICATE_DAYS)));
        std::fs::write(&file, "not a certificate").unwrap();
        assert_ne!(content(&["localhost", "10.0.0.7"], now), elsewhere, "what cannot be read is made anew");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
