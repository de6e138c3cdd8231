//! Reports against what the API says of the same orders and tickets.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use jiff::{Timestamp, tz::TimeZone};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use taquilla_domain::{person::Person, role::BuiltInRole, stock::Channel};
use taquilla_rules::boxoffice::{self, ItemRequest, OrderRequest, PastHolds, Placed};

use crate::harness::{Producer, Staff, World, event, everything, order, seed, table, ticket, ticket_type, with};

both_engines![
    sales_agree_with_the_orders_whatever_happened,
    days_are_those_of_the_time_zone,
    imports_count_once_and_with_their_own_times,
    no_shows_and_stock_agree_with_the_tickets,
    the_entry_curve_agrees_with_the_tickets,
    what_is_asked_wrong_is_said_beside_the_field,
    names_in_reports_are_shown_and_never_obeyed,
    a_wrong_sum_is_found,
];

const REPORTS: &str = "/dashboard/p/pr_a/reports";

/// Day, event, item, channel: units, gross, refunded units, refunded.
type Sums = BTreeMap<(String, String, String, String), [i64; 4]>;

/// What the API's orders say was sold, by the days of their events.
async fn by_the_api(world: &World, producer: &Producer, event_id: Option<&str>) -> Sums {
    let events = everything(&world.client, &producer.key, "events").await;
    let day = |at: &Value, event_id: &Value| {
        let at: Timestamp = at.as_str().unwrap().parse().unwrap();
        let zone = events[event_id.as_str().unwrap()]["timezone"].as_str().unwrap();
        at.to_zoned(TimeZone::get(zone).unwrap()).date().to_string()
    };
    let mut sums = Sums::new();
    for order in everything(&world.client, &producer.key, "orders").await.values() {
        let status = order["status"].as_str().unwrap();
        if !["approved", "refunded"].contains(&status) || event_id.is_some_and(|id| order["event_id"] != id) {
            continue;
        }
        let first = |names: &[&str]| names.iter().map(|name| order[*name].clone()).find(|at| !at.is_null()).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        for item in order["items"].as_array().unwrap() {
            let mut add = |at: Value, place: usize| {
                let event = text(&order["event_id"]);
                let key = (day(&at, &order["event_id"]), event, text(&item["ticket_type_id"]), text(&order["channel"]));
                let sum = sums.entry(key).or_default();
                sum[place] += item["quantity"].as_i64().unwrap();
                sum[place + 1] += item["total"].as_i64().unwrap();
            };
            add(first(&["paid_at", "created_at"]), 0);
            if status == "refunded" {
                add(first(&["refunded_at", "paid_at", "created_at"]), 2);
            }
        }
    }
    sums
}

/// What the report's file says.
async fn by_the_report(staff: &Staff, query: &str) -> Sums {
    let file = staff.get(&format!("{REPORTS}/sales?{query}&format=csv")).await;
    assert_eq!(file.status, 200, "{query}: {}", file.text);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    assert!(file.header("content-disposition").starts_with("attachment; filename=\"sales-"));
    let number = |row: &BTreeMap<String, String>, name: &str| row[name].parse::<i64>().unwrap();
    let lines = table(&file.text);
    let sums: Sums = lines
        .iter()
        .map(|row| {
            let key = ["day", "event_id", "item_id", "channel"].map(|name| row[name].clone());
            let sum = ["units", "gross", "refunded_units", "refunded"].map(|name| number(row, name));
            assert_eq!(number(row, "net"), sum[1] - sum[3]);
            (key.into(), sum)
        })
        .collect();
    assert_eq!(sums.len(), lines.len(), "a day is there twice");
    sums
}

