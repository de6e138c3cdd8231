//! The door in the dashboard: its figures, their stream, and door links.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use taquilla_domain::{
    admit::Scope,
    config::{Config, LIVE_STREAMS_PER_USER, PostgresTimeouts},
    role::BuiltInRole,
    status::Category,
    text::Name,
};
use taquilla_rules::boxoffice;
use tokio::time::timeout;

use crate::harness::configured;
use crate::harness::{
    Client, PATIENCE, Page, Producer, Staff, Stream, World, event, figure, order, ticket, ticket_type, with, words,
};

both_engines![
    the_figures_follow_every_scan,
    imports_and_old_entries_are_in_the_figures,
    names_and_codes_stay_with_those_who_may_see_them,
    a_stream_tells_what_changes_and_goes_on_where_it_broke_off,
    a_stream_ends_with_the_right_to_see_it,
    an_entry_at_one_server_is_told_by_another,
    a_server_that_stops_does_not_wait_for_streams,
    a_user_has_so_many_streams,
    a_door_link_is_made_used_and_revoked,
    doors_of_others_are_not_there,
    the_events_of_tonight_come_first,
];

const DOOR: &str = "/dashboard/p/pr_a/door/ev";

/// An event with tickets for people and for drinks.
async fn a_night(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![
        with(event("ev"), json!({"name": "Night", "starts_at": "2026-11-01T20:00:00Z", "timezone": "Europe/Madrid"})),
        with(ticket_type("tt", "ev"), json!({"name": "General"})),
        with(ticket_type("tt_vip", "ev"), json!({"name": "VIP"})),
        with(ticket_type("tt_beer", "ev"), json!({"name": "Beer", "category": "merchandise"})),
        order("or", "ev", "tt"),
        with(ticket("PAID", "ev", "tt"), json!({"order_id": "or"})),
        ticket("BEER", "ev", "tt_beer"),
        ticket("VIP-1", "ev", "tt_vip"),
    ];
    lines.extend((0..6).map(|number| {
        with(ticket(&format!("CODE-{number}"), "ev", "tt"), json!({"attendee": {"name": format!("Guest {number}")}}))
    }));
    world.import(producer.tenant, &lines).await;
    producer
}

async fn a_gate(world: &World, producer: &Producer, label: &str) -> (String, String) {
    let new = taquilla_domain::door_link::NewDoorLink {
        label: Name::parse(label).unwrap(),
        scope: Scope::default(),
        ..World::new_door("ev", &[])
    };
    let (token, link) = world.door_link(producer.tenant, new).await;
    (token, link.id)
}

