//! Conditional requests and compressed answers.

use std::io::Read;

use reqwest::Method;
use serde_json::json;
use taquilla_domain::{key::Permission, text::Name};
use taquilla_rules::{
    admin::catalogue::{EventChange, TicketTypeChange, change_event, change_ticket_type},
    boxoffice,
};

use crate::harness::{Answer, Producer, World, event, order, problem, ticket, ticket_type, with};

const PATHS: [&str; 7] = [
    "/api/v1/tickets?limit=2",
    "/api/v1/tickets/T1",
    "/api/v1/events",
    "/api/v1/events/ev",
    "/api/v1/events/ev/ticket-types",
    "/api/v1/orders?status=approved",
    "/api/v1/orders/or",
];

async fn some_tickets(world: &World, count: usize) -> Producer {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev"), order("or", "ev", "tt")];
    lines.extend((0..count).map(|number| with(ticket(&format!("T{number}"), "ev", "tt"), json!({"order_id": "or"}))));
    world.import(producer.tenant, &lines).await;
    producer
}

async fn get(world: &World, key: &str, path: &str, known: &str) -> Answer {
    let bearer = format!("Bearer {key}");
    world.client.send(Method::GET, path, &[("authorization", &bearer), ("if-none-match", known)]).await
}

both_engines![
    a_client_that_has_the_answer_is_told_so_and_no_more,
    a_change_changes_the_tag,
    what_is_wrong_with_a_key_is_told_first_whatever_was_known_of_it,
    each_wrong_request_of_a_key_just_revoked_is_refused,
    long_answers_are_compressed_for_those_who_ask,
];

async fn a_client_that_has_the_answer_is_told_so_and_no_more(world: World) {
    let producer = some_tickets(&world, 5).await;
    for path in PATHS {
        let first = world.client.get(path, &producer.key).await;
        let tag = first.header("etag").unwrap().to_owned();
        assert!(tag.starts_with("W/\"") && tag.len() == 20, "{tag}");
        let strong = tag.strip_prefix("W/").unwrap().to_owned();
        for known in [tag.clone(), strong, "*".to_owned(), format!("\"a\", W/\"b\" , {tag}")] {
            let again = get(&world, &producer.key, path, &known).await;
            assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""), "{path} {known}");
            assert_eq!(again.header("etag"), Some(tag.as_str()));
            assert_eq!(again.header("cache-control"), Some("private, no-cache"));
            assert_eq!(again.header("content-type"), None);
            assert_eq!(again.header("vary"), Some("accept-encoding"));
        }
        for unknown in ["\"\"", "W/\"0000000000000000\"", "", "nonsense", &tag[..19]] {
            let again = get(&world, &producer.key, path, unknown).await;
            assert_eq!((again.status.as_u16(), &again.text), (200, &first.text), "{path} {unknown}");
        }
    }
}

async fn a_change_changes_the_tag(world: World) {
    let producer = some_tickets(&world, 5).await;
    let mut tags = Vec::new();
    for path in PATHS {
        tags.push(world.client.get(path, &producer.key).await.header("etag").unwrap().to_owned());
    }
    let change = EventChange { name: Some(Name::parse("Another name").unwrap()), ..EventChange::default() };
    change_event(&world.store, producer.tenant, "ev", &change, None, &world.by()).await.unwrap();
    let change = TicketTypeChange { name: Some(Name::parse("Another name").unwrap()), ..TicketTypeChange::default() };
    change_ticket_type(&world.store, producer.tenant, "tt", &change, None, &world.by()).await.unwrap();
    boxoffice::refund(&world.store, producer.tenant, "or", world.now()).await.unwrap();
    for (path, tag) in PATHS.iter().zip(&tags) {
        let answer = get(&world, &producer.key, path, tag).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_ne!(answer.header("etag"), Some(tag.as_str()), "{path}");
    }
}

