//! Personal data: what is held of a person is found, handed out and erased, wherever it is.

use std::{fs, process::Command, time::Duration};

use serde_json::{Value, json};
use taquilla_domain::{
    config::{Config, ERASED_TOGETHER, PostgresTimeouts, UPLOAD_PART, WORK_LEASE},
    person::Person,
    role::BuiltInRole,
    status::Category,
    text::Name,
    webhook::{DeliveryStatus, MessageKind},
};
use taquilla_rules::{admin, boxoffice, indexing};
use taquilla_store::{Open, Store};

use crate::exports::with_rights;
use crate::harness::{
    Hooks, Page, Poller, Producer, Raw, Server, Staff, World,
    backups::{Said, back_up, other},
    event, new_address, order, pay, place,
    receiver::{Behaviour, Receiver},
    taquilla, ticket, ticket_type, until, with, without_shop_limits,
};

both_engines![
    nothing_of_a_person_is_left_anywhere,
    everything_that_is_held_is_handed_out,
    a_person_is_erased_in_the_dashboard,
    erasing_goes_on_while_people_buy_and_enter,
    who_buys_again_while_being_erased_is_named_everywhere_or_nowhere,
    an_erasure_survives_the_end_of_its_server,
    words_that_are_being_written_do_not_bring_a_person_back,
    two_producers_know_nothing_of_each_other,
    old_events_lose_their_people_by_themselves,
    a_restored_backup_is_erased_again,
    a_command_asks_before_it_erases,
];

pub const NAME: &str = "Zenobia Quillfeather";
const EMAIL: &str = "Zenobia.Quill@Mail.example";
const PHONE: &str = "+34 699 123 987";
const DOCUMENT: &str = "ZQ-778899-K";
/// What no text may have in it once the person is erased, in small letters.
const TRACES: [&str; 6] = ["zenobia", "quill", "699 123 987", "699123987", "zq-778899", "778899"];

pub fn person() -> Value {
    json!({"name": NAME, "email": EMAIL, "phone": PHONE, "identity_document": DOCUMENT})
}

fn bea() -> Value {
    json!({"name": "Bea Gil", "email": "bea@mail.example", "phone": null, "identity_document": ""})
}

pub fn traces_in(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    TRACES.into_iter().filter(|trace| text.contains(trace)).collect()
}

/// Every row of every table that has something of the person in it, the index of words too.
async fn traces(raw: &Raw) -> Vec<String> {
    let mut contents = raw.contents(&[]).await;
    let words = raw.rows("SELECT producer_id, kind, word FROM search_words").await;
    contents.insert("search_words".to_owned(), words.into_iter().map(|row| row.join("|")).collect());
    let rows =
        contents.into_iter().flat_map(|(table, rows)| rows.into_iter().map(move |row| format!("{table}: {row}")));
    rows.filter(|row| !traces_in(row).is_empty()).collect()
}

/// A command about the person, as JSON.
fn command(address: &str, arguments: &[&str]) -> Command {
    let mut command = taquilla(address);
    command.arg("person").args(arguments).args(["--producer", "pr_a", "--json"]);
    command
}

fn erase(address: &str) -> Value {
    Said::of(&mut command(address, &["erase", "--email", "zenobia.quill@mail.EXAMPLE", "--yes"])).json()
}

async fn until_says(staff: &Staff, path: &str, text: &str) -> Page {
    assert!(until(async || staff.get(path).await.text.contains(text)).await, "{path} never says {text}");
    staff.get(path).await
}

/// A person with a life: orders that are paid and that wait, tickets that were scanned, passed on and hidden, a payment that
/// was paid back, messages that were sent, and a file that waits to be imported.
pub struct Life {
    pub hooks: Hooks,
    reference: String,
    pending: String,
    named_in: String,
    pub valid: String,
    pub scan: (String, Value),
    pub ana: Staff,
    pub endpoint: taquilla_store::webhooks::endpoints::Endpoint,
    _receiver: Receiver,
}

