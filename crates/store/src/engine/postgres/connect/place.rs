//! One server that an address names.

use std::fmt;

use tokio_postgres::{Config, config::Host};

/// Where libpq looks for a socket by itself. In a password file such a socket is called localhost.
const USUAL_FOLDERS: [&str; 3] = ["/var/run/postgresql", "/run/postgresql", "/tmp"];

/// A server: how it is reached, and who connects to which database. Its password is looked up for each connection.
pub struct Place {
    pub config: Config,
    pub host: Host,
    pub port: u16,
    pub user: String,
    pub database: String,
}

impl Place {
    /// libpq ignores `sslmode` on a socket, and PostgreSQL offers no TLS there.
    pub fn is_socket(&self) -> bool {
        matches!(self.host, Host::Unix(_))
    }

    /// The host as a password file names it.
    pub fn in_password_file(&self) -> String {
        match &self.host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(folder) if USUAL_FOLDERS.iter().any(|usual| folder.as_os_str() == *usual) => "localhost".into(),
            Host::Unix(folder) => folder.display().to_string(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Tcp(name) if name.contains(':') => write!(to, "[{name}]:{}", self.port),
            Host::Tcp(name) => write!(to, "{name}:{}", self.port),
            Host::Unix(folder) => write!(to, "{}/.s.PGSQL.{}", folder.display(), self.port),
        }
    }
}
