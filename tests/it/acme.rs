//! Certificates by ACME, from Pebble: ordered, kept, renewed, shared by servers, and what happens when that fails.

use std::{
    fs::File,
    net::SocketAddr,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use rcgen::CertificateParams;
use serde_json::Value;
use taquilla::{server::Listeners, tls};
use taquilla_domain::config::{ACME_AGAIN, Acme, Config, Https};
use tokio::net::TcpListener;

use crate::harness::{
    Authority, Pebble, Running, Server, Street, World, address_in,
    https::{client_trusting, connect},
    named, serve, taquilla, terminate, until,
};

on_sqlite![
    a_certificate_is_ordered_served_and_kept,
    a_certificate_is_renewed_in_time_without_a_restart,
    a_domain_that_cannot_be_validated_leaves_the_others_served,
    a_certificate_for_all_domains_is_used_until_each_has_its_own,
    servers_that_share_a_folder_order_each_certificate_once,
    a_failure_is_said_and_tried_again_later,
    an_authority_that_has_forgotten_us_gets_to_know_us_again,
];

const DOMAINS: [&str; 2] = ["tickets.example", "entradas.example"];
/// What tells the files of a domain from those of others: the beginning of the SHA-256 of its name.
const OF: [&str; 2] = ["a754f910691b00d5", "2a2b4ce0a26abfd6"];
/// The same of both names, in order: earlier versions ordered one certificate for all.
const OF_BOTH: &str = "5853788e3b3308dc";

/// A server in its own process that orders certificates.
struct Ordering {
    running: Running,
    log: PathBuf,
    said: PathBuf,
    address: SocketAddr,
}

impl Ordering {
    async fn start(world: &World, pebble: &Pebble, folder: &Path, name: &str) -> Self {
        Self::start_with(world, pebble, folder, name, &[]).await
    }

    async fn start_with(world: &World, pebble: &Pebble, folder: &Path, name: &str, more: &[&str]) -> Self {
        let (log, said) = (folder.with_file_name(format!("{name}.log")), folder.with_file_name(format!("{name}.out")));
        let mut command = serve(&world.address);
        for domain in DOMAINS {
            command.args(["--acme", domain]);
        }
        command.arg("--acme-dir").arg(folder).args(["--acme-directory", &pebble.directory]);
        command.arg("--acme-root").arg(&pebble.root).args(more);
        command.stdout(File::create(&said).unwrap()).stderr(File::create(&log).unwrap()).stdin(Stdio::null());
        let running = Running(command.spawn().unwrap());
        let read = || std::fs::read_to_string(&log).unwrap();
        assert!(until(async || read().contains("listening")).await, "{}", read());
        let address = address_in(&read()).parse().unwrap();
        Self { running, log, said, address }
    }

    fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// The certificate that it serves for a name, if a client that trusts this root takes it.
    async fn serves(&self, name: &str, root: &str) -> Option<Vec<u8>> {
        let stream = connect(self.address, name, root, &["h2"]).await.ok()?;
        Some(stream.get_ref().1.peer_certificates().unwrap()[0].to_vec())
    }

    /// Waits until it serves a certificate of the authority for all names.
    async fn serves_all(&self, pebble: &Pebble) -> Vec<u8> {
        for name in DOMAINS {
            let is_there = until(async || self.serves(name, &pebble.issuer).await.is_some()).await;
            assert!(is_there, "{name}: {}\n{}", self.log(), pebble.log());
        }
        self.serves(DOMAINS[0], &pebble.issuer).await.unwrap()
    }

    fn stop(mut self) {
        terminate(&self.running.0);
        assert!(self.running.0.wait().unwrap().success(), "{}", self.log());
    }
}

/// The one file of a folder whose name begins like this, once it is written.
async fn file_in(folder: &Path, begin: &str) -> PathBuf {
    let found = || {
        let files = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
        let is_it = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(begin);
        files.into_iter().find(|path| is_it(path) && path.extension().is_some_and(|ending| ending != "part"))
    };
    assert!(until(async || found().is_some()).await, "there is no {begin} in {}", folder.display());
    found().unwrap()
}

/// Deletes what says when the next order for a domain may be made, once it is written.
async fn forget_attempts(folder: &Path, of: &str) {
    std::fs::remove_file(file_in(folder, &format!("attempts-{of}")).await).unwrap();
}

/// Puts a certificate into the folder.
fn put(folder: &Path, of: &str, content: &str) {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join("new"), content).unwrap();
    std::fs::rename(folder.join("new"), folder.join(format!("certificate-{of}.pem"))).unwrap();
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

async fn a_certificate_is_ordered_served_and_kept(world: World) {
    let (street, folder) = (Street::new().await, tempfile::tempdir().unwrap());
    let pebble = Pebble::start(street.port).await;
    let acme = folder.path().join("acme");
    let server = Ordering::start(&world, &pebble, &acme, "first").await;
    street.servers.lock().push(server.address);
    let served = server.serves_all(&pebble).await;
    for name in DOMAINS {
        let client = client_trusting(&pebble.issuer, name, server.address, true);
        let answer = client.get(format!("https://{name}:{}/healthz", server.address.port())).send().await.unwrap();
        assert_eq!((answer.status(), answer.version()), (reqwest::StatusCode::OK, reqwest::Version::HTTP_2));
    }
    assert!(std::fs::read_to_string(&server.said).unwrap().contains("  https://tickets.example/dashboard/links/"));
    // Nobody else may read the account and the key, and no question stays behind.
    assert_eq!(mode(&acme), 0o700);
    let files: Vec<PathBuf> = std::fs::read_dir(&acme).unwrap().map(|entry| entry.unwrap().path()).collect();
    let names: Vec<&str> = files.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert!(files.iter().all(|path| mode(path) == 0o600), "{names:?}");
    for begin in ["account-", "certificate-", "attempts-"] {
        assert!(names.iter().any(|name| name.starts_with(begin)), "{names:?}");
    }
    assert!(!names.iter().any(|name| name.ends_with(".challenge") || name.ends_with(".part")), "{names:?}");
    assert!(!server.log().contains("PRIVATE KEY"), "{}", server.log());
    server.stop();
    // The next start serves what is kept, from its first connection on.
    let again = Ordering::start(&world, &pebble, &acme, "second").await;
    assert_eq!(again.serves(DOMAINS[0], &pebble.issuer).await, Some(served));
    again.stop();
    assert_eq!(pebble.issued(), 2, "{}", pebble.log());
    // Links of other commands lead to the domain.
    world.producer("pr_a").await;
    let mut command = taquilla(&world.address);
    command.args(["user", "create", "--email", "ana@x.example", "--role", "viewer", "--producer", "pr_a"]);
    let output = command.output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("https://tickets.example/"), "{output:?}");
}

