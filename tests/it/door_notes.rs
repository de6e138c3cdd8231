//! Notes that the scanner shows: of a ticket type and of one ticket, wherever they are written and wherever they go.

use std::time::Duration;

use serde_json::{Value, json};
use taquilla_domain::{
    config::DOOR_NOTE_MAX,
    role::{BuiltInRole, Right},
    status::Category,
};
use taquilla_rules::import::Error;

use crate::exports::with_rights;
use crate::harness::{Answer, Producer, World, event, taquilla, ticket, ticket_type, with};

both_engines![
    a_door_reads_the_notes_of_a_ticket_and_of_its_type,
    notes_are_written_in_the_dashboard_and_covered,
    a_note_goes_with_its_person,
    notes_come_and_go_with_files_and_commands,
];

const PAGE: &str = "/dashboard/p/pr_a";

/// A night with a VIP, and with a ticket type that has a note.
async fn a_night(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let ana = json!({"name": "Ana Ruiz", "email": "ana@x.example"});
    let lines = [
        event("ev"),
        event("ev_other"),
        with(ticket_type("tt", "ev"), json!({"name": "General", "door_note": "needs a wristband"})),
        with(ticket_type("tt_beer", "ev"), json!({"category": "merchandise", "door_note": "one beer"})),
        ticket_type("tt_other", "ev_other"),
        with(ticket("ANA", "ev", "tt"), json!({"door_note": "  VIP ", "attendee": ana})),
        ticket("BOB", "ev", "tt"),
        with(ticket("OTHER", "ev_other", "tt_other"), json!({"door_note": "secret"})),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

async fn scan(world: &World, link: &str, code: &str, scan_id: &str) -> Answer {
    let body = json!({"code": code, "scan_id": scan_id});
    world.client.post("/door/v1/scan", &[("authorization", &format!("Bearer {link}"))], &body).await
}

async fn codes(world: &World, link: &str, query: &str) -> Value {
    let bearer = format!("Bearer {link}");
    let path = format!("/door/v1/codes{query}");
    world.client.send(reqwest::Method::GET, &path, &[("authorization", &bearer)]).await.json()
}

fn notes(answer: &Answer) -> (Value, Value) {
    let ticket = &answer.json()["ticket"];
    (ticket["door_note"].clone(), ticket["ticket_type_note"].clone())
}

/// The address of a ticket's page.
async fn page_of(world: &World, id: &str) -> String {
    let sql = format!("SELECT issued_at, seq FROM tickets WHERE id = '{id}'");
    let place = &world.raw().await.rows(&sql).await[0];
    format!("{PAGE}/tickets/{}-{}", place[0], place[1])
}

async fn a_door_reads_the_notes_of_a_ticket_and_of_its_type(world: World) {
    let producer = a_night(&world).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[Category::Ticket]).await;
    let listed = codes(&world, &gate, "").await;
    let rows = listed["data"].as_array().unwrap();
    let noted: Vec<&Value> = rows.iter().filter_map(|row| row.get("door_note")).collect();
    assert_eq!((rows.len(), noted), (2, vec![&json!("VIP")]), "{listed}");
    assert!(rows.iter().all(|row| row["ticket_type_id"] == "tt"), "{listed}");
    // Of what the link admits.
    assert_eq!(listed["ticket_type_notes"], json!([{"ticket_type_id": "tt", "note": "needs a wristband"}]));

    assert_eq!(notes(&scan(&world, &gate, "ANA", "s1").await), (json!("VIP"), json!("needs a wristband")));
    assert_eq!(notes(&scan(&world, &gate, "ANA", "s2").await), (json!("VIP"), json!("needs a wristband")));
    assert_eq!(notes(&scan(&world, &gate, "BOB", "s3").await), (Value::Null, json!("needs a wristband")));
    // A door learns nothing about the tickets of others.
    let other = scan(&world, &gate, "OTHER", "s4").await;
    assert!(other.json()["outcome"] == "wrong_event" && !other.text.contains("secret"), "{}", other.text);

    // A note that changes reaches phones that follow the list, and nothing but `updated_at` of the ticket changes.
    let mark = codes(&world, &gate, "").await["newest"].as_str().unwrap().to_owned();
    let before = world.client.get("/api/v1/tickets/BOB", &producer.key).await.json();
    world.step(Duration::from_secs(5));
    let ana = world.staff(producer.tenant, "ana@staff.example", BuiltInRole::Administrator).await;
    let page = page_of(&world, "BOB").await;
    ana.post(&format!("{page}/note"), &[("door_note", "under 18")]).await.leads_to();
    let news = codes(&world, &gate, &format!("?updated_after={mark}")).await;
    assert_eq!(news["data"][0]["door_note"], "under 18", "{news}");
    assert_eq!(news["data"].as_array().unwrap().len(), 1);
    let after = world.client.get("/api/v1/tickets/BOB", &producer.key).await.json();
    assert_eq!(with(before, json!({"updated_at": after["updated_at"]})), after, "the API has no notes");
    let outbox = &world.contents(&[]).await["outbox"];
    let told: Vec<&String> = outbox.iter().filter(|line| line.contains("ticket.noted")).collect();
    assert!(told.len() == 1 && told[0].contains("BOB") && !told[0].contains("under 18"), "{told:?}");
    assert_eq!(notes(&scan(&world, &gate, "BOB", "s5").await).0, "under 18");
    // The same once more is no change.
    ana.post(&format!("{page}/note"), &[("door_note", " under 18 ")]).await.leads_to();
    assert_eq!(world.contents(&[]).await["outbox"].len(), outbox.len());
    assert_eq!(world.findings().await, []);
}

async fn notes_are_written_in_the_dashboard_and_covered(world: World) {
    let producer = a_night(&world).await;
    let ana = world.staff(producer.tenant, "ana@staff.example", BuiltInRole::Administrator).await;
    let page = page_of(&world, "ANA").await;
    assert!(ana.get(&page).await.text.contains("VIP"));
    assert!(ana.get(&format!("{page}/note")).await.text.contains("value=\"VIP\""));
    let long = "x".repeat(DOOR_NOTE_MAX + 1);
    for wrong in [long.as_str(), "two\nlines"] {
        let answer = ana.post(&format!("{page}/note"), &[("door_note", wrong)]).await;
        assert_eq!(answer.status, 422, "{wrong}");
        assert!(answer.text.contains("Write one line of 60 characters at most."), "{}", answer.text);
    }
    ana.post(&format!("{page}/note"), &[("door_note", "")]).await.leads_to();
    assert!(!ana.get(&page).await.text.contains("VIP"));
    ana.post(&format!("{page}/note"), &[("door_note", "Minister")]).await.leads_to();
    let history = ana.get(&format!("{PAGE}/history?action=ticket.noted")).await.text;
    assert!(history.contains("Note for the door changed") && !history.contains("Minister"), "{history}");

    // Who sees no people sees no note of a ticket, and may write another one all the same.
    let rights = [Right::SeeOrders, Right::ManageTickets, Right::Export].map(Right::as_str);
    let blind = with_rights(&world, &producer, "blind@x.example", &rights).await;
    for path in [page.clone(), format!("{page}/note"), format!("{PAGE}/exports/tickets.csv")] {
        let answer = blind.get(&path).await;
        assert!(answer.status == 200 && !answer.text.contains("Minister"), "{path}: {}", answer.text);
    }
    assert!(blind.get(&format!("{page}/note")).await.text.contains("There is a note that you may not see."));
    blind.post(&format!("{page}/note"), &[("door_note", "Guest of honour")]).await.leads_to();
    assert!(ana.get(&page).await.text.contains("Guest of honour"));

    // The note of a ticket type, beside the other fields of its form.
    let item = format!("{PAGE}/events/ev/items/tt");
    let form = ana.get(&format!("{item}/change")).await;
    let version = form.between("name=\"updated_at\" value=\"", "\"").to_owned();
    let fields = |note: &str| {
        let fixed = [("name", "General"), ("price", "25"), ("max_per_order", "4"), ("sort_order", "1")];
        let more = [("status", "active"), ("updated_at", version.as_str()), ("door_note", note)];
        fixed.iter().chain(&more).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>()
    };
    let send = async |note: &str| {
        let fields = fields(note);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        ana.post(&format!("{item}/change"), &fields).await
    };
    assert_eq!(send(&long).await.status, 422);
    send("red wristband").await.leads_to();
    assert!(ana.get(&item).await.text.contains("red wristband"));
    let history = ana.get(&format!("{PAGE}/history?action=ticket_type.changed")).await.text;
    assert!(history.contains("red wristband"), "{history}");
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    assert_eq!(notes(&scan(&world, &gate, "BOB", "s1").await).1, "red wristband");
    assert_eq!(world.findings().await, []);
}

async fn a_note_goes_with_its_person(world: World) {
    let producer = a_night(&world).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    scan(&world, &gate, "ANA", "s1").await;
    let person = |command: &str| {
        let mut arguments = vec!["person", command, "--producer", "pr_a", "--email", "ana@x.example", "--json"];
        arguments.extend((command == "erase").then_some("--yes"));
        let output = taquilla(&world.address).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    assert_eq!(person("export")["tickets"][0]["door_note"], "VIP");
    person("erase");
    for (table, rows) in world.contents(&[]).await {
        assert!(!rows.iter().any(|row| row.contains("VIP")), "{table}");
    }
    // What it was answered stays the same in everything else.
    let again = scan(&world, &gate, "ANA", "s1").await;
    assert_eq!(notes(&again), (Value::Null, json!("needs a wristband")), "{}", again.text);
    assert_eq!(again.json()["ticket"]["name"], "—");
    assert_eq!(world.findings().await, []);
}

async fn notes_come_and_go_with_files_and_commands(world: World) {
    let producer = a_night(&world).await;
    let run = |arguments: &[&str]| {
        let output = taquilla(&world.address).args(arguments).args(["--producer", "pr_a"]).output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr))
    };
    let (done, shown) = run(&["ticket", "note", "BOB", "under 18"]);
    assert!(done && shown.contains("under 18"), "{shown}");
    let (done, shown) = run(&["ticket-type", "change", "tt", "--door-note", "blue wristband"]);
    assert!(done && shown.contains("blue wristband"), "{shown}");
    let (done, said) = run(&["ticket", "note", "BOB", &"x".repeat(DOOR_NOTE_MAX + 1)]);
    assert!(!done && said.contains("60 characters at most"), "{said}");
    // A ticket that is passed on leaves the note behind.
    let (done, new) = run(&["ticket", "transfer", "ANA", "--name", "Eva", "--email", "eva@x.example", "--json"]);
    assert!(done && !new.contains("VIP"), "{new}");

    let ana = world.staff(producer.tenant, "ana@staff.example", BuiltInRole::Administrator).await;
    let table = ana.get(&format!("{PAGE}/exports/tickets.csv?event=ev&zone=utc")).await.text;
    let line = table.lines().find(|line| line.contains("BOB")).unwrap();
    assert!(table.lines().next().unwrap().ends_with("door_note") && line.ends_with("under 18"), "{table}");
    let lines = ana.get(&format!("{PAGE}/exports/tickets.jsonl?event=ev")).await.text;
    let line: Value = serde_json::from_str(lines.lines().find(|line| line.contains("BOB")).unwrap()).unwrap();
    assert_eq!(line["door_note"], "under 18", "{lines}");
    // A table comes back as it went.
    let again: String = table
        .lines()
        .take(1)
        .chain(table.lines().filter(|line| line.contains("BOB")))
        .fold(String::new(), |text, line| text + &line.replace("BOB", "BEA") + "\n");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tickets.csv");
    std::fs::write(&file, again).unwrap();
    let (done, said) = run(&["import", file.to_str().unwrap()]);
    assert!(done, "{said}");
    assert!(run(&["ticket", "show", "BEA"]).1.contains("under 18"));
    let long = with(ticket("LONG", "ev", "tt"), json!({"door_note": "x".repeat(DOOR_NOTE_MAX + 1)}));
    let refused = world.try_import(producer.tenant, &[long]).await;
    let Err(Error::Line(fault)) = refused else { panic!("{refused:?}") };
    assert_eq!(fault.field.as_deref(), Some("door_note"));
    assert_eq!(world.findings().await, []);
}
