//! Receivers that are down, slow, lying or hostile: none of them delays others, and no request is led to a forbidden
//! address.

use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use taquilla_domain::{
    config::{Config, WEBHOOK_RESPONSE_KEPT, WebhookTimeouts},
    webhook::{DeliveryStatus, MessageKind},
};
use taquilla_outside::Lookup;
use taquilla_rules::admin::endpoints::EndpointChange;
use taquilla_store::webhooks::endpoints::Endpoint;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::harness::configured;
use crate::harness::{
    Hooks, World, anywhere, peak_memory_kib,
    receiver::{Behaviour, Receiver, TlsReceiver, refusing_address},
    start, to_this_machine,
};

const SCANNED: &[MessageKind] = &[MessageKind::TicketScanned];

fn impatient(head: Duration) -> Config {
    let timeouts = WebhookTimeouts { connect: Duration::from_secs(10), head, body: Duration::from_secs(1) };
    configured(to_this_machine(), |config| config.webhooks.timeouts = timeouts)
}

/// The result of the first attempt at the first message.
async fn first_attempt(hooks: &Hooks, endpoint: &Endpoint) -> (DeliveryStatus, Option<i64>, String) {
    let events = hooks.wait_until(endpoint, |events| events.first().is_some_and(|event| event.attempts > 0)).await;
    let attempt = hooks.attempts(endpoint).await.remove(0);
    (events[0].status, attempt.status, attempt.problem.unwrap_or_default())
}

both_engines![
    each_bad_receiver_is_told_apart_and_logged,
    an_address_that_is_not_public_is_never_dialled,
    a_receiver_that_hangs_holds_nobody_up_and_is_asked_once_at_a_time,
    a_connection_that_was_closed_meanwhile_costs_no_attempt,
    over_tls_a_server_trusts_whom_the_system_trusts,
    memory_stays_flat_whatever_is_answered,
];

async fn each_bad_receiver_is_told_apart_and_logged(world: World) {
    let hooks = Hooks::with(world, impatient(Duration::from_secs(5))).await;
    let trap = Receiver::start(Behaviour::ok()).await;
    let tls = TlsReceiver::start(Behaviour::ok()).await;
    use DeliveryStatus::{Delivered, Pending};
    let cases = [
        ("hangs before its head", Behaviour::HangBeforeHead, Pending, None, "no answer within 15 s"),
        ("drips its head", Behaviour::DripHead, Pending, None, "no answer within 15 s"),
        ("closes at once", Behaviour::CloseAtOnce, Pending, None, "the connection was closed before an answer"),
        ("speaks no HTTP", Behaviour::Garbage, Pending, None, "the answer was not understood as HTTP"),
        ("has a huge head", Behaviour::HugeHead, Pending, None, "the head of the answer was too large"),
        // The status says that the message was accepted; a failing body does not change that.
        ("hangs in its body", Behaviour::HangMidBody, Delivered, Some(200), "the answer did not end within 1 s"),
        ("has an endless body", Behaviour::EndlessBody, Delivered, Some(200), ""),
        ("drips its body", Behaviour::Drip, Delivered, Some(200), "the answer did not end within 1 s"),
        ("redirects", Behaviour::status(307).with_header("location", &trap.url("/inside")), Pending, Some(307), ""),
        ("fails", Behaviour::status(500), Pending, Some(500), ""),
        ("is busy", Behaviour::status(429).with_header("retry-after", "30"), Pending, Some(429), ""),
        ("is gone", Behaviour::status(410), Pending, Some(410), ""),
        ("says nothing but yes", Behaviour::status(204), Delivered, Some(204), ""),
    ];
    let mut expected = Vec::new();
    let mut receivers = Vec::new();
    for (what, behaviour, outcome, status, problem) in cases {
        let receiver = Receiver::start(behaviour).await;
        expected.push((what, hooks.endpoint(&receiver.url("/"), SCANNED).await, outcome, status, problem));
        receivers.push(receiver);
    }
    let refusing = hooks.endpoint(&format!("http://{}/", refusing_address()), SCANNED).await;
    expected.push(("refuses", refusing, Pending, None, "connection refused"));
    let untrusted = hooks.endpoint(&tls.url("/"), SCANNED).await;
    expected.push(("has a certificate of its own", untrusted, Pending, None, "the TLS certificate was not accepted: its issuer is not known here; is the intermediate certificate sent, too?"));
    let plain = hooks.endpoint(&trap.url("/").replace("http:", "https:"), &[MessageKind::TicketScanned]).await;
    expected.push(("speaks no TLS", plain, Pending, None, "no connection within 10 s"));

    hooks.scan().await;
    for (what, endpoint, outcome, status, problem) in &expected {
        let found = first_attempt(&hooks, endpoint).await;
        assert_eq!((found.0, found.1, found.2.as_str()), (*outcome, *status, *problem), "{what}");
    }
    assert_eq!(trap.received().len(), 0, "nobody follows a redirect");
    assert_eq!(tls.received().len(), 0, "nothing is sent before the certificate is accepted");
    let endless = hooks.attempts(&expected[6].1).await.remove(0);
    assert_eq!(endless.response.uncovered().len(), WEBHOOK_RESPONSE_KEPT);
    receivers[6].wait_until("the endless body was cut off", |receiver| receiver.busy() == 0).await;
}

