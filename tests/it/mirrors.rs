//! A mirror that follows the documented rules ends with exactly what the API shows, whatever is renamed, changed,
//! created, deleted and hidden meanwhile.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use rand::{
    RngExt, SeedableRng,
    rngs::StdRng,
    seq::{IndexedRandom, SliceRandom},
};
use serde_json::{Value, json};
use taquilla_domain::{
    money::Amount,
    person::Person,
    status::{EventStatus, TypeStatus},
    stock::Channel,
    text::Name,
    webhook::{DeliveryStatus, MessageKind},
};
use taquilla_rules::{
    admin::catalogue::{self, Content, EventChange, NewInclude, NewItem, TicketTypeChange},
    boxoffice::{self, ItemRequest, OrderRequest},
};
use taquilla_store::{ChangeError, ChangeResult};

use crate::harness::{
    Client, Hooks, Producer, World, event, new_event, new_item,
    receiver::{Behaviour, Received, Receiver},
    seed, ticket, ticket_type, until, with,
};

const STEPS: usize = 120;

type Rows = BTreeMap<String, Value>;

/// What a client keeps of a producer, by id.
#[derive(Clone, Debug, Default)]
struct Mirror {
    events: Rows,
    ticket_types: Rows,
    tickets: Rows,
    /// Tickets that left the books.
    hidden: BTreeSet<String>,
}

impl Mirror {
    /// Applies a message by the documented rule: only what is newer is kept, and nothing of a hidden ticket.
    fn take(&mut self, message: &Value) {
        let data = &message["data"];
        let id = data["id"].as_str().unwrap().to_owned();
        let (kind, _) = message["type"].as_str().unwrap().split_once('.').unwrap();
        if message["type"] == "ticket.hidden" {
            self.tickets.remove(&id);
            self.hidden.insert(id);
            return;
        }
        let rows = match kind {
            "event" => &mut self.events,
            "ticket_type" => &mut self.ticket_types,
            "ticket" if !self.hidden.contains(&id) => &mut self.tickets,
            _ => return,
        };
        let is_newer = |row: &Value| data["updated_at"].as_str() > row["updated_at"].as_str();
        if rows.get(&id).is_none_or(is_newer) {
            rows.insert(id, data.clone());
        }
    }

    /// Everything, joined as the API shows it: a ticket has the present name of its ticket type. Counts are left out,
    /// because sales change them without a stamp.
    fn shown(&self) -> [Rows; 3] {
        let mut tickets = self.tickets.clone();
        for ticket in tickets.values_mut() {
            let of = &self.ticket_types[ticket["ticket_type"]["id"].as_str().unwrap()];
            ticket["ticket_type"] = json!({"id": of["id"], "name": of["name"], "category": of["category"]});
        }
        let mut ticket_types = self.ticket_types.clone();
        for row in ticket_types.values_mut() {
            for count in ["sold", "available"] {
                row.as_object_mut().unwrap().remove(count);
            }
        }
        [self.events.clone(), ticket_types, tickets]
    }
}

/// A client of the read API.
struct Reader {
    client: Client,
    key: String,
    /// Rows of a page: few, so that there are many cursors.
    limit: usize,
}

impl Reader {
    fn new(world: &World, producer: &Producer) -> Self {
        Self { client: world.client.clone(), key: producer.key.clone(), limit: 7 }
    }

    /// One traversal of a list.
    async fn traverse(&self, list: &str, filter: &str) -> Vec<Value> {
        let (mut rows, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("/api/v1/{list}?limit={}{filter}{cursor}", self.limit);
            let page = self.client.get(&path, &self.key).await;
            rows.extend(page.data());
            match page.json()["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return rows,
            }
        }
    }

    async fn ticket_types(&self, event_id: &str) -> Vec<Value> {
        let path = format!("/api/v1/events/{event_id}/ticket-types?include_deleted=true");
        self.client.get(&path, &self.key).await.data()
    }

    /// All that the API shows.
    async fn everything(&self) -> Mirror {
        let mut mirror = Mirror::default();
        for event in self.traverse("events", "").await {
            mirror.ticket_types.extend(by_id(self.ticket_types(event["id"].as_str().unwrap()).await));
            mirror.events.extend(by_id(vec![event]));
        }
        mirror.tickets = by_id(self.traverse("tickets", "").await);
        mirror
    }
}

fn by_id(rows: Vec<Value>) -> Rows {
    rows.into_iter().map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect()
}