impl Life {
    pub async fn new(world: World) -> Self {
        let hooks = Hooks::new(world).await;
        let (world, producer) = (&hooks.world, &hooks.producer);
        let receiver = Receiver::start(Behaviour::ok()).await;
        let kinds: Vec<MessageKind> =
            MessageKind::ALL.iter().copied().filter(|kind| *kind != MessageKind::WebhookTest).collect();
        let (endpoint, _) = hooks.endpoint_with(&receiver.url("/"), &kinds, true).await;
        let secret = world.connect_processor(producer).await;
        let item = |attendees: Value| json!([{"ticket_type_id": "tt", "quantity": 2, "attendees": attendees}]);

        // Bought and paid: one ticket for the person, one for Bea.
        let bought = place(world, "k1", &json!({"buyer": person(), "items": item(json!([person(), bea()]))})).await;
        assert_eq!(bought.status, 201, "{}", bought.text);
        let bought = bought.json();
        let paid = |id: &str, amount: i64, reference: &Value| json!({"payment_id": id, "reference": reference, "status": "paid", "amount": amount, "currency": "EUR"});
        assert_eq!(pay(world, &paid("pay_1", 50, &bought["reference"]), &secret, 0).await.status, 200);
        let tickets = tickets_of(world, producer, bought["order"]["id"].as_str().unwrap()).await;
        let (own, beas) = (tickets.iter().find(|t| is_hers(t)).unwrap(), tickets.iter().find(|t| !is_hers(t)).unwrap());
        // She passes hers on, and gets Bea's.
        let to = |value: Value| Person {
            name: value["name"].as_str().unwrap().to_owned(),
            email: value["email"].as_str().unwrap().to_owned(),
            phone: value["phone"].as_str().map(str::to_owned),
            identity_document: value["identity_document"].as_str().unwrap().to_owned(),
        };
        let (store, tenant) = (&world.store, producer.tenant);
        boxoffice::transfer(store, tenant, own["id"].as_str().unwrap(), &to(bea()), world.now()).await.unwrap();
        let (beas, her) = (beas["id"].as_str().unwrap(), to(person()));
        let valid = boxoffice::transfer(store, tenant, beas, &her, world.now()).await.unwrap();

        // Two that wait: one she bought, one that names her; the money of one came short and went back.
        let pending = place(world, "k2", &json!({"buyer": person(), "items": item(json!([]))})).await.json();
        let named_in = place(world, "k3", &json!({"buyer": bea(), "items": item(json!([person()]))})).await.json();
        pay(world, &paid("pay_2", 1, &pending["reference"]), &secret, 0).await;
        let note = Name::parse(&format!("sent back to {NAME} by transfer")).unwrap();
        admin::payments::mark_paid_back(store, tenant, "pay_2", &note, &world.by()).await.unwrap();

        // Once an order of hers was refunded, and somebody wrote down how it was paid back.
        let owed = format!(
            "INSERT INTO pay_backs (producer_id, order_id, amount, currency, owed_at, paid_back_at, note) \
             SELECT producer_id, id, 50, 'EUR', 1, 2, 'in cash to {NAME}' FROM orders WHERE id = '{}'",
            bought["order"]["id"].as_str().unwrap()
        );
        world.raw().await.batch(&owed).await;

        // Imported: one with an id made of her address, one that is hidden, one that she enters with.
        let imported = |id: &str, more: Value| with(with(ticket(id, "ev", "tt"), json!({"attendee": person()})), more);
        let attendee = with(person(), json!({"id": format!("crm/{EMAIL}")}));
        let lines = [
            imported("CRM-1", json!({"attendee": attendee})),
            imported("HIDDEN-1", json!({"hidden": true})),
            imported("ENTER-1", json!({})),
            with(order("or_old", "ev", "tt"), json!({"buyer": person(), "status": "refunded"})),
            imported(
                "OLD-1",
                json!({"order_id": "or_old", "attendee": with(person(), json!({"id": "crm-zq778899k"}))}),
            ),
        ];
        world.import(tenant, &lines).await;
        // What staff did to a ticket is in the history, which nobody erases from.
        boxoffice::cancel(store, tenant, "CRM-1", &world.by()).await.unwrap();
        let (token, _) = world.door(tenant, "ev", &[Category::Ticket]).await;
        let scan = scan(world, &token, "ENTER-1", "scan-1").await;
        assert_eq!(scan["ticket"]["name"], NAME);

        let ana = world.staff(tenant, "ana@x.example", BuiltInRole::Administrator).await;
        let file = format!("\u{feff}{}\n", imported("LATER-1", json!({})));
        let path = ana.upload("/dashboard/p/pr_a/imports", "f.jsonl", file.as_bytes()).await.leads_to().to_owned();
        until_says(&ana, &path, "work-is-checked").await;
        // Another file broke off hours ago, in the middle of her.
        let by = world.by();
        let mut broken_off = admin::work::Upload::begin(store, tenant, "g.jsonl", &by).await.unwrap();
        broken_off.add(&format!("{{\"attendee\":{{\"name\":\"{NAME}{}", " ".repeat(UPLOAD_PART))).await.unwrap();
        drop(broken_off);
        world.raw().await.batch("UPDATE work SET created_at = 1 WHERE state = 'uploading'").await;
        indexing::catch_up(store).await.unwrap();
        // Everything is delivered, and the receiver has answered with what it got.
        hooks
            .wait_until(&endpoint, |events| {
                !events.is_empty() && events.iter().all(|event| event.status == DeliveryStatus::Delivered)
            })
            .await;
        world
            .raw()
            .await
            .batch(&format!(
                "UPDATE webhook_attempts SET response = 'thanks, {NAME}' WHERE EXISTS (SELECT 1 FROM webhook_deliveries d \
                 JOIN outbox o ON o.producer_id = d.producer_id AND o.seq = d.message_seq \
                 WHERE d.producer_id = webhook_attempts.producer_id AND d.endpoint_id = webhook_attempts.endpoint_id \
                 AND d.sequence = webhook_attempts.sequence AND o.data LIKE '%Zenobia%')"
            ))
            .await;
        Self {
            reference: bought["reference"].as_str().unwrap().to_owned(),
            pending: pending["order"]["id"].as_str().unwrap().to_owned(),
            named_in: named_in["order"]["id"].as_str().unwrap().to_owned(),
            scan: (token, scan),
            hooks,
            valid,
            ana,
            endpoint,
            _receiver: receiver,
        }
    }
}

fn is_hers(ticket: &Value) -> bool {
    ticket["attendee"]["name"] == NAME
}

async fn tickets_of(world: &World, producer: &Producer, order_id: &str) -> Vec<Value> {
    world.client.get(&format!("/api/v1/tickets?order_id={order_id}"), &producer.key).await.data()
}

pub async fn scan(world: &World, token: &str, code: &str, scan_id: &str) -> Value {
    let body = json!({"code": code, "scan_id": scan_id, "station": "Gate"});
    let answer = world.client.post("/door/v1/scan", &[("authorization", &format!("Bearer {token}"))], &body).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()
}

