//! `taquilla sync`: what it mirrors, what it keeps of people, what it names, and how it is told.

use serde_json::{Value, json};
use taquilla_domain::{clock::Stamp, key::Permission, person::Person, text::Name, webhook::MessageKind};
use taquilla_rules::{
    admin::catalogue::{TicketTypeChange, change_ticket_type},
    boxoffice,
};

use crate::harness::{
    Engine, FaultyLine, Hooks, Raw, Synced, SyncedRows, Target, World, address_in, event, http_client, order, shown,
    start, ticket, ticket_type, until, with,
};

both_engines![
    every_target_has_what_the_api_shows_and_analysts_ask_for,
    what_differs_is_named_and_what_is_behind_is_not,
    people_are_kept_left_out_or_hashed,
    a_mirror_belongs_to_one_producer_and_says_what_is_wrong,
    a_message_brings_the_mirror_up_to_date_at_once,
];

/// What the API shows of a producer, as a mirror should have it. Written from the documents alone.
pub async fn expected(world: &World, key: &str) -> [(&'static str, Vec<&'static str>, SyncedRows); 6] {
    let all = async |list: &str| {
        let (mut rows, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = world.client.get(&format!("/api/v1/{list}?limit=200{cursor}"), key).await;
            rows.extend(page.data());
            match page.json()["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return rows,
            }
        }
    };
    let types_of = async |event_id: &str| {
        world.client.get(&format!("/api/v1/events/{event_id}/ticket-types?include_deleted=true"), key).await.data()
    };
    let row = |value: &Value, fields: &[(&str, &str)]| {
        let text = |name: &str, path: &str| shown(name, value.pointer(path).unwrap_or(&Value::Null));
        fields.iter().map(|(name, path)| ((*name).to_owned(), text(name, path))).collect()
    };
    let put = |rows: &mut SyncedRows, key: String, value: &Value, fields: &[(&str, &str)]| {
        assert!(rows.insert(key, row(value, fields)).is_none());
    };
    let [mut events, mut types, mut bundles, mut orders, mut items, mut tickets] = [const { SyncedRows::new() }; 6];
    let id = |value: &Value| value["id"].as_str().unwrap().to_owned();
    for found in all("events").await {
        put(
            &mut events,
            id(&found),
            &found,
            &[
                ("id", "/id"),
                ("name", "/name"),
                ("description", "/description"),
                ("venue", "/venue"),
                ("timezone", "/timezone"),
                ("starts_at", "/starts_at"),
                ("ends_at", "/ends_at"),
                ("currency", "/currency"),
                ("status", "/status"),
                ("image_url", "/image_url"),
                ("created_at", "/created_at"),
                ("updated_at", "/updated_at"),
            ],
        );
        for item in types_of(&id(&found)).await {
            put(
                &mut types,
                id(&item),
                &item,
                &[
                    ("id", "/id"),
                    ("event_id", "/event_id"),
                    ("kind", "/kind"),
                    ("category", "/category"),
                    ("name", "/name"),
                    ("description", "/description"),
                    ("image_url", "/image_url"),
                    ("price", "/price"),
                    ("currency", "/currency"),
                    ("status", "/status"),
                    ("deleted", "/deleted"),
                    ("stock", "/limit"),
                    ("sold", "/sold"),
                    ("available", "/available"),
                    ("max_per_order", "/max_per_order"),
                    ("min_per_order", "/min_per_order"),
                    ("on_sale_from", "/on_sale_from"),
                    ("expires_at", "/expires_at"),
                    ("sort_order", "/sort_order"),
                    ("updated_at", "/updated_at"),
                ],
            );
            for (position, included) in item["includes"].as_array().unwrap_or(&vec![]).iter().enumerate() {
                let value = with(included.clone(), json!({"bundle_id": item["id"], "position": position}));
                put(
                    &mut bundles,
                    format!("{}/{position}", id(&item)),
                    &value,
                    &[
                        ("bundle_id", "/bundle_id"),
                        ("position", "/position"),
                        ("ticket_type_id", "/ticket_type_id"),
                        ("quantity", "/quantity"),
                    ],
                );
            }
        }
    }
    for found in all("orders").await {
        put(
            &mut orders,
            id(&found),
            &found,
            &[
                ("id", "/id"),
                ("number", "/number"),
                ("event_id", "/event_id"),
                ("status", "/status"),
                ("buyer_name", "/buyer/name"),
                ("buyer_email", "/buyer/email"),
                ("buyer_phone", "/buyer/phone"),
                ("buyer_identity_document", "/buyer/identity_document"),
                ("currency", "/currency"),
                ("total", "/total"),
                ("discount", "/discount"),
                ("surcharge", "/surcharge"),
                ("coupon", "/coupon"),
                ("promoter_id", "/promoter/id"),
                ("promoter_name", "/promoter/name"),
                ("reference", "/reference"),
                ("channel", "/channel"),
                ("payment_id", "/payment_id"),
                ("payment_method", "/payment_method"),
                ("paid_at", "/paid_at"),
                ("refunded_at", "/refunded_at"),
                ("created_at", "/created_at"),
                ("updated_at", "/updated_at"),
            ],
        );
        for (position, item) in found["items"].as_array().unwrap().iter().enumerate() {
            let value = with(item.clone(), json!({"order_id": found["id"], "position": position}));
            put(
                &mut items,
                format!("{}/{position}", id(&found)),
                &value,
                &[
                    ("order_id", "/order_id"),
                    ("position", "/position"),
                    ("ticket_type_id", "/ticket_type_id"),
                    ("kind", "/kind"),
                    ("name", "/name"),
                    ("quantity", "/quantity"),
                    ("list_price", "/list_price"),
                    ("unit_price", "/unit_price"),
                    ("total", "/total"),
                ],
            );
        }
    }
    for found in all("tickets").await {
        put(
            &mut tickets,
            id(&found),
            &found,
            &[
                ("id", "/id"),
                ("event_id", "/event_id"),
                ("order_id", "/order_id"),
                ("order_item", "/order_item"),
                ("status", "/status"),
                ("ticket_type_id", "/ticket_type/id"),
                ("from_bundle", "/from_bundle"),
                ("bundle_id", "/bundle_id"),
                ("attendee_id", "/attendee/id"),
                ("attendee_name", "/attendee/name"),
                ("attendee_email", "/attendee/email"),
                ("attendee_phone", "/attendee/phone"),
                ("attendee_identity_document", "/attendee/identity_document"),
                ("issued_at", "/issued_at"),
                ("checked_in_at", "/checked_in_at"),
                ("checked_in_by", "/checked_in_by"),
                ("transferred_at", "/transferred_at"),
                ("transferred_to_ticket_id", "/transferred_to_ticket_id"),
                ("updated_at", "/updated_at"),
            ],
        );
    }
    [
        ("events", vec!["id"], events),
        ("ticket_types", vec!["id"], types),
        ("bundle_items", vec!["bundle_id", "position"], bundles),
        ("orders", vec!["id"], orders),
        ("order_items", vec!["order_id", "position"], items),
        ("tickets", vec!["id"], tickets),
    ]
}

