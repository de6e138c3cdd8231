//! The parameters of an address, and the environment variables that stand for some of them.

use std::{env, ffi::OsString, path::PathBuf};

use percent_encoding::percent_decode_str;

use super::super::super::error::{Error, Result};

/// The parameters that the driver reads.
const OF_THE_DRIVER: [&str; 14] = [
    "user",
    "password",
    "dbname",
    "hostaddr",
    "options",
    "channel_binding",
    "load_balance_hosts",
    "application_name",
    "connect_timeout",
    "tcp_user_timeout",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
];

/// The parameters that are read here, because the driver does not know them or reads them in another way than libpq.
#[derive(Default)]
pub struct Parameters {
    pub host: Option<String>,
    pub port: Option<String>,
    pub target_session_attrs: Option<String>,
    pub sslmode: Option<String>,
    pub sslrootcert: Option<PathBuf>,
    pub sslcert: Option<PathBuf>,
    pub sslkey: Option<PathBuf>,
    pub passfile: Option<PathBuf>,
    pub pooler: Option<String>,
}

/// Takes our parameters out of an address. The rest is an address that the driver can read.
pub fn split(address: &str) -> Result<(String, Parameters)> {
    // The driver takes everything before the first @ for the user and the password.
    let place = address.find('@').map_or(0, |at| at + 1);
    let Some(question) = address[place..].find('?').map(|at| place + at) else {
        return Ok((address.to_owned(), Parameters::default()));
    };
    let (mut rest, mut ours) = (address[..question].to_owned(), Parameters::default());
    for pair in address[question + 1..].split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').ok_or_else(unreadable)?;
        let name = decoded(name)?;
        let field = match name.as_str() {
            "host" => &mut ours.host,
            "port" => &mut ours.port,
            "target_session_attrs" => &mut ours.target_session_attrs,
            "sslmode" => &mut ours.sslmode,
            "pooler" => &mut ours.pooler,
            "sslrootcert" | "sslcert" | "sslkey" | "passfile" => {
                let file = match name.as_str() {
                    "sslrootcert" => &mut ours.sslrootcert,
                    "sslcert" => &mut ours.sslcert,
                    "sslkey" => &mut ours.sslkey,
                    _ => &mut ours.passfile,
                };
                *file = Some(decoded(value)?.into()).filter(|path: &PathBuf| !path.as_os_str().is_empty());
                continue;
            }
            known if OF_THE_DRIVER.contains(&known) => {
                rest.push(if rest.len() == question { '?' } else { '&' });
                rest += pair;
                continue;
            }
            _ => return Err(unknown(address, &name)),
        };
        *field = Some(decoded(value)?).filter(|value| !value.is_empty());
    }
    Ok((rest, ours))
}

impl Parameters {
    /// What the address does not say, the environment may, as with libpq.
    pub fn or_environment(self) -> Result<Self> {
        let file = |name| variable(name).map(PathBuf::from);
        let sslmode = match (self.sslmode, variable("PGSSLMODE")) {
            (None, Some(mode)) => Some(mode.into_string().map_err(|_| Error::Address("PGSSLMODE is no text".into()))?),
            (given, _) => given,
        };
        Ok(Self {
            sslmode,
            sslrootcert: self.sslrootcert.or_else(|| file("PGSSLROOTCERT")),
            sslcert: self.sslcert.or_else(|| file("PGSSLCERT")),
            sslkey: self.sslkey.or_else(|| file("PGSSLKEY")),
            passfile: self.passfile.or_else(|| file("PGPASSFILE")),
            ..self
        })
    }
}

/// An environment variable. An empty one counts as none.
pub fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

fn decoded(text: &str) -> Result<String> {
    percent_decode_str(text).decode_utf8().map(Into::into).map_err(|_| unreadable())
}

/// What an address looks like.
pub const FORM: &str = "it is postgres://USER:PASSWORD@HOST:PORT/NAME?PARAMETER=VALUE";

/// The address itself is not quoted: it may hold the password.
pub fn unreadable() -> Error {
    Error::Address(format!(
        "the PostgreSQL address cannot be read; {FORM}, and @ : / ? & and % in a value are written %40 %3A %2F %3F %26 \
         and %25"
    ))
}

fn unknown(address: &str, name: &str) -> Error {
    // After a single @ no part of a password can follow. Otherwise the name may be a piece of it.
    let named = match address.matches('@').count() {
        1 => format!("parameter {name:?}"),
        _ => "parameter".to_owned(),
    };
    let mut known = vec![
        "host",
        "port",
        "sslmode",
        "sslrootcert",
        "sslcert",
        "sslkey",
        "passfile",
        "target_session_attrs",
        "pooler",
    ];
    known.extend(OF_THE_DRIVER);
    Error::Address(format!(
        "the PostgreSQL address has a {named} that Taquilla does not know; it knows {}",
        known.join(", ")
    ))
}
