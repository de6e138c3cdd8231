//! Requests to the authority.

use std::{io, path::Path, pin::Pin, sync::Arc};

use axum::http::{Request, Response};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};
use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, pem::PemObject},
};

use taquilla_domain::config::{ACME_ANSWER_MAX, ACME_REQUEST};

/// A client for one authority.
#[derive(Clone)]
pub struct Client(reqwest::Client);

impl Client {
    /// A client that trusts the system's roots, or those in a file.
    pub fn new(root: Option<&Path>) -> io::Result<Self> {
        let mut roots = RootCertStore::empty();
        match root {
            Some(path) => {
                let named = |cause: String| io::Error::other(format!("{}: {cause}", path.display()));
                let found = CertificateDer::pem_file_iter(path).map_err(|cause| named(cause.to_string()))?;
                for certificate in found {
                    let certificate = certificate.map_err(|cause| named(cause.to_string()))?;
                    roots.add(certificate).map_err(|cause| named(cause.to_string()))?;
                }
                if roots.is_empty() {
                    return Err(named("it has no certificate".into()));
                }
            }
            None => drop(roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs)),
        }
        if roots.is_empty() {
            let advice = "no root certificates were found; install the system's, or name a file in SSL_CERT_FILE";
            return Err(io::Error::other(advice));
        }
        let mut tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .https_only(true)
            .http1_only()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(ACME_REQUEST)
            .build();
        Ok(Self(client.map_err(io::Error::other)?))
    }

    async fn send(self, request: Request<BodyWrapper<Bytes>>) -> Result<BytesResponse, Error> {
        let (parts, body) = request.into_parts();
        let Ok(body) = body.collect().await;
        let url = parts.uri.to_string();
        let asked = self.0.request(parts.method, &url).headers(parts.headers).body(body.to_bytes());
        let mut answer = asked.send().await.map_err(unreachable)?;
        let mut content = Vec::new();
        while let Some(part) = answer.chunk().await.map_err(unreachable)? {
            content.extend_from_slice(&part);
            if content.len() > ACME_ANSWER_MAX {
                return Err(Error::Other("the authority's answer is too long".into()));
            }
        }
        let mut response = Response::new(Full::new(Bytes::from(content)));
        *response.status_mut() = answer.status();
        *response.headers_mut() = answer.headers().clone();
        Ok(response.into())
    }
}

/// The authority cannot be reached, and the innermost cause, which says why.
fn unreachable(error: reqwest::Error) -> Error {
    let mut cause: &dyn std::error::Error = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    Error::Other(format!("the authority cannot be reached: {cause}").into())
}

impl HttpClient for Client {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        Box::pin(self.clone().send(request))
    }
}