/// The mirror has what the API shows, to the last value.
pub async fn assert_equal(world: &World, key: &str, mirror: &Synced) {
    for (table, by, rows) in expected(world, key).await {
        assert_eq!(mirror.rows(table, &by).await, rows, "{table} in {}", mirror.to);
    }
}

/// A producer with something of everything.
fn beginning() -> Vec<Value> {
    let ana =
        json!({"name": "Ana \"Ñ\", Ruiz", "email": "ana@example.com", "phone": "+34 600", "identity_document": "1-A"});
    let mut lines = vec![
        with(event("ev"), json!({"name": "Noche, \"uno\"", "venue": "Sala", "starts_at": "2026-12-01T20:00:00Z"})),
        with(ticket_type("tt", "ev"), json!({"limit": 500})),
        with(ticket_type("beer", "ev"), json!({"category": "merchandise", "price": 5})),
        json!({"kind": "bundle", "id": "bu", "event_id": "ev", "name": "Pack", "price": 40, "includes":
            [{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "beer", "quantity": 2}]}),
        with(
            order("or", "ev", "tt"),
            json!({"buyer": ana, "paid_at": "2026-10-01T10:00:00Z", "items": [
            {"ticket_type_id": "tt", "quantity": 2, "unit_price": 20, "list_price": 25}]}),
        ),
        order("ob", "ev", "bu"),
    ];
    lines.extend((0..12).map(|number| {
        let order = if number < 2 { json!("or") } else { Value::Null };
        with(ticket(&format!("T{number:02}"), "ev", "tt"), json!({"attendee": ana, "order_id": order}))
    }));
    lines.extend((0..3).map(|number| {
        let kind = if number == 0 { "tt" } else { "beer" };
        with(
            ticket(&format!("B{number}"), "ev", kind),
            json!({"order_id": "ob", "from_bundle": true, "bundle_id": "bu"}),
        )
    }));
    lines
}

