//! Whether a server's certificate is good enough.

use rustls::{
    CertificateError, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
    client::{
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
        verify_server_cert_signed_by_trust_anchor, verify_server_name,
    },
    crypto::{
        WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature, verify_tls13_signature_with_raw_key,
    },
    pki_types::{CertificateDer, ServerName, UnixTime},
    server::ParsedCertificate,
};

use super::certificate;

/// What of a certificate is verified. That the server has the certificate's key is verified in any case, because the
/// hash that binds a password to the connection says nothing otherwise.
#[derive(Debug)]
pub enum Depth {
    /// Nothing else: `prefer`, and `require` without roots.
    Key,
    /// That an authority that is trusted issued it, and that it is valid today: `verify-ca`.
    Issuer(RootCertStore),
    /// Also that it is for this host: `verify-full`.
    IssuerAndName(RootCertStore),
}

/// Verifies as deep as an `sslmode` asks for.
#[derive(Debug)]
pub struct Verifier {
    pub depth: Depth,
    pub algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Depth::Issuer(roots) | Depth::IssuerAndName(roots) = &self.depth {
            let parsed = ParsedCertificate::try_from(end_entity)?;
            let algorithms = self.algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&parsed, roots, intermediates, now, algorithms)?;
            if matches!(self.depth, Depth::IssuerAndName(_)) {
                verify_server_name(&parsed, server_name)?;
            }
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, signed, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        match self.depth {
            // The library reads no certificate of version 1, and nothing of this one matters but its key.
            Depth::Key => {
                let key = certificate::public_key(cert).ok_or(CertificateError::BadEncoding)?;
                verify_tls13_signature_with_raw_key(message, &key, signed, &self.algorithms)
            }
            Depth::Issuer(_) | Depth::IssuerAndName(_) => {
                verify_tls13_signature(message, cert, signed, &self.algorithms)
            }
        }
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