/// A certificate of 90 days that has used up so many, as the content of the folder's file.
fn used(authority: &Authority, domains: &[&str], days: u32) -> String {
    let mut params: CertificateParams = named(domains);
    let day = Duration::from_hours(24);
    let today = rcgen::date_time_ymd(1970, 1, 1) + std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    (params.not_before, params.not_after) = (today - day * days, today + day * (90 - days));
    let issued = authority.issue(&params);
    issued.key.serialize_pem() + &issued.pem()
}

async fn a_certificate_is_renewed_in_time_without_a_restart(world: World) {
    let (street, folder) = (Street::new().await, tempfile::tempdir().unwrap());
    let pebble = Pebble::start(street.port).await;
    let acme = folder.path().join("acme");
    let authority = Authority::new();
    put(&acme, OF[0], &used(&authority, &DOMAINS[..1], 61));
    let server = Ordering::start(&world, &pebble, &acme, "server").await;
    assert!(server.log().contains("a certificate is served"), "the old one is served until then: {}", server.log());
    street.servers.lock().push(server.address);
    let first = server.serves_all(&pebble).await;
    let other = server.serves(DOMAINS[1], &pebble.issuer).await;
    // A client that stays connected does not notice any of it.
    let client = client_trusting(&pebble.issuer, DOMAINS[0], server.address, true);
    let health = format!("https://{}:{}/healthz", DOMAINS[0], server.address.port());
    assert_eq!(client.get(&health).send().await.unwrap().status(), 200);
    forget_attempts(&acme, OF[0]).await;
    put(&acme, OF[0], &used(&authority, &DOMAINS[..1], 61));
    let renewed = until(async || {
        let served = server.serves(DOMAINS[0], &pebble.issuer).await;
        served.is_some_and(|served| served != first)
    });
    assert!(renewed.await, "{}\n{}", server.log(), pebble.log());
    assert_eq!(client.get(&health).send().await.unwrap().status(), 200);
    assert_eq!(pebble.issued(), 3, "{}", pebble.log());
    assert_eq!(server.serves(DOMAINS[1], &pebble.issuer).await, other, "the other domain's is as it was");
    server.stop();
}

