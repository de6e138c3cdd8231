//! Bad input gets a clear 4xx that names what is wrong, and never a 5xx.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::harness::{Producer, World, event, order, problem, ticket, ticket_type};

async fn some_tickets(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let mut lines =
        vec![event("ev"), event("ev_2"), ticket_type("tt", "ev"), order("or", "ev", "tt"), order("or_2", "ev", "tt")];
    lines.extend((0..5).map(|number| ticket(&format!("T{number}"), "ev", "tt")));
    world.import(producer.tenant, &lines).await;
    producer
}

/// Sends bytes as they are and reads the whole answer.
async fn raw(world: &World, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(world.server.address).await.unwrap();
    // The server may answer and close before it has read everything.
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

both_engines![
    each_bad_parameter_is_named,
    ids_that_cannot_exist_do_not_exist,
    cursors_are_good_only_where_they_were_given_out,
    what_is_too_large_is_refused_with_its_reason,
    bytes_that_are_not_http_are_refused,
    dates_may_be_written_in_every_honest_form,
];

async fn each_bad_parameter_is_named(world: World) {
    let producer = some_tickets(&world).await;
    let long = "x".repeat(129);
    let cases: Vec<(String, &str, &str)> = vec![
        ("tickets?limit=0".into(), "invalid_parameter", "limit"),
        ("tickets?limit=201".into(), "invalid_parameter", "limit"),
        ("tickets?limit=-1".into(), "invalid_parameter", "limit"),
        ("tickets?limit=%2B5".into(), "invalid_parameter", "limit"),
        ("tickets?limit=5.0".into(), "invalid_parameter", "limit"),
        ("tickets?limit=abc".into(), "invalid_parameter", "limit"),
        ("tickets?limit=".into(), "invalid_parameter", "limit"),
        ("tickets?limit".into(), "invalid_parameter", "limit"),
        ("tickets?limit=99999999999999999999".into(), "invalid_parameter", "limit"),
        ("tickets?limit=5&limit=5".into(), "invalid_parameter", "limit"),
        ("orders?limit=0".into(), "invalid_parameter", "limit"),
        ("events?limit=201".into(), "invalid_parameter", "limit"),
        ("tickets?status=open".into(), "invalid_parameter", "status"),
        ("tickets?status=".into(), "invalid_parameter", "status"),
        ("tickets?status=valid,".into(), "invalid_parameter", "status"),
        ("tickets?status=valid,,scanned".into(), "invalid_parameter", "status"),
        ("tickets?status=valid&status=VALID".into(), "invalid_parameter", "status"),
        ("tickets?status=approved".into(), "invalid_parameter", "status"),
        ("orders?status=valid".into(), "invalid_parameter", "status"),
        ("tickets?issued_after=yesterday".into(), "invalid_parameter", "issued_after"),
        ("tickets?scanned_after=2026-02-30".into(), "invalid_parameter", "scanned_after"),
        ("tickets?scanned_before=".into(), "invalid_parameter", "scanned_before"),
        ("tickets?updated_after=1786406400".into(), "invalid_parameter", "updated_after"),
        ("orders?updated_after=2026-08-11T10:00:00".into(), "invalid_parameter", "updated_after"),
        ("orders?created_after=2026-08-11T25:00:00Z".into(), "invalid_parameter", "created_after"),
        ("events?updated_after=now".into(), "invalid_parameter", "updated_after"),
        ("tickets?event_id=".into(), "invalid_parameter", "event_id"),
        ("tickets?event_id=a&event_id=b".into(), "invalid_parameter", "event_id"),
        (format!("tickets?event_id={long}"), "invalid_parameter", "event_id"),
        ("tickets?order_id=a%00b".into(), "invalid_parameter", "order_id"),
        ("tickets?event_id=%FF".into(), "invalid_parameter", "event_id"),
        ("tickets?event_id=%zz".into(), "invalid_parameter", "event_id"),
        ("tickets?event_id=abc%2".into(), "invalid_parameter", "event_id"),
        ("tickets?%FF=1".into(), "invalid_parameter", "query"),
        ("tickets?cursor=".into(), "invalid_cursor", "cursor"),
        ("tickets?cursor=abc".into(), "invalid_cursor", "cursor"),
        ("tickets?cursor=a%20b".into(), "invalid_cursor", "cursor"),
        (format!("tickets?cursor={}", "A".repeat(4_000)), "invalid_cursor", "cursor"),
        ("tickets?offset=10".into(), "unknown_parameter", "offset"),
        ("tickets?page=2".into(), "unknown_parameter", "page"),
        ("tickets?Limit=5".into(), "unknown_parameter", "Limit"),
        ("tickets?scaned_after=2026-01-01".into(), "unknown_parameter", "scaned_after"),
        ("tickets?created_after=2026-01-01".into(), "unknown_parameter", "created_after"),
        ("tickets/T1?limit=5".into(), "unknown_parameter", "limit"),
        ("me?x=1".into(), "unknown_parameter", "x"),
        ("events/ev/ticket-types?include_deleted=yes".into(), "invalid_parameter", "include_deleted"),
        ("events/ev/ticket-types?include_deleted=".into(), "invalid_parameter", "include_deleted"),
        ("tickets/%FF".into(), "invalid_parameter", "ticket_id"),
        ("tickets/%zz".into(), "invalid_parameter", "ticket_id"),
        ("events/%C3%28/ticket-types".into(), "invalid_parameter", "event_id"),
        ("orders/%ff".into(), "invalid_parameter", "order_id"),
    ];
    for (path, code, param) in &cases {
        let answer = world.client.get(&format!("/api/v1/{path}"), &producer.key).await;
        assert_eq!(answer.problem(), problem(400, code, Some(param)), "{path}");
    }
    let meant = world.client.get("/api/v1/tickets?scaned_after=2026-01-01", &producer.key).await;
    assert!(meant.json()["detail"].as_str().unwrap().contains("did you mean scanned_after?"));
    // Up to three letters may be wrong, missing or too many. A longer name is not compared.
    let long = "x".repeat(8_000);
    for (name, meant) in
        [("updated_afterxyz", true), ("updated_afterwxyz", false), ("ated_after", true), (&long, false)]
    {
        let answer = world.client.get(&format!("/api/v1/tickets?{name}=1"), &producer.key).await.json();
        let detail = answer["detail"].as_str().unwrap();
        assert_eq!(detail.contains("did you mean updated_after?"), meant, "{detail}");
        assert!(answer["param"].as_str().unwrap().len() <= 64, "{answer}");
    }
}

async fn ids_that_cannot_exist_do_not_exist(world: World) {
    let producer = some_tickets(&world).await;
    for id in
        ["NOPE", "a%00b", "%0A", &"x".repeat(2_000), "%F0%9F%8E%AB", "..%2F..%2Fetc", "'%20OR%201=1--", "?", "T1%20"]
    {
        let answer = world.client.get(&format!("/api/v1/tickets/{id}"), &producer.key).await;
        assert!([400, 404].contains(&answer.status.as_u16()), "{id}: {}", answer.text);
    }
    for path in ["", "/", "/tickets/", "/tickets/T1/", "/nope", "/events/ev/nope", "/../v1/me/x"] {
        assert_eq!(world.client.get(&format!("/api/v1{path}"), &producer.key).await.status, 404, "{path}");
    }
}

async fn cursors_are_good_only_where_they_were_given_out(world: World) {
    let producer = some_tickets(&world).await;
    let next = async |path: &str| {
        let page = world.client.get(&format!("/api/v1/{path}"), &producer.key).await.json();
        page["next_cursor"].as_str().unwrap_or_else(|| panic!("{path}: {page}")).to_owned()
    };
    let plain = next("tickets?limit=2").await;
    let filtered = next("tickets?limit=2&event_id=ev").await;
    let dated = next("tickets?limit=2&issued_after=2026-01-01").await;
    let orders = next("orders?limit=1").await;
    let flipped: String = plain
        .chars()
        .enumerate()
        .map(|(at, letter)| if at == 20 { if letter == 'A' { 'B' } else { 'A' } } else { letter })
        .collect();
    for path in [
        format!("tickets?event_id=ev&cursor={plain}"),
        format!("tickets?cursor={filtered}"),
        format!("tickets?event_id=ev_2&cursor={filtered}"),
        format!("tickets?status=valid&event_id=ev&cursor={filtered}"),
        format!("tickets?issued_after=2026-01-02&cursor={dated}"),
        format!("tickets?updated_after=2026-01-01&cursor={dated}"),
        format!("tickets?cursor={orders}"),
        format!("orders?cursor={plain}"),
        format!("events?cursor={plain}"),
        format!("tickets?cursor={flipped}"),
        format!("tickets?cursor={}", &plain[..plain.len() - 1]),
        format!("tickets?cursor={plain}x"),
        format!("tickets?cursor={}", plain.to_lowercase()),
    ] {
        let answer = world.client.get(&format!("/api/v1/{path}"), &producer.key).await;
        assert_eq!(answer.problem(), problem(400, "invalid_cursor", Some("cursor")), "{path}");
    }
    // The limit may change, and the same filter may be written in another way.
    for path in [
        format!("tickets?limit=1&cursor={plain}"),
        format!("tickets?cursor={filtered}&event_id=ev"),
        format!("tickets?issued_after=2026-01-01T01:00:00%2B01:00&cursor={dated}"),
    ] {
        assert_eq!(world.client.get(&format!("/api/v1/{path}"), &producer.key).await.status, 200, "{path}");
    }
}

async fn what_is_too_large_is_refused_with_its_reason(world: World) {
    let producer = some_tickets(&world).await;
    let long_query = world.client.get(&format!("/api/v1/tickets?event_id={}", "x".repeat(9_000)), &producer.key).await;
    assert_eq!(long_query.problem(), problem(414, "uri_too_long", None));
    let long_path = world.client.get(&format!("/api/v1/tickets/{}", "x".repeat(9_000)), &producer.key).await;
    assert_eq!(long_path.problem(), problem(414, "uri_too_long", None));
    let bearer = format!("Bearer {}", producer.key);
    let header = "x".repeat(20_000);
    let large = world
        .client
        .send(reqwest::Method::GET, "/api/v1/me", &[("authorization", &bearer), ("x-large", &header)])
        .await;
    assert_eq!(large.problem(), problem(431, "headers_too_large", None));

    // Far beyond the limit, the HTTP layer itself answers with a bare status and closes.
    let vast = format!("GET /api/v1/me?{} HTTP/1.1\r\nhost: x\r\n\r\n", "x".repeat(200_000));
    assert!(raw(&world, vast.as_bytes()).await.starts_with("HTTP/1.1 4"));
    let many = format!("GET /api/v1/me HTTP/1.1\r\nhost: x\r\n{}\r\n", "a: b\r\n".repeat(1_000));
    assert!(raw(&world, many.as_bytes()).await.starts_with("HTTP/1.1 431"));
    assert_eq!(world.client.get("/api/v1/me", &producer.key).await.status, 200, "the server goes on");
}

async fn bytes_that_are_not_http_are_refused(world: World) {
    let producer = some_tickets(&world).await;
    for request in [
        &b"GET /api/v1/tickets/\xff\xfe HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"[..],
        b"GET /api/v1/tickets?event_id=\xff HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
        b"GET /api/v1/me HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \xff\xff\r\nconnection: close\r\n\r\n",
        b"GET /api/v1/tickets/a b HTTP/1.1\r\nhost: x\r\n\r\n",
        b"NONSENSE\r\n\r\n",
        b"GET  HTTP/1.1\r\n\r\n",
        b"GET * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    ] {
        let answer = raw(&world, request).await;
        assert!(answer.starts_with("HTTP/1.1 4") || answer.is_empty(), "{request:?}: {answer}");
    }
    let text = raw(
        &world,
        b"POST /api/v1/me HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000000\r\nconnection: close\r\n\r\nabc",
    )
    .await;
    assert!(text.starts_with("HTTP/1.1 405"), "{text}");
    assert_eq!(world.client.get("/api/v1/me", &producer.key).await.status, 200, "the server goes on");
}

async fn dates_may_be_written_in_every_honest_form(world: World) {
    let producer = some_tickets(&world).await;
    // All of these are the moment at which the tickets were issued, which "after" does not include.
    for date in [
        "2026-10-01T10:00:00Z",
        "2026-10-01T12:00:00%2B02:00",
        "2026-10-01T12:00:00+02:00",
        "2026-10-01T10:00:00.000000Z",
        "2026-10-01%2010:00:00Z",
    ] {
        let answer = world.client.get(&format!("/api/v1/tickets?issued_after={date}"), &producer.key).await;
        assert_eq!(answer.ids(), Vec::<String>::new(), "{date}");
    }
    for date in ["2026-10-01", "2026-10-01T09:59:59.999999Z", "0001-01-01"] {
        let answer = world.client.get(&format!("/api/v1/tickets?issued_after={date}"), &producer.key).await;
        assert_eq!(answer.ids().len(), 5, "{date}");
    }
}
