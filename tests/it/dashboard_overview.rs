//! The overview: tonight and what comes, what waits for a person, the sales of the last days; and payments to deal with.

use std::time::Duration;

use serde_json::{Value, json};
use taquilla_domain::{
    clock::Stamp,
    config::{ATTENTION_MAX, ENDS_SOON, HOLD, INVITATION_ENDS_SOON, INVITATION_LASTS, PAYMENTS_PAGE, PENDING_LONG},
    email::Email,
    key::Permission,
    role::{BuiltInRole, Right, Rights},
    status::Category,
};
use taquilla_rules::{
    admin::{self, staff::team::Host},
    boxoffice,
};

use crate::harness::{Producer, Staff, World, cart, event, order, pay, place, ticket, ticket_type, with};

both_engines![
    tonight_and_the_next_events_show_kept_counts,
    what_waits_is_shown_to_whom_may_deal_with_it,
    an_invitation_waits_for_nobody_before_its_last_day,
    what_is_more_than_can_be_counted_says_so,
    sales_of_the_last_days_are_those_of_the_orders,
    money_that_pays_for_nothing_is_marked_as_paid_back,
    payments_to_deal_with_come_page_by_page,
    what_others_wrote_is_masked_and_never_obeyed,
];

const PAGE: &str = "/dashboard/p/pr_a";

fn at(world: &World, hours: i64) -> String {
    Stamp::from_micros(world.now().micros() + hours * 3_600_000_000).to_string()
}

/// An event that begins in so many hours and lasts six.
fn night(world: &World, id: &str, begins: i64, status: &str) -> Value {
    let times = json!({"status": status, "starts_at": at(world, begins), "ends_at": at(world, begins + 6)});
    with(event(id), times)
}

async fn ana(world: &World, producer: &Producer) -> Staff {
    world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await
}

/// The numbers in a card of an event.
fn figures(page: &str, event: &str) -> Vec<String> {
    let card = page.split("<article").find(|card| card.contains(&format!("/events/{event}\""))).unwrap_or_default();
    let card = card.split("</article").next().unwrap_or_default();
    card.split("<b>").skip(1).map(|rest| rest.split("</b>").next().unwrap().to_owned()).collect()
}

async fn tonight_and_the_next_events_show_kept_counts(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![
        night(&world, "ev_tonight", -2, "published"),
        night(&world, "ev_next", 72, "published"),
        night(&world, "ev_over", -9, "published"),
        night(&world, "ev_draft", 3, "draft"),
        night(&world, "ev_off", 4, "cancelled"),
        with(ticket_type("tt", "ev_tonight"), json!({"limit": 10})),
        with(ticket_type("beer", "ev_tonight"), json!({"category": "merchandise"})),
        ticket_type("tt_next", "ev_next"),
    ];
    for number in 0..5 {
        let id = format!("T{number}");
        lines.push(with(order(&format!("or_{number}"), "ev_tonight", "tt"), json!({})));
        lines.push(with(ticket(&id, "ev_tonight", "tt"), json!({"order_id": format!("or_{number}")})));
    }
    lines.push(ticket("B1", "ev_tonight", "beer"));
    world.import(producer.tenant, &lines).await;
    for id in ["T0", "T1", "B1"] {
        boxoffice::scan(&world.store, producer.tenant, id, "Gate", world.now()).await.unwrap();
    }
    boxoffice::cancel(&world.store, producer.tenant, "T4", world.now()).await.unwrap();
    let ana = ana(&world, &producer).await;
    let page = ana.get(PAGE).await;
    assert_eq!(page.status, 200);
    // Two of four people are inside, the beer is nobody; four entrances and a beer are sold, and five entrances were paid.
    assert_eq!(figures(&page.text, "ev_tonight"), ["2 / 4", "4", "1", "€125"], "{}", page.text);
    assert_eq!(figures(&page.text, "ev_next"), ["0 / 0", "0", "€0"]);
    let (tonight, next) = page.text.split_once("id=\"next\"").unwrap();
    assert!(tonight.contains("/events/ev_tonight\"") && next.contains("/events/ev_next\""));
    for gone in ["ev_over", "ev_draft", "ev_off"] {
        assert!(!page.text.contains(gone), "{gone}");
    }
    assert!(page.text.contains(&format!("{PAGE}/door/ev_tonight\"")));
    // Its time is that of its place: 10:00 UTC is 11:00 in Madrid in November.
    assert!(page.text.contains("<time datetime=\"2026-11-01T10:00:00Z\">Sun 1 Nov, 11:00</time>"), "{}", page.text);
    assert_eq!(world.findings().await, []);
    // Without the right to see the door nobody is told how many have entered, and without that to see events nothing.
    let (sells, none) = (rights(&[Right::SeeEvents]), rights(&[Right::SeeHistory]));
    let seller = with_rights(&world, &producer, "sol@x.example", sells).await;
    assert_eq!(figures(&seller.get(PAGE).await.text, "ev_tonight"), ["4", "1"]);
    let stranger = with_rights(&world, &producer, "nil@x.example", none).await;
    let page = stranger.get(PAGE).await.text;
    assert!(
        !page.contains("ev_tonight") && !page.contains("id=\"waiting\"") && !page.contains("id=\"sales\""),
        "{page}"
    );
}