async fn every_target_has_what_the_api_shows_and_analysts_ask_for(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &beginning()).await;
    let folder = tempfile::tempdir().unwrap();
    // The server's clock is ahead of all stamps, so nothing is read twice out of caution.
    let line = FaultyLine::to(&world.client.base, 0).await;
    line.set_faults(false);
    let (base, store, tenant) = (&line.url, &world.store, producer.tenant);
    let mut mirrors = Vec::new();
    for target in [Target::Sqlite, Target::Postgres, Target::JsonLines, Target::Csv] {
        let mirror = Synced::new(target, folder.path()).await;
        let said = mirror.bring_up(base, &producer.key, &[]).await;
        assert_eq!(said[3]["rows"], 15, "{said}");
        assert_equal(&world, &producer.key, &mirror).await;
        mirrors.push(mirror);
    }

    boxoffice::scan(store, tenant, "T00", "Gate", world.now()).await.unwrap();
    let luis = Person { name: "Luis".into(), ..Default::default() };
    let second = boxoffice::transfer(store, tenant, "T03", &luis, world.now()).await.unwrap();
    let third = boxoffice::transfer(store, tenant, &second, &luis, world.now()).await.unwrap();
    boxoffice::cancel(store, tenant, "T04", world.now()).await.unwrap();
    let change = TicketTypeChange { name: Some(Name::parse("Balcony").unwrap()), ..TicketTypeChange::default() };
    change_ticket_type(store, tenant, "tt", &change, None, &world.by()).await.unwrap();
    for mirror in &mirrors {
        let said = mirror.bring_up(base, &producer.key, &[]).await;
        assert_eq!(said[3]["full"], false, "{said}");
        assert_equal(&world, &producer.key, mirror).await;
        let verified = mirror.bring_up(base, &producer.key, &["--verify"]).await;
        assert_eq!(verified["differences"], json!([]));
        assert_eq!(verified["tables"][3]["mirror"], verified["tables"][3]["server"]);
        let idle = mirror.bring_up(base, &producer.key, &[]).await;
        assert_eq!(idle[2]["stored"], 0, "nothing has happened: {idle}");
    }

    // What analysts ask for, in both databases.
    for mirror in &mirrors[..2] {
        let entered = mirror.rows("entered", &["ticket_id"]).await;
        assert_eq!(entered["T00"]["ticket_type"], "Balcony", "a rename arrives");
        let to_come = mirror.rows("still_to_come", &["ticket_id"]).await;
        assert_eq!(to_come.len(), 13);
        let quarters = mirror.rows("entries_by_quarter_hour", &["event_id"]).await;
        assert_eq!((quarters["ev"]["people"].as_str(), quarters["ev"]["tickets"].as_str()), ("1", "1"));
        assert_eq!(Stamp::parse(&quarters["ev"]["quarter"]), Stamp::parse("2026-11-01T12:00:00Z"));
        for (id, row) in mirror.rows("sold_against_listed", &["ticket_type_id"]).await {
            let expected = if id == "bu" { "3" } else { row["sold"].as_str() };
            assert_eq!(row["listed"], expected, "{row:?}");
        }
        let holders = mirror.rows("current_holders", &["first_ticket_id"]).await;
        assert_eq!((holders["T03"]["ticket_id"].as_str(), holders["T03"]["times"].as_str()), (third.as_str(), "2"));
        let revenue = mirror.rows("revenue_by_item_and_day", &["ticket_type_id"]).await;
        assert_eq!((revenue["tt"]["paid"].as_str(), revenue["tt"]["day"].as_str()), ("40", "2026-10-01"));
    }
    // What a column means is in the database.
    let comment = "SELECT col_description('tickets'::regclass, 1)";
    assert!(Raw::open(&mirrors[1].to).await.rows(comment).await[0][0].contains("QR code"));
    let text = Raw::open(&mirrors[0].to).await.rows("SELECT sql FROM sqlite_schema WHERE name = 'tickets'").await;
    assert!(text[0][0].contains("-- The value of the QR code."), "{text:?}");
}

