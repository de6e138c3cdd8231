//! A certificate with those that vouch for it, and its key.

use std::{fs::File, io::Read, path::Path, sync::Arc};

use rustls::{
    client::verify_server_name,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, ServerName, pem::PemObject},
    server::ParsedCertificate,
    sign::CertifiedKey,
};

use taquilla_domain::{clock::Stamp, config::CERTIFICATE_FILE_MAX};

/// A certificate that can be served.
pub struct Pair {
    /// The chain and the key.
    pub certified: Arc<CertifiedKey>,
    /// When it begins to be valid.
    pub from: Stamp,
    /// When it ceases to be valid.
    pub until: Stamp,
}

/// What is wrong with a certificate or its key.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Unfit {
    /// No certificate in the text.
    #[error("it has no certificate; a PEM file is expected, with a part that begins with BEGIN CERTIFICATE")]
    NoCertificate,
    /// A certificate that nobody can read.
    #[error("its certificate cannot be read")]
    Unreadable,
    /// No key in the text.
    #[error(
        "it has no private key; a PEM file is expected, with a part that begins with BEGIN PRIVATE KEY and has no password"
    )]
    NoKey,
    /// A key that the library does not know.
    #[error("its private key is of no kind that can be used; RSA, ECDSA (P-256, P-384) and Ed25519 can")]
    UnknownKey,
    /// The key of another certificate.
    #[error("the private key belongs to another certificate")]
    OtherKey,
}

impl Unfit {
    /// Whether the file with the key is at fault, not that with the certificate.
    pub fn is_of_key(&self) -> bool {
        !matches!(self, Self::NoCertificate | Self::Unreadable)
    }
}

impl Pair {
    /// Reads a certificate and its key. The text of the key may have other parts too.
    pub fn read(chain: &[u8], key: &[u8]) -> Result<Self, Unfit> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(chain).collect();
        let chain = chain.map_err(|_| Unfit::NoCertificate)?;
        let first = chain.first().ok_or(Unfit::NoCertificate)?;
        let (_, read) = x509_parser::parse_x509_certificate(first).map_err(|_| Unfit::Unreadable)?;
        let stamp = |seconds: i64| Stamp::from_micros(seconds.saturating_mul(1_000_000));
        let (from, until) =
            (stamp(read.validity().not_before.timestamp()), stamp(read.validity().not_after.timestamp()));
        let key = PrivateKeyDer::from_pem_slice(key).map_err(|_| Unfit::NoKey)?;
        let certified = CertifiedKey::from_der(chain, key, &ring::default_provider()).map_err(|cause| match cause {
            rustls::Error::InconsistentKeys(_) => Unfit::OtherKey,
            rustls::Error::InvalidCertificate(_) => Unfit::Unreadable,
            _ => Unfit::UnknownKey,
        })?;
        Ok(Self { certified: Arc::new(certified), from, until })
    }

    /// Whether it is for all of these names or addresses.
    pub fn is_for(&self, names: &[String]) -> bool {
        let Some(parsed) = self.certified.cert.first().and_then(|first| ParsedCertificate::try_from(first).ok()) else {
            return false;
        };
        names.iter().all(|name| {
            ServerName::try_from(name.as_str()).is_ok_and(|name| verify_server_name(&parsed, &name).is_ok())
        })
    }
}

/// Reads a small file.
pub fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(CERTIFICATE_FILE_MAX).read_to_end(&mut content)?;
    Ok(content)
}
