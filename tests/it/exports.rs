//! Files of tickets, orders, scans and payments: whole, exact, masked, and never half of one that looks whole.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use taquilla_domain::{config::EXPORTS_PER_PRODUCER, role::BuiltInRole, status::Category};
use taquilla_rules::boxoffice;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use crate::harness::{
    PASSWORD, Producer, Staff, World, cart, event, everything, order, pay, place, table, ticket, ticket_type, until,
    with,
};

both_engines![
    files_have_the_rows_of_the_api,
    filters_choose_rows_and_clocks_show_times,
    scans_and_payments_are_there,
    a_spreadsheet_runs_nothing,
    who_may_not_see_people_sees_none_in_files,
    every_row_comes_once_while_others_are_added,
    half_a_file_does_not_look_like_a_whole_one,
    some_exports_run_at_once_and_no_more,
    what_is_asked_wrong_gets_no_file,
];

const EXPORTS: &str = "/dashboard/p/pr_a/exports";

/// Two events, some orders and tickets of every status.
async fn a_season(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![
        with(event("ev"), json!({"status": "published", "name": "Noche, \"larga\""})),
        with(event("far"), json!({"timezone": "Asia/Kathmandu"})),
    ];
    for event_id in ["ev", "far"] {
        lines.push(ticket_type(&format!("tt_{event_id}"), event_id));
        for number in 0..8 {
            let id = format!("o_{event_id}_{number}");
            let buyer = json!({"name": format!("Ana Nuñez {number}"), "email": "ana@buyer.example", "phone": "+34 600", "identity_document": "X1"});
            let status = ["approved", "refunded", "pending", "rejected"][number % 4];
            let at = format!("2026-10-{:02}T22:30:00Z", 20 + number);
            lines.push(with(
                order(&id, event_id, &format!("tt_{event_id}")),
                json!({"status": status, "buyer": buyer, "created_at": at}),
            ));
            if number % 4 < 2 {
                let attendee = json!({"id": format!("at_{number}"), "name": format!("Bea Ruiz {number}"), "email": "bea@attendee.example", "phone": "+34 700", "identity_document": "Y2"});
                let mut fields = json!({"order_id": id, "attendee": attendee, "issued_at": at});
                if number == 4 {
                    fields["checked_in_at"] = json!("2026-10-30T20:00:00Z");
                    fields["checked_in_by"] = json!("North");
                }
                lines.push(with(
                    ticket(&format!("CODE{event_id}{number}"), event_id, &format!("tt_{event_id}")),
                    fields,
                ));
            }
        }
    }
    world.import(producer.tenant, &lines).await;
    producer
}

