//! How TLS is spoken: `sslmode`, the roots that are trusted, and the certificate of this side.

use std::{
    fmt,
    fs::{self, Metadata},
    io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use rustls::{
    ClientConfig, RootCertStore,
    crypto::ring,
    pki_types::{
        CertificateDer, PrivateKeyDer,
        pem::{self, PemObject},
    },
};

use super::{
    super::super::error::{Error, Result},
    parameters::Parameters,
    verifier::{Depth, Verifier},
};

/// libpq's `sslmode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

const MODES: [(&str, Mode); 5] = [
    ("disable", Mode::Disable),
    ("prefer", Mode::Prefer),
    ("require", Mode::Require),
    ("verify-ca", Mode::VerifyCa),
    ("verify-full", Mode::VerifyFull),
];

impl fmt::Display for Mode {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = MODES.iter().find(|(_, mode)| mode == self).map_or("", |(name, _)| name);
        write!(to, "sslmode={name}")
    }
}

/// What the address and the environment say about TLS. The files are read for each connection, so that renewed ones are
/// used without a restart.
pub struct TlsSettings {
    pub mode: Mode,
    pub roots: Roots,
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
}

/// Whose certificates are trusted.
pub enum Roots {
    /// Those that the system trusts.
    System,
    /// Those in this file.
    File(PathBuf),
    /// Those in libpq's own file, if it is there.
    Usual,
}

/// What TLS is spoken with.
pub struct Tls {
    pub config: Arc<ClientConfig>,
    /// Whether this side can show a certificate.
    pub has_certificate: bool,
}

impl TlsSettings {
    pub fn new(parameters: Parameters) -> Result<Self> {
        let roots = match parameters.sslrootcert {
            Some(path) if path.as_os_str() == "system" => Roots::System,
            Some(path) => Roots::File(path),
            None => Roots::Usual,
        };
        let mode = match (parameters.sslmode, &roots) {
            (Some(name), _) => mode(&name)?,
            (None, Roots::System) => Mode::VerifyFull,
            (None, _) => Mode::Prefer,
        };
        // Anybody gets a certificate from some authority that the system trusts, for a name of their own.
        if matches!(roots, Roots::System) && mode != Mode::VerifyFull {
            return Err(Error::Address(format!("sslrootcert=system needs sslmode=verify-full, not {mode}")));
        }
        Ok(Self { mode, roots, certificate: parameters.sslcert, key: parameters.sslkey })
    }

    /// Reads the files. A file that the address names must be there, also where libpq would go on without it.
    pub fn load(&self) -> Result<Tls> {
        let provider = ring::default_provider();
        let verifier = Verifier { depth: self.depth()?, algorithms: provider.signature_verification_algorithms };
        let builder = ClientConfig::builder_with_provider(Arc::new(provider))
            .with_safe_default_protocol_versions()
            .map_err(Error::internal)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        let files = self.client_files()?;
        let has_certificate = files.is_some();
        let config = match files {
            None => builder.with_no_client_auth(),
            Some((certificate, key)) => {
                let chain = certificates(&certificate, "sslcert")?;
                builder.with_client_auth_cert(chain, private_key(&key)?).map_err(|cause| {
                    let (certificate, key) = (certificate.display(), key.display());
                    Error::NotConnected(format!(
                        "the certificate {certificate} (sslcert) and the key {key} (sslkey) do not go together: {cause}"
                    ))
                })?
            }
        };
        Ok(Tls { config: Arc::new(config), has_certificate })
    }

