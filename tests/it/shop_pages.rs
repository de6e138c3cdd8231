//! The pages of a shop as buyers get them: what is coming, one event, and what it sells.

use std::time::Duration;

use serde_json::{Value, json};
use taquilla_domain::{
    role::BuiltInRole,
    status::{EventStatus, TypeStatus},
};
use taquilla_rules::{
    admin::catalogue::{EventChange, TicketTypeChange, change_event, change_ticket_type},
    boxoffice::{self, PastHolds},
};

use crate::harness::{Page, Producer, Staff, World, cart, event, place, taquilla, ticket_type, with};

both_engines![
    the_shop_lists_what_is_coming_soonest_first,
    a_long_list_goes_on_where_it_ended,
    an_event_shows_what_can_be_bought_and_why_not,
    a_hidden_item_is_there_for_who_has_its_link,
    what_was_not_published_does_not_exist,
    what_people_wrote_is_never_markup,
    staff_are_led_to_the_page,
    a_link_to_an_event_says_what_it_is,
];

/// Somebody who has never been here.
fn buyer(world: &World) -> Staff {
    Staff::new(&world.client.base)
}

fn published(id: &str, starts_at: &str) -> Value {
    let fields = json!({"name": format!("Night {id}"), "status": "published", "starts_at": starts_at});
    with(event(id), fields)
}

/// The names of events on a page of the list, in their order.
fn listed(page: &Page) -> Vec<String> {
    assert_eq!(page.status, 200, "{}", page.text);
    let names = page.text.split("<h2 class=\"sale-name\">").skip(1);
    names.map(|rest| rest.split_once("dir=\"auto\">").unwrap().1.split('<').next().unwrap().to_owned()).collect()
}

/// The part of an event's page about an item.
fn offer<'a>(page: &'a Page, name: &str) -> &'a str {
    let mut offers = page.text.split("<div class=\"offer").skip(1);
    let found = offers.find(|offer| offer.contains(&format!("dir=\"auto\">{name}</")));
    let offer = found.unwrap_or_else(|| panic!("no offer of {name} in {}", page.text));
    assert!(offer.starts_with('"') || offer.starts_with(" is-wrong\"") || offer.starts_with("-about"), "{offer}");
    offer
}

async fn the_shop_lists_what_is_coming_soonest_first(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [
        published("later", "2026-11-20T20:00:00Z"),
        published("soon", "2026-11-02T20:00:00Z"),
        with(ticket_type("tt", "soon"), json!({"price": 25})),
        with(ticket_type("tt_beer", "soon"), json!({"price": 4, "category": "merchandise"})),
        with(published("undated", ""), json!({"starts_at": null})),
        // It began an hour ago, and this festival two days ago.
        published("tonight", "2026-11-01T11:00:00Z"),
        with(published("festival", "2026-10-30T12:00:00Z"), json!({"ends_at": "2026-11-03T12:00:00Z"})),
        published("past", "2026-10-30T12:00:00Z"),
        with(published("draft", "2026-11-03T20:00:00Z"), json!({"status": "draft"})),
        with(published("cancelled", "2026-11-03T20:00:00Z"), json!({"status": "cancelled"})),
        with(published("full", "2026-11-04T01:00:00Z"), json!({"venue": "Joe's", "timezone": "America/New_York"})),
        with(ticket_type("tt_full", "full"), json!({"status": "sold_out"})),
    ];
    world.import(producer.tenant, &lines).await;
    let other = world.producer("pr_b").await;
    world.import(other.tenant, &[published("theirs", "2026-11-02T20:00:00Z")]).await;
    let page = buyer(&world).get("/shop/pr_a").await;
    let expected = ["festival", "tonight", "soon", "full", "later", "undated"].map(|id| format!("Night {id}"));
    assert_eq!(listed(&page), expected);
    for shown in [">from €25<", ">Sold out<", "href=\"/shop/pr_a/soon\"", "The date is not known yet"] {
        assert!(page.text.contains(shown), "{shown}: {}", page.text);
    }
    assert!(page.text.contains(">Tue 3 Nov, 20:00 America/New_York<"), "by the clocks there: {}", page.text);
    assert!(!page.text.contains("rel=\"next\""));
    assert_eq!(listed(&buyer(&world).get("/shop/pr_b").await), ["Night theirs"]);
    // What a link carries goes along.
    let carried = buyer(&world).get("/shop/pr_a?promoter=P%261&coupon=&other=x").await;
    assert!(carried.text.contains("href=\"/shop/pr_a/soon?promoter=P%261\""), "{}", carried.text);
    // The front page leads here.
    let front = buyer(&world).get("/").await;
    for way in ["href=\"/shop/pr_a/soon\"", "href=\"/shop/pr_a\"", "href=\"/shop/pr_b/theirs\""] {
        assert!(front.text.contains(way), "{way}");
    }
    assert!(!front.text.contains("/undated"), "it shows what begins next");
    let spanish = buyer(&world).with_header("accept-language", "es-AR, en;q=0.5").get("/shop/pr_a").await;
    assert!(spanish.text.contains("<html lang=\"es\">") && spanish.text.contains(">desde 25\u{a0}€<"));
}