fn rights(of: &[Right]) -> Rights {
    of.iter().copied().collect()
}

/// Somebody whose role allows this and nothing else.
async fn with_rights(world: &World, producer: &Producer, email: &str, rights: Rights) -> Staff {
    let name = taquilla_domain::text::Name::parse(email).unwrap();
    let made =
        admin::staff::roles::create(&world.store, producer.tenant, &name, rights, Rights::all(), &world.by()).await;
    let role = made.unwrap();
    world.user(producer.tenant, email, &role).await;
    let staff = Staff::new(&world.client.base);
    staff.sign_in(email).await;
    staff
}

/// What waits: numbers and addresses.
fn waiting(page: &str) -> Vec<(String, String)> {
    let list = page.split("class=\"waiting\"").nth(1).unwrap_or_default().split("</ul>").next().unwrap();
    let items = list.split("<li>").skip(1).map(|item| {
        let path = item.split("href=\"").nth(1).unwrap().split('"').next().unwrap();
        let count = item.split("class=\"badge").nth(1).unwrap().split('>').nth(1).unwrap().split('<').next().unwrap();
        (count.to_owned(), path.replace("&amp;", "&").replace("&#38;", "&").replace(PAGE, ""))
    });
    items.collect()
}

async fn what_waits_is_shown_to_whom_may_deal_with_it(world: World) {
    let producer = world.producer("pr_a").await;
    let tenant = producer.tenant;
    world
        .import(tenant, &[night(&world, "ev", 120, "published"), with(ticket_type("tt", "ev"), json!({"limit": 50}))])
        .await;
    let ana = ana(&world, &producer).await;
    let page = ana.get(PAGE).await;
    assert!(page.text.contains("Nothing waits for you.") && waiting(&page.text).is_empty(), "{}", page.text);
    // An order that waits for long, a hold that is about to end, and money that is not enough.
    let secret = world.connect_processor(&producer).await;
    assert_eq!(place(&world, "old", &cart("tt", 1)).await.status, 201);
    world.step(PENDING_LONG + Duration::from_secs(1));
    let placed = place(&world, "held", &cart("tt", 3)).await.json();
    let notice = json!({"payment_id": "pay_1", "reference": placed["reference"], "status": "paid", "amount": 1, "currency": "EUR"});
    pay(&world, &notice, &secret, 0).await;
    // Things that end within a week, and later, and that have ended.
    let soon = Some(world.now().plus(ENDS_SOON / 2));
    let late = Some(world.now().plus(ENDS_SOON * 2));
    for ends in [soon, late, None] {
        world.key(tenant, &[Permission::EventsRead], ends).await;
        let new = World::new_door("ev", &[Category::Ticket]);
        world.door_link(tenant, taquilla_domain::door_link::NewDoorLink { expires_at: ends, ..new }).await;
    }
    let (_, revoked) = world.key(tenant, &[Permission::EventsRead], soon).await;
    world.revoke_key(tenant, &revoked.id).await;
    let of = |page: &str, path: &str| waiting(page).into_iter().find(|(_, at)| at == path).map(|(count, _)| count);
    // Her session ended by itself meanwhile.
    ana.sign_in("ana@x.example").await;
    let page = ana.get(PAGE).await.text;
    let (orders, holds) = ("/orders?status=pending", "/orders?event=ev&status=pending");
    for (path, count) in [("/payments/open", "1"), (orders, "1"), ("/keys", "1"), ("/door/ev/links", "1")] {
        assert_eq!(of(&page, path).as_deref(), Some(count), "{path} in {:?}", waiting(&page));
    }
    assert_eq!(of(&page, holds), None, "a hold that has just begun is no reason to look");
    world.step(HOLD - Duration::from_secs(120));
    assert_eq!(of(&ana.get(PAGE).await.text, holds).as_deref(), Some("3"));
    world.step(Duration::from_secs(600));
    assert_eq!(of(&ana.get(PAGE).await.text, holds), None, "it has ended");
    // Each is for whoever may deal with it.
    for (right, path) in [
        (Right::SeePayments, "/payments/open"),
        (Right::SeeOrders, orders),
        (Right::SeeKeys, "/keys"),
        (Right::ManageDoor, "/door/ev/links"),
    ] {
        let only = with_rights(&world, &producer, &format!("{}@x.example", right.as_str()), rights(&[right])).await;
        let told: Vec<String> = waiting(&only.get(PAGE).await.text).into_iter().map(|(_, path)| path).collect();
        assert_eq!(told, [path], "{right:?}");
    }
    // What belongs to others waits for others.
    let other = world.producer("pr_b").await;
    let bea = world.staff(other.tenant, "bea@x.example", BuiltInRole::Administrator).await;
    assert!(waiting(&bea.get("/dashboard/p/pr_b").await.text).is_empty());
}