async fn a_domain_that_cannot_be_validated_leaves_the_others_served(world: World) {
    let (street, folder) = (Street::new().await, tempfile::tempdir().unwrap());
    let pebble = Pebble::start(street.port).await;
    let acme = folder.path().join("acme");
    *street.astray.lock() = Some(DOMAINS[0]);
    let server = Ordering::start_with(&world, &pebble, &acme, "server", &["--metrics-listen", "127.0.0.1:0"]).await;
    street.servers.lock().push(server.address);
    let is_served = until(async || server.serves(DOMAINS[1], &pebble.issuer).await.is_some());
    assert!(is_served.await, "{}\n{}", server.log(), pebble.log());
    assert!(until(async || server.log().contains("no certificate was issued")).await, "{}", server.log());
    let log = server.log();
    let line = |about: &str| log.lines().find(|line| line.contains(about)).unwrap();
    let failed: Value = serde_json::from_str(line("no certificate was issued")).unwrap();
    assert_eq!(failed["domain"], DOMAINS[0], "{failed}");
    // Nobody is shown the certificate of another domain, unless they ask for a name that nothing is known of.
    assert!(connect(server.address, DOMAINS[0], &pebble.issuer, &["h2"]).await.is_err());
    let client = client_trusting(&pebble.issuer, DOMAINS[1], server.address, true);
    let health = format!("https://{}:{}/healthz", DOMAINS[1], server.address.port());
    assert_eq!(client.get(&health).send().await.unwrap().status(), 200);
    let listening: Value = serde_json::from_str(line("\"listening\"")).unwrap();
    let metrics = format!("http://{}/metrics", listening["metrics"].as_str().unwrap());
    let metrics = reqwest::get(metrics).await.unwrap().text().await.unwrap();
    assert!(metrics.contains("\ntaquilla_acme_failures 1"), "{metrics}");
    let mut doctor = taquilla(&world.address);
    doctor.arg("doctor").env("TAQUILLA_ACME", DOMAINS.join(",")).env("TAQUILLA_ACME_DIR", &acme);
    let found = String::from_utf8(doctor.output().unwrap().stdout).unwrap();
    assert!(found.contains("tickets.example: there is none, and orders have failed"), "{found}");
    assert!(found.contains("entradas.example: it is valid until"), "{found}");
    // Once the domain leads here, it has a certificate, too, and the other one is as it was.
    let other = server.serves(DOMAINS[1], &pebble.issuer).await;
    *street.astray.lock() = None;
    std::fs::remove_file(failed["again_at_once_without"].as_str().unwrap()).unwrap();
    server.serves_all(&pebble).await;
    assert_eq!(server.serves(DOMAINS[1], &pebble.issuer).await, other);
    assert_eq!(pebble.issued(), 2, "{}", pebble.log());
    server.stop();
}