async fn nothing_of_a_person_is_left_anywhere(world: World) {
    let life = Life::new(world).await;
    let (world, producer) = (&life.hooks.world, &life.hooks.producer);
    let key = &producer.key;
    let types = "/api/v1/events/ev/ticket-types";
    let counts = world.client.get(types, key).await.json();
    let mut tickets = Poller::new(world.client.clone(), key, ("tickets", "updated_after", "updated_at"), 7);
    let mut orders = Poller::new(world.client.clone(), key, ("orders", "updated_after", "updated_at"), 2);
    tickets.poll().await;
    orders.poll().await;
    let (old_tickets, old_orders) = (tickets.rows.clone(), orders.rows.clone());
    let chain = world.client.get(&format!("/api/v1/tickets/{}/chain", life.valid), key).await.data();
    let before = traces(&world.raw().await).await;
    let has = |table: &str| before.iter().any(|row| row.starts_with(table));
    for table in ["orders", "tickets", "order_attendees", "search_words", "idempotency_keys", "scans", "outbox"] {
        assert!(has(table), "this test would show nothing about {table}");
    }
    for table in ["webhook_attempts", "payments", "pay_backs", "uploads"] {
        assert!(has(table), "this test would show nothing about {table}");
    }

    let said = erase(&world.address);
    assert_eq!((&said["erased"]["orders"], &said["erased"]["tickets"]), (&json!(3), &json!(6)), "{said}");
    assert_eq!((&said["erased"]["waiting"], &said["erased"]["files"]), (&json!(1), &json!(2)), "{said}");
    assert_eq!(traces(&world.raw().await).await, Vec::<String>::new());
    assert_eq!(world.findings().await, []);

    // Counts and chains are as before, and mirrors get each row that changed once.
    assert_eq!(world.client.get(types, key).await.json(), counts);
    tickets.poll().await;
    orders.poll().await;
    let changed = |old: &std::collections::BTreeMap<String, Value>, new: &std::collections::BTreeMap<String, Value>| {
        new.iter().filter(|(id, row)| old.get(*id) != Some(*row)).count()
    };
    assert_eq!((changed(&old_tickets, &tickets.rows), changed(&old_orders, &orders.rows)), (5, 3));
    for (id, row) in &tickets.rows {
        let old = &old_tickets[id];
        assert_eq!(old["attendee"]["email"] == EMAIL, row["attendee"]["name"] == "—", "{row}");
        if row["attendee"]["name"] == "—" {
            let nobody =
                json!({"id": row["attendee"]["id"], "name": "—", "email": "", "phone": null, "identity_document": ""});
            assert_eq!(row["attendee"], nobody);
            let same = |mut row: Value| {
                row["attendee"] = Value::Null;
                row["updated_at"] = Value::Null;
                row
            };
            assert_eq!(same(row.clone()), same(old.clone()), "only the attendee changed");
        }
    }
    let now = world.client.get(&format!("/api/v1/tickets/{}/chain", life.valid), key).await.data();
    let ids = |chain: &[Value]| chain.iter().map(|ticket| ticket["id"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&now), ids(&chain));
    assert_eq!(now[0]["attendee"]["name"], "Bea Gil", "somebody else's part of a chain stays");
    assert_eq!(traces_in(&json!([tickets.rows, orders.rows, now]).to_string()), Vec::<&str>::new());

    // The door knows her tickets, and no name. A scan that comes again gets its answer without it.
    let (token, answer) = &life.scan;
    let again = scan(world, token, "ENTER-1", "scan-1").await;
    assert_eq!((&again["outcome"], &again["ticket"]["name"]), (&answer["outcome"], &json!("—")));
    let entered = scan(world, token, &life.valid, "scan-2").await;
    assert_eq!((&entered["outcome"], &entered["ticket"]["name"]), (&json!("admitted"), &json!("—")));
    assert_eq!(scan(world, token, "HIDDEN-1", "scan-3").await["outcome"], "admitted");

    // Orders that waited are paid still, for nobody.
    let by = world.by();
    for id in [&life.pending, &life.named_in] {
        boxoffice::approve(&world.store, producer.tenant, id, boxoffice::PastHolds::Yes, &by).await.unwrap();
    }
    let names = |tickets: Vec<Value>| tickets.iter().map(|t| t["attendee"]["name"].clone()).collect::<Vec<_>>();
    assert_eq!(names(tickets_of(world, producer, &life.pending).await), ["—", "—"]);
    let mut named = names(tickets_of(world, producer, &life.named_in).await);
    named.sort_by_key(Value::to_string);
    assert_eq!(named, ["Bea Gil", "—"]);
    let page = world.client.send(reqwest::Method::GET, &format!("/shop/v1/orders/{}", life.reference), &[]).await;
    assert_eq!((page.status.as_u16(), traces_in(&page.text)), (200, vec![]), "{}", page.text);
    let repeated = json!({"buyer": person(), "items": [{"ticket_type_id": "tt", "quantity": 2, "attendees": []}]});
    let repeated = place(world, "k2", &repeated).await;
    assert_eq!((repeated.status.as_u16(), traces_in(&repeated.text)), (201, vec![]), "{}", repeated.text);

    // Staff do not find her, in lists, files or the history; receivers are told, and get old messages without her.
    indexing::catch_up(&world.store).await.unwrap();
    for path in ["orders?q=zenobia", "tickets?q=zenobia", "tickets?q=778899", "history", "people"] {
        let text = life.ana.get(&format!("/dashboard/p/pr_a/{path}")).await.text;
        let text = text.replace("value=\"zenobia\"", "").replace("value=\"778899\"", "");
        let shown = text.split_once("<table").map_or("", |(_, table)| table);
        assert_eq!(traces_in(shown), Vec::<&str>::new(), "{path}");
    }
    for file in ["tickets.csv", "orders.jsonl", "scans.csv", "payments.csv"] {
        let text = life.ana.get(&format!("/dashboard/p/pr_a/exports/{file}")).await.text;
        assert!(!text.is_empty() && traces_in(&text).is_empty(), "{file}: {text}");
    }
    let delivered = |events: &[taquilla_store::webhooks::delivery_log::Logged]| {
        events.iter().all(|event| event.status == DeliveryStatus::Delivered)
            && events.iter().any(|event| event.message.kind == MessageKind::OrderPersonErased)
    };
    let told = life.hooks.wait_until(&life.endpoint, delivered).await;
    let erased = told.iter().filter(|event| event.message.kind == MessageKind::TicketPersonErased).count();
    assert_eq!(erased, 6, "one for each ticket");
    assert!(told.iter().all(|event| traces_in(event.message.data.uncovered()).is_empty()));
    // Once more is harmless.
    let again = erase(&world.address);
    assert_eq!((&again["erased"]["orders"], &again["erased"]["tickets"]), (&json!(0), &json!(0)), "{again}");
    assert_eq!(world.findings().await, []);
    let log = Said::of(&mut command(&world.address, &["erasures"])).json();
    assert_eq!((log.as_array().unwrap().len(), &log[0]["digest"]), (2, &log[1]["digest"]), "{log}");
}

