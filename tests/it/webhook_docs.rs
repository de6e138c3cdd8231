//! The pages on webhooks show exactly what is sent, and show every kind of message.

use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::PathBuf,
    time::Duration,
};

use serde_json::json;
use taquilla_domain::{
    clock::Stamp,
    config::WEBHOOK_LADDER,
    door_link::{LinkOption, NewDoorLink},
    door_note::DoorNote,
    person::Person,
    signature::SigningSecret,
    stock::Channel,
    webhook::{EndpointState, MessageKind},
    whom::{Named, Whom},
};
use taquilla_rules::boxoffice::{self, ItemRequest, OrderRequest, Placed};
use taquilla_store::webhooks::delivery_log::Logged;

use crate::harness::{
    Engine, Hooks, World, event,
    receiver::{Behaviour, Received, Receiver},
    ticket_type, with,
};

const BEFORE: &str = "<!-- example ";
const BEGIN: &str = " -->\n```json\n";
const END: &str = "\n```\n";

const PAGE: &str = "webhooks.md";
const MESSAGES: &str = "webhook-messages.md";
const ENDPOINTS: &str = "webhook-endpoints.md";

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)
}

fn document(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap()
}

both_engines![every_example_is_what_is_sent,];

async fn every_example_is_what_is_sent(world: World) {
    let hooks = Hooks::new(world).await;
    let (plain, personal) = (Receiver::start(Behaviour::ok()).await, Receiver::start(Behaviour::ok()).await);
    let kinds: Vec<MessageKind> =
        MessageKind::ALL.iter().copied().filter(|kind| *kind != MessageKind::WebhookTest).collect();
    let endpoint = hooks.endpoint(&plain.url("/hook"), &kinds).await;
    hooks.endpoint_with(&personal.url("/hook"), &kinds, true).await;
    make_one_of_each(&hooks).await;
    hooks.world.step(Duration::from_mins(1));
    hooks.send_test(&endpoint).await;
    // Messages get their places in order, so once the test message is there, all are.
    let is_last = |event: &Logged| event.message.kind == MessageKind::WebhookTest;
    let sent = hooks.wait_until(&endpoint, |events| events.last().is_some_and(is_last)).await.len();

    let examples = examples(plain.wait_for(sent).await, personal.wait_for(sent - 1).await);
    let mut document = document(MESSAGES);
    if std::env::var_os("TAQUILLA_WRITE_EXAMPLES").is_some() && hooks.world.engine == Engine::Sqlite {
        for (name, example) in &examples {
            let marker = format!("{BEFORE}{name}{BEGIN}");
            let before =
                shown(&document).remove(name).unwrap_or_else(|| panic!("docs/{MESSAGES} has no place for {name}"));
            document = document.replace(&format!("{marker}{before}{END}"), &format!("{marker}{example}{END}"));
        }
        fs::write(path(MESSAGES), &document).unwrap();
    }
    let shown = shown(&document);
    for (name, example) in &examples {
        assert_eq!(
            shown.get(name),
            Some(example),
            "{name} in docs/{MESSAGES} is not what is sent: run `make examples` and look at the difference"
        );
    }
    assert_eq!(shown.len(), examples.len(), "an example of what is never sent: {:?}", shown.keys());
}

#[test]
fn every_kind_and_every_state_is_explained() {
    let (document, endpoints) = (document(PAGE), document(ENDPOINTS));
    for kind in MessageKind::ALL {
        assert!(document.contains(&format!("| `{}` |", kind.as_str())), "{}", kind.as_str());
    }
    for state in EndpointState::ALL {
        assert!(endpoints.contains(&format!("| `{}` |", state.as_str())), "{}", state.as_str());
    }
}

#[test]
fn the_request_that_is_shown_was_signed_with_the_secret_that_is_shown() {
    let document = document(PAGE);
    let secret = document.split_whitespace().find_map(SigningSecret::parse).unwrap();
    let (_, request) = document.split_once("POST /hook HTTP/1.1\n").unwrap();
    let (head, body) = request.split_once("\n```").unwrap().0.split_once("\n\n\n").unwrap();
    let headers: HashMap<&str, &str> = head.lines().map(|line| line.split_once(": ").unwrap()).collect();
    let (id, timestamp) = (headers["webhook-id"], headers["webhook-timestamp"]);
    assert!(secret.verify(id, timestamp, body.as_bytes(), headers["webhook-signature"]));
}

