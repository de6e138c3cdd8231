//! The address of a PostgreSQL database, read as libpq reads it.

use std::{net::IpAddr, str::FromStr};

use tokio_postgres::{
    Config,
    config::{Host, LoadBalanceHosts},
};

use taquilla_domain::config::{
    POSTGRES_KEEPALIVE_IDLE, POSTGRES_KEEPALIVE_INTERVAL, POSTGRES_KEEPALIVE_RETRIES, POSTGRES_LOST,
};

use super::{
    super::super::error::{Error, Result},
    parameters::{self, FORM, Parameters},
    passwords::{PasswordSearch, Passwords},
    place::Place,
    target::Target,
    tls::{Mode, Tls, TlsSettings},
};

/// The port where an address names none.
const USUAL_PORT: u16 = 5432;

/// All that an address and the environment say about connections.
pub struct Address {
    /// The servers, in the order in which they are tried. There is at least one.
    pub places: Vec<Place>,
    /// Whether they are tried in any other order, to share the load.
    pub in_any_order: bool,
    /// Which of them is looked for. `None` if the address does not say: any of them will do.
    target: Option<Target>,
    /// Whether a pooler is in between that keeps a connection for whoever has it.
    pub keeps_sessions: bool,
    pub tls: TlsSettings,
    pub passwords: Passwords,
}

impl Address {
    pub fn parse(address: &str) -> Result<Self> {
        let (rest, parameters) = parameters::split(address)?;
        let parameters = parameters.or_environment()?;
        let parsed = read(&rest)?;
        let target = parameters.target_session_attrs.as_deref().map(Target::parse).transpose()?;
        Ok(Self {
            places: places(&parsed, &parameters, target.unwrap_or(Target::Any))?,
            target,
            in_any_order: parsed.get_load_balance_hosts() == LoadBalanceHosts::Random,
            keeps_sessions: keeps_sessions(parameters.pooler.as_deref())?,
            passwords: Passwords::new(parsed.get_password(), parameters.passfile.clone()),
            tls: TlsSettings::new(parameters)?,
        })
    }

    /// Which of its servers is looked for.
    pub fn target(&self) -> Target {
        self.target.unwrap_or(Target::Any)
    }

    /// Whether it names several servers and does not say which one is looked for. Whoever writes may then be led to a
    /// standby.
    pub fn is_undecided(&self) -> bool {
        self.places.len() > 1 && self.target.is_none()
    }

    /// Refuses an address that leads to servers which only read.
    pub fn for_writing(self) -> Result<Self> {
        let target = self.target();
        match target.may_write() {
            true => Ok(self),
            false => Err(Error::Address(format!(
                "{target} leads to a server that cannot be written to; write target_session_attrs=read-write or primary, \
                 and name standbys that answer lists in --read-replica"
            ))),
        }
    }

    /// Reads the files that a connection needs. They may change while a server runs.
    pub fn files(&self) -> Result<(Option<Tls>, Vec<PasswordSearch>)> {
        let may_have_tls = self.tls.mode != Mode::Disable && self.places.iter().any(|place| !place.is_socket());
        let tls = if may_have_tls { Some(self.tls.load()?) } else { None };
        Ok((tls, self.passwords.find(&self.places)))
    }
}

fn read(address: &str) -> Result<Config> {
    Config::from_str(address).map_err(|cause| {
        // The driver's messages may quote the password, but for this one, which names the parameter only.
        let told = std::error::Error::source(&cause).map(ToString::to_string).unwrap_or_default();
        match told.strip_prefix("invalid value for option ") {
            Some(name) => Error::Address(format!("the PostgreSQL address has a {name} that cannot be read; {FORM}")),
            None => parameters::unreadable(),
        }
    })
}

