//! Https of the server's own: both protocols, what clients see of it, plain http beside it, and new certificates.

use std::{
    fs::File,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use reqwest::{Method, StatusCode, Version};
use serde_json::{Value, json};
use taquilla_domain::{config::Config, role::BuiltInRole, status::Category};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::harness::configured;
use crate::harness::{
    Authority, PATIENCE, Running, Staff, World, address_in, cart, event,
    https::{HttpsServer, NAME, connect, write},
    serve, terminate, ticket, ticket_type, until, with,
};

both_engines![
    the_same_is_served_with_http2_and_http1,
    a_session_over_https_is_bound_to_it,
    plain_http_is_led_to_https_unless_it_brought_a_secret,
    a_live_page_and_an_export_come_over_http2,
    requests_under_way_are_answered_before_a_server_stops,
];

on_sqlite![
    a_new_certificate_is_served_and_no_request_is_lost,
    a_certificate_that_does_not_fit_is_refused_and_the_old_one_stays,
    files_that_cannot_be_used_are_said,
    curl_and_openssl_agree,
];

async fn the_same_is_served_with_http2_and_http1(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0}))]).await;
    let https = HttpsServer::start(&world, configured(Config::default(), |config| config.rates.shop = None)).await;
    for (http2, version) in [(true, Version::HTTP_2), (false, Version::HTTP_11)] {
        let client = https.client(http2);
        let me = client.get(https.url("/api/v1/me")).bearer_auth(&producer.key).send().await.unwrap();
        assert_eq!((me.status(), me.version()), (StatusCode::OK, version));
        assert!(me.headers()["strict-transport-security"].to_str().unwrap().starts_with("max-age="), "{me:?}");
        // Many at once, on one connection with HTTP/2.
        let orders = (0..40).map(|number| {
            let request = client.post(https.url("/shop/v1/pr_a/events/ev/orders")).json(&cart("tt", 1));
            request.header("idempotency-key", format!("{http2}-{number}")).send()
        });
        for placed in futures_util::future::join_all(orders).await {
            let placed = placed.unwrap();
            assert_eq!((placed.status(), placed.version()), (StatusCode::CREATED, version));
        }
        let wrong = client.get(https.url("/api/v1/nowhere")).send().await.unwrap();
        assert_eq!(wrong.json::<Value>().await.unwrap()["code"], "not_found");
        let long = client.get(https.url(&format!("/api/v1/me?a={}", "a".repeat(9_000)))).send().await.unwrap();
        assert_eq!(long.json::<Value>().await.unwrap()["code"], "uri_too_long");
        let headers = client.get(https.url("/api/v1/me")).header("x-long", "a".repeat(20_000)).send().await.unwrap();
        assert_eq!(headers.json::<Value>().await.unwrap()["code"], "headers_too_large");
    }
    assert!(world.findings().await.is_empty());
}

async fn a_session_over_https_is_bound_to_it(world: World) {
    let producer = world.producer("pr_a").await;
    world.user(producer.tenant, "ana@x.example", "administrator").await;
    let https = HttpsServer::start(&world, Config::default()).await;
    for http2 in [true, false] {
        let browser = Staff::with(https.client(http2), &https.url(""));
        let page = browser.sign_in("ana@x.example").await;
        let set = page.header("set-cookie");
        let flags = "; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=1209600";
        assert!(set.starts_with("__Host-taquilla=tqs_") && set.ends_with(flags), "{set}");
        assert_eq!(browser.get("/dashboard/p/pr_a").await.status, 200);
        let account = browser.get("/dashboard/account").await;
        assert!(account.text.contains("127.0.0.1"), "where the session is from: {}", account.text);
        // A browser may send its cookies in several lines with HTTP/2.
        let token = browser.cookies()["__Host-taquilla"].clone();
        let asked = https.client(http2).get(https.url("/dashboard/account")).header("cookie", "taquilla-language=es");
        let asked = asked.header("cookie", format!("__Host-taquilla={token}")).send().await.unwrap();
        assert_eq!(asked.status(), 200);
        assert!(!http2 || asked.text().await.unwrap().contains("lang=\"es\""), "both cookies are read");
        // A form of another site, told by the host that the request was sent to.
        let origin = https.url("");
        for (origin, expected) in [(origin.as_str(), 303), ("https://evil.example", 403)] {
            let fields = Some(&[("language", "en")][..]);
            let sent = browser.send(Method::POST, "/language", fields, &[("origin", origin)]).await;
            assert_eq!(sent.status, expected, "{origin}");
        }
    }
}

