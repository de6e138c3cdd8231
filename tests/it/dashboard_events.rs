//! Events and what they sell, in the dashboard: made, changed by one and by two at once, ended, copied.

use serde_json::{Value, json};
use taquilla_domain::{count::Count, role::BuiltInRole};
use taquilla_rules::admin::catalogue::{TicketTypeChange, change_ticket_type};

use crate::harness::{
    Page, Producer, Staff, World, cart, event, order, place, taquilla, ticket, ticket_type, with, without_shop_limits,
};

both_engines![
    an_event_is_made_published_finished_and_cancelled,
    what_an_event_sells_is_made_and_changed,
    a_bundle_is_put_together,
    mistakes_are_said_beside_the_field_and_change_nothing,
    times_are_those_of_the_place,
    the_second_person_is_told_and_overwrites_nothing,
    two_people_at_the_same_moment_on_two_servers,
    items_change_places_whatever_their_numbers,
    an_item_is_deleted_and_brought_back,
    a_hidden_item_has_a_link_for_who_may_change_events,
    an_event_is_copied_without_its_sales,
    a_limit_respects_what_is_sold_and_held,
    every_change_is_in_the_history,
    what_people_write_is_shown_and_never_obeyed,
    what_belongs_to_others_is_not_found,
    the_list_has_pages_and_filters,
    the_command_line_writes_the_same_history,
];

const BASE: &str = "/dashboard/p/pr_a/events";

async fn begin(world: &World) -> (Producer, Staff) {
    let producer = world.producer("pr_a").await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    (producer, ana)
}

/// The fields of a form as a browser would send them: the values of its inputs, and what is checked.
fn fields(page: &Page) -> Vec<(String, String)> {
    let form = page.between("<form class=\"card stack\"", "</form>");
    let mut fields = Vec::new();
    for part in form.split('<').filter(|part| part.starts_with("input") || part.starts_with("textarea")) {
        let value_of = |name: &str| {
            let (_, rest) = part.split_once(&format!(" {name}=\""))?;
            rest.split_once('"').map(|(value, _)| unescaped(value))
        };
        let Some(name) = value_of("name") else { continue };
        if (part.contains("type=\"radio\"") || part.contains("type=\"checkbox\"")) && !part.contains(" checked") {
            continue;
        }
        let value = match part.starts_with("textarea") {
            true => unescaped(part.split_once(">\n").map_or("", |(_, value)| value)),
            false => value_of("value").unwrap_or_default(),
        };
        fields.push((name, value));
    }
    fields
}

fn unescaped(text: &str) -> String {
    text.replace("&#34;", "\"").replace("&#39;", "'").replace("&#60;", "<").replace("&#62;", ">").replace("&#38;", "&")
}

/// Opens a form, changes some of its fields, and sends it.
async fn fill(staff: &Staff, page: &str, action: &str, changes: &[(&str, &str)]) -> Page {
    let form = staff.get(page).await;
    assert_eq!(form.status, 200, "{}", form.text);
    send(staff, action, fields(&form), changes).await
}