async fn everything_that_is_held_is_handed_out(world: World) {
    let life = Life::new(world).await;
    let (world, producer) = (&life.hooks.world, &life.hooks.producer);
    for by in [["--email", "ZENOBIA.QUILL@mail.example"], ["--document", "zq 778899 k"]] {
        let held = Said::of(&mut command(&world.address, &["export", by[0], by[1]])).json();
        assert_eq!(held["producer"]["id"], "pr_a");
        assert_eq!(held["orders"].as_array().unwrap().len(), 3, "{held}");
        assert_eq!(held["tickets"].as_array().unwrap().len(), 6);
        assert_eq!(held["named_in_orders"], json!([with(person(), json!({"order_id": life.named_in}))]));
        assert_eq!(held["team"], Value::Null);
        let bought = held["orders"].as_array().unwrap().iter().find(|order| order["payment_id"] == "pay_1").unwrap();
        assert_eq!((&bought["buyer"], &bought["payments"][0]["id"]), (&person(), &json!("pay_1")));
        let paid_back = held["orders"].as_array().unwrap().iter().find(|order| order["id"] == life.pending).unwrap();
        assert!(paid_back["payments"][0]["note"].as_str().unwrap().contains(NAME), "{paid_back}");
        assert_eq!(paid_back["placed_from"], "127.0.0.1");
        let shown = |id: &str| {
            let mut tickets = held["tickets"].as_array().unwrap().iter();
            tickets.find(|ticket| ticket["ticket"]["id"] == id).unwrap().clone()
        };
        let entered = shown("ENTER-1");
        assert_eq!(entered["scans"][0]["outcome"], "admitted");
        assert_eq!(entered["ticket"], world.client.get("/api/v1/tickets/ENTER-1", &producer.key).await.json());
        shown("HIDDEN-1");
    }
    // What is not in the index of words yet is found too.
    world.raw().await.batch("DELETE FROM search_words; DELETE FROM search_marks").await;
    let much = Said::of(&mut command(&world.address, &["show", "--document", DOCUMENT])).json();
    assert_eq!(
        (&much["orders"], &much["tickets"], &much["named_in_orders"]),
        (&json!(3), &json!(6), &json!(1)),
        "{much}"
    );
    assert_eq!(much["other_emails"], json!([EMAIL.to_lowercase()]));
    assert_eq!((&much["pending_orders"], &much["valid_tickets"]), (&json!(1), &json!(2)), "{much}");
    // It is written down, without her.
    let noted = world.raw().await.rows("SELECT subject, details FROM audit WHERE action = 'person.exported'").await;
    assert_eq!(noted.len(), 2);
    assert!(noted.iter().all(|row| traces_in(&row.join(" ")).is_empty() && row[1].contains("digest")), "{noted:?}");
}

async fn a_person_is_erased_in_the_dashboard(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [
        event("ev"),
        ticket_type("tt", "ev"),
        with(order("or_1", "ev", "tt"), json!({"buyer": person(), "status": "pending"})),
        with(ticket("T1", "ev", "tt"), json!({"attendee": with(person(), json!({"email": "other@mail.example"}))})),
    ];
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let by = [("by", "document"), ("detail", "zq778899k")];
    // Bad input is said beside its field.
    for wrong in ["", "  ", "--"] {
        let page = ana.post("/dashboard/p/pr_a/people/find", &[by[0], ("detail", wrong)]).await;
        assert_eq!(page.status, 422);
        assert!(page.text.contains("detail-error"), "{}", page.text);
    }
    let nobody = ana.post("/dashboard/p/pr_a/people/find", &[("by", "email"), ("detail", "who@x.example")]).await;
    assert!(nobody.text.contains("Nothing is held of this person"), "{}", nobody.text);
    let page = ana.post("/dashboard/p/pr_a/people/find", &by).await;
    assert_eq!(page.status, 200);
    for said in [
        "<dt>Orders</dt><dd>1</dd>",
        "<dt>Tickets</dt><dd>1</dd>",
        "other@mail.example",
        "1 order waits",
        "1 ticket can",
    ] {
        assert!(page.text.contains(said), "{said}: {}", page.text);
    }
    let file = ana.post("/dashboard/p/pr_a/people/export", &by).await;
    assert_eq!((file.status.as_u16(), file.header("cache-control")), (200, "no-store"));
    assert!(file.header("content-disposition").contains("person.json"));
    let held: Value = serde_json::from_str(&file.text).unwrap();
    assert_eq!((&held["orders"][0]["id"], &held["tickets"][0]["ticket"]["id"]), (&json!("or_1"), &json!("T1")));
    // Nothing happens unless somebody says so.
    let unsure = ana.post("/dashboard/p/pr_a/people/erase", &by).await;
    assert_eq!(unsure.status, 422);
    assert!(unsure.text.contains("sure-error"), "{}", unsure.text);
    assert!(!traces(&world.raw().await).await.is_empty());
    let sure = [by[0], by[1], ("sure", "yes")];
    let path = ana.post("/dashboard/p/pr_a/people/erase", &sure).await.leads_to().to_owned();
    let done = until_says(&ana, &path, "work-is-done").await;
    assert!(done.text.contains("<dt>Orders</dt><dd>1</dd>"), "{}", done.text);
    assert_eq!(traces(&world.raw().await).await, Vec::<String>::new());
    assert_eq!(world.findings().await, []);
    let history = ana.get("/dashboard/p/pr_a/history?action=person.erased").await;
    assert!(history.text.contains("ana@x.example") && history.text.contains("Person erased"), "{}", history.text);
    assert_eq!(ana.get(&path.replace("pr_a", "pr_b")).await.status, 404);

    // Somebody who may erase and may not see learns nothing but that there is something.
    let lines =
        [with(ticket("T2", "ev", "tt"), json!({"attendee": with(person(), json!({"email": "other@mail.example"}))}))];
    world.import(producer.tenant, &lines).await;
    let fields = [("name", "Clerk"), ("right", "personal_data.manage")];
    let made = ana.post("/dashboard/p/pr_a/team/roles", &fields).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let role = world.raw().await.rows("SELECT id FROM roles").await[0][0].clone();
    world.user(producer.tenant, "clerk@x.example", &role).await;
    let clerk = Staff::new(&world.client.base);
    clerk.sign_in("clerk@x.example").await;
    let page = clerk.post("/dashboard/p/pr_a/people/find", &by).await;
    assert!(page.text.contains("<dt>Tickets</dt><dd>1</dd>") && !page.text.contains("other@mail"), "{}", page.text);
    assert_eq!(clerk.post("/dashboard/p/pr_a/people/export", &by).await.status, 403);
    // A member of the team is told to be one, and stays one.
    let page = ana.post("/dashboard/p/pr_a/people/find", &[("by", "email"), ("detail", "Clerk@x.example")]).await;
    assert!(page.text.contains("This person is in your team"), "{}", page.text);
    // In Spanish too.
    let spanish = ana.at(&world.client.base).with_header("accept-language", "es");
    let page = spanish.get("/dashboard/p/pr_a/people").await;
    assert!(page.text.contains("Datos personales") && page.text.contains("lang=\"es\""), "{}", page.text);
}

