//! Doors of a night: one link for several events, and a device at which guests scan by themselves.

use serde_json::{Value, json};
use taquilla_domain::{
    config::{LINK_EVENTS_MAX, SEARCH_POLL},
    door_link::{LinkOption, NewDoorLink},
    role::BuiltInRole,
    status::Category,
};
use taquilla_rules::admin;

use crate::harness::{Answer, Producer, World, event, order, taquilla, ticket, ticket_type, until, with, words};

both_engines![
    one_link_admits_the_tickets_of_several_events,
    a_link_for_several_events_is_made_by_staff_and_stands_at_each_of_them,
    guests_who_scan_by_themselves_read_no_names,
];

const PAGE: &str = "/dashboard/p/pr_a";

/// Two shows of one night, one of the day after next, and a beer.
async fn a_night(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let show = |id: &str, name: &str, at: &str| with(event(id), json!({"name": name, "starts_at": at}));
    let held = |id: &str, event: &str, kind: &str, name: &str| {
        with(ticket(id, event, kind), json!({"attendee": {"name": name, "email": "someone@x.example"}}))
    };
    let lines = [
        show("ev_early", "Early show", "2026-11-14T19:00:00Z"),
        show("ev_late", "Late show", "2026-11-14T22:00:00Z"),
        show("ev_other", "Matinee", "2026-11-16T12:00:00Z"),
        with(ticket_type("tt_early", "ev_early"), json!({"name": "General"})),
        with(ticket_type("tt_beer", "ev_early"), json!({"name": "Beer", "category": "merchandise"})),
        with(ticket_type("tt_late", "ev_late"), json!({"name": "General", "door_note": "stamp the hand"})),
        ticket_type("tt_other", "ev_other"),
        with(
            order("or_late", "ev_late", "tt_late"),
            json!({"items": [{"ticket_type_id": "tt_late", "quantity": 2, "unit_price": 25}]}),
        ),
        held("EARLY", "ev_early", "tt_early", "Ana Early"),
        held("BEER", "ev_early", "tt_beer", "Ana Early"),
        with(held("LATE", "ev_late", "tt_late", "Leo Late"), json!({"order_id": "or_late", "door_note": "VIP"})),
        with(held("LATER", "ev_late", "tt_late", "Lola Late"), json!({"order_id": "or_late"})),
        held("OTHER", "ev_other", "tt_other", "Olga Other"),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

async fn call(world: &World, link: &str, path: &str, body: &Value) -> Answer {
    world.client.post(&format!("/door/v1/{path}"), &[("authorization", &format!("Bearer {link}"))], body).await
}

async fn read(world: &World, link: &str, path: &str) -> Value {
    let bearer = format!("Bearer {link}");
    let path = format!("/door/v1/{path}");
    world.client.send(reqwest::Method::GET, &path, &[("authorization", &bearer)]).await.json()
}

async fn scan(world: &World, link: &str, code: &str, scan_id: &str) -> Value {
    call(world, link, "scan", &json!({"code": code, "scan_id": scan_id})).await.json()
}

fn counts(counts: &Value) -> (i64, i64) {
    (counts["entered"].as_i64().unwrap(), counts["to_come"].as_i64().unwrap())
}

/// A link for both shows of the night.
fn both(options: &[LinkOption]) -> NewDoorLink {
    NewDoorLink {
        more_events: vec!["ev_late".into(), "ev_early".into(), "ev_late".into()],
        options: options.iter().copied().collect(),
        ..World::new_door("ev_early", &[Category::Ticket])
    }
}

async fn one_link_admits_the_tickets_of_several_events(world: World) {
    let producer = a_night(&world).await;
    let options = [LinkOption::ByName, LinkOption::Party, LinkOption::Undo];
    let (gate, _) = world.door_link(producer.tenant, both(&options)).await;
    let (early, _) = world.door(producer.tenant, "ev_early", &[]).await;

    let opened = call(&world, &gate, "open", &json!({})).await.json();
    assert_eq!(
        (&opened["event"]["name"], &opened["more_events"][0]["name"]),
        (&json!("Early show"), &json!("Late show"))
    );
    assert_eq!(opened["link"]["more_event_ids"], json!(["ev_late"]), "each once: {opened}");
    assert_eq!(counts(&opened["counts"]), (0, 3));
    let alone = call(&world, &early, "open", &json!({})).await.json();
    assert_eq!(
        (&alone["more_events"], counts(&alone["counts"])),
        (&json!([]), (0, 2)),
        "a link of one event is as ever"
    );

    // The list for phones has the tickets of both, and says of which event each is.
    let listed = read(&world, &gate, "codes").await;
    let mut of: Vec<&str> =
        listed["data"].as_array().unwrap().iter().filter_map(|row| row["event_id"].as_str()).collect();
    of.sort_unstable();
    assert_eq!(of, ["ev_early", "ev_late", "ev_late"], "{listed}");
    assert_eq!(listed["ticket_type_notes"], json!([{"ticket_type_id": "tt_late", "note": "stamp the hand"}]));
    assert!(read(&world, &early, "codes").await["data"][0].get("event_id").is_none());

    assert_eq!(scan(&world, &gate, "EARLY", "s1").await["ticket"]["event"]["name"], "Early show");
    let late = scan(&world, &gate, "LATE", "s2").await;
    assert_eq!((&late["outcome"], &late["ticket"]["event"]["id"]), (&json!("admitted"), &json!("ev_late")));
    assert_eq!(late["ticket"]["group"], json!({"entered": 1, "of": 2}));
    assert_eq!(scan(&world, &gate, "OTHER", "s3").await["outcome"], "wrong_event");
    assert_eq!(scan(&world, &gate, "BEER", "s4").await["outcome"], "not_here");
    assert_eq!(scan(&world, &early, "LATER", "s5").await["outcome"], "wrong_event");
    assert_eq!(counts(&read(&world, &gate, "counts").await), (2, 1));
    let mark = listed["newest"].as_str().unwrap();
    let news = read(&world, &gate, &format!("codes?updated_after={mark}")).await;
    assert_eq!(news["data"].as_array().unwrap().len(), 2, "what changed at either: {news}");

    // Guests of both are found, a party comes in, and a mistake is undone.
    world.step(SEARCH_POLL);
    let search = async |text: &str| call(&world, &gate, "search", &json!({"text": text})).await.json();
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let is_found = async |event: &str, name: &str| {
        ana.get(&format!("{PAGE}/door/{event}/by-hand?q={name}")).await.text.contains("/by-hand/")
    };
    assert!(until(async || is_found("ev_late", "lola").await && is_found("ev_other", "olga").await).await);
    assert_eq!(search("lola").await["data"][0]["event_id"], "ev_late");
    assert_eq!(search("olga").await["data"], json!([]));
    let party = call(&world, &gate, "party", &json!({"scan_id": "s2"})).await.json();
    assert_eq!(party["data"][0]["name"], "Lola Late", "{party}");
    let body = json!({"handle": party["data"][0]["handle"], "scan_id": "s6"});
    assert_eq!(call(&world, &gate, "enter", &body).await.json()["outcome"], "admitted");
    let undone = call(&world, &gate, "undo", &json!({"scan_id": "s6", "undo_id": "u1"})).await.json();
    assert_eq!(undone["outcome"], "entry_undone", "{undone}");
    // What a phone decided without signal is taken for both, too.
    let kept = json!({"scans": [{"code": "LATER", "scan_id": "k1"}, {"code": "OTHER", "scan_id": "k2"}]});
    let told = call(&world, &gate, "scans", &kept).await.json();
    assert_eq!(
        (&told["results"][0]["outcome"], &told["results"][1]["outcome"]),
        (&json!("admitted"), &json!("wrong_event"))
    );
    assert_eq!(world.findings().await, []);
}

async fn a_link_for_several_events_is_made_by_staff_and_stands_at_each_of_them(world: World) {
    let producer = a_night(&world).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let form = ana.get(&format!("{PAGE}/door/ev_early/links/new")).await.text;
    assert!(form.contains("Other events of this night") && form.contains("Late show"), "{form}");
    assert!(!form.contains("Matinee"), "another night");
    let links = format!("{PAGE}/door/ev_early/links");
    let fields = [("label", "Shared gate"), ("event", "ev_late"), ("category", "ticket"), ("expires_at", "")];
    let made = ana.post(&links, &fields).await;
    assert!(made.status == 200 && words(&made.text).contains("Other events of this night Late show"), "{}", made.text);
    let gate = made.between("/door#", "<").to_owned();
    let history = ana.get(&format!("{PAGE}/history?action=door_link.created")).await.text;
    assert!(history.contains("ev_early, ev_late"), "{history}");
    let unknown = [("label", "x"), ("event", "ev_none"), ("category", "ticket"), ("expires_at", "")];
    assert_eq!(ana.post(&links, &unknown).await.status, 422);
    let many: Vec<(&str, &str)> =
        std::iter::once(("label", "x")).chain([("event", "ev_late"); LINK_EVENTS_MAX]).collect();
    let refused = ana.post(&links, &many).await;
    assert!(refused.status == 422 && refused.text.contains("A link is for 8 events at most."), "{}", refused.text);

    // It stands at both, and each live page tells what it refused of its own.
    for (event, other) in [("ev_early", "Late show"), ("ev_late", "Early show")] {
        let page = words(&ana.get(&format!("{PAGE}/door/{event}/links")).await.text);
        assert!(page.contains("Shared gate") && page.contains(other), "{page}");
    }
    let [early, late] = ["EARLY", "LATE"];
    for (code, scan_id) in [(early, "a1"), (early, "a2"), (late, "b1"), (late, "b2"), (late, "b3")] {
        scan(&world, &gate, code, scan_id).await;
    }
    let live = async |event: &str| words(&ana.get(&format!("{PAGE}/door/{event}")).await.text);
    let (first, second) = (live("ev_early").await, live("ev_late").await);
    let scanned = |page: &str, name: &str| page.matches(name).count();
    assert!(first.contains("also for other events") && second.contains("also for other events"), "{first}");
    // Once as the last to enter, and once for each refusal.
    assert_eq!((scanned(&first, "Ana Early"), scanned(&first, "Leo Late")), (2, 0), "{first}");
    assert_eq!((scanned(&second, "Leo Late"), scanned(&second, "Ana Early")), (3, 0), "{second}");
    let scans = ana.get(&format!("{PAGE}/exports/scans.csv?event=ev_late")).await.text;
    assert_eq!(scans.lines().count(), 1 + 3, "{scans}");
    // Whoever looks after either event revokes it.
    let id = world.raw().await.rows("SELECT id FROM door_links").await[0][0].clone();
    ana.post(&format!("{PAGE}/door/ev_late/links/{id}/revoke"), &[]).await.leads_to();
    assert_eq!(call(&world, &gate, "open", &json!({})).await.status, 401);

    let run = |arguments: &[&str]| {
        let public = ["--producer", "pr_a", "--public-url", "http://127.0.0.1:1", "--label", "Doors"];
        let create = ["door-link", "create"];
        let output = taquilla(&world.address).args(create).args(arguments).args(public).output().unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr),
        )
    };
    let (done, said) = run(&["--event", "ev_early", "--event", "ev_late", "--ticket-type", "tt_late"]);
    assert!(done && said.contains("ev_early, ev_late"), "{said}");
    let (done, said) = run(&["--event", "ev_early", "--ticket-type", "tt_late"]);
    assert!(!done && said.contains("there is no ticket type tt_late at ev_early"), "{said}");
    let (done, said) = run(&["--event", "ev_early", "--kiosk", "--undo"]);
    assert!(!done && said.contains("--kiosk"), "{said}");
    assert_eq!(world.findings().await, []);
}