async fn a_long_list_goes_on_where_it_ended(world: World) {
    let producer = world.producer("pr_a").await;
    // Many begin at the same moment, and some have no date.
    let day = |number: usize| format!("2026-11-{:02}T20:00:00Z", 2 + number / 10);
    let mut lines: Vec<Value> = (0..40).map(|number| published(&format!("d{number:02}"), &day(number))).collect();
    let undated = |number| with(published(&format!("u{number:02}"), ""), json!({"starts_at": null}));
    lines.extend((0..20).map(undated));
    world.import(producer.tenant, &lines).await;
    let ana = buyer(&world);
    let (mut path, mut seen, mut pages) = ("/shop/pr_a?promoter=p".to_owned(), Vec::new(), 0);
    loop {
        let page = ana.get(&path).await;
        let names = listed(&page);
        assert!(names.len() <= 24);
        seen.extend(names);
        pages += 1;
        if !page.text.contains("rel=\"next\"") {
            break;
        }
        assert_eq!(page.text.contains("Back to the next events"), pages > 1);
        path =
            page.between("<a class=\"button\" href=\"", "\" rel=\"next\"").replace("&amp;", "&").replace("&#38;", "&");
        assert!(path.contains("promoter=p"), "{path}");
    }
    let expected: Vec<String> =
        (0..40).map(|n| format!("Night d{n:02}")).chain((0..20).map(|n| format!("Night u{n:02}"))).collect();
    assert_eq!((seen, pages), (expected, 3));
    for odd in ["x", "1", ".", "99999999999999999999.ev", "%00", "1.%0a"] {
        let page = ana.get(&format!("/shop/pr_a?after={odd}")).await;
        assert_eq!(listed(&page)[0], "Night d00", "{odd}");
    }
}