async fn erasing_goes_on_while_people_buy_and_enter(world: World) {
    let producer = world.producer("pr_a").await;
    let tickets =
        (0..200).map(|number| with(ticket(&format!("T{number:03}"), "ev", "tt"), json!({"attendee": person()})));
    let item = with(ticket_type("tt", "ev"), json!({"price": 0}));
    let lines: Vec<Value> = [event("ev"), item].into_iter().chain(tickets).collect();
    world.import(producer.tenant, &lines).await;
    let (token, _) = world.door(producer.tenant, "ev", &[Category::Ticket]).await;
    let mut poller = Poller::new(world.client.clone(), &producer.key, ("tickets", "updated_after", "updated_at"), 9);
    let named = taquilla_domain::whom::Named::email(EMAIL).unwrap();
    let piece = admin::people::begin_erasure(&world.store, producer.tenant, &named, &world.by()).await.unwrap();
    let (world, token) = (&world, &token);
    let buying = async {
        for number in 0..40 {
            let cart = json!({"buyer": bea(), "items": [{"ticket_type_id": "tt", "quantity": 1}]});
            assert_eq!(place(world, &format!("k{number}"), &cart).await.status, 201);
        }
    };
    let entering = async {
        for number in (0..200).rev().step_by(5) {
            let answer = scan(world, token, &format!("T{number:03}"), &format!("s{number}")).await;
            assert_eq!(answer["outcome"], "admitted");
        }
    };
    let polling = async {
        for _ in 0..10 {
            poller.poll().await;
        }
    };
    let time = world.time();
    let erasing = taquilla_rules::work::erase_now(&world.store, &time, &piece);
    let (done, ..) = tokio::join!(erasing, buying, entering, polling);
    assert!(done.unwrap().finished_at.is_some());
    indexing::catch_up(&world.store).await.unwrap();
    assert_eq!(traces(&world.raw().await).await, Vec::<String>::new());
    poller.poll().await;
    assert_eq!(poller.rows.len(), 240);
    assert_eq!(traces_in(&json!(poller.rows).to_string()), Vec::<&str>::new(), "a mirror has what is held");
    assert_eq!(poller.rows, crate::harness::everything(&world.client, &producer.key, "tickets").await);
    assert_eq!(world.findings().await, []);
}

async fn who_buys_again_while_being_erased_is_named_everywhere_or_nowhere(world: World) {
    let world = world.reopened(without_shop_limits(), PostgresTimeouts::default()).await;
    let producer = world.producer("pr_a").await;
    let item = with(ticket_type("tt", "ev"), json!({"price": 0}));
    world.import(producer.tenant, &[event("ev"), item]).await;
    let cart = json!({"buyer": person(), "items": [{"ticket_type_id": "tt", "quantity": 1}]});
    for number in 0..120 {
        assert_eq!(place(&world, &format!("before{number}"), &cart).await.status, 201);
    }
    let named = taquilla_domain::whom::Named::email(EMAIL).unwrap();
    let piece = admin::people::begin_erasure(&world.store, producer.tenant, &named, &world.by()).await.unwrap();
    let (time, is_over) = (world.time(), std::sync::atomic::AtomicBool::new(false));
    let erasing = async {
        let done = taquilla_rules::work::erase_now(&world.store, &time, &piece).await.unwrap();
        is_over.store(true, std::sync::atomic::Ordering::SeqCst);
        done
    };
    let buying = async {
        let mut number = 0;
        while number < 100 && !is_over.load(std::sync::atomic::Ordering::SeqCst) {
            assert_eq!(place(&world, &format!("meanwhile{number}"), &cart).await.status, 201);
            number += 1;
        }
        number
    };
    let (done, bought) = tokio::join!(erasing, buying);
    assert!(done.finished_at.is_some() && bought > 0);
    // Each order and its ticket, all messages about them, and what the buyer was answered say the same.
    let raw = world.raw().await;
    let sql = "SELECT o.id, t.id, o.buyer_name, t.attendee_name FROM orders o JOIN tickets t \
        ON t.producer_id = o.producer_id AND t.order_id = o.id";
    let rows = raw.rows(sql).await;
    assert_eq!(rows.len(), 120 + bought);
    let mut names = std::collections::HashMap::new();
    for row in &rows {
        assert_eq!(row[2], row[3], "{row:?}");
        names.extend([(row[0].clone(), row[2].clone()), (row[1].clone(), row[2].clone())]);
    }
    assert!(rows.iter().filter(|row| row[2] == "—").count() >= 120);
    let texts = raw.rows("SELECT data FROM outbox WHERE kind LIKE 'order.%' OR kind LIKE 'ticket.%'").await;
    let answers = raw.rows("SELECT answer FROM idempotency_keys").await;
    for text in texts.iter().chain(&answers) {
        let text: Value = serde_json::from_str(&text[0]).unwrap();
        let about = text.get("order").unwrap_or(&text);
        let Some(named) = about.get("buyer").or(about.get("attendee")) else { continue };
        assert_eq!(named["name"], *names[about["id"].as_str().unwrap()], "{about}");
    }
    assert_eq!(world.findings().await, []);
}

