//! Taking back a mistaken entry: what everybody is told who follows entries, and what phones without signal make of it.

use std::time::Duration;

use serde_json::{Value, json};
use taquilla_domain::{
    door_link::{LinkOption, NewDoorLink, Stations},
    role::BuiltInRole,
    status::Category,
    text::Name,
};

use crate::harness::{Answer, Page, Producer, World, event, figure, problem, ticket, ticket_type, with, words};

both_engines![
    an_undone_entry_reads_valid_everywhere,
    a_phone_that_was_offline_does_not_undo_the_undoing,
    a_link_undoes_only_what_it_may,
    staff_undo_the_entry_that_they_saw,
];

const DOOR: &str = "/dashboard/p/pr_a/door/ev";

async fn a_night(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let held = |id: &str, name: &str| with(ticket(id, "ev", "tt"), json!({"attendee": {"name": name}}));
    let inside = json!({"checked_in_at": "2026-10-31T22:00:00Z", "checked_in_by": "Gate 7"});
    let lines = [
        with(event("ev"), json!({"name": "Night", "timezone": "Europe/Madrid"})),
        event("ev_other"),
        with(ticket_type("tt", "ev"), json!({"name": "General"})),
        with(ticket_type("tt_beer", "ev"), json!({"category": "merchandise", "name": "Beer"})),
        ticket_type("tt_other", "ev_other"),
        held("ANA", "Ana Ruiz"),
        held("BRUNO", "Bruno Salas"),
        with(held("INSIDE", "Carla Gil"), inside),
        ticket("BEER", "ev", "tt_beer"),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

/// A link that may undo entries.
async fn a_gate(world: &World, producer: &Producer) -> String {
    let new = NewDoorLink {
        options: [LinkOption::Undo].into_iter().collect(),
        stations: Stations::new([Name::parse("Gate 1").unwrap()]).unwrap(),
        ..World::new_door("ev", &[Category::Ticket])
    };
    world.door_link(producer.tenant, new).await.0
}

async fn call(world: &World, link: &str, path: &str, body: &Value) -> Answer {
    world.client.post(&format!("/door/v1/{path}"), &[("authorization", &format!("Bearer {link}"))], body).await
}

async fn scan(world: &World, link: &str, code: &str, scan_id: &str) -> Answer {
    call(world, link, "scan", &json!({"code": code, "scan_id": scan_id})).await
}

async fn undo(world: &World, link: &str, scan_id: &str, undo_id: &str) -> Answer {
    call(world, link, "undo", &json!({"scan_id": scan_id, "undo_id": undo_id})).await
}

async fn read(world: &World, producer: &Producer, path: &str) -> Value {
    world.client.get(&format!("/api/v1/{path}"), &producer.key).await.json()
}

async fn counts(world: &World, link: &str) -> (i64, i64, i64) {
    let bearer = format!("Bearer {link}");
    let path = "/door/v1/counts?station=Gate+1";
    let counts = world.client.send(reqwest::Method::GET, path, &[("authorization", &bearer)]).await.json();
    let number = |name: &str| counts[name].as_i64().unwrap();
    (number("entered"), number("to_come"), number("entered_here"))
}

fn ids(list: &Value) -> Vec<&str> {
    list["data"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect()
}

async fn an_undone_entry_reads_valid_everywhere(world: World) {
    let producer = a_night(&world).await;
    let gate = a_gate(&world, &producer).await;
    assert_eq!(counts(&world, &gate).await, (1, 2, 0));
    let first = scan(&world, &gate, "ANA", "s1").await;
    let entered = read(&world, &producer, "tickets/ANA").await;
    assert_eq!(first.json()["accepted_at"], entered["checked_in_at"], "{}", first.text);
    let mark = entered["updated_at"].as_str().unwrap().to_owned();

    world.step(Duration::from_secs(60));
    let undone = undo(&world, &gate, "s1", "u1").await;
    let told = undone.json();
    assert_eq!(undone.status, 200, "{}", undone.text);
    assert_eq!((&told["scan_id"], &told["outcome"]), (&json!("u1"), &json!("entry_undone")));
    assert_eq!(told["ticket"]["name"], "Ana Ruiz");
    assert_eq!(told["first_scan"], json!({"scanned_at": entered["checked_in_at"], "station": "Gate 1"}));
    assert_eq!(undo(&world, &gate, "s1", "u1").await.json(), told, "its answer may be lost");

    // The ticket, the feeds, the counts, the list for phones.
    let ticket = read(&world, &producer, "tickets/ANA").await;
    assert_eq!((&ticket["status"], &ticket["checked_in_at"]), (&json!("valid"), &Value::Null));
    assert_eq!((&ticket["checked_in_by"], &ticket["updated_at"]), (&Value::Null, &told["accepted_at"]));
    assert_eq!(ids(&read(&world, &producer, &format!("tickets?updated_after={mark}")).await), ["ANA"]);
    let entries = read(&world, &producer, "tickets?event_id=ev&scanned_after=2026-01-01").await;
    assert_eq!(ids(&entries), ["INSIDE"], "it leaves the feed of entries");
    assert_eq!(counts(&world, &gate).await, (1, 2, 0));
    let bearer = format!("Bearer {gate}");
    let path = format!("/door/v1/codes?updated_after={mark}");
    let codes = world.client.send(reqwest::Method::GET, &path, &[("authorization", &bearer)]).await.json();
    assert_eq!(codes["data"][0]["outcome"], "admitted", "{codes}");
    assert_eq!(world.findings().await, []);

    // The same scan is one scan: it says what it said, and nobody enters by it again.
    assert_eq!(scan(&world, &gate, "ANA", "s1").await.json(), first.json());
    assert_eq!(read(&world, &producer, "tickets/ANA").await["status"], "valid");
    // The next one is a first entry again.
    world.step(Duration::from_secs(60));
    let again = scan(&world, &gate, "ANA", "s2").await.json();
    assert_eq!((&again["outcome"], &again["first_scan"]), (&json!("admitted"), &Value::Null));
    assert_eq!(scan(&world, &gate, "ANA", "s3").await.json()["first_scan"]["scanned_at"], again["accepted_at"]);
    assert_eq!(counts(&world, &gate).await, (2, 1, 1));
    assert_eq!(world.findings().await, []);

    let contents = world.contents(&[]).await;
    let told: Vec<&String> = contents["outbox"].iter().filter(|line| line.contains("\"ANA\"")).collect();
    let kinds = ["ticket.scanned", "ticket.entry_undone", "ticket.scanned"];
    assert_eq!(told.len(), kinds.len(), "{told:?}");
    assert!(told.iter().zip(kinds).all(|(line, kind)| line.contains(kind)), "{told:?}");
    let logged = contents["scans"].iter().filter(|line| line.contains("entry_undone")).count();
    assert_eq!(logged, 1, "the log has it once: {:?}", contents["scans"]);
}

async fn a_phone_that_was_offline_does_not_undo_the_undoing(world: World) {
    let producer = a_night(&world).await;
    let gate = a_gate(&world, &producer).await;
    scan(&world, &gate, "ANA", "s1").await;
    world.step(Duration::from_secs(600));
    undo(&world, &gate, "s1", "u1").await;
    let kept = |id: &str, at: &str| json!({"code": "ANA", "scan_id": id, "station": "Side", "scanned_at": at});
    let upload = async |scan: Value| {
        let answer = call(&world, &gate, "scans", &json!({"scans": [scan]})).await;
        answer.json()["results"][0].clone()
    };
    // It let somebody in between the entry and its undoing, and tells of it now.
    let late = upload(kept("k1", "2026-11-01T12:05:00Z")).await;
    assert_eq!(late["outcome"], "entry_undone", "{late}");
    assert_eq!(read(&world, &producer, "tickets/ANA").await["status"], "valid");
    assert_eq!(upload(kept("k1", "2026-11-01T12:05:00Z")).await, late, "and gets the same answer again");
    let log = world.raw().await.rows("SELECT scan_id, conflict FROM scans WHERE outcome = 'entry_undone'").await;
    let mut log: Vec<(String, String)> = log.into_iter().map(|row| (row[0].clone(), row[1].clone())).collect();
    log.sort();
    assert_eq!(log, [("k1".into(), "1".into()), ("u1".into(), "0".into())], "a person looks at it");
    // What it decided afterwards, and what has no time, counts.
    assert_eq!(upload(kept("k2", "2026-11-01T12:11:00Z")).await["outcome"], "admitted");
    undo(&world, &gate, "k2", "u2").await;
    assert_eq!(upload(json!({"code": "ANA", "scan_id": "k3"})).await["outcome"], "admitted");
    assert_eq!(world.findings().await, []);

    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let live = ana.get(DOOR).await;
    assert_eq!((figure(&live.text, "entered"), figure(&live.text, "conflict-count")), ("2".into(), "1".into()));
    assert_eq!(figure(&live.text, "refused-count"), "0", "nobody was refused");
    assert!(words(&live.text).contains("Let in before the entry was undone"), "{}", live.text);
    assert!(words(&live.text).contains("Gate works 1 0 1"), "by link, what stands: {}", words(&live.text));
}

async fn a_link_undoes_only_what_it_may(world: World) {
    let producer = a_night(&world).await;
    let gate = a_gate(&world, &producer).await;
    let (plain, _) = world.door(producer.tenant, "ev", &[]).await;
    let elsewhere =
        NewDoorLink { options: [LinkOption::Undo].into_iter().collect(), ..World::new_door("ev_other", &[]) };
    let (elsewhere, _) = world.door_link(producer.tenant, elsewhere).await;
    scan(&world, &plain, "ANA", "s1").await;
    scan(&world, &plain, "BEER", "s2").await;
    scan(&world, &gate, "ANA", "s3").await;
    let before = world.contents(&[]).await;
    assert_eq!(undo(&world, &plain, "s1", "u1").await.problem(), problem(403, "not_allowed_by_link", None));
    for (link, scan_id) in [(&elsewhere, "s1"), (&gate, "s2"), (&gate, "s3"), (&gate, "nothing")] {
        let refused = undo(&world, link, scan_id, "u1").await;
        assert_eq!(refused.problem(), problem(404, "not_found", None), "{scan_id}");
    }
    for wrong in [json!({"scan_id": "s1", "undo_id": ""}), json!({"scan_id": "s1", "undo_id": "u", "station": "Moon"})]
    {
        assert_eq!(call(&world, &gate, "undo", &wrong).await.status, 400);
    }
    let after = world.contents(&[]).await;
    for table in ["scans", "outbox", "tickets"] {
        assert_eq!(before[table], after[table], "{table}");
    }
    // Twice, or with the id of something else.
    assert_eq!(undo(&world, &gate, "s1", "s2").await.problem(), problem(409, "scan_id_reused", None));
    assert_eq!(undo(&world, &gate, "s1", "u1").await.status, 200);
    assert_eq!(undo(&world, &gate, "s1", "u2").await.problem(), problem(409, "ticket_valid", None));
    scan(&world, &gate, "ANA", "s4").await;
    assert_eq!(undo(&world, &gate, "s1", "u3").await.problem(), problem(409, "changed_meanwhile", None));
    assert_eq!(read(&world, &producer, "tickets/ANA").await["status"], "scanned");
    assert_eq!(world.findings().await, []);
}

/// The address of the form that undoes somebody's entry, from the live page.
fn form_of(page: &Page, name: &str) -> String {
    let row = page.text.split("<tr>").find(|row| row.contains(name) && row.contains("/undo\"")).unwrap();
    row.split_once("/entries/").unwrap().1.split_once("/undo").unwrap().0.to_owned()
}

async fn staff_undo_the_entry_that_they_saw(world: World) {
    let producer = a_night(&world).await;
    let gate = a_gate(&world, &producer).await;
    let eva = world.staff(producer.tenant, "eva@x.example", BuiltInRole::DoorManager).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    scan(&world, &gate, "ANA", "s1").await;
    let id = form_of(&ana.get(DOOR).await, "Ana Ruiz");
    let form = format!("{DOOR}/entries/{id}/undo");
    let page = eva.get(&form).await;
    assert!(page.status == 200 && !page.text.contains("Ana Ruiz"), "a door manager sees no names: {}", page.text);
    let entered_at = page.between("name=\"entered_at\" value=\"", "\"").to_owned();
    assert!(words(&ana.get(&form).await.text).contains("Ana Ruiz"));

    let done = eva.post(&form, &[("entered_at", &entered_at)]).await;
    assert_eq!(done.leads_to(), format!("{DOOR}?done=door-entry-undone"));
    assert_eq!(read(&world, &producer, "tickets/ANA").await["status"], "valid");
    assert!(eva.get(&form).await.text.contains("nothing to undo"));
    // Somebody enters again: the page that is still open is about the entry before.
    world.step(Duration::from_secs(1));
    scan(&world, &gate, "ANA", "s2").await;
    let wrong = eva.post(&form, &[("entered_at", &entered_at)]).await;
    assert!(wrong.status == 422 && wrong.text.contains("error-summary"), "{}", wrong.text);
    assert_eq!(eva.post(&form, &[]).await.status, 422);
    assert_eq!(read(&world, &producer, "tickets/ANA").await["status"], "scanned");
    assert_eq!(ana.get(&format!("/dashboard/p/pr_a/door/ev_other/entries/{id}/undo")).await.status, 404);

    // One that came with an import, from the page of the ticket.
    let inside = form_of(&ana.get(DOOR).await, "Carla Gil");
    let ticket = ana.get(&format!("/dashboard/p/pr_a/tickets/{inside}")).await;
    assert!(ticket.text.contains(&format!("/entries/{inside}/undo?from=ticket")), "{}", ticket.text);
    let form = format!("{DOOR}/entries/{inside}/undo");
    let entered_at = ana.get(&form).await.between("name=\"entered_at\" value=\"", "\"").to_owned();
    let done = ana.post(&form, &[("entered_at", &entered_at), ("from", "ticket")]).await;
    let ticket = ana.get(done.leads_to()).await;
    assert!(words(&ticket.text).contains("entry undone at ana@x.example"), "{}", words(&ticket.text));
    assert_eq!(world.findings().await, []);
    let history = ana.get("/dashboard/p/pr_a/history?action=ticket.entry_undone").await;
    assert!(words(&history.text).contains("Entry undone") && history.text.contains("eva@x.example"));
    assert!(!history.text.contains("INSIDE"), "a code opens the door");
}
