//! Crowds of random moves against a simple model: whatever is asked at the same time, some order of the moves explains what
//! came of it, and whoever follows the feeds has seen all of it once.
//!
//! The moves of one crowd are about different orders and tickets, so all that they can take from one another is stock.
//! `TAQUILLA_LONG=1` sends many times as many crowds.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};

use crate::harness::{
    Answer, Client, Poller, Producer, World,
    crowd::{answers, buy, together},
    event, everything, rounds, seed, taquilla, tell_of_payment, ticket_type, with,
};

/// More in a long run.
const CROWDS: usize = 8;
const CROWD: usize = 40;
/// Moves of one crowd that are commands, each a process.
const COMMANDS: usize = 4;

/// What is sold: its id, its price, and how much there is of it. A bundle holds one `tt_paid` and two `tt_free`.
const ITEMS: [(&str, i64, i64); 4] = [("tt_free", 0, 60), ("tt_paid", 25, 25), ("bu_free", 0, 10), ("bu_paid", 30, 8)];

fn is_bundle(item: usize) -> bool {
    item >= 2
}

/// Something that is asked. Orders are numbers in the model, tickets are ids.
#[derive(Clone, Debug)]
enum Move {
    /// Places an order of these items and quantities, perhaps twice with the same key.
    Place { key: String, lines: Vec<(usize, i64)>, times: usize },
    /// Sends an order of before again.
    Again(usize),
    /// Tells of an order's payment, perhaps twice.
    Pay(usize, usize),
    /// Tells that an order's payment failed.
    Fail(usize),
    /// What staff decide about an order: approve, reject or refund.
    Decide(&'static str, usize),
    /// Shows a ticket at the door, perhaps twice.
    Scan(String, usize),
    /// What staff do with a ticket: cancel, transfer or hide.
    Handle(&'static str, String),
}

/// What was answered, once or twice.
#[derive(Debug)]
struct Reply {
    /// `None` if it was done, else the code of the refusal.
    refused: Option<String>,
    /// What was shown.
    shown: Value,
    text: String,
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        let shown = answer.json();
        let refused = (!answer.status.is_success()).then(|| shown["code"].as_str().unwrap().to_owned());
        Self { refused, shown, text: answer.text }
    }
}

#[derive(Clone, Debug)]
struct Order {
    id: String,
    reference: Value,
    status: &'static str,
    lines: Vec<(usize, i64)>,
    key: String,
    /// The answer when it was placed.
    answer: String,
    /// What became of its payment: `settled`, or why it bought nothing.
    payment: Option<String>,
    /// Whether a failed payment has decided it.
    failed: bool,
}

#[derive(Clone, Debug)]
struct Ticket {
    order: usize,
    kind: String,
    from_bundle: bool,
    status: &'static str,
    hidden: bool,
}

#[derive(Default)]
struct Model {
    orders: Vec<Order>,
    tickets: BTreeMap<String, Ticket>,
    /// Codes that were scanned, so that each scan has an id of its own.
    scans: usize,
}

impl Model {
    fn sold(&self) -> [i64; 4] {
        let live =
            || self.tickets.values().filter(|ticket| !ticket.hidden && ["valid", "scanned"].contains(&ticket.status));
        let singles = |id: &str| live().filter(|ticket| !ticket.from_bundle && ticket.kind == id).count() as i64;
        // An order has one unit of a bundle at most, so its tickets out of bundles are those of that unit.
        let bundles = |item: usize| {
            let orders: HashSet<usize> =
                live().filter(|ticket| ticket.from_bundle).map(|ticket| ticket.order).collect();
            orders.iter().filter(|order| self.orders[**order].lines.iter().any(|line| line.0 == item)).count() as i64
        };
        [singles("tt_free"), singles("tt_paid"), bundles(2), bundles(3)]
    }

    /// What is sold or held. No time passes here, so every pending order holds what it is for.
    fn taken(&self) -> [i64; 4] {
        let mut taken = self.sold();
        let pending = self.orders.iter().filter(|order| order.status == "pending");
        for (item, quantity) in pending.flat_map(|order| &order.lines) {
            taken[*item] += quantity;
        }
        taken
    }