async fn what_differs_is_named_and_what_is_behind_is_not(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &beginning()).await;
    let folder = tempfile::tempdir().unwrap();
    let (base, key) = (&world.client.base, &producer.key);
    for target in [Target::Sqlite, Target::Postgres, Target::Csv] {
        let mirror = Synced::new(target, folder.path()).await;
        mirror.bring_up(base, key, &[]).await;
        mirror
            .tamper(
                "UPDATE tickets SET status = 'cancelled', attendee_name = 'Eve' WHERE id = 'T05'; \
                 DELETE FROM tickets WHERE id = 'T06'; DELETE FROM order_items; \
                 INSERT INTO tickets (id, sync_traversal) VALUES ('T99', 0); UPDATE ticket_types SET sold = 7 WHERE id = 'beer'",
            )
            .await;
        let said = mirror.run(base, key, &["--verify", "--json"]).await;
        assert_eq!(said.code, Some(1), "{said:?}");
        let found: Value = serde_json::from_str(&said.output).unwrap();
        let mut named: Vec<String> = found["differences"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| !one["table"].as_str().unwrap().ends_with(".csv"))
            .map(|one| json!([one["table"], one["id"], one["why"], one["columns"]]).to_string())
            .collect();
        named.sort();
        assert_eq!(
            named,
            [
                r#"["orders","ob","differs",["order_items"]]"#,
                r#"["orders","or","differs",["order_items"]]"#,
                r#"["ticket_types","beer","differs",["sold"]]"#,
                r#"["tickets","T05","differs",["status","attendee_name"]]"#,
                r#"["tickets","T06","not in the mirror",[]]"#,
                r#"["tickets","T99","not listed by the server",[]]"#,
            ]
        );
        let said = mirror.run(base, key, &["--verify"]).await;
        assert!(["T05", "T06", "T99", "beer"].iter().all(|id| said.output.contains(id)), "{said:?}");
        // Everything is read again when that is asked for.
        mirror.bring_up(base, key, &["--full-every", "0"]).await;
        mirror.bring_up(base, key, &["--verify"]).await;
        if target == Target::Csv {
            std::fs::write(std::path::Path::new(&mirror.to[4..]).join("tickets.csv"), "id\nT00\n").unwrap();
            let said = mirror.run(base, key, &["--verify"]).await;
            assert!(said.code == Some(1) && said.output.contains("tickets.csv"), "{said:?}");
        }
    }
    // What has changed since is no difference.
    let mirror = Synced::new(Target::Sqlite, folder.path()).await;
    mirror.bring_up(base, key, &[]).await;
    boxoffice::cancel(&world.store, producer.tenant, "T00", world.now()).await.unwrap();
    let said = mirror.bring_up(base, key, &["--verify"]).await;
    assert_eq!((&said["tables"][3]["behind"], &said["count"]), (&json!(1), &json!(0)), "{said}");
    // A ticket that was hidden is told by no feed. Looking at everything tells.
    mirror.bring_up(base, key, &[]).await;
    boxoffice::hide(&world.store, producer.tenant, "T01", world.now()).await.unwrap();
    let said = mirror.run(base, key, &["--verify"]).await;
    assert!(said.code == Some(1) && said.output.contains("T01"), "{said:?}");
    mirror.bring_up(base, key, &["--full-every", "0"]).await;
    assert_equal(&world, key, &mirror).await;
}