async fn an_event_shows_what_can_be_bought_and_why_not(world: World) {
    let producer = world.producer("pr_a").await;
    let about = json!({"venue": "Sala Aurora", "description": "Doors at 20:00.\nBring a coat."});
    let lines = [
        with(published("ev", "2026-11-20T20:00:00Z"), about),
        with(ticket_type("entry", "ev"), json!({"name": "Entry", "price": 25, "max_per_order": 6, "sort_order": 1})),
        with(
            ticket_type("beer", "ev"),
            json!({"name": "Beer", "price": 4, "category": "merchandise", "sort_order": 2}),
        ),
        with(
            ticket_type("pack", "ev"),
            json!({
                "kind": "bundle", "category": "bundle", "name": "Pack", "price": 30, "sort_order": 3,
                "includes": [{"ticket_type_id": "entry", "quantity": 1}, {"ticket_type_id": "beer", "quantity": 2}],
            }),
        ),
        with(ticket_type("few", "ev"), json!({"name": "Balcony", "limit": 3, "max_per_order": 6, "sort_order": 4})),
        with(ticket_type("off", "ev"), json!({"name": "Early", "expires_at": "2026-10-01T10:00:00Z", "sort_order": 5})),
        with(
            ticket_type("soon_off", "ev"),
            json!({"name": "Advance", "expires_at": "2026-11-10T22:59:00Z", "sort_order": 6}),
        ),
        with(ticket_type("closed", "ev"), json!({"name": "Closed", "status": "sold_out", "sort_order": 7})),
        with(ticket_type("free", "ev"), json!({"name": "Talk", "price": 0, "sort_order": 8})),
        with(ticket_type("team", "ev"), json!({"name": "Crew", "status": "exclusive"})),
        with(ticket_type("inactive", "ev"), json!({"name": "Never", "status": "inactive"})),
    ];
    world.import(producer.tenant, &lines).await;
    let ana = buyer(&world);
    let page = ana.get("/shop/pr_a/ev").await;
    for shown in [
        "<h1 dir=\"auto\">Night ev</h1>",
        ">Fri 20 Nov, 21:00 Europe/Madrid<",
        "Sala Aurora",
        "Doors at 20:00.\nBring a coat.",
    ] {
        assert!(page.text.contains(shown), "{shown}: {}", page.text);
    }
    assert!(!page.text.contains("Crew") && !page.text.contains("Never"));
    let has = |name: &str, words: &[&str]| {
        let offer = offer(&page, name);
        words.iter().for_each(|words| assert!(offer.contains(words), "{name}: no {words} in {offer}"));
    };
    has("Entry", &["€25", "Up to 6 in an order."]);
    has(
        "Pack",
        &[
            "€30",
            "1 × <span dir=\"auto\">Entry</span>",
            "2 × <span dir=\"auto\">Beer</span>",
            "€3 less than one by one.",
        ],
    );
    has("Balcony", &["Few left", "Up to 3 in an order."]);
    has("Early", &["No longer on sale", "Its sale ended on", "Thu 1 Oct, 12:00"]);
    has("Advance", &["On sale until Tue 10 Nov, 23:59 Europe/Madrid."]);
    has("Closed", &["Sold out"]);
    has("Talk", &["Free"]);
    assert!(!offer(&page, "Entry").contains("Few left"));

    // Others hold the last ones, then pay for them.
    let held = place(&world, "k1", &cart("few", 3)).await.json();
    let page = ana.get("/shop/pr_a/ev").await;
    let balcony = offer(&page, "Balcony");
    assert!(
        balcony.contains("Reserved by others") && balcony.contains("Look again at 13:30 Europe/Madrid."),
        "{balcony}"
    );
    let spanish = ana.with_header("accept-language", "es").get("/shop/pr_a/ev").await;
    assert!(offer(&spanish, "Balcony").contains("Vuelve a mirar a las 13:30 Europe/Madrid."), "{}", spanish.text);
    let ana = buyer(&world);
    let held = held["order"]["id"].as_str().unwrap();
    boxoffice::approve(&world.store, producer.tenant, held, PastHolds::No, &world.by()).await.unwrap();
    assert!(offer(&ana.get("/shop/pr_a/ev").await, "Balcony").contains("Sold out"));
    world.step(Duration::from_secs(40 * 86_400));
    assert!(offer(&ana.get("/shop/pr_a/ev").await, "Advance").contains("No longer on sale"));

    for (status, words) in
        [(EventStatus::Finished, "This event is over."), (EventStatus::Cancelled, "This event is cancelled")]
    {
        let change = EventChange { status: Some(status), ..EventChange::default() };
        change_event(&world.store, producer.tenant, "ev", &change, None, &world.by()).await.unwrap();
        let page = ana.get("/shop/pr_a/ev").await;
        assert!(
            page.status == 200 && page.text.contains(words) && !page.text.contains("class=\"offer\""),
            "{}",
            page.text
        );
    }
}

async fn hide(world: &World, producer: &Producer, id: &str) -> String {
    let hidden = TicketTypeChange { status: Some(TypeStatus::Hidden), ..TicketTypeChange::default() };
    change_ticket_type(&world.store, producer.tenant, id, &hidden, None, &world.by()).await.unwrap();
    let sql = format!("SELECT access_code FROM ticket_types WHERE id = '{id}'");
    world.raw().await.rows(&sql).await[0][0].clone()
}