    /// What the next crowd asks: moves about different orders and different tickets.
    fn crowd(&self, chance: &mut StdRng, round: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        // Orders that a move decides, and orders of which a ticket changes.
        let (mut decided, mut handled) = (HashSet::new(), HashSet::new());
        let mut touched: HashSet<String> = HashSet::new();
        let mut commands = 0;
        while moves.len() < CROWD {
            let order = (!self.orders.is_empty()).then(|| chance.random_range(0..self.orders.len()));
            let ids: Vec<&String> = self.tickets.keys().collect();
            let ticket = ids.choose(chance).map(|id| (*id).clone());
            let times = chance.random_range(1..=2);
            let next = match (chance.random_range(0..20), order, ticket) {
                (0..=7, ..) => {
                    let item = chance.random_range(0..4);
                    let quantity = if is_bundle(item) { 1 } else { chance.random_range(1..=3) };
                    let mut lines = vec![(item, quantity)];
                    if item > 0 && chance.random_bool(0.3) {
                        lines.push((0, 1));
                    }
                    Move::Place { key: format!("{round}-{}", moves.len()), lines, times }
                }
                (8, Some(order), _) => Move::Again(order),
                (9..=13, Some(order), _) if !handled.contains(&order) && decided.insert(order) => {
                    Move::Pay(order, times)
                }
                (14, Some(order), _) if !handled.contains(&order) && decided.insert(order) => Move::Fail(order),
                (15..=16, Some(order), _)
                    if commands < COMMANDS && !handled.contains(&order) && decided.insert(order) =>
                {
                    commands += 1;
                    Move::Decide(["approve", "reject", "refund", "refund"].choose(chance).unwrap(), order)
                }
                (17..=18, _, Some(id)) if !decided.contains(&self.tickets[&id].order) && touched.insert(id.clone()) => {
                    handled.insert(self.tickets[&id].order);
                    Move::Scan(id, times)
                }
                (19, _, Some(id))
                    if commands < COMMANDS
                        && !decided.contains(&self.tickets[&id].order)
                        && touched.insert(id.clone()) =>
                {
                    commands += 1;
                    handled.insert(self.tickets[&id].order);
                    Move::Handle(["cancel", "cancel", "transfer", "hide"].choose(chance).unwrap(), id)
                }
                _ => continue,
            };
            moves.push(next);
        }
        moves
    }
}

fn body(lines: &[(usize, i64)]) -> Value {
    let items: Vec<Value> =
        lines.iter().map(|(item, quantity)| json!({"ticket_type_id": ITEMS[*item].0, "quantity": quantity})).collect();
    json!({"buyer": {"name": "Ana", "email": "ana@example.com"}, "items": items})
}

/// Two servers, a processor and a door.
struct Venue {
    world: World,
    producer: Producer,
    clients: [Client; 2],
    secret: String,
    gate: String,
}

impl Venue {
    /// Asks for something, at random servers, and gives the answers.
    fn ask(&self, step: &Move, model: &Model, chance: &mut StdRng) -> impl Future<Output = Vec<Reply>> + Send + use<> {
        let mut server = || self.clients[usize::from(chance.random::<bool>())].clone();
        let (step, clients) = (step.clone(), [server(), server()]);
        let (secret, gate) = (self.secret.clone(), format!("Bearer {}", self.gate));
        let now_s = self.world.now().micros() / 1_000_000;
        let mut command = taquilla(&self.world.address);
        command.args(self.command(&step, model));
        let order = |at: usize| model.orders[at].clone();
        let notice = |at: usize, id: &str, status: &str| {
            let Order { id: order_id, reference, lines, .. } = order(at);
            let amount: i64 = lines.iter().map(|(item, quantity)| ITEMS[*item].1 * quantity).sum();
            json!({"payment_id": format!("{id}-{order_id}"), "reference": reference, "status": status,
                "amount": amount, "currency": "EUR"})
        };
        let (sent, times) = match &step {
            Move::Place { lines, times, .. } => (vec![body(lines)], *times),
            Move::Again(at) => (vec![body(&order(*at).lines)], 1),
            Move::Pay(at, times) => (vec![notice(*at, "pay", "paid")], *times),
            Move::Fail(at) => (vec![notice(*at, "fail", "failed")], 1),
            Move::Scan(code, times) => {
                let scan = |number: usize| json!({"code": code, "scan_id": format!("{code}-{}-{number}", model.scans), "station": "Door"});
                (vec![scan(0), scan(1)], *times)
            }
            Move::Decide(..) | Move::Handle(..) => (vec![], 1),
        };
        let again = if let Move::Again(at) = step { order(at).key } else { String::new() };
        async move {
            if sent.is_empty() {
                return vec![tokio::task::spawn_blocking(move || run(command)).await.unwrap()];
            }
            let asked = clients.into_iter().take(times).enumerate().map(async |(number, client)| {
                let sent = &sent[number % sent.len()];
                loop {
                    let answer = match &step {
                        Move::Place { key, .. } => buy(client.clone(), key.clone(), sent.clone()).await,
                        Move::Again(_) => buy(client.clone(), again.clone(), sent.clone()).await,
                        Move::Scan(..) => client.post("/door/v1/scan", &[("authorization", &gate)], sent).await,
                        _ => tell_of_payment(&client, now_s, sent, &secret).await,
                    };
                    if answer.status != 503 {
                        return Reply::from(answer);
                    }
                }
            });
            futures_util::future::join_all(asked).await
        }
    }

