//! Promoters: sales in their name, their own page, and what they give away.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use taquilla_domain::{
    config::FAILED_AUTH_BURST,
    count::Count,
    key::Permission,
    person::Person,
    promoter::{NewPromoter, Promoter},
    role::BuiltInRole,
    text::Name,
};
use taquilla_rules::{
    admin,
    boxoffice::{self, PastHolds},
};
use taquilla_store::sales::{figures::Sold, promoters};

use crate::{
    exports::with_rights,
    harness::{
        Answer, Producer, Staff, World, cart, event, place, problem, taquilla, ticket_type, with, without_shop_limits,
    },
};

both_engines![
    a_sale_is_of_whoever_sold_it_and_never_lost,
    sums_of_promoters_are_those_of_their_orders,
    a_promoters_page_shows_sums_and_nobody_who_bought,
    tickets_are_given_away_as_many_as_there_are,
    what_may_be_given_away_is_an_entrance,
    a_form_gives_tickets_away_once,
    promoters_in_the_dashboard,
    promoters_at_the_command_line,
];

const EVENTS: &str = "/dashboard/p/pr_a/events/ev";

async fn house(world: &World) -> Producer {
    let producer = world.producer("pr_a").await;
    let lines = [
        with(event("ev"), json!({"timezone": "Europe/Madrid"})),
        with(ticket_type("tt", "ev"), json!({"limit": 50, "max_per_order": 9})),
        with(ticket_type("tt_team", "ev"), json!({"status": "exclusive", "limit": 4})),
        with(ticket_type("tt_hidden", "ev"), json!({"status": "hidden"})),
        with(ticket_type("beer", "ev"), json!({"category": "merchandise", "price": 3})),
        json!({
            "kind": "bundle", "id": "pack", "event_id": "ev", "name": "Pack", "price": 26, "currency": "EUR", "limit": 5,
            "includes": [{"ticket_type_id": "tt", "quantity": 1}, {"ticket_type_id": "beer", "quantity": 1}],
        }),
        event("ev_other"),
        ticket_type("tt_other", "ev_other"),
    ];
    world.import(producer.tenant, &lines).await;
    producer
}

pub async fn promoter(world: &World, producer: &Producer, event_id: &str, complimentary: i64) -> (Promoter, String) {
    let complimentary = Count::at_least(0, complimentary).unwrap();
    let new = NewPromoter { event_id: event_id.into(), name: Name::parse("Nita").unwrap(), complimentary };
    admin::promoters::create(&world.store, producer.tenant, &new, &world.by()).await.unwrap()
}

/// What a promoter sold, and how much of the contingent is left.
pub async fn standing(world: &World, producer: &Producer, id: &str) -> (Sold, i64) {
    let found = promoters::find(&mut world.store.read().await.unwrap(), producer.tenant, id).await.unwrap().unwrap();
    (found.sold, found.promoter.left())
}

/// The body of an order by which a promoter gives some units of an item away.
pub fn gift(token: &str, item: &str, quantity: i64) -> Value {
    with(cart(item, quantity), json!({"promoter": token, "complimentary": true}))
}

fn id_of(answer: &Answer) -> String {
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()["order"]["id"].as_str().unwrap().to_owned()
}

/// The ids of an order's tickets, as its buyer sees them.
async fn tickets(world: &World, answer: &Answer) -> Vec<String> {
    let path = format!("/shop/v1/orders/{}", answer.json()["reference"].as_str().unwrap());
    let shown = world.client.send(Method::GET, &path, &[]).await.json();
    shown["tickets"].as_array().unwrap().iter().map(|ticket| ticket["id"].as_str().unwrap().to_owned()).collect()
}