#[test]
fn the_table_of_attempts_is_the_ladder() {
    let mut table = "| attempt | after the one before | after the first |\n|---|---|---|\n| 1 | | |\n".to_owned();
    let mut since = Duration::ZERO;
    for (step, attempt) in WEBHOOK_LADDER.iter().zip(2..) {
        since += *step;
        table += &format!("| {attempt} | {} | {} |\n", spoken(*step), spoken(since));
    }
    assert!(document(PAGE).contains(&format!("{table}\n")), "docs/webhooks.md should have this table:\n{table}");
}

/// Makes moves that lead to messages of every kind except the test. No refunded order has two tickets, because the
/// order of their messages could vary.
async fn make_one_of_each(hooks: &Hooks) {
    let (store, tenant) = (&hooks.world.store, hooks.producer.tenant);
    let next = || {
        hooks.world.step(Duration::from_mins(1));
        hooks.world.now()
    };
    let named = |line, name: &str| with(line, serde_json::json!({"name": name}));
    let catalogue = [named(event("ev_first"), "First night"), named(ticket_type("tt_entry", "ev_first"), "Entrance")];
    next();
    hooks.world.import(tenant, &catalogue).await;
    let place = async |quantity| {
        let buyer = Person { name: "Ana Ruiz".into(), email: "ana@example.com".into(), ..Person::default() };
        let ticket_type_id = "tt_entry".into();
        let item = ItemRequest { ticket_type_id, quantity, unit_price: None, attendees: vec![], access_code: None };
        let request = OrderRequest::new("ev_first".into(), buyer, vec![item], Channel::Public);
        match boxoffice::place(store, tenant, &request, None, next()).await.unwrap() {
            Placed::New(placed) => placed.order.id,
            Placed::Before(_) => panic!("no key was given"),
        }
    };
    let approve = async |order_id: &str| {
        boxoffice::approve(store, tenant, order_id, boxoffice::PastHolds::No, next()).await.unwrap();
        hooks.world.client.get(&format!("/api/v1/tickets?order_id={order_id}"), &hooks.producer.key).await.ids()
    };

    let tickets = approve(&place(2).await).await;
    boxoffice::scan(store, tenant, &tickets[1], "Gate 1", next()).await.unwrap();
    let luis = Person { name: "Luis Gil".into(), ..Person::default() };
    let passed_on = boxoffice::transfer(store, tenant, &tickets[0], &luis, next()).await.unwrap();
    boxoffice::cancel(store, tenant, &passed_on, next()).await.unwrap();
    let unpaid = place(1).await;
    boxoffice::reject(store, tenant, &unpaid, next()).await.unwrap();
    let returned = place(1).await;
    approve(&returned).await;
    boxoffice::refund(store, tenant, &returned, next()).await.unwrap();
    boxoffice::hide(store, tenant, &tickets[1], next()).await.unwrap();
    let ana = Whom::Named(Named::email("ana@example.com").unwrap());
    assert_eq!(boxoffice::erase_buyers(store, tenant, &[&returned], &ana, Stamp::END, next()).await.unwrap(), 1);
    assert_eq!(boxoffice::erase_attendees(store, tenant, &[&tickets[0]], &ana, Stamp::END, next()).await.unwrap(), 1);

    let mistaken = approve(&place(1).await).await.remove(0);
    let options = [LinkOption::Undo].into_iter().collect();
    let new = NewDoorLink { options, ..World::new_door("ev_first", &[]) };
    let bearer = format!("Bearer {}", hooks.world.door_link(tenant, new).await.0);
    let calls =
        [("scan", json!({"code": mistaken, "scan_id": "s"})), ("undo", json!({"scan_id": "s", "undo_id": "u"}))];
    for (call, body) in calls {
        next();
        let headers = [("authorization", bearer.as_str())];
        assert_eq!(hooks.world.client.post(&format!("/door/v1/{call}"), &headers, &body).await.status, 200);
    }
    boxoffice::note(store, tenant, &mistaken, DoorNote::parse("VIP").unwrap(), next()).await.unwrap();
}