fn highest(rows: &[Value], mark: &str) -> String {
    let stamps = rows.iter().map(|row| row["updated_at"].as_str().unwrap());
    stamps.max().filter(|stamp| *stamp > mark).unwrap_or(mark).to_owned()
}

/// A mirror that polls, with its marks.
struct Poller {
    reader: Reader,
    mirror: Mirror,
    events_mark: String,
    tickets_mark: String,
}

impl Poller {
    fn new(reader: Reader) -> Self {
        let beginning = "1970-01-01T00:00:00.000000Z".to_owned();
        Self { reader, mirror: Mirror::default(), events_mark: beginning.clone(), tickets_mark: beginning }
    }

    /// The documented rule: an event that changed tells that its ticket types are to be read again.
    async fn poll(&mut self) {
        let events = self.reader.traverse("events", &format!("&updated_after={}", self.events_mark)).await;
        for event in &events {
            let id = event["id"].as_str().unwrap();
            self.mirror.ticket_types.extend(by_id(self.reader.ticket_types(id).await));
        }
        self.events_mark = highest(&events, &self.events_mark);
        self.mirror.events.extend(by_id(events));
        let tickets = self.reader.traverse("tickets", &format!("&updated_after={}", self.tickets_mark)).await;
        self.tickets_mark = highest(&tickets, &self.tickets_mark);
        self.mirror.tickets.extend(by_id(tickets));
    }
}

/// Somebody who sells, lets in, and changes the catalogue, at random.
pub struct Staff<'w> {
    pub world: &'w World,
    pub producer: &'w Producer,
    pub chance: StdRng,
    pub made: usize,
    pub hidden: BTreeSet<String>,
}

impl Staff<'_> {
    pub async fn work(&mut self, steps: usize) {
        let reader = Reader { limit: 200, ..Reader::new(self.world, self.producer) };
        for _ in 0..steps {
            let (now, by) = (self.world.now(), self.world.by());
            let (store, tenant) = (&self.world.store, self.producer.tenant);
            let everything = reader.everything().await;
            let single = |row: &&Value| row["kind"] == "ticket_type" && row["deleted"] == false;
            let pick = |rows: Vec<&Value>, chance: &mut StdRng| {
                rows.choose(chance).map(|row| (row["id"].as_str().unwrap().to_owned(), (*row).clone()))
            };
            let any_type = pick(everything.ticket_types.values().collect(), &mut self.chance).unwrap();
            let single_type = pick(everything.ticket_types.values().filter(single).collect(), &mut self.chance);
            let any_event = pick(everything.events.values().collect(), &mut self.chance).unwrap().0;
            let ticket = pick(everything.tickets.values().collect(), &mut self.chance);
            self.made += 1;
            let name = Name::parse(&format!("Name \"{}\"", self.made)).unwrap();
            let change_type = async |id: &str, change: TicketTypeChange| {
                may_be_refused(catalogue::change_ticket_type(store, tenant, id, &change, None, &by).await);
            };
            let create = async |item: NewItem| catalogue::create_item(store, tenant, item, &by).await.unwrap();
            match self.chance.random_range(0..15) {
                0..=2 => change_type(&any_type.0, TicketTypeChange { name: Some(name), ..Default::default() }).await,
                3 => {
                    let price = Amount::parse(&self.made.to_string()).ok();
                    change_type(&any_type.0, TicketTypeChange { price, ..Default::default() }).await;
                }
                4 => {
                    let status = Some(TypeStatus::Inactive);
                    change_type(&any_type.0, TicketTypeChange { status, ..Default::default() }).await;
                }
                5 => {
                    let deleted = Some(self.chance.random());
                    change_type(&any_type.0, TicketTypeChange { deleted, ..Default::default() }).await;
                }
                6 => create(new_item(&format!("tt{}", self.made), &any_event, Content::Single)).await,
                7 => {
                    if let Some((ticket_type_id, of)) = single_type {
                        let bundle = Content::Bundle(vec![NewInclude { ticket_type_id, quantity: 1 }]);
                        let event_id = of["event_id"].as_str().unwrap();
                        create(new_item(&format!("bu{}", self.made), event_id, bundle)).await;
                    }
                }
                8 => {
                    let event = new_event(&format!("ev{}", self.made));
                    catalogue::create_event(store, tenant, event, &by).await.unwrap();
                }
                9 => {
                    let status = [EventStatus::Draft, EventStatus::Published].choose(&mut self.chance).copied();
                    let change = EventChange { name: Some(name), status, ..Default::default() };
                    catalogue::change_event(store, tenant, &any_event, &change, None, &by).await.unwrap();
                }
                10 => {
                    let Some((ticket_type_id, of)) = single_type else { continue };
                    let buyer = Person { name: "Ana".into(), ..Person::default() };
                    let item = ItemRequest {
                        ticket_type_id,
                        quantity: 2,
                        unit_price: None,
                        attendees: vec![],
                        access_code: None,
                    };
                    let event_id = of["event_id"].as_str().unwrap().to_owned();
                    let request = OrderRequest::new(event_id, buyer, vec![item], Channel::Staff);
                    may_be_refused(boxoffice::place(store, tenant, &request, None, now).await.map(|_| ()));
                }
                step => {
                    let Some((id, _)) = ticket else { continue };
                    let luis = Person { name: "Luis".into(), ..Person::default() };
                    may_be_refused(match step {
                        11 => boxoffice::scan(store, tenant, &id, "Gate", now).await,
                        12 => boxoffice::transfer(store, tenant, &id, &luis, now).await.map(|_| ()),
                        13 => boxoffice::cancel(store, tenant, &id, now).await,
                        _ => {
                            self.hidden.insert(id.clone());
                            boxoffice::hide(store, tenant, &id, now).await
                        }
                    });
                    // A hidden ticket still works at the door and can be passed on, as a hidden one.
                    if let Some(id) = self.hidden.iter().next().filter(|_| step == 11) {
                        may_be_refused(boxoffice::scan(store, tenant, id, "Gate", now).await);
                    } else if let Some(id) = self.hidden.iter().last().filter(|_| step == 12) {
                        may_be_refused(boxoffice::transfer(store, tenant, id, &luis, now).await.map(|_| ()));
                    }
                }
            }
        }
    }
}