async fn a_sale_is_of_whoever_sold_it_and_never_lost(world: World) {
    let producer = house(&world).await;
    let (nita, token) = promoter(&world, &producer, "ev", 0).await;
    let (stranger, strangers_token) = promoter(&world, &producer, "ev_other", 0).await;
    let (gone, gone_token) = promoter(&world, &producer, "ev", 0).await;
    admin::promoters::end(&world.store, producer.tenant, &gone.id, &world.by()).await.unwrap();
    let sell = async |name: &str, promoter: &str| {
        place(&world, name, &with(cart("tt", 1), json!({"promoter": promoter}))).await
    };
    let hers = json!({"id": nita.id, "name": "Nita"});
    for (key, named) in [("by-id", &nita.id), ("by-token", &token)] {
        assert_eq!(sell(key, named).await.json()["order"]["promoter"], hers, "{key}");
    }
    for nobody in [&stranger.id, &strangers_token, &gone.id, &gone_token, "pm_nobody", &token[..token.len() - 1]] {
        let sold = sell(nobody, nobody).await;
        let order = &sold.json()["order"];
        assert!(sold.status == 201 && order.get("promoter").is_none(), "{nobody}: {}", sold.text);
    }
    for wrong in ["", "a\u{0}b", &"x".repeat(129)] {
        assert_eq!(sell("wrong", wrong).await.problem(), problem(400, "invalid_body", Some("promoter")));
    }
    // Programs see it where they see tickets.
    let blind = world.key(producer.tenant, &[Permission::OrdersRead], None).await.0;
    let orders = async |key: &str| world.client.get("/api/v1/orders?limit=200", key).await.data();
    let shown = orders(&producer.key).await.into_iter().filter(|order| order["promoter"] == hers).count();
    assert_eq!(shown, 2);
    assert!(orders(&blind).await.iter().all(|order| order.get("promoter").is_none()));
    assert_eq!(world.findings().await, []);
}

