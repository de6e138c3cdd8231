//! Tables for spreadsheets: tickets that come as CSV, and files with the sign that a language's spreadsheets want.

use serde_json::json;
use taquilla_domain::role::BuiltInRole;
use taquilla_rules::import::EXAMPLE;

use crate::harness::{Producer, Staff, World, event, taquilla, ticket, ticket_type, until, with};

both_engines![
    tickets_come_as_a_table_by_command_and_by_page,
    a_table_with_a_fault_brings_nothing_and_names_line_and_column,
    an_exported_table_comes_back,
    files_have_the_sign_of_the_readers_spreadsheets_and_plain_phone_numbers,
];

const BASE: &str = "/dashboard/p/pr_a";

async fn begin(world: &World) -> (Producer, Staff) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev_autumn"), ticket_type("tt_entry", "ev_autumn")]).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    (producer, ana)
}

/// Runs the import of a file with this content. What it says, and whether it was done.
fn import(world: &World, content: &str) -> (bool, String) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), content).unwrap();
    let command = ["import", "--producer", "pr_a", "--json", file.path().to_str().unwrap()];
    let output = taquilla(&world.address).args(command).output().unwrap();
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

/// The names and phone numbers of all attendees, by name.
async fn attendees(world: &World, producer: &Producer) -> Vec<(String, String)> {
    let tickets = world.client.get("/api/v1/tickets?limit=200", &producer.key).await.data();
    let text =
        |ticket: &serde_json::Value, field: &str| ticket["attendee"][field].as_str().unwrap_or_default().to_owned();
    let mut found: Vec<_> = tickets.iter().map(|ticket| (text(ticket, "name"), text(ticket, "phone"))).collect();
    found.sort();
    found
}

async fn tickets_come_as_a_table_by_command_and_by_page(world: World) {
    let (producer, ana) = begin(&world).await;
    let (done, said) = import(&world, EXAMPLE);
    assert!(done && said.contains("\"tickets\":3"), "{said}");
    let expected = [("Ana Ruiz", "+34 600 000 001"), ("Gil, Bea", ""), ("Søren Østergård", "")];
    let expected = expected.map(|(name, phone)| (name.to_owned(), phone.to_owned()));
    assert_eq!(attendees(&world, &producer).await, expected);
    let guest = world.client.get("/api/v1/tickets/GUEST-0002", &producer.key).await.json();
    assert_eq!((&guest["status"], &guest["attendee"]["email"]), (&json!("valid"), &json!("soren@example.com")));
    // The example can be downloaded, and comes back as it is: with other codes, and with the sign of Spanish spreadsheets.
    let spanish = ana.at(&world.client.base);
    spanish.set_cookie("taquilla-language", "es");
    let page = spanish.get(&format!("{BASE}/imports")).await;
    assert!(page.text.contains(&format!("{BASE}/imports/example.csv")), "{}", page.text);
    let example = spanish.get(&format!("{BASE}/imports/example.csv")).await;
    assert!(example.text.starts_with("\u{feff}event_id;ticket_type_id;id;"), "{}", example.text);
    assert!(example.text.contains(";+34 600 000 001;"), "{}", example.text);
    let file = example.text.replace("GUEST", "OTHER").replace("Ana Ruiz", "\"Ana María\"");
    let uploaded = ana.upload(&format!("{BASE}/imports"), "guests.csv", file.as_bytes()).await;
    let path = uploaded.leads_to().to_owned();
    assert!(until(async || ana.get(&path).await.text.contains("work-is-checked")).await);
    ana.post(&format!("{path}/import"), &[]).await.leads_to();
    assert!(until(async || ana.get(&path).await.text.contains("work-is-done")).await);
    assert_eq!(attendees(&world, &producer).await.len(), 6);
    assert!(world.findings().await.is_empty());
}

