//! A PostgreSQL cluster for one test, which waits for the disk as a real one does and can be stopped at any moment.

use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A cluster that ends with the test. `tests/with-services` says where PostgreSQL's programs are and which user runs
/// them.
pub struct Cluster {
    folder: tempfile::TempDir,
}

impl Cluster {
    pub fn start() -> Self {
        let cluster = Self::made();
        cluster.run();
        cluster
    }

    /// A folder that belongs to PostgreSQL's user.
    fn empty() -> Self {
        let cluster = Self { folder: tempfile::Builder::new().prefix("pg").tempdir_in("/tmp").unwrap() };
        let user = std::env::var("TAQUILLA_TEST_POSTGRES_USER").unwrap_or_default();
        if !user.is_empty() {
            succeed(Command::new("chown").arg(&user).arg(cluster.folder.path()));
        }
        cluster
    }

    /// A standby of this cluster, which follows it.
    pub fn standby(&self) -> Self {
        let standby = Self::empty();
        let mut copy = self.program("pg_basebackup");
        copy.arg("-h").arg(self.folder.path()).args(["-U", "taquilla", "-R", "-c", "fast", "--no-sync", "-D"]);
        succeed(copy.arg(standby.data()));
        standby.run();
        standby
    }

    /// A cluster that does not run yet.
    pub fn made() -> Self {
        let cluster = Self::empty();
        let data = cluster.data();
        succeed(
            cluster
                .program("initdb")
                .args(["-U", "taquilla", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "-D"])
                .arg(data),
        );
        cluster
    }

    /// Starts the cluster, for the first time or after a stop, with durable settings.
    pub fn run(&self) {
        assert!(self.run_with("-c listen_addresses='' -c fsync=on -c synchronous_commit=on -c full_page_writes=on"));
    }

    /// Starts the cluster with these settings, and tells whether it runs.
    pub fn run_with(&self, settings: &str) -> bool {
        let options = format!("-k {} {settings}", self.folder.path().display());
        let log = self.folder.path().join("log");
        let mut command = self.program("pg_ctl");
        command.arg("-D").arg(self.data()).arg("-l").arg(log).args(["-w", "-t", "180", "-o", &options, "start"]);
        succeeds(&mut command)
    }

    /// Stops the cluster in good order.
    pub fn stop(&self) {
        succeed(self.program("pg_ctl").arg("-D").arg(self.data()).args(["-m", "fast", "-w", "-t", "180", "stop"]));
    }

    /// What the cluster has written into its log.
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(self.folder.path().join("log")).unwrap_or_default()).into_owned()
    }

    /// Puts a file beside the data that only PostgreSQL may read.
    pub fn put(&self, name: &str, content: &str) -> PathBuf {
        let path = self.data().join(name);
        std::fs::write(&path, content).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
        let user = std::env::var("TAQUILLA_TEST_POSTGRES_USER").unwrap_or_default();
        if !user.is_empty() {
            succeed(Command::new("chown").arg(&user).arg(&path));
        }
        path
    }

    /// Stops the cluster like a crash: clients are cut off, and nothing more is written.
    pub fn crash(&self) {
        succeed(self.program("pg_ctl").arg("-D").arg(self.data()).args(["-m", "immediate", "-w", "-t", "180", "stop"]));
    }

    /// Stops the cluster and starts it as a standby, which only reads until it is promoted.
    pub fn demote(&self) {
        self.stop();
        std::fs::write(self.data().join("standby.signal"), "").unwrap();
        self.run();
    }

    /// Lets a standby write again.
    pub fn promote(&self) {
        succeed(self.program("pg_ctl").arg("-D").arg(self.data()).args(["-w", "-t", "180", "promote"]));
    }

    /// The `--database` address.
    pub fn address(&self) -> String {
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://taquilla@{folder}/postgres")
    }

    /// The address of this cluster or another one, whichever is what is looked for.
    pub fn address_with(&self, other: &Self, target: &str) -> String {
        let folder = |cluster: &Self| cluster.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://taquilla@{},{}/postgres?target_session_attrs={target}", folder(self), folder(other))
    }

    /// The same where PostgreSQL was told another port.
    pub fn address_at(&self, port: u16) -> String {
        self.address().replace("/postgres", &format!(":{port}/postgres"))
    }

    /// Stops all its processes where they are, as a machine that hangs does, until this is dropped.
    pub fn stop_processes(&self) -> Stopped {
        let pid = std::fs::read_to_string(self.data().join("postmaster.pid")).unwrap();
        let postmaster = pid.lines().next().unwrap().to_owned();
        // The postmaster first: it starts no further ones then.
        let mut processes = vec![postmaster.clone()];
        signal("-STOP", &processes);
        let children = Command::new("ps").args(["-o", "pid=", "--ppid", &postmaster]).output().unwrap();
        let children = String::from_utf8(children.stdout).unwrap();
        processes.extend(children.split_whitespace().map(str::to_owned));
        signal("-STOP", &processes);
        Stopped(processes)
    }

    /// Where its socket is.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// One of PostgreSQL's programs, run by its user.
    pub fn program(&self, name: &str) -> Command {
        let programs =
            std::env::var("TAQUILLA_TEST_POSTGRES_BIN").expect("run `make test`, or `tests/with-services …`");
        let program = Path::new(&programs).join(name);
        let user = std::env::var("TAQUILLA_TEST_POSTGRES_USER").unwrap_or_default();
        let mut command = if user.is_empty() {
            Command::new(program)
        } else {
            // PostgreSQL refuses to run as root.
            let mut command = Command::new("setpriv");
            command.args([&format!("--reuid={user}"), &format!("--regid={user}"), "--clear-groups"]).arg(program);
            command
        };
        command.stdin(Stdio::null()).current_dir("/");
        command
    }
}

/// Processes that stand still and go on when this is dropped.
pub struct Stopped(Vec<String>);

impl Drop for Stopped {
    fn drop(&mut self) {
        signal("-CONT", &self.0);
    }
}

fn signal(name: &str, processes: &[String]) {
    // One of them may have ended by itself.
    let _ = Command::new("kill").arg(name).args(processes).output();
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let mut stop = self.program("pg_ctl");
        // The cluster may be stopped already.
        let _ = stop.arg("-D").arg(self.data()).args(["-m", "immediate", "-w", "stop"]).output();
    }
}

/// Runs a command that must succeed.
fn succeed(command: &mut Command) {
    assert!(succeeds(command), "{command:?}");
}

/// Runs a command. Its output goes to a file, because a server that it starts would keep a pipe open.
fn succeeds(command: &mut Command) -> bool {
    let output = tempfile::tempfile().unwrap();
    command.stdout(output.try_clone().unwrap()).stderr(output).status().unwrap().success()
}
