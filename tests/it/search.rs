//! Searching orders and tickets: what is found, what is not, and how the index is built.

use std::time::Duration;

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use taquilla_domain::{
    config::{Config, PostgresTimeouts, SEARCH_POLL, SEARCH_TOGETHER},
    person::Person,
    role::BuiltInRole,
};
use taquilla_rules::{boxoffice, indexing};
use taquilla_store::{Open, Store};

use crate::harness::{Staff, World, cart, event, order, place, seed, ticket, ticket_type, until, with};

both_engines![
    everybody_is_found_as_a_plain_model_finds_them,
    what_is_sold_is_found_a_moment_later,
    two_servers_build_one_index,
    building_goes_on_after_it_was_cut_off,
    a_check_finds_what_the_index_lacks,
    filters_narrow_down_what_is_found,
    letters_are_found_as_they_are_typed,
    words_of_before_are_written_as_they_are_typed,
];

async fn found(staff: &Staff, list: &str, q: &str) -> Vec<String> {
    let query: String = url::form_urlencoded::byte_serialize(q.as_bytes()).collect();
    let page = staff.get(&format!("/dashboard/p/pr_a/{list}?q={query}")).await;
    assert_eq!(page.status, 200, "{q}");
    let rows = page.text.split("<tr><th scope=\"row\"").skip(1);
    let mut names: Vec<String> =
        rows.map(|row| row.split_once("dir=\"auto\">").unwrap().1.split_once('<').unwrap().0.to_owned()).collect();
    names.sort();
    names
}

const FIRST: [&str; 6] = ["Ana", "Ánna", "José", "Bea", "Ana María", "Zoë"];
const LAST: [&str; 6] = ["López", "Lopetegui", "Gil", "O'Brien", "García-Luz", "Gilbert"];