async fn an_invitation_waits_for_nobody_before_its_last_day(world: World) {
    let producer = world.producer("pr_a").await;
    let (email, host) = (Email::parse("eva@x.example").unwrap(), Host { user_id: "", rights: Rights::all() });
    admin::staff::team::invite(&world.store, producer.tenant, &email, "viewer", host, &world.by()).await.unwrap();
    let only = with_rights(&world, &producer, "sol@x.example", rights(&[Right::SeeTeam])).await;
    assert!(waiting(&only.get(PAGE).await.text).is_empty(), "it was just made");
    world.step(INVITATION_LASTS - INVITATION_ENDS_SOON - Duration::from_secs(1));
    only.sign_in("sol@x.example").await;
    assert!(waiting(&only.get(PAGE).await.text).is_empty());
    world.step(Duration::from_secs(1));
    let page = only.get(PAGE).await.text;
    assert_eq!(waiting(&page), [("1".to_owned(), "/team".to_owned())]);
    assert!(page.contains("invitation ends within a day"), "{page}");
    let other = with_rights(&world, &producer, "nil@x.example", rights(&[Right::SeeKeys])).await;
    assert!(waiting(&other.get(PAGE).await.text).is_empty(), "it waits for those who see the team");
}

async fn what_is_more_than_can_be_counted_says_so(world: World) {
    let producer = world.producer("pr_a").await;
    let lines: Vec<Value> = (0..ATTENTION_MAX + 50)
        .map(|number| {
            let fields = json!({"status": "pending", "created_at": "2026-01-01T00:00:00Z"});
            with(order(&format!("or_{number}"), "ev", "tt"), fields)
        })
        .collect();
    world.import(producer.tenant, &[vec![event("ev"), ticket_type("tt", "ev")], lines].concat()).await;
    let page = ana(&world, &producer).await.get(PAGE).await;
    let expected = (format!("{ATTENTION_MAX}+"), "/orders?status=pending".to_owned());
    assert_eq!(waiting(&page.text), [expected], "{}", page.text);
}