/// A request over plain http: its status, headers and body as text.
async fn plain(address: std::net::SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("no end").unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

async fn plain_http_is_led_to_https_unless_it_brought_a_secret(world: World) {
    let producer = world.producer("pr_a").await;
    let https = HttpsServer::start(&world, Config::default()).await;
    // The port of https answers plain http in the same way as the one that is for it.
    for address in [https.address, https.http] {
        let ends = format!("\r\nhost: {NAME}:{}\r\nconnection: close\r\n\r\n", address.port());
        let asks = async |head: &str| plain(address, &format!("{head}{ends}")).await;
        let led = asks("GET /door?a=b HTTP/1.1").await;
        assert!(led.starts_with("HTTP/1.1 308"), "{led}");
        assert!(led.contains(&format!("location: {}\r\n", https.url("/door?a=b"))), "{led}");
        assert!(!led.contains("strict-transport"), "{led}");
        for head in [
            format!("GET /api/v1/me HTTP/1.1\r\nauthorization: Bearer {}", producer.key),
            "POST /door/v1/open HTTP/1.1\r\ncontent-length: 0".to_owned(),
            "OPTIONS * HTTP/1.1".to_owned(),
        ] {
            let refused = asks(&head).await;
            assert!(refused.starts_with("HTTP/1.1 400") && refused.contains("https_only"), "{head}: {refused}");
            assert!(!refused.contains("location:"), "{refused}");
        }
        let nowhere = plain(address, "GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n").await;
        assert!(nowhere.starts_with("HTTP/1.1 400"), "{nowhere}");
        let garbage = plain(address, "\u{0}\u{1}\u{2}what is this\r\n\r\n").await;
        assert!(garbage.is_empty() || garbage.starts_with("HTTP/1.1 400"), "{garbage}");
    }
}

async fn a_live_page_and_an_export_come_over_http2(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![with(event("ev"), json!({"status": "published"})), ticket_type("tt", "ev")];
    lines.extend((0..600).map(|number| ticket(&format!("CODE-{number}"), "ev", "tt")));
    world.import(producer.tenant, &lines).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[Category::Ticket]).await;
    let config = configured(Config::default(), |config| config.timeouts.stop = PATIENCE * 2);
    let mut https = HttpsServer::start(&world, config).await;
    let _ = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let client = https.client(true);
    let browser = Staff::with(client.clone(), &https.url(""));
    browser.sign_in("ana@x.example").await;
    let cookie = format!("__Host-taquilla={}", browser.cookies()["__Host-taquilla"]);
    let get = |path: &str| client.get(https.url(path)).header("cookie", &cookie).send();
    let export = get("/dashboard/p/pr_a/exports/tickets.jsonl").await.unwrap();
    assert_eq!((export.status(), export.version()), (StatusCode::OK, Version::HTTP_2));
    assert_eq!(export.text().await.unwrap().lines().count(), 600);
    let mut stream = get("/dashboard/p/pr_a/door/ev/stream").await.unwrap();
    assert_eq!((stream.status(), stream.version()), (StatusCode::OK, Version::HTTP_2));
    let mut read = String::new();
    async fn more(stream: &mut reqwest::Response, read: &mut String) -> bool {
        let part = timeout(PATIENCE, stream.chunk()).await.expect("nothing comes").unwrap();
        part.map(|part| read.push_str(&String::from_utf8_lossy(&part))).is_some()
    }
    while !read.contains("data: ") {
        assert!(more(&mut stream, &mut read).await);
    }
    // Others use the same connection meanwhile, and what they do is told.
    let body = json!({"code": "CODE-7", "scan_id": "a", "station": "Gate 1"});
    let scanned = client.post(https.url("/door/v1/scan")).bearer_auth(&gate).json(&body).send().await.unwrap();
    assert_eq!(scanned.json::<Value>().await.unwrap()["outcome"], "admitted");
    let before = read.matches("\nid: ").count();
    while read.matches("\nid: ").count() == before {
        assert!(more(&mut stream, &mut read).await);
    }
    timeout(PATIENCE, https.server.stop()).await.expect("the server waits for a stream");
    while more(&mut stream, &mut read).await {}
}

