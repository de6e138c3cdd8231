//! Whom TLS trusts.

use std::sync::Arc;

use rustls::{ClientConfig, Error, RootCertStore, crypto::ring};

/// TLS that trusts whom the system trusts, or `SSL_CERT_FILE` and `SSL_CERT_DIR` where they are set.
///
/// It is a configuration of our own and not the process's default, so that no other library can change it.
pub(super) fn configuration() -> Result<ClientConfig, Error> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (usable, _) = roots.add_parsable_certificates(found.certs);
    if usable == 0 {
        // A server without them can do everything else.
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