async fn a_certificate_for_all_domains_is_used_until_each_has_its_own(world: World) {
    let (street, folder) = (Street::new().await, tempfile::tempdir().unwrap());
    let pebble = Pebble::start(street.port).await;
    let (authority, acme) = (Authority::new(), folder.path().join("acme"));
    put(&acme, OF_BOTH, &used(&authority, &DOMAINS, 30));
    *street.astray.lock() = Some(DOMAINS[1]);
    let server = Ordering::start(&world, &pebble, &acme, "server").await;
    street.servers.lock().push(server.address);
    let serves = async |at: usize, root: &str| server.serves(DOMAINS[at], root).await.is_some();
    assert!(serves(0, &authority.pem()).await && serves(1, &authority.pem()).await, "{}", server.log());
    // It is time for another: one of the domains gets its own, and the other keeps what there is.
    put(&acme, OF_BOTH, &used(&authority, &DOMAINS, 61));
    assert!(until(async || serves(0, &pebble.issuer).await).await, "{}\n{}", server.log(), pebble.log());
    assert!(until(async || server.log().contains("no certificate was issued")).await, "{}", server.log());
    assert!(serves(1, &authority.pem()).await, "{}", server.log());
    *street.astray.lock() = None;
    forget_attempts(&acme, OF[1]).await;
    assert!(until(async || serves(1, &pebble.issuer).await).await, "{}\n{}", server.log(), pebble.log());
    assert_eq!(pebble.issued(), 2, "none was ordered while there was time: {}", pebble.log());
    server.stop();
}

async fn servers_that_share_a_folder_order_each_certificate_once(world: World) {
    let (street, folder) = (Street::new().await, tempfile::tempdir().unwrap());
    let pebble = Pebble::start(street.port).await;
    let acme = folder.path().join("acme");
    let mut servers = Vec::new();
    for name in ["a", "b", "c"] {
        servers.push(Ordering::start(&world, &pebble, &acme, name).await);
    }
    // The authority comes to any of them, also to those that did not order.
    street.servers.lock().extend(servers.iter().map(|server| server.address));
    let mut served = Vec::new();
    for server in &servers {
        served.push(server.serves_all(&pebble).await);
    }
    assert!(served.iter().all(|other| *other == served[0]));
    assert_eq!(pebble.issued(), 2, "{}", pebble.log());
    let orders = |server: &Ordering| server.log().matches("ordering a certificate").count();
    assert_eq!(servers.iter().map(orders).sum::<usize>(), 2);
    servers.into_iter().for_each(Ordering::stop);
}