async fn an_erasure_survives_the_end_of_its_server(mut world: World) {
    let producer = world.producer("pr_a").await;
    let many = ERASED_TOGETHER * 6;
    let tickets =
        (0..many).map(|number| with(ticket(&format!("T{number:03}"), "ev", "tt"), json!({"attendee": person()})));
    let lines: Vec<Value> = [event("ev"), ticket_type("tt", "ev")].into_iter().chain(tickets).collect();
    world.import(producer.tenant, &lines).await;
    let ana = world.staff(producer.tenant, "ana@x.example", BuiltInRole::Administrator).await;
    let form = [("by", "email"), ("detail", EMAIL), ("sure", "yes")];
    let path = ana.post("/dashboard/p/pr_a/people/erase", &form).await.leads_to().to_owned();
    let erased = "SELECT id FROM tickets WHERE attendee_email = ''";
    while world.raw().await.rows(erased).await.is_empty() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    world.server.stop().await;
    let (_server, client) = world.another_server(Config::default()).await;
    let ana = ana.at(&client.base);
    // Who asks again comes to the same piece of work, as long as it runs.
    let again = ana.post("/dashboard/p/pr_a/people/erase", &form).await.leads_to().to_owned();
    world.step(2 * WORK_LEASE);
    until_says(&ana, &path, "work-is-done").await;
    until_says(&ana, &again, "work-is-done").await;
    assert_eq!(traces(&world.raw().await).await, Vec::<String>::new());
    let messages = world.raw().await.rows("SELECT id FROM outbox WHERE kind = 'ticket.person_erased'").await;
    assert_eq!(messages.len(), many, "each ticket was erased once");
    assert_eq!(world.findings().await, []);
}

/// Whoever writes the index may have read the rows before they were erased.
async fn words_that_are_being_written_do_not_bring_a_person_back(world: World) {
    use taquilla_store::search::{entries, marks};
    let producer = world.producer("pr_a").await;
    let lines = [event("ev"), ticket_type("tt", "ev"), with(ticket("T1", "ev", "tt"), json!({"attendee": person()}))];
    world.import(producer.tenant, &lines).await;
    // A server without a row in the index, and one with: both were about to write what they read.
    for has_mark in [false, true] {
        world.raw().await.batch("DELETE FROM search_words").await;
        if !has_mark {
            world.raw().await.batch("DELETE FROM search_marks").await;
        }
        let mut conn = world.store.read().await.unwrap();
        let from = marks::of(&mut conn, producer.tenant).await.unwrap();
        let clock = marks::clock(&mut conn, producer.tenant).await.unwrap().unwrap();
        let tickets =
            marks::tickets_after(&mut conn, producer.tenant, marks::Mark::NOTHING.tickets, clock).await.unwrap();
        drop(conn);
        let words: Vec<_> = tickets.rows.iter().flat_map(|(seq, state)| entries::of_ticket(state, *seq)).collect();
        assert!(words.len() > 5, "the row was read with the person");
        erase(&world.address);
        let to = marks::Mark { tickets: tickets.up_to, ..from };
        let mut tx = world.store.begin_unstamped().await.unwrap();
        let moved = marks::advance(&mut tx, producer.tenant, from, to).await.unwrap();
        tx.end(Ok::<_, taquilla_store::Error>(())).await.unwrap();
        assert!(!moved, "what was read before the erasure is not written");
        let again = with(ticket(&format!("T{has_mark}"), "ev", "tt"), json!({"attendee": person()}));
        world.import(producer.tenant, &[again]).await;
    }
    erase(&world.address);
    indexing::catch_up(&world.store).await.unwrap();
    assert_eq!(traces(&world.raw().await).await, Vec::<String>::new());
    assert_eq!(world.findings().await, []);
}

async fn two_producers_know_nothing_of_each_other(world: World) {
    let (own, other) = (world.producer("pr_a").await, world.producer("pr_b").await);
    for producer in [&own, &other] {
        let lines = [
            event("ev"),
            ticket_type("tt", "ev"),
            with(order("or_1", "ev", "tt"), json!({"buyer": person()})),
            with(ticket("T1", "ev", "tt"), json!({"order_id": "or_1", "attendee": person()})),
            // Others with nearly the same details stay.
            with(ticket("T2", "ev", "tt"), json!({"attendee": {"name": "A", "email": "zenobia-quill@mail.example"}})),
            with(ticket("T3", "ev", "tt"), json!({"attendee": {"name": "B", "identity_document": "ZQ-778899-KK"}})),
        ];
        world.import(producer.tenant, &lines).await;
    }
    indexing::catch_up(&world.store).await.unwrap();
    let theirs = crate::harness::everything(&world.client, &other.key, "tickets").await;
    erase(&world.address);
    assert_eq!(crate::harness::everything(&world.client, &other.key, "tickets").await, theirs);
    let buyer = world.client.get("/api/v1/orders/or_1", &other.key).await.json()["buyer"].clone();
    assert_eq!(buyer, person());
    let mine = crate::harness::everything(&world.client, &own.key, "tickets").await;
    let names: Vec<&Value> = mine.values().map(|ticket| &ticket["attendee"]["name"]).collect();
    assert_eq!(names, ["—", "A", "B"]);
    // The words of the others are left.
    let words = world.raw().await.rows("SELECT producer_id FROM search_words WHERE word LIKE 'zenobia%'").await;
    assert!(words.iter().any(|row| row[0] == other.tenant.number().to_string()));
    assert_eq!(world.findings().await, []);
}