/// Shows a code at a door, and gives the outcome.
async fn scan(client: &Client, token: &str, code: &str, scan_id: &str, station: &str) -> String {
    let body = json!({"code": code, "scan_id": scan_id, "station": station});
    let answer = client.post("/door/v1/scan", &[("authorization", &format!("Bearer {token}"))], &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["outcome"].as_str().unwrap().to_owned()
}

/// Sends what a phone has decided by itself.
async fn upload(world: &World, token: &str, scans: &Value) -> Vec<String> {
    let header = format!("Bearer {token}");
    let answer = world.client.post("/door/v1/scans", &[("authorization", &header)], &json!({"scans": scans})).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let results = answer.json()["results"].as_array().unwrap().clone();
    results.iter().map(|result| result["outcome"].as_str().unwrap().to_owned()).collect()
}

/// What a section of the page says.
fn section(html: &str, id: &str) -> String {
    let page = html.split_once(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id} in {html}")).1;
    words(&format!("<{}", page.split_once("</section>").unwrap().0))
}

async fn live(staff: &Staff) -> Page {
    let page = staff.get(DOOR).await;
    assert_eq!(page.status, 200, "{}", page.text);
    page
}

async fn the_figures_follow_every_scan(world: World) {
    let producer = a_night(&world).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let empty = live(&ana).await;
    assert_eq!((figure(&empty.text, "entered"), figure(&empty.text, "to-come")), ("0".into(), "8".into()));
    assert!(empty.text.contains("There is no door link for this event yet."));

    let (main, _) = a_gate(&world, &producer, "Main gate").await;
    let (bar, _) = a_gate(&world, &producer, "Bar").await;
    assert_eq!(scan(&world.client, &main, "CODE-0", "a", "Gate 1").await, "admitted");
    assert_eq!(scan(&world.client, &main, "CODE-0", "b", "Gate 2").await, "already_scanned");
    assert_eq!(scan(&world.client, &main, "NO-SUCH", "c", "Gate 2").await, "unknown");
    world.step(Duration::from_secs(120));
    assert_eq!(scan(&world.client, &main, "CODE-1", "d", "Gate 2").await, "admitted");
    assert_eq!(scan(&world.client, &main, "VIP-1", "e", "Gate 2").await, "admitted");
    assert_eq!(scan(&world.client, &bar, "BEER", "f", "Bar").await, "admitted");
    assert_eq!(scan(&world.client, &main, "PAID", "p", "Gate 1").await, "admitted");
    // A phone without signal let somebody in with a ticket that had entered, turned somebody away, and was right once.
    let kept = json!([
        {"code": "CODE-1", "scan_id": "g", "station": "Side door", "scanned_at": "2026-11-01T12:01:30Z"},
        {"code": "CODE-2", "scan_id": "h", "station": "Side door", "turned_away": true},
        {"code": "CODE-3", "scan_id": "i", "station": "Side door"},
    ]);
    assert_eq!(upload(&world, &main, &kept).await, ["already_scanned", "turned_away", "admitted"]);

    let page = live(&ana).await;
    assert_eq!((figure(&page.text, "entered"), figure(&page.text, "to-come")), ("5".into(), "3".into()));
    assert_eq!((figure(&page.text, "refused-count"), figure(&page.text, "conflict-count")), ("4".into(), "1".into()));
    let by_type = section(&page.text, "by-type");
    for row in ["General 4 3", "VIP 1 0", "Beer 1 0", "Admission 5 3", "Bar and shop 1 0", "All together 6 3"] {
        assert!(by_type.contains(row), "{row} in {by_type}");
    }
    let by_station = section(&page.text, "by-station");
    for row in ["Gate 1 2", "Gate 2 2", "Side door 1", "Bar 1"] {
        assert!(by_station.contains(row), "{row} in {by_station}");
    }
    let by_link = section(&page.text, "by-link");
    assert!(by_link.contains("Main gate works 5 4 1") && by_link.contains("Bar works 1 0 0"), "{by_link}");
    // Noon in UTC is one o'clock there. Nobody came in the minute between.
    let by_minute = section(&page.text, "by-minute");
    assert!(by_minute.contains("13:00 1 0 13:01 0 0 13:02 4 1"), "{by_minute}");
    let latest = section(&page.text, "latest");
    assert!(latest.contains("13:02:00 Guest 3 General Side door"), "{latest}");
    let refused = section(&page.text, "refused");
    for row in
        ["Refused by a phone without signal", "No ticket of ours", "Entered already entered before: 13:00:00 , Gate 1"]
    {
        assert!(refused.contains(row), "{row} in {refused}");
    }
    let conflicts = section(&page.text, "conflicts");
    assert!(conflicts.contains("scanned 13:01:30") && conflicts.contains("13:02:00 , Gate 2 Guest 1"), "{conflicts}");
    assert!(!page.text.contains("CODE-"), "a code opens the door");

    // What goes back leaves the counts again.
    boxoffice::cancel(&world.store, producer.tenant, "CODE-0", world.now()).await.unwrap();
    boxoffice::hide(&world.store, producer.tenant, "CODE-1", world.now()).await.unwrap();
    boxoffice::refund(&world.store, producer.tenant, "or", world.now()).await.unwrap();
    let page = live(&ana).await;
    assert_eq!((figure(&page.text, "entered"), figure(&page.text, "to-come")), ("2".into(), "3".into()));
    let by_minute = section(&page.text, "by-minute");
    assert!(by_minute.contains("13:00 0 0 13:01 0 0 13:02 2 1"), "{by_minute}");
    assert_eq!(world.findings().await, []);
    let screen = ana.get(&format!("{DOOR}/screen")).await;
    assert_eq!(figure(&screen.text, "entered"), "2");
    assert!(!screen.text.contains("Guest"), "everybody sees a screen");
    let part = ana.get(&format!("{DOOR}?part=figures")).await;
    assert!(!part.text.contains("<html") && figure(&part.text, "entered") == "2", "{}", part.text);
}

async fn imports_and_old_entries_are_in_the_figures(world: World) {
    let producer = a_night(&world).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let at = |time: &str| json!({"checked_in_at": time, "checked_in_by": "Gate 9"});
    world
        .import(
            producer.tenant,
            &[
                with(ticket("OLD-1", "ev", "tt"), at("2026-10-31T22:00:59Z")),
                with(ticket("OLD-2", "ev", "tt"), at("2026-10-31T22:01:00Z")),
                with(ticket("OLD-3", "ev", "tt"), at("2026-10-31T22:01:59.999999Z")),
                // Long before the others: not in the chart, but counted.
                with(ticket("OLD-4", "ev", "tt"), at("1969-12-31T23:59:30Z")),
                with(ticket("OLD-5", "ev", "tt"), json!({"checked_in_at": "2026-10-31T22:01:00Z"})),
            ],
        )
        .await;
    let page = live(&ana).await;
    assert_eq!(figure(&page.text, "entered"), "5");
    let by_minute = section(&page.text, "by-minute");
    assert!(by_minute.contains("23:00 1 0 23:01 3 0") && !by_minute.contains("23:02"), "{by_minute}");
    let by_station = section(&page.text, "by-station");
    assert!(by_station.contains("Gate 9 4 Others, and not known 1"), "{by_station}");
    assert_eq!(world.findings().await, []);
}

const STREAM: &str = "/dashboard/p/pr_a/door/ev/stream";

async fn names_and_codes_stay_with_those_who_may_see_them(world: World) {
    let producer = a_night(&world).await;
    let (gate, _) = a_gate(&world, &producer, "Main gate").await;
    scan(&world.client, &gate, "CODE-0", "a", "Gate 1").await;
    scan(&world.client, &gate, "CODE-0", "b", "Gate 1").await;
    let kept = json!([{"code": "CODE-0", "scan_id": "c", "station": "Gate 2"}]);
    upload(&world, &gate, &kept).await;
    for (role, sees) in [
        (BuiltInRole::Administrator, true),
        (BuiltInRole::BoxOffice, true),
        (BuiltInRole::DoorManager, false),
        (BuiltInRole::Viewer, false),
    ] {
        let staff = world.staff(producer.tenant, &format!("{}@x.example", role.as_str()), role).await;
        let streamed = Stream::open(&world.client.base, &staff, STREAM, None).await.until_entered("1").await.html;
        let on_screen = Stream::open(&world.client.base, &staff, &format!("{STREAM}?view=screen"), None)
            .await
            .until_entered("1")
            .await;
        assert!(!on_screen.html.contains("Guest") && !on_screen.html.contains("CODE-0"));
        for text in [live(&staff).await.text, staff.get(&format!("{DOOR}?part=figures")).await.text, streamed] {
            assert_eq!(text.contains("Guest 0"), sees, "{}: {text}", role.as_str());
            assert_eq!(text.matches("•••").count(), if sees { 0 } else { 4 }, "{}: {text}", role.as_str());
            assert!(!text.contains("CODE-0"), "a code opens the door: {text}");
        }
    }
}

async fn a_stream_tells_what_changes_and_goes_on_where_it_broke_off(world: World) {
    let producer = a_night(&world).await;
    let (gate, _) = a_gate(&world, &producer, "Main gate").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let base = &world.client.base;
    let asked = Stream::ask(base, &ana, STREAM, None).await;
    assert_eq!(asked.headers()["x-accel-buffering"], "no", "proxies are asked to pass it on as it comes");
    let mut stream = Stream::open(base, &ana, STREAM, None).await;
    let first = stream.until_entered("0").await;
    scan(&world.client, &gate, "CODE-0", "a", "Gate 1").await;
    let second = stream.until_entered("1").await;
    assert!(second.id.parse::<i64>().unwrap() > first.id.parse::<i64>().unwrap());
    drop(stream);
    // Nothing has changed meanwhile, so the next message is about what changes now.
    let mut again = Stream::open(base, &ana, STREAM, Some(&second.id)).await;
    let mut late = Stream::open(base, &ana, STREAM, Some(&first.id)).await;
    assert_eq!(figure(&late.next().await.unwrap().html, "entered"), "1", "who missed something is told at once");
    scan(&world.client, &gate, "CODE-1", "b", "Gate 1").await;
    assert_eq!(figure(&again.next().await.unwrap().html, "entered"), "2");
    late.until_entered("2").await;
    // In Spanish, with the same stamp.
    ana.set_cookie("taquilla-language", "es");
    let spanish = Stream::open(base, &ana, STREAM, None).await.until_entered("2").await;
    assert!(spanish.html.contains("Han entrado"), "{}", spanish.html);
}

async fn a_stream_ends_with_the_right_to_see_it(world: World) {
    let producer = a_night(&world).await;
    let base = &world.client.base;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let bea_id = world.user(producer.tenant, "bea@x.example", "viewer").await;
    let bea = Staff::new(base);
    assert_eq!(bea.sign_in("bea@x.example").await.status, 303);
    let carl = world.staff(producer.tenant, "carl@x.example", BuiltInRole::Viewer).await;
    let dora_id = world.user(producer.tenant, "dora@x.example", "door_manager").await;
    let dora = Staff::new(base);
    assert_eq!(dora.sign_in("dora@x.example").await.status, 303);

    let mut open = Vec::new();
    for staff in [&bea, &carl, &dora] {
        let mut stream = Stream::open(base, staff, STREAM, None).await;
        stream.until_entered("0").await;
        open.push(stream);
    }
    let mut own = Stream::open(base, &ana, STREAM, None).await;
    own.until_entered("0").await;
    // One leaves the team, one signs out, and one gets another role.
    let removed = ana.post(&format!("/dashboard/p/pr_a/team/members/{bea_id}/remove"), &[]).await;
    assert_eq!(removed.status, 303, "{}", removed.text);
    assert_eq!(carl.post("/dashboard/sign-out", &[]).await.status, 303);
    let changed = ana.post(&format!("/dashboard/p/pr_a/team/members/{dora_id}/role"), &[("role", "box_office")]).await;
    assert_eq!(changed.status, 303, "{}", changed.text);
    for stream in open {
        stream.end().await;
    }
    assert_eq!(Stream::ask(base, &bea, STREAM, None).await.status(), 404);
    assert_eq!(Stream::ask(base, &carl, STREAM, None).await.status(), 303);
    assert_eq!(Stream::ask(base, &dora, STREAM, None).await.status(), 200, "with what she may see now");
    let (gate, _) = a_gate(&world, &producer, "Main gate").await;
    scan(&world.client, &gate, "CODE-0", "a", "Gate 1").await;
    own.until_entered("1").await;
}

async fn an_entry_at_one_server_is_told_by_another(world: World) {
    let producer = a_night(&world).await;
    let (gate, _) = a_gate(&world, &producer, "Main gate").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let [(_first, here), (_second, there)] = world.two_servers().await;
    let mut stream = Stream::open(&there.base, &ana, STREAM, None).await;
    stream.until_entered("0").await;
    let mut slowest = Duration::ZERO;
    for number in 0..5 {
        world.step(Duration::from_secs(1));
        scan(&here, &gate, &format!("CODE-{number}"), &format!("s{number}"), "Gate 1").await;
        let entered = Instant::now();
        stream.until_entered(&(number + 1).to_string()).await;
        slowest = slowest.max(entered.elapsed());
    }
    println!("told by the other server after at most {slowest:?}");
}

async fn a_server_that_stops_does_not_wait_for_streams(world: World) {
    let producer = a_night(&world).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    // Whoever waited for a stream would wait for this long.
    let config = configured(Config::default(), |config| config.timeouts.stop = PATIENCE * 2);
    let mut world = world.reopened(config, PostgresTimeouts::default()).await;
    let mut stream = Stream::open(&world.client.base, &ana, STREAM, None).await;
    stream.until_entered("0").await;
    timeout(PATIENCE, world.server.stop()).await.expect("the server waits for a stream");
    stream.end().await;
}

async fn a_user_has_so_many_streams(world: World) {
    let producer = a_night(&world).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let bea = world.staff(producer.tenant, "bea@x.example", BuiltInRole::Viewer).await;
    let base = &world.client.base;
    let mut open = Vec::new();
    for _ in 0..LIVE_STREAMS_PER_USER {
        let mut stream = Stream::open(base, &ana, STREAM, None).await;
        stream.until_entered("0").await;
        open.push(stream);
    }
    let refused = Stream::ask(base, &ana, STREAM, None).await;
    assert_eq!(refused.status(), 429);
    assert!(refused.headers()["retry-after"].to_str().unwrap().parse::<u64>().unwrap() > 0);
    assert_eq!(live(&ana).await.status, 200, "the page is there all the same");
    Stream::open(base, &bea, STREAM, None).await.until_entered("0").await;
    // Places are free again once their streams are gone, which the server notices when it next writes to them.
    drop(open);
    let mut to_enter = (0..6).map(|number| format!("CODE-{number}"));
    let began = Instant::now();
    while Stream::ask(base, &ana, STREAM, None).await.status() != 200 {
        assert!(began.elapsed() < PATIENCE, "streams that are gone keep their places");
        // Each entry is written to every stream. After the last one, it is the beat that is.
        if let Some(code) = to_enter.next() {
            boxoffice::scan(&world.store, producer.tenant, &code, "North", world.now()).await.unwrap();
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn a_door_link_is_made_used_and_revoked(world: World) {
    let producer = a_night(&world).await;
    let dora = world.staff(producer.tenant, "dora@x.example", BuiltInRole::DoorManager).await;
    let links = format!("{DOOR}/links");
    assert!(dora.get(&links).await.text.contains("No door links yet"));
    let form = dora.get(&format!("{links}/new")).await;
    // Twelve hours after the start, by the clocks of the event.
    assert!(form.text.contains("value=\"2026-11-02T09:00\"") && form.text.contains("General"), "{}", form.text);
    for (field, value) in [
        ("label", " "),
        ("pin", "12"),
        ("pin", "abcd"),
        ("expires_at", "tomorrow"),
        ("expires_at", "2026-10-31T20:00"),
        ("ticket_type", "tt_none"),
        ("stations", "a\nb\u{202e}c"),
    ] {
        let mut fields = vec![("label", "Main gate"), ("category", "ticket")];
        fields.retain(|(name, _)| *name != field);
        fields.push((field, value));
        let page = dora.post(&links, &fields).await;
        assert_eq!(page.status, 422, "{field} {value}: {}", page.text);
        assert!(page.text.contains(&format!("id=\"{field}-error\"")), "{field}: {}", page.text);
    }
    assert!(dora.get(&links).await.text.contains("No door links yet"), "nothing was made");

    let fields = [
        ("label", "Main gate <b>"),
        ("category", "ticket"),
        ("ticket_type", "tt_beer"),
        ("stations", "Gate 1\r\n Gate 2 \r\n\r\n"),
        ("pin", "4711"),
        ("expires_at", "2026-11-02T03:30"),
    ];
    let made = dora.post(&links, &fields).await;
    assert_eq!(made.status, 200, "{}", made.text);
    assert!(made.text.contains("<svg") && made.text.contains("Main gate &#60;b&#62;"), "{}", made.text);
    let url = made.between("<code id=\"link\">", "</code>").to_owned();
    let token = url.split_once("/door#").unwrap().1.to_owned();
    let list = dora.get(&links).await;
    assert!(!list.text.contains(&token) && list.text.contains(&token[token.len() - 4..]), "{}", list.text);
    for part in ["Gate 1, Gate 2", "Admission, Beer", "Mon 2 Nov, 03:30", "works"] {
        assert!(list.text.contains(part), "{part}: {}", list.text);
    }
    let header = format!("Bearer {token}");
    let open = |body: Value| {
        let (client, header) = (world.client.clone(), header.clone());
        async move { client.post("/door/v1/open", &[("authorization", &header)], &body).await }
    };
    assert_eq!(open(json!({})).await.status, 403, "without the PIN");
    let opened = open(json!({"pin": "4711"})).await.json();
    // Half past three there is half past two in UTC.
    assert_eq!(opened["link"]["expires_at"], "2026-11-02T02:30:00.000000Z");
    assert_eq!(opened["link"]["stations"], json!(["Gate 1", "Gate 2"]));

    let id = opened["link"]["id"].as_str().unwrap();
    let revoke = format!("{links}/{id}/revoke");
    assert!(dora.get(&revoke).await.text.contains("Revoke the link"));
    assert_eq!(dora.get(&format!("/dashboard/p/pr_a/door/ev_other/links/{id}/revoke")).await.status, 404);
    assert_eq!(dora.post(&revoke, &[]).await.leads_to(), format!("{links}?done=door-link-revoked"));
    assert_eq!(open(json!({"pin": "4711"})).await.status, 401);
    assert!(dora.get(&links).await.text.contains("revoked"));
    let written = world.raw().await.rows("SELECT action, actor, details FROM audit ORDER BY id").await;
    for action in ["door_link.created", "door_link.revoked"] {
        assert!(written.iter().any(|row| row[0] == action && row[1] == "dora@x.example"), "{action}: {written:?}");
    }
    assert!(!written.iter().any(|row| row[2].contains(&token) || row[2].contains("4711")), "no secret: {written:?}");
    // Those who only look get no link.
    let vera = world.staff(producer.tenant, "vera@x.example", BuiltInRole::Viewer).await;
    assert!(!live(&vera).await.text.contains("/links"));
    assert!(live(&dora).await.text.contains(&format!("{links}\"")));
}

async fn doors_of_others_are_not_there(world: World) {
    let own = a_night(&world).await;
    let other = world.producer("pr_b").await;
    world.import(other.tenant, &[event("ev_b"), ticket_type("tt_b", "ev_b")]).await;
    let new = World::new_door("ev_b", &[Category::Ticket]);
    let (_, link) = world.door_link(other.tenant, new).await;
    let ana = world.staff(own.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    for path in ["", "/stream", "/screen", "/links", "/links/new", &format!("/links/{}/revoke", link.id)] {
        assert_eq!(ana.get(&format!("/dashboard/p/pr_a/door/ev_b{path}")).await.status, 404, "{path}");
        assert_eq!(ana.get(&format!("/dashboard/p/pr_b/door/ev_b{path}")).await.status, 404, "{path}");
    }
    assert_eq!(ana.get(&format!("{DOOR}/links/{}/revoke", link.id)).await.status, 404);
    assert_eq!(ana.post(&format!("{DOOR}/links/{}/revoke", link.id), &[]).await.status, 404);
    assert_eq!(ana.post("/dashboard/p/pr_a/door/ev_b/links", &[("label", "x")]).await.status, 404);
    assert!(!ana.get("/dashboard/p/pr_a/door").await.text.contains("ev_b"));
}

async fn the_events_of_tonight_come_first(world: World) {
    let producer = a_night(&world).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let named =
        |id: &str, starts: Option<&str>| with(event(id), json!({"name": format!("The {id}"), "starts_at": starts}));
    world
        .import(
            producer.tenant,
            &[
                named("later", Some("2026-12-24T20:00:00Z")),
                named("sooner", Some("2026-11-20T20:00:00Z")),
                named("begun", Some("2026-11-01T01:00:00Z")),
                named("over", Some("2026-10-20T20:00:00Z")),
                named("undated", None),
            ],
        )
        .await;
    let page = ana.get("/dashboard/p/pr_a/door").await;
    let places: Vec<usize> =
        ["Tonight", "The begun", "0 / 8", "Next", "The sooner", "The later", "The over", "The undated"]
            .iter()
            .map(|name| page.text.find(name).unwrap_or_else(|| panic!("no {name} in {}", page.text)))
            .collect();
    assert!(places.is_sorted(), "{places:?}");
    assert!(page.text.contains(">Sun 1 Nov, 21:00"), "by the clocks there");
}