async fn guests_who_scan_by_themselves_read_no_names(world: World) {
    let producer = a_night(&world).await;
    let (kiosk, _) = world.door_link(producer.tenant, both(&[LinkOption::Kiosk])).await;
    let first = call(&world, &kiosk, "scan", &json!({"code": "LATE", "scan_id": "s1"})).await;
    assert!(!first.text.contains("Leo") && !first.text.contains("VIP"), "{}", first.text);
    let told = first.json();
    assert_eq!((&told["outcome"], &told["ticket"]["ticket_type_note"]), (&json!("admitted"), &json!("stamp the hand")));
    let again = call(&world, &kiosk, "scan", &json!({"code": "LATE", "scan_id": "s2"})).await;
    assert!(again.json()["outcome"] == "already_scanned" && !again.text.contains("Leo"), "{}", again.text);
    assert!(!read(&world, &kiosk, "codes").await.to_string().contains("VIP"));
    // It finds nobody, and takes nothing back.
    for (path, body) in [
        ("search", json!({"text": "lola"})),
        ("party", json!({"scan_id": "s1"})),
        ("undo", json!({"scan_id": "s1", "undo_id": "u1"})),
    ] {
        assert_eq!(call(&world, &kiosk, path, &body).await.status, 403, "{path}");
    }
    let more = both(&[LinkOption::Kiosk, LinkOption::ByName]);
    assert!(admin::door_links::create(&world.store, producer.tenant, more, &world.by()).await.is_err());
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let fields = [("label", "x"), ("option", "kiosk"), ("option", "undo"), ("category", "ticket")];
    let refused = ana.post(&format!("{PAGE}/door/ev_early/links"), &fields).await;
    assert!(refused.status == 422 && refused.text.contains("may do nothing else"), "{}", refused.text);
    assert_eq!(world.findings().await, []);
}
