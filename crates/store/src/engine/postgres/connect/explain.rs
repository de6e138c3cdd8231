//! Why a connection could not be made: which side lacks what, and what to do next. No text holds a password.

use std::{error::Error as _, io, time::Duration};

use rustls::{AlertDescription, pki_types::InvalidDnsNameError};
use tokio_postgres::{
    Error as Cause,
    error::{DbError, SqlState},
};

use super::{
    super::{
        super::error::{Error, whole_story},
        failure::is_passing,
    },
    passwords::PasswordSearch,
    place::Place,
    rejected,
    tls::{Mode, Tls, TlsSettings},
};

/// Why one attempt failed, or several.
pub struct Failure {
    text: String,
    /// Whether it may work later although nobody mends anything.
    is_passing: bool,
    is_about_tls: bool,
    /// Whether a pooler refuses what it cannot pass on to PostgreSQL.
    pub is_of_pooler: bool,
}

/// What one attempt to connect had.
pub struct Attempt<'a> {
    pub place: &'a Place,
    pub settings: &'a TlsSettings,
    /// `None` where there is to be no TLS.
    pub tls: Option<&'a Tls>,
    pub password: &'a PasswordSearch,
}

impl Attempt<'_> {
    /// Explains what the driver says of an attempt. `tls` tells whether it came to TLS.
    pub fn explain(&self, cause: &Cause, tls: bool) -> Failure {
        let (place, mode) = (self.place, self.settings.mode);
        if let Some(told) = cause.as_db_error() {
            return self.refused(told, tls);
        }
        let source = cause.source();
        let io = source.and_then(|source| source.downcast_ref::<io::Error>());
        if let Some(broken) = io.and_then(io::Error::get_ref).and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            return Failure::of_tls(self.broken(broken));
        }
        if io.is_some() || cause.is_closed() {
            let story = whole_story(cause);
            let certificate = match tls && self.has_certificate() {
                true => "; the server may have refused the certificate of sslcert",
                false => "",
            };
            let text = format!("there is no connection to PostgreSQL at {place}: {story}{certificate}");
            return Failure { text, is_passing: true, is_about_tls: tls, is_of_pooler: false };
        }
        if source.is_some_and(|source| source.is::<InvalidDnsNameError>()) {
            return Failure::of_tls(format!(
                "the host of {place} is no name that a certificate can be for; use another name of it, or its number"
            ));
        }
        if self.tls.is_some() && mode != Mode::Prefer && !tls {
            return Failure::of_tls(format!(
                "PostgreSQL at {place} offers no TLS, and {mode} asks for it; turn it on there (ssl = on), or write \
                 sslmode=disable if you trust the network in between"
            ));
        }
        match self.password {
            PasswordSearch::Nothing(why) if source.is_some_and(|source| source.to_string() == "password missing") => {
                let why = why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
                Failure::lasting(format!(
                    "PostgreSQL at {place} asks for the password of user {}, and there is none{why}; put it into \
                     PGPASSWORD, into a password file that PGPASSFILE names, or into the address",
                    self.place.user
                ))
            }
            _ => Failure::lasting(format!("PostgreSQL at {place}: {}", whole_story(cause))),
        }
    }

    fn has_certificate(&self) -> bool {
        self.tls.is_some_and(|tls| tls.has_certificate)
    }

    /// The server answered, with a refusal.
    fn refused(&self, told: &DbError, tls: bool) -> Failure {
        let advice = match *told.code() {
            SqlState::INVALID_PASSWORD => match self.password {
                PasswordSearch::Password(password) => format!("; the password is from {}", password.from),
                PasswordSearch::Nothing(_) => String::new(),
            },
            SqlState::INVALID_AUTHORIZATION_SPECIFICATION if !self.place.is_socket() => self.shown(tls).to_owned(),
            SqlState::INVALID_CATALOG_NAME => {
                format!("; create it with: createdb --encoding=UTF8 --template=template0 {}", self.place.database)
            }
            _ => String::new(),
        };
        Failure {
            text: format!("PostgreSQL at {} refuses the connection: {}{advice}", self.place, told.message()),
            is_passing: is_passing(told.code()),
            is_about_tls: tls && *told.code() == SqlState::INVALID_AUTHORIZATION_SPECIFICATION,
            is_of_pooler: *told.code() == SqlState::PROTOCOL_VIOLATION && told.message().contains("startup parameter"),
        }
    }

    /// What the server saw of this side. Its rules (`pg_hba.conf`) may ask for more.
    fn shown(&self, tls: bool) -> &'static str {
        match (tls, self.settings.mode, self.has_certificate()) {
            (false, Mode::Disable, _) => {
                "; the connection was without TLS (sslmode=disable): if the server wants it, write sslmode=verify-full"
            }
            (false, ..) => "; the connection was without TLS",
            (true, _, false) => {
                "; the connection was with TLS and without a client certificate: if the server wants one, name its file \
                 in sslcert and that of its key in sslkey"
            }
            (true, _, true) => {
                "; the connection was with TLS and the client certificate of sslcert, which must be for this user"
            }
        }
    }

    /// TLS was offered and did not come about.
    fn broken(&self, broken: &rustls::Error) -> String {
        let place = self.place;
        let nothing_in_common = format!(
            "PostgreSQL at {place} has no version of TLS or no cipher in common with Taquilla, which speaks TLS 1.2 and \
             1.3; see ssl_min_protocol_version, ssl_max_protocol_version and ssl_ciphers there"
        );
        match broken {
            rustls::Error::InvalidCertificate(why) => {
                format!("PostgreSQL at {place} has a certificate {}", rejected::why(why, self.settings))
            }
            rustls::Error::PeerIncompatible(_) => nothing_in_common,
            rustls::Error::AlertReceived(
                AlertDescription::ProtocolVersion
                | AlertDescription::HandshakeFailure
                | AlertDescription::InsufficientSecurity,
            ) => nothing_in_common,
            rustls::Error::AlertReceived(AlertDescription::CertificateRequired) => format!(
                "PostgreSQL at {place} wants a client certificate; name its file in sslcert and that of its key in sslkey"
            ),
            rustls::Error::AlertReceived(alert) if self.has_certificate() => format!(
                "PostgreSQL at {place} refuses the client certificate of sslcert ({alert:?}); it must be valid, and \
                 issued by an authority in the server's ssl_ca_file"
            ),
            other => format!("TLS with PostgreSQL at {place} failed: {other}"),
        }
    }
}