/// Accepts a refusal by the rules, and no other error.
pub fn may_be_refused(outcome: ChangeResult<()>) {
    if let Err(ChangeError::Store(cause)) = outcome {
        panic!("{cause}");
    }
}

/// A producer with something of everything.
pub fn beginning() -> Vec<Value> {
    let mut lines = vec![
        event("ev"),
        with(ticket_type("tt", "ev"), json!({"price": 0})),
        with(
            ticket_type("bu", "ev"),
            json!({"kind": "bundle", "includes": [{"ticket_type_id": "tt", "quantity": 2}], "price": 0}),
        ),
        with(ticket("STAFF", "ev", "tt"), json!({"hidden": true})),
    ];
    lines.extend((0..20).map(|number| ticket(&format!("T{number:02}"), "ev", "tt")));
    lines
}

both_engines![
    a_mirror_that_polls_ends_with_what_the_api_shows,
    a_mirror_by_webhooks_ends_with_what_the_api_shows,
    a_new_name_is_told_with_every_row_that_shows_it,
];

async fn a_mirror_that_polls_ends_with_what_the_api_shows(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &beginning()).await;
    let (is_over, polls) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let mut poller = Poller::new(Reader::new(&world, &producer));
    let polling = tokio::spawn({
        let (is_over, polls) = (Arc::clone(&is_over), Arc::clone(&polls));
        async move {
            while !is_over.load(Ordering::SeqCst) {
                poller.poll().await;
                polls.fetch_add(1, Ordering::SeqCst);
            }
            poller
        }
    });
    let chance = StdRng::seed_from_u64(seed());
    let mut staff = Staff { world: &world, producer: &producer, chance, made: 0, hidden: BTreeSet::new() };
    // At least a few polls happen between the changes, however slow the machine is.
    while polls.load(Ordering::SeqCst) < 5 {
        staff.work(STEPS / 4).await;
    }
    staff.work(STEPS / 2).await;
    is_over.store(true, Ordering::SeqCst);
    let mut poller = polling.await.unwrap();
    poller.poll().await;

    // No feed tells that a ticket was hidden. A client that compares drops what the full list does not show.
    let everything = Reader::new(&world, &producer).everything().await;
    let left: BTreeSet<String> =
        poller.mirror.tickets.keys().filter(|id| !everything.tickets.contains_key(*id)).cloned().collect();
    assert!(left.is_subset(&staff.hidden), "{left:?}");
    poller.mirror.tickets.retain(|id, _| !left.contains(id));
    assert_eq!(poller.mirror.shown(), everything.shown());
    assert_eq!(world.findings().await, []);
}