async fn old_events_lose_their_people_by_themselves(mut world: World) {
    let producer = world.producer("pr_a").await;
    let dated = |id: &str, starts: &str, ends: Value| with(event(id), json!({"starts_at": starts, "ends_at": ends}));
    let mut lines = vec![
        dated("ev_old", "2026-07-01T20:00:00Z", json!("2026-07-02T02:00:00Z")),
        dated("ev_no_end", "2026-07-01T20:00:00Z", Value::Null),
        dated("ev_new", "2026-10-25T20:00:00Z", json!("2026-10-26T02:00:00Z")),
        event("ev_undated"),
    ];
    let events = ["ev_old", "ev_no_end", "ev_new", "ev_undated"];
    for id in events {
        let (item, bought) = (format!("tt_{id}"), format!("or_{id}"));
        lines.push(ticket_type(&item, id));
        lines.push(with(order(&bought, id, &item), json!({"buyer": person()})));
        lines.push(with(ticket(&format!("T-{id}"), id, &item), json!({"order_id": bought, "attendee": bea()})));
        lines.push(with(ticket(&format!("H-{id}"), id, &item), json!({"hidden": true, "attendee": person()})));
    }
    world.import(producer.tenant, &lines).await;
    let old_message =
        json!({"id": "T-ev_old", "event_id": "ev_old", "attendee": with(person(), json!({"id": "at_1"}))});
    let old_message = format!(
        "UPDATE outbox SET kind = 'ticket.issued', data = '{old_message}' WHERE seq = (SELECT min(seq) FROM outbox)"
    );
    world.raw().await.batch(&old_message).await;
    // Nobody is erased unless the producer wants it.
    let cleared = "SELECT event_id FROM orders WHERE buyer_email = '' UNION ALL SELECT event_id FROM tickets WHERE attendee_email = '' ORDER BY 1";
    let rows = async |world: &World| {
        world.raw().await.rows(cleared).await.into_iter().map(|row| row[0].clone()).collect::<Vec<_>>()
    };
    // Another producer wants to keep its people.
    let other = world.producer("pr_b").await;
    world.import(other.tenant, &lines).await;
    world.step(Duration::from_hours(3));
    let set = |days: &str| {
        let mut command = taquilla(&world.address);
        command.args(["producer", "change", "--producer", "pr_a", "--retention-days", days, "--json"]);
        Said::of(&mut command)
    };
    for wrong in ["0", "-1", "3651", "soon"] {
        assert_eq!(set(wrong).code, Some(2), "{wrong}");
    }
    // A check says so if it is set and no server does it.
    world.server.stop().await;
    assert_eq!(set("90").json()["retention_days"], 90);
    let mut late: Vec<_> = world.findings().await.into_iter().map(|finding| (finding.kind, finding.id)).collect();
    late.sort();
    assert_eq!(late, [("event", "ev_no_end".to_owned()), ("event", "ev_old".to_owned())]);
    let (_server, client) = world.another_server(Config::default()).await;
    world.client = client.clone();
    let mut poller = Poller::new(client.clone(), &producer.key, ("tickets", "updated_after", "updated_at"), 50);
    poller.poll().await;
    world.step(Duration::from_hours(2));
    let done = "SELECT state FROM work WHERE kind = 'retention' AND state = 'done'";
    assert!(until(async || !world.raw().await.rows(done).await.is_empty()).await);
    let both = ["ev_no_end", "ev_no_end", "ev_no_end", "ev_old", "ev_old", "ev_old"];
    assert_eq!(rows(&world).await, both);
    let message = world.raw().await.rows("SELECT data FROM outbox WHERE kind = 'ticket.issued'").await;
    assert_eq!(traces_in(&message[0][0]), Vec::<&str>::new(), "{message:?}");
    assert_eq!(world.findings().await, []);
    let before = poller.rows.clone();
    poller.poll().await;
    let changed = poller.rows.iter().filter(|(id, row)| before[*id] != **row).count();
    assert_eq!(changed, 2, "mirrors learn of it");
    // What comes to an old event later goes too; nothing else is touched again.
    let stamps = world.raw().await.rows("SELECT id, updated_at FROM tickets ORDER BY id, producer_id").await;
    let late = with(ticket("LATE", "ev_old", "tt_ev_old"), json!({"attendee": person()}));
    world.import(producer.tenant, &[late]).await;
    world.step(Duration::from_hours(2));
    let gone = "SELECT id FROM tickets WHERE id = 'LATE' AND attendee_email = ''";
    assert!(until(async || !world.raw().await.rows(gone).await.is_empty()).await);
    let now =
        world.raw().await.rows("SELECT id, updated_at FROM tickets WHERE id <> 'LATE' ORDER BY id, producer_id").await;
    assert_eq!(now, stamps);
    // The page of the settings says and changes it.
    world.user(producer.tenant, "ana@x.example", "administrator").await;
    let ana = Staff::new(&client.base);
    ana.sign_in("ana@x.example").await;
    assert!(ana.get("/dashboard/p/pr_a/settings").await.text.contains("value=\"90\""));
    for wrong in ["0", "x", "-3", "99999"] {
        let page = ana.post("/dashboard/p/pr_a/settings/retention", &[("retention_days", wrong)]).await;
        assert_eq!(page.status, 422, "{wrong}");
        assert!(page.text.contains("retention_days-error") && page.text.contains("pr_a Ltd"), "{}", page.text);
    }
    // A shorter time erases people, so whoever sets it says that they mean it. A longer one does not.
    let shorter = ana.post("/dashboard/p/pr_a/settings/retention", &[("retention_days", "1")]).await;
    assert_eq!(shorter.status, 422);
    assert!(shorter.text.contains("sure-error") && shorter.text.contains("value=\"1\""), "{}", shorter.text);
    assert_eq!(world.raw().await.rows("SELECT retention_days FROM producers ORDER BY id").await, [["90"], ["NULL"]]);
    let sure = [("retention_days", "89"), ("sure", "yes")];
    assert_eq!(
        ana.post("/dashboard/p/pr_a/settings/retention", &sure).await.leads_to(),
        "/dashboard/p/pr_a/settings?done=saved"
    );
    ana.post("/dashboard/p/pr_a/settings/retention", &[("retention_days", "91")]).await.leads_to();
    // Administering alone is not enough: it needs the right that erasing a person needs.
    let clerk = with_rights(&world, &producer, "clerk@x.example", &["producer.administer"]).await;
    assert!(!clerk.get("/dashboard/p/pr_a/settings").await.text.contains("retention_days"));
    assert_eq!(clerk.post("/dashboard/p/pr_a/settings/retention", &sure).await.status, 403);
    ana.post("/dashboard/p/pr_a/settings/retention", &[("retention_days", "")]).await.leads_to();
    assert_eq!(world.raw().await.rows("SELECT retention_days FROM producers").await, [["NULL"], ["NULL"]]);
}

