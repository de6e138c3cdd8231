//! PgBouncer in front of the tests' PostgreSQL.

use std::{
    os::unix::net::UnixStream,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use super::{PATIENCE, process::Running, proxy::unpacked};

/// Its port, which only names its socket.
const PORT: u16 = 6432;

/// A PgBouncer that ends with the test. It has two connections to each database.
pub struct PgBouncer {
    folder: tempfile::TempDir,
    _running: Running,
}

impl PgBouncer {
    /// Starts it in a mode (`transaction` or `session`), with room for so many prepared statements.
    pub fn start(mode: &str, statements: usize) -> Self {
        let folder = tempfile::Builder::new().prefix("pb").tempdir_in("/tmp").unwrap();
        let here = folder.path().display();
        let cluster = std::env::var("TAQUILLA_TEST_POSTGRES").unwrap();
        let host = cluster.rsplit('@').next().unwrap().replace("%2F", "/");
        let user = std::env::var("TAQUILLA_TEST_POSTGRES_USER").unwrap_or_default();
        let mut settings = format!(
            "[databases]\n* = host={host}\n[pgbouncer]\nunix_socket_dir = {here}\nlisten_port = {PORT}\nauth_type = trust\n\
             auth_file = {here}/users\npool_mode = {mode}\nmax_prepared_statements = {statements}\ndefault_pool_size = 2\n\
             max_client_conn = 500\n"
        );
        if !user.is_empty() {
            settings += &format!("user = {user}\n");
            assert!(Command::new("chown").arg(&user).arg(folder.path()).status().unwrap().success());
        }
        std::fs::write(folder.path().join("pgbouncer.ini"), settings).unwrap();
        std::fs::write(folder.path().join("users"), "\"taquilla\" \"\"\n").unwrap();
        let said = std::fs::File::create(folder.path().join("said")).unwrap();
        let mut command = unpacked("pgbouncer/run");
        command.arg(folder.path().join("pgbouncer.ini")).stdin(Stdio::null());
        let running = Running(command.stdout(said.try_clone().unwrap()).stderr(said).spawn().unwrap());
        let (socket, began) = (folder.path().join(format!(".s.PGSQL.{PORT}")), Instant::now());
        while UnixStream::connect(&socket).is_err() {
            let said = || std::fs::read_to_string(folder.path().join("said")).unwrap();
            assert!(began.elapsed() < PATIENCE, "PgBouncer does not run: {}", said());
            std::thread::sleep(Duration::from_millis(10));
        }
        Self { folder, _running: running }
    }

    /// The way to a database through it.
    pub fn to(&self, address: &str) -> String {
        let name = address.rsplit('/').next().unwrap();
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://taquilla@{folder}:{PORT}/{name}")
    }
}