fn places(parsed: &Config, parameters: &Parameters, target: Target) -> Result<Vec<Place>> {
    // Parameters go before what stands in the first part of the address.
    let hosts = match &parameters.host {
        Some(hosts) => hosts.split(',').map(host).collect::<Result<_>>()?,
        None => parsed.get_hosts().to_vec(),
    };
    let ports = match &parameters.port {
        Some(ports) => ports.split(',').map(port).collect::<Result<_>>()?,
        None => parsed.get_ports().to_vec(),
    };
    let numbers = parsed.get_hostaddrs();
    let count = hosts.len().max(numbers.len());
    if count == 0 {
        return Err(Error::Address(
            "the PostgreSQL address names no host; for a socket write its folder as the host, such as \
             postgres://USER@%2Fvar%2Frun%2Fpostgresql/NAME"
                .into(),
        ));
    }
    let each = |what: &str, found: usize| {
        Error::Address(format!("the PostgreSQL address needs {what} for each of its {count} servers, not {found}"))
    };
    if !hosts.is_empty() && !numbers.is_empty() && hosts.len() != numbers.len() {
        return Err(each("a host and a hostaddr", hosts.len().min(numbers.len())));
    }
    if ports.len() > 1 && ports.len() != count {
        return Err(each("one port, or one", ports.len()));
    }
    let user = match parsed.get_user().filter(|user| !user.is_empty()) {
        Some(user) => user.to_owned(),
        None => whoami::username()
            .map_err(|cause| Error::Address(format!("the PostgreSQL address names no user ({cause})")))?,
    };
    let one = |at: usize| {
        let number = numbers.get(at).copied();
        // A certificate is compared with the host. Without one it has to be for the number.
        let host = hosts.get(at).cloned().or(number.map(|number| Host::Tcp(number.to_string())))?;
        let port = ports.get(at).or(ports.first()).copied().unwrap_or(USUAL_PORT);
        Some(place(parsed, target, &user, host, number, port))
    };
    Ok((0..count).filter_map(one).collect())
}

fn place(parsed: &Config, target: Target, user: &str, host: Host, number: Option<IpAddr>, port: u16) -> Place {
    let database = parsed.get_dbname().unwrap_or(user);
    let mut config = Config::new();
    config
        .user(user)
        .dbname(database)
        .port(port)
        .application_name("taquilla")
        .keepalives(true)
        .keepalives_idle(POSTGRES_KEEPALIVE_IDLE)
        .keepalives_interval(POSTGRES_KEEPALIVE_INTERVAL)
        .keepalives_retries(POSTGRES_KEEPALIVE_RETRIES)
        .tcp_user_timeout(POSTGRES_LOST)
        .channel_binding(parsed.get_channel_binding())
        .target_session_attrs(target.of_the_driver())
        .load_balance_hosts(parsed.get_load_balance_hosts());
    match &host {
        Host::Tcp(name) => config.host(name),
        Host::Unix(folder) => config.host_path(folder),
    };
    if let Some(number) = number {
        config.hostaddr(number);
    }
    if let Some(options) = parsed.get_options() {
        config.options(options);
    }
    Place { config, host, port, user: user.to_owned(), database: database.to_owned() }
}

/// A pooler of any other kind is noticed without being named.
fn keeps_sessions(pooler: Option<&str>) -> Result<bool> {
    match pooler {
        None => Ok(false),
        Some("session") => Ok(true),
        Some(_) => Err(Error::Address("the PostgreSQL address has a pooler that is not session".into())),
    }
}

fn host(text: &str) -> Result<Host> {
    match text {
        "" => Err(Error::Address("the PostgreSQL address has a host without a name".into())),
        folder if folder.starts_with('/') => Ok(Host::Unix(folder.into())),
        name => Ok(Host::Tcp(name.to_owned())),
    }
}

fn port(text: &str) -> Result<u16> {
    match text {
        "" => Ok(USUAL_PORT),
        text => text.parse().map_err(|_| {
            Error::Address("the PostgreSQL address has a port that is not a number from 0 to 65535".into())
        }),
    }
}