async fn an_address_that_is_not_public_is_never_dialled(world: World) {
    let moved = Arc::new(AtomicBool::new(false));
    let script = {
        let moved = Arc::clone(&moved);
        move |name: &str| -> Vec<IpAddr> {
            let addresses: &[&str] = match name {
                "changing.example" if moved.load(Ordering::SeqCst) => &["127.0.0.2"],
                "changing.example" => &["127.0.0.1"],
                "private.example" => &["10.1.2.3", "fd00::1"],
                "cloud.example" => &["169.254.169.254"],
                "mapped.example" => &["::ffff:10.0.0.1"],
                "translated.example" => &["64:ff9b::a00:1"],
                _ => &[],
            };
            addresses.iter().map(|address| address.parse().unwrap()).collect()
        }
    };
    let lookup = Lookup::Scripted(Arc::new(script));
    let hooks = Hooks::looking_up(world, impatient(Duration::from_secs(20)), lookup).await;
    let allowed = Receiver::start(Behaviour::ok().closing()).await;
    let inside = Receiver::start_on("127.0.0.2", Behaviour::ok()).await;
    let port = inside.address().port();
    let mut refused = Vec::new();
    for url in [
        format!("http://127.0.0.2:{port}/"),
        format!("https://127.0.0.2:{port}/"),
        format!("http://2130706434:{port}/"),
        format!("http://0x7f.2:{port}/"),
        format!("http://[::ffff:127.0.0.2]:{port}/"),
        "https://[::1]/".to_owned(),
        "https://10.0.0.1/".to_owned(),
        "https://100.64.0.1/".to_owned(),
        "https://[2002:7f00:1::]/".to_owned(),
        "https://private.example/".to_owned(),
        "https://cloud.example/latest/meta-data/".to_owned(),
        "https://mapped.example/".to_owned(),
        "https://translated.example/".to_owned(),
        "https://user:hunter2@example.com/".to_owned(),
        "ftp://example.com/".to_owned(),
    ] {
        // As if the URL had been allowed when the endpoint was made.
        let endpoint = hooks.endpoint("https://nobody.example/", SCANNED).await;
        let sql = format!("UPDATE webhook_endpoints SET url = '{url}' WHERE id = '{}'", endpoint.id);
        hooks.world.raw().await.batch(&sql).await;
        refused.push((endpoint, url));
    }
    let changing = hooks.endpoint(&format!("http://changing.example:{}/", allowed.address().port()), SCANNED).await;
    let unknown = hooks.endpoint("https://nobody.example/", SCANNED).await;
    hooks.scan().await;
    for (endpoint, url) in &refused {
        let (status, answer, problem) = first_attempt(&hooks, endpoint).await;
        assert_eq!((status, answer), (DeliveryStatus::Pending, None), "{url}");
        assert!(
            ["not allowed", "a user or a password", "scheme", "https"].iter().any(|word| problem.contains(word)),
            "{url}: {problem}"
        );
        assert!(!problem.contains("hunter2"), "{problem}");
        let named = ["10.1.2.3", "fd00", "169.254", "10.0.0.1", "64:ff9b"].iter().find(|part| problem.contains(**part));
        assert!(!url.contains(".example") || named.is_none(), "{url}: {problem}");
    }
    assert_eq!(first_attempt(&hooks, &unknown).await.2, "the name could not be found");

    // The name first leads to an allowed address and then to another. The address that is dialled counts.
    hooks.wait_for(&changing, DeliveryStatus::Delivered, 1).await;
    moved.store(true, Ordering::SeqCst);
    let url = format!("http://changing.example:{port}/");
    hooks.change(&changing, EndpointChange { url: Some(anywhere(&url)), ..EndpointChange::default() }).await;
    hooks.scan().await;
    let events = hooks.wait_until(&changing, |events| events.len() == 2 && events[1].attempts == 1).await;
    assert_eq!(events[1].status, DeliveryStatus::Pending);
    // Staff of a producer are not told where that is.
    let attempts = hooks.attempts(&changing).await;
    let problem = attempts[1].problem.as_ref().unwrap();
    assert!(problem.contains("not allowed: changing.example") && !problem.contains("127.0.0"), "{problem}");
    assert_eq!((allowed.received().len(), inside.connections()), (1, 0));
}

