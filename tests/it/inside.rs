//! Going out and coming in again, and how many are inside: what the door, feeds, counts, phones and pages say of it.

use std::time::Duration;

use serde_json::{Value, json};
use taquilla_domain::{
    door_link::{LinkOption, NewDoorLink},
    role::BuiltInRole,
    text::Name,
};

use crate::harness::{Answer, Page, Producer, World, event, problem, ticket, ticket_type, with, words};

both_engines![
    people_go_out_and_come_in_again_where_their_ticket_allows_it,
    of_two_doors_one_lets_somebody_back_in,
    phones_without_signal_know_who_is_outside_and_the_server_settles_the_rest,
    a_ticket_that_is_outside_is_undone_cancelled_and_let_in_by_hand,
    people_inside_are_counted_by_zone_and_a_limit_warns,
    an_item_says_so_in_its_form_and_a_link_goes_one_way,
];

const DOOR: &str = "/dashboard/p/pr_a/door/ev";

async fn a_night(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let held = |id: &str, name: &str, kind: &str| with(ticket(id, "ev", kind), json!({"attendee": {"name": name}}));
    let lines = [
        with(event("ev"), json!({"name": "Night", "timezone": "Europe/Madrid"})),
        with(ticket_type("tt", "ev"), json!({"name": "General", "reentry": true})),
        with(ticket_type("tt_day", "ev"), json!({"name": "Once"})),
        with(ticket_type("tt_beer", "ev"), json!({"category": "merchandise", "name": "Beer", "reentry": true})),
        held("ANA", "Ana Ruiz", "tt"),
        held("BRUNO", "Bruno Salas", "tt"),
        held("ONCE", "Carla Gil", "tt_day"),
        ticket("BEER", "ev", "tt_beer"),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

async fn link(world: &World, producer: &Producer, label: &str, zone: Option<&str>, options: &[LinkOption]) -> String {
    let new = NewDoorLink {
        label: Name::parse(label).unwrap(),
        zone: zone.map(|zone| Name::parse(zone).unwrap()),
        options: options.iter().copied().collect(),
        ..World::new_door("ev", &[])
    };
    world.door_link(producer.tenant, new).await.0
}

async fn call(world: &World, link: &str, path: &str, body: &Value) -> Answer {
    world.client.post(&format!("/door/v1/{path}"), &[("authorization", &format!("Bearer {link}"))], body).await
}

async fn get(world: &World, link: &str, path: &str) -> Value {
    let bearer = format!("Bearer {link}");
    world.client.send(reqwest::Method::GET, &format!("/door/v1/{path}"), &[("authorization", &bearer)]).await.json()
}

async fn scan(world: &World, link: &str, code: &str, scan_id: &str) -> Value {
    world.step(Duration::from_secs(60));
    call(world, link, "scan", &json!({"code": code, "scan_id": scan_id})).await.json()
}

async fn outcome(world: &World, link: &str, code: &str, scan_id: &str) -> String {
    scan(world, link, code, scan_id).await["outcome"].as_str().unwrap().to_owned()
}

/// Tells of a scan that a phone decided by itself at this minute after noon.
async fn upload(world: &World, link: &str, code: &str, scan_id: &str, minute: u32) -> String {
    let kept = json!({"code": code, "scan_id": scan_id, "scanned_at": format!("2026-11-01T12:{minute:02}:00Z")});
    let answer = call(world, link, "scans", &json!({"scans": [kept]})).await.json();
    answer["results"][0]["outcome"].as_str().unwrap().to_owned()
}

async fn read(world: &World, producer: &Producer, path: &str) -> Value {
    world.client.get(&format!("/api/v1/{path}"), &producer.key).await.json()
}

async fn people_go_out_and_come_in_again_where_their_ticket_allows_it(world: World) {
    let producer = a_night(&world).await;
    let gate = link(&world, &producer, "Gate", None, &[]).await;
    let exit = link(&world, &producer, "Exit", None, &[LinkOption::Out]).await;
    assert_eq!(outcome(&world, &exit, "ANA", "o0").await, "not_inside", "nobody has entered with it");
    assert_eq!(outcome(&world, &gate, "ANA", "s1").await, "admitted");
    assert_eq!(outcome(&world, &gate, "ONCE", "s2").await, "admitted");
    let entered = read(&world, &producer, "tickets/ANA").await;
    let feeds = async || {
        let feed = "tickets?event_id=ev&scanned_after=2026-01-01";
        let changed = "tickets?event_id=ev&updated_after=2026-01-01";
        let entries = read(&world, &producer, feed).await;
        (entries, read(&world, &producer, changed).await, get(&world, &gate, "counts?station=Gate").await)
    };
    let before = feeds().await;
    let messages = world.contents(&[]).await["outbox"].len();

    assert_eq!(outcome(&world, &gate, "ANA", "s3").await, "already_scanned", "without having gone out");
    let out = scan(&world, &exit, "ANA", "o1").await;
    assert_eq!((&out["outcome"], &out["ticket"]["name"]), (&json!("went_out"), &json!("Ana Ruiz")));
    assert_eq!(outcome(&world, &exit, "ANA", "o2").await, "not_inside", "she is outside already");
    let refused = scan(&world, &exit, "ONCE", "o3").await;
    assert_eq!((&refused["outcome"], &refused["ticket"]["name"]), (&json!("no_reentry"), &json!("Carla Gil")));
    let back = scan(&world, &gate, "ANA", "s4").await;
    assert_eq!(back["outcome"], "reentered");
    assert_eq!(back["first_scan"], json!({"scanned_at": entered["checked_in_at"], "station": "Gate"}));
    assert_eq!(scan(&world, &gate, "ANA", "s4").await, back, "its answer may be lost");
    assert_eq!(outcome(&world, &gate, "ANA", "s5").await, "already_scanned", "the way back is open once");

    // Feeds, counts and messages tell of the first entry alone.
    assert_eq!(feeds().await, before);
    assert_eq!(read(&world, &producer, "tickets/ANA").await, entered);
    assert_eq!(world.contents(&[]).await["outbox"].len(), messages);
    let log = world.raw().await.rows("SELECT outcome, station FROM scans WHERE ticket_id = 'ANA' ORDER BY seq").await;
    let log: Vec<String> = log.iter().map(|row| format!("{} {}", row[0], row[1])).collect();
    let expected = [
        "not_inside Exit",
        "admitted Gate",
        "already_scanned Gate",
        "went_out Exit",
        "not_inside Exit",
        "reentered Gate",
        "already_scanned Gate",
    ];
    assert_eq!(log, expected);
    assert_eq!(world.findings().await, []);
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let live = ana.get(DOOR).await;
    assert!(words(&live.text).contains("Exit works 0 3 0"), "who goes out is not refused: {}", words(&live.text));
}

async fn of_two_doors_one_lets_somebody_back_in(world: World) {
    let producer = a_night(&world).await;
    let [(_first, here), (_second, there)] = world.two_servers().await;
    let gate = link(&world, &producer, "Gate", None, &[]).await;
    let exit = link(&world, &producer, "Exit", None, &[LinkOption::Out]).await;
    assert_eq!(outcome(&world, &gate, "ANA", "s1").await, "admitted");
    for round in 0..8 {
        assert_eq!(outcome(&world, &exit, "ANA", &format!("o{round}")).await, "went_out");
        let at = async |client: &crate::harness::Client, door: &str| {
            let bearer = format!("Bearer {gate}");
            let body = json!({"code": "ANA", "scan_id": format!("{door}{round}"), "station": door});
            let answer = client.post("/door/v1/scan", &[("authorization", &bearer)], &body).await;
            answer.json()["outcome"].as_str().unwrap().to_owned()
        };
        let (one, other) = tokio::join!(at(&here, "North"), at(&there, "South"));
        let mut both = [one, other];
        both.sort();
        assert_eq!(both, ["already_scanned", "reentered"], "round {round}");
    }
    assert_eq!(world.findings().await, []);
}

async fn phones_without_signal_know_who_is_outside_and_the_server_settles_the_rest(world: World) {
    let producer = a_night(&world).await;
    let gate = link(&world, &producer, "Gate", None, &[]).await;
    let exit = link(&world, &producer, "Exit", None, &[LinkOption::Out]).await;
    for code in ["ANA", "BRUNO", "ONCE"] {
        assert_eq!(outcome(&world, &gate, code, code).await, "admitted");
    }
    let lists = async || (get(&world, &gate, "codes").await, get(&world, &exit, "codes").await);
    let outcomes = |list: &Value| {
        let rows = list["data"].as_array().unwrap().iter();
        let mut rows: Vec<String> = rows.map(|row| row["outcome"].as_str().unwrap().to_owned()).collect();
        rows.sort();
        rows
    };
    let (at_gate, at_exit) = lists().await;
    assert_eq!(outcomes(&at_gate), ["admitted", "already_scanned", "already_scanned", "already_scanned"]);
    assert_eq!(outcomes(&at_exit), ["no_reentry", "not_inside", "went_out", "went_out"]);
    assert_eq!((&at_gate["outside"], &at_exit["outside"]), (&json!([]), &json!([])));
    // What follows happened before the present, and is told now.
    world.step(Duration::from_secs(3600));
    // A ticket that went out is told apart from the list, whose marks it does not move.
    let newest = at_gate["newest"].as_str().unwrap().to_owned();
    assert_eq!(upload(&world, &exit, "ANA", "k1", 10).await, "went_out");
    let again = get(&world, &gate, &format!("codes?updated_after={newest}")).await;
    assert_eq!((again["data"].as_array().unwrap().len(), again["outside"].as_array().unwrap().len()), (0, 1));
    let listed = |list: &Value| list["data"].as_array().unwrap().iter().any(|row| row["code"] == again["outside"][0]);
    assert!(listed(&at_gate), "under the link's own salt");

    // Two phones that both let her back in: the first that tells of it did.
    assert_eq!(upload(&world, &gate, "ANA", "k2", 20).await, "reentered");
    assert_eq!(upload(&world, &gate, "ANA", "k3", 21).await, "already_scanned");
    // What a phone tells late of a time before she last came in does not put her outside again.
    assert_eq!(upload(&world, &exit, "ANA", "k4", 15).await, "not_inside");
    assert_eq!(upload(&world, &exit, "ANA", "k5", 30).await, "went_out");
    assert_eq!(upload(&world, &gate, "ANA", "k6", 25).await, "already_scanned", "and not inside");
    assert_eq!(upload(&world, &exit, "ONCE", "k7", 30).await, "no_reentry");
    let conflicts = world.raw().await.rows("SELECT scan_id FROM scans WHERE conflict = 1 ORDER BY scan_id").await;
    let conflicts: Vec<&str> = conflicts.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(conflicts, ["k3", "k4", "k6", "k7"]);
    assert_eq!(world.findings().await, []);
}

async fn a_ticket_that_is_outside_is_undone_cancelled_and_let_in_by_hand(world: World) {
    let producer = a_night(&world).await;
    let gate = link(&world, &producer, "Gate", Some("Hall"), &[LinkOption::Undo]).await;
    let exit = link(&world, &producer, "Exit", Some("Hall"), &[LinkOption::Out]).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    for (code, id) in [("ANA", "s1"), ("BRUNO", "s2")] {
        outcome(&world, &gate, code, id).await;
        outcome(&world, &exit, code, &format!("o-{id}")).await;
    }
    // By hand, from the page of the door.
    let ticket = ana.get("/dashboard/p/pr_a/tickets?event=ev").await;
    assert!(ticket.text.contains("Ana Ruiz"));
    let row = ana.get(&format!("{DOOR}/by-hand?q=ANA")).await;
    let form = row.between(&format!("action=\"{DOOR}/by-hand/"), "\"").to_owned();
    let scan_id = row.between("name=\"scan_id\" value=\"", "\"").to_owned();
    let done = ana.post(&format!("{DOOR}/by-hand/{form}"), &[("scan_id", &scan_id), ("q", "ANA")]).await;
    assert!(done.leads_to().contains("done=door-let-in-by-hand"), "{}", done.text);
    let log = world.raw().await.rows("SELECT outcome FROM scans WHERE station = 'ana@x.example'").await;
    assert_eq!(log[0][0], "reentered");
    assert_eq!(world.findings().await, []);

    // The entry of somebody who is outside is undone: the next scan is a first entry, and what a phone tells late of an
    // exit before that changes nothing.
    let undone = call(&world, &gate, "undo", &json!({"scan_id": "s2", "undo_id": "u2"})).await;
    assert_eq!(undone.json()["outcome"], "entry_undone", "{}", undone.text);
    assert_eq!(outcome(&world, &exit, "BRUNO", "o9").await, "not_inside");
    assert_eq!(outcome(&world, &gate, "BRUNO", "s9").await, "admitted");
    assert_eq!(upload(&world, &exit, "BRUNO", "k1", 1).await, "not_inside");
    let again = call(&world, &gate, "undo", &json!({"scan_id": scan_id, "undo_id": "u3"})).await;
    assert_eq!(again.problem(), problem(404, "not_found", None), "a scan that let somebody back in made no entry");

    // A ticket that is cancelled while its holder is outside opens no door.
    outcome(&world, &exit, "BRUNO", "o10").await;
    taquilla_rules::boxoffice::cancel(&world.store, producer.tenant, "BRUNO", world.now()).await.unwrap();
    assert_eq!(outcome(&world, &gate, "BRUNO", "s11").await, "cancelled");
    assert_eq!(outcome(&world, &exit, "BRUNO", "o11").await, "cancelled");
    assert_eq!(world.findings().await, []);
}

/// The rows of the table with those inside: zone, people, limit and state.
fn zones(page: &Page) -> Vec<String> {
    let Some((_, table)) = page.text.split_once("<h2 id=\"inside\">") else { return Vec::new() };
    let body = table.split_once("<tbody>").unwrap().1.split_once("</tbody>").unwrap().0;
    body.split("</tr>").map(words).filter(|row| !row.is_empty()).collect()
}

async fn people_inside_are_counted_by_zone_and_a_limit_warns(world: World) {
    let producer = a_night(&world).await;
    let many: Vec<Value> = (0..9).map(|number| ticket(&format!("T-{number}"), "ev", "tt")).collect();
    world.import(producer.tenant, &many).await;
    let hall = link(&world, &producer, "Hall", Some("Hall"), &[]).await;
    let garden = link(&world, &producer, "Garden", Some("Garden"), &[]).await;
    let exit = link(&world, &producer, "Exit", Some("Hall"), &[LinkOption::Out]).await;
    let eva = world.staff(producer.tenant, "eva@x.example", BuiltInRole::DoorManager).await;
    assert_eq!(zones(&eva.get(DOOR).await), Vec::<String>::new(), "it would say no more than how many entered");
    for number in 0..8 {
        assert_eq!(outcome(&world, &hall, &format!("T-{number}"), &format!("s{number}")).await, "admitted");
    }
    outcome(&world, &garden, "ANA", "s8").await;
    outcome(&world, &hall, "BEER", "s9").await;
    assert_eq!(
        zones(&eva.get(DOOR).await),
        ["The whole event 9 – –", "Garden 1 – –", "Hall 8 – –"],
        "a beer is nobody"
    );
    assert_eq!(get(&world, &hall, "counts").await["inside"], json!([]));

    let form = format!("{DOOR}/limits");
    let page = eva.get(&form).await;
    assert!(words(&page.text).contains("People in Garden at most"), "{}", words(&page.text));
    let set = async |whole: &str, garden: &str, hall: &str| {
        let values = [
            ("zone", ""),
            ("people", whole),
            ("zone", "Garden"),
            ("people", garden),
            ("zone", "Hall"),
            ("people", hall),
        ];
        eva.post(&form, &values).await
    };
    let wrong = set("0", "", "many").await;
    assert!(wrong.status == 422 && wrong.text.contains("value=\"many\""), "{}", wrong.text);
    assert_eq!(set("20", "", "8").await.leads_to(), format!("{DOOR}?done=door-limits-saved"));
    let shown = zones(&eva.get(DOOR).await);
    assert_eq!(shown, ["The whole event 9 20 below the limit", "Garden 1 – –", "Hall 8 8 nearly full"]);
    // The phones of a zone hear of it, and nobody is refused by it.
    let whole = json!({"zone": null, "people": 9, "limit": 20});
    let told = json!([whole, {"zone": "Hall", "people": 8, "limit": 8}]);
    assert_eq!(get(&world, &hall, "counts").await["inside"], told);
    assert_eq!(call(&world, &exit, "open", &json!({})).await.json()["counts"]["inside"], told);
    assert_eq!(get(&world, &garden, "counts").await["inside"], json!([whole]));
    assert_eq!(outcome(&world, &hall, "T-8", "s10").await, "admitted");
    assert_eq!(zones(&eva.get(DOOR).await)[2], "Hall 9 8 over the limit");

    // Out of one zone and into another.
    outcome(&world, &exit, "T-0", "o1").await;
    assert_eq!(outcome(&world, &garden, "T-0", "s11").await, "reentered");
    outcome(&world, &exit, "T-1", "o2").await;
    taquilla_rules::boxoffice::cancel(&world.store, producer.tenant, "T-2", world.now()).await.unwrap();
    let shown = zones(&eva.get(DOOR).await);
    assert_eq!(shown, ["The whole event 8 20 below the limit", "Garden 2 – –", "Hall 6 8 below the limit"]);
    assert_eq!(world.findings().await, []);
    let history = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let history = history.get("/dashboard/p/pr_a/history?action=door.limits_changed").await;
    assert!(words(&history.text).contains("20, Hall: 8"), "{}", words(&history.text));
    assert_eq!(set("", "", "").await.status, 303);
    assert_eq!(get(&world, &hall, "counts").await["inside"], json!([]));

    // A count that is wrong is found.
    world.raw().await.batch("UPDATE inside SET inside = inside + 1 WHERE zone = 'Hall'").await;
    assert!(world.findings().await.iter().any(|finding| finding.problem.contains("inside in one zone")));
}

async fn an_item_says_so_in_its_form_and_a_link_goes_one_way(world: World) {
    let producer = a_night(&world).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let form = "/dashboard/p/pr_a/events/ev/items/tt_day/change";
    let page = ana.get(form).await;
    let updated_at = page.between("name=\"updated_at\" value=\"", "\"").to_owned();
    let values = [
        ("updated_at", updated_at.as_str()),
        ("name", "Once"),
        ("price", "25"),
        ("status", "active"),
        ("max_per_order", "10"),
        ("sort_order", "0"),
        ("reentry", "yes"),
    ];
    let done = ana.post(form, &values).await;
    let item = ana.get(done.leads_to()).await;
    assert!(words(&item.text).contains("People may go out and come in again"), "{}", words(&item.text));
    assert!(ana.get(form).await.text.contains("value=\"yes\" checked"));

    let link = |options: &'static [&'static str]| {
        let mut values = vec![("label", "Exit"), ("zone", " Hall "), ("stations", ""), ("pin", ""), ("expires_at", "")];
        values.extend(options.iter().map(|option| ("option", *option)));
        values
    };
    let path = format!("{DOOR}/links");
    let wrong = ana.post(&path, &link(&["out", "by_name"])).await;
    assert!(wrong.status == 422 && wrong.text.contains("lets nobody in"), "{}", wrong.text);
    assert_eq!(ana.post(&path, &link(&["out"])).await.status, 200);
    let made = world.raw().await.rows("SELECT zone, options FROM door_links").await;
    assert_eq!(made, [["Hall".to_owned(), "out".to_owned()]]);
}