async fn requests_under_way_are_answered_before_a_server_stops(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), with(ticket_type("tt", "ev"), json!({"price": 0}))]).await;
    let patient = configured(Config::default(), |config| {
        config.timeouts.request = PATIENCE;
        config.timeouts.stop = PATIENCE * 2;
    });
    let https = HttpsServer::start(&world, patient).await;
    let (mut requests, connection) = https.http2().await;
    let driven = tokio::spawn(connection);
    let busy = world.store.begin_move(producer.tenant, world.now()).await.unwrap();
    let order = cart("tt", 1).to_string();
    let request = http_request("POST", &https.url("/shop/v1/pr_a/events/ev/orders"));
    let request = request.header("content-type", "application/json").header("idempotency-key", "a").body(()).unwrap();
    let (answer, mut body) = requests.send_request(request, false).unwrap();
    body.send_data(order.into(), true).unwrap();
    // A request that is answered shows that the one before it has arrived.
    let health = http_request("GET", &https.url("/healthz")).body(()).unwrap();
    assert_eq!(requests.send_request(health, true).unwrap().0.await.unwrap().status(), 200);
    let HttpsServer { mut server, .. } = https;
    let stopping = tokio::spawn(async move { server.stop().await });
    // The client is told that no more requests are taken.
    let refused = until(async || requests.clone().ready().await.is_err()).await;
    assert!(refused, "the server does not say that it stops");
    assert!(!stopping.is_finished());
    drop(busy);
    assert_eq!(timeout(PATIENCE, answer).await.expect("no answer").unwrap().status(), 201);
    timeout(PATIENCE, stopping).await.expect("the server does not stop").unwrap();
    drop(driven);
}

fn http_request(method: &str, url: &str) -> axum::http::request::Builder {
    axum::http::Request::builder().method(method).uri(url).version(Version::HTTP_2)
}

