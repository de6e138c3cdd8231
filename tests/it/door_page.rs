//! The scanner page in a real browser. What it does there is in `web/tests/scripts`.

use reqwest::Method;
use serde_json::json;
use taquilla_domain::{
    config::{Config, SEARCH_POLL},
    count::Count,
    door_link::{LinkOption, NewDoorLink, Stations},
    person::Person,
    pin::Pin,
    status::Category,
    text::Name,
};
use taquilla_rules::{admin, boxoffice};

use crate::harness::configured;
use crate::harness::{Engine, PATIENCE, World, event, in_browser, order, pictures, ticket, ticket_type, with};

// On PostgreSQL the night has only those scenes in which the server decides.
both_engines![staff_scan_with_their_phones_with_and_without_signal, the_page_is_served_with_its_parts_and_nothing_else,];

// What the page does by itself, whatever the server keeps its data in.
on_sqlite![
    lists_and_uploads_survive_bad_links_bad_networks_and_bad_luck,
    every_screen_fits_and_can_be_used_by_everybody,
    one_code_is_one_decision_and_its_answer_is_seen,
    the_camera_holds_up_nobody_and_comes_back,
    iphones_and_older_browsers_scan_too,
    a_hand_scanner_is_read_whole_however_it_is_set,
];

async fn staff_scan_with_their_phones_with_and_without_signal(world: World) {
    play(&world, "a-night").await;
    let log = &world.contents(&[]).await["scans"];
    assert!(log.iter().any(|line| line.contains("turned_away")), "what a phone refused by itself is in the log");
}

async fn every_screen_fits_and_can_be_used_by_everybody(world: World) {
    play(&world, "screens").await;
}

async fn one_code_is_one_decision_and_its_answer_is_seen(world: World) {
    play(&world, "codes-in-view").await;
}

async fn the_camera_holds_up_nobody_and_comes_back(world: World) {
    play(&world, "a-slow-phone").await;
}

async fn lists_and_uploads_survive_bad_links_bad_networks_and_bad_luck(world: World) {
    play(&world, "lists-and-uploads").await;
}

async fn iphones_and_older_browsers_scan_too(world: World) {
    play(&world, "other-phones").await;
}

async fn a_hand_scanner_is_read_whole_however_it_is_set(world: World) {
    play(&world, "hand-scanner").await;
}

