//! Pebble, the ACME authority for tests, and the name server that tells it where every domain is: here.

use std::{
    net::{SocketAddr, TcpListener, UdpSocket},
    path::PathBuf,
    process::{Command, Stdio},
};

use rcgen::KeyPair;
use serde_json::json;

use super::{Authority, Running, hooks::until, https::client_trusting, named};

/// An authority and its name server. It looks at domains on one port of this machine.
pub struct Pebble {
    pub directory: String,
    /// The root of the certificates that it issues.
    pub issuer: String,
    /// A file with the root that Pebble's own https is trusted by.
    pub root: PathBuf,
    folder: tempfile::TempDir,
    _running: [Running; 2],
}

/// A port that nobody uses at this moment.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Pebble {
    /// Starts it. Domains are looked at on this port, where a server listens or will listen.
    pub async fn start(port: u16) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let authority = Authority::signing_with(KeyPair::generate().unwrap());
        let issued = authority.issue(&named(&["localhost", "127.0.0.1"]));
        let put = |name: &str, content: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            path
        };
        let root = put("root.pem", &authority.pem());
        let (certificate, key) = (put("cert.pem", &issued.pem()), put("key.pem", &issued.key.serialize_pem()));
        // A port that is free now may be taken a moment later.
        for _ in 0..20 {
            let (listen, management, names) = (free_port(), free_port(), free_port());
            let settings = json!({"pebble": {
                "listenAddress": format!("127.0.0.1:{listen}"),
                "managementListenAddress": format!("127.0.0.1:{management}"),
                "certificate": certificate, "privateKey": key,
                "httpPort": 1, "tlsPort": port, "ocspResponderURL": "", "externalAccountBindingRequired": false,
            }});
            let config = put("config.json", &settings.to_string());
            let log = |name: &str| Stdio::from(std::fs::File::create(folder.path().join(name)).unwrap());
            let mut dns = Command::new("pebble-challtestsrv");
            dns.args(["-dns01", &format!("127.0.0.1:{names}"), "-management", &format!("127.0.0.1:{}", free_port())]);
            dns.args(["-http01", "", "-https01", "", "-tlsalpn01", "", "-defaultIPv6", ""]);
            let dns = Running(dns.stdout(log("dns")).stderr(log("dns-errors")).spawn().unwrap());
            let mut pebble = Command::new("pebble");
            pebble.arg("-config").arg(config).args(["-dnsserver", &format!("127.0.0.1:{names}")]);
            // Without this it waits some seconds before it looks.
            pebble.env("PEBBLE_VA_NOSLEEP", "1");
            let pebble = Running(pebble.stdout(log("pebble")).stderr(log("pebble-errors")).spawn().unwrap());
            // It listens at both of them, one after the other.
            let [address, roots] = [listen, management].map(|port| SocketAddr::from(([127, 0, 0, 1], port)));
            let listens = async |at| tokio::net::TcpStream::connect(at).await.is_ok();
            let running = std::cell::RefCell::new(pebble);
            let has_ended = || running.borrow_mut().0.try_wait().unwrap().is_some();
            let is_up = until(async || has_ended() || listens(address).await && listens(roots).await);
            // Whoever listens for names has the port, so that nobody else can have it.
            let has_names = async || until(async || UdpSocket::bind(("127.0.0.1", names)).is_err()).await;
            if is_up.await && !has_ended() && has_names().await {
                let pebble = running.into_inner();
                let directory = format!("https://localhost:{listen}/dir");
                let client = client_trusting(&authority.pem(), "localhost", roots, false);
                let asked = client.get(format!("https://localhost:{management}/roots/0")).send().await.unwrap();
                let issuer = asked.text().await.unwrap();
                return Self { directory, issuer, root, folder, _running: [dns, pebble] };
            }
        }
        panic!("Pebble does not start");
    }

    /// What Pebble said.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("pebble")).unwrap()
    }

    /// How many certificates it has issued.
    pub fn issued(&self) -> usize {
        self.log().matches("Issued certificate serial").count()
    }
}