async fn sums_of_promoters_are_those_of_their_orders(world: World) {
    let producer = house(&world).await;
    let (nita, _) = promoter(&world, &producer, "ev", 0).await;
    let (zoe, zoes_token) = promoter(&world, &producer, "ev", 3).await;
    let (store, tenant) = (&world.store, producer.tenant);
    let mut ids = Vec::new();
    for (key, item, quantity, promoter) in
        [("a", "tt", 3, &nita), ("b", "pack", 2, &nita), ("c", "tt", 2, &zoe), ("d", "tt", 4, &zoe)]
    {
        let body = with(cart(item, quantity), json!({"promoter": promoter.id}));
        let id = id_of(&place(&world, key, &body).await);
        // What is not paid is not sold.
        let waits = key == "d";
        if !waits {
            boxoffice::approve(store, tenant, &id, PastHolds::No, world.now()).await.unwrap();
        }
        ids.push(id);
    }
    let given = place(&world, "given", &gift(&zoes_token, "tt", 2)).await;
    // One ticket of the first order is refunded, and all of the third.
    let raw = world.raw().await;
    let ticket = raw.rows(&format!("SELECT id FROM tickets WHERE order_id = '{}' ORDER BY id", ids[0])).await;
    boxoffice::refund_tickets(store, tenant, &ids[0], vec![ticket[0][0].clone()], world.now()).await.unwrap();
    boxoffice::refund(store, tenant, &ids[2], world.now()).await.unwrap();
    let sold = |units, amount, refunded_units, refunded_amount| Sold { units, amount, refunded_units, refunded_amount };
    assert_eq!(standing(&world, &producer, &nita.id).await, (sold(5, 127, 1, 25), 0));
    assert_eq!(standing(&world, &producer, &zoe.id).await, (sold(2, 50, 2, 50), 1));
    assert_eq!(world.findings().await, []);
    // The report, its file, the export of orders and the API say the same.
    let ana = world.staff(tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let page = ana.get("/dashboard/p/pr_a/reports/promoters?event=ev").await.text;
    for part in ["€127", "€25", "€102", "€50", "€177", "€75"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let file = ana.get("/dashboard/p/pr_a/reports/promoters?event=ev&format=csv").await.text;
    let of = |id: &str, column: usize| -> i64 {
        let rows = file.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
        rows.filter(|row| row[2] == id).map(|row| row[column].parse::<i64>().unwrap()).sum()
    };
    assert!(file.lines().next().unwrap().contains("day,event_id,promoter_id,promoter,item_id"), "{file}");
    assert_eq!([8, 9, 10, 11, 12].map(|column| of(&nita.id, column)), [5, 127, 1, 25, 102]);
    assert_eq!([8, 9, 10, 11, 12].map(|column| of(&zoe.id, column)), [4, 50, 2, 50, 0]);
    let export = ana.get("/dashboard/p/pr_a/exports/orders.jsonl").await.text;
    let exported: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let listed = world.client.get("/api/v1/orders?limit=200", &producer.key).await.data();
    for orders in [&exported, &listed] {
        let paid = |id: &str| -> i64 {
            let mine = orders.iter().filter(|order| order["promoter"]["id"] == *id);
            let paid = mine.filter(|order| ["approved", "refunded"].contains(&order["status"].as_str().unwrap()));
            paid.map(|order| order["total"].as_i64().unwrap()).sum()
        };
        assert_eq!((paid(&nita.id), paid(&zoe.id)), (127, 50));
        let gift = orders.iter().find(|order| order["id"] == given.json()["order"]["id"]).unwrap();
        assert_eq!((&gift["channel"], &gift["promoter"]["id"]), (&json!("promoter"), &json!(zoe.id)));
    }
    assert!(ana.get("/dashboard/p/pr_a/exports/orders.csv").await.text.contains(",Nita"));
    // By other clocks the sales are on other days, and the sums stay.
    world.move_event(tenant, "ev", "Pacific/Kiritimati").await;
    assert_eq!(standing(&world, &producer, &nita.id).await.0, sold(5, 127, 1, 25));
    assert_eq!(world.findings().await, []);
    // Sums that do not follow from the orders are found.
    for wrong in ["UPDATE promoter_sales SET amount = amount + 1", "UPDATE promoters SET units = units + 1"] {
        raw.batch(wrong).await;
        assert!(world.findings().await.iter().any(|finding| finding.kind == "promoter"), "{wrong}");
    }
}

async fn a_promoters_page_shows_sums_and_nobody_who_bought(world: World) {
    let producer = house(&world).await;
    let (nita, token) = promoter(&world, &producer, "ev", 7).await;
    let (_, other) = promoter(&world, &producer, "ev", 0).await;
    let body = json!({
        "buyer": {"name": "Buyer Person", "email": "buyer@person.example", "phone": "+34 555"}, "promoter": nita.id,
        "items": [{"ticket_type_id": "tt", "quantity": 3, "attendees": [{"name": "Attendee Person"}]}],
    });
    let placed = place(&world, "key", &body).await;
    let id = id_of(&placed);
    boxoffice::approve(&world.store, producer.tenant, &id, PastHolds::No, world.now()).await.unwrap();
    let visitor = Staff::new(&world.client.base);
    let path = format!("/promoter/{token}");
    let page = visitor.get(&path).await;
    assert_eq!(page.status, StatusCode::OK);
    let shop_link = format!("/shop/pr_a/ev?promoter={}", nita.id);
    for part in ["Nita", "Event ev", "pr_a Ltd", "€75", "Type tt", "Europe/Madrid", shop_link.as_str(), "<svg"] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    let code = &tickets(&world, &placed).await[0];
    let reference = placed.json()["reference"].as_str().unwrap().to_owned();
    for hidden in ["Person", "person.example", "555", id.as_str(), code, &reference] {
        assert!(!page.text.contains(hidden), "{hidden}: {}", page.text);
    }
    let empty = visitor.get(&format!("/promoter/{other}")).await.text;
    assert!(!empty.contains("€75") && empty.contains("Nothing was sold yet."), "{empty}");
    let spanish = Staff::new(&world.client.base).with_header("accept-language", "es");
    assert!(spanish.get(&path).await.text.contains("Tu enlace a la tienda"));
    // What everybody may know opens nothing, and neither does a token that was replaced or has ended.
    let (_, renewed) = admin::promoters::renew(&world.store, producer.tenant, &nita.id, &world.by()).await.unwrap();
    let secret = renewed.split_once('-').unwrap().1;
    for nothing in [&nita.id, &token, secret, &format!("9-{secret}"), &format!("01-{secret}"), "%00", "x"] {
        assert_eq!(visitor.get(&format!("/promoter/{nothing}")).await.status, StatusCode::NOT_FOUND, "{nothing}");
    }
    assert_eq!(visitor.get(&format!("/promoter/{renewed}")).await.status, StatusCode::OK);
    admin::promoters::end(&world.store, producer.tenant, &nita.id, &world.by()).await.unwrap();
    // Who guesses is stopped, and sees no right one either.
    let (_server, client) = world.another_server(without_shop_limits()).await;
    let guesser = Staff::new(&client.base);
    for _ in 0..FAILED_AUTH_BURST {
        assert_eq!(guesser.get(&format!("/promoter/{renewed}")).await.status, StatusCode::NOT_FOUND);
    }
    for page in [&renewed, &other] {
        assert_eq!(guesser.get(&format!("/promoter/{page}")).await.status, StatusCode::TOO_MANY_REQUESTS);
    }
}

async fn tickets_are_given_away_as_many_as_there_are(world: World) {
    let producer = house(&world).await;
    let (nita, token) = promoter(&world, &producer, "ev", 5).await;
    let (store, tenant) = (&world.store, producer.tenant);
    let left = async || standing(&world, &producer, &nita.id).await.1;
    let first = place(&world, "first", &gift(&token, "tt", 3)).await;
    let order = first.json()["order"].clone();
    assert_eq!(
        [&order["status"], &order["channel"], &order["total"], &order["promoter"]["name"], &order["paid_at"]],
        [&json!("approved"), &json!("promoter"), &json!(0), &json!("Nita"), &json!(null)],
    );
    let prices = json!([{"list_price": 25, "unit_price": 0, "total": 0}]);
    for price in ["list_price", "unit_price", "total"] {
        assert_eq!(order["items"][0][price], prices[0][price], "{price}");
    }
    // The same order again gives nothing more.
    assert_eq!(place(&world, "first", &gift(&token, "tt", 3)).await.text, first.text);
    assert_eq!((left().await, standing(&world, &producer, &nita.id).await.0), (2, Sold::default()));
    let full = place(&world, "full", &gift(&token, "tt", 3)).await;
    assert_eq!(full.problem(), problem(409, "contingent_used_up", None));
    assert!(full.text.contains("give away 2 more"), "{}", full.text);
    let second = place(&world, "second", &gift(&token, "tt_team", 2)).await;
    assert_eq!((id_of(&second).is_empty(), left().await), (false, 0));
    let sold = world.raw().await.rows("SELECT id, sold FROM ticket_types WHERE sold > 0 ORDER BY id").await;
    assert_eq!(sold, [["tt", "3"], ["tt_team", "2"]], "they take stock like any other");
    // What is taken back may be given away again: one ticket cancelled, hidden or refunded, or the whole order.
    let codes = tickets(&world, &first).await;
    let ana = Person { name: "Ana".into(), ..Person::default() };
    let passed_on = boxoffice::transfer(store, tenant, &codes[0], &ana, world.now()).await.unwrap();
    assert_eq!(left().await, 0, "somebody else has it now");
    boxoffice::cancel(store, tenant, &passed_on, world.now()).await.unwrap();
    assert_eq!(left().await, 1);
    boxoffice::hide(store, tenant, &codes[1], world.now()).await.unwrap();
    assert_eq!(left().await, 2);
    let team = tickets(&world, &second).await;
    boxoffice::refund_tickets(store, tenant, &id_of(&second), team[..1].to_vec(), world.now()).await.unwrap();
    assert_eq!(left().await, 3);
    boxoffice::refund(store, tenant, &id_of(&first), world.now()).await.unwrap();
    boxoffice::refund(store, tenant, &id_of(&second), world.now()).await.unwrap();
    assert_eq!(left().await, 5, "each came back once");
    assert_eq!(place(&world, "again", &gift(&token, "tt", 5)).await.status, 201);
    assert_eq!(world.findings().await, []);
    admin::promoters::end(store, tenant, &nita.id, &world.by()).await.unwrap();
    let ended = place(&world, "ended", &gift(&token, "tt", 1)).await;
    assert_eq!(ended.problem(), problem(409, "promoter_refused", None));
    world.raw().await.batch("UPDATE promoters SET given_away = given_away - 1").await;
    let found = world.findings().await;
    assert!(found.len() == 1 && found[0].kind == "promoter" && found[0].problem.contains("4 tickets"), "{found:?}");
}

async fn what_may_be_given_away_is_an_entrance(world: World) {
    let producer = house(&world).await;
    let (nita, token) = promoter(&world, &producer, "ev", 40).await;
    let (_, strangers) = promoter(&world, &producer, "ev_other", 40).await;
    let refused = async |key: &str, body: &Value| {
        let (status, code, param) = place(&world, key, body).await.problem();
        (status, code, param.unwrap_or_default())
    };
    let is = |status, code: &str, param: &str| (status, code.to_owned(), param.to_owned());
    let item = "items[0].ticket_type_id";
    for (name, body, expected) in [
        ("id", gift(&nita.id, "tt", 1), is(409, "promoter_refused", "")),
        ("other event", gift(&strangers, "tt", 1), is(409, "promoter_refused", "")),
        ("nobody", with(cart("tt", 1), json!({"complimentary": true})), is(409, "promoter_refused", "")),
        ("coupon", with(gift(&token, "tt", 1), json!({"coupon": "X"})), is(409, "coupon_refused", "")),
        ("bar", gift(&token, "beer", 1), is(400, "invalid_body", item)),
        ("bundle", gift(&token, "pack", 1), is(400, "invalid_body", item)),
        ("hidden", gift(&token, "tt_hidden", 1), is(409, "not_on_sale", "")),
        ("elsewhere", gift(&token, "tt_other", 1), is(400, "invalid_body", item)),
        ("too many", gift(&token, "tt", 10), is(409, "too_many", "")),
        ("sold out", gift(&token, "tt_team", 5), is(409, "sold_out", "")),
        ("public", with(cart("tt_team", 1), json!({"promoter": token})), is(400, "invalid_body", item)),
    ] {
        assert_eq!(refused(name, &body).await, expected, "{name}");
    }
    // What others hold is theirs.
    assert_eq!(place(&world, "held", &cart("tt", 9)).await.status, 201);
    world.raw().await.batch("UPDATE ticket_types SET stock_limit = 10 WHERE id = 'tt'").await;
    assert_eq!(refused("hold", &gift(&token, "tt", 2)).await.1, "held");
    assert_eq!(standing(&world, &producer, &nita.id).await.1, 40, "a refusal takes nothing");
    assert_eq!(world.findings().await, []);
}

async fn a_form_gives_tickets_away_once(world: World) {
    let producer = house(&world).await;
    let (nita, token) = promoter(&world, &producer, "ev", 3).await;
    let visitor = Staff::new(&world.client.base);
    let (page, form) = (format!("/promoter/{token}"), format!("/promoter/{token}/tickets"));
    let shown = visitor.get(&page).await;
    assert!(shown.text.contains("0 of 3 are given away."), "{}", shown.text);
    for not_offered in ["value=\"beer\"", "value=\"pack\"", "value=\"tt_hidden\"", "value=\"tt_other\""] {
        assert!(!shown.text.contains(not_offered), "{not_offered}");
    }
    let key = shown.between("name=\"key\" value=\"", "\"").to_owned();
    let fields = |quantity, name, email| {
        [("key", key.as_str()), ("item", "tt_team"), ("quantity", quantity), ("name", name), ("email", email)]
    };
    for (wrong, says) in [
        (fields("0", "Gus", "gus@x.example"), "whole number of at least 1"),
        (fields("1", " ", "gus@x.example"), "guest’s name"),
        (fields("1", "Gus", "gus"), "e-mail address, such as"),
        (fields("4", "Gus", "gus@x.example"), "You have 3 left to give away."),
    ] {
        let again = visitor.post(&form, &wrong).await;
        assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(again.text.contains(says) && again.text.contains("value=\"tt_team\" checked"), "{}", again.text);
    }
    let given = visitor.post(&form, &fields("2", "Gus", "gus@x.example")).await;
    let link = given.between("/shop/orders/", "<").to_owned();
    assert!(given.status == 200 && given.text.contains("Tickets for Gus"), "{}", given.text);
    let twice = visitor.post(&form, &fields("2", "Gus", "gus@x.example")).await;
    assert_eq!(twice.between("/shop/orders/", "<"), link, "the same order");
    let order = world.client.send(Method::GET, &format!("/shop/v1/orders/{link}"), &[]).await.json();
    assert_eq!((&order["order"]["buyer"]["name"], order["tickets"].as_array().unwrap().len()), (&json!("Gus"), 2));
    let after = visitor.get(&page).await;
    assert!(after.text.contains("2 of 3 are given away.") && !after.text.contains("Gus"), "{}", after.text);
    assert_eq!(standing(&world, &producer, &nita.id).await.1, 1);
    // A form of another site gives nothing away.
    let fields = [("key", "k2"), ("item", "tt"), ("quantity", "1"), ("name", "Gus"), ("email", "gus@x.example")];
    let foreign = visitor.send(Method::POST, &form, Some(&fields), &[("sec-fetch-site", "cross-site")]).await;
    assert_eq!(foreign.status, StatusCode::FORBIDDEN);
    assert_eq!(visitor.post("/promoter/1-tqp_x/tickets", &fields).await.status, StatusCode::NOT_FOUND);
    assert_eq!(visitor.post(&form, &fields).await.status, StatusCode::OK);
    assert!(visitor.get(&page).await.text.contains("You have given away all of them."));
    assert_eq!(world.findings().await, []);
}

async fn promoters_in_the_dashboard(world: World) {
    let producer = house(&world).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Editor).await;
    let list = format!("{EVENTS}/promoters");
    assert!(ana.get(&list).await.text.contains("No promoters yet"));
    let form = ana.get(&format!("{list}/new")).await.between("name=\"form\" value=\"", "\"").to_owned();
    for (name, complimentary) in [("", "1"), ("Nita", "-1"), ("Nita", "many"), ("Nita", "1000000001")] {
        let wrong = ana.post(&list, &[("form", &form), ("name", name), ("complimentary", complimentary)]).await;
        assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY, "{name} {complimentary}");
    }
    let fields = [("form", form.as_str()), ("name", "Nita <b>"), ("complimentary", "4")];
    let made = ana.post(&list, &fields).await;
    let token = made.between("/promoter/", "<").to_owned();
    assert!(made.text.contains("Nita &#60;b&#62;") && made.text.contains("it is not shown again"), "{}", made.text);
    assert_eq!(ana.post(&list, &fields).await.status, StatusCode::CONFLICT, "a form makes one");
    let visitor = Staff::new(&world.client.base);
    assert_eq!(visitor.get(&format!("/promoter/{token}")).await.status, StatusCode::OK);
    let row = world.raw().await.rows("SELECT id FROM promoters").await;
    assert_eq!(row.len(), 1);
    let id = &row[0][0];
    let sold = with(cart("tt", 2), json!({"promoter": id}));
    let order = id_of(&place(&world, "sold", &sold).await);
    ana.post(&format!("/dashboard/p/pr_a/orders/{order}/approve"), &[]).await.leads_to();
    place(&world, "given", &gift(&token, "tt", 1)).await;
    for page in [&list, EVENTS] {
        let page = ana.get(page).await.text;
        for part in ["Nita &#60;b&#62;", "€50", "1 of 4", &format!("/shop/pr_a/ev?promoter={id}")] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains(&token), "{page}");
    }
    assert!(ana.get(&format!("/dashboard/p/pr_a/orders/{order}")).await.text.contains("Nita &#60;b&#62;"));
    // Whoever may not see reports makes no link that shows what was sold.
    let bob = with_rights(&world, &producer, "bob@x.example", &["events.see", "events.manage"]).await;
    let seen = bob.get(&list).await.text;
    assert!(seen.contains("Nita") && !seen.contains("€50") && !seen.contains("/renew"), "{seen}");
    let own = format!("{list}/{id}");
    for page in [format!("{list}/new"), format!("{own}/renew")] {
        assert_eq!(bob.get(&page).await.status, StatusCode::FORBIDDEN, "{page}");
    }
    for page in [&list, &format!("{own}/renew")] {
        assert_eq!(bob.post(page, &[("name", "X"), ("complimentary", "0")]).await.status, StatusCode::FORBIDDEN);
    }
    // A new link replaces the old one.
    assert!(ana.get(&format!("{own}/renew")).await.text.contains("stops working at once"));
    let renewed = ana.post(&format!("{own}/renew"), &[]).await.between("/promoter/", "<").to_owned();
    let opens = async |token: &str| visitor.get(&format!("/promoter/{token}")).await.status;
    assert_eq!((opens(&token).await, opens(&renewed).await), (StatusCode::NOT_FOUND, StatusCode::OK));
    // A promoter of another event is none of this one.
    for other in [format!("/dashboard/p/pr_a/events/ev_other/promoters/{id}/end"), format!("{list}/pm_none/end")] {
        assert_eq!(ana.get(&other).await.status, StatusCode::NOT_FOUND);
        assert_eq!(ana.post(&other, &[]).await.status, StatusCode::NOT_FOUND);
    }
    assert!(ana.get(&format!("{own}/end")).await.text.contains("This cannot be undone."));
    let ended = ana.post(&format!("{own}/end"), &[]).await;
    assert!(ana.get(ended.leads_to()).await.text.contains("Their page is closed."));
    assert_eq!(opens(&renewed).await, StatusCode::NOT_FOUND);
    let told =
        world.raw().await.rows("SELECT action, details FROM audit WHERE action LIKE 'promoter.%' ORDER BY at").await;
    assert_eq!(told.len(), 3);
    assert!(told.iter().all(|row| row[1].contains("Nita") && !row[1].contains("tqp_")), "{told:?}");
    assert_eq!(world.findings().await, []);
}