/// Plays one of the scripts in `web/tests/scripts` in a browser, at the door of an event.
async fn play(world: &World, script: &str) {
    let producer = world.producer("pr_a").await;
    let held = |id: &str, name: &str| {
        with(ticket(id, "ev", "tt"), json!({"attendee": {"name": name, "email": "someone@example.com"}}))
    };
    let spare: Vec<String> = (1..=40).map(|number| format!("SPARE-{number:02}")).collect();
    let mut lines = vec![
        with(event("ev"), json!({"name": "Aurora Live", "venue": "Sala Aurora", "starts_at": "2026-11-01T20:00:00Z"})),
        with(event("ev_other"), json!({"name": "Winter Opening"})),
        with(event("ev_late"), json!({"name": "Late Show", "starts_at": "2026-11-01T23:00:00Z"})),
        with(ticket_type("tt_late", "ev_late"), json!({"name": "Late", "door_note": "needs a wristband"})),
        with(ticket_type("tt", "ev"), json!({"name": "General", "reentry": true})),
        with(ticket_type("tt_beer", "ev"), json!({"name": "Beer", "category": "merchandise"})),
        ticket_type("tt_other", "ev_other"),
        with(order("or_back", "ev", "tt"), json!({"status": "refunded"})),
        held("7Q2M4X8K1T9B7YH2RCDP6XW3NV", "Ana Ruiz"),
        held("TYPED-1", "Bruno Salas"),
        held("0ABCDEFGHJKMNPQRSTVWXYZ234", "Carla Méndez"),
        held("WEDGE-1", "Diego Vidal"),
        held("NATIVE-1", "Nora Blanco"),
        with(held("GONE-1", "Elena Prieto"), json!({"cancelled_at": "2026-10-02"})),
        with(held("BACK-1", "Félix Romero"), json!({"order_id": "or_back"})),
        held("PASSED-1", "Gala Ortiz"),
        with(ticket("BEER-1", "ev", "tt_beer"), json!({"attendee": {"name": "Hugo Marín"}})),
        ticket("OTHER-1", "ev_other", "tt_other"),
        held("OFFLINE-A", "Inés Campos"),
        held("OFFLINE-B", "Jorge Peña"),
        held("OFFLINE-C", "Karla Ríos"),
        held("KILLED-1", "Lucas Soler"),
        held("OUT-1", "Yara Out"),
    ];
    let late = |id: &str, name: &str, note: &str| {
        with(ticket(id, "ev_late", "tt_late"), json!({"attendee": {"name": name}, "door_note": note}))
    };
    let kiosk = ["KIOSK-1", "KIOSK-2"];
    lines.extend([late("LATE-1", "Yago Late", "VIP"), late("LATE-2", "Zoe Late", "under 18")]);
    lines.extend(kiosk.iter().map(|code| late(code, "Kira Kiosk", "of the band")));
    let desk = ["DESK-1", "DESK-2", "DESK-3", "DESK-4", "DESK-5"];
    lines.extend(
        desk.iter()
            .zip(["Quima Desk", "Rosa Desk", "Saúl Desk", "Wanda Desk", "Xavi Desk"])
            .map(|(code, name)| held(code, name)),
    );
    let party = ["PARTY-1", "PARTY-2", "PARTY-3"];
    lines.push(order("or_party", "ev", "tt"));
    lines.extend(
        party
            .iter()
            .zip(["Tina Party", "Uma Party", "Vera Party"])
            .map(|(code, name)| with(held(code, name), json!({"order_id": "or_party"}))),
    );
    let group = ["GROUP-1", "GROUP-2", "GROUP-3", "GROUP-4"];
    lines.push(order("or_group", "ev", "tt"));
    lines.extend(group.iter().map(|code| with(held(code, "Pilar Ibáñez"), json!({"order_id": "or_group"}))));
    lines.extend(spare.iter().map(|code| held(code, "Olga Nieto")));
    world.import(producer.tenant, &lines).await;
    let to = Person { name: "Mara Gil".into(), ..Person::default() };
    boxoffice::transfer(&world.store, producer.tenant, "PASSED-1", &to, world.now()).await.unwrap();

    let name = |text: &str| Name::parse(text).unwrap();
    let gates = || Stations::new([name("Gate 1"), name("Gate 2")]).unwrap();
    let new = |label: &str, category: Category, pin: Option<&str>| NewDoorLink {
        label: name(label),
        stations: if pin.is_none() { gates() } else { Stations::default() },
        pin: pin.map(|pin| Pin::parse(pin).unwrap()),
        ..World::new_door("ev", &[category])
    };
    // This test is not about timeouts and rate limits.
    let patient = configured(Config::default(), |config| {
        config.timeouts.request = PATIENCE;
        config.rates.door = None;
    });
    let (_server, client) = world.another_server(patient).await;
    let base = &client.base;
    let url = |token: &str| format!("{base}/door#{token}");
    let (gate, link) = world.door_link(producer.tenant, new("Main gate", Category::Ticket, None)).await;
    let (guarded, _) = world.door_link(producer.tenant, new("VIP entrance", Category::Ticket, Some("4711"))).await;
    let (elsewhere, _) = world.door(producer.tenant, "ev", &[]).await;
    let asks = LinkOption::Confirm;
    let alone = [asks, LinkOption::Kiosk, LinkOption::Out];
    let options = LinkOption::ALL.iter().copied().filter(|option| !alone.contains(option)).collect();
    let at_asking =
        NewDoorLink { options: [asks].into_iter().collect(), ..new("Identity check", Category::Ticket, None) };
    let (at_asking, _) = world.door_link(producer.tenant, at_asking).await;
    let (at_desk, _) =
        world.door_link(producer.tenant, NewDoorLink { options, ..new("Guest desk", Category::Ticket, None) }).await;
    let garden = |label: &str, options: &[LinkOption]| NewDoorLink {
        zone: Some(name("Garden")),
        options: options.iter().copied().collect(),
        ..new(label, Category::Ticket, None)
    };
    let (at_garden, _) = world.door_link(producer.tenant, garden("Garden", &[])).await;
    let (at_exit, _) = world.door_link(producer.tenant, garden("Exit", &[LinkOption::Out])).await;
    let limits = [("Garden".to_owned(), Count::parse("1").unwrap())];
    admin::inside::set_limits(&world.store, producer.tenant, "ev", &limits, &world.by()).await.unwrap();
    let night = NewDoorLink { more_events: vec!["ev_late".into()], ..new("Both shows", Category::Ticket, None) };
    let (night, _) = world.door_link(producer.tenant, night).await;
    let by_themselves = |pin: Option<&str>| NewDoorLink {
        event_id: "ev_late".into(),
        options: [LinkOption::Kiosk].into_iter().collect(),
        ..new("Tablet", Category::Ticket, pin)
    };
    let (at_kiosk, _) = world.door_link(producer.tenant, by_themselves(None)).await;
    let (at_guarded_kiosk, _) = world.door_link(producer.tenant, by_themselves(Some("4711"))).await;
    // What was imported is found by name from now on.
    world.step(SEARCH_POLL);
    let (bar, _) = world.door_link(producer.tenant, new("Bar", Category::Merchandise, None)).await;
    let asked = json!({
        "script": script, "url": url(&gate), "pin_url": url(&guarded), "pin": "4711", "bar_url": url(&bar), "desk_url": url(&at_desk), "asking_url": url(&at_asking),
        "garden_url": url(&at_garden), "exit_url": url(&at_exit),
        "night_url": url(&night), "kiosk_url": url(&at_kiosk), "kiosk_pin_url": url(&at_guarded_kiosk),
        "elsewhere": {"base": base, "token": elsewhere},
        "codes": {
            "camera": "7Q2M4X8K1T9B7YH2RCDP6XW3NV", "typed": "TYPED-1", "lower": "0abcdefghjkmnpqrstvwxyz234",
            "wedge": "WEDGE-1", "native": "NATIVE-1", "cancelled": "GONE-1", "refunded": "BACK-1", "transferred": "PASSED-1",
            "bar": "BEER-1", "other_event": "OTHER-1", "offline": ["OFFLINE-A", "OFFLINE-B", "OFFLINE-C"],
            "killed": ["KILLED-1"], "group": group, "desk": desk, "party": party, "out": "OUT-1", "spare": spare,
            "night": {"late": "LATE-1", "later": "LATE-2", "elsewhere": "OTHER-1", "kiosk": kiosk},
        },
        "revoke": [env!("CARGO_BIN_EXE_taquilla"), "door-link", "revoke", link.id, "--database", world.address],
        "whole": world.engine == Engine::Sqlite, "pictures": pictures(),
    });
    let told = in_browser("door.mjs", asked).await;
    assert_eq!(world.findings().await, []);
    // What a script measured; `--success-output final` shows it.
    print!("{told}");
}