async fn a_table_with_a_fault_brings_nothing_and_names_line_and_column(world: World) {
    let (producer, ana) = begin(&world).await;
    let head = "event_id,ticket_type_id,id,attendee_name,attendee_email,order_id";
    for (rows, fault) in [
        (
            "ev_autumn,tt_entry,A,Ana\nev_autumn,tt_none,B,Bea",
            "line 3, field \"ticket_type_id\": there is no single item tt_none",
        ),
        ("ev_autumn,tt_entry,A\nev_none,tt_entry,B", "line 3, field \"event_id\": there is no event ev_none"),
        ("ev_autumn,tt_entry,A\nev_autumn,tt_entry,A", "line 3, field \"id\": this id stands in the file twice"),
        ("ev_autumn,tt_entry,A,\"a\u{7}b\"", "line 2, field \"attendee_name\": control characters are not taken"),
        ("ev_autumn,tt_entry,A,\"two\nlines\"\nev_autumn,,B", "line 2, field \"attendee_name\": control characters"),
        ("ev_autumn,tt_entry,A,,,or_9", "line 2, field \"order_id\": there is no order or_9"),
        ("ev_autumn,tt_entry,A,,,,,x", "line 2: the row has more cells than there are columns"),
        (",tt_entry,A", "line 2, field \"event_id\": the field event_id is missing"),
    ] {
        let (done, said) = import(&world, &format!("{head}\n{rows}\n"));
        assert!(!done && said.contains(fault), "{rows}: {said}");
    }
    let (done, said) = import(&world, "event_id,ticket_type_id,nmae\nev_autumn,tt_entry,x\n");
    assert!(!done && said.contains("line 1, field \"nmae\": there is no such column; there are id, status"), "{said}");
    assert_eq!(attendees(&world, &producer).await, [], "nothing was imported");
    // The page says it in the reader's language.
    ana.set_cookie("taquilla-language", "es");
    let wrong = format!("{head}\nev_autumn,tt_none,A\n");
    let path = ana.upload(&format!("{BASE}/imports"), "x.csv", wrong.as_bytes()).await.leads_to().to_owned();
    assert!(until(async || ana.get(&path).await.text.contains("work-is-faulty")).await);
    let page = ana.get(&path).await;
    assert!(page.text.contains("no hay ningún artículo suelto tt_none en el evento de la entrada"), "{}", page.text);
}

async fn an_exported_table_comes_back(world: World) {
    let (producer, ana) = begin(&world).await;
    let person = json!({"name": "=Ana", "email": "ana@x.example", "phone": "+34 600 000 001"});
    let facts = json!({"attendee": person, "checked_in_at": "2026-01-02T03:04:05Z", "checked_in_by": "Gate"});
    world.import(producer.tenant, &[with(ticket("T1", "ev_autumn", "tt_entry"), facts)]).await;
    let file = ana.get(&format!("{BASE}/exports/tickets.csv?zone=utc")).await.text;
    let other = world.producer("pr_b").await;
    world.import(other.tenant, &[event("ev_autumn"), ticket_type("tt_entry", "ev_autumn")]).await;
    let path = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(path.path(), &file).unwrap();
    let command = ["import", "--producer", "pr_b", path.path().to_str().unwrap()];
    let output = taquilla(&world.address).args(command).output().unwrap();
    assert!(output.status.success(), "{output:?} {file}");
    let (one, two) = (
        world.client.get("/api/v1/tickets/T1", &producer.key).await.json(),
        world.client.get("/api/v1/tickets/T1", &other.key).await.json(),
    );
    for field in ["id", "status", "attendee", "checked_in_at", "checked_in_by"] {
        assert_eq!(one[field], two[field], "{field}");
    }
}

async fn files_have_the_sign_of_the_readers_spreadsheets_and_plain_phone_numbers(world: World) {
    let (producer, ana) = begin(&world).await;
    let person = json!({"name": "Ana; =1+1", "phone": "+34 600 000 001"});
    world.import(producer.tenant, &[with(ticket("T1", "ev_autumn", "tt_entry"), json!({"attendee": person}))]).await;
    let file = async |query: &str| ana.get(&format!("{BASE}/exports/tickets.csv{query}")).await.text;
    let english = file("").await;
    assert!(english.starts_with("\u{feff}id,status,") && english.contains(",+34 600 000 001,"), "{english}");
    assert!(file("?separator=semicolon").await.starts_with("\u{feff}id;status;"));
    ana.set_cookie("taquilla-language", "es");
    let spanish = file("").await;
    assert!(spanish.starts_with("\u{feff}id;status;") && spanish.contains(";\"Ana;' =1+1\";"), "{spanish}");
    assert!(file("?separator=comma").await.starts_with("\u{feff}id,status,"));
    assert_eq!(ana.get(&format!("{BASE}/exports/tickets.csv?separator=tab")).await.status, 400);
    let sales = ana.get(&format!("{BASE}/reports/sales?event=ev_autumn&format=csv")).await.text;
    assert!(sales.lines().next().unwrap().contains(';'), "{sales}");
    let page = ana.get(&format!("{BASE}/data")).await;
    assert!(page.text.contains("<option value=\"semicolon\" selected>un punto y coma (;)</option>"), "{}", page.text);
}