/// Whether each word of the question begins a word of the row, without the database: words are cut and folded one by one.
fn means(question: &str, texts: &[&str], numbers: &[&str]) -> bool {
    let fold = |text: &str| -> Vec<String> {
        let plain: String = text
            .to_lowercase()
            .chars()
            .map(|letter| match letter {
                'á' => 'a',
                'é' => 'e',
                'í' => 'i',
                'ó' => 'o',
                'ú' => 'u',
                'ë' => 'e',
                other => other,
            })
            .collect();
        plain
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let mut words: Vec<String> = texts.iter().flat_map(|text| fold(text)).collect();
    for number in numbers {
        let parts = fold(number);
        let ends = (0..parts.len()).map(|from| parts[from..].concat());
        words.extend(ends.filter(|end| end.len() >= 4));
    }
    let asked = fold(question);
    let joined = asked.concat();
    asked.iter().all(|word| words.iter().any(|other| other.starts_with(word)))
        || (joined.chars().any(char::is_numeric)
            && asked.len() > 1
            && words.iter().any(|word| word.starts_with(&joined)))
}

async fn everybody_is_found_as_a_plain_model_finds_them(world: World) {
    let seed = seed();
    let mut random = StdRng::seed_from_u64(seed);
    let producer = world.producer("pr_a").await;
    let mut people: Vec<(String, String, String)> = Vec::new();
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    for number in 0..30 {
        let mut pick = |from: &[&str]| from[random.random_range(0..from.len())].to_owned();
        let name = format!("{} {} {number}", pick(&FIRST), pick(&LAST));
        let email = format!("{}.{number}@mail{}.example", pick(&["ana", "bea", "luz"]), random.random_range(0..3));
        let document = format!("X-{}-B", 1_000 + random.random_range(0..9_000));
        let person = json!({"name": name, "email": email, "identity_document": document});
        lines.push(with(order(&format!("or_{number:03}"), "ev", "tt"), json!({"buyer": person})));
        lines.push(with(ticket(&format!("T{number:03}K"), "ev", "tt"), json!({"attendee": person})));
        people.push((name, email, document));
    }
    world.import(producer.tenant, &lines).await;
    indexing::catch_up(&world.store).await.unwrap();
    let ana = world.staff(producer.tenant, "staff@x.example", BuiltInRole::Administrator).await;
    let mut questions: Vec<String> =
        ["ana", "LOPE", "maria gar", "o'brien bea", "gil", "x", "mail1", "zz", "ana lopez", "lopez ana", "josé g"]
            .map(str::to_owned)
            .to_vec();
    for _ in 0..40 {
        let (name, email, document) = &people[random.random_range(0..people.len())];
        let from = [name, email, document][random.random_range(0..3)];
        let letters: Vec<char> = from.chars().collect();
        questions.push(letters[..random.random_range(1..=letters.len())].iter().collect());
    }
    for question in questions.iter().filter(|question| question.chars().any(char::is_alphanumeric)) {
        let mut expected: Vec<String> = people
            .iter()
            .filter(|(name, email, document)| {
                // The last part of an address is no entry of its own.
                let local = email.rsplit_once('.').unwrap().0;
                means(question, &[name, local], &[document]) || email.starts_with(question.as_str())
            })
            .map(|(name, ..)| name.replace('\'', "&#39;"))
            .collect();
        expected.sort();
        for list in ["orders", "tickets"] {
            assert_eq!(found(&ana, list, question).await, expected, "{list} by {question:?}, seed {seed}");
        }
    }
    // By ids and codes, whole and in part.
    for (list, q, count) in [
        ("orders", "or_001", 1),
        ("orders", "or_00", 10),
        ("tickets", "T001K", 1),
        ("tickets", "t001k", 1),
        ("tickets", "T001", 1),
        ("tickets", "or_002", 0),
        ("orders", "T001K", 0),
    ] {
        assert_eq!(found(&ana, list, q).await.len(), count, "{list} by {q}");
    }
    assert!(world.findings().await.is_empty());
}

async fn what_is_sold_is_found_a_moment_later(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [with(event("ev"), json!({"status": "published"})), ticket_type("tt", "ev")];
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "staff@x.example", BuiltInRole::Administrator).await;
    let mut body = cart("tt", 1);
    body["buyer"]["name"] = json!("Xenia Quick");
    let placed = place(&world, "k", &body).await.json();
    let id = placed["order"]["id"].as_str().unwrap().to_owned();
    assert!(found(&ana, "orders", "xenia").await.is_empty(), "a sale writes no words");
    world.step(SEARCH_POLL);
    assert!(until(async || found(&ana, "orders", "xen qui").await == ["Xenia Quick"]).await);
    // Its tickets, and those they were passed on as.
    boxoffice::approve(&world.store, producer.tenant, &id, boxoffice::PastHolds::No, world.now()).await.unwrap();
    world.step(SEARCH_POLL);
    assert!(until(async || found(&ana, "tickets", "xenia").await == ["Xenia Quick"]).await);
    let code = world.raw().await.rows("SELECT id FROM tickets").await[0][0].clone();
    let to = Person { name: "Yara New".into(), ..Person::default() };
    let new = boxoffice::transfer(&world.store, producer.tenant, &code, &to, world.now()).await.unwrap();
    world.step(SEARCH_POLL);
    assert!(until(async || found(&ana, "tickets", "yara").await == ["Yara New"]).await);
    assert_eq!(found(&ana, "tickets", &id).await, ["Xenia Quick", "Yara New"]);
    // A hidden ticket is found by its whole code alone.
    boxoffice::hide(&world.store, producer.tenant, &new, world.now()).await.unwrap();
    assert!(found(&ana, "tickets", "yara").await.is_empty());
    assert!(found(&ana, "tickets", &new[..10]).await.is_empty());
    assert_eq!(found(&ana, "tickets", &new).await, ["Yara New"]);
    let words = world.raw().await.rows("SELECT word FROM search_words WHERE kind = 4").await;
    assert!(words.iter().all(|word| word[0].len() <= 12), "no whole code is in the index: {words:?}");
    assert!(world.findings().await.is_empty());
}