async fn a_mirror_by_webhooks_ends_with_what_the_api_shows(world: World) {
    let hooks = Hooks::new(world).await;
    let (world, producer) = (&hooks.world, &hooks.producer);
    let receiver = Receiver::start(Behaviour::ok()).await;
    let kinds: Vec<MessageKind> =
        MessageKind::ALL.iter().copied().filter(|kind| *kind != MessageKind::WebhookTest).collect();
    let (endpoint, _) = hooks.endpoint_with(&receiver.url("/"), &kinds, true).await;
    // The rule: first the endpoint, then one full read, then messages.
    world.import(producer.tenant, &[with(ticket("STAFF", "ev", "tt"), json!({"hidden": true}))]).await;
    let mut mirror = Reader::new(world, producer).everything().await;
    let chance = StdRng::seed_from_u64(seed());
    let hidden = BTreeSet::from(["STAFF".to_owned()]);
    let mut staff = Staff { world, producer, chance, made: 0, hidden };
    staff.work(STEPS).await;

    let all = async || {
        let events = hooks.events(&endpoint).await;
        let told = world.raw().await.rows("SELECT count(*) FROM outbox").await[0][0].parse::<usize>().unwrap();
        // The import before the endpoint had left two.
        events.len() == told - 2 && events.iter().all(|event| event.status == DeliveryStatus::Delivered)
    };
    assert!(until(all).await, "{:#?}", hooks.events(&endpoint).await);
    // Messages do not arrive in order, so they are applied in another one, and some twice.
    let mut received: Vec<Value> = receiver.received().iter().map(Received::json).collect();
    received.extend(received.clone().into_iter().step_by(3));
    received.shuffle(&mut staff.chance);
    received.iter().for_each(|message| mirror.take(message));
    assert_eq!(mirror.shown(), Reader::new(world, producer).everything().await.shown());
    assert_eq!(world.findings().await, []);
}

async fn a_new_name_is_told_with_every_row_that_shows_it(world: World) {
    let producer = world.producer("pr_a").await;
    world.import(producer.tenant, &beginning()).await;
    let reader = Reader::new(&world, &producer);
    let (store, tenant) = (&world.store, producer.tenant);
    let told = async || world.raw().await.rows("SELECT kind, data FROM outbox ORDER BY seq").await;
    let kinds = |rows: &[Vec<String>]| rows.iter().map(|row| row[0].clone()).collect::<Vec<_>>();
    let imported = told().await;
    assert_eq!(kinds(&imported), ["event.updated", "ticket_type.updated", "ticket_type.updated"], "an import tells");
    let before = reader.everything().await;

    let name = Some(Name::parse("Balcony").unwrap());
    let change = TicketTypeChange { name, ..TicketTypeChange::default() };
    catalogue::change_ticket_type(store, tenant, "tt", &change, None, &world.by()).await.unwrap();
    let after = reader.everything().await;
    let stamp = &after.events["ev"]["updated_at"];
    assert!(stamp.as_str() > before.events["ev"]["updated_at"].as_str());
    assert_eq!((&after.ticket_types["tt"]["updated_at"], &after.ticket_types["bu"]["updated_at"]), (stamp, stamp));
    assert_eq!(after.ticket_types["bu"]["includes"][0]["name"], "Balcony");
    assert_eq!(after.tickets["T00"]["updated_at"], before.tickets["T00"]["updated_at"], "tickets are many");
    let messages = told().await.split_off(imported.len());
    assert_eq!(kinds(&messages), ["event.updated", "ticket_type.updated", "ticket_type.updated"]);
    let data: Vec<Value> = messages.iter().map(|row| serde_json::from_str(&row[1]).unwrap()).collect();
    let items = [&after.ticket_types["bu"], &after.ticket_types["tt"]];
    assert_eq!(data.iter().collect::<Vec<_>>(), [&after.events["ev"], items[0], items[1]], "as the API shows them");

    // A change of nothing tells nothing, and a sale moves no stamp of the catalogue.
    catalogue::change_ticket_type(store, tenant, "tt", &change, None, &world.by()).await.unwrap();
    boxoffice::cancel(store, tenant, "T00", world.now()).await.unwrap();
    let sold = reader.everything().await;
    assert_eq!((&sold.events, &sold.ticket_types["bu"]), (&after.events, &after.ticket_types["bu"]));
    assert_eq!(sold.ticket_types["tt"]["updated_at"], *stamp);
    assert_ne!(sold.ticket_types["tt"]["sold"], after.ticket_types["tt"]["sold"]);
    let messages = told().await.split_off(imported.len() + 3);
    assert_eq!(kinds(&messages), ["ticket.cancelled"]);
}