async fn place(world: &World, producer: &Producer, event_id: &str, items: &[(&str, i64)], channel: Channel) -> String {
    let item = |(id, quantity): &(&str, i64)| ItemRequest {
        ticket_type_id: (*id).to_owned(),
        quantity: *quantity,
        unit_price: None,
        attendees: vec![],
        access_code: None,
    };
    let request = OrderRequest {
        event_id: event_id.into(),
        buyer: Person { name: "Ana".into(), email: "ana@example.com".into(), ..Person::default() },
        items: items.iter().map(item).collect(),
        channel,
        hold: taquilla_domain::config::HOLD,
        past_holds: PastHolds::No,
        is_paid: false,
        method: None,
        past_most: false,
        stranger: None,
        coupon: None,
        terms: None,
        language: None,
        promoter: None,
    };
    match boxoffice::place(&world.store, producer.tenant, &request, None, world.now()).await.unwrap() {
        Placed::New(placed) => placed.order.id,
        Placed::Before(_) => unreachable!(),
    }
}

/// Two events in time zones far apart, each with an item, a free one and a bundle.
async fn two_events(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![];
    for (id, zone) in [("ev", "Europe/Madrid"), ("far", "Asia/Kathmandu")] {
        let name = |kind: &str| format!("{kind}_{id}");
        let published = json!({"timezone": zone, "status": "published"});
        lines.push(with(event(id), published));
        lines.push(ticket_type(&name("tt"), id));
        lines.push(with(ticket_type(&name("free"), id), json!({"price": 0})));
        lines.push(json!({
            "kind": "bundle", "id": name("bu"), "event_id": id, "name": "Pack", "price": 40, "currency": "EUR",
            "includes": [{"ticket_type_id": name("tt"), "quantity": 2}],
        }));
    }
    world.import(producer.tenant, &lines).await;
    producer
}

