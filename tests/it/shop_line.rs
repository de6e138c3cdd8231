//! The line of an event that more come to buy than can be decided: fair, told, unskippable, shared by servers, and gone when
//! nobody needs it.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};
use taquilla_domain::config::{LINE_ENDS, LINE_FORM_LASTS, LINE_KNOWN, LINE_PER_SECOND};

use crate::harness::{
    Client, Page, Producer, Server, Staff, World, cart, event, http_client, is_long, problem, ticket_type, until, with,
    without_shop_limits,
};

both_engines![
    a_line_lets_in_who_came_first_and_leaves_no_trace,
    a_place_cannot_be_made_up_or_moved,
    who_was_at_a_form_goes_on_with_it,
    orders_without_a_page_wait_in_the_same_line,
    nobody_comes_early_for_what_is_not_on_sale_yet,
    servers_share_a_line,
    housekeeping_ends_what_nobody_came_back_to,
    many_buyers_at_once_are_sold_what_there_is,
];

const PAGE: &str = "/shop/pr_a/ev";
const ORDER: &str = "/shop/pr_a/ev/order";
const CHOSEN: &str = "/shop/pr_a/ev/order?quantity_tt=1";
const COOKIE: &str = "taquilla-line";

async fn a_shop(world: &World, limit: usize) -> Producer {
    let producer = world.producer("pr_a").await;
    let lines: [Value; 3] = [
        with(event("ev"), json!({"name": "Aurora Nights", "starts_at": "2026-11-20T20:00:00Z"})),
        with(ticket_type("tt", "ev"), json!({"name": "General", "price": 0, "limit": limit})),
        with(ticket_type("late", "ev"), json!({"name": "Late", "price": 0, "on_sale_from": "2026-11-01T12:05:00Z"})),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

async fn open_server(world: &World) -> (Server, String) {
    let (server, client) = world.another_server(without_shop_limits()).await;
    (server, client.base)
}

/// So many begin to buy that nobody else may in this second.
async fn fill(base: &str) {
    for _ in 0..LINE_PER_SECOND {
        let page = Staff::new(base).get(CHOSEN).await;
        assert!(is_in(&page), "{}", page.text);
    }
}

/// Whether a page is the form with the buyer's details.
fn is_in(page: &Page) -> bool {
    page.status == 200 && page.text.contains("id=\"email\"")
}

/// How many are before whoever is shown this page.
fn before(page: &Page) -> Option<i64> {
    if page.status != 200 || page.header("refresh").is_empty() {
        return None;
    }
    let said = page.between("role=\"status\"><p><b>", "<");
    match said.split(' ').next()? {
        "You" => Some(0),
        "One" => Some(1),
        number => Some(number.replace(',', "").parse().unwrap()),
    }
}

fn hidden(page: &Page, name: &str) -> String {
    page.between(&format!("name=\"{name}\" value=\""), "\"").to_owned()
}

/// Sends the form that a page shows, and perhaps more fields.
async fn send(browser: &Staff, page: &Page, step: &str, more: &[(&str, &str)]) -> Page {
    let (key, entry) = (hidden(page, "key"), hidden(page, "entry"));
    let fields =
        [("key", key.as_str()), ("entry", &entry), ("name", "Ana"), ("email", "ana@example.com"), ("step", step)];
    browser.post(ORDER, &[&fields[..], more].concat()).await
}

async fn lines_of(world: &World) -> usize {
    world.raw().await.rows("SELECT event_id FROM waiting_lines").await.len()
}

async fn a_line_lets_in_who_came_first_and_leaves_no_trace(world: World) {
    a_shop(&world, 1_000).await;
    let (_server, base) = open_server(&world).await;
    fill(&base).await;
    assert_eq!(lines_of(&world).await, 0, "nobody has to wait yet");
    let waiting: Vec<Staff> = (0..3).map(|_| Staff::new(&base)).collect();
    for (place, browser) in waiting.iter().enumerate() {
        let page = browser.get(CHOSEN).await;
        assert_eq!(before(&page), Some(place as i64), "{}", page.text);
        assert!(page.text.contains("It takes less than a minute."), "{}", page.text);
        assert_eq!(page.header("refresh"), "2");
        assert!(page.header("set-cookie").contains("HttpOnly"), "{}", page.header("set-cookie"));
    }
    // Loading again keeps the place, and so does another tab with something else in it.
    for path in [CHOSEN, CHOSEN, "/shop/pr_a/ev/order?quantity_tt=2"] {
        let page = waiting[1].get(path).await;
        assert_eq!((before(&page), page.header("set-cookie")), (Some(1), ""), "{}", page.text);
    }
    let spanish = waiting[2].at(&base).with_header("accept-language", "es").get(CHOSEN).await;
    assert!(spanish.text.contains("Estás en la fila"), "{}", spanish.text);
    // Nothing goes around the line.
    let fields = [("quantity_tt", "1"), ("name", "Ana"), ("email", "ana@example.com"), ("step", "place")];
    let pushed = waiting[2].post(ORDER, &fields).await;
    assert_eq!(pushed.status, 422);
    assert!(pushed.text.contains("you are in line") && pushed.text.contains("value=\"Ana\""), "{}", pushed.text);
    // Others see the event as ever.
    assert_eq!(Staff::new(&base).get(PAGE).await.status, 200);
    world.step(LINE_KNOWN);
    let last = Staff::new(&base);
    for browser in &waiting {
        let page = browser.get(CHOSEN).await;
        assert!(is_in(&page), "{}", page.text);
    }
    let review = send(&waiting[0], &waiting[0].get(CHOSEN).await, "review", &[("quantity_tt", "1")]).await;
    let placed = send(&waiting[0], &review, "place", &[("quantity_tt", "1")]).await;
    assert!(placed.leads_to().starts_with("/shop/orders/"));
    world.step(LINE_ENDS);
    let page = last.get(CHOSEN).await;
    assert!(is_in(&page) && page.header("set-cookie").is_empty(), "{}", page.text);
    assert!(last.cookies().is_empty());
    assert_eq!(lines_of(&world).await, 0);
}

async fn a_place_cannot_be_made_up_or_moved(world: World) {
    let producer = a_shop(&world, 1_000).await;
    let lines = [event("other"), with(ticket_type("tt_other", "other"), json!({"price": 0}))];
    world.import(producer.tenant, &lines).await;
    let (_server, base) = open_server(&world).await;
    fill(&base).await;
    let first = Staff::new(&base);
    assert_eq!(before(&first.get(CHOSEN).await), Some(0));
    let place = first.cookies()[COOKIE].clone();
    let changed = format!("{}{}", if place.starts_with('A') { 'B' } else { 'A' }, &place[1..]);
    let short = place[..place.len() - 1].to_owned();
    for (expected, made_up) in
        ["1", "", "0", &changed, &short, &format!("x.{changed}"), &"A".repeat(3_000)].into_iter().enumerate()
    {
        let browser = Staff::new(&base);
        browser.set_cookie(COOKIE, made_up);
        let page = browser.get(CHOSEN).await;
        assert_eq!(before(&page), Some(expected as i64 + 1), "{made_up}: {}", page.text);
    }
    // Several places are in one cookie, and a place is good for its own line alone.
    for _ in 0..LINE_PER_SECOND {
        Staff::new(&base).get("/shop/pr_a/other/order?quantity_tt_other=1").await;
    }
    let page = first.get("/shop/pr_a/other/order?quantity_tt_other=1").await;
    assert_eq!(before(&page), Some(0), "{}", page.text);
    let moved = Staff::new(&base);
    moved.set_cookie(COOKIE, &place);
    let page = moved.get("/shop/pr_a/other/order?quantity_tt_other=1").await;
    assert_eq!(before(&page), Some(1), "{}", page.text);
    assert_eq!(before(&first.get(CHOSEN).await), Some(0), "the first place is still there");
    // A later line of the same event is another one.
    world.step(LINE_KNOWN + LINE_ENDS);
    assert!(is_in(&first.get(CHOSEN).await));
    world.step(LINE_ENDS);
    fill(&base).await;
    let ahead = Staff::new(&base);
    assert_eq!(before(&ahead.get(CHOSEN).await), Some(0));
    assert_eq!(before(&first.get(CHOSEN).await), Some(1));
}

async fn who_was_at_a_form_goes_on_with_it(world: World) {
    a_shop(&world, 1_000).await;
    let (_server, base) = open_server(&world).await;
    let inside = Staff::new(&base);
    let form = inside.get(CHOSEN).await;
    world.step(LINE_KNOWN);
    fill(&base).await;
    let ana = Staff::new(&base);
    assert_eq!(before(&ana.get(CHOSEN).await), Some(0));
    let review = send(&inside, &form, "review", &[("quantity_tt", "1")]).await;
    assert_eq!(review.status, 200, "{}", review.text);
    let placed = send(&inside, &review, "place", &[("quantity_tt", "1")]).await;
    assert!(placed.leads_to().starts_with("/shop/orders/"));
    assert!(inside.cookies().is_empty());
    // What the form carries is good for that form alone, and as it was given out.
    let (key, entry) = (hidden(&form, "key"), hidden(&form, "entry"));
    for (key, entry) in [("other", entry.as_str()), (&key, ""), (&key, "x"), (&key, &entry[1..])] {
        let fields =
            [("quantity_tt", "1"), ("name", "Ana"), ("email", "a@example.com"), ("key", key), ("entry", entry)];
        let page = ana.post(ORDER, &[&fields[..], &[("step", "review")]].concat()).await;
        assert_eq!(page.status, 422, "{key} {entry}");
        assert!(page.text.contains("you are in line"), "{}", page.text);
    }
    // Not for ever.
    world.step(LINE_FORM_LASTS);
    while before(&Staff::new(&base).get(CHOSEN).await).is_none() {}
    let late = send(&Staff::new(&base), &form, "review", &[("quantity_tt", "1")]).await;
    assert_eq!(late.status, 422, "{}", late.text);
    assert!(late.text.contains("you are in line"), "{}", late.text);
}

async fn orders_without_a_page_wait_in_the_same_line(world: World) {
    a_shop(&world, 1_000).await;
    let [(_one, here), (_other, there)] = world.two_servers().await;
    let order = async |client: &Client, key: &str, place: &str| {
        let headers = [("idempotency-key", key), ("line-place", place)];
        client.post("/shop/v1/pr_a/events/ev/orders", &headers, &cart("tt", 1)).await
    };
    fill(&here.base).await;
    assert_eq!(order(&here, "before", "").await.status, 201, "there is no line yet");
    assert_eq!(before(&Staff::new(&here.base).get(CHOSEN).await), Some(0));
    let told = order(&here, "one", "").await;
    assert_eq!((told.problem(), told.header("retry-after")), (problem(503, "in_line", None), Some("2")));
    assert!(told.text.contains("1 are before you."), "{}", told.text);
    let place = told.header("line-place").unwrap().to_owned();
    // A place is kept at every server, and what is made up is none.
    let again = order(&there, "one", &place).await;
    assert!(again.text.contains("1 are before you.") && again.header("line-place").is_none(), "{}", again.text);
    let made_up = order(&there, "two", &place[1..]).await;
    assert!(made_up.text.contains("2 are before you.") && made_up.header("line-place").is_some(), "{}", made_up.text);
    world.step(LINE_KNOWN);
    assert_eq!(order(&there, "one", &place).await.status, 201);
    assert_eq!(order(&here, "one", &place).await.status, 201, "the same order");
    assert_eq!(world.raw().await.rows("SELECT sold FROM ticket_types WHERE id = 'tt'").await, [["2"]]);
}

async fn nobody_comes_early_for_what_is_not_on_sale_yet(world: World) {
    a_shop(&world, 1_000).await;
    let (_server, base) = open_server(&world).await;
    world.step(Duration::from_secs(299));
    let early = Staff::new(&base);
    let form = early.get(CHOSEN).await;
    assert!(is_in(&form), "{}", form.text);
    world.step(Duration::from_secs(1));
    fill(&base).await;
    Staff::new(&base).get(CHOSEN).await;
    let page = send(&early, &form, "review", &[("quantity_tt", "1"), ("quantity_late", "1")]).await;
    assert_eq!(page.status, 422);
    assert!(page.text.contains("you are in line"), "{}", page.text);
    assert_eq!(send(&early, &form, "review", &[("quantity_tt", "1")]).await.status, 200);
}

async fn servers_share_a_line(world: World) {
    a_shop(&world, 1_000).await;
    let [(_one, here), (_other, there)] = world.two_servers().await;
    fill(&here.base).await;
    let ana = Staff::new(&here.base);
    assert_eq!(before(&ana.get(CHOSEN).await), Some(0));
    // The other server has looked for nothing yet, so it sees the line with its first visitor.
    let luis = Staff::new(&there.base);
    assert_eq!(before(&luis.get(CHOSEN).await), Some(1));
    // A place is good at every server.
    assert_eq!(before(&ana.at(&there.base).get(CHOSEN).await), Some(0));
    assert_eq!(before(&luis.at(&here.base).get(CHOSEN).await), Some(1));
    let crowd = (0..60_usize).map(|number| {
        let base = if number.is_multiple_of(2) { &here.base } else { &there.base };
        async move { before(&Staff::new(base).get(CHOSEN).await).unwrap() }
    });
    let places: BTreeSet<i64> = futures_util::future::join_all(crowd).await.into_iter().collect();
    assert_eq!(places, (2..62).collect(), "each place is given to one");
    world.step(LINE_KNOWN);
    for (browser, base) in [(&ana, &there.base), (&luis, &here.base)] {
        assert!(is_in(&browser.at(base).get(CHOSEN).await));
    }
    world.step(LINE_ENDS);
    assert!(Staff::new(&there.base).get(CHOSEN).await.header("set-cookie").is_empty());
    assert_eq!(lines_of(&world).await, 0);
    assert!(Staff::new(&here.base).get(CHOSEN).await.header("set-cookie").is_empty());
}

async fn housekeeping_ends_what_nobody_came_back_to(world: World) {
    a_shop(&world, 1_000).await;
    let (_server, base) = open_server(&world).await;
    fill(&base).await;
    let ana = Staff::new(&base);
    ana.get(CHOSEN).await;
    world.step(LINE_KNOWN);
    ana.get(CHOSEN).await;
    assert_eq!(lines_of(&world).await, 1);
    world.step(Duration::from_hours(2));
    assert!(until(async || lines_of(&world).await == 0).await, "nobody has come for hours");
}

/// Whether a page says that there is none left.
fn is_told(page: &Page) -> bool {
    page.text.contains("Sold out") || page.text.contains("There is not enough left of this any more.")
}

/// One of many: what became of them, and when.
struct Outcome {
    wave: usize,
    /// In which round they were let in, and what they were told at the end.
    let_in: usize,
    is_sold: bool,
    had_to_wait: bool,
}

async fn many_buyers_at_once_are_sold_what_there_is(world: World) {
    // They come in waves, a second apart, and more of each than may go on at once.
    let (waves, of_each, limit) = if is_long() { (2, 1_000, 200) } else { (3, 240, 400) };
    a_shop(&world, limit).await;
    let [(_one, here), (_other, there)] = world.two_servers().await;
    let http = http_client();
    let (mut round, mut outside): (usize, Vec<(usize, Staff)>) = (0, Vec::new());
    let mut outcomes: Vec<Outcome> = Vec::new();
    while round < waves || !outside.is_empty() {
        if round < waves {
            let base = |number: usize| if number.is_multiple_of(2) { &here.base } else { &there.base };
            outside.extend((0..of_each).map(|number| (round, Staff::with(http.clone(), base(number)))));
        }
        let looks = outside.into_iter().map(|(wave, browser)| async move {
            let is_new = browser.cookies().is_empty();
            if is_new {
                assert_eq!(browser.get(PAGE).await.status, 200);
                let chosen = browser.post(PAGE, &[("quantity_tt", "1")]).await;
                if chosen.status == 422 {
                    assert!(is_told(&chosen), "{}", chosen.text);
                    return (wave, browser, Some(false));
                }
                assert_eq!(chosen.leads_to(), CHOSEN);
            }
            let page = browser.get(CHOSEN).await;
            if before(&page).is_some() {
                return (wave, browser, None);
            }
            if page.status == 422 {
                assert!(is_told(&page), "{}", page.text);
                return (wave, browser, Some(false));
            }
            assert!(is_in(&page), "{}", page.text);
            let review = send(&browser, &page, "review", &[("quantity_tt", "1")]).await;
            if review.status == 422 {
                assert!(is_told(&review), "{}", review.text);
                return (wave, browser, Some(false));
            }
            let placed = send(&browser, &review, "place", &[("quantity_tt", "1")]).await;
            let is_sold = placed.status == 303;
            assert!(is_sold || is_told(&placed), "{}: {}", placed.status, placed.text);
            (wave, browser, Some(is_sold))
        });
        let looked = in_groups(looks.collect()).await;
        outside = Vec::new();
        for (wave, browser, sold) in looked {
            match sold {
                None => outside.push((wave, browser)),
                Some(is_sold) => {
                    let had_to_wait = !browser.cookies().is_empty();
                    outcomes.push(Outcome { wave, let_in: round, is_sold, had_to_wait });
                }
            }
        }
        world.step(LINE_KNOWN);
        round += 1;
        assert!(round < 200, "somebody waits for ever");
    }
    assert_eq!(outcomes.len(), waves * of_each);
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_sold).count(), limit);
    assert!(outcomes.iter().any(|outcome| outcome.had_to_wait), "nobody had to wait");
    for (one, other) in (0..waves - 1).map(|wave| (wave, wave + 1)) {
        let of = |wave| outcomes.iter().filter(move |outcome| outcome.wave == wave && outcome.had_to_wait);
        let (last, first) =
            (of(one).map(|outcome| outcome.let_in).max(), of(other).map(|outcome| outcome.let_in).min());
        assert!(last.zip(first).is_none_or(|(last, first)| last <= first), "wave {one} before wave {other}");
    }
    let counts = world.raw().await.rows("SELECT sold FROM ticket_types WHERE id = 'tt'").await;
    assert_eq!(counts, [[limit.to_string()]]);
    assert!(world.findings().await.is_empty(), "{:?}", world.findings().await);
}

/// So many at a time as one machine has connections for.
async fn in_groups<T, F: Future<Output = T>>(all: Vec<F>) -> Vec<T> {
    let (mut left, mut done) = (all, Vec::new());
    while !left.is_empty() {
        let rest = left.split_off(left.len().min(40));
        done.extend(futures_util::future::join_all(left).await);
        left = rest;
    }
    done
}