    /// The arguments of a move that staff make.
    fn command(&self, step: &Move, model: &Model) -> Vec<String> {
        let words: Vec<&str> = match step {
            Move::Decide(what, order) => vec!["order", what, &model.orders[*order].id],
            Move::Handle("transfer", id) => vec!["ticket", "transfer", id, "--name", "Luis"],
            Move::Handle(what, id) => vec!["ticket", what, id],
            _ => vec![],
        };
        words.into_iter().chain(["--producer", "pr_a", "--json"]).map(str::to_owned).collect()
    }

    /// Reads the tickets of an order that was approved, and compares them with what was bought.
    async fn learn(&self, model: &mut Model, order: usize) {
        let Order { id, lines, .. } = model.orders[order].clone();
        let path = format!("/api/v1/tickets?limit=200&order_id={id}");
        let mut kinds = BTreeMap::new();
        for ticket in self.clients[0].get(&path, &self.producer.key).await.data() {
            let kind = ticket["ticket_type"]["id"].as_str().unwrap().to_owned();
            let from_bundle = ticket["from_bundle"].as_bool().unwrap();
            *kinds.entry((kind.clone(), from_bundle)).or_insert(0) += 1;
            let ticket_id = ticket["id"].as_str().unwrap().to_owned();
            model.tickets.insert(ticket_id, Ticket { order, kind, from_bundle, status: "valid", hidden: false });
        }
        let mut expected = BTreeMap::new();
        for (item, quantity) in lines {
            let singles: &[(&str, i64)] =
                if is_bundle(item) { &[("tt_paid", 1), ("tt_free", 2)] } else { &[(ITEMS[item].0, 1)] };
            for (kind, each) in singles {
                *expected.entry(((*kind).to_owned(), is_bundle(item))).or_insert(0) += each * quantity;
            }
        }
        assert_eq!(kinds, expected, "{id}");
    }