async fn sales_agree_with_the_orders_whatever_happened(world: World) {
    let mut random = StdRng::seed_from_u64(seed());
    let producer = two_events(&world).await;
    let (mut pending, mut approved): (Vec<String>, Vec<String>) = (vec![], vec![]);
    for number in 0..60 {
        world.step(Duration::from_secs(random.random_range(0..20_000)));
        let event_id = ["ev", "far"][random.random_range(0..2)];
        match random.random_range(0..7) {
            0..=2 => {
                let kinds = ["tt", "free", "bu"];
                let items: Vec<(String, i64)> = (0..random.random_range(1..4))
                    .map(|at| (format!("{}_{event_id}", kinds[at]), random.random_range(1..4)))
                    .collect();
                let items: Vec<(&str, i64)> = items.iter().map(|(id, quantity)| (id.as_str(), *quantity)).collect();
                let channel = [Channel::Public, Channel::Staff][random.random_range(0..2)];
                pending.push(place(&world, &producer, event_id, &items, channel).await);
            }
            3 => {
                let item = format!("free_{event_id}");
                approved.push(place(&world, &producer, event_id, &[(&item, 1)], Channel::Staff).await);
            }
            4 if !pending.is_empty() => {
                let id = pending.swap_remove(random.random_range(0..pending.len()));
                let decided = match random.random_range(0..4) {
                    0 => boxoffice::reject(&world.store, producer.tenant, &id, world.now()).await,
                    _ => boxoffice::approve(&world.store, producer.tenant, &id, PastHolds::Yes, world.now()).await,
                };
                if decided.unwrap().status.as_str() == "approved" {
                    approved.push(id);
                }
            }
            5 if !approved.is_empty() => {
                let id = approved.swap_remove(random.random_range(0..approved.len()));
                boxoffice::refund(&world.store, producer.tenant, &id, world.now()).await.unwrap();
            }
            6 => {
                let status = ["approved", "refunded", "pending", "rejected"][random.random_range(0..4)];
                let id = format!("im_{number}");
                let line = with(order(&id, event_id, &format!("tt_{event_id}")), json!({"status": status}));
                world.import(producer.tenant, &[line]).await;
                match status {
                    "approved" => approved.push(id),
                    "pending" => pending.push(id),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    assert!(world.findings().await.is_empty(), "{:?}", world.findings().await);
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    for event_id in [Some("ev"), Some("far"), None] {
        let expected = by_the_api(&world, &producer, event_id).await;
        assert!(!expected.is_empty());
        let event = event_id.map(|id| format!("event={id}&")).unwrap_or_default();
        let days = "from=2026-10-25&to=2027-01-31";
        assert_eq!(by_the_report(&staff, &format!("{event}{days}")).await, expected, "{event_id:?}");
        if event_id.is_some() {
            assert_eq!(by_the_report(&staff, &event).await, expected, "without days the report has all of them");
        }
        // Part after part is the whole.
        let mut parts = Sums::new();
        for days in ["from=2026-10-25&to=2026-11-03", "from=2026-11-04&to=2026-11-04", "from=2026-11-05&to=2027-01-31"]
        {
            parts.extend(by_the_report(&staff, &format!("{event}{days}")).await);
        }
        assert_eq!(parts, expected, "{event_id:?}");
        // The page says the same in all.
        let sums = expected.values().fold([0; 4], |all, one| [0, 1, 2, 3].map(|at: usize| all[at] + one[at]));
        let page = staff.get(&format!("{REPORTS}/sales?{event}{days}")).await;
        for (name, figure) in [("Gross", sums[1]), ("Net", sums[1] - sums[3])] {
            let shown = page.between(&format!("<dt>{name}</dt><dd>"), "</dd>");
            assert_eq!(euros(shown), Some(figure), "{name}: {}", page.text);
        }
        assert!(page.text.contains("data-chart=\"bars\""));
        // Of all events, those by event open their orders, and the others lead to what they are made of.
        let links = figures_open_their_rows(&staff, &page.text).await;
        assert!(links >= if event_id.is_some() { 5 } else { 4 }, "{links} figures with rows: {}", page.text);
    }
    let stock = staff.get(&format!("{REPORTS}/stock?event=ev")).await;
    for rows in ["/tickets?event=ev&#38;type=tt_ev&#38;status=live\">", "/reports/orders?event=ev&#38;item=bu_ev\">"] {
        assert!(stock.text.contains(rows), "{rows}: {}", stock.text);
    }
    for wrong in ["event=none", "event=ev&from=yesterday&to=2026-11-01"] {
        let page = staff.get(&format!("{REPORTS}/orders?{wrong}")).await;
        assert!(page.status.is_client_error(), "{wrong}: {}", page.status);
    }
}

/// An amount in euros as the pages write it.
fn euros(text: &str) -> Option<i64> {
    text.strip_prefix('€')?.replace(',', "").parse().ok()
}

/// Follows every figure of sold or refunded units and money to its orders, and adds them up. Gives how many there were.
async fn figures_open_their_rows(staff: &Staff, page: &str) -> usize {
    let mut links = 0;
    for link in page.split("<a href=\"").skip(1).filter(|link| link.contains("/reports/orders?")) {
        let (path, rest) = link.split_once("\">").unwrap();
        if !path.contains("/reports/orders?") {
            continue;
        }
        links += 1;
        let path = path.replace("&#38;", "&");
        let figure = rest.split_once("</a>").unwrap().0;
        let item = path.split('&').find_map(|part| part.strip_prefix("item="));
        let (mut units, mut money, mut next) = (0, 0, Some(path.clone()));
        while let Some(path) = next {
            let page = staff.get(&path).await;
            assert_eq!(page.status, 200, "{path}: {}", page.text);
            for row in page.text.split("<tr><th scope=\"row\"").skip(1) {
                let cell =
                    |at: usize| row.split("<td").nth(at).unwrap().split_once('>').unwrap().1.split_once('<').unwrap().0;
                for part in cell(1).split(", ") {
                    let (quantity, name) = part.split_once(" × ").unwrap();
                    let is_wanted =
                        item.is_none_or(|id| name == format!("Type {id}") || (name == "Pack" && id.starts_with("bu")));
                    units += if is_wanted { quantity.parse::<i64>().unwrap() } else { 0 };
                }
                money += euros(cell(3)).unwrap();
            }
            let older = page.text.split_once("class=\"pager\"").unwrap().1.split_once("</nav>").unwrap().0;
            next = older.split_once("href=\"").map(|(_, rest)| rest.split_once('"').unwrap().0.replace("&#38;", "&"));
        }
        let expected = euros(figure).map_or_else(|| (figure.parse().unwrap(), units), |amount| (amount, money));
        assert_eq!(expected.0, expected.1, "{path}");
    }
    links
}

async fn days_are_those_of_the_time_zone(world: World) {
    let producer = two_events(&world).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Viewer).await;
    // Clocks in Madrid were put back on 25 October and forward on 29 March; those in Kathmandu are 5:45 ahead.
    let times = [
        "2026-10-24T21:59:59Z",
        "2026-10-24T22:00:00Z",
        "2026-10-25T00:59:59Z",
        "2026-10-25T01:00:00Z",
        "2026-10-25T22:59:59Z",
        "2026-10-25T23:00:00Z",
        "2026-03-28T22:59:59Z",
        "2026-03-28T23:00:00Z",
        "2026-03-29T21:59:59Z",
        "2026-03-29T22:00:00Z",
        "2026-10-25T18:14:59Z",
        "2026-10-25T18:15:00Z",
        "1999-12-31T23:59:59Z",
    ];
    let mut lines = vec![];
    for (number, at) in times.iter().enumerate() {
        for event_id in ["ev", "far"] {
            let id = format!("{event_id}_{number}");
            lines.push(with(order(&id, event_id, &format!("tt_{event_id}")), json!({"paid_at": at, "created_at": at})));
        }
    }
    world.import(producer.tenant, &lines).await;
    assert!(world.findings().await.is_empty());
    for event_id in ["ev", "far"] {
        let expected = by_the_api(&world, &producer, Some(event_id)).await;
        for days in ["from=2026-10-20&to=2026-10-30", "from=2026-03-01&to=2026-12-31", "from=1999-12-01&to=2000-02-01"]
        {
            let (from, to) = (&days[5..15], &days[19..]);
            let within =
                expected.clone().into_iter().filter(|((day, ..), _)| day.as_str() >= from && day.as_str() <= to);
            let within: Sums = within.collect();
            assert!(!within.is_empty());
            assert_eq!(by_the_report(&staff, &format!("event={event_id}&{days}")).await, within, "{event_id} {days}");
        }
    }
    // A long stretch is shown in weeks.
    let page = staff.get(&format!("{REPORTS}/sales?event=ev&from=2026-03-01&to=2026-12-31")).await;
    assert!(page.text.contains("By week") && page.text.contains("Mon 19 Oct – Sun 25 Oct"), "{}", page.text);
    assert!(page.text.contains("Europe/Madrid"));
    // An event that moves takes its sales with it, to the days of its new clocks.
    let before = by_the_api(&world, &producer, None).await;
    world.move_event(producer.tenant, "ev", "Pacific/Auckland").await;
    assert!(world.findings().await.is_empty(), "{:?}", world.findings().await);
    let expected = by_the_api(&world, &producer, None).await;
    assert_ne!(expected, before);
    let within: Sums = expected.into_iter().filter(|((day, ..), _)| day.starts_with("2026-")).collect();
    assert_eq!(by_the_report(&staff, "from=2026-01-01&to=2026-12-31").await, within);
}

async fn imports_count_once_and_with_their_own_times(world: World) {
    let producer = two_events(&world).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let sold = |id: &str, fields: Value| with(order(id, "ev", "tt_ev"), fields);
    let lines = [
        sold("a", json!({})),
        sold("b", json!({"created_at": "2026-09-01T10:00:00Z"})),
        sold("c", json!({"created_at": "2026-09-01T10:00:00Z", "paid_at": "2026-09-02T10:00:00Z"})),
        sold(
            "d",
            json!({"status": "refunded", "paid_at": "2026-09-02T10:00:00Z", "refunded_at": "2026-09-03T10:00:00Z"}),
        ),
        sold("e", json!({"status": "refunded", "created_at": "2026-09-04T10:00:00Z"})),
        sold("f", json!({"status": "pending", "created_at": "2026-09-05T10:00:00Z"})),
    ];
    world.import(producer.tenant, &lines).await;
    // The same file again, and a second one that adds to the same quarters.
    let _ = world.try_import(producer.tenant, &lines).await;
    world.import(producer.tenant, &[sold("g", json!({"paid_at": "2026-09-02T10:01:00Z"}))]).await;
    let key = |day: &str| (day.to_owned(), "ev".to_owned(), "tt_ev".to_owned(), "import".to_owned());
    let expected = Sums::from([
        (key("2026-11-01"), [1, 25, 0, 0]),
        (key("2026-09-01"), [1, 25, 0, 0]),
        (key("2026-09-02"), [3, 75, 0, 0]),
        (key("2026-09-03"), [0, 0, 1, 25]),
        (key("2026-09-04"), [1, 25, 1, 25]),
    ]);
    assert_eq!(by_the_report(&staff, "event=ev&from=2026-09-01&to=2026-11-30").await, expected);
    assert!(world.findings().await.is_empty());
    // A pending one that is approved here is sold when it is approved.
    world.step(Duration::from_secs(3 * 86_400));
    boxoffice::approve(&world.store, producer.tenant, "f", PastHolds::No, world.now()).await.unwrap();
    assert_eq!(staff.sign_in("ana@x.example").await.status, 303);
    let sums = by_the_report(&staff, "event=ev&from=2026-11-04&to=2026-11-04").await;
    assert_eq!(sums, Sums::from([(key("2026-11-04"), [1, 25, 0, 0])]));
    assert!(world.findings().await.is_empty());
}

async fn no_shows_and_stock_agree_with_the_tickets(world: World) {
    let producer = two_events(&world).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Viewer).await;
    let mut lines = vec![];
    for number in 0..10 {
        let fields = match number {
            0..=3 => json!({"checked_in_at": "2026-10-05T20:00:00Z", "checked_in_by": "Gate"}),
            4 => json!({"cancelled_at": "2026-10-05T20:00:00Z"}),
            5 => json!({"hidden": true}),
            _ => json!({}),
        };
        lines.push(with(ticket(&format!("T{number}"), "ev", "tt_ev"), fields));
    }
    world.import(producer.tenant, &lines).await;
    let bundle = place(&world, &producer, "ev", &[("bu_ev", 1)], Channel::Staff).await;
    boxoffice::approve(&world.store, producer.tenant, &bundle, PastHolds::No, world.now()).await.unwrap();
    place(&world, &producer, "ev", &[("tt_ev", 3)], Channel::Public).await;

    let mut live: HashMap<(String, String), i64> = HashMap::new();
    for ticket in everything(&world.client, &producer.key, "tickets").await.values() {
        let key =
            (ticket["ticket_type"]["id"].as_str().unwrap().to_owned(), ticket["status"].as_str().unwrap().to_owned());
        *live.entry(key).or_default() += 1;
    }
    let count = |item: &str, status: &str| live.get(&(item.to_owned(), status.to_owned())).copied().unwrap_or(0);
    assert_eq!((count("tt_ev", "valid"), count("tt_ev", "scanned")), (6, 4));
    let lines = table(&staff.get(&format!("{REPORTS}/no-shows?event=ev&format=csv")).await.text);
    let line = lines.iter().find(|line| line["ticket_type_id"] == "tt_ev").unwrap();
    let says = ["tickets", "entered", "did_not_enter", "percent", "is_over"].map(|name| line[name].as_str());
    assert_eq!(says, ["10", "4", "6", "60", "false"]);
    let page = staff.get(&format!("{REPORTS}/no-shows?event=ev")).await;
    assert!(page.text.contains("may still come"), "{}", page.text);
    assert!(
        page.text.contains("href=\"/dashboard/p/pr_a/tickets?event=ev&#38;type=tt_ev&#38;status=valid\">6</a>"),
        "{}",
        page.text
    );

    let lines = table(&staff.get(&format!("{REPORTS}/stock?event=ev&format=csv")).await.text);
    let line = |id: &str| lines.iter().find(|line| line["item_id"] == id).unwrap();
    let columns = ["sold", "held", "live_tickets", "from_bundles", "valid", "entered", "agrees"];
    assert_eq!(columns.map(|name| line("tt_ev")[name].as_str()), ["8", "3", "10", "2", "6", "4", "true"]);
    assert_eq!(columns.map(|name| line("bu_ev")[name].as_str()), ["1", "0", "", "", "", "", "true"]);
    let types = world.client.get("/api/v1/events/ev/ticket-types", &producer.key).await;
    for item in types.data() {
        assert_eq!(line(item["id"].as_str().unwrap())["sold"], item["sold"].to_string());
    }
    // All events, and one that is over.
    let lines = table(&staff.get(&format!("{REPORTS}/no-shows?format=csv")).await.text);
    let says = |id: &str| lines.iter().find(|line| line["event_id"] == id).map(|line| line["tickets"].clone());
    assert_eq!((says("ev"), says("far")), (Some("10".into()), Some("0".into())));
    let over = with(event("old"), json!({"starts_at": "2026-10-01T18:00:00Z", "ends_at": "2026-10-01T23:00:00Z"}));
    world.import(producer.tenant, &[over, ticket_type("tt_old", "old"), ticket("OLD", "old", "tt_old")]).await;
    let page = staff.get(&format!("{REPORTS}/no-shows?event=old")).await;
    assert!(!page.text.contains("may still come") && page.text.contains("<small>(100 %)</small>"), "{}", page.text);
}

async fn the_entry_curve_agrees_with_the_tickets(world: World) {
    let mut random = StdRng::seed_from_u64(seed());
    let producer = two_events(&world).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Viewer).await;
    // Clocks in Madrid are put back in this night: one hour comes twice.
    let begin: Timestamp = "2026-10-24T23:30:00Z".parse().unwrap();
    let lines: Vec<Value> = (0..80)
        .map(|number| {
            let at = begin + Duration::from_secs(random.random_range(0..7_200));
            let entered = json!({"checked_in_at": at.to_string(), "checked_in_by": "North"});
            with(ticket(&format!("T{number}"), "ev", "tt_ev"), if number % 4 == 0 { json!({}) } else { entered })
        })
        .collect();
    world.import(producer.tenant, &lines).await;
    for id in ["T1", "T2"] {
        boxoffice::cancel(&world.store, producer.tenant, id, world.now()).await.unwrap();
    }
    assert!(world.findings().await.is_empty());
    let mut expected: BTreeMap<String, i64> = BTreeMap::new();
    for ticket in everything(&world.client, &producer.key, "tickets").await.values() {
        if ticket["status"] == "scanned" {
            let minute = format!("{}:00.000000Z", &ticket["checked_in_at"].as_str().unwrap()[..16]);
            *expected.entry(minute).or_default() += 1;
        }
    }
    let lines = table(&staff.get(&format!("{REPORTS}/entries?event=ev&format=csv")).await.text);
    let says = lines.iter().map(|line| (line["from_utc"].clone(), line["entered"].parse::<i64>().unwrap()));
    let says: BTreeMap<String, i64> = says.filter(|(_, entered)| *entered > 0).collect();
    assert_eq!(says, expected);
    assert_eq!(lines.last().unwrap()["entered_in_all"], "58");
    let page = staff.get(&format!("{REPORTS}/entries?event=ev")).await;
    assert!(page.text.contains("tickets?event=ev&#38;status=scanned\">58</a>"), "{}", page.text);
    assert!(page.text.contains("data-chart=\"line\"") && page.text.contains(">Sun 25 Oct, 02:"), "{}", page.text);
    let none = staff.get(&format!("{REPORTS}/entries?event=ev&from=2026-10-26&to=2026-10-27")).await;
    assert!(none.text.contains("Nobody has entered"), "{}", none.text);
}

async fn what_is_asked_wrong_is_said_beside_the_field(world: World) {
    let producer = two_events(&world).await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Viewer).await;
    for (query, status, says) in [
        ("from=yesterday", 422, "This is no day"),
        ("from=2026-02-30", 422, "This is no day"),
        ("from=2026-11-02&to=2026-11-01", 422, "before the first one"),
        ("from=2025-01-01&to=2026-11-01", 422, "366 days at most"),
        ("from=2026-02-30&format=csv", 422, "This is no day"),
        ("from=0001-01-01", 422, "This is no day"),
        ("event=none", 404, ""),
        ("event=%00", 404, ""),
        ("from=2026-11-01", 200, "Nothing was sold"),
        ("to=1980-01-01", 200, "Nothing was sold"),
        ("from=2200-12-31&to=2200-12-31", 200, "Nothing was sold"),
    ] {
        for page in ["sales", "entries"] {
            let answer = staff.get(&format!("{REPORTS}/{page}?{query}")).await;
            assert_eq!(answer.status, status, "{page}?{query}: {}", answer.text);
            assert!(
                page == "entries" && status == 200 || answer.text.contains(says),
                "{page}?{query}: {}",
                answer.text
            );
        }
    }
    for page in ["no-shows?event=none", "stock?event=none"] {
        assert_eq!(staff.get(&format!("{REPORTS}/{page}")).await.status, 404);
    }
    for page in ["", "/sales", "/entries", "/no-shows", "/stock", "/no-shows?before=x-y", "/no-shows?before=1-2"] {
        for language in ["en", "es"] {
            let (path, headers) = (format!("{REPORTS}{page}"), [("accept-language", language)]);
            let shown = staff.send(reqwest::Method::GET, &path, None, &headers).await;
            assert_eq!(shown.status, 200, "{page}");
        }
    }
}