async fn a_restored_backup_is_erased_again(world: World) {
    let folder = tempfile::tempdir().unwrap();
    let producer = world.producer("pr_a").await;
    let lines = [
        event("ev"),
        ticket_type("tt", "ev"),
        with(order("or_1", "ev", "tt"), json!({"buyer": person()})),
        with(ticket("T1", "ev", "tt"), json!({"order_id": "or_1", "attendee": person()})),
        with(ticket("T2", "ev", "tt"), json!({"attendee": bea()})),
    ];
    world.import(producer.tenant, &lines).await;
    let (file, _) = back_up(&world.address, folder.path());
    erase(&world.address);
    let (after, _) = back_up(&world.address, folder.path());
    let list = folder.path().join("erasures.json");
    let printed = Said::of(taquilla(&world.address).args(["person", "erasures", "--json"]));
    fs::write(&list, &printed.output).unwrap();
    assert_eq!((printed.json().as_array().unwrap().len(), traces_in(&printed.output)), (1, vec![]));
    let nonsense = folder.path().join("nonsense.json");
    fs::write(&nonsense, "[{\"id\": 1}]").unwrap();
    for (erased, engine) in [(true, world.engine), (true, other(world.engine)), (false, world.engine)] {
        let address = new_address(engine, &folder.path().join(format!("{:x}", rand::random::<u64>()))).await;
        let restore = |erased: Option<&std::path::Path>| {
            let mut command = taquilla(&address);
            command.args(["restore", "--json"]).arg(&file);
            if let Some(list) = erased {
                command.arg("--erased").arg(list);
            }
            Said::of(&mut command)
        };
        restore(Some(&nonsense)).failed(2, &["--erased", "person erasures --json"]);
        let said = restore(Some(list.as_path()).filter(|_| erased)).json();
        assert_eq!(said["erasures"], u64::from(erased), "{said}");
        let raw = Raw::open(&address).await;
        assert!(!traces(&raw).await.is_empty(), "the backup has the person");
        if !erased {
            continue;
        }
        let store = Store::open(&address, Open::Existing).await.unwrap();
        let server = Server::start(store, Config::default(), taquilla_domain::time_source::TimeSource::System).await;
        assert!(until(async || traces(&raw).await.is_empty()).await, "{:?}", traces(&raw).await);
        let client = crate::harness::Client::new(server.address);
        let bea = client.get("/api/v1/tickets/T2", &producer.key).await.json();
        assert_eq!(bea["attendee"]["name"], "Bea Gil");
    }
    // A backup that knows the erasure does not do it again.
    let address = new_address(world.engine, &folder.path().join("last")).await;
    let said = Said::of(taquilla(&address).args(["restore", "--json"]).arg(&after).arg("--erased").arg(&list)).json();
    assert_eq!(said["erasures"], 0);
}

async fn a_command_asks_before_it_erases(world: World) {
    let producer = world.producer("pr_a").await;
    let lines = [event("ev"), ticket_type("tt", "ev"), with(ticket("T1", "ev", "tt"), json!({"attendee": person()}))];
    world.import(producer.tenant, &lines).await;
    let before = world.contents(&[]).await;
    let run = |arguments: &[&str]| {
        Said::of(taquilla(&world.address).arg("person").args(arguments).args(["--producer", "pr_a"]))
    };
    let asked = run(&["erase", "--email", EMAIL]);
    assert_eq!(asked.code, Some(1), "{asked:?}");
    assert!(asked.output.contains("tickets") && asked.error.contains("--yes"), "{asked:?}");
    for (wrong, says) in [
        (&["erase", "--email", "  ", "--yes"][..], "e-mail address"),
        (&["erase", "--document=--", "--yes"], "identity document"),
        (&["erase", "--yes"], "--email"),
        (&["erase", "--email", EMAIL, "--document", DOCUMENT, "--yes"], "cannot be used with"),
    ] {
        let said = run(wrong);
        assert!(said.code == Some(2) && said.error.contains(says), "{said:?}");
    }
    assert_eq!(world.contents(&[]).await, before, "nothing was changed");
}