async fn sales_of_the_last_days_are_those_of_the_orders(world: World) {
    let producer = world.producer("pr_a").await;
    let tenant = producer.tenant;
    // The clock says noon of 1 November 2026, UTC.
    let sold_at = |id: &str, quantity: i64, at: &str| {
        let items = json!([{"ticket_type_id": "tt", "quantity": quantity, "unit_price": 25}]);
        with(order(id, "ev", "tt"), json!({"items": items, "created_at": at}))
    };
    let lines = [
        with(event("ev"), json!({"timezone": "UTC"})),
        ticket_type("tt", "ev"),
        sold_at("or_1", 2, "2026-10-31T23:59:59Z"),
        sold_at("or_2", 3, "2026-11-01T00:00:00Z"),
        sold_at("or_3", 4, "2026-10-19T10:00:00Z"),
        sold_at("or_4", 5, "2026-10-18T23:00:00Z"),
    ];
    world.import(tenant, &lines).await;
    let ana = ana(&world, &producer).await;
    let by_day = |page: &str| -> Vec<(String, i64)> {
        let rows = page.split("data-x=\"").skip(1).map(|row| {
            let date = row.split("datetime=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
            (date, row.split("data-y=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap())
        });
        rows.collect()
    };
    let days = by_day(&ana.get(PAGE).await.text);
    assert_eq!(days.len(), 14);
    let sold: Vec<_> = days.iter().filter(|(_, units)| *units > 0).map(|(day, units)| (day.as_str(), *units)).collect();
    assert_eq!(sold, [("2026-10-19", 4), ("2026-10-31", 2), ("2026-11-01", 3)]);
    assert!(ana.get(PAGE).await.text.contains("<time datetime=\"2026-10-31\">Sat 31 Oct</time>"));
    // The same sales in another time zone of their event: the last second of October is a morning of November there.
    world.move_event(tenant, "ev", "Asia/Tokyo").await;
    let days = by_day(&ana.get(PAGE).await.text);
    let sold: Vec<_> = days.iter().filter(|(_, units)| *units > 0).map(|(day, units)| (day.as_str(), *units)).collect();
    assert_eq!(sold, [("2026-10-19", 9), ("2026-11-01", 5)], "{days:?}");
    assert!(ana.get(PAGE).await.text.contains("/reports/sales?from=2026-10-19&#38;to=2026-11-01"));
    assert!(world.findings().await.is_empty());
    // Noon of 1 November, UTC, is 2 November on the far side of the date line. What is sold there counts today, too.
    world.move_event(tenant, "ev", "Pacific/Kiritimati").await;
    world.import(tenant, &[sold_at("or_5", 6, "2026-11-01T12:00:00Z")]).await;
    let days = by_day(&ana.get(PAGE).await.text);
    assert_eq!(days.last(), Some(&("2026-11-02".to_owned(), 6)), "{days:?}");
    let report = ana.get(&format!("{PAGE}/reports/sales")).await.text;
    assert!(report.contains("to=2026-11-02&#38;format=csv"), "{report}");
    assert!(world.findings().await.is_empty());
}

async fn money_that_pays_for_nothing_is_marked_as_paid_back(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    let secret = world.connect_processor(&producer).await;
    let ana = ana(&world, &producer).await;
    let (open, mark) = (format!("{PAGE}/payments/open"), format!("{PAGE}/payments/paid-back"));
    let one = format!("{PAGE}/payments/one");
    assert!(ana.get(&open).await.text.contains("No payment waits"));
    let placed = place(&world, "one", &cart("tt", 1)).await.json();
    let order_id = placed["order"]["id"].as_str().unwrap().to_owned();
    let reference = placed["reference"].as_str().unwrap().to_owned();
    let notice = |id: &str, reference: &str, amount: i64| json!({"payment_id": id, "reference": reference, "status": "paid", "amount": amount, "currency": "EUR"});
    pay(&world, &notice("pay_little", &reference, 5), &secret, 0).await;
    pay(&world, &notice("pay_nobody", "no-such-order", 70), &secret, 0).await;
    let list = ana.get(&open).await.text;
    for part in ["pay_little", ">€5<", "The amount or the currency", "pay_nobody", ">€70<", "no-such-order"] {
        assert!(list.contains(part), "{part} is in {list}");
    }
    assert!(list.contains(&format!("{PAGE}/orders/{order_id}\"")) && !list.contains(&reference), "{list}");
    // Without a note nothing is marked.
    let wrong = ana.post(&mark, &[("payment", "pay_little"), ("note", " ")]).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text.contains("Write a few words") && wrong.text.contains("aria-invalid"), "{}", wrong.text);
    assert!(ana.get(&format!("{one}?payment=pay_little")).await.text.contains(">€5<"));
    let fields = [("payment", "pay_little"), ("note", "Sent back by card")];
    assert_eq!(ana.post(&mark, &fields).await.leads_to(), format!("{open}?done=paid-back"));
    let list = ana.get(&format!("{open}?done=paid-back")).await.text;
    assert!(!list.contains("pay_little") && list.contains("pay_nobody") && list.contains("is marked as paid back"));
    // It is in the history, with who did it but without the note, which may name somebody. The payment has that.
    let noted =
        world.raw().await.rows("SELECT actor, subject, details FROM audit WHERE action = 'payment.paid_back'").await;
    assert_eq!(noted, [["ana@x.example", "pay_little", "{}"]]);
    let notes = world.raw().await.rows("SELECT note FROM payments WHERE id = 'pay_little'").await;
    assert_eq!(notes, [["Sent back by card"]]);
    assert_eq!(ana.get(&format!("{one}?payment=pay_little")).await.status, 404);
    assert_eq!(ana.get(&format!("{one}?payment=none")).await.status, 404);
    assert_eq!(ana.post(&mark, &[("payment", "none"), ("note", "x")]).await.status, 404);
    // A payment that pays for its order meanwhile is not marked.
    let all = notice("pay_all", &reference, 25);
    assert_eq!(pay(&world, &all, &secret, 0).await.status, 200);
    let settled = ana.post(&mark, &[("payment", "pay_all"), ("note", "x")]).await;
    assert_eq!(settled.leads_to(), format!("{open}?done=payment-settled"));
    assert_eq!(world.findings().await, []);
}

async fn payments_to_deal_with_come_page_by_page(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[event("ev")]).await;
    let secret = world.connect_processor(&producer).await;
    let all = PAYMENTS_PAGE + 7;
    for number in 0..all {
        if number % 3 == 0 {
            world.step(Duration::from_secs(1));
        }
        let notice = json!({"payment_id": format!("p/{number}&x"), "reference": "none", "status": "paid", "amount": 1, "currency": "EUR"});
        pay(&world, &notice, &secret, 0).await;
    }
    let ana = ana(&world, &producer).await;
    let (mut path, mut seen) = (format!("{PAGE}/payments/open"), Vec::new());
    loop {
        let page = ana.get(&path).await.text;
        seen.extend(
            page.split("data-label=\"Payment\"><code class=\"id\">")
                .skip(1)
                .map(|rest| rest.split('<').next().unwrap().to_owned()),
        );
        match page.split("href=\"/dashboard/p/pr_a/payments/open?after=").nth(1) {
            Some(rest) => path = format!("{PAGE}/payments/open?after={}", rest.split('"').next().unwrap()),
            None => break,
        }
    }
    let mut once = seen.clone();
    once.sort();
    once.dedup();
    assert_eq!((seen.len(), once.len()), (all, all), "each is there once");
    for nonsense in ["x", "1", "-", "99999999999999999999-a", "1-%00"] {
        assert_eq!(ana.get(&format!("{PAGE}/payments/open?after={nonsense}")).await.status, 200, "{nonsense}");
    }
}

async fn what_others_wrote_is_masked_and_never_obeyed(world: World) {
    let producer = world.producer("pr_a").await;
    let evil = "<img src=x onerror=alert(1)>";
    let lines = [with(night(&world, "ev<x>", 2, "published"), json!({"name": evil})), ticket_type("tt", "ev<x>")];
    world.import(producer.tenant, &lines).await;
    let secret = world.connect_processor(&producer).await;
    let notice =
        json!({"payment_id": evil, "reference": "Zoe Private 600", "status": "paid", "amount": 1, "currency": evil});
    pay(&world, &notice, &secret, 0).await;
    let ana = ana(&world, &producer).await;
    for path in [PAGE.to_owned(), format!("{PAGE}/payments/open")] {
        let page = ana.get(&path).await.text;
        assert!(page.contains("onerror=alert(1)") && !page.contains("<img src=x"), "{page}");
    }
    assert!(ana.get(&format!("{PAGE}/payments/open")).await.text.contains("Zoe Private 600"));
    let only = with_rights(&world, &producer, "pay@x.example", rights(&[Right::SeePayments])).await;
    let page = only.get(&format!("{PAGE}/payments/open")).await.text;
    assert!(page.contains("•••") && !page.contains("Zoe Private"), "{page}");
}