async fn a_failure_is_said_and_tried_again_later(world: World) {
    let (street, folder) = (Street::new().await, tempfile::tempdir().unwrap());
    let pebble = Pebble::start(street.port).await;
    // Somebody else listens where the domains lead to.
    let stranger = TcpListener::bind("127.0.0.1:0").await.unwrap();
    street.servers.lock().push(stranger.local_addr().unwrap());
    tokio::spawn(async move { while stranger.accept().await.is_ok() {} });
    let acme = folder.path().join("acme");
    let server = Ordering::start(&world, &pebble, &acme, "server").await;
    assert!(until(async || server.log().contains("no certificate was issued")).await, "{}", server.log());
    let log = server.log();
    let line = log.lines().find(|line| line.contains("no certificate was issued")).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    let cause = line["cause"].as_str().unwrap();
    assert!(DOMAINS.iter().any(|domain| cause.starts_with(domain)), "{line}");
    assert!(line["advice"].as_str().unwrap().contains("A and AAAA records"), "{line}");
    assert_eq!(line["again_in_s"], ACME_AGAIN.as_secs(), "{line}");
    let of = DOMAINS.iter().position(|domain| line["domain"] == **domain).unwrap();
    let attempts = file_in(&acme, &format!("attempts-{}", OF[of])).await;
    assert_eq!(line["again_at_once_without"], attempts.to_str().unwrap(), "{line}");
    // Each has its own pause.
    assert!(until(async || server.log().matches("no certificate was issued").count() == 2).await, "{}", server.log());
    assert!(server.serves(DOMAINS[0], &pebble.issuer).await.is_none());
    // An operator who has mended it does not wait.
    *street.servers.lock() = vec![server.address];
    for of in OF {
        forget_attempts(&acme, of).await;
    }
    server.serves_all(&pebble).await;
    server.stop();

    // Another one waits, by the clock.
    let acme = folder.path().join("later");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    *street.servers.lock() = vec!["127.0.0.1:1".parse().unwrap()];
    let settings = Acme {
        domains: vec![DOMAINS[0].to_owned()],
        folder: acme.clone(),
        directory: pebble.directory.clone(),
        root: Some(pebble.root.clone()),
    };
    let (certificates, _keepers) = tls::obtain(settings, &world.time()).unwrap();
    let listeners =
        Listeners { main: listener, stays: false, certificates: Some(certificates), http: None, metrics: None };
    let config = Config { https: Some(Https::Trusted), ..Config::default() };
    let _server = Server::start_at(listeners, world.store.clone(), config, world.time()).await;
    let attempts = file_in(&acme, "attempts-").await;
    let has_failed = async || std::fs::read_to_string(&attempts).unwrap().contains("\"failures\":1");
    assert!(until(has_failed).await, "{}", pebble.log());
    *street.servers.lock() = vec![address];
    let kept = std::fs::read_to_string(&attempts).unwrap();
    world.step(ACME_AGAIN - Duration::from_secs(1));
    // A certificate for another name is served, and is no reason to wait. When the second one is served, the round that took
    // the first one has ended.
    let certificate = attempts.to_str().unwrap().replace("attempts-", "certificate-").replace(".json", ".pem");
    for name in ["a.example", "b.example"] {
        let (authority, part) = (Authority::new(), acme.join("new"));
        let issued = authority.issue_for(&[name]);
        std::fs::write(&part, issued.key.serialize_pem() + &issued.pem()).unwrap();
        std::fs::rename(part, &certificate).unwrap();
        let is_served = until(async || connect(address, name, &authority.pem(), &["h2"]).await.is_ok());
        assert!(is_served.await, "{name} is not served");
    }
    assert_eq!(std::fs::read_to_string(&attempts).unwrap(), kept, "it does not try again too early");
    world.step(Duration::from_secs(1));
    let served = until(async || connect(address, DOMAINS[0], &pebble.issuer, &["h2"]).await.is_ok());
    assert!(served.await, "{}", pebble.log());
}

async fn an_authority_that_has_forgotten_us_gets_to_know_us_again(world: World) {
    let (street, folder) = (Street::new().await, tempfile::tempdir().unwrap());
    let pebble = Pebble::start(street.port).await;
    let acme = folder.path().join("acme");
    let server = Ordering::start(&world, &pebble, &acme, "first").await;
    street.servers.lock().push(server.address);
    server.serves_all(&pebble).await;
    forget_attempts(&acme, OF[0]).await;
    // The next one may order before the test knows its address; Pebble must not be led to one that is gone.
    street.servers.lock().clear();
    server.stop();
    let files = std::fs::read_dir(&acme).unwrap().map(|entry| entry.unwrap().path());
    let account = files.into_iter().find(|path| path.to_str().unwrap().contains("account-")).unwrap();
    let mut kept: Value = serde_json::from_str(&std::fs::read_to_string(&account).unwrap()).unwrap();
    let id = kept["id"].as_str().unwrap();
    kept["id"] = format!("{}/nobody", id.rsplit_once('/').unwrap().0).into();
    std::fs::write(&account, kept.to_string()).unwrap();
    std::fs::remove_file(file_in(&acme, &format!("certificate-{}", OF[0])).await).unwrap();
    let server = Ordering::start(&world, &pebble, &acme, "second").await;
    street.servers.lock().push(server.address);
    server.serves_all(&pebble).await;
    server.stop();
}