impl Failure {
    fn lasting(text: String) -> Self {
        Self { text, is_passing: false, is_about_tls: false, is_of_pooler: false }
    }

    fn of_tls(text: String) -> Self {
        Self { text, is_passing: false, is_about_tls: true, is_of_pooler: false }
    }

    pub fn encoding(place: &Place, encoding: &str) -> Self {
        let name = &place.database;
        Self::lasting(format!(
            "the database {name} at {place} has the encoding {encoding}, and Taquilla needs UTF8; create one with: \
             createdb --encoding=UTF8 --template=template0 NAME"
        ))
    }

    pub fn silence(place: &Place, waited: Duration) -> Self {
        let text = format!("PostgreSQL at {place} did not answer for {} ms", waited.as_millis());
        Self { text, is_passing: true, is_about_tls: false, is_of_pooler: false }
    }

    /// The settings of a new connection were refused.
    pub fn settings(place: &Place, cause: Cause) -> Self {
        Self {
            text: format!("PostgreSQL at {place}: {}", Error::from(cause)),
            is_passing: true,
            is_about_tls: false,
            is_of_pooler: false,
        }
    }

    /// A pooler is in between, and it cannot be worked with.
    pub fn forgetful(place: &Place) -> Self {
        Self::lasting(format!(
            "at {place} a pooler is in front of PostgreSQL that forgets prepared statements; give PgBouncer 1.21 or later a \
             max_prepared_statements above 0, or connect to PostgreSQL itself, or write pooler=session into the address if \
             the pooler keeps each connection for whoever has it (pool_mode = session)"
        ))
    }

    /// The server is not the one that is looked for. That may change, by a promotion for instance.
    pub fn unwanted(place: &Place, why: &str) -> Self {
        Self {
            text: format!("PostgreSQL at {place} {why}"),
            is_passing: true,
            is_about_tls: false,
            is_of_pooler: false,
        }
    }

    /// Whether TLS itself failed, or the server's rules refuse a connection under TLS.
    pub fn is_about_tls(&self) -> bool {
        self.is_about_tls
    }

    /// This failure, and another one after it.
    pub fn and(self, after: Self) -> Self {
        Self {
            text: format!("{}; then: {}", self.text, after.text),
            is_passing: self.is_passing && after.is_passing,
            is_about_tls: self.is_about_tls && after.is_about_tls,
            is_of_pooler: self.is_of_pooler || after.is_of_pooler,
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        if failure.is_passing { Self::Unavailable(failure.text) } else { Self::NotConnected(failure.text) }
    }
}
