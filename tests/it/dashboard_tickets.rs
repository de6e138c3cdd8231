//! Tickets in the dashboard: one ticket with all that happened to it, and what staff do with it.

use std::time::Duration;

use serde_json::json;
use taquilla_domain::{role::BuiltInRole, status::Category};
use taquilla_rules::boxoffice;

use crate::harness::{Producer, Staff, World, event, order, ticket, ticket_type, with};

both_engines![
    a_ticket_tells_what_happened_to_it,
    a_ticket_is_passed_on_cancelled_and_hidden,
    a_ticket_is_named_by_its_place_and_never_by_its_code,
    who_manages_tickets_without_seeing_people_sees_no_people,
];

async fn hall(world: &World) -> (Producer, Staff) {
    let producer = world.producer("pr_a").await;
    let lines = [
        with(event("ev"), json!({"status": "published", "name": "Concert"})),
        event("ev_other"),
        ticket_type("tt", "ev"),
        ticket_type("tt_other", "ev_other"),
        with(order("or_1", "ev", "tt"), json!({"buyer": {"name": "Ana"}})),
        with(
            ticket("CODE-0001", "ev", "tt"),
            json!({"order_id": "or_1", "attendee": {"name": "Ana López", "email": "ana@x.example"}}),
        ),
        with(ticket("CODE-0002", "ev", "tt"), json!({"attendee": {"name": "Bea Gil"}})),
    ];
    world.import(producer.tenant, &lines).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    (producer, staff)
}

/// The address of the page of the ticket with this attendee.
async fn page_of(staff: &Staff, attendee: &str) -> String {
    let list = staff.get("/dashboard/p/pr_a/tickets").await;
    let before = list.text.split(&format!("dir=\"auto\">{attendee}</a>")).next().unwrap();
    let (_, path) = before.rsplit_once("href=\"").unwrap();
    path.trim_end_matches("\" ").to_owned()
}

async fn a_ticket_tells_what_happened_to_it(world: World) {
    let (producer, ana) = hall(&world).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[Category::Ticket]).await;
    let (elsewhere, _) = world.door(producer.tenant, "ev_other", &[]).await;
    for (token, scan, station) in [(&elsewhere, "s1", "Side"), (&gate, "s2", "North"), (&gate, "s3", "South")] {
        world.step(Duration::from_secs(60));
        let authorization = format!("Bearer {token}");
        let body = json!({"scan_id": scan, "code": "CODE-0001", "station": station});
        let answer = world.client.post("/door/v1/scan", &[("authorization", &authorization)], &body).await;
        assert_eq!(answer.status, 200, "{:?}", answer.json());
    }
    let path = page_of(&ana, "Ana López").await;
    let page = ana.get(&path).await;
    let moments = page.between("aria-labelledby=\"moments\"", "</ol>");
    let places: Vec<usize> = ["issued", "another event", ">entered<", "had entered before"]
        .iter()
        .map(|said| moments.find(said).unwrap_or_else(|| panic!("no {said} in {moments}")))
        .collect();
    assert!(places.is_sorted(), "{moments}");
    assert!(["Side", "North", "South", "Gate"].iter().all(|said| moments.contains(said)), "{moments}");
    assert!(page.text.contains("<svg") && page.text.contains("CODE-0001"));
    // A refund of its order is part of it.
    world.step(Duration::from_secs(60));
    boxoffice::refund(&world.store, producer.tenant, "or_1", &world.by()).await.unwrap();
    let page = ana.get(&path).await;
    assert!(page.between("aria-labelledby=\"moments\"", "</ol>").contains(">refunded<"));
    assert!(!page.text.contains("<svg"), "a ticket that no longer works has no QR code");
}

async fn a_ticket_is_passed_on_cancelled_and_hidden(world: World) {
    let (_, ana) = hall(&world).await;
    let path = page_of(&ana, "Bea Gil").await;
    let nameless = ana.post(&format!("{path}/pass-on"), &[("name", " ")]).await;
    assert_eq!(nameless.status, 422);
    let odd = ana.post(&format!("{path}/pass-on"), &[("name", "a\u{202e}b")]).await;
    assert!(odd.status == 422 && odd.text.contains("no control characters"));
    let passed = ana.post(&format!("{path}/pass-on"), &[("name", "Carl"), ("email", "carl@x.example")]).await;
    let new = passed.leads_to().split('?').next().unwrap().to_owned();
    let page = ana.get(&new).await;
    let holders = page.between("aria-labelledby=\"holders\"", "</ol>");
    assert!(holders.contains("Bea Gil") && holders.contains("Carl") && holders.contains(&path), "{holders}");
    let old = ana.get(&path).await;
    assert!(old.between("aria-labelledby=\"moments\"", "</ol>").contains("passed on by staff"), "{}", old.text);
    let again = ana.post(&format!("{path}/pass-on"), &[("name", "Dora")]).await;
    assert!(again.status == 422 && again.text.contains("was passed on already"));
    // Hidden: out of the lists, and its page is still there.
    ana.post(&format!("{new}/hide"), &[]).await.leads_to();
    let hidden = ana.get(&new).await;
    assert!(hidden.status == 200 && hidden.text.contains("hidden by staff"), "{}", hidden.text);
    assert!(!ana.get("/dashboard/p/pr_a/tickets").await.text.contains("Carl"));
    assert_eq!(ana.post(&format!("{new}/cancel"), &[]).await.leads_to(), format!("{new}?done=ticket-cancelled"));
    let refused = ana.post(&format!("{new}/cancel"), &[]).await;
    assert!(refused.status == 422 && refused.text.contains("cancelled already"), "{}", refused.text);
    let entries =
        world.raw().await.rows("SELECT action, subject, details FROM audit WHERE action LIKE 'ticket.%'").await;
    assert_eq!(entries.len(), 3, "{entries:?}");
    let codes = world.raw().await.rows("SELECT id FROM tickets").await;
    for entry in &entries {
        assert!(entry[1].starts_with('…') && entry[1].chars().count() == 5, "{entry:?}");
        assert!(codes.iter().all(|code| !entry.iter().any(|text| text.contains(&code[0]))), "{entry:?}");
    }
    assert!(world.findings().await.is_empty());
}

