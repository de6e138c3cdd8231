//! What somebody who is no buyer can learn from the shop, take from a buyer, and make it store.

use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::status::TypeStatus;
use taquilla_rules::admin::catalogue::{TicketTypeChange, change_ticket_type};

use crate::harness::{Answer, Producer, World, cart, event, pay, place, problem, taquilla, ticket_type, with};

both_engines![
    what_the_public_may_not_see_looks_like_what_does_not_exist,
    a_reference_has_one_spelling,
    a_guessed_key_gives_nothing_away,
    the_details_of_an_order_are_bounded,
];

async fn a_shop(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let lines = [
        event("ev"),
        with(ticket_type("tt", "ev"), json!({"max_per_order": 1_000})),
        with(ticket_type("tt_team", "ev"), json!({"status": "exclusive"})),
        with(ticket_type("tt_off", "ev"), json!({"status": "inactive"})),
        with(ticket_type("tt_late", "ev"), json!({"expires_at": "2026-10-01"})),
        with(ticket_type("tt_late_sold_out", "ev"), json!({"status": "sold_out", "expires_at": "2026-10-01"})),
        with(ticket_type("tt_gone", "ev"), json!({"deleted": true})),
        with(ticket_type("tt_only_one", "ev"), json!({"status": "inactive", "max_per_order": 1})),
        ticket_type("tt_hidden", "ev"),
        with(ticket_type("tt_sold_out", "ev"), json!({"status": "sold_out"})),
        with(event("ev_draft"), json!({"status": "draft"})),
        ticket_type("tt_draft", "ev_draft"),
        event("ev_other"),
        ticket_type("tt_other", "ev_other"),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

/// An answer as it was sent, but for the request's id and the time.
fn without_request_id(answer: &Answer) -> (u16, Vec<(String, String)>, String) {
    let id = answer.header("x-request-id").unwrap();
    let mut headers: Vec<(String, String)> = answer
        .headers
        .iter()
        .filter(|(name, _)| !["x-request-id", "date"].contains(&name.as_str()))
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    headers.sort();
    (answer.status.as_u16(), headers, answer.text.replace(id, ""))
}

async fn what_the_public_may_not_see_looks_like_what_does_not_exist(world: World) {
    let producer = a_shop(&world).await;
    let hide = TicketTypeChange { status: Some(TypeStatus::Hidden), ..TicketTypeChange::default() };
    change_ticket_type(&world.store, producer.tenant, "tt_hidden", &hide, None, &world.by()).await.unwrap();
    let codes = world.raw().await.rows("SELECT access_code FROM ticket_types WHERE id = 'tt_hidden'").await;
    let code = &codes[0][0];
    for shown in [None, Some("wrong"), Some(""), Some("a\u{0}b")] {
        // Too many units, and a second item before it, do not make a difference either.
        for (quantity, position) in [(1, 0), (50, 0), (1, 1)] {
            let ask = async |item: &str| {
                let mut body = cart(item, quantity);
                if position == 1 {
                    body["items"] = json!([{"ticket_type_id": "tt", "quantity": 1}, body["items"][0]]);
                }
                if let Some(code) = shown {
                    body["access_code"] = json!(code);
                }
                place(&world, "look", &body).await
            };
            let unknown = ask("tt_nothing").await;
            let field = format!("items[{position}].ticket_type_id");
            assert_eq!(unknown.problem(), problem(400, "invalid_body", Some(&field)));
            assert!(unknown.json()["detail"].as_str().unwrap().contains("on sale"), "it says what to do");
            for item in [
                "tt_hidden",
                "tt_team",
                "tt_off",
                "tt_late",
                "tt_late_sold_out",
                "tt_gone",
                "tt_only_one",
                "tt_other",
                "tt_draft",
            ] {
                let hidden = ask(item).await;
                assert_eq!(without_request_id(&hidden), without_request_id(&unknown), "{item} with {shown:?}");
            }
        }
    }
    assert_eq!(place(&world, "sold", &cart("tt_sold_out", 1)).await.problem(), problem(409, "sold_out", None));
    let opened = with(cart("tt_hidden", 1), json!({"access_code": code}));
    assert_eq!(place(&world, "opened", &opened).await.status, 201);
    // The list of what is on sale does not tell either, and a draft is as unknown as an event that is not there.
    let sale = async |path: &str| without_request_id(&world.client.send(Method::GET, path, &[]).await);
    assert_eq!(sale("/shop/v1/pr_a/events/ev?access_code=wrong").await, sale("/shop/v1/pr_a/events/ev").await);
    assert_eq!(sale("/shop/v1/pr_a/events/ev_draft").await, sale("/shop/v1/pr_a/events/ev_nothing").await);
    let order = async |event: &str, item: &str| {
        let path = format!("/shop/v1/pr_a/events/{event}/orders");
        without_request_id(&world.client.post(&path, &[("idempotency-key", "look")], &cart(item, 1)).await)
    };
    assert_eq!(order("ev_draft", "tt_draft").await, order("ev_nothing", "tt_draft").await);
    // Staff is told the reason.
    let sell = |item: &str| {
        let mut command = taquilla(&world.address);
        command.args(["order", "create", "--producer", "pr_a", "--event", "ev", "--name", "A", "--item"]);
        let output = command.arg(format!("{item}=1")).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    for (item, expected) in [
        ("tt_off", "tt_off is not on sale. (not_on_sale)"),
        ("tt_late", "tt_late is not on sale. (not_on_sale)"),
        ("tt_gone", "tt_gone is not on sale. (not_on_sale)"),
        ("tt_nothing", "the event has no such item"),
    ] {
        let (sold, told) = sell(item);
        assert!(!sold && told.contains(expected), "{item}: {told}");
    }
    assert!(sell("tt_hidden").0 && sell("tt_team").0);
}

async fn a_reference_has_one_spelling(world: World) {
    let producer = a_shop(&world).await;
    let secret = world.connect_processor(&producer).await;
    let reference = place(&world, "k", &cart("tt", 1)).await.json()["reference"].as_str().unwrap().to_owned();
    let (number, random) = reference.split_once('-').unwrap();
    let look = async |reference: &str| {
        let path = format!("/shop/v1/orders/{}", reference.replace('+', "%2B").replace(' ', "%20"));
        world.client.send(Method::GET, &path, &[]).await
    };
    let tell = async |reference: &str| {
        let notice =
            json!({"payment_id": "p", "reference": reference, "status": "paid", "amount": 25, "currency": "EUR"});
        pay(&world, &notice, &secret, 0).await
    };
    for alias in [
        format!("0{reference}"),
        format!("+{reference}"),
        format!("-{reference}"),
        format!(" {reference}"),
        format!("{reference} "),
        format!("{number}--{random}"),
        format!("{number}-{}", random.to_lowercase()),
    ] {
        assert_eq!(look(&alias).await.problem(), problem(404, "not_found", None), "{alias}");
        assert_eq!(tell(&alias).await.problem(), problem(404, "not_found", None), "{alias}");
    }
    assert_eq!(look(&reference).await.status, 200);
    assert_eq!(tell(&reference).await.json()["status"], "approved");
}

async fn a_guessed_key_gives_nothing_away(world: World) {
    a_shop(&world).await;
    let bought = place(&world, "cart-17", &cart("tt", 1)).await;
    let reference = bought.json()["reference"].as_str().unwrap().to_owned();
    // Whoever guesses the key and what was bought, but not who bought it, learns only that the key is taken.
    let guessed = with(cart("tt", 1), json!({"buyer": {"name": "Ana", "email": "mallory@example.com", "phone": "1"}}));
    let answer = place(&world, "cart-17", &guessed).await;
    assert_eq!(answer.problem(), problem(422, "idempotency_mismatch", None));
    assert!(!answer.text.contains(&reference) && !answer.text.contains("ana@"), "{}", answer.text);
    // Whoever guessed a buyer's next key has taken it. The buyer is told what to do, and that helps.
    assert_eq!(place(&world, "cart-18", &guessed).await.status, 201);
    let refused = place(&world, "cart-18", &cart("tt", 1)).await;
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("new random key") && detail.contains("UUID"), "{detail}");
    assert_eq!(place(&world, "0d7f6c52-5b0e-4c1f-9a53-6a6d6c1e2f90", &cart("tt", 1)).await.status, 201);
    let missing = world.client.post("/shop/v1/pr_a/events/ev/orders", &[], &cart("tt", 1)).await;
    assert!(missing.json()["detail"].as_str().unwrap().contains("random UUID"), "{}", missing.text);
}

async fn the_details_of_an_order_are_bounded(world: World) {
    let producer = a_shop(&world).await;
    // Two bytes a character: characters are counted.
    let longest = json!({"name": "ñ".repeat(200), "email": format!("{}@x", "ñ".repeat(252)), "phone": "1".repeat(40), "identity_document": "ñ".repeat(64)});
    let ordered = |buyer: &Value, attendees: &[Value]| {
        let item = json!({"ticket_type_id": "tt", "quantity": attendees.len().max(1), "attendees": attendees});
        json!({"buyer": buyer, "items": [item]})
    };
    assert_eq!(place(&world, "longest", &ordered(&longest, std::slice::from_ref(&longest))).await.status, 201);
    for (detail, limit) in [("name", 200), ("email", 254), ("phone", 40), ("identity_document", 64)] {
        let over = with(longest.clone(), json!({detail: format!("@{}", "x".repeat(limit))}));
        for (body, person) in
            [(ordered(&over, &[]), "buyer"), (ordered(&longest, std::slice::from_ref(&over)), "items[0].attendees[0]")]
        {
            let answer = place(&world, "over", &body).await;
            let field = format!("{person}.{detail}");
            assert_eq!(answer.problem(), problem(400, "invalid_body", Some(&field)), "{}", answer.text);
            assert!(answer.json()["detail"].as_str().unwrap().contains(&limit.to_string()), "{}", answer.text);
        }
    }
    // A large group is served. Filling the database is not: what one order stores has a limit.
    let buyer = json!({"name": "B".repeat(12), "email": "b@example.com"});
    let guest = |bytes: usize| json!({"name": "G".repeat(bytes)});
    let (count, each) = (158, 100);
    let rest = 16 * 1024 - count * each - 25;
    let mut guests: Vec<Value> = vec![guest(each); count];
    guests.extend([guest(200), guest(200), guest(rest - 400)]);
    assert_eq!(place(&world, "group", &ordered(&buyer, &guests)).await.status, 201);
    guests.push(guest(1));
    let refused = place(&world, "crowd", &ordered(&buyer, &guests)).await;
    assert_eq!(refused.problem(), problem(400, "invalid_body", Some("items")), "{}", refused.text);
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("16 kB") && detail.contains("several orders"), "{detail}");
    // Staff and imports keep the longer limit: what they write is no stranger's.
    let long = "x".repeat(500);
    let mut command = taquilla(&world.address);
    command.args(["order", "create", "--producer", "pr_a", "--event", "ev", "--item", "tt=1", "--name", &long]);
    assert!(command.output().unwrap().status.success());
    let imported = with(crate::harness::order("or_old", "ev", "tt"), json!({"buyer": {"name": long, "email": long}}));
    world.import(producer.tenant, &[imported]).await;
}
