//! Who may not see people sees none of them, and nothing that opens a door: on no page, in no file, in no message.

use std::collections::BTreeSet;

use serde_json::json;
use taquilla_domain::{
    personal::Detail,
    role::Right,
    webhook::{DeliveryStatus, MessageKind},
};
use taquilla_rules::boxoffice;

use crate::{
    dashboard_access::table,
    exports::with_rights,
    harness::{
        Staff, World, place,
        receiver::{Behaviour, Receiver},
    },
    personal_data::{Life, NAME, person, traces_in},
};

both_engines![
    no_page_and_no_file_shows_anybody,
    an_endpoint_that_was_not_made_for_people_is_told_of_none,
    messages_are_not_turned_to_who_sees_no_people,
];

/// The streams of a live door do not end. They have tests of their own in `dashboard_door`.
const ENDLESS: &str = "/door/{event_id}/stream";

/// The addresses of every page of a route, for everything that the producer has.
async fn addresses(life: &Life, route: &str) -> Vec<String> {
    let raw = life.hooks.world.raw().await;
    let ids = async |sql: &str| raw.rows(sql).await.into_iter().map(|row| row[0].clone()).collect::<Vec<String>>();
    let all = |values: Vec<String>, name: &str| values.iter().map(|id| route.replacen(name, id, 1)).collect::<Vec<_>>();
    match route {
        "/orders/{id}" | "/orders/{id}/tickets" | "/orders/{id}/refund" | "/orders/{id}/reject" => {
            all(ids("SELECT id FROM orders WHERE id <> 'or'").await, "{id}")
        }
        "/orders" | "/tickets" => {
            let orders = ids("SELECT id FROM orders").await;
            orders.iter().map(|id| format!("{route}?q={id}")).chain([route.to_owned()]).collect()
        }
        route if route.starts_with("/tickets/{id}") => {
            let places = raw.rows("SELECT issued_at, seq FROM tickets WHERE attendee_name LIKE 'Z%'").await;
            all(places.iter().map(|row| format!("{}-{}", row[0], row[1])).collect(), "{id}")
        }
        "/webhooks/{id}/messages/{message_id}" => {
            let of_endpoint = route.replacen("{id}", &life.endpoint.id, 1);
            let messages = life.hooks.events(&life.endpoint).await;
            messages.iter().map(|logged| of_endpoint.replacen("{message_id}", &logged.message.id, 1)).collect()
        }
        "/exports/{file}" => {
            let files =
                ["tickets", "orders", "scans", "payments"].map(|kind| [format!("{kind}.csv"), format!("{kind}.jsonl")]);
            all(files.concat(), "{file}")
        }
        "/payments/one" => vec![format!("{route}?payment=pay_2")],
        route if route.starts_with("/reports") => vec![route.to_owned(), format!("{route}?event=ev")],
        route if route.starts_with("/imports/{id}") => all(ids("SELECT id FROM work").await, "{id}"),
        route if route.starts_with("/webhooks/{id}") => vec![route.replacen("{id}", &life.endpoint.id, 1)],
        route if route.contains("/links/{id}") => all(ids("SELECT id FROM door_links").await, "{id}")
            .iter()
            .map(|path| path.replace("{event_id}", "ev"))
            .collect(),
        route if route.starts_with("/events") || route.starts_with("/door") => {
            vec![route.replace("{event_id}", "ev").replace("{item_id}", "tt").replace("{id}", "ev")]
        }
        route => vec![route.replace("{id}", "no-such")],
    }
}

pub async fn pages(life: &Life) -> Vec<String> {
    let routes: BTreeSet<&str> = table()
        .into_iter()
        .filter(|(method, route, _)| *method == "GET" && *route != ENDLESS)
        .map(|(_, route, _)| route)
        .collect();
    let mut pages = Vec::new();
    for route in routes {
        let found = addresses(life, route).await;
        assert!(!found.is_empty(), "{route} has no page");
        pages.extend(found);
    }
    pages
}

async fn look(staff: &Staff, page: &str) -> String {
    staff.get(&format!("/dashboard/p/pr_a{page}")).await.text
}

/// What a page tells of the person. The name of the service is part of every page, and has letters of hers.
fn traces_on(page: &str) -> Vec<&'static str> {
    traces_in(&page.to_lowercase().replace("taquilla", ""))
}

async fn no_page_and_no_file_shows_anybody(world: World) {
    let known: BTreeSet<String> = person().as_object().unwrap().keys().cloned().collect();
    assert_eq!(
        known,
        Detail::ALL.iter().map(|detail| detail.as_str().to_owned()).collect(),
        "every detail has a marker"
    );
    let life = Life::new(world).await;
    let (world, producer) = (&life.hooks.world, &life.hooks.producer);
    // Money that came without an order, for what may be a name.
    let strange = format!(
        "UPDATE payments SET reference = '{NAME}', order_id = NULL, result = 'not_found', paid_back_at = NULL WHERE id = 'pay_2'"
    );
    world.raw().await.batch(&strange).await;
    // Refused at the door: the answer to that has the name.
    crate::personal_data::scan(world, &life.scan.0, "ENTER-1", "scan-2").await;
    let rights: Vec<&str> =
        Right::ALL.iter().filter(|right| **right != Right::SeePersonalData).map(|right| right.as_str()).collect();
    let clerk = with_rights(world, producer, "clerk@x.example", &rights).await;
    let raw = world.raw().await;
    let codes = raw.rows("SELECT id FROM tickets WHERE attendee_name LIKE 'Z%'").await;
    let references = raw.rows("SELECT reference FROM orders WHERE reference IS NOT NULL").await;
    let opens: Vec<String> = codes.into_iter().chain(references).map(|row| row[0].clone()).collect();
    assert!(opens.len() > 6, "{opens:?}");
    let mut seen_by_ana = 0;
    for page in pages(&life).await {
        let seen = look(&clerk, &page).await;
        assert_eq!(traces_on(&seen), [""; 0], "{page}: {seen}");
        let keys: Vec<&String> = opens.iter().filter(|key| seen.contains(key.as_str())).collect();
        assert!(keys.is_empty(), "{page} shows {keys:?}: {seen}");
        seen_by_ana += usize::from(!traces_on(&look(&life.ana, &page).await).is_empty());
    }
    assert!(seen_by_ana > 30, "people are on {seen_by_ana} pages for those who may see them");
}

