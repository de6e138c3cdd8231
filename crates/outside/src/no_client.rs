//! Why there is no client to call others with.

/// Why a client cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum NoClient {
    /// The certificates that others are trusted by cannot be used.
    #[error("{0}")]
    Roots(String),
    /// The TLS library cannot be used as it was built.
    #[error("{0}")]
    Tls(#[from] rustls::Error),
    /// The HTTP library cannot be used as it was built.
    #[error("{0}")]
    Http(#[from] reqwest::Error),
}