async fn people_are_kept_left_out_or_hashed(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &beginning()).await;
    let folder = tempfile::tempdir().unwrap();
    let (base, key) = (&world.client.base, &producer.key);
    let hash_key = folder.path().join("hash-key");
    std::fs::write(&hash_key, "0123456789abcdef\n").unwrap();
    let hashed_with = hash_key.to_str().unwrap().to_owned();
    let hash = ["--personal-data", "hash", "--hash-key-file", hashed_with.as_str()];
    for target in [Target::Sqlite, Target::Postgres, Target::JsonLines, Target::Csv] {
        let dropped = Synced::new(target, folder.path()).await;
        dropped.bring_up(base, key, &["--personal-data", "drop"]).await;
        let row = dropped.rows("tickets", &["id"]).await.remove("T00").unwrap();
        assert_eq!(
            (row["attendee_name"].as_str(), row["attendee_email"].as_str(), row["id"].as_str()),
            ("", "", "T00")
        );
        let hashed = Synced::new(target, folder.path()).await;
        hashed.bring_up(base, key, &hash).await;
        let tickets = hashed.rows("tickets", &["id"]).await;
        let order = hashed.rows("orders", &["id"]).await.remove("or").unwrap();
        assert_eq!(tickets["T00"]["attendee_email"], tickets["T01"]["attendee_email"]);
        assert_eq!(tickets["T00"]["attendee_email"], order["buyer_email"], "the same text has the same code");
        assert_eq!(order["buyer_email"], code_of("ana@example.com"));
        assert_eq!(tickets["B0"]["attendee_email"], "", "what is not known stays so");
        for mirror in [&dropped, &hashed] {
            let everything = format!("{:?}", mirror.rows("tickets", &["id"]).await);
            assert!(
                !everything.contains("Ana") && !everything.contains("ana@example.com") && !everything.contains("+34")
            );
        }
        hashed.bring_up(base, key, &[hash.as_slice(), &["--verify"]].concat()).await;
        // Another choice would leave a mirror mixed.
        dropped.run(base, key, &[]).await.failed(2, &["--personal-data drop", "another place"]);
        hashed.run(base, key, &["--personal-data", "drop"]).await.failed(2, &["--personal-data hash"]);
    }
    let mirror = Synced::new(Target::Sqlite, folder.path()).await;
    mirror.run(base, key, &["--personal-data", "hash"]).await.failed(2, &["TAQUILLA_HASH_KEY", "--hash-key-file"]);
    std::fs::write(&hash_key, "short").unwrap();
    mirror.run(base, key, &hash).await.failed(2, &["16 bytes"]);
}