async fn a_new_certificate_is_served_and_no_request_is_lost(world: World) {
    let https = HttpsServer::start(&world, Config::default()).await;
    let (stop, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    // One that keeps its connection, one of each protocol that opens a new one each time.
    let asking: Vec<_> = [(true, true), (true, false), (false, false)]
        .into_iter()
        .map(|(http2, keeps)| {
            let (stop, asked, url) = (Arc::clone(&stop), Arc::clone(&asked), https.url("/healthz"));
            let kept = https.client(http2);
            let fresh = (0..400).map(|_| https.client(http2)).collect::<Vec<_>>();
            tokio::spawn(async move {
                let mut number = 0;
                while !stop.load(Ordering::Relaxed) {
                    let client = if keeps { &kept } else { &fresh[number % fresh.len()] };
                    number += 1;
                    let answer = client.get(&url).send().await.expect("a request is lost");
                    assert_eq!(answer.text().await.unwrap(), "ok\n");
                    asked.fetch_add(1, Ordering::Relaxed);
                }
            })
        })
        .collect();
    let serves = async |expected: &[u8]| {
        let stream = https.connect("h2").await;
        stream.get_ref().1.peer_certificates().unwrap()[0].as_ref() == expected
    };
    for _ in 0..3 {
        let issued = https.replace_certificate();
        assert!(until(async || serves(&issued.certificate).await).await, "the new certificate is not served");
        let before = asked.load(Ordering::Relaxed);
        assert!(until(async || asked.load(Ordering::Relaxed) > before + 50).await);
    }
    stop.store(true, Ordering::Relaxed);
    for asking in asking {
        asking.await.unwrap();
    }
}

/// What is served to a client that trusts this authority.
async fn served_by(address: std::net::SocketAddr, authority: &Authority) -> Option<Vec<u8>> {
    let stream = connect(address, NAME, &authority.pem(), &["http/1.1"]).await.ok()?;
    Some(stream.get_ref().1.peer_certificates().unwrap()[0].to_vec())
}

async fn a_certificate_that_does_not_fit_is_refused_and_the_old_one_stays(world: World) {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    let (first, second) = (authority.issue_for(&[NAME]), authority.issue_for(&[NAME]));
    write(&first, &certificate, &key);
    let log_file = folder.path().join("log");
    let mut command = serve(&world.address);
    command.arg("--tls-cert").arg(&certificate).arg("--tls-key").arg(&key);
    command.stdout(Stdio::null()).stderr(File::create(&log_file).unwrap());
    let mut running = Running(command.spawn().unwrap());
    let log = || std::fs::read_to_string(&log_file).unwrap();
    let says = async |words: &str| assert!(until(async || log().contains(words)).await, "{words}: {}", log());
    says("listening").await;
    let address = address_in(&log()).parse().unwrap();
    assert_eq!(served_by(address, &authority).await.as_ref(), Some(&first.certificate));
    // Only one of the files is replaced, then one is nonsense, then one is gone, then all is well.
    std::fs::write(&certificate, second.pem()).unwrap();
    says("key.pem cannot be used: the private key belongs to another certificate").await;
    std::fs::write(&key, "nonsense").unwrap();
    says("key.pem cannot be used: it has no private key").await;
    std::fs::remove_file(&key).unwrap();
    says("key.pem: No such file").await;
    assert_eq!(served_by(address, &authority).await.as_ref(), Some(&first.certificate), "the old one is served on");
    write(&second, &certificate, &key);
    assert!(until(async || served_by(address, &authority).await.as_ref() == Some(&second.certificate)).await);
    says("the certificate was replaced").await;
    terminate(&running.0);
    assert!(running.0.wait().unwrap().success());
    assert!(!log().contains("PRIVATE KEY-----"), "{}", log());
}

async fn files_that_cannot_be_used_are_said(world: World) {
    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let (certificate, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    let (first, second) = (authority.issue_for(&[NAME]), authority.issue_for(&[NAME]));
    let refused = |arguments: &[&std::ffi::OsStr]| {
        let output = serve(&world.address).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let both = || refused(&["--tls-cert".as_ref(), certificate.as_os_str(), "--tls-key".as_ref(), key.as_os_str()]);
    assert!(both().contains("cannot read") && both().contains("cert.pem"));
    write(&first, &certificate, &key);
    std::fs::write(&key, second.key.serialize_pem()).unwrap();
    assert!(both().contains("the private key belongs to another certificate"));
    std::fs::write(&key, first.pem()).unwrap();
    assert!(both().contains("BEGIN PRIVATE KEY"));
    std::fs::write(&certificate, "no certificate").unwrap();
    assert!(both().contains("BEGIN CERTIFICATE"));
    std::fs::write(&certificate, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").unwrap();
    assert!(both().contains("cannot be read"));
    assert!(refused(&["--tls-cert".as_ref(), certificate.as_os_str()]).contains("--tls-key"));
    assert!(refused(&["--http-listen".as_ref(), "127.0.0.1:0".as_ref()]).contains("--https-local"));
    let clash = refused(&["--acme".as_ref(), "a.example".as_ref(), "--https-local".as_ref()]);
    assert!(clash.contains("cannot be used with"), "{clash}");
}

async fn curl_and_openssl_agree(world: World) {
    let https = HttpsServer::start(&world, Config::default()).await;
    let root = https.certificate.with_file_name("root.pem");
    std::fs::write(&root, https.authority.pem()).unwrap();
    let resolve = format!("{NAME}:{}:127.0.0.1", https.address.port());
    let run = |mut command: Command| async move {
        let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr),
        )
    };
    for (arguments, version) in
        [(&["--http2"][..], "2"), (&["--http1.1"], "1.1"), (&["--http1.1", "--tls-max", "1.2"], "1.1")]
    {
        let mut command = Command::new("curl");
        command.args(["--silent", "--show-error", "--noproxy", "*", "--resolve", &resolve, "--cacert"]).arg(&root);
        command.args(["--write-out", "%{http_version}"]).args(arguments).arg(https.url("/healthz"));
        let (success, said) = run(command).await;
        assert!(success && said == format!("ok\n{version}"), "{arguments:?}: {said}");
    }
    let address = https.address.to_string();
    for (arguments, expected) in [
        (&["-tls1_3", "-alpn", "h2,http/1.1"][..], true),
        (&["-tls1_2", "-alpn", "http/1.1"], true),
        (&["-tls1_1"], false),
        // Nobody has ordered a certificate here.
        (&["-alpn", "acme-tls/1"], false),
    ] {
        let mut command = Command::new("openssl");
        command.args(["s_client", "-brief", "-connect", &address, "-servername", NAME, "-CAfile"]).arg(&root);
        command.args(arguments).stdin(Stdio::null());
        let (success, said) = run(command).await;
        assert_eq!(success && said.contains("Verification: OK"), expected, "{arguments:?}: {said}");
    }
}