async fn the_page_is_served_with_its_parts_and_nothing_else(world: World) {
    let page = get(&world, "/door", &[]).await;
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    let mut parts = Vec::new();
    for (at, _) in page.text.match_indices("=\"/door/") {
        parts.push(page.text[at + 2..].split('"').next().unwrap().to_owned());
    }
    assert!(parts.len() >= 3, "{}", page.text);
    for part in parts.iter().map(String::as_str).chain(["/door/sw.js", "/door/manifest.webmanifest", "/door/icon.svg"])
    {
        let file = get(&world, part, &[]).await;
        let cached = if part.starts_with("/door/assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
        assert_eq!((file.status.as_u16(), file.header("cache-control")), (200, Some(cached)), "{part}");
        let tag = file.header("etag").unwrap();
        assert_eq!(get(&world, part, &[("if-none-match", tag)]).await.status, 304, "{part}");
        for (asked, packed) in [("gzip", true), ("zstd, gzip;q=0.5", true), ("gzip;q=0", false), ("br", false)] {
            let encoding = packed.then_some("gzip");
            assert_eq!(
                get(&world, part, &[("accept-encoding", asked)]).await.header("content-encoding"),
                encoding,
                "{part} for {asked}"
            );
        }
    }
    assert_eq!(get(&world, "/door/sw.js", &[]).await.header("service-worker-allowed"), Some("/door"));
    assert_eq!(get(&world, "/door/", &[]).await.header("location"), Some("/door"));
    for missing in [
        "/door/nothing.js",
        "/door/../Cargo.toml",
        "/door/%2e%2e/Cargo.toml",
        "/door/index.html",
        "/door/index.html.gz",
        "/door/v1/nothing",
        "/door/%FF",
        "/door/assets/",
    ] {
        assert_eq!(get(&world, missing, &[]).await.status, 404, "{missing}");
    }
}

async fn get(world: &World, path: &str, headers: &[(&str, &str)]) -> crate::harness::Answer {
    world.client.send(Method::GET, path, headers).await
}