async fn names_in_reports_are_shown_and_never_obeyed(world: World) {
    let producer = world.producer("pr_a").await;
    let staff = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let evil = "\"><img src=x onerror=alert(1)>";
    let formula = "=cmd|' /C calc'!A0";
    let lines = [
        with(event("ev\"><b>"), json!({"name": evil})),
        with(ticket_type("tt\"><b>", "ev\"><b>"), json!({"name": formula})),
        order("o", "ev\"><b>", "tt\"><b>"),
    ];
    world.import(producer.tenant, &lines).await;
    let id = "ev%22%3E%3Cb%3E";
    for page in ["", "/sales", "/no-shows", "/stock"] {
        for query in [String::new(), format!("?event={id}")] {
            let page = staff.get(&format!("{REPORTS}{page}{query}")).await;
            assert_eq!(page.status, 200);
            assert!(!page.text.contains("<img src=x") && !page.text.contains("\"><b>"), "{}", page.text);
        }
    }
    let lines = table(&staff.get(&format!("{REPORTS}/sales?event={id}&format=csv")).await.text);
    assert_eq!((lines[0]["item"].as_str(), lines[0]["event"].as_str()), ("'=cmd|' /C calc'!A0", evil));
}

async fn a_wrong_sum_is_found(world: World) {
    let producer = two_events(&world).await;
    world.import(producer.tenant, &[order("a", "ev", "tt_ev")]).await;
    assert!(world.findings().await.is_empty());
    world.raw().await.batch("UPDATE sales SET amount = amount + 1").await;
    let findings = world.findings().await;
    let says: Vec<&str> = findings.iter().map(|finding| finding.problem.as_str()).collect();
    let of_event =
        "the sums of its sales differ from those of its items by 0 units and -1, of its refunds by 0 units and 0";
    let of_item = "the sums of its sales differ from the orders by 0 units and 1, of its refunds by 0 units and 0";
    assert_eq!(says, [of_event, of_item]);
    world.raw().await.batch("DELETE FROM sales").await;
    assert_eq!(world.findings().await.len(), 2);
    world.raw().await.batch("DELETE FROM event_sales").await;
    assert_eq!(world.findings().await.len(), 2);
    world.raw().await.batch("UPDATE event_totals SET units = 0, amount = 0").await;
    assert_eq!(world.findings().await.len(), 1);
}