async fn promoters_at_the_command_line(world: World) {
    house(&world).await;
    let run = |args: &[&str]| {
        let output = taquilla(&world.address).arg("promoter").args(args).output().unwrap();
        (
            output.status.success(),
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
        )
    };
    let json = |args: &[&str]| -> Value {
        let (is_done, text) = run(&[args, &["--json"]].concat());
        assert!(is_done, "{text}");
        serde_json::from_str(&text).unwrap()
    };
    let of_event = ["--producer", "pr_a", "--event", "ev"];
    let at = ["--public-url", "https://tickets.example"];
    let create = ["create", "--name", "Nita", "--complimentary", "2"];
    let made = json(&[&create[..], &of_event, &at].concat());
    let (id, token) = (made["id"].as_str().unwrap(), made["token"].as_str().unwrap());
    assert!(id.starts_with("pm_") && token.contains("-tqp_"), "{made}");
    assert_eq!(made["url"], format!("https://tickets.example/promoter/{token}"));
    assert_eq!(made["shop_url"], format!("https://tickets.example/shop/pr_a/ev?promoter={id}"));
    assert_eq!((&made["complimentary"], &made["left"], &made["units"]), (&json!(2), &json!(2), &json!(0)));
    // Only a hash of it is kept.
    assert!(world.raw().await.rows("SELECT hash FROM promoters").await[0][0] != token);
    assert_eq!(place(&world, "g", &gift(token, "tt", 1)).await.status, 201);
    let listed = json(&[&["list"][..], &of_event].concat());
    assert_eq!((&listed[0]["given_away"], listed[0].get("token")), (&json!(1), None));
    let (_, table) = run(&[&["list"][..], &of_event].concat());
    assert!(table.contains("Nita") && table.contains("1 of 2"), "{table}");
    let renewed = json(&[&["renew", id][..], &at].concat());
    assert_ne!(renewed["token"], token);
    assert_eq!(place(&world, "old", &gift(token, "tt", 1)).await.status, 409);
    assert!(json(&["end", id])["ended_at"].is_string());
    assert_eq!(json(&["end", id])["ended_at"], json(&["end", id])["ended_at"], "the first end stays");
    for (wrong, says) in [
        (vec!["end", "pm_none"], "promoter list"),
        (vec!["create", "--producer", "pr_a", "--event", "ev_none", "--name", "X", at[0], at[1]], "event"),
    ] {
        let (is_done, text) = run(&wrong);
        assert!(!is_done && text.contains(says), "{text}");
    }
    assert_eq!(world.findings().await, []);
}