async fn a_hidden_item_is_there_for_who_has_its_link(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [
        published("ev", "2026-11-20T20:00:00Z"),
        with(ticket_type("secret", "ev"), json!({"name": "Guests"})),
        with(ticket_type("other", "ev"), json!({"name": "Others"})),
    ];
    world.import(producer.tenant, &lines).await;
    let (code, other) = (hide(&world, &producer, "secret").await, hide(&world, &producer, "other").await);
    let ana = buyer(&world);
    let page = ana.get(&format!("/shop/pr_a/ev?access_code={code}")).await;
    assert!(page.text.contains("Guests") && !page.text.contains("Others"), "{}", page.text);
    assert!(!page.text.contains(&other));
    for query in ["", "?access_code=wrong", "?access_code=", "?access_code=%00", "?access_code=a%0ab"] {
        let page = ana.get(&format!("/shop/pr_a/ev{query}")).await;
        assert!(page.status == 200 && !page.text.contains("Guests"), "{query}: {}", page.text);
    }
}

async fn what_was_not_published_does_not_exist(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &[with(event("ev_draft"), json!({"status": "draft"})), event("ev")]).await;
    world.producer("pr_b").await;
    let ana = buyer(&world);
    for path in [
        "/shop/pr_a/ev_draft",
        "/shop/pr_a/nothing",
        "/shop/pr_b/ev",
        "/shop/pr_none",
        "/shop/pr_none/ev",
        "/shop/orders",
        "/shop/v1",
        "/shop/pr_a/%00",
        "/shop/%ff",
        "/shop/pr_a/%ff",
        "/shop/pr_a/ev/",
    ] {
        let page = ana.get(path).await;
        assert_eq!(page.status, 404, "{path}");
        assert!(page.text.contains("This page does not exist"), "{path}: {}", page.text);
    }
    // No producer can be called like a part of these addresses.
    for reserved in ["v1", "orders"] {
        let mut create = taquilla(&world.address);
        let made = create.args(["producer", "create", "--name", "X", "--id", reserved]).output().unwrap();
        assert!(!made.status.success(), "{reserved}");
        let told = String::from_utf8_lossy(&made.stderr).into_owned();
        assert!(told.contains("v1 and orders are parts of addresses of every shop"), "{told}");
    }
}

async fn what_people_wrote_is_never_markup(world: World) {
    let producer = world.producer("pr_a").await;
    let odd = "</script><img src=x onerror=alert(1)>\"'&";
    let lines = [
        with(published("ev", "2026-11-20T20:00:00Z"), json!({"name": odd, "venue": odd, "description": odd})),
        with(ticket_type("tt", "ev"), json!({"name": odd, "description": odd})),
        with(published("ev_http", "2026-11-21T20:00:00Z"), json!({"image_url": "http://pictures.example/a.png"})),
        with(
            published("ev_https", "2026-11-22T20:00:00Z"),
            json!({"image_url": "https://pictures.example/a.png?x=\"1"}),
        ),
    ];
    world.import(producer.tenant, &lines).await;
    let ana = buyer(&world);
    for path in ["/shop/pr_a", "/shop/pr_a/ev", "/"] {
        let page = ana.get(path).await;
        assert!(!page.text.contains("<img src=x") && !page.text.contains(odd), "{path}: {}", page.text);
        assert!(page.text.contains("onerror=alert(1)"), "{path} shows it as text");
    }
    // A page over https shows no picture that came over http, and tells nobody where it was shown.
    assert!(!ana.get("/shop/pr_a/ev_http").await.text.contains("pictures.example"));
    let pictured = ana.get("/shop/pr_a/ev_https").await;
    assert!(pictured.between("src=\"https://pictures.example/", ">").contains("referrerpolicy=\"no-referrer\""));
    assert!(pictured.header("content-security-policy").contains("img-src 'self' data: https:;"));
}

async fn staff_are_led_to_the_page(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [published("ev", "2026-11-20T20:00:00Z"), with(event("ev_draft"), json!({"status": "draft"}))];
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let page = ana.get("/dashboard/p/pr_a/events/ev").await;
    assert!(page.text.contains("<a href=\"/shop/pr_a/ev\">"), "{}", page.text);
    assert!(!ana.get("/dashboard/p/pr_a/events/ev_draft").await.text.contains("/shop/pr_a/"));
}