    fn depth(&self) -> Result<Depth> {
        let verify = match self.mode {
            Mode::Disable | Mode::Prefer => return Ok(Depth::Key),
            Mode::Require | Mode::VerifyCa => Depth::Issuer,
            Mode::VerifyFull => Depth::IssuerAndName,
        };
        let path = match &self.roots {
            Roots::System => return Ok(verify(system_roots()?)),
            Roots::File(path) => path.clone(),
            Roots::Usual => match usual("root.crt") {
                Some(path) => path,
                None if self.mode == Mode::Require => return Ok(Depth::Key),
                None => {
                    return Err(Error::NotConnected(format!(
                        "{} verifies the server's certificate, and nobody is trusted to have issued it; name a file \
                         with the authority's certificate (sslrootcert=FILE), or the system's (sslrootcert=system)",
                        self.mode
                    )));
                }
            },
        };
        let mut roots = RootCertStore::empty();
        for certificate in certificates(&path, "sslrootcert")? {
            roots.add(certificate).map_err(|cause| unusable(&path, "sslrootcert", &cause))?;
        }
        Ok(verify(roots))
    }

    /// The files of this side's certificate and of its key, if it has one.
    fn client_files(&self) -> Result<Option<(PathBuf, PathBuf)>> {
        match (self.certificate.clone().or_else(|| usual("postgresql.crt")), &self.key) {
            (None, None) => Ok(None),
            (None, Some(key)) => Err(Error::NotConnected(format!(
                "the key {} (sslkey) has no certificate; name its file in sslcert",
                key.display()
            ))),
            (Some(certificate), Some(key)) => Ok(Some((certificate, key.clone()))),
            (Some(certificate), None) => match usual("postgresql.key") {
                Some(key) => Ok(Some((certificate, key))),
                None => Err(Error::NotConnected(format!(
                    "the certificate {} (sslcert) has no key; name its file in sslkey",
                    certificate.display()
                ))),
            },
        }
    }
}

fn mode(name: &str) -> Result<Mode> {
    let found = MODES.iter().find(|(known, _)| *known == name).map(|(_, mode)| *mode);
    found.ok_or_else(|| {
        let names: Vec<&str> = MODES.iter().map(|(name, _)| *name).collect();
        Error::Address(format!("sslmode, or PGSSLMODE, is one of {}", names.join(", ")))
    })
}

/// A file where libpq looks for it by itself, if it is there.
fn usual(name: &str) -> Option<PathBuf> {
    Some(std::env::home_dir()?.join(".postgresql").join(name)).filter(|path| path.exists())
}

fn system_roots() -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err(Error::NotConnected(
            "sslrootcert=system: the system has no root certificates; install them (ca-certificates), or name a file in \
             sslrootcert"
                .into(),
        ));
    }
    Ok(roots)
}

fn certificates(path: &Path, parameter: &str) -> Result<Vec<CertificateDer<'static>>> {
    let found: std::result::Result<Vec<_>, pem::Error> =
        CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
    match found {
        Ok(found) if !found.is_empty() => Ok(found),
        Ok(_) => Err(unusable(path, parameter, &pem::Error::NoItemsFound)),
        Err(cause) => Err(unusable(path, parameter, &cause)),
    }
}

fn private_key(path: &Path) -> Result<PrivateKeyDer<'static>> {
    fs::metadata(path).and_then(|file| check(&file)).map_err(|cause| unusable(path, "sslkey", &cause))?;
    PrivateKeyDer::from_pem_file(path).map_err(|cause| match cause {
        pem::Error::NoItemsFound => unusable(
            path,
            "sslkey",
            &"it holds no key in PEM, or an encrypted one; decrypt that with: openssl pkey -in FILE -out FILE",
        ),
        cause => unusable(path, "sslkey", &cause),
    })
}

/// libpq takes a key only if nobody else can use it. A group may read one that root owns.
fn check(file: &Metadata) -> io::Result<()> {
    if !file.is_file() {
        return Err(io::Error::other("it is not a plain file"));
    }
    let forbidden = if file.uid() == 0 { 0o037 } else { 0o077 };
    if file.mode() & forbidden != 0 {
        return Err(io::Error::other("others have access to it; run chmod 600 on it"));
    }
    Ok(())
}

fn unusable(path: &Path, parameter: &str, cause: &dyn fmt::Display) -> Error {
    Error::NotConnected(format!("the file {} ({parameter}) cannot be used: {cause}", path.display()))
}
