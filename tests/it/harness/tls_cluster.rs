//! A PostgreSQL cluster that is reached over TCP, with rules about TLS, and what it sees of who connects.

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use super::{Issued, Raw, cluster::Cluster, taquilla};

/// The name by which the cluster is connected to. It is not looked up: addresses also give the number.
const HOST: &str = "db.example";

/// Who may come how. Everybody may do everything then.
const RULES: &str = "\
local   all all                          trust
host    all anybody        127.0.0.1/32  trust
hostssl all with_tls       127.0.0.1/32  trust
hostnossl all without_tls  127.0.0.1/32  trust
hostssl all certified      127.0.0.1/32  cert
host    all secretive      127.0.0.1/32  scram-sha-256
host    all old_fashioned  127.0.0.1/32  password
";

/// How an attempt to connect ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Connected under TLS.
    Tls,
    /// Connected without TLS.
    Plain,
    Refused,
}

/// One attempt to connect, and how it must end.
pub struct Attempt {
    address: String,
    environment: Vec<(&'static str, String)>,
    end: End,
    /// What a refusal must say.
    says: &'static [&'static str],
    /// How libpq ends, if that is known.
    libpq: Option<End>,
}

impl Attempt {
    /// It ends like this, with libpq as with Taquilla.
    pub fn ends(address: String, end: End) -> Self {
        Self { address, environment: Vec::new(), end, says: &[], libpq: Some(end) }
    }

    /// It is refused, and all of this is said.
    pub fn is_refused(address: String, says: &'static [&'static str]) -> Self {
        Self { says, ..Self::ends(address, End::Refused) }
    }

    pub fn with(mut self, variable: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((variable, value.into()));
        self
    }

    /// libpq ends in another way. The manual says so.
    pub fn unlike_libpq(self, end: End) -> Self {
        Self { libpq: Some(end), ..self }
    }

    /// Not every version of libpq knows this.
    pub fn without_libpq(self) -> Self {
        Self { libpq: None, ..self }
    }
}

pub struct TlsCluster {
    cluster: Cluster,
    port: u16,
    /// The files of the client, and its home.
    folder: tempfile::TempDir,
}

impl TlsCluster {
    /// A cluster without TLS that holds Taquilla's tables.
    pub async fn start() -> Self {
        let cluster = Cluster::made();
        cluster.put("pg_hba.conf", RULES);
        let mut made = Self { cluster, port: 0, folder: tempfile::tempdir().unwrap() };
        // A port that is free now may be taken before PostgreSQL has it.
        let found = (0..20).any(|_| {
            made.port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            made.run("")
        });
        assert!(found, "{}", made.cluster.log());
        let socket = made.socket();
        let raw = Raw::open(&socket).await;
        for user in ["anybody", "with_tls", "without_tls", "certified"] {
            raw.batch(&format!("CREATE ROLE {user} LOGIN SUPERUSER")).await;
        }
        raw.batch("CREATE ROLE secretive LOGIN SUPERUSER PASSWORD 'pa:ss\\word'").await;
        raw.batch("CREATE ROLE old_fashioned LOGIN SUPERUSER PASSWORD 'plainly'").await;
        let created = taquilla(&socket).args(["producer", "create", "--name", "A", "--id", "pr_a"]).output().unwrap();
        assert!(created.status.success(), "{created:?}");
        made
    }

    fn run(&self, settings: &str) -> bool {
        let (port, rules) = (self.port, "-c log_connections=on -c fsync=off");
        self.cluster.run_with(&format!("-c listen_addresses=127.0.0.1 -c port={port} {rules} {settings}"))
    }

    /// Starts the cluster anew, with this certificate, and further settings.
    pub fn with_tls(&self, issued: &Issued, settings: &str) {
        self.cluster.stop();
        let certificate = self.cluster.put("server.crt", &issued.pem());
        let key = self.cluster.put("server.key", &issued.key.serialize_pem());
        let (certificate, key) = (certificate.display(), key.display());
        let settings = format!("-c ssl=on -c ssl_cert_file={certificate} -c ssl_key_file={key} {settings}");
        assert!(self.run(&settings), "{}", self.cluster.log());
    }

    /// Puts a file where the server finds it.
    pub fn give_server(&self, name: &str, content: &str) -> PathBuf {
        self.cluster.put(name, content)
    }

    /// Writes a file of the client's that only its owner may read.
    pub fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        path
    }

    /// The client's home.
    pub fn home(&self) -> &Path {
        self.folder.path()
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// An address over TCP.
    pub fn address(&self, user: &str, parameters: &str) -> String {
        format!("postgres://{user}@{HOST}:{}/postgres?hostaddr=127.0.0.1&{parameters}", self.port)
    }

    /// An address over the cluster's socket.
    pub fn socket(&self) -> String {
        self.cluster.address_at(self.port)
    }

    /// A command with the client's home, and no setting of whoever runs the tests.
    pub fn at_home(&self, mut command: Command) -> Command {
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PG") || name.to_string_lossy().starts_with("SSL_CERT") {
                command.env_remove(name);
            }
        }
        command.env("HOME", self.home());
        command
    }

    /// Makes attempts with Taquilla and with PostgreSQL's own program, which uses libpq. Shows all that end in another way
    /// than they must.
    pub fn try_all(&self, what: &str, attempts: &[Attempt]) {
        let programs = std::env::var("TAQUILLA_TEST_POSTGRES_BIN").unwrap();
        let mut wrong = Vec::new();
        for Attempt { address, environment, end, says, libpq } in attempts {
            let mut command = taquilla(address);
            command.args(["producer", "list"]);
            let (found, said) = self.end_of(command, environment);
            if found != *end || !says.iter().all(|words| said.contains(words)) {
                wrong.push(format!("{address} {environment:?}: {end:?} {says:?}, not {found:?}: {said}"));
            }
            let Some(end) = libpq else { continue };
            let mut command = Command::new(Path::new(&programs).join("psql"));
            command.args(["--no-password", "--no-psqlrc", "--command", "SELECT 1", address]);
            let (found, said) = self.end_of(command, environment);
            if found != *end {
                wrong.push(format!("libpq, {address} {environment:?}: {end:?}, not {found:?}: {said}"));
            }
        }
        assert!(wrong.is_empty(), "{what}:\n{}", wrong.join("\n"));
    }

    fn end_of(&self, command: Command, environment: &[(&str, String)]) -> (End, String) {
        let before = self.cluster.log().len();
        let output = self.at_home(command).envs(environment.iter().cloned()).output().unwrap();
        if !output.status.success() {
            return (End::Refused, String::from_utf8_lossy(&output.stderr).into_owned());
        }
        // The server writes this line before it is ready for the first statement.
        let log = self.cluster.log();
        let last = log[before..].lines().rfind(|line| line.contains("connection authorized:")).unwrap_or_default();
        (if last.contains("SSL enabled") { End::Tls } else { End::Plain }, last.to_owned())
    }
}