fn crowd(count: usize, from: usize) -> Vec<Value> {
    let people = (from..from + count).flat_map(|number| {
        let person = json!({"name": format!("Guest {number:05}"), "email": format!("guest{number}@x.example")});
        [
            with(order(&format!("or_{number:05}"), "ev", "tt"), json!({"buyer": person})),
            with(ticket(&format!("G{number:05}"), "ev", "tt"), json!({"attendee": person})),
        ]
    });
    people.collect()
}

async fn two_servers_build_one_index(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    world.import(producer.tenant, &crowd(3 * SEARCH_TOGETHER as usize, 0)).await;
    let timeouts = PostgresTimeouts::default();
    let elsewhere = Store::open_with(&world.address, Open::Existing, timeouts, world.time()).await.unwrap();
    let (here, there) = tokio::join!(indexing::catch_up(&world.store), indexing::catch_up(&elsewhere));
    here.unwrap();
    there.unwrap();
    assert!(world.findings().await.is_empty());
    let codes = world.raw().await.rows("SELECT count(*) FROM search_words WHERE kind = 4").await[0][0].clone();
    assert_eq!(codes, (3 * SEARCH_TOGETHER).to_string(), "rows of one stamp are all there");
    let words = world.raw().await.rows("SELECT count(*) FROM search_words").await[0][0].clone();
    world.raw().await.batch("DELETE FROM search_marks").await;
    indexing::catch_up(&world.store).await.unwrap();
    assert_eq!(
        world.raw().await.rows("SELECT count(*) FROM search_words").await[0][0],
        words,
        "again brings nothing new"
    );
}

async fn building_goes_on_after_it_was_cut_off(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    world.import(producer.tenant, &crowd(6 * SEARCH_TOGETHER as usize, 0)).await;
    let raw = world.raw().await;
    // The task is dropped again and again, wherever it is.
    for round in 0..200_u64 {
        let building = indexing::catch_up(&world.store);
        let limit = Duration::from_micros(500 * (round % 40 + 1));
        if tokio::time::timeout(limit, building).await.is_ok() {
            break;
        }
        if round % 20 == 0 {
            assert!(world.findings().await.is_empty(), "what is before the mark is complete, round {round}");
        }
    }
    indexing::catch_up(&world.store).await.unwrap();
    assert!(world.findings().await.is_empty());
    let people = raw.rows("SELECT count(*) FROM search_words WHERE kind = 4").await[0][0].clone();
    assert_eq!(people, (6 * SEARCH_TOGETHER).to_string());
    // A server that starts afterwards has nothing to do, and one whose time goes on looks again.
    let (mut server, _) = world.another_server(Config::default()).await;
    server.stop().await;
}

async fn a_check_finds_what_the_index_lacks(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    world.import(producer.tenant, &crowd(3, 0)).await;
    assert!(world.findings().await.is_empty(), "what the index has not come to yet is not missing");
    indexing::catch_up(&world.store).await.unwrap();
    world.raw().await.batch("DELETE FROM search_words WHERE word = 'guest 00001'").await;
    let missing: Vec<String> =
        world.findings().await.into_iter().map(|finding| format!("{} {}", finding.kind, finding.id)).collect();
    assert_eq!(missing, ["ticket G00001", "order or_00001"]);
}

