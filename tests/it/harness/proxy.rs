//! A reverse proxy in front of a server, run with the configuration that is in packaging/.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener},
    path::Path,
    process::{Command, Stdio},
};

use tokio::time::{Instant, sleep};

use super::{Authority, PATIENCE, process::Running};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Nginx,
    Caddy,
}

/// A proxy that ends with the test.
pub struct Proxy {
    /// Where it serves over TLS.
    pub address: SocketAddr,
    /// Where it leads to TLS. Only nginx is told to in its file; Caddy does so by itself, on port 80.
    pub plain: SocketAddr,
    pub authority: Authority,
    folder: tempfile::TempDir,
    _running: Running,
}

impl Proxy {
    /// Where a proxy will serve, for a server that has to know before it starts.
    pub fn free_address() -> SocketAddr {
        TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
    }

    /// Starts a proxy for `localhost` at this address, which leads to the server.
    pub async fn start(kind: Kind, address: SocketAddr, server: SocketAddr) -> Self {
        let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
        let issued = authority.issue_for(&["localhost"]);
        std::fs::write(folder.path().join("certificate.pem"), issued.pem()).unwrap();
        std::fs::write(folder.path().join("key.pem"), issued.key.serialize_pem()).unwrap();
        let plain = Self::free_address();
        let mut command = match kind {
            Kind::Nginx => nginx(folder.path(), address, plain, server),
            Kind::Caddy => caddy(folder.path(), address, server),
        };
        let said = std::fs::File::create(folder.path().join("said")).unwrap();
        command.stdin(Stdio::null()).stdout(said.try_clone().unwrap()).stderr(said);
        let running = Running(command.spawn().unwrap());
        let mut proxy = Self { address, plain, authority, folder, _running: running };
        let until = Instant::now() + PATIENCE;
        while proxy.client_at(Ipv4Addr::LOCALHOST).get(format!("{}/healthz", proxy.base())).send().await.is_err() {
            let ended = proxy._running.0.try_wait().unwrap();
            assert!(ended.is_none() && Instant::now() < until, "{kind:?} does not run: {}", proxy.logs());
            sleep(std::time::Duration::from_millis(20)).await;
        }
        proxy
    }

    /// What a browser has in its address bar.
    pub fn base(&self) -> String {
        format!("https://localhost:{}", self.address.port())
    }

    /// A client that trusts the proxy, and that comes from this address.
    pub fn client_at(&self, from: Ipv4Addr) -> reqwest::Client {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let roots = reqwest::Certificate::from_pem(self.authority.pem().as_bytes()).unwrap();
        let builder = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
        let builder = builder.tls_certs_only([roots]).resolve("localhost", self.address);
        builder.local_address(IpAddr::from(from)).build().unwrap()
    }

    /// The certificate that its own goes back to.
    pub fn root(&self) -> rustls::pki_types::CertificateDer<'static> {
        use rustls::pki_types::pem::PemObject;
        rustls::pki_types::CertificateDer::from_pem_slice(self.authority.pem().as_bytes()).unwrap()
    }

    /// Every line that it has logged or printed.
    pub fn logs(&self) -> String {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let logs =
            files.filter(|path| path.ends_with("said") || path.extension().is_some_and(|ending| ending == "log"));
        logs.map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()).collect()
    }
}

/// A program that `tests/with-services` has unpacked.
pub fn unpacked(path: &str) -> Command {
    let folder = std::env::var("TAQUILLA_TEST_UNPACKED").expect("run `make test`, or `tests/with-services …`");
    Command::new(Path::new(&folder).join(path))
}

/// A file of packaging/ with what differs from machine to machine put in. Each text must be there so many times.
fn reference(file: &str, changes: &[(&str, usize, String)]) -> String {
    let mut text = std::fs::read_to_string(format!("{}/packaging/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    for (old, times, new) in changes {
        assert_eq!(text.matches(old).count(), *times, "{old:?} in {file}");
        text = text.replace(old, new);
    }
    text
}

fn nginx(folder: &Path, address: SocketAddr, plain: SocketAddr, server: SocketAddr) -> Command {
    let here = folder.display();
    let site = reference(
        "nginx/taquilla.conf",
        &[
            ("server 127.0.0.1:8080 max_fails=0;", 1, format!("server {server} max_fails=0;")),
            ("listen 80;", 1, format!("listen {plain};")),
            ("listen [::]:80;", 1, String::new()),
            ("listen 443 ssl http2;", 1, format!("listen {address} ssl http2;")),
            ("listen [::]:443 ssl http2;", 1, String::new()),
            ("server_name tickets.example;", 2, "server_name localhost;".into()),
            ("/etc/ssl/tickets.example.pem", 1, format!("{here}/certificate.pem")),
            ("/etc/ssl/tickets.example.key", 1, format!("{here}/key.pem")),
            // What it would put into files is said in a warning.
            ("/var/log/nginx/tickets-error.log crit", 2, format!("{here}/error.log warn")),
            ("/var/log/nginx/tickets.log", 2, format!("{here}/access.log")),
        ],
    );
    std::fs::write(folder.join("site.conf"), site).unwrap();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {here}/{name};\n"))
        .concat();
    // What Debian's nginx.conf does around a site, with everything in this folder and in one process.
    let main = format!(
        "daemon off;\nmaster_process off;\npid {here}/pid;\nerror_log {here}/error.log warn;\n\
         events {{ worker_connections 256; }}\nhttp {{\n{temporary}include {here}/site.conf;\n}}\n"
    );
    std::fs::write(folder.join("nginx.conf"), main).unwrap();
    let mut command = unpacked("usr/sbin/nginx");
    command.arg("-p").arg(folder).arg("-e").arg(folder.join("error.log")).arg("-c").arg(folder.join("nginx.conf"));
    command
}

fn caddy(folder: &Path, address: SocketAddr, server: SocketAddr) -> Command {
    let here = folder.display();
    let file = reference(
        "caddy/Caddyfile",
        &[
            ("reverse_proxy 127.0.0.1:8080 {", 1, format!("reverse_proxy {server} {{")),
            (
                "\ntickets.example {\n",
                1,
                format!("\nhttps://localhost:{} {{\n\ttls {here}/certificate.pem {here}/key.pem\n", address.port()),
            ),
            // No port of its own, and none for plain http, which another test may have.
            ("\n{\n", 1, "\n{\n\tadmin off\n\tauto_https disable_redirects\n".into()),
        ],
    );
    std::fs::write(folder.join("Caddyfile"), file).unwrap();
    let mut command = unpacked("usr/bin/caddy");
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(folder.join("Caddyfile"));
    command.env("HOME", folder).env("XDG_DATA_HOME", folder).env("XDG_CONFIG_HOME", folder);
    command
}
