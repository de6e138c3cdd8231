//! The certificates that this service trusts when it calls others, as for webhooks.

use std::sync::Arc;

use rustls::{ClientConfig, Error, RootCertStore, crypto::ring};

/// A TLS configuration with the system's root certificates, or those of `SSL_CERT_FILE` and `SSL_CERT_DIR` if set.
///
/// It does not use the process's default provider, so no other library can change it.
pub fn configuration() -> Result<ClientConfig, Error> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (usable, _) = roots.add_parsable_certificates(found.certs);
    if usable == 0 {
        // The server still runs without root certificates; only webhooks over https fail.
        tracing::warn!(
            "no root certificates were found, so that no webhook can be sent over https; install the system's, or name \
             a file in SSL_CERT_FILE"
        );
    }
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