async fn filters_narrow_down_what_is_found(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [event("ev"), event("ev_b"), ticket_type("tt", "ev"), ticket_type("tt_b", "ev_b")];
    world.import(producer.tenant, &lines).await;
    let person = json!({"name": "Same Name"});
    world
        .import(
            producer.tenant,
            &[
                with(order("or_a", "ev", "tt"), json!({"buyer": person})),
                with(order("or_b", "ev_b", "tt_b"), json!({"buyer": person, "status": "refunded"})),
                with(ticket("TA", "ev", "tt"), json!({"attendee": person})),
                with(ticket("TB", "ev_b", "tt_b"), json!({"attendee": person})),
            ],
        )
        .await;
    indexing::catch_up(&world.store).await.unwrap();
    let ana = world.staff(producer.tenant, "staff@x.example", BuiltInRole::Administrator).await;
    let rows = async |path: &str| {
        ana.get(&format!("/dashboard/p/pr_a{path}")).await.text.matches("<tr><th scope=\"row\"").count()
    };
    for (path, count) in [
        ("/orders?q=same", 2),
        ("/orders?q=same&event=ev", 1),
        ("/orders?q=same&status=refunded", 1),
        ("/orders?q=same&status=refunded&event=ev", 0),
        ("/tickets?q=name", 2),
        ("/tickets?q=name&event=ev_b", 1),
        ("/tickets?q=name&status=scanned", 0),
        ("/tickets?q=TA&event=ev_b", 0),
    ] {
        assert_eq!(rows(path).await, count, "{path}");
    }
}

/// Two people whose letters are not on every keyboard.
fn from_the_north() -> Vec<Value> {
    let people =
        [("or_a", "TA", "Søren Østergård", "bjørn@x.example"), ("or_b", "TB", "Łucja Weiß", "lucja@x.example")];
    let mut lines = vec![event("ev"), ticket_type("tt", "ev")];
    for (order_id, ticket_id, name, email) in people {
        let person = json!({"name": name, "email": email});
        lines.push(with(order(order_id, "ev", "tt"), json!({"buyer": person})));
        lines.push(with(ticket(ticket_id, "ev", "tt"), json!({"attendee": person})));
    }
    lines
}

const FROM_THE_NORTH: [(&str, &str); 7] = [
    ("oster", "Søren Østergård"),
    ("Østerg", "Søren Østergård"),
    ("soren", "Søren Østergård"),
    ("bjorn", "Søren Østergård"),
    ("weiss", "Łucja Weiß"),
    ("WEIß", "Łucja Weiß"),
    ("lucja", "Łucja Weiß"),
];

async fn letters_are_found_as_they_are_typed(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &from_the_north()).await;
    indexing::catch_up(&world.store).await.unwrap();
    let ana = world.staff(producer.tenant, "staff@x.example", BuiltInRole::Administrator).await;
    for (typed, name) in FROM_THE_NORTH {
        for list in ["orders", "tickets"] {
            assert_eq!(found(&ana, list, typed).await, [name], "{list} by {typed}");
        }
    }
    assert!(world.findings().await.is_empty());
}

/// The words as an earlier version wrote them, then what its upgrade does.
async fn words_of_before_are_written_as_they_are_typed(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &from_the_north()).await;
    indexing::catch_up(&world.store).await.unwrap();
    let raw = world.raw().await;
    for (now, before) in [("ostergard", "østergard"), ("soren ostergard", "søren østergard"), ("weiss", "weiß")] {
        raw.batch(&format!("UPDATE search_words SET word = '{before}' WHERE word = '{now}'")).await;
    }
    assert!(!world.findings().await.is_empty(), "the index is that of an earlier version");
    raw.batch(include_str!("../../crates/store/migrations/0029_letters_as_typed.sql")).await;
    indexing::catch_up(&world.store).await.unwrap();
    let ana = world.staff(producer.tenant, "staff@x.example", BuiltInRole::Administrator).await;
    for (typed, name) in FROM_THE_NORTH {
        assert_eq!(found(&ana, "orders", typed).await, [name], "{typed}");
    }
    assert!(world.findings().await.is_empty());
    let old = raw.rows("SELECT count(*) FROM search_words WHERE octet_length(word) <> length(word)").await;
    assert_eq!(old, [["0"]], "nothing is left of the words of before");
}
