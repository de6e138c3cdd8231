//! The certificates that another server is trusted by, and TLS with them.

use std::{fmt::Display, path::PathBuf, sync::Arc};

use rustls::{
    ClientConfig, Error, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};

use super::no_client::NoClient;

/// The certificates that another server is trusted by.
#[derive(Clone, Debug)]
pub enum Roots {
    /// The system's, or those of `SSL_CERT_FILE` and `SSL_CERT_DIR` if set.
    System,
    /// Those in a file.
    File(PathBuf),
    /// These and no others.
    Only(Vec<CertificateDer<'static>>),
}

impl Roots {
    pub(crate) fn load(self) -> Result<RootCertStore, NoClient> {
        let mut roots = RootCertStore::empty();
        match self {
            Self::System => drop(roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs)),
            Self::File(path) => {
                let named = |cause: &dyn Display| NoClient::Roots(format!("{}: {cause}", path.display()));
                for certificate in CertificateDer::pem_file_iter(&path).map_err(|cause| named(&cause))? {
                    let certificate = certificate.map_err(|cause| named(&cause))?;
                    roots.add(certificate).map_err(|cause| named(&cause))?;
                }
                if roots.is_empty() {
                    return Err(named(&"it has no certificate"));
                }
            }
            Self::Only(certificates) => {
                for certificate in certificates {
                    roots.add(certificate)?;
                }
            }
        }
        Ok(roots)
    }
}

/// TLS that trusts these roots. It does not use the process's default provider, so no other library can change it.
pub(crate) fn tls(roots: RootCertStore) -> Result<ClientConfig, Error> {
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