async fn a_receiver_that_hangs_holds_nobody_up_and_is_asked_once_at_a_time(world: World) {
    let hooks = Hooks::with(world, impatient(Duration::from_secs(60))).await;
    let hanging = [Receiver::start(Behaviour::HangBeforeHead).await, Receiver::start(Behaviour::DripHead).await];
    for receiver in &hanging {
        hooks.endpoint(&receiver.url("/"), SCANNED).await;
    }
    let good = Receiver::start(Behaviour::ok()).await;
    let endpoint = hooks.endpoint(&good.url("/"), SCANNED).await;
    hooks.scan().await;
    for receiver in &hanging {
        receiver.wait_for(1).await;
    }
    for _ in 0..100 {
        hooks.scan().await;
    }
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 101).await;
    for receiver in &hanging {
        assert_eq!((receiver.received().len(), receiver.connections()), (1, 1), "it still hangs with its first");
    }
}

async fn a_connection_that_was_closed_meanwhile_costs_no_attempt(world: World) {
    let hooks = Hooks::new(world).await;
    // This receiver closes every connection at its second request, without announcing it and without reading that
    // request.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut bytes = [0; 4096];
                let _ = stream.read(&mut bytes).await;
                let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await;
                let _ = stream.read(&mut bytes).await;
            });
        }
    });
    let endpoint = hooks.endpoint(&format!("http://{address}/"), SCANNED).await;
    for _ in 0..60 {
        hooks.scan().await;
    }
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 60).await;
    let attempts = hooks.attempts(&endpoint).await;
    assert!(attempts.iter().all(|attempt| attempt.attempt == 1 && attempt.status == Some(204)), "{attempts:#?}");
}

async fn over_tls_a_server_trusts_whom_the_system_trusts(world: World) {
    let mut hooks = Hooks::new(world).await;
    hooks.world.server.stop().await;
    let tls = TlsReceiver::start(Behaviour::ok()).await;
    let endpoint = hooks.endpoint(&tls.url("/hook"), SCANNED).await;
    let folder = tempfile::tempdir().unwrap();
    let roots = folder.path().join("roots.pem");
    std::fs::write(&roots, tls.ca_pem()).unwrap();
    let mut command = hooks.serve();
    // A proxy in the environment is not used, because it would dial in our place.
    command
        .env("SSL_CERT_FILE", &roots)
        .env("HTTPS_PROXY", "http://127.0.0.1:9")
        .env("ALL_PROXY", "http://127.0.0.1:9");
    let (_running, ..) = start(command, "listening");
    hooks.scan().await;
    assert_eq!(tls.wait_for(1).await[0].path, "/hook");
    hooks.wait_for(&endpoint, DeliveryStatus::Delivered, 1).await;
}

async fn memory_stays_flat_whatever_is_answered(world: World) {
    let mut hooks = Hooks::new(world).await;
    hooks.world.server.stop().await;
    let mut receivers = Vec::new();
    for behaviour in [
        Behaviour::EndlessBody,
        Behaviour::HugeHead,
        Behaviour::Garbage,
        Behaviour::ok().with_body(&"x".repeat(1 << 20)),
    ] {
        let receiver = Receiver::start(behaviour).await;
        let endpoint = hooks.endpoint(&receiver.url("/"), SCANNED).await;
        receivers.push((receiver, endpoint));
    }
    let (running, ..) = start(hooks.serve(), "listening");
    for _ in 0..60 {
        hooks.scan().await;
    }
    let all_attempted = async || {
        for (_, endpoint) in &receivers {
            let scanned = hooks.events(&receivers[0].1).await.len();
            hooks
                .wait_until(endpoint, |events| events.len() >= scanned && events.iter().all(|event| event.attempts > 0))
                .await;
        }
    };
    hooks.wait_for(&receivers[0].1, DeliveryStatus::Delivered, 60).await;
    all_attempted().await;
    let before = peak_memory_kib(running.0.id());
    for _ in 0..200 {
        hooks.scan().await;
    }
    hooks.wait_for(&receivers[0].1, DeliveryStatus::Delivered, 260).await;
    all_attempted().await;
    let after = peak_memory_kib(running.0.id());
    // The memory must not grow with two hundred answers of 1 MB, as many heads of 4 MB, and endless bodies.
    assert!(after < before + 32 * 1024, "from {before} to {after} KiB");
    // The first receiver offered more than the 16 kB that are read of each answer.
    assert!(receivers[0].0.bytes_sent() > 260 * 16 * 1024);
}