async fn json_lines(staff: &Staff, file: &str) -> Vec<Value> {
    let page = staff.get(&format!("{EXPORTS}/{file}")).await;
    assert_eq!(page.status, 200, "{file}: {}", page.text);
    assert_eq!(page.header("content-type"), "application/jsonl; charset=utf-8");
    assert!(page.header("content-disposition").starts_with("attachment; filename=\""), "{:?}", page.headers);
    assert_eq!(page.header("cache-control"), "no-store");
    page.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

async fn lines(staff: &Staff, file: &str) -> Vec<BTreeMap<String, String>> {
    let page = staff.get(&format!("{EXPORTS}/{file}")).await;
    assert_eq!(page.status, 200, "{file}: {}", page.text);
    assert_eq!(page.header("content-type"), "text/csv; charset=utf-8");
    table(&page.text)
}

async fn files_have_the_rows_of_the_api(world: World) {
    let producer = a_season(&world).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    for list in ["tickets", "orders"] {
        let expected = everything(&world.client, &producer.key, list).await;
        let rows = json_lines(&staff, &format!("{list}.jsonl")).await;
        assert_eq!(rows.len(), expected.len());
        let rows: BTreeMap<String, Value> =
            rows.into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect();
        assert_eq!(rows, expected, "{list}");
        let cells = lines(&staff, &format!("{list}.csv?zone=utc")).await;
        assert_eq!(cells.len(), expected.len());
        for line in &cells {
            let row = &expected[&line["id"]];
            for (column, pointer) in [
                ("status", "/status"),
                ("event_id", "/event_id"),
                ("attendee_name", "/attendee/name"),
                ("attendee_email", "/attendee/email"),
                ("buyer_name", "/buyer/name"),
                ("ticket_type", "/ticket_type/name"),
                ("checked_in_by", "/checked_in_by"),
                ("checked_in_at", "/checked_in_at"),
                ("updated_at", "/updated_at"),
                ("channel", "/channel"),
                ("total", "/total"),
                ("from_bundle", "/from_bundle"),
            ] {
                let Some(cell) = line.get(column) else { continue };
                let value = match row.pointer(pointer).unwrap() {
                    Value::String(text) => text.clone(),
                    Value::Null => String::new(),
                    other => other.to_string(),
                };
                assert_eq!(*cell, value, "{list} {column}");
            }
        }
    }
    let orders = lines(&staff, "orders.csv").await;
    assert_eq!((orders[0]["items"].as_str(), orders[0]["units"].as_str()), ("1 × Type tt_far", "1"));
    assert_eq!(lines(&staff, "orders.csv?event=ev").await[0]["event"], "Noche, \"larga\"");
    // Who took out what is written down.
    let noted =
        world.raw().await.rows("SELECT actor, subject, details FROM audit WHERE action = 'data.exported'").await;
    assert_eq!(noted.len(), 6, "{noted:?}");
    assert!(noted.iter().all(|row| row[0] == "ana@x.example" && !row[2].contains("CODE")), "{noted:?}");
    assert!(noted.iter().any(|row| row[1] == "orders.csv" && row[2].contains("\"event\":\"ev\"")), "{noted:?}");
    // The page leads to all of them.
    let page = staff.get("/dashboard/p/pr_a/data").await;
    for kind in ["tickets", "orders", "scans", "payments"] {
        assert!(
            page.text.contains(&format!("{EXPORTS}/{kind}.csv"))
                && page.text.contains(&format!("{EXPORTS}/{kind}.jsonl"))
        );
    }
}

async fn filters_choose_rows_and_clocks_show_times(world: World) {
    let producer = a_season(&world).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let ids = |rows: &[Value]| rows.iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>();
    let all = everything(&world.client, &producer.key, "orders").await;
    for status in ["approved", "refunded", "pending", "rejected"] {
        let expected = all.values().filter(|row| row["status"] == status && row["event_id"] == "ev").cloned();
        let expected: Vec<Value> = expected.collect();
        let rows = json_lines(&staff, &format!("orders.jsonl?event=ev&status={status}")).await;
        assert_eq!((ids(&rows), rows.len()), (ids(&expected), 2), "{status}");
    }
    // 22:30 UTC is the next day in Madrid until the 24th, and from the 25th on again the same; and in Kathmandu always the next.
    let on = async |event_id: &str, day: &str, zone: &str| {
        let query = format!("orders.csv?event={event_id}&from={day}&to={day}&zone={zone}");
        let found = lines(&staff, &query).await;
        found
            .iter()
            .map(|line| format!("{} {} {}", line["id"], line["created_at"], line["time_zone"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(on("ev", "2026-10-24", "event").await, ["o_ev_3 2026-10-24 00:30:00 Europe/Madrid"]);
    let sunday = on("ev", "2026-10-25", "event").await;
    assert_eq!(sunday, ["o_ev_5 2026-10-25 23:30:00 Europe/Madrid", "o_ev_4 2026-10-25 00:30:00 Europe/Madrid"]);
    assert_eq!(on("far", "2026-10-24", "event").await, ["o_far_3 2026-10-24 04:15:00 Asia/Kathmandu"]);
    assert_eq!(on("far", "2026-10-24", "utc").await, ["o_far_4 2026-10-24T22:30:00.000000Z UTC"]);
    assert_eq!(json_lines(&staff, "tickets.jsonl?status=scanned").await.len(), 2);
    assert_eq!(json_lines(&staff, "tickets.jsonl?from=2026-10-26").await.len(), 0);
    assert_eq!(lines(&staff, "tickets.csv?event=ev&to=2026-10-21").await.len(), 1);
}

async fn scans_and_payments_are_there(world: World) {
    let producer = a_season(&world).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let (token, link) = world.door(producer.tenant, "ev", Category::ALL).await;
    let bearer = format!("Bearer {token}");
    for (number, code) in ["CODEev0", "CODEev0", "NONE", "CODEfar0"].iter().enumerate() {
        let body = json!({"code": code, "scan_id": format!("scan_{number}"), "station": "North"});
        let answer = world.client.post("/door/v1/scan", &[("authorization", &bearer)], &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    let rows = json_lines(&staff, "scans.jsonl").await;
    let says: Vec<&str> = rows.iter().map(|row| row["outcome"].as_str().unwrap()).collect();
    assert_eq!(says, ["admitted", "already_scanned", "unknown", "wrong_event"]);
    assert_eq!(rows[0]["ticket_id"], "CODEev0");
    assert_eq!((&rows[0]["door_link_id"], &rows[0]["event_id"]), (&json!(link.id), &json!("ev")));
    assert_eq!(json_lines(&staff, "scans.jsonl?status=admitted&event=ev").await.len(), 1);
    assert_eq!(json_lines(&staff, "scans.jsonl?event=far").await.len(), 0);
    assert_eq!(lines(&staff, "scans.csv").await[3]["outcome"], "wrong_event");
    assert_eq!(lines(&staff, "scans.csv?from=2026-11-02").await.len(), 0);

    let secret = world.connect_processor(&producer).await;
    let placed = place(&world, "k", &cart("tt_ev", 2)).await.json();
    for (id, reference, amount) in [
        ("pay_2", placed["reference"].as_str().unwrap(), 50),
        ("pay_1", "1-NOBODY00000000000000000000", 7),
        ("=pay", "1-NOBODY00000000000000000001", 9),
    ] {
        let notice =
            json!({"payment_id": id, "reference": reference, "status": "paid", "amount": amount, "currency": "EUR"});
        pay(&world, &notice, &secret, 0).await;
    }
    let kept = world.raw().await.rows("SELECT id FROM payments ORDER BY received_at, id").await;
    let rows = json_lines(&staff, "payments.jsonl").await;
    let ids: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids, kept.iter().map(|row| row[0].as_str()).collect::<Vec<_>>());
    assert_eq!(ids.len(), 3);
    let settled = rows.iter().find(|row| row["id"] == "pay_2").unwrap();
    assert_eq!(
        (&settled["result"], &settled["event_id"], &settled["amount"]),
        (&json!("settled"), &json!("ev"), &json!(50))
    );
    assert_eq!(json_lines(&staff, "payments.jsonl?event=ev").await.len(), 1);
    let cells = lines(&staff, "payments.csv").await;
    assert!(cells.iter().any(|line| line["id"] == "'=pay" && line["amount"] == "9"), "{cells:?}");
    assert_eq!(lines(&staff, "payments.csv?from=2026-11-02").await.len(), 0);
    assert_eq!(lines(&staff, "payments.csv?to=2026-11-01").await.len(), 3);
}

async fn a_spreadsheet_runs_nothing(world: World) {
    let producer = world.producer("pr_a").await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let evil = ["=1+1", "+1", "-1", "@SUM(A1)", "=\"a\",\"b\"", "a\"b", "semi;colon", "línea"];
    let mut lines_in = vec![event("ev"), ticket_type("tt", "ev")];
    for (number, name) in evil.iter().enumerate() {
        let attendee =
            json!({"id": "at", "name": name, "email": "x@y.example", "phone": null, "identity_document": ""});
        lines_in.push(with(ticket(&format!("T{number}"), "ev", "tt"), json!({"attendee": attendee})));
    }
    world.import(producer.tenant, &lines_in).await;
    let found = lines(&staff, "tickets.csv").await;
    for (number, name) in evil.iter().enumerate() {
        let line = found.iter().find(|line| line["id"] == format!("T{number}")).unwrap();
        let guard = if name.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
        assert_eq!(line["attendee_name"], format!("{guard}{name}"));
        assert!(line.values().all(|cell| !cell.starts_with(['=', '+', '-', '@', '\t', '\r'])), "{line:?}");
    }
}

/// A browser of somebody whose role has these rights only.
pub async fn with_rights(world: &World, producer: &Producer, email: &str, rights: &[&str]) -> Staff {
    let admin = world.staff(producer.tenant, &format!("admin-{email}"), BuiltInRole::Administrator).await;
    let mut fields = vec![("name", email)];
    fields.extend(rights.iter().map(|right| ("right", *right)));
    let made = admin.post("/dashboard/p/pr_a/team/roles", &fields).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let roles = world.raw().await.rows(&format!("SELECT id FROM roles WHERE name = '{email}'")).await;
    world.user(producer.tenant, email, &roles[0][0]).await;
    let staff = Staff::new(&world.client.base);
    assert_eq!(staff.post("/dashboard/sign-in", &[("email", email), ("password", PASSWORD)]).await.status, 303);
    staff
}

async fn who_may_not_see_people_sees_none_in_files(world: World) {
    let producer = a_season(&world).await;
    let clerk = with_rights(&world, &producer, "clerk@x.example", &["data.export"]).await;
    let (token, _) = world.door(producer.tenant, "ev", Category::ALL).await;
    let bearer = format!("Bearer {token}");
    let body = json!({"code": "CODEev0", "scan_id": "s", "station": "North"});
    world.client.post("/door/v1/scan", &[("authorization", &bearer)], &body).await;
    boxoffice::transfer(
        &world.store,
        producer.tenant,
        "CODEfar0",
        &taquilla_domain::person::Person { name: "Carla".into(), ..Default::default() },
        world.now(),
    )
    .await
    .unwrap();
    let secret = world.connect_processor(&producer).await;
    let placed = place(&world, "k", &cart("tt_ev", 1)).await.json();
    let reference = placed["reference"].as_str().unwrap().to_owned();
    let notice = json!({"payment_id": "p", "reference": reference, "status": "paid", "amount": 25, "currency": "EUR"});
    pay(&world, &notice, &secret, 0).await;
    let mut hidden: BTreeSet<String> =
        ["Ana", "Bea Ruiz", "Carla", "buyer.example", "attendee.example", "+34", "CODE"].map(str::to_owned).into();
    hidden.insert(reference.split_once('-').unwrap().1.to_owned());
    hidden.extend(everything(&world.client, &producer.key, "tickets").await.into_keys());
    let editor = world.staff(producer.tenant, "editor@x.example", BuiltInRole::Editor).await;
    for kind in ["tickets", "orders", "scans", "payments"] {
        for ending in ["csv", "jsonl"] {
            let path = format!("{EXPORTS}/{kind}.{ending}");
            let (seen, whole) = (clerk.get(&path).await, editor.get(&path).await);
            assert_eq!(seen.status, 200);
            let found: Vec<&String> = hidden.iter().filter(|text| seen.text.contains(text.as_str())).collect();
            assert!(found.is_empty(), "{path}: {found:?} in {}", seen.text);
            assert!(seen.text.contains("•••"), "{path}");
            assert!(hidden.iter().any(|text| whole.text.contains(text.as_str())), "{path} would show nothing anyway");
            assert_eq!(seen.text.lines().count(), whole.text.lines().count(), "{path}");
        }
    }
    // The page says so. Who may only bring data in sees the page without the files.
    assert!(clerk.get("/dashboard/p/pr_a/data").await.text.contains("are masked in these files"));
    let importer = with_rights(&world, &producer, "importer@x.example", &["data.import"]).await;
    let page = importer.get("/dashboard/p/pr_a/data").await;
    assert_eq!(page.status, 200);
    assert!(!page.text.contains("/exports/"), "{}", page.text);
    assert_eq!(importer.get(&format!("{EXPORTS}/tickets.csv")).await.status, 403);
}

/// Many tickets, so many that they do not fit into the buffers between two sockets.
async fn many_tickets(world: &World, count: usize) -> Producer {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    lines.extend((0..count).map(|number| {
        let attendee = json!({"id": "at", "name": "N".repeat(450), "email": "x@y.example", "phone": null, "identity_document": "D".repeat(40)});
        with(ticket(&format!("T{number:05}"), "ev", "tt"), json!({"attendee": attendee}))
    }));
    world.import(producer.tenant, &lines).await;
    producer
}

/// Asks for a file, and takes only what is read: the socket has next to no room.
async fn slow_reader(world: &World, staff: &Staff, file: &str) -> TcpStream {
    let address = world.server.address;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(32_768).unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    let cookies: Vec<String> = staff.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect();
    let request = format!(
        "GET {EXPORTS}/{file} HTTP/1.1\r\nhost: {address}\r\ncookie: {}\r\nconnection: close\r\n\r\n",
        cookies.join("; ")
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut beginning = [0; 15];
    stream.read_exact(&mut beginning).await.unwrap();
    assert_eq!(&beginning, b"HTTP/1.1 200 OK");
    stream
}

/// The rest of what comes, and the same without the marks of its chunks.
async fn rest(mut stream: TcpStream) -> (Vec<u8>, String) {
    let mut raw = Vec::new();
    // A connection that was broken off may be reset.
    let _ = stream.read_to_end(&mut raw).await;
    let at = raw.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
    let (mut left, mut body) = (&raw[at..], Vec::new());
    while let Some(end) = left.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&left[..end]).unwrap(), 16).unwrap();
        let chunk = &left[end + 2..];
        if length == 0 || chunk.len() < length + 2 {
            body.extend_from_slice(&chunk[..chunk.len().min(length)]);
            break;
        }
        body.extend_from_slice(&chunk[..length]);
        left = &chunk[length + 2..];
    }
    (raw, String::from_utf8_lossy(&body).into_owned())
}

async fn every_row_comes_once_while_others_are_added(world: World) {
    let producer = many_tickets(&world, 8_000).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let stream = slow_reader(&world, &staff, "tickets.jsonl").await;
    // What is added, and what changes, does not move what was there.
    for number in 0..20 {
        boxoffice::cancel(&world.store, producer.tenant, &format!("T{:05}", number * 100), world.now()).await.unwrap();
        world
            .import(
                producer.tenant,
                &[with(ticket(&format!("NEW{number}"), "ev", "tt"), json!({"issued_at": "2026-10-31T10:00:00Z"}))],
            )
            .await;
    }
    let (raw, body) = rest(stream).await;
    assert!(raw.ends_with(b"0\r\n\r\n"));
    let mut seen = BTreeMap::<String, usize>::new();
    for line in body.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        *seen.entry(row["id"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    assert!(seen.values().all(|times| *times == 1));
    for number in 0..8_000 {
        assert!(seen.contains_key(&format!("T{number:05}")), "{number}");
    }
}

async fn half_a_file_does_not_look_like_a_whole_one(world: World) {
    let producer = many_tickets(&world, 8_000).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    for file in ["tickets.jsonl", "tickets.csv"] {
        let (raw, body) = rest(slow_reader(&world, &staff, file).await).await;
        assert!(raw.ends_with(b"0\r\n\r\n") && body.lines().count() >= 8_000, "{file} is whole");
        let stream = slow_reader(&world, &staff, file).await;
        world.raw().await.batch("ALTER TABLE tickets RENAME TO tickets_elsewhere").await;
        let (raw, body) = rest(stream).await;
        assert!(!raw.ends_with(b"0\r\n\r\n"), "{file} looks whole");
        assert!(body.lines().count() < 8_000, "{file} was sent before it broke");
        world.raw().await.batch("ALTER TABLE tickets_elsewhere RENAME TO tickets").await;
    }
    // One that cannot begin is answered.
    world.raw().await.batch("ALTER TABLE tickets RENAME TO tickets_elsewhere").await;
    let cookies: Vec<String> = staff.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect();
    let request = crate::harness::http_client().get(format!("{}{EXPORTS}/tickets.csv", world.client.base));
    assert_eq!(request.header("cookie", cookies.join("; ")).send().await.unwrap().status(), 500);
}

async fn some_exports_run_at_once_and_no_more(world: World) {
    let producer = many_tickets(&world, 8_000).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let mut running = Vec::new();
    for _ in 0..EXPORTS_PER_PRODUCER {
        running.push(slow_reader(&world, &staff, "tickets.jsonl").await);
    }
    // The connections of the one who signed in may have been closed meanwhile.
    let again = Staff::new(&world.client.base);
    staff.cookies().iter().for_each(|(name, value)| again.set_cookie(name, value));
    let staff = again;
    let refused = staff.get(&format!("{EXPORTS}/orders.csv")).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "30"), "{}", refused.text);
    drop(running.pop());
    assert!(until(async || staff.get(&format!("{EXPORTS}/orders.csv")).await.status == 200).await);
    // Sales and reads go on meanwhile.
    assert_eq!(world.client.get("/api/v1/tickets?limit=1", &producer.key).await.status, 200);
    for stream in running {
        assert!(rest(stream).await.0.ends_with(b"0\r\n\r\n"));
    }
}

async fn what_is_asked_wrong_gets_no_file(world: World) {
    let producer = a_season(&world).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let before = world.raw().await.rows("SELECT id FROM audit WHERE action = 'data.exported'").await.len();
    for (file, status) in [
        ("tickets.xml", 404),
        ("tickets", 404),
        ("people.csv", 404),
        ("tickets.csv?event=none", 404),
        ("tickets.csv?status=flying", 400),
        ("payments.csv?status=valid", 400),
        ("tickets.csv?from=yesterday", 400),
        ("tickets.csv?to=2026-02-30", 400),
        ("tickets.csv?zone=Mars", 400),
    ] {
        let page = staff.get(&format!("{EXPORTS}/{file}")).await;
        assert_eq!(page.status, status, "{file}");
        assert!(page.header("content-disposition").is_empty(), "{file}");
    }
    assert_eq!(world.raw().await.rows("SELECT id FROM audit WHERE action = 'data.exported'").await.len(), before);
}