/// The value of a property that other programs read.
fn property<'a>(page: &'a Page, name: &str) -> &'a str {
    page.between(&format!("<meta property=\"{name}\" content=\""), "\"")
}

async fn a_link_to_an_event_says_what_it_is(world: World) {
    let producer = world.producer("pr_a").await;
    let odd = "</script><b>\u{2028}\"&";
    let about = json!({
        "name": odd, "venue": "Sala Aurora", "description": "Long.\n".repeat(100), "image_url": "https://pictures.example/a.png",
        "ends_at": "2026-11-21T02:00:00Z",
    });
    let lines = [
        with(published("ev", "2026-11-20T20:00:00Z"), about),
        with(ticket_type("tt", "ev"), json!({"name": odd, "sort_order": 1})),
        with(ticket_type("gone", "ev"), json!({"name": "Gone", "status": "sold_out", "sort_order": 2})),
        with(ticket_type("few", "ev"), json!({"name": "Few", "price": 0, "limit": 2, "sort_order": 3})),
        with(ticket_type("over", "ev"), json!({"name": "Over", "expires_at": "2026-10-01T10:00:00Z", "sort_order": 4})),
        with(ticket_type("secret", "ev"), json!({"name": "Secret", "sort_order": 5})),
    ];
    world.import(producer.tenant, &lines).await;
    let code = hide(&world, &producer, "secret").await;
    let ana = buyer(&world);
    let address = format!("{}/shop/pr_a/ev", world.client.base);
    for query in [String::new(), format!("?access_code={code}"), "?promoter=p&quantity_tt=2".to_owned()] {
        let page = ana.get(&format!("/shop/pr_a/ev{query}")).await;
        assert!(page.text.contains(&format!("<link rel=\"canonical\" href=\"{address}\">")), "{}", page.text);
        assert_eq!(property(&page, "og:url"), address);
        assert_eq!(property(&page, "og:title"), "&#60;/script&#62;&#60;b&#62;\u{2028}&#34;&#38;");
        assert_eq!(property(&page, "og:image"), "https://pictures.example/a.png");
        let described = property(&page, "og:description");
        assert!(
            described.starts_with("Fri 20 Nov, 21:00 Europe/Madrid · Sala Aurora · Long. Long.")
                && described.ends_with('…'),
            "{described}"
        );
        assert_eq!(page.text.contains("content=\"noindex\""), query.contains("access_code"), "{query}");
        assert_eq!(page.text.matches("<script").count(), 1);
        let event: Value =
            serde_json::from_str(page.between("<script type=\"application/ld+json\">", "</script>")).unwrap();
        assert_eq!((&event["@type"], &event["name"]), (&json!("Event"), &json!(odd)));
        assert_eq!(event["startDate"], "2026-11-20T20:00:00.000000Z");
        assert_eq!(event["location"]["name"], "Sala Aurora");
        let offers: Vec<(&Value, &Value, &Value)> = event["offers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|offer| (&offer["name"], &offer["price"], &offer["availability"]))
            .collect();
        let of = |availability: &str| json!(format!("https://schema.org/{availability}"));
        assert_eq!(
            offers,
            [
                (&json!(odd), &json!(25), &of("InStock")),
                (&json!("Gone"), &json!(25), &of("SoldOut")),
                (&json!("Few"), &json!(0), &of("LimitedAvailability")),
            ]
        );
    }
    let page = ana.get("/shop/pr_a").await;
    assert_eq!(property(&page, "og:url"), format!("{}/shop/pr_a", world.client.base));
    assert!(!page.text.contains("noindex"));
    let cancelled = EventChange { status: Some(EventStatus::Cancelled), ..EventChange::default() };
    change_event(&world.store, producer.tenant, "ev", &cancelled, None, &world.by()).await.unwrap();
    assert!(ana.get("/shop/pr_a/ev").await.text.contains("https://schema.org/EventCancelled"));
}
