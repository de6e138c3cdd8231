//! Pools: places that several items of an event share.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::{config::HOLD, person::Person, refusal::Refusal, role::BuiltInRole};
use taquilla_rules::boxoffice::{self, PastHolds};
use taquilla_store::{ChangeError, catalogue::pools};

use crate::harness::{
    Answer, Producer, Staff, World, cart, crowd::buy, event, order, place, problem, taquilla, ticket, ticket_type, with,
};

both_engines![
    the_last_place_of_a_pool_is_sold_once_whichever_item_takes_it,
    what_is_held_of_a_pool_is_held_for_others,
    a_place_comes_back_when_its_ticket_stops_to_work,
    an_import_that_overfills_a_pool_is_refused,
    an_import_brings_pools,
    two_servers_share_the_places_of_a_pool,
    pools_are_made_changed_and_ended_at_the_command_line,
    pools_are_made_changed_and_ended_in_the_dashboard,
    a_copied_event_has_pools_of_its_own,
    what_contradicts_a_pool_is_refused_and_found,
];

const SELL: &str = "/dashboard/p/pr_a/orders/new";

/// A seat, a standing place and a drink; a bundle of a seat and two standing places; a pool of five of the first two.
async fn hall(world: &World, price: i64) -> Producer {
    let producer = world.producer("pr_a").await;
    let inside = json!([{"ticket_type_id": "tt_seat", "quantity": 1}, {"ticket_type_id": "tt_stand", "quantity": 2}]);
    let lines = [
        with(event("ev"), json!({"starts_at": "2026-11-20T20:00:00Z", "status": "published"})),
        with(ticket_type("tt_seat", "ev"), json!({"price": price, "sort_order": 1})),
        with(ticket_type("tt_stand", "ev"), json!({"price": price, "limit": 100, "sort_order": 2})),
        with(ticket_type("tt_beer", "ev"), json!({"category": "merchandise", "price": price, "sort_order": 3})),
        with(ticket_type("bu", "ev"), json!({"kind": "bundle", "includes": inside, "price": price, "sort_order": 4})),
        pool(5, &["tt_seat", "tt_stand"]),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

fn pool(limit: i64, items: &[&str]) -> Value {
    json!({"kind": "pool", "id": "pool", "event_id": "ev", "name": "Hall", "limit": limit, "ticket_type_ids": items})
}

/// The status of each item in the shop, and when the next hold ends where holds are in the way.
async fn offered(world: &World) -> Vec<(String, bool)> {
    let sale = world.client.send(Method::GET, "/shop/v1/pr_a/events/ev", &[]).await.json();
    let shown = |item: &Value| (item["status"].as_str().unwrap().to_owned(), !item["held_until"].is_null());
    sale["items"].as_array().unwrap().iter().map(shown).collect()
}

fn statuses(of: &[(&str, bool)]) -> Vec<(String, bool)> {
    of.iter().map(|(status, held)| ((*status).to_owned(), *held)).collect()
}

fn run(world: &World, arguments: &[&str]) -> Value {
    let output = taquilla(&world.address).args(arguments).arg("--json").output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn refused(world: &World, arguments: &[&str]) -> String {
    let output = taquilla(&world.address).args(arguments).output().unwrap();
    assert!(!output.status.success(), "{arguments:?} was accepted");
    String::from_utf8(output.stderr).unwrap()
}

/// What the first pool of the event has taken, held and free. Another process would not know the time of this world.
async fn places(world: &World, producer: &Producer) -> [i64; 3] {
    let pools = pools::of_event(&mut world.store.read().await.unwrap(), producer.tenant, "ev").await.unwrap();
    let places = &pools[0].places;
    [places.taken, places.held, places.free()]
}

fn sold_out(answer: &Answer) {
    assert_eq!(answer.problem(), problem(409, "sold_out", None));
}

async fn the_last_place_of_a_pool_is_sold_once_whichever_item_takes_it(world: World) {
    let producer = hall(&world, 0).await;
    assert_eq!(place(&world, "1", &cart("bu", 1)).await.status, 201);
    assert_eq!(places(&world, &producer).await, [3, 0, 2]);
    assert_eq!(
        offered(&world).await,
        statuses(&[("active", false), ("active", false), ("active", false), ("sold_out", false)]),
        "a bundle takes three places"
    );
    sold_out(&place(&world, "2", &cart("bu", 1)).await);
    sold_out(&place(&world, "3", &cart("tt_seat", 3)).await);
    // Items of one order are added up.
    let both = json!([{"ticket_type_id": "tt_seat", "quantity": 1}, {"ticket_type_id": "tt_stand", "quantity": 2}]);
    sold_out(&place(&world, "4", &with(cart("tt_seat", 1), json!({"items": both}))).await);
    let both = json!([{"ticket_type_id": "tt_seat", "quantity": 1}, {"ticket_type_id": "tt_stand", "quantity": 1}]);
    assert_eq!(place(&world, "5", &with(cart("tt_seat", 1), json!({"items": both}))).await.status, 201);
    for (key, item) in [("6", "tt_seat"), ("7", "tt_stand")] {
        sold_out(&place(&world, key, &cart(item, 1)).await);
    }
    assert_eq!(place(&world, "8", &cart("tt_beer", 3)).await.status, 201, "what is in no pool is sold on");
    assert_eq!(
        offered(&world).await,
        statuses(&[("sold_out", false), ("sold_out", false), ("active", false), ("sold_out", false)])
    );
    // The box office is full, too, and the API shows each item's own stock.
    let told = refused(
        &world,
        &["order", "create", "--producer", "pr_a", "--event", "ev", "--item", "tt_seat=1", "--name", "B"],
    );
    assert!(told.contains("tt_seat") && told.contains("(sold_out)"), "{told}");
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let form = ana.get(SELL).await;
    let key = form.between("name=\"key\" value=\"", "\"");
    let sold = ana.post(SELL, &[("event", "ev"), ("key", key), ("quantity_tt_stand", "1")]).await;
    assert!(sold.status == 422 && sold.text.contains("There are not enough left"), "{}", sold.text);
    let types = world.client.get("/api/v1/events/ev/ticket-types", &producer.key).await.data();
    let stand = types.iter().find(|item| item["id"] == "tt_stand").unwrap();
    assert_eq!((&stand["sold"], &stand["available"], &stand["status"]), (&json!(1), &json!(99), &json!("active")));
    assert!(world.findings().await.is_empty());
}

async fn what_is_held_of_a_pool_is_held_for_others(world: World) {
    let producer = hall(&world, 25).await;
    let bundle = place(&world, "bundle", &cart("bu", 1)).await.json();
    assert_eq!(places(&world, &producer).await, [0, 3, 2]);
    assert_eq!(place(&world, "seats", &cart("tt_seat", 2)).await.status, 201);
    assert_eq!(
        offered(&world).await,
        statuses(&[("active", true), ("active", true), ("active", false), ("active", true)])
    );
    let held = place(&world, "stand", &cart("tt_stand", 1)).await;
    assert_eq!(held.problem(), problem(409, "held", None));
    assert_eq!(held.json()["held_until"], bundle["held_until"]);
    assert!(held.header("retry-after").is_some(), "{held:?}");
    // Who holds is paid for; the place is theirs.
    let id = bundle["order"]["id"].as_str().unwrap();
    boxoffice::approve(&world.store, producer.tenant, id, PastHolds::No, world.now()).await.unwrap();
    assert_eq!(places(&world, &producer).await, [3, 2, 0]);
    // The hold of the seats ends: their places are free, and whoever comes first has them.
    world.step(HOLD + HOLD / 120);
    assert_eq!(place(&world, "again", &cart("tt_stand", 1)).await.status, 201);
    let orders = world.client.get("/api/v1/orders?status=pending", &producer.key).await.data();
    let seats = orders.iter().find(|order| order["items"][0]["ticket_type_id"] == "tt_seat").unwrap();
    let (id, now) = (seats["id"].as_str().unwrap(), world.now());
    let late = boxoffice::approve(&world.store, producer.tenant, id, PastHolds::No, now).await.unwrap_err();
    assert!(matches!(late, ChangeError::Refused(Refusal::HoldEnded { .. })), "{late:?}");
    // Staff may pass over what others hold, but never over what is taken.
    boxoffice::approve(&world.store, producer.tenant, id, PastHolds::Yes, now).await.unwrap();
    let stand = orders_of(&world, &producer, "tt_stand").await;
    let full = boxoffice::approve(&world.store, producer.tenant, &stand, PastHolds::Yes, now).await.unwrap_err();
    assert!(matches!(&full, ChangeError::Refused(Refusal::SoldOut(item)) if item == "tt_stand"), "{full:?}");
    assert!(world.findings().await.is_empty());
}

async fn orders_of(world: &World, producer: &Producer, item: &str) -> String {
    let orders = world.client.get("/api/v1/orders?status=pending", &producer.key).await.data();
    let found = orders.iter().find(|order| order["items"][0]["ticket_type_id"] == item).unwrap();
    found["id"].as_str().unwrap().to_owned()
}

async fn a_place_comes_back_when_its_ticket_stops_to_work(world: World) {
    let producer = hall(&world, 0).await;
    let (store, tenant) = (&world.store, producer.tenant);
    let placed = place(&world, "1", &cart("bu", 1)).await.json();
    assert_eq!(place(&world, "2", &cart("tt_seat", 2)).await.status, 201);
    let bundle = placed["order"]["id"].as_str().unwrap();
    let tickets = async |which: &str| -> Vec<String> {
        let sql = format!("SELECT id FROM tickets WHERE status = 'valid' AND hidden = 0 AND {which} ORDER BY seq, id");
        world.raw().await.rows(&sql).await.into_iter().map(|mut row| row.remove(0)).collect()
    };
    // A transfer keeps the place.
    let seat = tickets("ticket_type_id = 'tt_seat' AND from_bundle = 0").await.remove(0);
    let to = Person { name: "Bea".into(), ..Person::default() };
    let passed_on = boxoffice::transfer(store, tenant, &seat, &to, world.now()).await.unwrap();
    assert_eq!(places(&world, &producer).await, [5, 0, 0]);
    sold_out(&place(&world, "3", &cart("tt_stand", 1)).await);
    // Cancelled: its place is free at once, for another item.
    boxoffice::cancel(store, tenant, &passed_on, world.now()).await.unwrap();
    assert_eq!(place(&world, "4", &cart("tt_stand", 1)).await.status, 201);
    sold_out(&place(&world, "5", &cart("tt_stand", 1)).await);
    // Hidden, a ticket of a bundle, which stays sold: the bundle's own stock is not the pool's.
    let of_bundle = tickets("from_bundle = 1").await.remove(0);
    boxoffice::hide(store, tenant, &of_bundle, world.now()).await.unwrap();
    assert_eq!(places(&world, &producer).await, [4, 0, 1]);
    assert_eq!(place(&world, "6", &cart("tt_seat", 1)).await.status, 201);
    // Refunded: the two that were left of the bundle.
    boxoffice::refund(store, tenant, bundle, world.now()).await.unwrap();
    assert_eq!(places(&world, &producer).await, [3, 0, 2]);
    assert_eq!(place(&world, "7", &cart("tt_seat", 2)).await.status, 201);
    sold_out(&place(&world, "8", &cart("tt_seat", 1)).await);
    assert!(world.findings().await.is_empty());
}

async fn an_import_that_overfills_a_pool_is_refused(world: World) {
    let producer = hall(&world, 0).await;
    assert_eq!(place(&world, "1", &cart("tt_seat", 2)).await.status, 201);
    let in_bundle = |id: &str, item: &str| {
        let bundle = json!({"order_id": "or_1", "bundle_id": "bu", "from_bundle": true});
        with(ticket(id, "ev", item), bundle)
    };
    let three = [
        with(order("or_1", "ev", "bu"), json!({"status": "approved"})),
        in_bundle("B1", "tt_seat"),
        in_bundle("B2", "tt_stand"),
        in_bundle("B3", "tt_stand"),
    ];
    let fourth = [three.as_slice(), &[ticket("S1", "ev", "tt_stand")]].concat();
    let told = world.try_import(producer.tenant, &fourth).await.unwrap_err().to_string();
    assert!(told.contains("line 2") && told.contains("the pool pool has 6 live tickets"), "{told}");
    assert_eq!(world.raw().await.rows("SELECT count(*) FROM tickets").await, [["2"]], "nothing of it is taken");
    let dead = with(ticket("S2", "ev", "tt_stand"), json!({"cancelled_at": "2026-10-01T00:00:00Z"}));
    world.import(producer.tenant, &[three.as_slice(), &[dead]].concat()).await;
    assert_eq!(places(&world, &producer).await, [5, 0, 0]);
    sold_out(&place(&world, "2", &cart("tt_stand", 1)).await);
    // A pool that comes with its tickets names its own line.
    let lines = [
        with(event("ev_2"), json!({})),
        ticket_type("tt_2", "ev_2"),
        json!({"kind": "pool", "id": "p2", "event_id": "ev_2", "name": "X", "limit": 1, "ticket_type_ids": ["tt_2"]}),
        ticket("T1", "ev_2", "tt_2"),
        ticket("T2", "ev_2", "tt_2"),
    ];
    let told = world.try_import(producer.tenant, &lines).await.unwrap_err().to_string();
    assert!(told.contains("line 3") && told.contains("limit"), "{told}");
    assert!(world.findings().await.is_empty());
}

async fn an_import_brings_pools(world: World) {
    let producer = hall(&world, 0).await;
    let listed = run(&world, &["pool", "list", "--event", "ev"]);
    assert_eq!(listed[0]["ticket_type_ids"], json!(["tt_seat", "tt_stand"]));
    for (field, wrong) in [
        ("id", pool(5, &["tt_seat"])),
        ("event_id", with(pool(5, &["tt_seat"]), json!({"id": "p", "event_id": "ev_nope"}))),
        ("ticket_type_ids", with(pool(5, &["bu"]), json!({"id": "p"}))),
        ("ticket_type_ids", with(pool(5, &["tt_nope"]), json!({"id": "p"}))),
        ("ticket_type_ids", with(pool(5, &[]), json!({"id": "p"}))),
        ("ticket_type_ids", with(pool(5, &["tt_seat", "tt_seat"]), json!({"id": "p"}))),
        ("limit", with(pool(-1, &["tt_seat"]), json!({"id": "p"}))),
        ("name", with(pool(5, &["tt_seat"]), json!({"id": "p", "name": ""}))),
        ("colour", with(pool(5, &["tt_seat"]), json!({"id": "p", "colour": 1}))),
    ] {
        let told = world.try_import(producer.tenant, std::slice::from_ref(&wrong)).await.unwrap_err().to_string();
        assert!(told.contains("line 1") && told.contains(field), "{wrong}: {told}");
    }
    // What the list shows can be imported elsewhere.
    let other = world.producer("pr_b").await;
    let shown = with(listed[0].clone(), json!({"kind": "pool"}));
    world
        .import(other.tenant, &[shown, event("ev"), ticket_type("tt_seat", "ev"), ticket_type("tt_stand", "ev")])
        .await;
    let two = refused(&world, &["pool", "list", "--event", "ev"]);
    assert!(two.contains("--producer"), "{two}");
    let copied = run(&world, &["pool", "list", "--event", "ev", "--producer", "pr_b"]);
    assert_eq!((&copied[0]["limit"], &copied[0]["taken"]), (&json!(5), &json!(0)));
}

async fn two_servers_share_the_places_of_a_pool(world: World) {
    let producer = world.producer("pr_a").await;
    let inside = json!([{"ticket_type_id": "tt_seat", "quantity": 1}, {"ticket_type_id": "tt_stand", "quantity": 1}]);
    let lines = [
        event("ev"),
        with(ticket_type("tt_seat", "ev"), json!({"price": 0})),
        with(ticket_type("tt_stand", "ev"), json!({"price": 0})),
        with(ticket_type("bu", "ev"), json!({"kind": "bundle", "includes": inside, "price": 0})),
        pool(50, &["tt_seat", "tt_stand"]),
    ];
    world.import(producer.tenant, &lines).await;
    let [(_first, here), (_second, there)] = world.two_servers().await;
    let items = [("tt_seat", 1), ("tt_stand", 1), ("bu", 2)];
    let buying = join_all((0..120).map(async |number| {
        let (item, places) = items[number % 3];
        let client = if number % 2 == 0 { here.clone() } else { there.clone() };
        let answer = buy(client, format!("key-{number}"), cart(item, 1)).await;
        if answer.status != 201 {
            sold_out(&answer);
            return 0;
        }
        places
    }));
    let taken: i64 = buying.await.into_iter().sum();
    // One place may be left that only a single item fits into.
    assert!((49..=50).contains(&taken), "{taken}");
    for number in taken..50 {
        assert_eq!(buy(here.clone(), format!("rest-{number}"), cart("tt_seat", 1)).await.status, 201);
    }
    for (client, item) in [(here, "tt_seat"), (there, "tt_stand")] {
        sold_out(&buy(client, format!("late-{item}"), cart(item, 1)).await);
    }
    let live = world.raw().await.rows("SELECT count(*) FROM tickets WHERE status = 'valid'").await;
    assert_eq!((places(&world, &producer).await, live), ([50, 0, 0], vec![vec!["50".to_owned()]]));
    assert!(world.findings().await.is_empty());
}

async fn pools_are_made_changed_and_ended_at_the_command_line(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [
        event("ev"),
        ticket_type("tt_a", "ev"),
        ticket_type("tt_b", "ev"),
        with(ticket_type("tt_c", "ev"), json!({"price": 0})),
        ticket("T1", "ev", "tt_a"),
    ];
    world.import(producer.tenant, &lines).await;
    let create = |more: &[&'static str]| {
        [["pool", "create", "--producer", "pr_a", "--event", "ev", "--name", "Hall"].as_slice(), more].concat()
    };
    let made = run(&world, &create(&["--limit", "3", "--ticket-type", "tt_a", "--ticket-type", "tt_b"]));
    let id = made["id"].as_str().unwrap();
    assert_eq!(
        (&made["limit"], &made["taken"], &made["free"], &made["ticket_type_ids"]),
        (&json!(3), &json!(1), &json!(2), &json!(["tt_a", "tt_b"]))
    );
    // Neither made nor changed below what is taken.
    for less in [&create(&["--limit", "0", "--ticket-type", "tt_a"])[..], &["pool", "change", id, "--limit", "0"][..]] {
        let told = refused(&world, less);
        assert!(told.contains("(limit_below_sold)"), "{told}");
    }
    let changed = run(&world, &["pool", "change", id, "--limit", "1", "--past-holds", "--name", "Room"]);
    assert_eq!((&changed["limit"], &changed["name"], &changed["free"]), (&json!(1), &json!("Room"), &json!(0)));
    let told = refused(&world, &["pool", "change", id, "--ticket-type", "tt_nope"]);
    assert!(told.contains("ticket_type_ids") && told.contains("tt_nope"), "{told}");
    let changed = run(&world, &["pool", "change", id, "--ticket-type", "tt_c", "--producer", "pr_a"]);
    assert_eq!((&changed["ticket_type_ids"], &changed["taken"]), (&json!(["tt_c"]), &json!(0)));
    assert_eq!(place(&world, "c1", &cart("tt_c", 1)).await.status, 201);
    sold_out(&place(&world, "c2", &cart("tt_c", 1)).await);
    let ended = run(&world, &["pool", "end", id]);
    assert_eq!((&ended["id"], &ended["taken"]), (&json!(id), &json!(1)));
    assert_eq!(run(&world, &["pool", "list", "--event", "ev"]), json!([]));
    assert_eq!(place(&world, "c3", &cart("tt_c", 1)).await.status, 201, "each sells by its own limit");
    assert!(refused(&world, &["pool", "end", id]).contains("there is no pool"));
    let history = world.raw().await.rows("SELECT action FROM audit WHERE action LIKE 'pool.%' ORDER BY at, id").await;
    let actions: Vec<&str> = history.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(actions, ["pool.created", "pool.changed", "pool.changed", "pool.ended"]);
    assert!(world.findings().await.is_empty());
}

async fn pools_are_made_changed_and_ended_in_the_dashboard(world: World) {
    let producer = hall(&world, 25).await;
    run(&world, &["pool", "end", "pool"]);
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let event = "/dashboard/p/pr_a/events/ev";
    assert!(ana.get(event).await.text.contains("New shared places"));
    let form = ana.get(&format!("{event}/pools/new")).await;
    assert!(form.text.contains("value=\"tt_seat\"") && !form.text.contains("value=\"bu\""), "{}", form.text);
    let wrong = ana.post(&format!("{event}/pools"), &[("name", "Hall"), ("limit", "many")]).await;
    assert!(wrong.status == 422 && wrong.text.contains("Write a whole number."), "{}", wrong.text);
    assert!(wrong.text.contains("Choose at least one ticket type") && wrong.text.contains("value=\"Hall\""));
    let fine = [("name", "Hall"), ("limit", "4"), ("ticket_type", "tt_seat"), ("ticket_type", "tt_stand")];
    let made = ana.post(&format!("{event}/pools"), &fine).await;
    assert!(ana.get(made.leads_to()).await.text.contains("The places are shared now."));
    assert_eq!(place(&world, "hold", &cart("bu", 1)).await.status, 201);
    let page = ana.get(event).await.text;
    let row = page.split("id=\"pools\"").nth(1).unwrap();
    for figure in ["Type tt_seat", "Type tt_stand", ">4</td>", ">0</td>", ">3</td>", ">1</td>"] {
        assert!(row.contains(figure), "{figure}: {row}");
    }
    // What the overview and the reports call left has room in the pool: one place for an entrance, none for a bundle.
    assert_eq!(left(&ana, event).await, ["1 left", "no limit", "0 left"]);
    let stock = ana.get("/dashboard/p/pr_a/reports/stock?event=ev&format=csv").await.text;
    let by_item: Vec<&str> = stock.lines().skip(1).map(|line| line.split(',').nth(6).unwrap()).collect();
    assert_eq!(by_item, ["1", "1", "", "0"], "{stock}");
    let id = world.raw().await.rows("SELECT id FROM pools").await.remove(0).remove(0);
    let path = format!("{event}/pools/{id}");
    let form = ana.get(&path).await;
    let stamp = form.between("name=\"updated_at\" value=\"", "\"").to_owned();
    // Below what is held the form asks first.
    let less = [("name", "Hall"), ("limit", "2"), ("ticket_type", "tt_seat"), ("ticket_type", "tt_stand")];
    let send = async |more: &[(&str, &str)]| {
        let fields: Vec<(&str, &str)> = less.iter().copied().chain(more.to_vec()).collect();
        ana.post(&path, &fields).await
    };
    let asked = send(&[("updated_at", &stamp)]).await;
    assert!(asked.status == 422 && asked.text.contains("name=\"past_holds\""), "{}", asked.text);
    let bea = world.staff(producer.tenant, "bea@x.example", BuiltInRole::Editor).await;
    bea.post(&path, &[("name", "Bea's"), ("limit", "9"), ("ticket_type", "tt_seat"), ("updated_at", &stamp)])
        .await
        .leads_to();
    let quicker = send(&[("updated_at", &stamp), ("past_holds", "yes")]).await;
    assert!(quicker.status == 409 && quicker.text.contains("Bea"), "{}", quicker.text);
    let stamp = quicker.between("name=\"updated_at\" value=\"", "\"").to_owned();
    send(&[("updated_at", &stamp), ("past_holds", "yes")]).await.leads_to();
    assert_eq!(places(&world, &producer).await, [0, 3, 0]);
    let vic = world.staff(producer.tenant, "vic@x.example", BuiltInRole::Viewer).await;
    let page = vic.get(event).await.text;
    assert!(page.contains("Hall") && !page.contains("/pools/"), "{page}");
    assert!(ana.get(&format!("{event}/items/tt_seat")).await.text.contains("<dt>Shared places</dt>"));
    let ada = world.staff(producer.tenant, "ada@x.example", BuiltInRole::Administrator).await;
    assert!(ada.get("/dashboard/p/pr_a/history").await.text.contains("Shared places changed"));
    ana.post(&format!("{path}/end"), &[]).await.leads_to();
    assert_eq!(ana.get(&path).await.status, 404);
    let other = world.producer("pr_b").await;
    world
        .import(other.tenant, &[crate::harness::event("ev"), ticket_type("tt_seat", "ev"), pool(5, &["tt_seat"])])
        .await;
    assert_eq!(ana.get(&format!("{event}/pools/pool")).await.status, 404, "another producer's");
    assert!(world.findings().await.is_empty());
}

/// How much is left of entrances, things from the bar and bundles, as a page says it.
async fn left(who: &Staff, page: &str) -> Vec<String> {
    let text = who.get(page).await.text;
    let parts = text.split(['·', '<']).map(str::trim);
    parts.filter(|part| part.ends_with(" left") || *part == "no limit").take(3).map(str::to_owned).collect()
}

async fn a_copied_event_has_pools_of_its_own(world: World) {
    let producer = hall(&world, 0).await;
    assert_eq!(place(&world, "1", &cart("tt_seat", 5)).await.status, 201);
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let copied = ana.post("/dashboard/p/pr_a/events/ev/duplicate", &[("name", "Again")]).await;
    let id = copied.leads_to().split('?').next().unwrap().rsplit('/').next().unwrap().to_owned();
    let pools = run(&world, &["pool", "list", "--event", &id]);
    assert_eq!((&pools[0]["name"], &pools[0]["limit"], &pools[0]["taken"]), (&json!("Hall"), &json!(5), &json!(0)));
    let types = world.client.get(&format!("/api/v1/events/{id}/ticket-types"), &producer.key).await.data();
    let copies: Vec<&Value> = types[..2].iter().map(|item| &item["id"]).collect();
    assert_eq!(pools[0]["ticket_type_ids"].as_array().unwrap().iter().collect::<Vec<_>>(), copies);
}

async fn what_contradicts_a_pool_is_refused_and_found(world: World) {
    hall(&world, 0).await;
    let create = ["pool", "create", "--producer", "pr_a", "--event"];
    for (more, told) in [
        (&["ev", "--name", "X", "--limit", "5", "--ticket-type", "bu"][..], "is a bundle"),
        (&["ev", "--name", "X", "--limit", "5", "--ticket-type", "tt_nope"][..], "has no ticket type tt_nope"),
        (&["ev", "--name", "X", "--limit", "5"][..], "--ticket-type"),
        (&["ev_nope", "--name", "X", "--limit", "5", "--ticket-type", "tt_seat"][..], "(not_found)"),
        (&["ev", "--id", "pool", "--name", "X", "--limit", "5", "--ticket-type", "tt_seat"][..], "(id_taken)"),
        (
            &["ev", "--name", "X", "--limit", "5", "--ticket-type", "tt_seat", "--ticket-type", "tt_seat"][..],
            "named twice",
        ),
    ] {
        let refusal = refused(&world, &[create.as_slice(), more].concat());
        assert!(refusal.contains(told), "{more:?}: {refusal}");
    }
    assert_eq!(world.raw().await.rows("SELECT count(*) FROM pools").await, [["1"]]);
    // What nothing but a defect could make is found.
    assert_eq!(place(&world, "1", &cart("tt_seat", 3)).await.status, 201);
    world.raw().await.batch("UPDATE pools SET pool_limit = 2").await;
    let findings = world.findings().await;
    assert_eq!((findings.len(), findings[0].kind, findings[0].id.as_str()), (1, "pool", "pool"));
    world.raw().await.batch("UPDATE pools SET pool_limit = 5; UPDATE pool_items SET ticket_type_id = 'bu' WHERE ticket_type_id = 'tt_stand'").await;
    assert_eq!(world.findings().await[0].kind, "pool");
}