async fn an_endpoint_that_was_not_made_for_people_is_told_of_none(world: World) {
    let life = Life::new(world).await;
    let (hooks, world) = (&life.hooks, &life.hooks.world);
    let receiver = Receiver::start(Behaviour::ok()).await;
    let kinds: Vec<MessageKind> =
        MessageKind::ALL.iter().copied().filter(|kind| *kind != MessageKind::WebhookTest).collect();
    let (endpoint, _) = hooks.endpoint_with(&receiver.url("/"), &kinds, false).await;
    let items = json!([{"ticket_type_id": "tt", "quantity": 1, "attendees": [person()]}]);
    let bought = place(world, "k9", &json!({"buyer": person(), "items": items})).await.json();
    let order_id = bought["order"]["id"].as_str().unwrap();
    boxoffice::approve(&world.store, hooks.producer.tenant, order_id, boxoffice::PastHolds::No, world.now())
        .await
        .unwrap();
    boxoffice::cancel(&world.store, hooks.producer.tenant, &life.valid, &world.by()).await.unwrap();
    let told = hooks
        .wait_until(&endpoint, |events| {
            events.len() > 2 && events.iter().all(|event| event.status == DeliveryStatus::Delivered)
        })
        .await;
    let received = receiver.wait_for(told.len()).await;
    let reference = bought["reference"].as_str().unwrap();
    for request in &received {
        assert!(traces_in(&request.body).is_empty() && !request.body.contains(reference), "{}", request.body);
    }
    assert!(
        told.iter().any(|event| !traces_in(event.message.data.uncovered()).is_empty()),
        "there was somebody to tell of"
    );
}

/// Whoever chooses where messages go reads them. A ticket's id opens a door, whether or not its person is told.
async fn messages_are_not_turned_to_who_sees_no_people(world: World) {
    let life = Life::new(world).await;
    let (hooks, world) = (&life.hooks, &life.hooks.world);
    let clerk = with_rights(world, &hooks.producer, "clerk@x.example", &["webhooks.see", "webhooks.manage"]).await;
    let receiver = Receiver::start(Behaviour::ok()).await;
    for (kind, personal) in [(MessageKind::OrderCreated, true), (MessageKind::TicketIssued, false)] {
        let (endpoint, _) = hooks.endpoint_with("https://example.com/hook", &[kind], personal).await;
        let base = format!("/dashboard/p/pr_a/webhooks/{}", endpoint.id);
        let before = world.contents(&[("sessions", "seen_at")]).await;
        let away = receiver.url("/away");
        let people = if personal { "yes" } else { "" };
        for (path, fields) in [
            ("change", vec![("url", away.as_str()), ("kind", kind.as_str()), ("personal_data", people)]),
            ("change", vec![("url", away.as_str()), ("kind", "event.updated")]),
            ("change", vec![("url", "https://example.com/hook"), ("kind", "event.updated")]),
            ("rotate", vec![]),
            ("replay", vec![("which", "failed")]),
            ("replay", vec![("which", "range"), ("since", "2020-01-01T00:00")]),
        ] {
            let page = clerk.post(&format!("{base}/{path}"), &fields).await;
            assert!([409, 422].contains(&page.status.as_u16()), "{path} {fields:?}: {}", page.text);
        }
        assert_eq!(world.contents(&[("sessions", "seen_at")]).await, before, "nothing was changed");
        assert_eq!(clerk.get(&format!("{base}/change")).await.status, 403);
        let page = clerk.get(&base).await.text;
        assert!(page.contains("are for roles that see personal data"), "{page}");
        assert!(
            ["/rotate", "/change", "/replay"].iter().all(|form| !page.contains(&format!("{base}{form}"))),
            "{page}"
        );
        // What tells nobody anything is theirs to do.
        for path in ["pause", "resume", "delete"] {
            clerk.post(&format!("{base}/{path}"), &[]).await.leads_to();
        }
        let new = [("url", away.as_str()), ("kind", kind.as_str()), ("personal_data", people)];
        assert_eq!(clerk.post("/dashboard/p/pr_a/webhooks", &new).await.status, 422);
    }
    let (endpoint, _) = hooks.endpoint_with("https://example.com/hook", &[MessageKind::OrderCreated], false).await;
    let base = format!("/dashboard/p/pr_a/webhooks/{}", endpoint.id);
    let change = [("url", "https://example.com/other"), ("kind", "order.created")];
    clerk.post(&format!("{base}/change"), &change).await.leads_to();
    let more = [("url", "https://example.com/other"), ("kind", "order.created"), ("kind", "ticket.issued")];
    assert_eq!(clerk.post(&format!("{base}/change"), &more).await.status, 422);
    clerk.post(&format!("{base}/replay"), &[("which", "failed")]).await.leads_to();
    assert_eq!(clerk.post(&format!("{base}/rotate"), &[]).await.status, 200);
}