/// HMAC-SHA256 with the key of the test, in hexadecimal.
fn code_of(text: &str) -> String {
    use hmac::{KeyInit, Mac};
    let mut code = hmac::Hmac::<sha2::Sha256>::new_from_slice(b"0123456789abcdef").unwrap();
    code.update(text.as_bytes());
    code.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn a_mirror_belongs_to_one_producer_and_says_what_is_wrong(world: World) {
    let producer = world.producer("pr_a").await;
    let other = world.producer("pr_b").await;
    world.import(producer.tenant, &beginning()).await;
    let folder = tempfile::tempdir().unwrap();
    let (base, key) = (&world.client.base, &producer.key);
    let mirror = Synced::new(Target::Sqlite, folder.path()).await;
    mirror.bring_up(base, key, &[]).await;
    mirror.run(base, &other.key, &[]).await.failed(2, &["pr_b", "pr_a", "a place of its own"]);
    mirror.run(base, "tq_wrong", &[]).await.failed(1, &["401", "invalid_token"]);
    mirror.run("http://tickets.example", key, &[]).await.failed(2, &["use https"]);
    mirror.run(base, "", &[]).await.failed(2, &["TAQUILLA_KEY", "--key-file"]);
    mirror.run(base, key, &["--listen", "127.0.0.1:0"]).await.failed(2, &["TAQUILLA_WEBHOOK_SECRET"]);
    // A database that is used for something else.
    let taken = format!("sqlite:{}", folder.path().join("other.db").display());
    rusqlite::Connection::open(folder.path().join("other.db"))
        .unwrap()
        .execute_batch("CREATE TABLE orders (x)")
        .unwrap();
    let busy = Synced::new(Target::Sqlite, folder.path()).await.at(taken);
    busy.run(base, key, &[]).await.failed(2, &["a table orders", "another place"]);
    if world.engine == Engine::Postgres {
        let ours = Synced::new(Target::Sqlite, folder.path()).await.at(world.address.clone());
        ours.run(base, key, &[]).await.failed(2, &["another place"]);
    }
    // What the key may not read is left out, and said.
    let (narrow, _) = world.key(producer.tenant, &[Permission::EventsRead], None).await;
    let partial = Synced::new(Target::Sqlite, folder.path()).await;
    let said = partial.run(base, &narrow, &[]).await;
    assert!(said.code == Some(0) && said.error.contains("tickets are left out"), "{said:?}");
    assert_eq!(
        (partial.rows("tickets", &["id"]).await.len(), partial.rows("ticket_types", &["id"]).await.len()),
        (0, 3)
    );
    partial.bring_up(base, key, &[]).await;
    assert_equal(&world, key, &partial).await;
}

async fn a_message_brings_the_mirror_up_to_date_at_once(world: World) {
    let mut hooks = Hooks::new(world).await;
    // The time in a message is compared with ours, so its sender has the real one.
    hooks.world.server.stop().await;
    let (_server, said, _) = start(hooks.serve(), "listening");
    let base = format!("http://{}", address_in(&said));
    let (world, producer) = (&hooks.world, &hooks.producer);
    let folder = tempfile::tempdir().unwrap();
    let mirror = Synced::new(Target::Sqlite, folder.path()).await;
    let kinds: Vec<_> = MessageKind::ALL.iter().copied().filter(|kind| *kind != MessageKind::WebhookTest).collect();
    // A port that was free a moment ago.
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (_, secret) = hooks.endpoint_with(&format!("http://{address}/hook"), &kinds, false).await;
    let mut command = mirror.command(&base, &producer.key, &["--listen", &address.to_string()]);
    command.env("TAQUILLA_WEBHOOK_SECRET", secret.reveal());
    let (running, _, _) = start(command, "Taking webhooks at");
    let stranger = http_client().post(format!("http://{address}/hook")).body("{}").send().await.unwrap();
    assert_eq!(stranger.status(), 401);
    let has = async |test: &dyn Fn(&SyncedRows) -> bool| {
        until(async || {
            let is_there = rusqlite::Connection::open(&mirror.to[7..])
                .is_ok_and(|conn| conn.prepare("SELECT 1 FROM tickets").is_ok());
            is_there && test(&mirror.rows("tickets", &["id"]).await)
        })
        .await
    };
    assert!(has(&|rows| rows.len() == 400).await, "the first load");
    // It looks by itself every 15 minutes only, so it is a message that tells it.
    let scanned = hooks.scan().await;
    assert!(has(&|rows| rows[&scanned]["status"] == "scanned").await);
    boxoffice::hide(&world.store, producer.tenant, "T300", world.now()).await.unwrap();
    assert!(has(&|rows| !rows.contains_key("T300")).await, "no feed tells of it, and a message does");
    drop(running);
    // The command may have ended before it read what the hiding changed of the ticket type.
    mirror.bring_up(&base, &producer.key, &[]).await;
    mirror.bring_up(&base, &producer.key, &["--verify"]).await;
}
