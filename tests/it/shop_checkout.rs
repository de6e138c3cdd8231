//! Buying on pages: three steps, one order whatever is sent twice, and the order's page.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use taquilla_domain::{
    config::HOLD,
    status::{EventStatus, PaymentMethod, TypeStatus},
};
use taquilla_rules::{
    admin::catalogue::{EventChange, TicketTypeChange, change_event, change_ticket_type},
    boxoffice::{self, PastHolds},
};

use crate::harness::{Page, Producer, Staff, World, cart, event, place, ticket_type, with};

both_engines![
    a_free_order_is_three_steps,
    a_paid_order_is_reserved_until_it_is_paid,
    a_form_that_is_sent_again_is_one_order,
    what_is_wrong_is_said_and_nothing_is_lost,
    what_is_gone_meanwhile_is_said_beside_it,
    a_hidden_item_is_bought_with_its_link,
    running_out_of_time_loses_nothing,
    the_page_says_what_happens_to_the_money,
    strangers_get_nothing_by_forms_and_guesses,
    an_order_of_many_tickets_has_light_pages,
];

/// A buyer's browser.
pub fn buyer(world: &World) -> Staff {
    Staff::new(&world.client.base)
}

async fn a_shop(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let about = json!({"name": "Aurora Nights", "venue": "Sala Aurora", "starts_at": "2026-11-20T20:00:00Z"});
    let lines = [
        with(event("ev"), about),
        with(ticket_type("tt", "ev"), json!({"name": "General", "limit": 6, "max_per_order": 4, "sort_order": 1})),
        with(ticket_type("talk", "ev"), json!({"name": "Talk", "price": 0, "max_per_order": 1000, "sort_order": 2})),
        with(
            ticket_type("beer", "ev"),
            json!({"name": "Beer", "price": 4, "category": "merchandise", "sort_order": 3}),
        ),
        with(
            ticket_type("pack", "ev"),
            json!({
                "kind": "bundle", "category": "bundle", "name": "Pack", "price": 27, "sort_order": 4,
                "includes": [{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "beer", "quantity": 2}],
            }),
        ),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

pub const ORDER: &str = "/shop/pr_a/ev/order";
pub const ANA: [(&str, &str); 3] = [("name", "Ana Ruiz"), ("email", "ana@example.com"), ("phone", "+34 600 000 000")];

/// The hidden fields of the form that leads there.
pub fn hidden(page: &Page, action: &str) -> Vec<(String, String)> {
    let form = page.between(&format!("action=\"{action}\""), "</form>");
    let value = |field: &str, name: &str| {
        let (_, rest) = field.split_once(&format!("{name}=\"")).unwrap();
        let text = rest.split_once('"').unwrap().0;
        [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&#38;", "&")]
            .iter()
            .fold(text.to_owned(), |text, (code, letter)| text.replace(code, letter))
    };
    let fields = form.split("<input type=\"hidden\"").skip(1);
    fields.map(|field| (value(field, "name"), value(field, "value"))).collect()
}

pub async fn post(browser: &Staff, path: &str, fields: &[(String, String)], more: &[(&str, &str)]) -> Page {
    let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let fields: Vec<(&str, &str)> = fields.chain(more.iter().copied()).collect();
    browser.post(path, &fields).await
}

/// The second step, with these items chosen.
pub async fn details(browser: &Staff, chosen: &[(&str, &str)]) -> Page {
    let fields: Vec<(String, String)> =
        chosen.iter().map(|(id, quantity)| (format!("quantity_{id}"), (*quantity).to_owned())).collect();
    let next = post(browser, "/shop/pr_a/ev", &fields, &[]).await;
    let page = browser.get(next.leads_to()).await;
    assert_eq!(page.status, 200, "{}", page.text);
    page
}

/// The fields of the third step, filled in by Ana.
async fn reviewed(browser: &Staff, chosen: &[(&str, &str)]) -> Vec<(String, String)> {
    let page = details(browser, chosen).await;
    let mut fields = hidden(&page, ORDER);
    fields.extend(chosen.iter().map(|(id, quantity)| (format!("quantity_{id}"), (*quantity).to_owned())));
    let review = post(browser, ORDER, &fields, &[&ANA[..], &[("step", "review")]].concat()).await;
    assert_eq!(review.status, 200, "{}", review.text);
    assert!(review.text.contains("aria-current=\"step\">3. Check and confirm") || review.text.contains("3. Revisar"));
    hidden(&review, ORDER)
}

/// Buys, and gives the path of the order's page.
async fn buy(browser: &Staff, chosen: &[(&str, &str)]) -> String {
    let fields = reviewed(browser, chosen).await;
    post(browser, ORDER, &fields, &[("step", "place")]).await.leads_to().to_owned()
}

async fn orders(world: &World, producer: &Producer) -> Vec<Value> {
    world.client.get("/api/v1/orders", &producer.key).await.data()
}

async fn a_free_order_is_three_steps(world: World) {
    let producer = a_shop(&world).await;
    let ana = buyer(&world);
    let first = ana.get("/shop/pr_a/ev").await;
    assert!(first.text.contains("<select id=\"item-1\" name=\"quantity_tt\">"), "{}", first.text);
    assert!(first.text.contains("type=\"number\" min=\"0\" max=\"1000\""), "many are written as a number");
    let second = details(&ana, &[("talk", "2"), ("tt", "0"), ("beer", "")]).await;
    for token in
        ["autocomplete=\"name\"", "autocomplete=\"email\"", "autocomplete=\"tel\"", "type=\"tel\"", "type=\"email\""]
    {
        assert!(second.text.contains(token), "{token}");
    }
    assert!(!second.text.contains("placeholder"), "labels are labels");
    let mut fields = hidden(&second, ORDER);
    fields.push(("quantity_talk".into(), "2".into()));
    let third = post(&ana, ORDER, &fields, &[&ANA[..], &[("step", "review")]].concat()).await;
    for shown in
        ["2 × <span dir=\"auto\">Talk</span>", "Ana Ruiz", "ana@example.com", "It costs nothing.", "Get the tickets"]
    {
        assert!(third.text.contains(shown), "{shown}: {}", third.text);
    }
    assert!(orders(&world, &producer).await.is_empty(), "nothing is bought before it is confirmed");
    let fields = hidden(&third, ORDER);
    // Everything can be changed once more.
    let back = post(&ana, ORDER, &fields, &[("step", "details")]).await;
    assert!(
        back.status == 200
            && back.text.contains("value=\"Ana Ruiz\"")
            && back.text.contains("value=\"+34 600 000 000\"")
    );
    assert!(back.text.contains("value=\"2\""), "{}", back.text);
    let path = post(&ana, ORDER, &fields, &[("step", "place")]).await.leads_to().to_owned();
    assert!(path.starts_with("/shop/orders/1-"), "{path}");
    let page = ana.get(&path).await;
    for shown in [
        "The tickets are yours",
        "nothing was charged",
        "Talk",
        "Ana Ruiz",
        "<svg",
        "name=\"robots\" content=\"noindex\"",
    ] {
        assert!(page.text.contains(shown), "{shown}: {}", page.text);
    }
    assert_eq!(page.text.matches("class=\"qr\"").count(), 2);
    let [order] = &orders(&world, &producer).await[..] else { panic!("one order") };
    assert_eq!((&order["status"], &order["channel"], &order["total"]), (&json!("approved"), &json!("shop"), &json!(0)));
    assert_eq!(order["buyer"]["phone"], "+34 600 000 000");
    let tickets = world.client.get("/api/v1/tickets", &producer.key).await.data();
    assert!(tickets.len() == 2 && tickets.iter().all(|ticket| ticket["attendee"]["name"] == "Ana Ruiz"));
    assert!(tickets.iter().all(|ticket| page.text.contains(ticket["id"].as_str().unwrap())));
    assert_eq!(world.findings().await, []);
}

async fn a_paid_order_is_reserved_until_it_is_paid(world: World) {
    let producer = a_shop(&world).await;
    let ana = buyer(&world);
    let page = ana.get(&buy(&ana, &[("tt", "2"), ("pack", "1")]).await).await;
    for shown in [
        "Reserved for you",
        "It is held until 13:30 Europe/Madrid: 30 minutes are left.",
        "Nothing has been charged yet.",
        "Pay €77 to",
    ] {
        assert!(page.text.contains(shown), "{shown}: {}", page.text);
    }
    assert!(!page.text.contains("class=\"qr\""), "no ticket before it is paid");
    let [order] = &orders(&world, &producer).await[..] else { panic!("one order") };
    let (id, reference) = (order["id"].as_str().unwrap(), order["reference"].as_str().unwrap());
    assert!(page.text.contains(&format!("Your order no. {}", order["number"].as_str().unwrap())), "{}", page.text);
    let path = format!("/shop/orders/{reference}");
    world.step(Duration::from_secs(29 * 60));
    let late = ana.get(&path).await;
    assert!(late.text.contains("It is held until 13:30 Europe/Madrid: one minute is left."), "{}", late.text);
    world.step(Duration::from_secs(30));
    assert!(ana.get(&path).await.text.contains("less than a minute is left."));
    boxoffice::approve_paid(&world.store, producer.tenant, id, PastHolds::No, Some(PaymentMethod::Cash), &world.by())
        .await
        .unwrap();
    let paid = ana.get(&path).await;
    assert!(
        paid.text.contains("€77 was paid.") && paid.text.contains("It was noted on Sun 1 Nov, 13:29 Europe/Madrid."),
        "{}",
        paid.text
    );
    assert_eq!(paid.text.matches("class=\"qr\"").count(), 5, "two entrances, and a bundle of three");
    let spanish = ana.with_header("accept-language", "es").get(&path).await;
    assert!(spanish.text.contains("Pagado") && spanish.text.contains("Se han pagado 77\u{a0}€."), "{}", spanish.text);
}

async fn a_form_that_is_sent_again_is_one_order(world: World) {
    let producer = a_shop(&world).await;
    let ana = buyer(&world);
    // It takes all there is in one order; the second sending finds nothing left, and is led to the first one's order.
    place(&world, "others", &cart("tt", 2)).await;
    let fields = reviewed(&ana, &[("tt", "4")]).await;
    let path = post(&ana, ORDER, &fields, &[("step", "place")]).await.leads_to().to_owned();
    for _ in 0..2 {
        assert_eq!(post(&ana, ORDER, &fields, &[("step", "place")]).await.leads_to(), path);
    }
    assert_eq!(orders(&world, &producer).await.len(), 2);
    // Many at once, at two servers.
    let fields = reviewed(&ana, &[("beer", "1")]).await;
    let [(_one, here), (_two, there)] = world.two_servers().await;
    let sending = (0..10).map(|number| {
        let browser = Staff::new(if number % 2 == 0 { &here.base } else { &there.base });
        let fields = fields.clone();
        tokio::spawn(async move { post(&browser, ORDER, &fields, &[("step", "place")]).await.leads_to().to_owned() })
    });
    let mut led_to = std::collections::HashSet::new();
    for sent in sending.collect::<Vec<_>>() {
        led_to.insert(sent.await.unwrap());
    }
    assert_eq!((led_to.len(), orders(&world, &producer).await.len()), (1, 3));
    // Somebody who goes back and changes the form means another order, once.
    let mut changed = fields.clone();
    changed.retain(|(name, _)| name != "quantity_beer");
    changed.push(("quantity_beer".into(), "2".into()));
    let other = post(&ana, ORDER, &changed, &[("step", "place")]).await.leads_to().to_owned();
    assert!(!led_to.contains(&other));
    assert_eq!(post(&ana, ORDER, &changed, &[("step", "place")]).await.leads_to(), other);
    assert!(led_to.contains(post(&ana, ORDER, &fields, &[("step", "place")]).await.leads_to()));
    // Two tabs have two keys.
    let (one, two) = (buy(&ana, &[("talk", "1")]).await, buy(&ana, &[("talk", "1")]).await);
    assert_ne!(one, two);
    assert_eq!((orders(&world, &producer).await.len(), world.findings().await), (6, vec![]));
}

async fn what_is_wrong_is_said_and_nothing_is_lost(world: World) {
    let producer = a_shop(&world).await;
    let ana = buyer(&world);
    // The first step.
    for (fields, anchor, message) in [
        (vec![], "items", "Choose how many you want"),
        (vec![("quantity_tt", "0"), ("quantity_beer", "")], "items", "Choose how many you want"),
        (vec![("quantity_tt", "5")], "item-1", "One order may have 4 of these at most."),
        (vec![("quantity_tt", "-1")], "item-1", "Write how many as a whole number"),
        (vec![("quantity_talk", "two")], "item-2", "Write how many as a whole number"),
        (vec![("quantity_talk", "99999999999999999999")], "item-2", "Write how many as a whole number"),
        (vec![("quantity_nothing", "1"), ("quantity_tt", "1")], "items", "is not on sale any more"),
    ] {
        let page = ana.post("/shop/pr_a/ev", &fields).await;
        assert_eq!(page.status, 422, "{fields:?}");
        assert!(page.text.contains(&format!("<a href=\"#{anchor}\">")), "{fields:?}: {}", page.text);
        assert!(
            page.text.contains(&format!("id=\"{anchor}\"")) && page.text.contains(&format!("id=\"{anchor}-error\""))
        );
        assert!(page.between("<div class=\"error-summary\"", "</div>").contains(message), "{fields:?}: {}", page.text);
    }
    let kept = ana.post("/shop/pr_a/ev", &[("quantity_tt", "3"), ("quantity_talk", "x"), ("promoter", "p1")]).await;
    assert!(kept.text.contains("<option value=\"3\" selected>") && kept.text.contains("value=\"x\""), "{}", kept.text);
    assert!(kept.text.contains("name=\"promoter\" value=\"p1\""));
    // The second.
    let page = details(&ana, &[("talk", "2")]).await;
    let mut fields = hidden(&page, ORDER);
    fields.push(("quantity_talk".into(), "2".into()));
    let long = "n".repeat(201);
    for (name, email, phone, wrong) in [
        ("", "", "", vec!["name", "email"]),
        ("  ", "ana", "", vec!["name", "email"]),
        (long.as_str(), "ana@example.com", "", vec!["name"]),
        ("Ana\u{202e}", "ana@example.com", "", vec!["name"]),
        ("Ana", "ana@", &"1".repeat(41), vec!["email", "phone"]),
    ] {
        for step in ["review", "place"] {
            let person = [("name", name), ("email", email), ("phone", phone), ("step", step)];
            let page = post(&ana, ORDER, &fields, &person).await;
            assert_eq!(page.status, 422, "{person:?}");
            for field in &wrong {
                assert!(page.text.contains(&format!("<a href=\"#{field}\">")), "{person:?}: {}", page.text);
                assert!(page.text.contains(&format!("id=\"{field}-error\"")));
            }
            assert_eq!(page.between("error-summary", "</div>").matches("<li>").count(), wrong.len(), "{person:?}");
            assert!(page.text.contains(&format!("value=\"{}\"", email.trim())) && page.text.contains("value=\"2\""));
            assert!(page.text.contains("<title>Something needs correcting"), "{}", page.text);
        }
    }
    assert!(orders(&world, &producer).await.is_empty());
    // Spaces that phones put behind an address, and a name of other letters.
    let odd = [("name", " Núñez 王 "), ("email", "ana@example.com "), ("phone", ""), ("step", "place")];
    post(&ana, ORDER, &fields, &odd).await.leads_to();
    assert_eq!(orders(&world, &producer).await[0]["buyer"]["name"], "Núñez 王");
}

async fn what_is_gone_meanwhile_is_said_beside_it(world: World) {
    let producer = a_shop(&world).await;
    let (ana, bea) = (buyer(&world), buyer(&world));
    let fields = reviewed(&ana, &[("tt", "3"), ("beer", "2")]).await;
    let others = place(&world, "others", &cart("tt", 4)).await.json();
    let page = post(&ana, ORDER, &fields, &[("step", "place")]).await;
    assert_eq!(page.status, 422);
    assert!(page.text.contains("<a href=\"#item-1\">Others have reserved"), "{}", page.text);
    assert!(
        page.text.contains("Look again at 13:30 Europe/Madrid.") && page.text.contains("value=\"Ana Ruiz\""),
        "{}",
        page.text
    );
    assert!(page.text.contains("<option value=\"2\" selected>"), "the beer stays chosen");
    // The order of the others is paid: now it is sold out.
    let id = others["order"]["id"].as_str().unwrap();
    boxoffice::approve(&world.store, producer.tenant, id, PastHolds::No, &world.by()).await.unwrap();
    let page = post(&ana, ORDER, &fields, &[("step", "place")]).await;
    assert!(page.text.contains("<a href=\"#item-1\">There is not enough left"), "{}", page.text);
    // Fewer will do, and the form says how many there are at the end.
    let many = page.between("<select id=\"item-1\"", "</select>");
    assert!(many.contains("<option value=\"2\">") && !many.contains("<option value=\"3\""), "{many}");
    let mut fewer = hidden(&page, ORDER);
    fewer.extend([("quantity_tt".to_owned(), "2".to_owned()), ("quantity_beer".to_owned(), "2".to_owned())]);
    let path = post(&ana, ORDER, &fewer, &[&ANA[..], &[("step", "place")]].concat()).await.leads_to().to_owned();
    assert!(bea.get(&path).await.text.contains("€58"));
    // The step before says it, too.
    let path = format!("{ORDER}?quantity_tt=1");
    let page = bea.get(&path).await;
    assert!(page.status == 422 && page.text.contains("Others have reserved"), "{}", page.text);
    // An item that was switched off is gone, and an event that sells nothing more leads to its page.
    let fields = reviewed(&ana, &[("beer", "1")]).await;
    let off = TicketTypeChange { status: Some(TypeStatus::Inactive), ..TicketTypeChange::default() };
    change_ticket_type(&world.store, producer.tenant, "beer", &off, None, &world.by()).await.unwrap();
    let page = post(&ana, ORDER, &fields, &[("step", "place")]).await;
    assert!(page.status == 422 && page.text.contains("is not on sale any more"), "{}", page.text);
    let fields = reviewed(&ana, &[("talk", "1")]).await;
    let over = EventChange { status: Some(EventStatus::Finished), ..EventChange::default() };
    change_event(&world.store, producer.tenant, "ev", &over, None, &world.by()).await.unwrap();
    assert_eq!(post(&ana, ORDER, &fields, &[("step", "place")]).await.leads_to(), "/shop/pr_a/ev");
    assert_eq!(world.findings().await, []);
}

async fn a_hidden_item_is_bought_with_its_link(world: World) {
    let producer = a_shop(&world).await;
    let hidden_now = TicketTypeChange { status: Some(TypeStatus::Hidden), ..TicketTypeChange::default() };
    change_ticket_type(&world.store, producer.tenant, "talk", &hidden_now, None, &world.by()).await.unwrap();
    let code = world.raw().await.rows("SELECT access_code FROM ticket_types WHERE id = 'talk'").await[0][0].clone();
    let ana = buyer(&world);
    let page = ana.get(&format!("/shop/pr_a/ev?access_code={code}&promoter=p1")).await;
    let fields = hidden(&page, "/shop/pr_a/ev");
    assert_eq!(fields, [("access_code".to_owned(), code.clone()), ("promoter".to_owned(), "p1".to_owned())]);
    let next = post(&ana, "/shop/pr_a/ev", &fields, &[("quantity_talk", "1")]).await.leads_to().to_owned();
    assert!(next.contains(&code) && next.contains("promoter=p1"), "{next}");
    let second = ana.get(&next).await;
    let mut fields = hidden(&second, ORDER);
    fields.push(("quantity_talk".into(), "1".into()));
    let third = post(&ana, ORDER, &fields, &[&ANA[..], &[("step", "review")]].concat()).await;
    let placed = post(&ana, ORDER, &hidden(&third, ORDER), &[("step", "place")]).await.leads_to().to_owned();
    assert!(placed.ends_with(&format!("?access_code={code}&promoter=p1")), "{placed}");
    // Without the link there is nothing to be had, and nothing to be learnt.
    let mut without = hidden(&third, ORDER);
    without.retain(|(name, _)| name != "access_code" && name != "key");
    let page = post(&ana, ORDER, &without, &[("step", "place")]).await;
    assert!(
        page.status == 422 && page.text.contains("is not on sale any more") && !page.text.contains("Talk"),
        "{}",
        page.text
    );
    assert_eq!(orders(&world, &producer).await.len(), 1);
}

async fn running_out_of_time_loses_nothing(world: World) {
    let producer = a_shop(&world).await;
    let ana = buyer(&world);
    let path = buy(&ana, &[("tt", "2"), ("pack", "1")]).await;
    world.step(HOLD + Duration::from_secs(60));
    let page = ana.get(&path).await;
    for shown in ["The time to pay is over", "Nothing was charged.", "Order it again"] {
        assert!(page.text.contains(shown), "{shown}: {}", page.text);
    }
    let fields = hidden(&page, ORDER);
    let again = post(&ana, ORDER, &fields, &[]).await;
    assert_eq!(again.status, 200, "{}", again.text);
    for filled in [
        "value=\"Ana Ruiz\"",
        "value=\"ana@example.com\"",
        "value=\"+34 600 000 000\"",
        "<option value=\"2\" selected>",
    ] {
        assert!(again.text.contains(filled), "{filled}: {}", again.text);
    }
    let mut fields = hidden(&again, ORDER);
    fields.extend([("quantity_tt".to_owned(), "2".to_owned()), ("quantity_pack".to_owned(), "1".to_owned())]);
    let other = post(&ana, ORDER, &fields, &[&ANA[..], &[("step", "place")]].concat()).await.leads_to().to_owned();
    assert_ne!(other, path);
    assert_eq!(orders(&world, &producer).await.len(), 2);
    assert!(ana.get(&other).await.text.contains("Reserved for you"));
}

async fn the_page_says_what_happens_to_the_money(world: World) {
    let producer = a_shop(&world).await;
    let ana = buyer(&world);
    let mut paths = Vec::new();
    for _ in 0..3 {
        paths.push(buy(&ana, &[("beer", "2")]).await);
    }
    let ids: Vec<String> =
        orders(&world, &producer).await.iter().rev().map(|order| order["id"].as_str().unwrap().to_owned()).collect();
    let by = world.by();
    boxoffice::reject(&world.store, producer.tenant, &ids[0], &by).await.unwrap();
    for id in &ids[1..] {
        boxoffice::approve(&world.store, producer.tenant, id, PastHolds::No, &by).await.unwrap();
    }
    boxoffice::refund(&world.store, producer.tenant, &ids[1], &by).await.unwrap();
    let ticket = ana.get(&paths[2]).await.between("<code>", "</code>").to_owned();
    boxoffice::refund_tickets(&world.store, producer.tenant, &ids[2], vec![ticket], &by).await.unwrap();
    let [rejected, refunded, partly] = [&paths[0], &paths[1], &paths[2]];
    let page = ana.get(rejected).await;
    assert!(page.text.contains("This order was not accepted") && page.text.contains("Order it again"), "{}", page.text);
    let page = ana.get(refunded).await;
    assert!(
        page.text.contains("Its tickets do not work any more.") && page.text.contains("€8 go back to you."),
        "{}",
        page.text
    );
    assert!(!page.text.contains("class=\"qr\"") && !page.text.contains("<code>"), "a refunded ticket shows no code");
    let page = ana.get(partly).await;
    assert!(page.text.contains("Paid") && page.text.contains("€4 go back to you."), "{}", page.text);
    assert_eq!(page.text.matches("class=\"qr\"").count(), 1);
    let called_off = EventChange { status: Some(EventStatus::Cancelled), ..EventChange::default() };
    change_event(&world.store, producer.tenant, "ev", &called_off, None, &by).await.unwrap();
    assert!(ana.get(partly).await.text.contains("This event is cancelled"));
    assert!(!ana.get(rejected).await.text.contains("Order it again"));
}

async fn strangers_get_nothing_by_forms_and_guesses(world: World) {
    let producer = a_shop(&world).await;
    let ana = buyer(&world);
    let fields = reviewed(&ana, &[("beer", "1")]).await;
    let sent: Vec<(&str, &str)> =
        fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).chain([("step", "place")]).collect();
    for site in ["cross-site", "same-site"] {
        for path in [ORDER, "/shop/pr_a/ev"] {
            let page = ana.send(Method::POST, path, Some(&sent), &[("sec-fetch-site", site)]).await;
            assert_eq!(page.status, 403, "{site}: {path}");
        }
    }
    // A field of a megabyte is refused before it is read.
    let huge = "x".repeat(1_000_000);
    for path in [ORDER, "/shop/pr_a/ev"] {
        assert_eq!(ana.post(path, &[("name", &huge)]).await.status, 413, "{path}");
    }
    assert!(orders(&world, &producer).await.is_empty());
    // Markup stays text on every page.
    let odd = "</script><img src=x onerror=alert(1)>\"'&";
    let person = [("name", odd), ("email", "ana@example.com"), ("promoter", odd), ("access_code", odd)];
    let kept: Vec<(String, String)> =
        fields.into_iter().filter(|(name, _)| name != "name" && name != "email").collect();
    let mut path = String::new();
    for step in ["details", "review", "place"] {
        let page = post(&ana, ORDER, &kept, &[&person[..], &[("step", step)]].concat()).await;
        if step == "place" {
            path = page.leads_to().to_owned();
        }
        assert!(!page.text.contains("<img src=x"), "{step}: {}", page.text);
    }
    let page = ana.get(&path).await;
    assert!(page.text.contains("onerror=alert(1)") && !page.text.contains("<img src=x"), "{}", page.text);
    world.step(HOLD * 2);
    assert!(!ana.get(&path).await.text.contains("<img src=x"));
    // A reference cannot be guessed, and has one spelling.
    let reference = path.strip_prefix("/shop/orders/").unwrap().split('?').next().unwrap();
    let (number, secret) = reference.split_once('-').unwrap();
    let last = if reference.ends_with('0') { "1" } else { "0" };
    for guess in [
        format!("{number}-{}{last}", &secret[..secret.len() - 1]),
        format!("{number}-{}", secret.to_lowercase()),
        format!("0{reference}"),
        format!("2-{secret}"),
        secret.to_owned(),
        "x".to_owned(),
        "%ff".to_owned(),
        "x".repeat(500),
    ] {
        let page = ana.get(&format!("/shop/orders/{guess}")).await;
        assert!([404, 400].contains(&page.status.as_u16()), "{guess}: {}", page.status);
        assert!(!page.text.contains("ana@example.com"), "{guess}");
    }
    assert_eq!(ana.get(&path).await.status, 200);
}

async fn an_order_of_many_tickets_has_light_pages(world: World) {
    a_shop(&world).await;
    let ana = buyer(&world);
    let path = buy(&ana, &[("talk", "23")]).await;
    let (mut next, mut seen) = (path, Vec::new());
    loop {
        let page = ana.get(&next).await;
        let codes = page.text.split("<code>").skip(1).map(|rest| rest.split('<').next().unwrap().to_owned());
        seen.extend(codes);
        if !page.text.contains("rel=\"next\"") {
            break;
        }
        next = page.between("<a class=\"button\" href=\"", "\" rel=\"next\"").to_owned();
    }
    let codes: std::collections::HashSet<&String> = seen.iter().collect();
    assert_eq!((seen.len(), codes.len()), (23, 23));
    // What a phone loads for a page: the page itself, its style sheet and its icon. Not even packed is it much.
    for path in ["/", "/shop/pr_a", "/shop/pr_a/ev", &format!("{ORDER}?quantity_talk=2")] {
        let page = ana.get(path).await;
        let mut weight = page.text.len();
        for part in page.text.split("href=\"/assets/").skip(1) {
            let file = format!("/assets/{}", part.split('"').next().unwrap().replace("&amp;", "&"));
            weight += ana.get(&file).await.text.len();
        }
        assert!(
            page.text.contains("/assets/shop.css")
                && !page.text.contains("<script src")
                && !page.text.contains("type=\"module\""),
            "{path}: {}",
            page.text
        );
        assert!(weight < 60_000, "{path} weighs {weight} bytes");
    }
}
