//! How an authority finds out that a name is ours: it connects, asks for a protocol of its own (TLS-ALPN-01, RFC 8737), and
//! is shown a certificate with the answer. The answer is in a file, so any server on the folder can show it.

use std::{fs, io, path::Path};

use rcgen::{CertificateParams, CustomExtension, KeyPair};
use rustls::{crypto::ring, pki_types::PrivatePkcs8KeyDer, sign::CertifiedKey};

use taquilla_rules::backup::NewFile;

use super::pair::read_file;

/// The protocol that the authority asks for.
pub const PROTOCOL: &[u8] = b"acme-tls/1";

/// Bytes of an answer.
const DIGEST: usize = 32;

fn path(folder: &Path, domain: &str) -> std::path::PathBuf {
    folder.join(format!("{domain}.challenge"))
}

/// Keeps the answer for a name.
pub fn keep(folder: &Path, domain: &str, digest: &[u8]) -> io::Result<()> {
    let new = NewFile::begin(&path(folder, domain))?;
    io::Write::write_all(&mut &new.file, digest)?;
    new.keep()
}

/// Forgets it. A file that stays behind answers nothing that is still asked.
pub fn forget(folder: &Path, domain: &str) {
    let _ = fs::remove_file(path(folder, domain));
}

/// The certificate that answers for a name, if there is an answer. Nobody looks whether the key fits: the extension with the
/// answer is critical, and whoever reads certificates for other ends refuses it.
pub fn answer(folder: &Path, domain: &str) -> Option<CertifiedKey> {
    let digest = read_file(&path(folder, domain)).ok().filter(|digest| digest.len() == DIGEST)?;
    let mut params = CertificateParams::new([domain.to_owned()]).ok()?;
    params.custom_extensions = vec![CustomExtension::new_acme_identifier(&digest)];
    let key = KeyPair::generate().ok()?;
    let certificate = params.self_signed(&key).ok()?;
    let key = PrivatePkcs8KeyDer::from(key.serialize_der());
    let key = ring::default_provider().key_provider.load_private_key(key.into()).ok()?;
    Some(CertifiedKey::new(vec![certificate.der().clone()], key))
}