async fn send(staff: &Staff, action: &str, mut fields: Vec<(String, String)>, changes: &[(&str, &str)]) -> Page {
    fields.retain(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
    fields.extend(changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    staff.post(action, &fields).await
}

/// Makes an event with the form, and gives the address of its page.
async fn make_event(staff: &Staff, changes: &[(&str, &str)]) -> String {
    let made = fill(staff, &format!("{BASE}/new"), BASE, changes).await;
    made.leads_to().strip_suffix("?done=event-made").unwrap().to_owned()
}

/// Makes an item with the form, and gives the address of its page.
async fn make_item(staff: &Staff, event: &str, changes: &[(&str, &str)]) -> String {
    let made = fill(staff, &format!("{event}/items/new"), &format!("{event}/items"), changes).await;
    made.leads_to().strip_suffix("?done=item-made").unwrap().to_owned()
}

async fn change(staff: &Staff, page: &str, changes: &[(&str, &str)]) -> Page {
    fill(staff, &format!("{page}/change"), &format!("{page}/change"), changes).await
}

fn id_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

async fn shown(world: &World, producer: &Producer, event: &str) -> Value {
    world.client.get(&format!("/api/v1/events/{}", id_of(event)), &producer.key).await.json()
}

async fn items(world: &World, producer: &Producer, event: &str) -> Vec<Value> {
    world.client.get(&format!("/api/v1/events/{}/ticket-types", id_of(event)), &producer.key).await.data()
}

fn names(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["name"].as_str().unwrap()).collect()
}

/// Presses one of the buttons on an event's page that change its status.
async fn press(staff: &Staff, event: &str, button: &str) -> Page {
    let page = staff.get(event).await;
    let page = if button == "publish" { page } else { staff.get(&format!("{event}/{button}")).await };
    let stamp = page.between("name=\"updated_at\" value=\"", "\"").to_owned();
    staff.post(&format!("{event}/{button}"), &[("updated_at", &stamp), ("sure", "yes")]).await
}

async fn an_event_is_made_published_finished_and_cancelled(world: World) {
    let (producer, ana) = begin(&world).await;
    assert!(ana.get(BASE).await.text.contains("No events yet"));
    let event = make_event(
        &ana,
        &[
            ("name", " Verbena "),
            ("venue", "Plaza Mayor"),
            ("time_zone", "europe/madrid"),
            ("starts_at", "2026-12-05T21:00"),
            ("ends_at", "2026-12-06T02:00"),
            ("description", "Two\r\nlines"),
            ("image_url", "https://example.com/a.jpg"),
            ("currency", "eur"),
        ],
    )
    .await;
    let made = shown(&world, &producer, &event).await;
    for (field, value) in [
        ("name", "Verbena"),
        ("venue", "Plaza Mayor"),
        ("timezone", "Europe/Madrid"),
        ("starts_at", "2026-12-05T20:00:00.000000Z"),
        ("ends_at", "2026-12-06T01:00:00.000000Z"),
        ("description", "Two\nlines"),
        ("image_url", "https://example.com/a.jpg"),
        ("currency", "EUR"),
        ("status", "draft"),
    ] {
        assert_eq!(made[field], value, "{field}");
    }
    let page = ana.get(&event).await;
    assert!(
        page.text.contains(">Sat 5 Dec, 21:00<") && page.text.contains("Nobody outside your team"),
        "{}",
        page.text
    );
    // Sending a form as it was changes nothing, and leaves no trace.
    let except = [("sessions", "seen_at"), ("api_keys", "last_used_at"), ("clocks", "clock"), ("clocks", "last_seq")];
    let before = world.contents(&except).await;
    assert!(change(&ana, &event, &[]).await.leads_to().ends_with("?done=event-changed"));
    assert_eq!(world.contents(&except).await, before);
    // What can be empty can be emptied.
    let empty = [("venue", ""), ("description", ""), ("image_url", " "), ("starts_at", ""), ("ends_at", "")];
    change(&ana, &event, &empty).await.leads_to();
    let emptied = shown(&world, &producer, &event).await;
    assert!(empty.iter().all(|(field, _)| emptied[*field].is_null()), "{emptied}");
    for (button, status, text) in [
        ("publish", "published", "The event is on sale."),
        ("finish", "finished", "The event is over."),
        ("publish", "published", "The event is on sale."),
        ("cancel", "cancelled", "The event is cancelled."),
    ] {
        let done = press(&ana, &event, button).await;
        assert_eq!(shown(&world, &producer, &event).await["status"], status);
        assert!(ana.get(done.leads_to()).await.text.contains(text));
    }
    assert!(ana.get(&event).await.text.contains(&format!("{event}/refund")), "an editor may refund");
    let vic = world.staff(producer.tenant, "vic@x.example", BuiltInRole::Viewer).await;
    let page = vic.get(&event).await;
    assert!(!page.text.contains("/refund") && !page.text.contains("/change") && !page.text.contains("/publish"));
    assert_eq!(world.findings().await, []);
}

async fn what_an_event_sells_is_made_and_changed(world: World) {
    let (producer, ana) = begin(&world).await;
    let event = make_event(&ana, &[("name", "Verbena"), ("time_zone", "Europe/Madrid")]).await;
    assert!(ana.get(&event).await.text.contains("Nothing to sell yet"));
    let item = make_item(
        &ana,
        &event,
        &[
            ("name", "General"),
            ("price", "25"),
            ("limit", "100"),
            ("max_per_order", "4"),
            ("description", "Standing"),
            ("image_url", "https://example.com/g.png"),
            ("expires_at", "2026-12-05T20:00"),
        ],
    )
    .await;
    let beer = make_item(&ana, &event, &[("name", "Beer"), ("price", "0"), ("category", "merchandise")]).await;
    let made = items(&world, &producer, &event).await;
    assert_eq!(names(&made), ["General", "Beer"], "a new one is the last");
    for (field, value) in [
        ("price", json!(25)),
        ("currency", json!("EUR")),
        ("limit", json!(100)),
        ("max_per_order", json!(4)),
        ("description", json!("Standing")),
        ("image_url", json!("https://example.com/g.png")),
        ("expires_at", json!("2026-12-05T19:00:00.000000Z")),
        ("status", json!("active")),
        ("category", json!("ticket")),
        ("sort_order", json!(1)),
    ] {
        assert_eq!(made[0][field], value, "{field}");
    }
    assert_eq!((&made[1]["category"], &made[1]["limit"]), (&json!("merchandise"), &Value::Null));
    for status in ["hidden", "exclusive", "sold_out", "inactive", "active"] {
        let changes = [("status", status), ("price", "30"), ("description", ""), ("limit", ""), ("expires_at", "")];
        assert!(change(&ana, &item, &changes).await.leads_to().ends_with("?done=item-changed"));
        assert_eq!(items(&world, &producer, &event).await[0]["status"], status);
        assert_eq!(ana.get(&item).await.status, 200, "{status}");
    }
    let changed = &items(&world, &producer, &event).await[0];
    assert_eq!(changed["price"], 30);
    assert!(["description", "limit", "expires_at"].iter().all(|field| changed[*field].is_null()), "{changed}");
    assert_eq!(ana.get(&format!("{event}/items/no-such")).await.status, 404);
    let other = make_event(&ana, &[("name", "Other")]).await;
    for path in ["", "/change"] {
        let elsewhere = format!("{other}/items/{}{path}", id_of(&beer));
        assert_eq!(ana.get(&elsewhere).await.status, 404, "an item is found at its event only");
    }
    for button in ["delete", "restore", "move"] {
        let elsewhere = format!("{other}/items/{}/{button}", id_of(&beer));
        assert_eq!(ana.post(&elsewhere, &[("direction", "up")]).await.status, 404, "{button}");
    }
    assert_eq!(world.findings().await, []);
}

async fn a_bundle_is_put_together(world: World) {
    let (producer, ana) = begin(&world).await;
    let event = make_event(&ana, &[("name", "Verbena")]).await;
    let new = format!("{event}/items/new?kind=bundle");
    assert!(ana.get(&new).await.text.contains("There is nothing to put together yet"));
    for name in ["General", "Beer", "Poster"] {
        make_item(&ana, &event, &[("name", name), ("price", "5")]).await;
    }
    // Whoever sets a limit learns what it does not count, on both sides.
    let item = ana.get(&format!("{event}/items/new")).await;
    assert!(item.text.contains("A bundle that includes it does not count"), "{}", item.text);
    let page = ana.get(&new).await;
    assert!(page.text.contains("What they include is sold past its own limits"), "{}", page.text);
    let mut form = fields(&page);
    form.retain(|(name, _)| !["name", "price"].contains(&name.as_str()));
    let told = [("name".to_owned(), "Night out".to_owned()), ("price".to_owned(), "12".to_owned())];
    for (quantities, status) in
        [(["", "", ""], 422), (["1", "x", ""], 422), (["1", "-2", ""], 422), (["1", "2", ""], 303)]
    {
        let mut next = quantities.iter();
        let mut form: Vec<(String, String)> = form.iter().chain(&told).cloned().collect();
        for (name, value) in &mut form {
            if name == "include_quantity" {
                *value = (*next.next().unwrap()).to_owned();
            }
        }
        let made = send(&ana, &format!("{event}/items"), form, &[]).await;
        assert_eq!(made.status, status, "{quantities:?}");
        if status == 422 {
            assert!(made.text.contains("value=\"Night out\"") && made.text.contains("id=\"includes\""));
        }
    }
    let made = items(&world, &producer, &event).await;
    assert_eq!(names(&made), ["General", "Beer", "Poster", "Night out"]);
    let includes: Vec<(&str, i64)> = made[3]["includes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| (part["name"].as_str().unwrap(), part["quantity"].as_i64().unwrap()))
        .collect();
    assert_eq!(includes, [("General", 1), ("Beer", 2)]);
    let page = ana.get(&event).await;
    assert!(page.text.contains("2 × <span dir=\"auto\">Beer"), "{}", page.text);
}

async fn mistakes_are_said_beside_the_field_and_change_nothing(world: World) {
    let (_, ana) = begin(&world).await;
    let event = make_event(&ana, &[("name", "Verbena")]).await;
    let item = make_item(&ana, &event, &[("name", "General"), ("price", "25")]).await;
    let before = world.contents(&[("sessions", "seen_at")]).await;
    let long = "x".repeat(10_001);
    let event_mistakes = [
        ("name", ""),
        ("name", "a\nb"),
        ("venue", "a\u{202e}b"),
        ("description", long.as_str()),
        ("image_url", "poster.jpg"),
        ("image_url", "data:image/png;base64,x"),
        ("time_zone", "Europe/Madird"),
        ("time_zone", ""),
        ("starts_at", "tomorrow"),
        ("ends_at", "2026-02-30T10:00"),
    ];
    let item_mistakes = [
        ("name", " "),
        ("price", "1.5"),
        ("price", "-1"),
        ("price", ""),
        ("price", "1000000000001"),
        ("status", "no-such"),
        ("limit", "many"),
        ("max_per_order", "0"),
        ("max_per_order", ""),
        ("expires_at", "noon"),
        ("sort_order", ""),
        ("sort_order", "9999999999"),
        ("image_url", "ftp://example.com/x"),
    ];
    let forms = [
        (format!("{BASE}/new"), BASE.to_owned(), "Verbena", event_mistakes.as_slice()),
        (format!("{event}/change"), format!("{event}/change"), "Verbena", &event_mistakes),
        (format!("{event}/items/new"), format!("{event}/items"), "General", &item_mistakes),
        (format!("{item}/change"), format!("{item}/change"), "General", &item_mistakes),
    ];
    for (page, action, name, mistakes) in &forms {
        for (field, value) in *mistakes {
            let mut changes = vec![("name", *name), ("price", "25")];
            changes.retain(|(name, _)| name != field);
            changes.push((field, value));
            let wrong = fill(&ana, page, action, &changes).await;
            assert_eq!(wrong.status, 422, "{action} {field} {value}");
            assert!(wrong.text.contains("Something needs correcting"), "{action} {field}");
            assert!(wrong.text.contains(&format!("<a href=\"#{field}\">")), "{action} {field} {value}: {}", wrong.text);
            if *field != "name" {
                assert!(wrong.text.contains(&format!("value=\"{name}\"")), "what was written is still there");
            }
        }
    }
    let order = [("name", "Verbena"), ("starts_at", "2026-12-05T21:00"), ("ends_at", "2026-12-05T20:59")];
    let wrong = change(&ana, &event, &order).await;
    assert!(wrong.status == 422 && wrong.text.contains("The end is before the start."));
    assert_eq!(ana.post(BASE, &[]).await.status, 422);
    let spanish = ana.at(&world.client.base);
    spanish.set_cookie("taquilla-language", "es");
    assert!(change(&spanish, &event, &order).await.text.contains("El final es anterior al comienzo."));
    assert_eq!(world.contents(&[("sessions", "seen_at")]).await, before, "nothing was changed");
}

async fn times_are_those_of_the_place(world: World) {
    let (producer, ana) = begin(&world).await;
    let zone = [("name", "Verbena"), ("time_zone", "Europe/Madrid")];
    let new = async |at: &[(&str, &str)]| fill(&ana, &format!("{BASE}/new"), BASE, &[&zone, at].concat()).await;
    let skipped = new(&[("starts_at", "2027-03-28T02:30")]).await;
    assert!(skipped.status == 422 && skipped.text.contains("does not exist in Europe/Madrid"), "{}", skipped.text);
    let twice = new(&[("starts_at", "2027-10-31T02:30")]).await;
    assert!(twice.status == 422 && twice.text.contains("comes twice in Europe/Madrid"), "{}", twice.text);
    assert!(twice.text.contains("name=\"starts_at_which\" value=\"second\""), "it asks which");
    for (which, stamp) in [("first", "2027-10-31T00:30:00.000000Z"), ("second", "2027-10-31T01:30:00.000000Z")] {
        let made = send(&ana, BASE, fields(&twice), &[("starts_at_which", which)]).await;
        let event = made.leads_to().split('?').next().unwrap().to_owned();
        assert_eq!(shown(&world, &producer, &event).await["starts_at"], stamp);
        // A form that is sent as it was does not move it by an hour.
        change(&ana, &event, &[("venue", "Plaza")]).await.leads_to();
        assert_eq!(shown(&world, &producer, &event).await["starts_at"], stamp);
    }
    // Other clocks, the same time of day: that is another moment.
    let event = make_event(&ana, &[&zone[..], &[("starts_at", "2026-12-05T21:00")]].concat()).await;
    change(&ana, &event, &[("time_zone", "America/New_York")]).await.leads_to();
    assert_eq!(shown(&world, &producer, &event).await["starts_at"], "2026-12-06T02:00:00.000000Z");
    // The producer's zone is proposed, and any there is can be chosen.
    let page = ana.get(&format!("{BASE}/new")).await;
    assert!(page.text.contains("list=\"zones\" value=\"UTC\""));
    for zone in ["Europe/Madrid", "America/Argentina/Buenos_Aires", "Asia/Kathmandu"] {
        assert!(page.text.contains(&format!("<option value=\"{zone}\">")), "{zone}");
    }
}

async fn the_second_person_is_told_and_overwrites_nothing(world: World) {
    let (producer, ana) = begin(&world).await;
    let bea = world.staff(producer.tenant, "bea@x.example", BuiltInRole::Editor).await;
    let event = make_event(&ana, &[("name", "Verbena"), ("venue", "Plaza")]).await;
    let item = make_item(&ana, &event, &[("name", "General"), ("price", "25")]).await;
    // Both open the form; Bea is quicker.
    let open = fields(&ana.get(&format!("{event}/change")).await);
    change(&bea, &event, &[("venue", "Teatro <b>"), ("description", "New")]).await.leads_to();
    let told = send(&ana, &format!("{event}/change"), open, &[("name", "Verbena grande")]).await;
    assert_eq!(told.status, 409);
    assert!(told.text.contains("Somebody else changed this while you had the form open"));
    assert!(told.text.contains("id=\"venue-meanwhile\"") && told.text.contains("Teatro &#60;b&#62;"), "{}", told.text);
    assert!(told.text.contains("id=\"description-meanwhile\"") && told.text.contains("id=\"name-meanwhile\""));
    assert!(!told.text.contains("id=\"image_url-meanwhile\""), "what does not differ is not mentioned");
    assert!(told.text.contains("value=\"Verbena grande\""), "what she wrote is still there");
    let saved = shown(&world, &producer, &event).await;
    assert_eq!((&saved["name"], &saved["venue"]), (&json!("Verbena"), &json!("Teatro <b>")));
    // Once she has seen it, sending it again is her decision.
    let again = fields(&told);
    send(&ana, &format!("{event}/change"), again.clone(), &[("venue", "Teatro")]).await.leads_to();
    let saved = shown(&world, &producer, &event).await;
    assert_eq!((&saved["name"], &saved["venue"]), (&json!("Verbena grande"), &json!("Teatro")));
    assert_eq!(send(&ana, &format!("{event}/change"), again, &[]).await.status, 409, "that one is old, too");
    // The same for an item.
    let open = fields(&ana.get(&format!("{item}/change")).await);
    change(&bea, &item, &[("price", "30"), ("status", "hidden")]).await.leads_to();
    let told = send(&ana, &format!("{item}/change"), open, &[("limit", "10")]).await;
    assert!(
        told.status == 409
            && told.text.contains("id=\"price-meanwhile\"><span>Saved now:</span> <b dir=\"auto\">30</b>")
    );
    assert!(told.text.contains("<span>Saved now:</span> <b>hidden</b>"), "{}", told.text);
    let saved = &items(&world, &producer, &event).await[0];
    assert_eq!((&saved["price"], &saved["status"], &saved["limit"]), (&json!(30), &json!("hidden"), &Value::Null));
    // A sale is no change: it does not get in the way of a form.
    let open = fields(&ana.get(&format!("{item}/change")).await);
    world.import(producer.tenant, &[ticket("T1", id_of(&event), id_of(&item))]).await;
    send(&ana, &format!("{item}/change"), open, &[("price", "31")]).await.leads_to();
    // A button that somebody presses on an old page does nothing either.
    let stale = ana.get(&event).await.between("name=\"updated_at\" value=\"", "\"").to_owned();
    press(&bea, &event, "cancel").await.leads_to();
    let told = ana.post(&format!("{event}/publish"), &[("updated_at", &stale)]).await;
    assert!(told.status == 409 && told.text.contains("Somebody else changed it meanwhile"), "{}", told.text);
    assert_eq!(shown(&world, &producer, &event).await["status"], "cancelled");
    for stamp in ["", "x", "99999999999999999999"] {
        assert_eq!(ana.post(&format!("{event}/publish"), &[("updated_at", stamp)]).await.status, 409, "{stamp}");
    }
}

async fn two_people_at_the_same_moment_on_two_servers(world: World) {
    let (producer, ana) = begin(&world).await;
    let event = make_event(&ana, &[("name", "Verbena")]).await;
    let item = make_item(&ana, &event, &[("name", "General"), ("price", "25")]).await;
    let [(_first, here), (_second, there)] = world.two_servers().await;
    let bea = world.staff(producer.tenant, "bea@x.example", BuiltInRole::Editor).await;
    let (ana, bea) = (ana.at(&here.base), bea.at(&there.base));
    for round in 0..10 {
        for path in [format!("{event}/change"), format!("{item}/change")] {
            let open = fields(&ana.get(&path).await);
            let (anas, beas) = (format!("Ana {round}"), format!("Bea {round}"));
            let (ana_writes, bea_writes) = ([("name", anas.as_str())], [("name", beas.as_str())]);
            let (one, other) =
                tokio::join!(send(&ana, &path, open.clone(), &ana_writes), send(&bea, &path, open, &bea_writes));
            let mut statuses = [one.status.as_u16(), other.status.as_u16()];
            statuses.sort_unstable();
            assert_eq!(statuses, [303, 409], "{path}: one is taken, the other one is told");
            let kept = if one.status == 303 { &anas } else { &beas };
            let saved = match path.contains("/items/") {
                true => items(&world, &producer, &event).await[0]["name"].clone(),
                false => shown(&world, &producer, &event).await["name"].clone(),
            };
            assert_eq!(saved, **kept);
        }
    }
    // Each change that was taken is in the history once.
    let noted =
        world.raw().await.rows("SELECT id FROM audit WHERE action IN ('event.changed', 'ticket_type.changed')").await;
    assert_eq!(noted.len(), 20);
}

async fn items_change_places_whatever_their_numbers(world: World) {
    let (producer, ana) = begin(&world).await;
    let lines = ["a", "b", "c", "d"].map(|id| with(ticket_type(id, "ev"), json!({"name": id, "sort_order": 0})));
    world.import(producer.tenant, &[vec![event("ev")], lines.to_vec()].concat()).await;
    let page = format!("{BASE}/ev");
    let order = async || {
        let items = items(&world, &producer, "ev").await;
        names(&items).join("")
    };
    let first = ana.get(&page).await;
    assert!(
        first.text.contains("Move b up") && !first.text.contains("Move a up") && !first.text.contains("Move d down")
    );
    for (id, direction, expected) in [
        ("c", "up", "acbd"),
        ("c", "up", "cabd"),
        ("c", "up", "cabd"),
        ("a", "down", "cbad"),
        ("d", "down", "cbad"),
        ("d", "up", "cbda"),
    ] {
        let moved = ana.post(&format!("{page}/items/{id}/move"), &[("direction", direction)]).await;
        assert_eq!(moved.leads_to(), format!("{page}?done=item-moved#items"));
        assert_eq!(order().await, expected, "{id} {direction}");
    }
    // A deleted one is not in the way, and comes back without harm.
    ana.post(&format!("{page}/items/b/delete"), &[]).await.leads_to();
    ana.post(&format!("{page}/items/d/move"), &[("direction", "up")]).await.leads_to();
    assert_eq!(order().await, "dca");
    assert_eq!(ana.post(&format!("{page}/items/b/move"), &[("direction", "up")]).await.status, 404);
    ana.post(&format!("{page}/items/b/restore"), &[]).await.leads_to();
    assert_eq!(order().await.len(), 4);
}

async fn an_item_is_deleted_and_brought_back(world: World) {
    let (producer, ana) = begin(&world).await;
    world.import(producer.tenant, &[event("ev"), ticket_type("tt", "ev"), ticket("T1", "ev", "tt")]).await;
    let item = format!("{BASE}/ev/items/tt");
    assert!(ana.post(&format!("{item}/delete"), &[]).await.leads_to().ends_with("?done=item-deleted#deleted"));
    assert!(items(&world, &producer, "ev").await.is_empty());
    let page = ana.get(&format!("{BASE}/ev")).await;
    assert!(page.text.contains("id=\"deleted\"") && page.text.contains("Bring back"), "{}", page.text);
    assert!(ana.get(&item).await.text.contains("It is off sale"));
    assert!(ana.post(&format!("{item}/restore"), &[]).await.leads_to().ends_with("?done=item-restored"));
    let back = &items(&world, &producer, "ev").await[0];
    assert_eq!((&back["id"], &back["sold"]), (&json!("tt"), &json!(1)));
    assert_eq!(world.findings().await, []);
}

async fn a_hidden_item_has_a_link_for_who_may_change_events(world: World) {
    let (producer, ana) = begin(&world).await;
    world.import(producer.tenant, &[with(event("ev"), json!({"status": "published"})), ticket_type("tt", "ev")]).await;
    let item = format!("{BASE}/ev/items/tt");
    assert!(!ana.get(&item).await.text.contains("access_code="));
    change(&ana, &item, &[("status", "hidden")]).await.leads_to();
    let link = ana.get(&item).await.between("<code id=\"access-link\">", "</code>").to_owned();
    let shop = link.strip_prefix(&world.client.base).unwrap();
    let sale =
        async |path: &str| Staff::new(&world.client.base).get(path).await.text.matches("class=\"offer\"").count();
    assert_eq!(sale(shop).await, 1, "{shop}");
    assert_eq!(sale(shop.split('?').next().unwrap()).await, 0, "the shop does not list it");
    // Whoever may not change events does not see the code, nor does the history.
    let code = shop.split_once("access_code=").unwrap().1;
    let vic = world.staff(producer.tenant, "vic@x.example", BuiltInRole::Viewer).await;
    for path in [&item, &format!("{BASE}/ev"), BASE] {
        let page = vic.get(path).await;
        assert!(page.status == 200 && !page.text.contains(code), "{path}");
    }
    let audit = world.raw().await.rows("SELECT details FROM audit").await;
    assert!(!audit.iter().any(|row| row[0].contains(code)));
    // Switched back and hidden again, the link that was handed out still works.
    change(&ana, &item, &[("status", "active")]).await.leads_to();
    assert!(!ana.get(&item).await.text.contains(code));
    change(&ana, &item, &[("status", "hidden")]).await.leads_to();
    assert_eq!(sale(shop).await, 1);
}

async fn an_event_is_copied_without_its_sales(world: World) {
    let (producer, ana) = begin(&world).await;
    let hidden = json!({"status": "hidden", "limit": 10, "expires_at": "2026-07-01T10:00:00Z", "sort_order": 2, "description": "x"});
    let lines = [
        with(
            event("ev"),
            json!({"status": "published", "venue": "Plaza", "starts_at": "2026-07-01T19:00:00Z", "ends_at": "2026-07-02T01:00:00Z"}),
        ),
        with(ticket_type("tt", "ev"), hidden),
        with(ticket_type("tt_beer", "ev"), json!({"category": "merchandise", "deleted": true})),
        with(ticket_type("tt_gone", "ev"), json!({"deleted": true})),
        with(
            ticket_type("bu", "ev"),
            json!({"kind": "bundle", "includes": [{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "tt_beer", "quantity": 2}]}),
        ),
        order("or", "ev", "tt"),
        ticket("T1", "ev", "tt"),
    ];
    world.import(producer.tenant, &lines).await;
    let page = format!("{BASE}/ev/duplicate");
    assert!(ana.get(&page).await.text.contains("value=\"Event ev\""));
    let copied = fill(&ana, &page, &page, &[("name", "In winter"), ("starts_at", "2026-12-05T20:00")]).await;
    let copy = copied.leads_to().strip_suffix("?done=event-copied").unwrap().to_owned();
    let made = shown(&world, &producer, &copy).await;
    for (field, value) in [
        ("name", "In winter"),
        ("status", "draft"),
        ("venue", "Plaza"),
        ("timezone", "Europe/Madrid"),
        ("currency", "EUR"),
        ("starts_at", "2026-12-05T19:00:00.000000Z"),
        // By the clocks there it ends six hours later, as before.
        ("ends_at", "2026-12-06T01:00:00.000000Z"),
    ] {
        assert_eq!(made[field], value, "{field}");
    }
    let sold = items(&world, &producer, &copy).await;
    assert_eq!(names(&sold), ["Type bu", "Type tt"], "what is deleted is not copied, but for what a bundle includes");
    assert_eq!((&sold[1]["sold"], &sold[1]["limit"], &sold[1]["status"]), (&json!(0), &json!(10), &json!("hidden")));
    assert_eq!(
        sold[1]["expires_at"], "2026-12-05T10:00:00.000000Z",
        "noon there in summer, eleven hours before; so still"
    );
    let parts = sold[0]["includes"].as_array().unwrap();
    assert_eq!((parts.len(), &parts[0]["ticket_type_id"]), (2, &sold[1]["id"]));
    let codes = world.raw().await.rows("SELECT DISTINCT access_code FROM ticket_types WHERE status = 'hidden'").await;
    assert_eq!(codes.len(), 2, "each has a code of its own");
    assert_eq!(shown(&world, &producer, "ev").await["status"], "published", "the first one stays");
    // Without a start nothing has a time; and a mistake is said beside its field.
    let copied = fill(&ana, &page, &page, &[("name", "Some day"), ("starts_at", "")]).await;
    let copy = copied.leads_to().split('?').next().unwrap().to_owned();
    let copy = shown(&world, &producer, &copy).await;
    assert!(copy["starts_at"].is_null() && copy["ends_at"].is_null());
    let wrong = fill(&ana, &page, &page, &[("name", ""), ("starts_at", "soon")]).await;
    assert!(wrong.status == 422 && wrong.text.contains("href=\"#name\"") && wrong.text.contains("href=\"#starts_at\""));
    assert_eq!(world.findings().await, []);
}

async fn a_limit_respects_what_is_sold_and_held(world: World) {
    let (producer, ana) = begin(&world).await;
    let world = world.reopened(without_shop_limits(), Default::default()).await;
    let ana = ana.at(&world.client.base);
    world
        .import(
            producer.tenant,
            &[
                with(event("ev"), json!({"status": "published"})),
                with(ticket_type("tt", "ev"), json!({"limit": 10})),
                ticket("T1", "ev", "tt"),
                ticket("T2", "ev", "tt"),
            ],
        )
        .await;
    let item = format!("{BASE}/ev/items/tt");
    assert_eq!(place(&world, "one", &cart("tt", 3)).await.status, 201);
    let figures = |page: &Page| {
        let grid = page.between("<div class=\"grid\">", "</div>\n</div>");
        // What is sold is a link.
        let figure =
            |part: &str| part.split("</b>").next().unwrap().replace("</a>", "").rsplit('>').next().unwrap().to_owned();
        grid.split("<b>").skip(1).map(figure).collect::<Vec<_>>()
    };
    assert_eq!(figures(&ana.get(&item).await), ["10", "2", "3", "5"], "limit, sold, held, free");
    let below = change(&ana, &item, &[("limit", "1")]).await;
    assert!(below.status == 422 && below.text.contains("2 are sold already"), "{}", below.text);
    let held = change(&ana, &item, &[("limit", "4")]).await;
    assert!(held.status == 422 && held.text.contains("Unpaid orders hold more"), "{}", held.text);
    assert!(held.text.contains("name=\"past_holds\""));
    send(&ana, &format!("{item}/change"), fields(&held), &[("past_holds", "yes")]).await.leads_to();
    assert_eq!(figures(&ana.get(&item).await), ["4", "2", "3", "0"]);
    let more = TicketTypeChange { limit: Some(Some(Count::parse("20").unwrap())), ..Default::default() };
    change_ticket_type(&world.store, producer.tenant, "tt", &more, None, &world.by()).await.unwrap();
    assert_eq!(figures(&ana.get(&item).await), ["20", "2", "3", "15"]);
    assert_eq!(world.findings().await, []);
}

async fn every_change_is_in_the_history(world: World) {
    let (producer, ana) = begin(&world).await;
    let event = make_event(&ana, &[("name", "Verbena"), ("venue", "Plaza")]).await;
    change(&ana, &event, &[("venue", ""), ("name", "Feria")]).await.leads_to();
    press(&ana, &event, "publish").await.leads_to();
    let item = make_item(&ana, &event, &[("name", "General"), ("price", "25")]).await;
    change(&ana, &item, &[("price", "30"), ("limit", "5")]).await.leads_to();
    make_item(&ana, &event, &[("name", "Beer"), ("price", "3")]).await;
    ana.post(&format!("{item}/move"), &[("direction", "down")]).await.leads_to();
    ana.post(&format!("{item}/delete"), &[]).await.leads_to();
    ana.post(&format!("{item}/restore"), &[]).await.leads_to();
    let copy = format!("{event}/duplicate");
    fill(&ana, &copy, &copy, &[("name", "Again")]).await.leads_to();
    let sql = "SELECT action, subject, details, actor FROM audit WHERE action LIKE 'event.%' OR action LIKE 'ticket_type.%' ORDER BY id";
    let rows = world.raw().await.rows(sql).await;
    assert!(rows.iter().all(|row| row[3] == "ana@x.example"), "{rows:?}");
    let (event, item) = (id_of(&event), id_of(&item));
    let mut noted: Vec<(&str, &str, Value)> =
        rows.iter().map(|row| (row[0].as_str(), row[1].as_str(), serde_json::from_str(&row[2]).unwrap())).collect();
    noted.retain(|(_, subject, _)| [event, item].contains(subject));
    // The clock of the test stands still, so entries of one moment have no order.
    for expected in [
        ("event.created", event, json!({"name": "Verbena"})),
        ("event.changed", event, json!({"name": "Feria", "venue": "none"})),
        ("event.changed", event, json!({"status": "published"})),
        ("ticket_type.created", item, json!({"name": "General"})),
        ("ticket_type.changed", item, json!({"price": "30", "limit": "5"})),
        ("ticket_type.changed", item, json!({"sort_order": "2"})),
        ("ticket_type.changed", item, json!({"deleted": "yes"})),
        ("ticket_type.changed", item, json!({"deleted": "no"})),
    ] {
        assert!(noted.contains(&expected), "{expected:?} in {noted:?}");
    }
    assert_eq!(noted.len(), 8);
    let copies = rows.iter().filter(|row| row[2].contains(&format!("\"copy_of\":\"{event}\""))).count();
    assert_eq!(copies, 3, "the draft and its two items");
    let zoe = world.staff(producer.tenant, "zoe@x.example", BuiltInRole::Administrator).await;
    assert!(zoe.get(&format!("/dashboard/p/pr_a/history?subject={item}")).await.text.contains("General"));
}

/// Texts that would run, break out of an attribute, or end a tag, if a page obeyed them.
const EVIL: [&str; 4] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</title></textarea><svg/onload=alert(1)>",
];

async fn what_people_write_is_shown_and_never_obeyed(world: World) {
    let (producer, ana) = begin(&world).await;
    for (number, evil) in EVIL.iter().enumerate() {
        // Ids are imported as they are, too.
        let (event_id, item_id) = (format!("ev{number}{evil}"), format!("tt{number}{evil}"));
        let told = json!({"name": evil, "venue": evil, "description": evil, "image_url": evil});
        let item =
            with(ticket_type(&item_id, &event_id), json!({"name": evil, "description": evil, "image_url": evil}));
        let bundle = json!({"kind": "bundle", "name": evil, "includes": [{"ticket_type_id": item_id, "quantity": 1}]});
        world
            .import(
                producer.tenant,
                &[
                    with(event(&event_id), told),
                    item,
                    with(ticket_type(&format!("bu{number}"), &event_id), bundle),
                    with(ticket_type(&format!("gone{number}"), &event_id), json!({"name": evil, "deleted": true})),
                ],
            )
            .await;
        let list = ana.get(BASE).await;
        let event_path =
            unescaped(list.between("<tbody>", "</tbody>").split("href=\"").nth(1).unwrap().split('"').next().unwrap());
        let page = ana.get(&event_path).await;
        let item =
            unescaped(page.between("<tbody>", "</tbody>").split("href=\"").nth(2).unwrap().split('"').next().unwrap());
        let mut pages = vec![list, page];
        for path in ["/change", "/finish", "/cancel", "/duplicate", "/items/new", "/items/new?kind=bundle"] {
            pages.push(ana.get(&format!("{event_path}{path}")).await);
        }
        pages.push(ana.get(&item).await);
        pages.push(ana.get(&format!("{item}/change")).await);
        // Forms with mistakes, and what somebody else has saved.
        let evil_fields =
            ["name", "venue", "description", "image_url", "time_zone", "starts_at", "price", "limit", "status"];
        let evil_fields: Vec<(&str, &str)> = evil_fields.iter().map(|field| (*field, *evil)).collect();
        pages.push(ana.post(&format!("{item}/change"), &evil_fields).await);
        pages.push(ana.post(BASE, &evil_fields).await);
        let fine = [("name", "x"), ("price", "1"), ("max_per_order", "1"), ("sort_order", "1"), ("status", "active")];
        pages.push(ana.post(&format!("{item}/change"), &fine).await);
        assert_eq!(pages.last().unwrap().status, 409);
        for page in &pages {
            assert!([200, 409, 422].contains(&page.status.as_u16()), "{} {}", page.status, page.text);
            for tag in ["<script>alert", "<img src=x", "' onmouseover", "<svg/onload"] {
                assert!(!page.text.contains(tag), "{tag} in {}", page.text);
            }
        }
    }
}

async fn what_belongs_to_others_is_not_found(world: World) {
    let (_, ana) = begin(&world).await;
    let other = world.producer("pr_b").await;
    world.import(other.tenant, &[event("ev"), ticket_type("tt", "ev")]).await;
    let own = make_event(&ana, &[("name", "Own")]).await;
    let before = world.contents(&[("sessions", "seen_at")]).await;
    let item = format!("{BASE}/ev/items/tt");
    for path in ["", "/change", "/finish", "/cancel", "/duplicate", "/items/new"] {
        assert_eq!(ana.get(&format!("{BASE}/ev{path}")).await.status, 404, "{path}");
    }
    for path in [&item, &format!("{item}/change"), &format!("{own}/items/tt")] {
        assert_eq!(ana.get(path).await.status, 404, "{path}");
    }
    let stamp = world.raw().await.rows("SELECT updated_at FROM events WHERE id = 'ev'").await[0][0].clone();
    let fields = [
        ("name", "Mine"),
        ("time_zone", "UTC"),
        ("updated_at", stamp.as_str()),
        ("price", "1"),
        ("status", "active"),
        ("max_per_order", "1"),
        ("sort_order", "1"),
        ("category", "ticket"),
        ("direction", "up"),
    ];
    for path in ["/change", "/publish", "/finish", "/cancel", "/duplicate", "/items"] {
        assert_eq!(ana.post(&format!("{BASE}/ev{path}"), &fields).await.status, 404, "{path}");
    }
    for path in ["/change", "/delete", "/restore", "/move"] {
        assert_eq!(ana.post(&format!("{item}{path}"), &fields).await.status, 404, "{path}");
        assert_eq!(ana.post(&format!("{own}/items/tt{path}"), &fields).await.status, 404, "{path}");
    }
    assert_eq!(world.contents(&[("sessions", "seen_at")]).await, before, "nothing was changed");
}

async fn the_list_has_pages_and_filters(world: World) {
    let (producer, ana) = begin(&world).await;
    let lines: Vec<Value> = (0..120)
        .map(|number| {
            let status = if number % 3 == 0 { "cancelled" } else { "published" };
            with(event(&format!("ev{number:03}")), json!({"name": format!("Night {number:03}"), "status": status}))
        })
        .collect();
    world.import(producer.tenant, &lines).await;
    let walk = async |query: &str| {
        let (mut path, mut seen, mut pages) = (format!("{BASE}{query}"), Vec::new(), 0);
        loop {
            let page = ana.get(&path).await;
            assert_eq!(page.status, 200);
            seen.extend(page.text.split("dir=\"auto\">Night ").skip(1).map(|part| part[..3].to_owned()));
            pages += 1;
            let Some((_, next)) = page.text.split_once("aria-label=\"Pages\"><a class=\"button\" href=\"") else {
                return (seen, pages);
            };
            path = next.split('"').next().unwrap().replace("&#38;", "&");
        }
    };
    let (seen, pages) = walk("").await;
    let expected: Vec<String> = (0..120).map(|number| format!("{number:03}")).collect();
    assert_eq!((seen, pages), (expected, 3), "none has a date, fifty on a page");
    let (seen, pages) = walk("?status=cancelled").await;
    let expected: Vec<String> =
        (0..120).filter(|number| number % 3 == 0).map(|number| format!("{number:03}")).collect();
    assert_eq!((seen, pages), (expected, 1));
    assert!(ana.get(&format!("{BASE}?status=draft")).await.text.contains("None of these"));
    let odd =
        ["x", "coming.", "coming.1", "over.9999999999999999999.1", "undated.-1.-1", "coming.1.%00", "%00", "over.0."];
    for odd in odd.map(|place| format!("after={place}")).into_iter().chain(["status=%27".to_owned()]) {
        assert_eq!(ana.get(&format!("{BASE}?{odd}")).await.status, 200, "{odd}");
    }
}

async fn the_command_line_writes_the_same_history(world: World) {
    let (producer, _) = begin(&world).await;
    let run = |arguments: &[&str]| {
        let output = taquilla(&world.address).args(arguments).args(["--producer", "pr_a"]).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    };
    run(&["event", "create", "--id", "ev", "--name", "Verbena", "--currency", "EUR"]);
    run(&["event", "change", "ev", "--venue", "Plaza", "--starts-at", "2027-01-01T21:00:00+01:00"]);
    run(&["ticket-type", "create", "--event", "ev", "--id", "tt", "--name", "General", "--price", "25"]);
    run(&["ticket-type", "change", "tt", "--limit", "5", "--description", "x"]);
    run(&["ticket-type", "change", "tt", "--limit", "none", "--delete"]);
    let sql = "SELECT action, subject, details, origin FROM audit WHERE subject IN ('ev', 'tt') ORDER BY id";
    let rows = world.raw().await.rows(sql).await;
    let noted: Vec<(&str, Value)> =
        rows.iter().map(|row| (row[0].as_str(), serde_json::from_str(&row[2]).unwrap())).collect();
    assert_eq!(
        noted,
        [
            ("event.created", json!({"name": "Verbena"})),
            ("event.changed", json!({"venue": "Plaza", "starts_at": "2027-01-01T20:00:00.000000Z"})),
            ("ticket_type.created", json!({"name": "General"})),
            ("ticket_type.changed", json!({"limit": "5", "description": "x"})),
            ("ticket_type.changed", json!({"limit": "none", "deleted": "yes"})),
        ]
    );
    assert!(rows.iter().all(|row| row[3] == "command line"));
    assert_eq!(shown(&world, &producer, "ev").await["venue"], "Plaza");
}
