//! What is wrong with a server's certificate, and what to do about it.

use jiff::Timestamp;
use rustls::{CertificateError, pki_types::UnixTime};

use super::tls::{Roots, TlsSettings};

/// Goes on after "a certificate".
pub fn why(error: &CertificateError, settings: &TlsSettings) -> String {
    match error {
        CertificateError::UnknownIssuer | CertificateError::BadSignature => match &settings.roots {
            Roots::System => "that nobody issued whom this system trusts; name a file with the certificate of the \
                              authority that did in sslrootcert"
                .to_owned(),
            Roots::File(path) => not_of(&path.display().to_string()),
            Roots::Usual => not_of("~/.postgresql/root.crt"),
        },
        CertificateError::NotValidForNameContext { expected, presented } => {
            let expected = expected.to_str();
            match presented.as_slice() {
                [] => format!(
                    "that is for no host: its subjectAltName is empty, and its common name does not count; make one with \
                     subjectAltName=DNS:{expected}, or use sslmode=verify-ca"
                ),
                names => {
                    let names: Vec<&str> = names.iter().map(|name| bare(name)).collect();
                    format!(
                        "for {}, not for {expected}; write a host into the address that the certificate is for, or use \
                         sslmode=verify-ca, which does not compare names",
                        names.join(", ")
                    )
                }
            }
        }
        CertificateError::ExpiredContext { not_after, .. } => {
            format!("that has expired{}; renew it there, or set this machine's clock", on(*not_after))
        }
        CertificateError::NotValidYetContext { not_before, .. } => {
            format!("that is not valid yet{}; set this machine's clock, or replace it there", on(*not_before))
        }
        // The library's own errors come without a type.
        CertificateError::Other(other) if other.to_string() == "CaUsedAsEndEntity" => {
            "of an authority (CA:TRUE), which is not taken from a server; make one there with \
             basicConstraints=critical,CA:FALSE"
                .to_owned()
        }
        CertificateError::Other(other) if other.to_string() == "UnsupportedCertVersion" => {
            "of X.509 version 1, which says too little to be verified; make one there with a subjectAltName".to_owned()
        }
        other => format!("that cannot be verified: {other}"),
    }
}

fn not_of(file: &str) -> String {
    format!(
        "that nobody in {file} (sslrootcert) has issued; put the certificate of the authority that did there, or find \
         out who answers in its place"
    )
}

/// The library writes `DnsName("db.example")`.
fn bare(name: &str) -> &str {
    let inner = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(name);
    inner.trim_matches('"')
}

fn on(time: UnixTime) -> String {
    let moment = i64::try_from(time.as_secs()).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    moment.map_or_else(String::new, |moment| format!(" ({moment})"))
}
