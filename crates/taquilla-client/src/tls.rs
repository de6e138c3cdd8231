//! TLS that trusts what the system trusts.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore, crypto::ring};

/// The system's certificates, or those of `SSL_CERT_FILE` and `SSL_CERT_DIR`. It does not use the process's default provider, so
/// that no other library can change it.
pub(crate) fn tls() -> Result<ClientConfig, rustls::Error> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