    /// Compares what the API shows with the model: counts, orders, tickets, and money that bought nothing.
    async fn compare(&self, model: &Model) {
        let (client, key) = (&self.clients[1], &self.producer.key);
        let sold = model.sold();
        for item in client.get("/api/v1/events/ev/ticket-types", key).await.data() {
            let at = ITEMS.iter().position(|(id, ..)| item["id"] == *id).unwrap();
            assert_eq!(item["sold"], sold[at], "{item}");
            assert!(sold[at] <= ITEMS[at].2, "{item}");
        }
        let shown = |rows: BTreeMap<String, Value>| -> BTreeMap<String, String> {
            rows.into_iter().map(|(id, row)| (id, row["status"].as_str().unwrap().to_owned())).collect()
        };
        let orders: BTreeMap<String, String> =
            model.orders.iter().map(|order| (order.id.clone(), order.status.to_owned())).collect();
        assert_eq!(shown(everything(client, key, "orders").await), orders);
        let tickets = model.tickets.iter().filter(|(_, ticket)| !ticket.hidden);
        let tickets: BTreeMap<String, String> =
            tickets.map(|(id, ticket)| (id.clone(), ticket.status.to_owned())).collect();
        assert_eq!(shown(everything(client, key, "tickets").await), tickets);
        let output = taquilla(&self.world.address)
            .args(["payment", "list", "--unsettled", "--producer", "pr_a", "--json"])
            .output()
            .unwrap();
        let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
        let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
        let listed: BTreeSet<_> = rows.iter().map(|row| (text(row, "order_id"), text(row, "result"))).collect();
        let unsettled = model.orders.iter().filter_map(|order| Some((order.id.clone(), order.payment.clone()?)));
        assert_eq!(listed, unsettled.filter(|(_, result)| result != "settled").collect());
    }
}

fn run(mut command: Command) -> Reply {
    let output = command.output().unwrap();
    let (shown, error) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    // A refusal ends with its code: "… (order_not_pending)".
    let code = error.rsplit_once('(').and_then(|(_, rest)| rest.split_once(')')).map(|(code, _)| code.to_owned());
    let refused = (!output.status.success()).then(|| code.unwrap_or_else(|| panic!("{command:?}: {error}")));
    Reply { refused, shown: serde_json::from_str(&shown).unwrap_or_default(), text: shown }
}

/// Applies what depends on nothing but its own order or ticket. Gives whether it was one of those.
fn apply(model: &mut Model, step: &Move, replies: &[Reply]) -> bool {
    let refused = || replies.iter().map(|reply| reply.refused.as_deref()).collect::<Vec<_>>();
    match step {
        Move::Again(at) => {
            assert_eq!((refused(), &replies[0].text), (vec![None], &model.orders[*at].answer));
        }
        Move::Fail(at) => {
            let order = &mut model.orders[*at];
            if order.status == "pending" {
                (order.status, order.failed) = ("rejected", true);
            }
            let expected = if order.failed { None } else { Some("order_not_pending") };
            assert_eq!(refused(), [expected], "{step:?} {order:?}");
        }
        Move::Decide("reject", at) => {
            let order = &mut model.orders[*at];
            let expected = if order.status == "pending" { None } else { Some("order_not_pending") };
            assert_eq!(refused(), [expected], "{step:?} {order:?}");
            order.status = if expected.is_none() { "rejected" } else { order.status };
        }
        Move::Decide("refund", at) => {
            let order = &mut model.orders[*at];
            let expected = if order.status == "approved" { None } else { Some("order_not_approved") };
            assert_eq!(refused(), [expected], "{step:?} {order:?}");
            if expected.is_none() {
                order.status = "refunded";
                // Money that came after staff had approved it is what the refund owes, and is listed there alone.
                order.payment = order.payment.take().map(|_| "settled".to_owned());
                let own = model.tickets.values_mut().filter(|ticket| ticket.order == *at);
                own.filter(|ticket| ticket.status != "transferred").for_each(|ticket| ticket.status = "refunded");
            }
        }
        // A paid notice of an order that was decided before.
        Move::Pay(at, _) if model.orders[*at].status != "pending" => {
            let order = &mut model.orders[*at];
            let is_settled = order.payment.as_deref() == Some("settled");
            let expected = if is_settled { None } else { Some("order_not_pending") };
            assert!(refused().iter().all(|refused| *refused == expected), "{step:?} {order:?} {replies:?}");
            order.payment = Some(expected.unwrap_or("settled").to_owned());
        }
        Move::Decide(_, at) if model.orders[*at].status != "pending" => {
            assert_eq!(refused(), [Some("order_not_pending")], "{step:?}");
        }
        Move::Scan(id, _) => {
            let ticket = model.tickets.get_mut(id).unwrap();
            let mut outcomes: Vec<&str> =
                replies.iter().map(|reply| reply.shown["outcome"].as_str().unwrap()).collect();
            outcomes.sort_unstable();
            let mut expected = match ticket.status {
                "valid" => vec!["admitted", "already_scanned"],
                "scanned" => vec!["already_scanned"; 2],
                other => vec![other; 2],
            };
            expected.truncate(replies.len());
            assert_eq!(outcomes, expected, "{ticket:?}");
            ticket.status = if ticket.status == "valid" { "scanned" } else { ticket.status };
        }
        Move::Handle(what, id) => {
            let ticket = model.tickets.get_mut(id).unwrap();
            let may = match *what {
                "hide" => true,
                "cancel" => ["valid", "scanned"].contains(&ticket.status),
                _ => ticket.status == "valid",
            };
            let code = format!("ticket_{}", ticket.status);
            assert_eq!(refused(), [(!may).then_some(code.as_str())], "{step:?} {ticket:?}");
            match *what {
                _ if !may => {}
                "hide" => ticket.hidden = true,
                "cancel" => ticket.status = "cancelled",
                _ => {
                    let new = ticket.clone();
                    ticket.status = "transferred";
                    model.tickets.insert(replies[0].shown["id"].as_str().unwrap().to_owned(), new);
                }
            }
        }
        Move::Place { .. } | Move::Pay(..) | Move::Decide(..) => return false,
    }
    true
}

/// A move that takes stock, or finds that it cannot.
struct Taking {
    lines: Vec<(usize, i64)>,
    outcome: Outcome,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    /// A free order, sold at once.
    Took,
    /// A pending order, which holds its stock.
    Held,
    /// What the order held is sold.
    Issued,
    /// Refused: not enough is left.
    SoldOut,
    /// Refused: not enough is free.
    HeldByOthers,
}

/// Applies what depends on stock, and says what it took.
async fn take(venue: &Venue, model: &mut Model, step: &Move, replies: Vec<Reply>) -> Vec<Taking> {
    match step {
        Move::Place { key, lines, .. } => {
            let is_free = lines.iter().all(|(item, _)| ITEMS[*item].1 == 0);
            let took = |reply: &Reply| match reply.refused.as_deref() {
                None if is_free => Outcome::Took,
                None => Outcome::Held,
                Some("sold_out") => Outcome::SoldOut,
                Some("held") => Outcome::HeldByOthers,
                Some(other) => panic!("{step:?}: {other}"),
            };
            let mut takings: Vec<Taking> = Vec::new();
            // Two of one key: both have the same order, or each was decided afresh because the other got none.
            let mut placed: Option<&Reply> = None;
            for reply in &replies {
                match (took(reply), placed) {
                    (outcome @ (Outcome::SoldOut | Outcome::HeldByOthers), _) => {
                        takings.push(Taking { lines: lines.clone(), outcome });
                    }
                    (_, Some(before)) => assert_eq!(before.text, reply.text),
                    (outcome, None) => {
                        takings.push(Taking { lines: lines.clone(), outcome });
                        placed = Some(reply);
                    }
                }
            }
            if let Some(reply) = placed {
                let status = if is_free { "approved" } else { "pending" };
                assert_eq!(reply.shown["order"]["status"], status);
                let id = reply.shown["order"]["id"].as_str().unwrap().to_owned();
                model.orders.push(Order {
                    id,
                    reference: reply.shown["reference"].clone(),
                    status,
                    lines: lines.clone(),
                    key: key.clone(),
                    answer: reply.text.clone(),
                    payment: None,
                    failed: false,
                });
                if is_free {
                    venue.learn(model, model.orders.len() - 1).await;
                }
            }
            takings
        }
        Move::Pay(at, _) | Move::Decide(_, at) => {
            // What an order holds is there for it, and the same notice twice takes it once.
            assert!(replies.iter().all(|reply| reply.refused.is_none()), "{step:?}: {replies:?}");
            let order = &mut model.orders[*at];
            let is_paid = matches!(step, Move::Pay(..));
            (order.status, order.payment) = ("approved", is_paid.then(|| "settled".to_owned()));
            let lines = order.lines.clone();
            venue.learn(model, *at).await;
            vec![Taking { lines, outcome: Outcome::Issued }]
        }
        _ => panic!("{step:?} takes nothing"),
    }
}

/// Whether some order of the moves explains what each was told: from what was sold and what was taken (sold or held)
/// before, and from what was left of that after everything had been given back.
fn explain(sold: [i64; 4], taken: [i64; 4], left: [i64; 4], takings: &[Taking]) {
    let all = |outcomes: &[Outcome]| {
        let mut units = [0; 4];
        let of_these = takings.iter().filter(|taking| outcomes.contains(&taking.outcome));
        of_these.flat_map(|taking| &taking.lines).for_each(|(item, quantity)| units[*item] += quantity);
        units
    };
    let (issued, took) = (all(&[Outcome::Took, Outcome::Issued]), all(&[Outcome::Took, Outcome::Held]));
    for Taking { lines, outcome } in takings {
        let mut each = lines.iter().map(|(item, quantity)| (*item, *quantity, ITEMS[*item].2));
        match outcome {
            // At the worst moment nothing has been given back, and everybody else has taken.
            Outcome::SoldOut => assert!(
                each.any(|(item, quantity, limit)| sold[item] + issued[item] + quantity > limit),
                "{lines:?} was refused although there was enough: {sold:?} and {issued:?} were sold"
            ),
            Outcome::HeldByOthers => assert!(
                each.any(|(item, quantity, limit)| taken[item] + took[item] + quantity > limit),
                "{lines:?} was refused although it was free: {taken:?} and {took:?} were taken"
            ),
            // At the best moment everything has been given back, and nobody has taken.
            Outcome::Took | Outcome::Held => assert!(
                each.all(|(item, quantity, limit)| left[item] + quantity <= limit),
                "{lines:?} was sold although there was not enough: {left:?} were taken"
            ),
            Outcome::Issued => {}
        }
    }
    for item in 0..4 {
        assert!(left[item] + took[item] <= ITEMS[item].2, "too many of {}", ITEMS[item].0);
    }
}

both_engines![crowds_of_random_moves_agree_with_the_model];

async fn crowds_of_random_moves_agree_with_the_model(world: World) {
    let mut chance = StdRng::seed_from_u64(seed());
    let producer = world.producer("pr_a").await;
    let includes = json!([{"ticket_type_id": "tt_paid", "quantity": 1}, {"ticket_type_id": "tt_free", "quantity": 2}]);
    let mut lines = vec![event("ev")];
    lines.extend(ITEMS.iter().enumerate().map(|(item, (id, price, limit))| {
        let line = with(ticket_type(id, "ev"), json!({"price": price, "limit": limit}));
        if is_bundle(item) { with(line, json!({"kind": "bundle", "includes": includes})) } else { line }
    }));
    world.import(producer.tenant, &lines).await;
    let secret = world.connect_processor(&producer).await;
    let (gate, _) = world.door(producer.tenant, "ev", &[]).await;
    let [(_first, here), (_second, there)] = world.two_servers().await;
    let venue = Venue { world, producer, clients: [here, there], secret, gate };
    let (mut model, mut sold, mut refused) = (Model::default(), 0, 0);

    let is_over = Arc::new(AtomicBool::new(false));
    let polling = ["orders", "tickets"].into_iter().zip(venue.clients.clone()).map(|(list, client)| {
        let mut poller = Poller::new(client, &venue.producer.key, (list, "updated_after", "updated_at"), 7);
        let is_over = Arc::clone(&is_over);
        tokio::spawn(async move {
            while !is_over.load(Ordering::SeqCst) {
                poller.poll().await;
            }
            poller
        })
    });
    let polling: Vec<_> = polling.collect();

    for round in 0..rounds(CROWDS) {
        let moves = model.crowd(&mut chance, round);
        model.scans += 1;
        let asked: Vec<_> = moves.iter().map(|step| venue.ask(step, &model, &mut chance)).collect();
        // Every second crowd finds a producer that nobody can have for a while, so that all of them wait.
        let replies = match round % 2 {
            0 => together(&venue.world, &venue.producer, &venue.clients[0], asked).await,
            _ => answers(asked.into_iter().map(tokio::spawn).collect()).await,
        };
        let (sold_before, taken) = (model.sold(), model.taken());
        let mut stock = Vec::new();
        for (step, replies) in moves.iter().zip(replies) {
            if !apply(&mut model, step, &replies) {
                stock.push((step, replies));
            }
        }
        let left = model.taken();
        let mut takings = Vec::new();
        for (step, replies) in stock {
            takings.extend(take(&venue, &mut model, step, replies).await);
        }
        explain(sold_before, taken, left, &takings);
        let count = |outcomes: [Outcome; 2]| takings.iter().filter(|taking| outcomes.contains(&taking.outcome)).count();
        sold += count([Outcome::Took, Outcome::Issued]);
        refused += count([Outcome::SoldOut, Outcome::HeldByOthers]);
        venue.compare(&model).await;
    }

    assert!(sold > CROWD && refused > CROWD / 4, "{sold} were sold to, and {refused} were refused");
    is_over.store(true, Ordering::SeqCst);
    let hidden: BTreeSet<&String> =
        model.tickets.iter().filter(|(_, ticket)| ticket.hidden).map(|(id, _)| id).collect();
    let mut lists = BTreeMap::new();
    for poller in polling {
        let mut poller = poller.await.unwrap();
        // One more poll sees what was written after the last.
        poller.poll().await;
        let (list, ..) = poller.feed;
        // No feed tells that a ticket was hidden.
        poller.rows.retain(|id, _| !hidden.contains(id));
        let all = everything(&venue.clients[0], &venue.producer.key, list).await;
        assert_eq!(poller.rows, all, "a mirror of {list}");
        lists.insert(list, all);
    }
    // The last message about each shows it as it is.
    let messages = "SELECT kind, data FROM outbox WHERE kind LIKE 'order.%' OR kind LIKE 'ticket.%' ORDER BY seq";
    let mut told: BTreeMap<String, Value> = BTreeMap::new();
    for row in venue.world.raw().await.rows(messages).await {
        let data: Value = serde_json::from_str(&row[1]).unwrap();
        told.insert(data["id"].as_str().unwrap().to_owned(), data);
    }
    told.retain(|id, _| !hidden.contains(id));
    assert_eq!(told, lists.into_values().flatten().collect());
    assert_eq!(venue.world.findings().await, []);
}
