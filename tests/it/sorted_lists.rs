//! Lists that staff sort by their heads: links that work without a script, and keep filters and pages.

use serde_json::json;
use taquilla_domain::{config::EVENTS_SORTED_MAX, role::BuiltInRole};

use crate::harness::{Staff, World, event, order, ticket, ticket_type, with};

both_engines![
    events_are_sorted_by_any_column,
    too_many_events_come_by_date,
    orders_and_tickets_are_turned_around_page_by_page,
    a_team_is_sorted,
];

const PAGE: &str = "/dashboard/p/pr_a";

/// What the rows of a page begin with, from its tables' first column.
fn rows(page: &str) -> Vec<String> {
    let heads = page.split("<th scope=\"row\"").skip(1);
    let text = |head: &str| {
        let cell = head.split_once("</th>").unwrap().0.split_once('>').unwrap().1;
        let words: Vec<&str> =
            cell.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
        words.concat().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    heads.map(text).collect()
}

/// The address that the head with this text leads to, and how the table is sorted by it.
fn head(page: &str, text: &str) -> (String, String) {
    let cell = page.split("<th scope=\"col\"").find(|cell| cell.contains(&format!("\">{text}</a></th>"))).unwrap();
    let path = cell.split_once("href=\"").unwrap().1.split_once('"').unwrap().0.replace("&#38;", "&");
    let sorted = cell.split_once("aria-sort=\"").map(|(_, rest)| rest.split_once('"').unwrap().0);
    (path, sorted.unwrap_or_default().to_owned())
}

/// The address of the next page.
fn further(page: &str) -> Option<String> {
    let pager = page.split_once("<nav class=\"pager\"")?.1.split_once("</nav>")?.0;
    Some(pager.split_once("href=\"")?.1.split_once('"')?.0.replace("&#38;", "&"))
}

async fn all_rows(staff: &Staff, first: &str) -> Vec<String> {
    let (mut all, mut next) = (Vec::new(), Some(first.to_owned()));
    while let Some(path) = next {
        let page = staff.get(&path).await.text;
        all.extend(rows(&page));
        next = further(&page);
    }
    all
}

async fn events_are_sorted_by_any_column(world: World) {
    let producer = world.producer("pr_a").await;
    let dated = |id: &str, name: &str, at: &str, more| {
        with(event(id), with(json!({"name": name, "starts_at": at, "status": "published"}), more))
    };
    let lines = [
        dated("ev_1", "Ópera", "2026-12-01T20:00:00Z", json!({"venue": "Teatro"})),
        dated("ev_2", "banda", "2026-11-20T20:00:00Z", json!({"venue": "Arena", "status": "draft"})),
        dated("ev_3", "Zarzuela", "2026-10-01T20:00:00Z", json!({"status": "finished"})),
        with(event("ev_4"), json!({"name": "Anything", "status": "draft"})),
        ticket_type("tt_1", "ev_1"),
        ticket_type("tt_3", "ev_3"),
        order("or_1", "ev_1", "tt_1"),
        order("or_3", "ev_3", "tt_3"),
        order("or_4", "ev_3", "tt_3"),
        ticket("11111111111111111111", "ev_1", "tt_1"),
        ticket("22222222222222222222", "ev_3", "tt_3"),
        ticket("33333333333333333333", "ev_3", "tt_3"),
    ];
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let events = format!("{PAGE}/events");
    let usual = ana.get(&events).await.text;
    assert_eq!(rows(&usual), ["banda", "Ópera", "Anything", "Zarzuela"]);
    assert!(!usual.contains("aria-sort"), "what comes first, comes first: {usual}");
    for (column, first, expected, turned) in [
        ("Name", "ascending", ["Anything", "banda", "Ópera", "Zarzuela"], ["Zarzuela", "Ópera", "banda", "Anything"]),
        (
            "Begins",
            "descending",
            ["Ópera", "banda", "Zarzuela", "Anything"],
            ["Zarzuela", "banda", "Ópera", "Anything"],
        ),
        ("Place", "ascending", ["banda", "Ópera", "Anything", "Zarzuela"], ["Ópera", "banda", "Anything", "Zarzuela"]),
        ("Sold", "descending", ["Zarzuela", "Ópera", "banda", "Anything"], ["banda", "Anything", "Ópera", "Zarzuela"]),
        (
            "Revenue, net of refunds",
            "descending",
            ["Zarzuela", "Ópera", "banda", "Anything"],
            ["banda", "Anything", "Ópera", "Zarzuela"],
        ),
    ] {
        let (path, now) = head(&usual, column);
        assert_eq!(now, "", "{column}");
        let page = ana.get(&path).await.text;
        assert_eq!(
            (rows(&page), head(&page, column).1.as_str()),
            (expected.map(str::to_owned).to_vec(), first),
            "{column}"
        );
        let page = ana.get(&head(&page, column).0).await.text;
        assert_eq!(rows(&page), turned, "{column}");
    }
    // A filter stays when a head is followed, and a sorting when another filter is chosen.
    let drafts = ana.get(&format!("{events}?status=draft&sort=-name")).await.text;
    assert_eq!(rows(&drafts), ["banda", "Anything"]);
    assert!(drafts.contains("<input type=\"hidden\" name=\"sort\" value=\"-name\">"), "{drafts}");
    assert_eq!(rows(&ana.get(&head(&drafts, "Name").0).await.text), ["Anything", "banda"]);
    // Whoever sees no money learns nothing of it from an order.
    let door = world.staff(producer.tenant, "dora@x.example", BuiltInRole::DoorManager).await;
    let page = door.get(&format!("{events}?sort=-revenue")).await.text;
    assert!(rows(&page)[0] == "banda" && !page.contains("aria-sort"), "{page}");
    assert_eq!(rows(&ana.get(&format!("{events}?sort=nothing&from=x")).await.text)[0], "banda");
    assert!(rows(&ana.get(&format!("{events}?sort=name&from=18446744073709551615")).await.text).is_empty());
}

async fn too_many_events_come_by_date(world: World) {
    let producer = world.producer("pr_a").await;
    let numbered = |number: usize| with(event(&format!("ev_{number:03}")), json!({"name": format!("N{number:03}")}));
    let lines: Vec<_> = (0..EVENTS_SORTED_MAX).map(numbered).collect();
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let found = all_rows(&ana, &format!("{PAGE}/events?sort=-name")).await;
    let expected: Vec<String> = (0..EVENTS_SORTED_MAX).rev().map(|number| format!("N{number:03}")).collect();
    assert_eq!(found, expected, "page by page");
    world.import(producer.tenant, &[with(event("ev_z"), json!({"name": "One more"}))]).await;
    let page = ana.get(&format!("{PAGE}/events?sort=-name")).await.text;
    assert!(page.contains("There are more than 500 events") && !page.contains("aria-sort"), "{page}");
    assert_eq!(all_rows(&ana, &format!("{PAGE}/events?sort=-name")).await.len(), EVENTS_SORTED_MAX + 1);
}

async fn orders_and_tickets_are_turned_around_page_by_page(world: World) {
    let producer = world.producer("pr_a").await;
    let mut lines = vec![event("ev"), event("ev_b"), ticket_type("tt", "ev"), ticket_type("tt_b", "ev_b")];
    for number in 0..120 {
        let (of, item) = if number % 12 == 0 { ("ev_b", "tt_b") } else { ("ev", "tt") };
        let at = json!({"created_at": format!("2026-10-{:02}T{:02}:00:00Z", 1 + number / 24, number % 24)});
        let buyer = json!({"buyer": {"name": format!("B{number:03}"), "email": ""}});
        lines.push(with(order(&format!("or_{number:03}"), of, item), with(at, buyer)));
        let issued = json!({"issued_at": format!("2026-10-{:02}T{:02}:00:00Z", 1 + number / 24, number % 24),
                            "attendee": {"name": format!("A{number:03}")}});
        let entered = match number % 12 {
            5 => json!({"status": "scanned", "checked_in_at": "2026-10-20T20:00:00Z"}),
            _ => json!({}),
        };
        lines.push(with(ticket(&format!("{number:032}"), of, item), with(issued, entered)));
    }
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    for (list, column, name) in [("orders", "Placed", 'B'), ("tickets", "Issued", 'A')] {
        let page = ana.get(&format!("{PAGE}/{list}")).await.text;
        let (path, now) = head(&page, column);
        assert_eq!(now, "descending", "{list}");
        let numbers = |rows: Vec<String>| -> Vec<usize> {
            rows.iter().map(|row| row.split(name).nth(1).unwrap()[..3].parse().unwrap()).collect()
        };
        assert_eq!(numbers(all_rows(&ana, &format!("{PAGE}/{list}")).await), (0..120).rev().collect::<Vec<_>>());
        assert_eq!(numbers(all_rows(&ana, &path).await), (0..120).collect::<Vec<_>>(), "{list}");
        let turned = ana.get(&path).await.text;
        assert!(head(&turned, column).1 == "ascending" && turned.contains(">Newer</a>"), "{turned}");
        assert!(turned.contains("<input type=\"hidden\" name=\"sort\" value=\"when\">"), "{turned}");
        // Filters stay, those along an index and those that are tested row by row.
        for query in ["event=ev_b", "event=ev_b&status=approved,valid", "event=ev_b&type=tt_b", "type=tt_b"] {
            let status = if list == "orders" { "approved" } else { "valid" };
            let query = query.replace("approved,valid", status);
            let page = ana.get(&format!("{PAGE}/{list}?{query}")).await.text;
            let (path, _) = head(&page, column);
            let expected: Vec<usize> = (0..120).step_by(12).collect();
            assert_eq!(numbers(all_rows(&ana, &path).await), expected, "{list} {query}");
        }
        // What a search found has no other order.
        let found = ana.get(&format!("{PAGE}/{list}?q={name}007&sort=when")).await.text;
        assert!(!found.contains("class=\"sorts\""), "{found}");
    }
    // Several statuses are merged from their oldest on.
    let live = all_rows(&ana, &format!("{PAGE}/tickets?status=live&sort=when")).await;
    assert!(live.is_sorted() && live.len() == 120, "{live:?}");
}

async fn a_team_is_sorted(world: World) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    world.staff(producer.tenant, "zoe@x.example", BuiltInRole::Viewer).await;
    world.staff(producer.tenant, "mia@x.example", BuiltInRole::DoorManager).await;
    let page = ana.get(&format!("{PAGE}/team")).await.text;
    let by_role = ana.get(&head(&page, "Role").0).await.text;
    let places = ["Administrator", "Door manager", "Viewer"].map(|role| by_role.find(&format!(">{role}<")).unwrap());
    assert!(places.is_sorted() && head(&by_role, "Role").1 == "ascending", "{by_role}");
    let turned = ana.get(&head(&ana.get(&head(&page, "E-mail address").0).await.text, "E-mail address").0).await.text;
    assert_eq!(rows(&turned), ["zoe@x.example", "mia@x.example", "ana@x.example (you)"]);
}
