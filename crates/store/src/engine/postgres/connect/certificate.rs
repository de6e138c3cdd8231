//! What has to be known of a server's certificate and no library tells: which hash it was signed with, and its key where
//! the certificate is too old for the library.

use rustls::pki_types::{AlgorithmIdentifier, SubjectPublicKeyInfoDer, alg_id};
use sha2::{Digest, Sha256, Sha384, Sha512};

/// A hash of the certificate that both ends can compute, so that a password is good for this connection only:
/// `tls-server-end-point` of RFC 5929. None where the signature has no hash that the RFC names.
pub fn end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    let (whole, _) = first(certificate)?;
    let (_, after) = first(whole.content)?;
    let (algorithm, _) = first(after)?;
    let is_one_of = |all: [AlgorithmIdentifier; 3]| all.iter().any(|one| one.as_ref() == algorithm.content);
    if is_one_of([alg_id::ECDSA_SHA256, alg_id::RSA_PKCS1_SHA256, alg_id::RSA_PSS_SHA256]) {
        Some(Sha256::digest(certificate).to_vec())
    } else if is_one_of([alg_id::ECDSA_SHA384, alg_id::RSA_PKCS1_SHA384, alg_id::RSA_PSS_SHA384]) {
        Some(Sha384::digest(certificate).to_vec())
    } else if is_one_of([alg_id::ECDSA_SHA512, alg_id::RSA_PKCS1_SHA512, alg_id::RSA_PSS_SHA512]) {
        Some(Sha512::digest(certificate).to_vec())
    } else {
        None
    }
}

/// The key of a certificate of any version. OpenSSL makes certificates of version 1 where it is told no extensions, as in
/// PostgreSQL's own manual.
pub fn public_key(certificate: &[u8]) -> Option<SubjectPublicKeyInfoDer<'_>> {
    /// The version, which those of version 1 do not have.
    const VERSION: u8 = 0xa0;
    let (whole, _) = first(certificate)?;
    let (signed, _) = first(whole.content)?;
    let mut rest = signed.content;
    if first(rest)?.0.tag == VERSION {
        rest = first(rest)?.1;
    }
    // Before the key stand the number, the algorithm of the signature, the issuer, the validity and the subject.
    for _ in 0..5 {
        rest = first(rest)?.1;
    }
    Some(first(rest)?.0.bytes.into())
}

/// One element of DER: its tag, what is in it, and all of its bytes.
struct Element<'a> {
    tag: u8,
    content: &'a [u8],
    bytes: &'a [u8],
}

/// The first element, and what follows it.
fn first(der: &[u8]) -> Option<(Element<'_>, &[u8])> {
    let (&tag, rest) = der.split_first()?;
    let (&length, rest) = rest.split_first()?;
    let (length, rest) = match length {
        0..=0x7f => (usize::from(length), rest),
        // The length follows, in as many bytes. A certificate of more than 16 MB does not pass a handshake.
        0x81..=0x83 => {
            let (bytes, rest) = rest.split_at_checked(usize::from(length & 0x7f))?;
            (bytes.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)), rest)
        }
        _ => return None,
    };
    let (content, after) = rest.split_at_checked(length)?;
    let bytes = &der[..der.len() - after.len()];
    Some((Element { tag, content, bytes }, after))
}