async fn a_ticket_is_named_by_its_place_and_never_by_its_code(world: World) {
    let (_, ana) = hall(&world).await;
    let path = page_of(&ana, "Ana López").await;
    assert!(!path.contains("CODE"), "{path}");
    let place = path.rsplit('/').next().unwrap();
    let list = ana.get("/dashboard/p/pr_a/tickets").await;
    assert!(!list.text.contains("CODE-0001"), "a list has no codes");
    let (stamp, seq) = place.rsplit_once('-').unwrap();
    for odd in [
        "CODE-0001",
        "x",
        "1-1",
        "-",
        "1",
        "%00",
        &format!("0{place}"),
        &format!("{stamp}-+{seq}"),
        &format!("+{place}"),
        "9-99999999999999999999",
    ] {
        assert_eq!(ana.get(&format!("/dashboard/p/pr_a/tickets/{odd}")).await.status, 404, "{odd}");
        assert_eq!(ana.post(&format!("/dashboard/p/pr_a/tickets/{odd}/cancel"), &[]).await.status, 404, "{odd}");
    }
    // What belongs to others does not exist.
    let other = world.producer("pr_b").await;
    let bob = world.staff(other.tenant, "bob@x.example", BuiltInRole::Administrator).await;
    assert_eq!(bob.get(&path.replace("pr_a", "pr_b")).await.status, 404);
    assert_eq!(bob.post(&format!("{}/cancel", path.replace("pr_a", "pr_b")), &[]).await.status, 404);
    assert_eq!(bob.get("/dashboard/p/pr_b/orders/or_1").await.status, 404);
}

async fn who_manages_tickets_without_seeing_people_sees_no_people(world: World) {
    let (producer, ana) = hall(&world).await;
    let first = page_of(&ana, "Ana López").await;
    let new =
        [("name", "Carl Private"), ("email", "carl@private.example"), ("phone", "600000001"), ("document", "X-9")];
    assert_eq!(ana.post(&format!("{first}/pass-on"), &new).await.status, 303);
    let second = page_of(&ana, "Carl Private").await;
    let rights = [("name", "Tickets"), ("right", "orders.see"), ("right", "tickets.manage")];
    assert_eq!(ana.post("/dashboard/p/pr_a/team/roles", &rights).await.status, 303);
    let role = world.raw().await.rows("SELECT id FROM roles").await[0][0].clone();
    world.user(producer.tenant, "mia@x.example", &role).await;
    let mia = Staff::new(&world.client.base);
    assert_eq!(mia.sign_in("mia@x.example").await.status, 303);

    let mut secrets =
        ["Ana López", "ana@x.example", "Carl Private", "carl@private.example", "600000001", "X-9"].to_vec();
    let codes = world.raw().await.rows("SELECT id FROM tickets").await;
    secrets.extend(codes.iter().map(|row| row[0].as_str()));
    let pages = [first.clone(), second.clone()]
        .into_iter()
        .chain(["cancel", "pass-on", "hide"].map(|change| format!("{second}/{change}")));
    let mut seen = Vec::new();
    for path in pages {
        let (covered, open) = (mia.get(&path).await, ana.get(&path).await);
        assert!(covered.status == 200 && open.status == 200, "{path}");
        let told: Vec<&&str> = secrets.iter().filter(|secret| covered.text.contains(**secret)).collect();
        assert!(told.is_empty() && !covered.text.contains("<svg"), "{path} tells {told:?}: {}", covered.text);
        seen.extend(secrets.iter().filter(|secret| open.text.contains(**secret)));
    }
    // It is not that nobody sees them.
    for secret in ["Ana López", "Carl Private", "carl@private.example", "600000001", "X-9"] {
        assert!(seen.contains(&&secret), "{secret}");
    }
    let wrong = mia.post(&format!("{second}/pass-on"), &[("name", " ")]).await;
    assert_eq!(wrong.status, 422);
    assert!(!secrets.iter().any(|secret| wrong.text.contains(secret)), "{}", wrong.text);
}