async fn what_is_wrong_with_a_key_is_told_first_whatever_was_known_of_it(world: World) {
    let producer = some_tickets(&world, 5).await;
    let (token, key) = world.key(producer.tenant, &[Permission::TicketsRead], None).await;
    let paths = [
        "/api/v1/tickets",
        "/api/v1/tickets/T1",
        "/api/v1/tickets/NOPE",
        "/api/v1/tickets/%",
        "/api/v1/tickets?nonsense=1",
        "/api/v1/tickets?cursor=x",
        "/api/v1/orders",
        "/api/v1/events/ev/ticket-types?limit=1",
    ];
    let tag = world.client.get("/api/v1/tickets", &token).await.header("etag").unwrap().to_owned();
    for path in paths {
        let status = world.client.get(path, &token).await.status.as_u16();
        assert!([200, 400, 403, 404].contains(&status), "{path} {status}");
    }
    world.revoke_key(producer.tenant, &key.id).await;
    for path in paths {
        // The server still remembers the key for the first of these requests only. Each of them must be refused.
        assert_eq!(get(&world, &token, path, &tag).await.problem(), problem(401, "invalid_token", None), "{path}");
        assert_eq!(world.client.get(path, &token).await.status, 401, "{path}");
    }
}

async fn each_wrong_request_of_a_key_just_revoked_is_refused(world: World) {
    let producer = some_tickets(&world, 5).await;
    for path in [
        "/api/v1/tickets",
        "/api/v1/tickets/T1",
        "/api/v1/tickets/NOPE",
        "/api/v1/tickets/%",
        "/api/v1/tickets?nonsense=1",
        "/api/v1/orders",
        "/api/v1/me",
    ] {
        let (token, key) = world.key(producer.tenant, &[Permission::TicketsRead], None).await;
        assert_eq!(world.client.get("/api/v1/tickets", &token).await.status, 200);
        world.revoke_key(producer.tenant, &key.id).await;
        assert_eq!(world.client.get(path, &token).await.problem(), problem(401, "invalid_token", None), "{path}");
    }
}

async fn long_answers_are_compressed_for_those_who_ask(world: World) {
    let producer = some_tickets(&world, 50).await;
    let client = crate::harness::http_client();
    let send = async |path: &str, accept: &str| {
        let url = format!("{}{path}", world.client.base);
        let answer = client.get(url).bearer_auth(&producer.key).header("accept-encoding", accept).send().await.unwrap();
        let header = |name: &str| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        let (encoding, tag, vary) = (header("content-encoding"), header("etag"), header("vary"));
        (encoding, tag, vary, answer.bytes().await.unwrap().to_vec())
    };
    let (_, tag, _, plain) = send("/api/v1/tickets", "identity").await;
    for (accept, expected) in [
        ("gzip", "gzip"),
        ("zstd", "zstd"),
        ("gzip;q=0.5, zstd", "zstd"),
        ("zstd;q=0, gzip", "gzip"),
        ("br, gzip", "gzip"),
    ] {
        let (encoding, same_tag, vary, bytes) = send("/api/v1/tickets", accept).await;
        assert_eq!(encoding.as_deref(), Some(expected), "{accept}");
        assert_eq!(same_tag, tag);
        assert_eq!(vary.as_deref(), Some("accept-encoding"));
        assert!(bytes.len() * 4 < plain.len(), "{} of {}", bytes.len(), plain.len());
        let mut content = Vec::new();
        match expected {
            "gzip" => flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut content).unwrap(),
            _ => zstd::stream::read::Decoder::new(bytes.as_slice()).unwrap().read_to_end(&mut content).unwrap(),
        };
        assert!(content == plain, "{accept}");
    }
    // Whatever encodings a client forbids, it gets the answer.
    for accept in ["*;q=0", "identity;q=0", "br, *;q=0", "gzip;q=0, identity;q=0"] {
        let (encoding, _, _, bytes) = send("/api/v1/tickets", accept).await;
        assert_eq!(encoding, None, "{accept}");
        assert!(bytes == plain, "{accept}");
        let refused = world.client.send(Method::GET, "/api/v1/tickets", &[("accept-encoding", accept)]).await;
        assert_eq!(refused.problem(), problem(401, "missing_token", None), "{accept}");
    }
    let script = world.client.send(Method::GET, "/docs/swagger-ui-bundle.js", &[("accept-encoding", "gzip")]).await;
    assert_eq!((script.status.as_u16(), script.header("content-encoding")), (200, None));
    for (path, accept) in [
        ("/api/v1/tickets", "identity"),
        ("/api/v1/tickets", "br"),
        ("/api/v1/tickets", "gzip;q=0"),
        ("/api/v1/tickets/T1", "gzip, zstd"),
    ] {
        let (encoding, _, _, bytes) = send(path, accept).await;
        assert_eq!(encoding, None, "{path} {accept}");
        serde_json::from_slice::<serde_json::Value>(&bytes).unwrap();
    }
}