/// The first message of each kind, and one with personal data, with ids that are the same in every run.
fn examples(plain: Vec<Received>, personal: Vec<Received>) -> BTreeMap<String, String> {
    let mut ids = StableIds::default();
    let mut examples = BTreeMap::new();
    for (mut received, addition) in [(plain, ""), (personal, " with personal data")] {
        // Several requests are under way at the same time, so they may arrive in any order.
        received.sort_by_key(Received::sequence);
        for request in received {
            let body = pretty(&ids.replace(&request.body));
            examples.entry(format!("{}{addition}", request.kind())).or_insert(body);
        }
    }
    let full = format!("{} with personal data", MessageKind::TicketScanned.as_str());
    examples.retain(|name, _| MessageKind::parse(name).is_some() || *name == full);
    assert_eq!(examples.len(), MessageKind::ALL.len() + 1, "every kind was sent: {:?}", examples.keys());
    examples
}

/// The examples in the document, by the names in their markers.
fn shown(document: &str) -> BTreeMap<String, String> {
    let mut shown = BTreeMap::new();
    for rest in document.split(BEFORE).skip(1) {
        let (name, rest) = rest.split_once(BEGIN).expect("a marker is followed by a block of JSON");
        let (example, _) = rest.split_once(END).expect("a block ends");
        assert!(shown.insert(name.to_owned(), example.to_owned()).is_none(), "{name} is there twice");
    }
    shown
}

/// Replaces random ids by readable ones. The same id gets the same replacement, counted for each prefix in order of
/// appearance.
#[derive(Default)]
struct StableIds {
    stable: HashMap<String, String>,
    counts: HashMap<String, usize>,
}

impl StableIds {
    fn replace(&mut self, body: &str) -> String {
        let texts = body.split('"').map(|text| if is_random(text) { self.stable(text) } else { text.to_owned() });
        texts.collect::<Vec<_>>().join("\"")
    }

    fn stable(&mut self, id: &str) -> String {
        if let Some(stable) = self.stable.get(id) {
            return stable.clone();
        }
        let prefix = &id[..id.len() - RANDOM];
        let count = self.counts.entry(prefix.to_owned()).or_default();
        *count += 1;
        // The replacement has the length and the letters of a real id.
        let stable = format!("{prefix}{}{count:02}", "EXAMP1E0".repeat(3));
        self.stable.insert(id.to_owned(), stable.clone());
        stable
    }
}

/// How many characters of an id are random or contain the time.
const RANDOM: usize = 26;

/// Whether this is an id that differs in every run: a ticket's, or another one with a prefix.
fn is_random(text: &str) -> bool {
    let letters = text.split_once('_').map_or(text, |(_, letters)| letters);
    letters.len() == RANDOM && letters.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// Formats JSON for reading, with its fields in the order in which they were sent.
fn pretty(json: &str) -> String {
    let (mut laid_out, mut depth, mut in_text, mut escaped) = (String::new(), 0, false, false);
    for letter in json.chars() {
        let new_line = |depth| format!("\n{}", "  ".repeat(depth));
        match letter {
            _ if in_text => {
                laid_out.push(letter);
                in_text = letter != '"' || escaped;
                escaped = letter == '\\' && !escaped;
                continue;
            }
            '{' | '[' => {
                depth += 1;
                laid_out.push(letter);
                laid_out += &new_line(depth);
            }
            '}' | ']' => {
                depth -= 1;
                laid_out += &new_line(depth);
                laid_out.push(letter);
            }
            ',' => laid_out += &format!(",{}", new_line(depth)),
            ':' => laid_out += ": ",
            letter => laid_out.push(letter),
        }
        in_text = letter == '"';
    }
    laid_out
}

/// A span of time as the document writes it: `1 min 5 s`.
fn spoken(span: Duration) -> String {
    let seconds = span.as_secs();
    let parts = [(seconds / 3_600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")];
    let said: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count} {unit}")).collect();
    said.join(" ")
}
